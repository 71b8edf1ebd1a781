// SPDX-License-Identifier: Apache-2.0
// Gives out CAS numbers in the order of operations: 1, 2, 3 and so on. Two stages draw them. The
// early one may draw only while no operation between the two stages may still draw a number, which
// settled_o says; from then on the late one draws, for each operation when it is decided.
// A number is there at once; settled_o falls 1 cycle after the operation that is late.
`include "wc_assert.svh"
`default_nettype none

module wc_item_cas #(
  parameter int unsigned Most = 256  // operations between the two stages, at most
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  output wc_pkg::cas_t  number_o,      // the next one
  // the early stage: it draws, or passes an operation on that may draw in the late stage
  output logic          settled_o,
  input  wire logic     early_draw_i,
  input  wire logic     early_late_i,
  // the late stage: such an operation is decided, and draws or not
  input  wire logic     late_decided_i,
  input  wire logic     late_draw_i
);

  typedef logic [$clog2(Most+1)-1:0] count_t;

  count_t count_q;  // operations that are not decided

  always_ff @(posedge clk_i) begin
    if (early_draw_i || late_draw_i) number_o <= number_o + 1'b1;
    if (early_late_i != late_decided_i) begin
      count_q <= early_late_i ? count_q + 1'b1 : count_q - 1'b1;
      settled_o <= !early_late_i && count_q == count_t'(1);
    end
    if (rst_i) begin
      number_o <= wc_pkg::cas_t'(1);
      count_q <= '0;
      settled_o <= 1'b1;
    end
  end

  `WC_ASSERT(one_draws, !(early_draw_i && late_draw_i))
  `WC_ASSERT(early_when_settled, !early_draw_i || settled_o)
  `WC_ASSERT(late_when_decided, !late_draw_i || late_decided_i)
  `WC_ASSERT(decided_once, !late_decided_i || count_q != '0)
  `WC_ASSERT(settled_when_settled, settled_o == (count_q == '0))
  `WC_ASSERT(bounded, !early_late_i || late_decided_i || 32'(count_q) < Most)

endmodule

`default_nettype wire
