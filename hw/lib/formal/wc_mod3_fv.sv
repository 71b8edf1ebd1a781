// SPDX-License-Identifier: Apache-2.0
// Proof of wc_mod3.
// Rule 1: two steps after a number came, remainder_o is what is left of it when threes are taken
//         away; every number is 3 q + r with one q and one r below 3, so q and r are free and the
//         number is made of them.
// Rule 2: without enable_i nothing moves.
`include "wc_assert.svh"
`default_nettype none

module wc_mod3_fv #(
  parameter int unsigned Width = 33
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             enable_i,
  input wire logic [Width-1:0] threes_i,  // q
  input wire logic [1:0]       rest_i     // r
);

  logic [Width+1:0] value;
  logic [Width-1:0] value_q, value_q2;
  logic [1:0] remainder, rest_q, rest_q2, steps_q;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  assign value = (Width + 2)'(threes_i) + (Width + 2)'({threes_i, 1'b0}) + (Width + 2)'(rest_i);

  `WC_ASSUME(rest_below_3, rest_i < 2'd3)
  `WC_ASSUME(value_fits, value[Width+1:Width] == '0)

  wc_mod3 #(
    .Width(Width)
  ) u_dut (
    .clk_i      (clk_i),
    .enable_i   (enable_i),
    .value_i    (value[Width-1:0]),
    .remainder_o(remainder)
  );

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      rest_q <= rest_i;
      rest_q2 <= rest_q;
      value_q <= value[Width-1:0];
      value_q2 <= value_q;
      if (steps_q != 2'd2) steps_q <= steps_q + 1'b1;
    end
    if (rst_i) steps_q <= '0;
  end

  `WC_ASSERT(exact, steps_q != 2'd2 || remainder == rest_q2)
  `WC_ASSERT(holds, $past(enable_i) || remainder == $past(remainder))

  `WC_COVER(largest, steps_q == 2'd2 && value_q2 == '1)

endmodule

`default_nettype wire
