// SPDX-License-Identifier: Apache-2.0
// wc_axi_write_mux of three masters, each port by its own name.
`include "wc_axi.svh"
`default_nettype none

module wc_axi_write_mux_tb #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 512,
  parameter int unsigned Writes    = 16,
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic      clk_i,
  input  wire logic      rst_i,
  input  wire axi_req_t  s_axi_0_req_i,
  output axi_resp_t      s_axi_0_resp_o,
  input  wire axi_req_t  s_axi_1_req_i,
  output axi_resp_t      s_axi_1_resp_o,
  input  wire axi_req_t  s_axi_2_req_i,
  output axi_resp_t      s_axi_2_resp_o,
  output axi_req_t       m_axi_req_o,
  input  wire axi_resp_t m_axi_resp_i
);

  wc_axi_write_mux #(
    .Masters  (3),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Writes   (Writes)
  ) u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i ({s_axi_2_req_i, s_axi_1_req_i, s_axi_0_req_i}),
    .s_axi_resp_o({s_axi_2_resp_o, s_axi_1_resp_o, s_axi_0_resp_o}),
    .m_axi_req_o (m_axi_req_o),
    .m_axi_resp_i(m_axi_resp_i)
  );

endmodule

`default_nettype wire
