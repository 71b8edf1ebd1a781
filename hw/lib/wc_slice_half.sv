// SPDX-License-Identifier: Apache-2.0
// Register slice at half rate, for streams of operations: cuts every path between its two sides, as
// a wc_slice does, with half of its registers and none of its look-up tables.
// Latency 1, an item every other cycle, holds one.
`include "wc_assert.svh"
`default_nettype none

module wc_slice_half #(
  parameter type data_t = logic
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic  valid_i,
  output logic       ready_o,
  input  wire data_t data_i,
  output logic       valid_o,
  input  wire logic  ready_i,
  output data_t      data_o
);

  assign ready_o = !valid_o;

  always_ff @(posedge clk_i) begin
    valid_o <= valid_o ? !ready_i : valid_i;
    if (ready_o) data_o <= data_i;
    if (rst_i) valid_o <= 1'b0;
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, data_o)

endmodule

`default_nettype wire
