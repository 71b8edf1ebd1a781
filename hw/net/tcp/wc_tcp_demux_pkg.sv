// SPDX-License-Identifier: Apache-2.0
// What becomes of segments before they reach the engine, or without it.
`default_nettype none

package wc_tcp_demux_pkg;

  // Of each segment, in the order in which they came, unless it has no bytes and was dropped.
  typedef struct packed {
    logic given;  // the engine has it, and will say where its bytes go
    logic bytes;  // it has some
  } fate_t;

  // Answers that no connection gives.
  typedef enum logic [1:0] {
    AnswerCookie  = 2'd0,  // to a SYN
    AnswerReset   = 2'd1,  // to what acknowledges something
    AnswerRefuse  = 2'd2,  // to what does not
    AnswerTooMany = 2'd3   // to who would have a connection: with a text, and an end
  } answer_e;

  typedef struct packed {
    answer_e                     kind;
    wc_net_pkg::station_t        station;
    logic [15:0]                 port;
    logic [31:0]                 seq;
    logic [31:0]                 ack;
    logic                        times;
    logic [31:0]                 time_value;
    logic [31:0]                 time_echo;
    logic                        scaled;
    logic                        sack;
  } answer_t;

  // What is counted: each for one cycle.
  typedef struct packed {
    logic cookie;      // a SYN was answered
    logic opened;
    logic refused;     // one too many
    logic bad_cookie;
    logic early;       // before the segment that opens its connection
    logic reset;       // has no connection
    logic flooded;     // of a connection that sends more than the engine takes, while others wait
    logic unanswered;  // there were more to be answered than the wire could take
  } counts_t;

  // What memcached says to one too many.
  localparam int unsigned TooManyBytes = 33;
  localparam logic [8*TooManyBytes-1:0] TooMany = {"ERROR Too many open connections", 16'h0d0a};

endpackage

`default_nettype wire
