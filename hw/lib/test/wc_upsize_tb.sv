// SPDX-License-Identifier: Apache-2.0
// Gives wc_upsize the port names that the bench drives: {data, last} in, {data, keep, last} out.
`default_nettype none

module wc_upsize_tb #(
  parameter int unsigned Width = 8,
  parameter int unsigned Ratio = 4
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire logic                     in_valid_i,
  output logic                          in_ready_o,
  input  wire logic [Width:0]           in_i,
  output logic                          out_valid_o,
  input  wire logic                     out_ready_i,
  output logic [Ratio*(Width+1):0]      out_o
);

  logic [Ratio*Width-1:0] data;
  logic [Ratio-1:0] keep;
  logic last;

  assign out_o = {data, keep, last};

  wc_upsize #(
    .Width(Width),
    .Ratio(Ratio)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(in_valid_i),
    .ready_o(in_ready_o),
    .data_i (in_i[Width:1]),
    .last_i (in_i[0]),
    .valid_o(out_valid_o),
    .ready_i(out_ready_i),
    .data_o (data),
    .keep_o (keep),
    .last_o (last)
  );

endmodule

`default_nettype wire
