// SPDX-License-Identifier: Apache-2.0
// Types and constants that only TCP knows. What is calculated with is in host order; addresses and
// ports, which are only compared and sent back, are in wire order as in wc_net_pkg.
`default_nettype none

package wc_tcp_pkg;

  localparam int unsigned HeaderBytes = 20;  // without options
  localparam int unsigned SackBlocks = 4;    // the most that fit one option

  // Kinds of options (RFC 9293, 3.1; RFC 7323; RFC 2018).
  localparam logic [7:0] KindEnd = 8'd0;
  localparam logic [7:0] KindNothing = 8'd1;
  localparam logic [7:0] KindMss = 8'd2;
  localparam logic [7:0] KindScale = 8'd3;
  localparam logic [7:0] KindSackPermitted = 8'd4;
  localparam logic [7:0] KindSack = 8'd5;
  localparam logic [7:0] KindTimes = 8'd8;

  localparam logic [7:0] MostScale = 8'd14;  // RFC 7323, 2.3

  typedef logic [31:0] sequence_t;
  typedef logic [3:0] quads_t;  // groups of 4 bytes of a header: 15 at most

  // As they stand on the wire.
  typedef struct packed {
    logic urg;
    logic ack;
    logic psh;
    logic rst;
    logic syn;
    logic fin;
  } flags_t;

  typedef struct packed {
    sequence_t left;   // the first sequence number that has come,
    sequence_t right;  // and the one behind the last
  } sack_t;

  // What the options say. A value without its bit, and a block beyond the count, may be anything.
  typedef struct packed {
    logic                   mss_given;
    logic [15:0]            mss;
    logic                   scale_given;
    logic [3:0]             scale;           // 14 at most
    logic                   sack_permitted;
    logic                   times_given;
    logic [31:0]            time_value;
    logic [31:0]            time_echo;
    logic [2:0]             sacks;           // how many blocks
    sack_t [SackBlocks-1:0] sack;            // the first one is number 0
  } options_t;

  // A segment without its bytes.
  typedef struct packed {
    wc_net_pkg::station_t station;  // who sent it
    logic [15:0]          port;     // and from which port, in wire order
    sequence_t            seq;
    sequence_t            ack;
    flags_t               flags;
    logic [15:0]          window;   // not yet scaled
    wc_net_pkg::length_t  bytes;    // of payload
    options_t             options;
  } segment_t;

  // When a peer is asked whether it is there, in units of 1,024 ms (wc_tcp_keepalive).
  typedef struct packed {
    logic [14:0] idle;      // so long nothing has come of it; 0: no peer is asked
    logic [14:0] interval;  // and so long behind the last time
    logic [6:0]  probes;    // so often; then the connection is given up
  } keepalive_t;

  // What the host is told of a connection that it asks for.
  typedef struct packed {
    logic        busy;  // it is being read: the rest is of the one before
    logic        open;  // requests may come of it
    logic [15:0] age;   // how long no byte has come, in units of 1,024 ms; goes round
    logic [31:0] ip;    // the peer's address and port, in wire order
    logic [15:0] port;
  } about_t;

  // A segment that is to be sent, without its bytes.
  localparam int unsigned SentSackBlocks = 3;  // what fits beside time stamps
  typedef struct packed {
    wc_net_pkg::station_t       station;  // whom to
    logic [15:0]                port;     // and to which port, in wire order
    sequence_t                  seq;
    sequence_t                  ack;
    flags_t                     flags;
    logic [15:0]                window;   // as it goes on the wire
    wc_net_pkg::length_t        bytes;    // of payload
    logic                       mss_given;
    logic [15:0]                mss;
    logic                       scale_given;
    logic [3:0]                 scale;
    logic                       sack_permitted;
    logic                       times_given;
    logic [31:0]                time_value;
    logic [31:0]                time_echo;
    logic [1:0]                 sacks;    // how many blocks
    sack_t [SentSackBlocks-1:0] sack;     // the first one is number 0
  } out_t;

endpackage

`default_nettype wire
