// SPDX-License-Identifier: Apache-2.0
// Gives wc_fifo_commit a concrete type: what is written, and what to do with it, in one item.
`default_nettype none

module wc_fifo_commit_tb #(
  parameter int unsigned Depth = 16
) (
  input  wire logic           clk_i,
  input  wire logic           rst_i,
  input  wire logic           in_valid_i,
  output logic                in_ready_o,
  input  wire wc_pkg::beat_t  in_i,
  input  wire logic           commit_i,
  input  wire logic           abort_i,
  output logic                out_valid_o,
  input  wire logic           out_ready_i,
  output wc_pkg::beat_t       out_o,
  output logic [$clog2(Depth):0] level_o
);

  wc_fifo_commit #(
    .data_t(wc_pkg::beat_t),
    .Depth (Depth)
  ) u_dut (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (in_valid_i),
    .ready_o (in_ready_o),
    .data_i  (in_i),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (out_valid_o),
    .ready_i (out_ready_i),
    .data_o  (out_o),
    .level_o (level_o)
  );

endmodule

`default_nettype wire
