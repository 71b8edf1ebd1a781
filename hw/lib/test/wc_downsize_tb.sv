// SPDX-License-Identifier: Apache-2.0
// Gives wc_downsize the port names that the bench drives: {data, final} in, {data, final} out.
`default_nettype none

module wc_downsize_tb #(
  parameter int unsigned Width = 8,
  parameter int unsigned Ratio = 4
) (
  input  wire logic                                 clk_i,
  input  wire logic                                 rst_i,
  input  wire logic                                 in_valid_i,
  output logic                                      in_ready_o,
  input  wire logic [Ratio*Width+$clog2(Ratio)-1:0] in_i,
  output logic                                      out_valid_o,
  input  wire logic                                 out_ready_i,
  output logic [Width:0]                            out_o
);

  localparam int unsigned IndexWidth = $clog2(Ratio);

  wc_downsize #(
    .Width(Width),
    .Ratio(Ratio)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(in_valid_i),
    .ready_o(in_ready_o),
    .data_i (in_i[IndexWidth+:Ratio*Width]),
    .final_i(in_i[IndexWidth-1:0]),
    .valid_o(out_valid_o),
    .ready_i(out_ready_i),
    .data_o (out_o[Width:1]),
    .final_o(out_o[0])
  );

endmodule

`default_nettype wire
