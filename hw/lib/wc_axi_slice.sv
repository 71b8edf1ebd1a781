// SPDX-License-Identifier: Apache-2.0
// Register slices on the five channels of an AXI4 port: every path between its two sides is cut.
// Latency 1 on each channel, throughput 1 beat per cycle.
`include "wc_axi.svh"
`default_nettype none

module wc_axi_slice #(
  parameter int unsigned AddrWidth = 36,
  parameter int unsigned DataWidth = 128,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire axi_req_t   s_axi_req_i,
  output axi_resp_t       s_axi_resp_o,
  output axi_req_t        m_axi_req_o,
  input  wire axi_resp_t  m_axi_resp_i
);

  wc_slice #(
    .data_t(logic [$bits(s_axi_req_i.aw)-1:0])
  ) u_aw (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.aw_valid),
    .ready_o(s_axi_resp_o.aw_ready),
    .data_i (s_axi_req_i.aw),
    .valid_o(m_axi_req_o.aw_valid),
    .ready_i(m_axi_resp_i.aw_ready),
    .data_o (m_axi_req_o.aw)
  );

  wc_slice #(
    .data_t(logic [$bits(s_axi_req_i.w)-1:0])
  ) u_w (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.w_valid),
    .ready_o(s_axi_resp_o.w_ready),
    .data_i (s_axi_req_i.w),
    .valid_o(m_axi_req_o.w_valid),
    .ready_i(m_axi_resp_i.w_ready),
    .data_o (m_axi_req_o.w)
  );

  wc_slice #(
    .data_t(logic [$bits(m_axi_resp_i.b)-1:0])
  ) u_b (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_resp_i.b_valid),
    .ready_o(m_axi_req_o.b_ready),
    .data_i (m_axi_resp_i.b),
    .valid_o(s_axi_resp_o.b_valid),
    .ready_i(s_axi_req_i.b_ready),
    .data_o (s_axi_resp_o.b)
  );

  wc_slice #(
    .data_t(logic [$bits(s_axi_req_i.ar)-1:0])
  ) u_ar (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.ar_valid),
    .ready_o(s_axi_resp_o.ar_ready),
    .data_i (s_axi_req_i.ar),
    .valid_o(m_axi_req_o.ar_valid),
    .ready_i(m_axi_resp_i.ar_ready),
    .data_o (m_axi_req_o.ar)
  );

  wc_slice #(
    .data_t(logic [$bits(m_axi_resp_i.r)-1:0])
  ) u_r (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_resp_i.r_valid),
    .ready_o(m_axi_req_o.r_ready),
    .data_i (m_axi_resp_i.r),
    .valid_o(s_axi_resp_o.r_valid),
    .ready_i(s_axi_req_i.r_ready),
    .data_o (s_axi_resp_o.r)
  );

endmodule

`default_nettype wire
