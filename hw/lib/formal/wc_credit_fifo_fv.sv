// SPDX-License-Identifier: Apache-2.0
// Proof of wc_credit_fifo; that its words come out once and in order is wc_fifo_fv's.
// Rule 1: a word finds its place, whenever it comes while room_o is high, or as one of Slack behind
//         the fall of room_o.
// Rule 2: room_o is no more cautious than it must be: it is high in the cycle after one in which
//         the RAM had Slack + 2 places left.
// Rule 3: while nothing comes, room_o stays or rises.
// Assumed: the sender keeps to Slack.
`include "wc_assert.svh"
`default_nettype none

module wc_credit_fifo_fv #(
  parameter int unsigned Depth = 8,
  parameter int unsigned Slack = 3
) (
  input wire logic clk_i,
  input wire logic rst_i,
  input wire logic valid_i,
  input wire logic ready_i
);

  logic room, valid;
  logic [$clog2(Slack+2)-1:0] late_q;   // words that came behind the fall of room_o
  logic [$clog2(Depth+5)-1:0] level_q;  // words inside
  logic quiet_q, room_q;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_credit_fifo #(
    .Depth(Depth),
    .Slack(Slack)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (room),
    .valid_i(valid_i),
    .data_i (1'b0),
    .valid_o(valid),
    .ready_i(ready_i),
    .data_o ()
  );

  always_ff @(posedge clk_i) begin
    late_q <= room ? '0 : late_q + ($bits(late_q))'(valid_i);
    level_q <= level_q + ($bits(level_q))'(valid_i) - ($bits(level_q))'(valid && ready_i);
    quiet_q <= !valid_i;
    room_q <= room;
    if (rst_i) begin
      late_q <= '0;
      level_q <= '0;
      room_q <= 1'b0;
      quiet_q <= 1'b0;
    end
  end

  `WC_ASSUME(keeps_to_slack, !valid_i || room || 32'(late_q) < Slack)

  `WC_ASSERT(has_its_place, !valid_i || u_dut.ready)
  `WC_ASSERT(no_fewer, $past(rst_i) || room ||
             32'($past(u_dut.level)) + Slack + 2 > Depth)
  `WC_ASSERT(stays, $past(rst_i) || !quiet_q || !$past(quiet_q) || !room_q || room)

  `WC_COVER(full, 32'(u_dut.level) == Depth && level_q == ($bits(level_q))'(Depth + 4))
  `WC_COVER(all_late, !room && late_q == ($bits(late_q))'(Slack))

endmodule

`default_nettype wire
