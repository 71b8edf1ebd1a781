// SPDX-License-Identifier: Apache-2.0
// Keeps what is said of a connection until it may be written: several of these, each with another
// cycle of four, share a memory's port.
// Latency 1 to 4 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_note #(
  parameter type data_t = logic
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic  turn_i,    // its cycle of four
  input  wire logic  valid_i,   // for a cycle, and none within four cycles of the last one
  input  wire data_t data_i,
  input  wire logic  forget_i,  // what is kept counts no more; what comes now does
  output logic       kept_o,
  output data_t      data_o,
  output logic       write_o    // it is written now
);

  assign write_o = kept_o && turn_i;

  always_ff @(posedge clk_i) begin
    if (turn_i || forget_i) kept_o <= 1'b0;
    if (valid_i) begin
      kept_o <= 1'b1;
      data_o <= data_i;
    end
    if (rst_i) kept_o <= 1'b0;
  end

  `WC_ASSERT(apart, !valid_i || !kept_o || turn_i)

endmodule

`default_nettype wire
