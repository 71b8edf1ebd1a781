// SPDX-License-Identifier: Apache-2.0
// wc_log_read with each stream as one signal.
`include "wc_axi.svh"
`default_nettype none

module wc_log_read_tb
  import wc_log_pkg::*;
#(
  parameter int unsigned Lines      = 64,
  parameter int unsigned AddrWidth  = 40,
  parameter bit          Ring       = 1'b1,
  parameter int unsigned AskLatency = 3,
  localparam int unsigned DataWidth = LineWidth,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire link_t         link_i,
  input  wire logic          request_valid_i,
  output logic               request_ready_o,
  input  wire logic [50:0]   request_i,  // lines, skip, line
  output logic               ask_valid_o,
  input  wire logic          ask_ready_i,
  output line_t              ask_o,
  input  wire logic          hit_i,
  input  wire logic          hit_error_i,
  input  wire data_t         data_i,
  output line_t              bad_ask_o,
  input  wire logic          bad_i,
  output logic               line_valid_o,
  input  wire logic          line_ready_i,
  output logic [LineWidth:0] line_o,     // error, data
  output axi_req_t           m_axi_req_o,
  input  wire axi_resp_t     m_axi_resp_i
);

  wc_log_read #(
    .Lines     (Lines),
    .AddrWidth (AddrWidth),
    .Ring      (Ring),
    .AskLatency(AskLatency)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .link_i         (link_i),
    .request_valid_i(request_valid_i),
    .request_ready_o(request_ready_o),
    .request_line_i (request_i[29:0]),
    .request_skip_i (request_i[32:30]),
    .request_lines_i(request_i[50:33]),
    .ask_valid_o    (ask_valid_o),
    .ask_ready_i    (ask_ready_i),
    .ask_line_o     (ask_o),
    .hit_i          (hit_i),
    .hit_error_i    (hit_error_i),
    .data_i         (data_i),
    .bad_ask_line_o (bad_ask_o),
    .bad_i          (bad_i),
    .line_valid_o   (line_valid_o),
    .line_ready_i   (line_ready_i),
    .line_o         (line_o[LineWidth-1:0]),
    .line_error_o   (line_o[LineWidth]),
    .memory_error_o(),
    .memory_error_line_o(),
    .m_axi_req_o    (m_axi_req_o),
    .m_axi_resp_i   (m_axi_resp_i)
  );

endmodule

`default_nettype wire
