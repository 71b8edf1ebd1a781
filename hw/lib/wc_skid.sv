// SPDX-License-Identifier: Apache-2.0
// Skid buffer: cuts the path of ready alone. What the output does not take at once waits in a
// register, and the input waits meanwhile.
// Latency none, throughput 1 per cycle, holds one item. ready_o is a register.
`include "wc_assert.svh"
`default_nettype none

module wc_skid #(
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

  data_t held_q;  // an item that was taken and could not go on; there is none when ready_o is high

  assign valid_o = valid_i || !ready_o;
  assign data_o = ready_o ? data_i : held_q;

  always_ff @(posedge clk_i) begin
    ready_o <= ready_i || !valid_o;
    if (ready_o) held_q <= data_i;
    if (rst_i) ready_o <= 1'b1;
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, data_o)

endmodule

`default_nettype wire
