// SPDX-License-Identifier: Apache-2.0
// What a SYN cookie keeps of a SYN, and where. py/wirecache/model/tcp/cookie.py is the same in
// Python.
`default_nettype none

package wc_tcp_cookie_pkg;

  // Sizes of segments that a cookie can name. What a SYN says is rounded down; at least the first.
  localparam int unsigned Sizes = 8;
  typedef logic [15:0] mss_t;
  localparam mss_t [Sizes-1:0] Mss = {
    16'd1460, 16'd1440, 16'd1400, 16'd1300, 16'd1220, 16'd536, 16'd256, 16'd48
  };
  localparam mss_t WithoutMss = 16'd536;  // what a SYN without the option means (RFC 9293, MUST-15)
  localparam logic [3:0] NoScale = 4'd15;
  localparam logic [3:0] MostScale = 4'd14;  // (RFC 7323, 2.3)

  // A peer sends fewer bytes than that before it has an ACK: windows of SYN-ACKs have no scale.
  localparam int unsigned EarlyBits = 16;

  // A turn is 2^16 milliseconds. A cookie is good in its own and the next one.
  typedef logic [15:0] turn_t;

  typedef struct packed {
    logic [2:0] size;   // its place in Mss
    logic       times;  // both sides have time stamps; without them the other two cannot be kept
    logic       sack;
    logic [3:0] scale;  // of the peer's window, up to MostScale; NoScale: windows are not scaled
  } options_t;

  // The number of a SYN-ACK, and what the hash covers. The SYN's own number is added to the hash.
  typedef struct packed {
    logic [4:0]  turn;  // the lowest bits
    logic [2:0]  size;
    logic [23:0] hash;
  } number_t;

  // A SYN, or an ACK for which there is no connection. Addresses in wire order, their first byte is
  // the lowest.
  typedef struct packed {
    logic        ack;
    logic [31:0] ip;    // the peer's
    logic [15:0] port;
    logic [31:0] isn;   // the number of the SYN; of an ACK, one less than its own
    logic [31:0] cookie;  // of an ACK: one less than what it acknowledges
    logic        mss_given;  // options of a SYN
    mss_t        mss;
    logic        sack;
    logic        scale_given;
    logic [3:0]  scale;
    logic        times_given;  // of both
    logic [5:0]  echo;  // of an ACK: the lowest bits of the time stamp that it echoes
  } ask_t;

  typedef struct packed {
    logic        good;    // of an ACK: its cookie is ours, and not too old
    logic        early;   // as well, but of a segment behind the first: that one is still to come
    number_t     number;  // of a SYN: that of the SYN-ACK
    logic [31:0] stamp;   // its time stamp, no later than now
    options_t    options;
  } answer_t;

  function automatic logic [2:0] size_of(mss_t mss);
    size_of = '0;
    for (int unsigned i = 1; i < Sizes; i++) if (mss >= Mss[i]) size_of = 3'(i);
  endfunction

endpackage

`default_nettype wire
