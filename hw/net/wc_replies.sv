// SPDX-License-Identifier: Apache-2.0
// Brings the replies to ARP and ICMP and the segments of TCP together, one frame after the other,
// for wc_net_tx. When both wait they take turns; what has been offered stays until it is taken. So
// a frame waits for one frame of the other kind at most.
// Latency none while one kind alone comes. A change to the other kind takes a cycle, in which a
// frame has left already when both wait: no cycle of the wire is lost.
`include "wc_assert.svh"
`default_nettype none

module wc_replies (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               local_valid_i,  // of wc_local, with the words of ICMP
  output logic                    local_ready_o,
  input  wire wc_net_pkg::reply_t local_i,
  input  wire logic               local_word_valid_i,
  output logic                    local_word_ready_o,
  input  wire wc_pkg::word_t      local_word_i,
  input  wire logic               segment_valid_i,  // of wc_tcp
  output logic                    segment_ready_o,
  input  wire wc_net_pkg::reply_t segment_i,
  input  wire logic               segment_word_valid_i,
  output logic                    segment_word_ready_o,
  input  wire wc_pkg::word_t      segment_word_i,
  output logic                    reply_valid_o,
  input  wire logic               reply_ready_i,
  output wc_net_pkg::reply_t      reply_o,
  output logic                    reply_tcp_o,  // it is a segment
  output logic                    word_valid_o,
  input  wire logic               word_ready_i,
  output wc_pkg::word_t           word_o
);

  logic offers_tcp_q;  // the kind that is offered next
  logic words_tcp_q;   // the kind of the frame that was taken last: its words are being taken
  logic other_valid, keeps;

  assign reply_valid_o = offers_tcp_q ? segment_valid_i : local_valid_i;
  assign other_valid = offers_tcp_q ? local_valid_i : segment_valid_i;
  assign reply_o = offers_tcp_q ? segment_i : local_i;
  assign reply_tcp_o = offers_tcp_q;
  assign segment_ready_o = offers_tcp_q && reply_ready_i;
  assign local_ready_o = !offers_tcp_q && reply_ready_i;
  assign keeps = reply_valid_o && !reply_ready_i;

  always_ff @(posedge clk_i) begin
    if (other_valid && !keeps) offers_tcp_q <= !offers_tcp_q;
    // The first word of a frame is taken cycles later than the frame, when the last word of the
    // frame before it has left.
    if (reply_valid_o && reply_ready_i) words_tcp_q <= offers_tcp_q;
    if (rst_i) begin
      offers_tcp_q <= 1'b0;
      words_tcp_q <= 1'b0;
    end
  end

  assign word_valid_o = words_tcp_q ? segment_word_valid_i : local_word_valid_i;
  assign word_o = words_tcp_q ? segment_word_i : local_word_i;
  assign segment_word_ready_o = words_tcp_q && word_ready_i;
  assign local_word_ready_o = !words_tcp_q && word_ready_i;

  `WC_ASSERT_STREAM(reply, reply_valid_o, reply_ready_i, {reply_o, reply_tcp_o})

endmodule

`default_nettype wire
