// SPDX-License-Identifier: Apache-2.0
// What is said to those who move bytes between streams and rings in memory.
// The byte with sequence number s of connection id stands at base + id * ring + s mod ring.
`default_nettype none

package wc_tcp_ring_pkg;

  typedef logic [15:0] tag_t;  // whatever the asker wants to have back

  // What becomes of a payload: `skip` bytes are thrown away, `bytes` kept, the rest is thrown away.
  typedef struct packed {
    logic [15:0] id;
    logic [31:0] seq;    // of the first byte that is kept
    logic [10:0] skip;
    logic [10:0] bytes;  // may be 0
    tag_t        tag;
  } write_t;

  // The kept bytes are in memory; with `error` some of them are not.
  typedef struct packed {
    tag_t tag;
    logic error;
  } done_t;

  typedef struct packed {
    logic [15:0] id;
    logic [31:0] seq;
    logic [15:0] bytes;  // 1 or more
    tag_t        tag;
  } read_t;

  // A beat of memory that is written: the bytes from `first` to `last`, which is told by its place
  // in the block of 256 bytes that they lie in.
  typedef struct packed {
    logic [63:0] first;  // its address
    logic [7:0]  last;
  } wrote_t;

  // The bytes of a block of 256 that a burst is asked for, by their places.
  typedef struct packed {
    logic [7:0] first;
    logic [7:0] last;
  } wanted_t;

  // A word of what was read; its unused bytes are zero.
  typedef struct packed {
    tag_t        tag;
    logic        error;  // with `last`: some of the bytes could not be read
    logic        last;
    logic [63:0] data;
  } word_t;

endpackage

`default_nettype wire
