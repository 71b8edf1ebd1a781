// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_pool. One segment is followed, any one.
// Rule 1: it is not offered while it is in a chain, or swept and not given back.
// Rule 2: what is free is offered or waits: with a segment free there is an offer within Wait cycles.
// Rule 3: the oldest of a log is in its chain; behind a drop the next one is told within 3 cycles.
// Rule 4: the segments of a log leave it in the order in which they came.
// Assumed: a log keeps its youngest segment; a segment is given back once, after it was dropped.
`include "wc_assert.svh"
`default_nettype none

module wc_log_pool_fv
  import wc_log_pkg::*;
#(
  parameter int unsigned Segments = 4,
  parameter int unsigned Wait     = 6
) (
  input wire logic       clk_i,
  input wire logic [1:0] segment_i,  // free: the one that is followed
  input wire logic       ready_i,
  input wire log_e       log_i,
  input wire logic       drop_i,
  input wire log_e       drop_log_i,
  input wire logic       give_valid_i,
  input wire logic [1:0] give_i
);

  localparam int unsigned Quiet = 2;

  log_settings_t settings;
  logic valid, take, drop, give;
  segment_t segment;
  link_t link;
  segments_t free;
  segments_t [1:0] count;
  logic [1:0] oldest_valid;
  segment_t [1:0] oldest;

  // One cycle of reset, made here: the search then knows the registers' values behind it, and goes
  // deeper than with a reset that is assumed (wc_reset_fv).
  logic awake_q, rst_i;

  initial awake_q = 1'b0;
  always_ff @(posedge clk_i) awake_q <= 1'b1;
  assign rst_i = !awake_q;

  assign settings = '{segment_bits: 5'd11, segments: segments_t'(Segments), default: '0};

  wc_log_pool #(
    .Segments(Segments),
    .Quiet   (Quiet)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (1'b0),
    .settings_i     (settings),
    .segment_valid_o(valid),
    .segment_ready_i(ready_i),
    .segment_o      (segment),
    .log_i          (log_i),
    .link_o         (link),
    .free_o         (free),
    .count_o        (count),
    .oldest_valid_o (oldest_valid),
    .oldest_o       (oldest),
    .drop_i         (drop),
    .drop_log_i     (drop_log_i),
    .give_valid_i   (give),
    .give_segment_i (segment_t'(give_i))
  );

  logic [Segments-1:0] swept_q;
  logic [1:0] chained_q;  // the segment that is followed is in this log,
  logic [2:0] before_q;   // with so many segments of the log before it
  logic [2:0] wait_q;
  logic [1:0][1:0] look_q;
  logic followed_drop;

  assign take = valid && ready_i;
  assign drop = drop_i && oldest_valid[drop_log_i] && count[drop_log_i] > 1;
  assign give = give_valid_i && swept_q[give_i];
  assign followed_drop = drop && 2'(oldest[drop_log_i]) == segment_i;

  always_ff @(posedge clk_i) begin
    if (give) swept_q[give_i] <= 1'b0;
    if (drop) swept_q[2'(oldest[drop_log_i])] <= 1'b1;
    if (take && 2'(segment) == segment_i) begin
      chained_q[log_i] <= 1'b1;
      before_q <= 3'(count[log_i]) - 3'(drop && drop_log_i == log_i);
    end else if (drop && chained_q[drop_log_i]) begin
      before_q <= before_q - 1'b1;
      if (before_q == '0) chained_q <= '0;
    end
    wait_q <= free != '0 && !valid ? wait_q + 1'b1 : '0;
    for (int unsigned i = 0; i < 2; i++) begin
      look_q[i] <= count[i] != '0 && !oldest_valid[i] ? look_q[i] + 1'b1 : '0;
    end
    if (rst_i) begin
      swept_q <= '0;
      chained_q <= '0;
      before_q <= '0;
      wait_q <= '0;
      look_q <= '0;
    end
  end

  `WC_ASSUME(followed, $past(rst_i) || segment_i == $past(segment_i))

  `WC_ASSERT(rule_1, !valid || 2'(segment) != segment_i
             || (chained_q == '0 && !swept_q[segment_i]))
  `WC_ASSERT(rule_2, 32'(wait_q) < Wait)
  `WC_ASSERT(rule_3_waits, look_q[0] < 3 && look_q[1] < 3)
  `WC_ASSERT(rule_4, !drop || (followed_drop == (chained_q[drop_log_i] && before_q == '0)))

  `WC_COVER(comes_again, valid && 2'(segment) == 2'd0 && count[1] == 2 && free == 2)
  `WC_COVER(both_drop, drop && $past(drop) && drop_log_i != $past(drop_log_i))

endmodule

`default_nettype wire
