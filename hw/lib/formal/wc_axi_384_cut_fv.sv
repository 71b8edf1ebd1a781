// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_384_cut.
// Rule 1: a burst holds and is stable until taken.
// Rule 2: bursts begin at a multiple of six lines.
// Rule 3: the lines that a run's bursts name follow each other without gap or overlap and are
//         exactly the run's; runs keep their order.
// Rule 4: final_o marks exactly a run's last burst.
// Rule 5: a run is taken whenever the stages move, which they do unless a burst waits or another of
//         its run follows; a run inside offers a burst three moves later.
`include "wc_assert.svh"
`default_nettype none

module wc_axi_384_cut_fv #(
  parameter int unsigned AddrWidth = 11
) (
  input wire logic                 clk_i,
  input wire logic                 rst_i,
  input wire logic                 pick_i,  // free: follow the run that comes now
  input wire logic                 valid_i,
  input wire logic [AddrWidth-7:0] threes_i,  // its first line is six times this
  input wire logic [2:0]           first_i,   // and this
  input wire logic [7:0]           len_i,
  input wire logic                 ready_i
);

  localparam int unsigned LineWidth = AddrWidth - 6;
  typedef logic [LineWidth+8:0] line_t;  // with room to see that it does not wrap

  line_t line;
  logic ready, valid, final_burst, watching;
  logic [AddrWidth-1:0] addr;
  logic [2:0] first, last;
  logic [2:0] level, ahead;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // Every line is 6 q + r with one q and one r below 6.
  assign line = (line_t'(threes_i) << 2) + (line_t'(threes_i) << 1) + line_t'(first_i);
  `WC_ASSUME(rest_below_6, first_i < 3'd6)
  `WC_ASSUME(run_in_memory, line + line_t'(len_i) + line_t'(6) < line_t'(2 ** LineWidth))

  wc_axi_384_cut #(
    .AddrWidth(AddrWidth)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .addr_i ({line[LineWidth-1:0], 6'b0}),
    .len_i  (len_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .addr_o (addr),
    .first_o(first),
    .last_o (last),
    .final_o(final_burst)
  );

  wc_order_fv #(
    .Width(1),
    .Most (3)
  ) u_runs (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (valid_i && ready),
    .push_data_i(1'b0),
    .pop_i      (valid && ready_i && final_burst),
    .pop_data_i (1'b0),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     ()
  );

  // The followed run: its next line that no burst has named, that burst's first, lines to come.
  line_t next_q, begin_q;
  logic [8:0] left_q;
  logic now;
  logic [3:0] lines;

  assign now = watching && ahead == '0 && valid;
  assign lines = 4'(last) - 4'(first) + 4'd1;

  always_ff @(posedge clk_i) begin
    if (valid_i && ready && pick_i && !watching) begin
      next_q <= line;
      begin_q <= line - line_t'(first_i);
      left_q <= 9'(len_i) + 9'd1;
    end else if (now && ready_i) begin
      next_q <= next_q + line_t'(lines);
      begin_q <= begin_q + line_t'(6);
      left_q <= left_q - 9'(lines);
    end
  end

  `WC_ASSERT(in_burst, !valid || (first <= last && last <= 3'd5))
  `WC_ASSERT(aligned, !now || addr == {begin_q[LineWidth-1:0], 6'b0})
  `WC_ASSERT(follows, !now || begin_q + line_t'(first) == next_q)
  `WC_ASSERT(covers, !now || 9'(lines) <= left_q)
  `WC_ASSERT(final_is, !now || final_burst == (9'(lines) == left_q))
  `WC_ASSERT(full_but_last, !now || final_burst || last == 3'd5)
  `WC_ASSERT(ready_is, ready == (!valid || (ready_i && final_burst)))
  `WC_ASSERT(offered, level != 3'd3 || valid)

  `WC_COVER(three_bursts,
            now && !final_burst && $past(now && !final_burst && ready_i && first == 3'd5))
  `WC_COVER(no_gap, now && first == 3'd3 && $past(valid && final_burst && ready_i))

endmodule

`default_nettype wire
