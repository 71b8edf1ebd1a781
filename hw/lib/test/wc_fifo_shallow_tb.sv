// SPDX-License-Identifier: Apache-2.0
// Gives wc_fifo_shallow a concrete type and the port names that the bench drives.
`default_nettype none

module wc_fifo_shallow_tb #(
  parameter int unsigned Depth = 16
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          in_valid_i,
  output logic               in_ready_o,
  input  wire wc_pkg::beat_t in_i,
  output logic               out_valid_o,
  input  wire logic          out_ready_i,
  output wc_pkg::beat_t      out_o
);

  wc_fifo_shallow #(
    .data_t(wc_pkg::beat_t),
    .Depth (Depth)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(in_valid_i),
    .ready_o(in_ready_o),
    .data_i (in_i),
    .valid_o(out_valid_o),
    .ready_i(out_ready_i),
    .data_o (out_o)
  );

endmodule

`default_nettype wire
