// SPDX-License-Identifier: Apache-2.0
// What is asked of the table of connections.
`default_nettype none

package wc_tcp_lookup_pkg;

  // Who is at the other end, in wire order. The board has one address and one port.
  typedef struct packed {
    logic [31:0] ip;
    logic [15:0] port;
  } peer_t;

  typedef enum logic [1:0] {
    Find   = 2'd0,  // the connection with a peer
    Insert = 2'd1,  // a new one, with the number that is given; the peer has none
    Remove = 2'd2   // the one with that number
  } action_e;

  typedef logic [15:0] id_t;  // a connection's number, from 0

  typedef struct packed {
    action_e action;
    peer_t   peer;  // of Find and Insert
    id_t     id;    // of Insert and Remove
  } ask_t;

  typedef struct packed {
    logic done;  // found, inserted or removed
    id_t  id;    // of the one that was found
  } answer_t;

endpackage

`default_nettype wire
