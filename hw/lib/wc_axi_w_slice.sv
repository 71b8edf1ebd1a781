// SPDX-License-Identifier: Apache-2.0
// A register slice on an AXI4 port's beats to be written; the other channels pass as they are.
// Latency 1 on W, none elsewhere; throughput 1 beat per cycle. In reset it offers no beat and drops
// those that it holds.
`include "wc_axi.svh"
`default_nettype none

module wc_axi_w_slice #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 512,
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

  logic valid, ready;
  logic [$bits(s_axi_req_i.w)-1:0] beat;

  wc_slice #(
    .data_t(logic [$bits(s_axi_req_i.w)-1:0])
  ) u_w (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(s_axi_req_i.w_valid),
    .ready_o(ready),
    .data_i (s_axi_req_i.w),
    .valid_o(valid),
    .ready_i(m_axi_resp_i.w_ready),
    .data_o (beat)
  );

  always_comb begin
    m_axi_req_o = s_axi_req_i;
    m_axi_req_o.w_valid = valid;
    m_axi_req_o.w = beat;
    s_axi_resp_o = m_axi_resp_i;
    s_axi_resp_o.w_ready = ready;
  end

endmodule

`default_nettype wire
