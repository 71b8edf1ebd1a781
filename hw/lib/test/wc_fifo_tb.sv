// SPDX-License-Identifier: Apache-2.0
// Gives the queue cells a concrete type and the port names that the bench drives.
`default_nettype none

module wc_fifo_tb #(
  parameter int unsigned Depth = 16,
  parameter bit          Wide  = 1'b0,  // wc_fifo_wide, not wc_fifo
  parameter bit          Bypass = 1'b0  // of wc_fifo_wide
) (
  input  wire logic           clk_i,
  input  wire logic           rst_i,
  input  wire logic           in_valid_i,
  output logic                in_ready_o,
  input  wire wc_pkg::beat_t  in_i,
  output logic                out_valid_o,
  input  wire logic           out_ready_i,
  output wc_pkg::beat_t       out_o,
  output logic [$clog2(Depth):0] level_o
);

  if (Wide) begin : gen_wide
    wc_fifo_wide #(
      .data_t(wc_pkg::beat_t),
      .Depth (Depth),
      .Bypass(Bypass)
    ) u_dut (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(in_valid_i),
      .ready_o(in_ready_o),
      .data_i (in_i),
      .valid_o(out_valid_o),
      .ready_i(out_ready_i),
      .data_o (out_o),
      .level_o(level_o)
    );
  end else begin : gen_fifo
    wc_fifo #(
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
      .data_o (out_o),
      .level_o(level_o)
    );
  end

endmodule

`default_nettype wire
