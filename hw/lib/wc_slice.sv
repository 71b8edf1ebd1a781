// SPDX-License-Identifier: Apache-2.0
// Register slice: cuts every path between its two sides, forward and backward.
// Latency 1, throughput 1 per cycle, holds up to two items.
`include "wc_assert.svh"
`default_nettype none

module wc_slice #(
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

  data_t spare_q;  // taken while the output was held; nothing is in it when ready_o is high

  // Written in every cycle: either side comes late, and one bit of four is soon worked out. ready_o
  // is the register itself, not its inverse, which would be a table where it enters another block.
  always_ff @(posedge clk_i) begin
    valid_o <= valid_i || !ready_o || (valid_o && !ready_i);
    ready_o <= (!valid_i && ready_o) || !valid_o || ready_i;
    if (rst_i) begin
      valid_o <= 1'b0;
      ready_o <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    // The output moves only when there is data.
    if ((ready_i || !valid_o) && (valid_i || !ready_o)) data_o <= ready_o ? data_i : spare_q;
    if (ready_o) spare_q <= data_i;
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, data_o)

endmodule

`default_nettype wire
