// SPDX-License-Identifier: Apache-2.0
// The segments of memory: which are free, and the chains of the two logs, oldest first.
// A segment is offered, and becomes the youngest of the log that takes it. The oldest of a log is
// dropped by the sweeper, who gives it back when it may be written again. Free segments are offered
// in the order in which they became free; at first all are, from number 0.
// The next offer stands 1 cycle after a take, up to 4 when it was given back just before. Behind a
// drop the next oldest is known 3 cycles later. No offers in the first Quiet cycles after a reset or
// clear_i: those that follow the chains make their tables ready. Nothing but an offer ever waits.
`include "wc_assert.svh"
`default_nettype none

module wc_log_pool
  import wc_log_pkg::*;
#(
  parameter int unsigned Segments = MaxSegments,  // settings_i.segments at most
  parameter int unsigned Quiet    = MaxSegments + 8
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          clear_i,  // all are free again; nothing is in flight
  input  wire log_settings_t settings_i,
  output logic               segment_valid_o,
  input  wire logic          segment_ready_i,
  output segment_t           segment_o,
  input  wire log_e          log_i,  // who takes it
  output link_t              link_o,
  output segments_t          free_o,  // the one that is offered counts
  output segments_t [1:0]    count_o,  // of each log, with the one that is being written
  output logic [1:0]         oldest_valid_o,
  output segment_t [1:0]     oldest_o,
  input  wire logic          drop_i,  // the oldest leaves its chain
  input  wire log_e          drop_log_i,
  input  wire logic          give_valid_i,  // it is free again
  input  wire segment_t      give_segment_i
);

  localparam int unsigned NumberWidth = $clog2(Segments);
  typedef logic [NumberWidth-1:0] number_t;

  logic restart;

  assign restart = rst_i || clear_i;

  // ---- free segments ---------------------------------------------------------------------------
  logic [$clog2(Quiet+1)-1:0] quiet_q;
  segments_t fresh_q;  // the first that was never taken
  logic fresh_left, refill, take;
  logic given_valid, given_ready;
  number_t given;

  assign fresh_left = fresh_q != settings_i.segments;
  assign take = segment_valid_o && segment_ready_i;
  assign refill = (take || !segment_valid_o) && quiet_q == '0;

  // Worst case: all segments are free, and one of them is offered.
  wc_fifo #(
    .data_t(number_t),
    .Depth (Segments)
  ) u_given (
    .clk_i  (clk_i),
    .rst_i  (restart),
    .valid_i(give_valid_i),
    .ready_o(given_ready),
    .data_i (number_t'(give_segment_i)),
    .valid_o(given_valid),
    .ready_i(refill && !fresh_left),
    .data_o (given),
    .level_o()
  );

  always_ff @(posedge clk_i) begin
    if (quiet_q != '0) quiet_q <= quiet_q - 1'b1;
    if (refill) begin
      segment_valid_o <= fresh_left || given_valid;
      segment_o <= fresh_left ? segment_t'(fresh_q) : segment_t'(given);
      if (fresh_left) fresh_q <= fresh_q + 1'b1;
    end
    if (take != give_valid_i) free_o <= give_valid_i ? free_o + 1'b1 : free_o - 1'b1;
    if (restart) begin
      quiet_q <= ($bits(quiet_q))'(Quiet);
      segment_valid_o <= 1'b0;
      fresh_q <= '0;
      free_o <= settings_i.segments;
    end
  end

  // ---- chains ----------------------------------------------------------------------------------
  segment_t [1:0] youngest_q;
  logic drop_q, drop_q2;  // the link of the oldest is asked for, is there
  log_e drop_log_q, drop_log_q2;
  number_t next;

  wc_ram_sdp #(
    .Width(NumberWidth),
    .Depth(Segments)
  ) u_links (
    .clk_i  (clk_i),
    .we_i   (link_o.valid),
    .waddr_i(number_t'(link_o.segment)),
    .wdata_i(number_t'(link_o.next)),
    .re_i   (drop_q),
    .raddr_i(number_t'(oldest_o[drop_log_q])),
    .rdata_o(next)
  );

  always_ff @(posedge clk_i) begin
    link_o <= '{valid: take && count_o[log_i] != '0, segment: youngest_q[log_i], next: segment_o};
    drop_q <= drop_i;
    drop_log_q <= drop_log_i;
    drop_q2 <= drop_q;
    drop_log_q2 <= drop_log_q;
    for (int unsigned i = 0; i < 2; i++) begin
      if (take && log_i == log_e'(i)) begin
        youngest_q[i] <= segment_o;
        if (count_o[i] == '0) begin
          oldest_o[i] <= segment_o;
          oldest_valid_o[i] <= 1'b1;
        end
      end
      if (drop_i && drop_log_i == log_e'(i)) oldest_valid_o[i] <= 1'b0;
      if (drop_q2 && drop_log_q2 == log_e'(i)) begin
        oldest_o[i] <= segment_t'(next);
        oldest_valid_o[i] <= 1'b1;
      end
      if ((take && log_i == log_e'(i)) != (drop_i && drop_log_i == log_e'(i))) begin
        count_o[i] <= drop_i && drop_log_i == log_e'(i) ? count_o[i] - 1'b1 : count_o[i] + 1'b1;
      end
    end
    if (restart) begin
      link_o.valid <= 1'b0;
      drop_q <= 1'b0;
      drop_q2 <= 1'b0;
      oldest_valid_o <= '0;
      count_o <= '0;
    end
  end

  // ---- none is lost, none is made up -----------------------------------------------------------
  segments_t swept_q;  // dropped and not given back
  segments_t all_q;    // there are: those of the settings when it began

  always_ff @(posedge clk_i) begin
    if (drop_i != give_valid_i) swept_q <= drop_i ? swept_q + 1'b1 : swept_q - 1'b1;
    if (restart) begin
      swept_q <= '0;
      all_q <= settings_i.segments;
    end
  end

  `WC_ASSERT(all_are_somewhere, restart || $past(restart)
             || 11'(free_o) + 11'(count_o[0]) + 11'(count_o[1]) + 11'(swept_q)
                == 11'(all_q))
  // The host sets the board up before it clears the table, and operations come behind that.
  `WC_ASSERT(cleared_with_settings, !take || all_q == settings_i.segments)
  `WC_ASSERT(the_written_one_stays,
             !drop_i || (oldest_valid_o[drop_log_i] && count_o[drop_log_i] > 1))
  `WC_ASSERT(given_was_dropped, !give_valid_i || drop_i || swept_q != '0)
  `WC_ASSERT(given_finds_room, !give_valid_i || given_ready)

endmodule

`default_nettype wire
