// SPDX-License-Identifier: Apache-2.0
// Where the circuit meets its memory, and the reset of the circuit. rst_i may come at any time,
// under load too: memory, which has a reset of its own, goes on with what it was asked for. So
// rst_o, which resets all but this, stays until both ports' memories have answered everything
// (wc_axi_guard): no late beat meets an operation that did not ask for it.
// rst_o comes a cycle after rst_i and goes six cycles after it, or when memory has answered. How
// long that takes is the memory's matter; no new access is begun.
// Latency 1 for beats to be written, none on the other channels; a beat a cycle.
`include "wc_axi.svh"
`default_nettype none

module wc_memory_edge #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned DataWidth = 512,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       rst_mem_i,  // the memory's; with rst_i at least once
  output logic            rst_o,
  input  wire axi_req_t   s_axi_index_req_i,
  output axi_resp_t       s_axi_index_resp_o,
  input  wire axi_req_t   s_axi_store_req_i,
  output axi_resp_t       s_axi_store_resp_o,
  output axi_req_t        m_axi_index_req_o,
  input  wire axi_resp_t  m_axi_index_resp_i,
  output axi_req_t        m_axi_store_req_o,
  input  wire axi_resp_t  m_axi_store_resp_i
);

  localparam int unsigned Settle = 4;  // cycles until the guards' idle speaks of this reset

  logic index_idle, store_idle;
  logic rst_q;
  logic [Settle-1:0] settled_q;

  initial rst_q = 1'b1;  // at power-on from the first cycle

  // Nothing stands between the register and what it resets: place and route takes it as it is.
  assign rst_o = rst_q;

  always_ff @(posedge clk_i) begin
    settled_q <= rst_q && !rst_i ? {settled_q[Settle-2:0], 1'b1} : '0;
    rst_q <= rst_i || rst_mem_i ||
             (rst_q && !(settled_q[Settle-1] && index_idle && store_idle));
  end

  // Whether a guard takes a beat to be written hangs on the beat's address and on memory: too late
  // for the wide registers that beats come from.
  axi_req_t index_req, store_req;
  axi_resp_t index_resp, store_resp;

  wc_axi_w_slice #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_index_w (
    .clk_i       (clk_i),
    .rst_i       (rst_q),
    .s_axi_req_i (s_axi_index_req_i),
    .s_axi_resp_o(s_axi_index_resp_o),
    .m_axi_req_o (index_req),
    .m_axi_resp_i(index_resp)
  );

  wc_axi_guard #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_index (
    .clk_i       (clk_i),
    .rst_i       (rst_mem_i),
    .master_rst_i(rst_o),
    .idle_o      (index_idle),
    .s_axi_req_i (index_req),
    .s_axi_resp_o(index_resp),
    .m_axi_req_o (m_axi_index_req_o),
    .m_axi_resp_i(m_axi_index_resp_i)
  );

  wc_axi_w_slice #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_store_w (
    .clk_i       (clk_i),
    .rst_i       (rst_q),
    .s_axi_req_i (s_axi_store_req_i),
    .s_axi_resp_o(s_axi_store_resp_o),
    .m_axi_req_o (store_req),
    .m_axi_resp_i(store_resp)
  );

  wc_axi_guard #(
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_store (
    .clk_i       (clk_i),
    .rst_i       (rst_mem_i),
    .master_rst_i(rst_o),
    .idle_o      (store_idle),
    .s_axi_req_i (store_req),
    .s_axi_resp_o(store_resp),
    .m_axi_req_o (m_axi_store_req_o),
    .m_axi_resp_i(m_axi_store_resp_i)
  );

endmodule

`default_nettype wire
