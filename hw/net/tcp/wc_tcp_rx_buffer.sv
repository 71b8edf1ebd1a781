// SPDX-License-Identifier: Apache-2.0
// Holds segments behind the MAC until they are taken: records of what they say, and the words of
// their payloads, each in the order of the frames. A frame's words are written while it comes in;
// then the verdict on the frame keeps or forgets them. The record comes with the verdict or a few
// cycles behind it, and is kept when the frame was.
// Latency from commit, or from the record, 1. What finds no room is lost, and overflow_o is high from
// then to the next begin_i; the verdict drops that frame.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_rx_buffer #(
  parameter int unsigned Words   = 1024,
  parameter int unsigned Records = 128
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic                 begin_i,  // of a frame that may be a segment
  input  wire logic                 payload_valid_i,
  input  wire wc_net_pkg::payload_t payload_i,
  input  wire logic                 record_valid_i,
  input  wire wc_tcp_pkg::segment_t record_i,
  input  wire logic                 commit_i,  // the frame is a segment, and is kept
  input  wire logic                 abort_i,   // it is not: of each frame one of these two
  output logic                      overflow_o,
  output logic                      crowded_o,  // half of the records wait
  output logic                      segment_valid_o,
  input  wire logic                 segment_ready_i,
  output wc_tcp_pkg::segment_t      segment_o,
  output logic                      payload_valid_o,
  input  wire logic                 payload_ready_i,
  output wc_pkg::beat_t             payload_o
);

  localparam int unsigned LongestWords = (wc_tcp_engine_pkg::Mss + 7) / 8;

  // Nothing in here waits for the end of a frame: what finds no room is dropped with its frame.
  `WC_REQUIRE(words, Words >= LongestWords,
              "wc_tcp_rx_buffer: Words must hold the longest payload: 256 or more")
  `WC_REQUIRE(records, Records >= 32 && Records == 2 ** $clog2(Records),
              "wc_tcp_rx_buffer: Records must be a power of two of 32 or more")

  // ---- payloads ---------------------------------------------------------------------------------
  logic payload_ready, lost_q;

  wc_fifo_commit #(
    .data_t(wc_pkg::beat_t),
    .Depth (Words)
  ) u_payload (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (payload_valid_i),
    .ready_o (payload_ready),
    .data_i  ('{data: payload_i.word, last: payload_i.last}),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (payload_valid_o),
    .ready_i (payload_ready_i),
    .data_o  (payload_o),
    .level_o ()
  );

  always_ff @(posedge clk_i) begin
    if (begin_i) lost_q <= 1'b0;
    if (payload_valid_i && !payload_ready) lost_q <= 1'b1;
  end

  // ---- records ----------------------------------------------------------------------------------
  // A frame that is kept has a record, before the verdict on another one that has. Those between
  // them, if any, are too short to have one.
  logic owed_q, keep, push, record_ready, few_q;
  logic [$clog2(Records):0] level_q;

  assign keep = commit_i || owed_q;
  assign push = record_valid_i && keep;

  wc_fifo #(
    .data_t(wc_tcp_pkg::segment_t),
    .Depth (Records)
  ) u_records (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push),
    .ready_o(record_ready),
    .data_i (record_i),
    .valid_o(segment_valid_o),
    .ready_i(segment_ready_i),
    .data_o (segment_o),
    .level_o()
  );

  // Behind a verdict for which there was no overflow there is room for the record: one may be owed,
  // and one more may come until that is seen.
  assign overflow_o = lost_q || few_q;

  always_ff @(posedge clk_i) begin
    owed_q <= keep && !push;
    level_q <= level_q + ($clog2(Records) + 1)'(push)
               - ($clog2(Records) + 1)'(segment_valid_o && segment_ready_i);
    few_q <= level_q >= ($clog2(Records) + 1)'(Records - 2);
    crowded_o <= level_q >= ($clog2(Records) + 1)'(Records / 2);
    if (rst_i) begin
      owed_q <= 1'b0;
      level_q <= '0;
      few_q <= 1'b0;
      crowded_o <= 1'b0;
    end
  end

  `WC_ASSERT(one_record, !(commit_i && owed_q))
  `WC_ASSERT(record_has_room, !push || record_ready)
  `WC_ASSERT_STREAM(segment, segment_valid_o, segment_ready_i, segment_o)
  `WC_ASSERT_STREAM(payload, payload_valid_o, payload_ready_i, payload_o)

endmodule

`default_nettype wire
