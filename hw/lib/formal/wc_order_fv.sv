// SPDX-License-Identifier: Apache-2.0
// Checker of a queue, for proofs: what goes in comes out once, unchanged and in order. It follows
// one item, any one (pick_i is free), and counts those before it; so what holds for it holds for
// all. The counts are outputs, for a proof to tie to the state of the queue.
`include "wc_assert.svh"
`default_nettype none

module wc_order_fv #(
  parameter int unsigned Width = 1,
  parameter int unsigned Most  = 1,  // items that the queue can hold
  localparam int unsigned CountWidth = $clog2(Most + 1) + 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic                  pick_i,  // free: follow the item pushed now
  input  wire logic                  push_i,
  input  wire logic [Width-1:0]      push_data_i,
  input  wire logic                  pop_i,
  input  wire logic [Width-1:0]      pop_data_i,
  output logic [CountWidth-1:0]      level_o,  // items inside
  output logic                       watching_o,
  output logic [CountWidth-1:0]      ahead_o,  // items before the one followed
  output logic [Width-1:0]           data_o    // what that one is
);

  always_ff @(posedge clk_i) begin
    level_o <= level_o + CountWidth'(push_i) - CountWidth'(pop_i);
    if (watching_o && pop_i) begin
      watching_o <= ahead_o != '0;
      ahead_o <= ahead_o - 1'b1;
    end
    if (!watching_o && push_i && pick_i) begin
      watching_o <= 1'b1;
      ahead_o <= level_o - CountWidth'(pop_i);
      data_o <= push_data_i;
    end
    if (rst_i) begin
      level_o <= '0;
      watching_o <= 1'b0;
    end
  end

  `WC_ASSERT(nothing_made_up, !pop_i || level_o != '0)
  `WC_ASSERT(bounded, level_o <= CountWidth'(Most))
  `WC_ASSERT(in_order, !(watching_o && pop_i && ahead_o == '0) || pop_data_i == data_o)
  `WC_ASSERT(is_inside, !watching_o || ahead_o < level_o)

endmodule

`default_nettype wire
