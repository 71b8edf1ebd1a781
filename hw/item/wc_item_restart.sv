// SPDX-License-Identifier: Apache-2.0
// Forgets everything: holds back what users begin, waits until nothing is in flight, and then has all
// parts begin anew. It does so when the host says so, or when memory has failed so often that little
// is left of it: when one of the lists of what could not be written is full, so that nothing counts
// any more, or when an eighth of all segments is lost. A cache may forget any item, but it may not
// stop. What cannot be written while the table is made empty is no reason to begin once more.
// A message that has begun goes on to its end, and the sweeper to that of its segment.
// Latency: what is in flight, and 16 cycles; then what wc_item_clear takes.
`include "wc_assert.svh"
`default_nettype none

module wc_item_restart
  import wc_pkg::*;
  import wc_log_pkg::*;
(
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire clear_t     clear_i,           // the host says so
  // what memory has failed at
  input  wire segments_t  segments_i,        // of the log
  input  wire segments_t  lost_i,
  input  wire logic       no_line_counts_i,  // the list of lines of the log is full
  input  wire logic       no_bucket_counts_i,
  // what is in flight
  input  wire logic       message_i,         // a message has begun
  input  wire logic       entered_i,         // a user's operation goes to the table
  input  wire logic       done_i,            // its result is out
  input  wire logic       enter_i,           // a reader of a segment
  input  wire logic [1:0] leave_i,
  input  wire logic       sweeping_i,
  input  wire logic       moving_i,          // items are on their way to other places of their keys
  input  wire logic       write_idle_i,
  input  wire logic       table_clearing_i,
  output logic            clearing_o,        // it is doing so
  output logic            hold_o,            // nothing may begin: a cycle behind it
  output logic            restart_o,         // a pulse
  output logic            zeroed_o,          // with it: the table's memory is all zeros
  output logic            failed_o           // a pulse: memory is why
);

  localparam int unsigned Calm = 16;       // cycles in which nothing is seen in flight
  localparam int unsigned InFlight = 4096; // more than all queues hold
  typedef logic [$clog2(InFlight)-1:0] count_t;

  // ---- why --------------------------------------------------------------------------------------
  logic asked_q;
  logic fails, no_bucket_q, no_line_q, lost_q;

  assign fails = !clearing_o && (lost_q || no_line_q || (no_bucket_counts_i && !no_bucket_q));

  always_ff @(posedge clk_i) begin
    lost_q <= lost_i >= segments_i >> 3;
    no_line_q <= no_line_counts_i;
    no_bucket_q <= no_bucket_counts_i;
    failed_o <= fails;
    if (rst_i) begin
      lost_q <= 1'b0;
      no_line_q <= 1'b0;
      no_bucket_q <= 1'b0;
      failed_o <= 1'b0;
    end
  end

  // ---- what is in flight ------------------------------------------------------------------------
  count_t operations_q, readers_q;
  logic calm;
  logic [$clog2(Calm)-1:0] calm_q;

  assign calm = asked_q && operations_q == '0 && readers_q == '0 && !message_i && !sweeping_i
                && !moving_i && write_idle_i && !table_clearing_i;

  always_ff @(posedge clk_i) begin
    operations_q <= operations_q + count_t'(entered_i) - count_t'(done_i);
    readers_q <= readers_q + count_t'(enter_i) - count_t'(leave_i[0]) - count_t'(leave_i[1]);
    calm_q <= calm && calm_q != '1 ? calm_q + 1'b1 : '0;
    if (rst_i) begin
      operations_q <= '0;
      readers_q <= '0;
      calm_q <= '0;
    end
  end

  // ---- the restart ------------------------------------------------------------------------------
  assign clearing_o = asked_q || restart_o || table_clearing_i;

  always_ff @(posedge clk_i) begin
    hold_o <= clearing_o;
    restart_o <= calm_q == '1;
    if (calm_q == '1) asked_q <= 1'b0;
    if (clear_i.start || fails) begin
      asked_q <= 1'b1;
      zeroed_o <= clear_i.start && clear_i.zeroed;
    end
    if (rst_i) begin
      hold_o <= 1'b1;
      asked_q <= 1'b0;
      restart_o <= 1'b0;
    end
  end

  `WC_ASSERT(operations_add_up, !(operations_q == '0 && done_i && !entered_i)
             && !(operations_q == '1 && entered_i))
  `WC_ASSERT(readers_add_up, 32'(readers_q) + 32'(enter_i) >= 32'(leave_i[0]) + 32'(leave_i[1])
             && !(readers_q == '1 && enter_i))
  `WC_ASSERT(nothing_enters, !restart_o || (!entered_i && !enter_i))

endmodule

`default_nettype wire
