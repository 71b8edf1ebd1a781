// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_restart, with wc_item_clear behind it, which empties the table. The checker
// counts by itself what is in flight: operations, readers, a message, the sweeper's segment, the
// writer's work. Asked means: since the host said so or memory failed, up to the restart.
// Rule 1: a restart comes in just the cycle behind 16 in a row in which it was asked for, nothing
//         was in flight and the table was not being cleared; nothing is in flight or begins in its
//         own cycle either, nor until the table is cleared, but for the writer's beginning anew.
// Rule 2: clearing_o stands from the cycle after the ask until the table is cleared, hold_o a cycle
//         later, both without a gap and no longer; hold_o stands in the first cycle after a reset
//         too.
// Rule 3: it is asked for when the host says so, at any time; and by memory, unless it was asked
//         for or the table is being cleared: when an eighth of the segments is lost, rounded down,
//         or the list of lines is full, each told a cycle late, and when the list of buckets has
//         become full.
// Rule 4: failed_o is a pulse in the cycle after memory asked, and at no other time.
// Rule 5: memory asks once: again only when a restart came and the table is cleared, and for what
//         was so in a cycle behind the restart; a list of buckets that stays full does not ask
//         again.
// Rule 6: zeroed_o is as the last asker said, the host before memory in the same cycle; of a table
//         that was said to be zero no line is written.
// Rule 7: a restart is not late: not counting cycles in which the table is cleared, it comes within
//         Ends + 17 cycles of the ask, if what was in flight has ended within Ends cycles.
// Assumed: a user's operation enters only in a message that has begun, or without hold_o; no
// message and no segment of the sweeper begins under it (wc_item_entry, wc_log_sweep). Readers
// enter and the writer is given work only while an operation, a reader, a message or a segment is
// in flight, and up to Lag cycles later; the writer has some to do behind a reset and a restart
// too. Nothing is done that has not entered; fewer are in than the cell counts.
`include "wc_assert.svh"
`default_nettype none

module wc_item_restart_fv
  import wc_pkg::*;
  import wc_log_pkg::*;
#(
  parameter int unsigned Ends = 6
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire clear_t     clear_i,
  input wire segments_t  segments_i,
  input wire segments_t  lost_i,
  input wire logic       no_line_counts_i,
  input wire logic       no_bucket_counts_i,
  // what begins, if it may, and what ends, if it is there
  input wire logic       message_begins_i,
  input wire logic       message_ends_i,
  input wire logic       sweep_begins_i,
  input wire logic       sweep_ends_i,
  input wire logic       write_begins_i,
  input wire logic       write_ends_i,
  input wire logic       entered_i,
  input wire logic       done_i,
  input wire logic       enter_i,
  input wire logic [1:0] leave_i,
  // the table's
  input wire wc_item_pkg::item_settings_t settings_i,
  input wire logic       quiet_i,
  input wire logic       zero_ready_i,
  input wire logic       acked_i
);

  localparam int unsigned Rest = 16;  // cycles before a restart
  localparam int unsigned Lag = 14;
  localparam int unsigned Late = Ends + Rest + 1;
  typedef logic [11:0] count_t;
  typedef logic [4:0] rest_t;
  typedef logic [5:0] wait_t;

  logic entered, done, enter, table_clearing, zero_valid;
  logic [1:0] leave;
  logic clearing, hold, restart, zeroed, failed;
  logic message_q, sweep_q, write_q;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_item_restart u_dut (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .clear_i           (clear_i),
    .segments_i        (segments_i),
    .lost_i            (lost_i),
    .no_line_counts_i  (no_line_counts_i),
    .no_bucket_counts_i(no_bucket_counts_i),
    .message_i         (message_q),
    .entered_i         (entered),
    .done_i            (done),
    .enter_i           (enter),
    .leave_i           (leave),
    .sweeping_i        (sweep_q),
    .moving_i          (1'b0),
    .write_idle_i      (!write_q),
    .table_clearing_i  (table_clearing),
    .clearing_o        (clearing),
    .hold_o            (hold),
    .restart_o         (restart),
    .zeroed_o          (zeroed),
    .failed_o          (failed)
  );

  wc_item_clear u_clear (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .settings_i  (settings_i),
    .clear_i     (restart),
    .zeroed_i    (zeroed),
    .clearing_o  (table_clearing),
    .quiet_i     (quiet_i),
    .begin_o     (),
    .zero_valid_o(zero_valid),
    .zero_ready_i(zero_ready_i),
    .zero_line_o (),
    .acked_i     (acked_i)
  );

  // ---- what is in flight ------------------------------------------------------------------------
  count_t operations_q, readers_q;
  rest_t since_q;   // cycles in which none but the writer worked, as far as Lag
  logic works, flies, may;

  assign works = operations_q != '0 || readers_q != '0 || message_q || sweep_q;
  assign flies = works || write_q;
  assign may = works || since_q < rest_t'(Lag);
  assign entered = entered_i && (message_q || !hold) && operations_q != '1;
  assign done = done_i && operations_q != '0;
  assign enter = enter_i && may && readers_q != '1;
  assign leave[0] = leave_i[0] && readers_q != '0;
  assign leave[1] = leave_i[1] && readers_q > count_t'(leave[0]);

  always_ff @(posedge clk_i) begin
    operations_q <= operations_q + count_t'(entered) - count_t'(done);
    readers_q <= readers_q + count_t'(enter) - count_t'(leave[0]) - count_t'(leave[1]);
    message_q <= message_q ? !message_ends_i : message_begins_i && !hold;
    sweep_q <= sweep_q ? !sweep_ends_i : sweep_begins_i && !hold;
    write_q <= restart || (write_q ? !write_ends_i : write_begins_i && may);
    if (works) since_q <= '0;
    else if (since_q != rest_t'(Lag)) since_q <= since_q + 1'b1;
    if (rst_i) begin
      operations_q <= '0;
      readers_q <= '0;
      message_q <= 1'b0;
      sweep_q <= 1'b0;
      write_q <= 1'b1;
      since_q <= rest_t'(Lag);
    end
  end

  // ---- who asks ---------------------------------------------------------------------------------
  logic asked_q, again_q, said_q;
  logic asked;          // and the restart has not come
  logic lost, lost_q, line_q, bucket_q;
  logic memory_asks, asks;

  assign asked = restart ? again_q : asked_q;
  assign lost = 8 * 32'(lost_i) + 8 > 32'(segments_i);
  assign memory_asks = !asked && !restart && !table_clearing
                       && (lost_q || line_q || (no_bucket_counts_i && !bucket_q));
  assign asks = clear_i.start || memory_asks;

  always_ff @(posedge clk_i) begin
    lost_q <= lost;
    line_q <= no_line_counts_i;
    bucket_q <= no_bucket_counts_i;
    asked_q <= asked || asks;
    again_q <= asks;
    if (asks) said_q <= clear_i.start ? clear_i.zeroed : 1'b0;
    if (rst_i) begin
      lost_q <= 1'b0;
      line_q <= 1'b0;
      bucket_q <= 1'b0;
      asked_q <= 1'b0;
      again_q <= 1'b0;
    end
  end

  // ---- the restart ------------------------------------------------------------------------------
  rest_t rest_q;        // cycles in a row in which it could come
  wait_t wait_q;        // cycles that it was waited for, as far as Late + 1
  logic late_q;         // something in flight has not ended in time
  logic told_q;         // memory has asked, and the table was not cleared since
  logic rests, waits;
  logic zero_q;         // what the last restart said of memory

  assign waits = asked && !table_clearing;
  assign rests = waits && !flies;

  always_ff @(posedge clk_i) begin
    rest_q <= !rests ? '0 : restart ? rest_t'(1) : rest_q + 1'b1;
    if (!waits) wait_q <= '0;
    else if (restart) wait_q <= wait_t'(1);
    else if (wait_q <= wait_t'(Late)) wait_q <= wait_q + 1'b1;
    late_q <= waits && !restart && (late_q || (flies && wait_q >= wait_t'(Ends)));
    if (failed) told_q <= 1'b1;
    else if (restart) told_q <= 1'b0;
    if (restart) zero_q <= said_q;
    if (rst_i) begin
      rest_q <= '0;
      wait_q <= '0;
      late_q <= 1'b0;
      told_q <= 1'b0;
    end
  end

  // ---- the rules --------------------------------------------------------------------------------
  `WC_ASSERT(rule_1_restart, restart == (rest_q == rest_t'(Rest)))
  `WC_ASSERT(rule_1_rests, !restart || !(flies || entered || enter || table_clearing))
  `WC_ASSERT(rule_1_on, !table_clearing || !(works || entered || enter))

  `WC_ASSERT(rule_2_clearing, clearing == (asked || restart || table_clearing))
  `WC_ASSERT(rule_2_hold, $past(rst_i) || hold == $past(asked || restart || table_clearing))
  `WC_ASSERT(rule_2_reset, !$past(rst_i) || hold)
  `WC_ASSERT(rule_2_table, $past(rst_i) || !$past(restart) || table_clearing)

  `WC_ASSERT(rule_3_asks, $past(rst_i) || !$past(asks) || (asked && clearing))
  `WC_ASSERT(rule_4, failed == (!$past(rst_i) && $past(memory_asks)))

  `WC_ASSERT(rule_5_once, !failed || !told_q)
  `WC_ASSERT(rule_5_cleared, !failed || (asked && !restart && !table_clearing))
  `WC_ASSERT(rule_5_behind, !failed || $past(rst_i, 2) || !$past(restart, 2))

  `WC_ASSERT(rule_6_said, !(asked || restart) || zeroed == said_q)
  `WC_ASSERT(rule_6_zero, !zero_valid || !zero_q)

  `WC_ASSERT(rule_7, wait_q < wait_t'(Late) || late_q)

  // ---- what ties the checker to the cell --------------------------------------------------------
  `WC_ASSERT(operations_are, u_dut.operations_q == operations_q)
  `WC_ASSERT(readers_are, u_dut.readers_q == readers_q)
  `WC_ASSERT(asked_is, u_dut.asked_q == asked)
  `WC_ASSERT(calm_is, u_dut.calm_q == '0 || (asked_q && !restart))
  `WC_ASSERT(told_is, !told_q || asked || restart)
  `WC_ASSERT(again_is, !again_q || asked_q)
  `WC_ASSERT(causes_are, u_dut.lost_q == lost_q && u_dut.no_line_q == line_q
             && u_dut.no_bucket_q == bucket_q)
  `WC_ASSERT(rest_is, restart ? u_dut.calm_q == '0 : rest_q == rest_t'(u_dut.calm_q))
  `WC_ASSERT(since_is, since_q <= rest_t'(Lag) && (rest_q <= since_q || since_q == rest_t'(Lag)))
  `WC_ASSERT(held_is, rest_q == '0 || restart || hold || rest_q == rest_t'(1))
  `WC_ASSERT(cleared_is, !table_clearing || (since_q == rest_t'(Lag) && hold))
  `WC_ASSERT(zero_is, !table_clearing || u_clear.zeroed_q == zero_q)
  `WC_ASSERT(wait_is, late_q || wait_q <= wait_t'(Ends) + wait_t'(rest_q))

  // ---- covers -----------------------------------------------------------------------------------
  `WC_COVER(goes_on, restart && $past(message_q && hold && entered, 20))
  `WC_COVER(again, restart && asked)
  `WC_COVER(zeroes, zero_valid && asked)
  `WC_COVER(all_zero, restart && zeroed && told_q)
  `WC_COVER(fails_anew, failed && $past(table_clearing, 2))
  `WC_COVER(beget, enter && !works && since_q == rest_t'(Lag - 1) && hold)

endmodule

`default_nettype wire
