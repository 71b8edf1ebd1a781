// SPDX-License-Identifier: Apache-2.0
// wc_log_read behind wc_log_read_check, with each stream as one signal. Of several streams the first
// one is `request` and `beat`, the others have a number.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_log_read_tb
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams    = 1,  // 1 or 3
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Beats      = 64,
  parameter int unsigned AddrWidth  = 40,
  parameter bit          Ring       = 1'b1,
  parameter bit          Past       = 1'b0,
  parameter int unsigned AskLatency = 3,
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire link_t         link_i,
  input  wire logic          request_valid_i,
  output logic               request_ready_o,
  input  wire log_request_t  request_i,
  input  wire logic          request1_valid_i,
  output logic               request1_ready_o,
  input  wire log_request_t  request1_i,
  input  wire logic          request2_valid_i,
  output logic               request2_ready_o,
  input  wire log_request_t  request2_i,
  output logic               ask_valid_o,
  input  wire logic          ask_ready_i,
  output address_t           ask_o,  // the beat's number in memory
  input  wire logic          hit_i,
  input  wire logic          hit_error_i,
  input  wire logic [DataWidth-1:0] data_i,
  output line_t              bad_ask_o,
  input  wire logic          bad_i,
  output logic               error_o,
  output line_t              error_line_o,
  output logic               beat_valid_o,
  input  wire logic          beat_ready_i,
  output logic [DataWidth:0] beat_o,     // error, data
  output logic               beat1_valid_o,
  input  wire logic          beat1_ready_i,
  output logic [DataWidth:0] beat1_o,
  output logic               beat2_valid_o,
  input  wire logic          beat2_ready_i,
  output logic [DataWidth:0] beat2_o,
  output axi_req_t           m_axi_req_o,
  input  wire axi_resp_t     m_axi_resp_i
);

  address_t ask_address;

  assign ask_o = ask_address / BeatUnits;

  logic [2:0] request_valid, request_ready, beat_valid, beat_ready, beat_error;
  log_request_t [2:0] request;
  logic [2:0][DataWidth-1:0] beat;
  logic drop;
  axi_req_t req;
  axi_resp_t resp;

  assign request_valid = {request2_valid_i, request1_valid_i, request_valid_i};
  assign {request2_ready_o, request1_ready_o, request_ready_o} = request_ready;
  assign request = {request2_i, request1_i, request_i};
  assign {beat2_valid_o, beat1_valid_o, beat_valid_o} = beat_valid;
  assign beat_ready = {beat2_ready_i, beat1_ready_i, beat_ready_i};
  assign beat_o = {beat_error[0], beat[0]};
  assign beat1_o = {beat_error[1], beat[1]};
  assign beat2_o = {beat_error[2], beat[2]};

  if (Streams < 3) begin : gen_rest
    assign request_ready[2:Streams] = '0;
    assign beat_valid[2:Streams] = '0;
    assign beat_error[2:Streams] = '0;
    assign beat[2:Streams] = '0;
  end

  wc_log_read #(
    .Streams   (Streams),
    .BeatUnits (BeatUnits),
    .Beats     (Beats),
    .AddrWidth (AddrWidth),
    .Ring      (Ring),
    .Past      (Past),
    .AskLatency(AskLatency)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .link_i         (link_i),
    .request_valid_i(request_valid[Streams-1:0]),
    .request_ready_o(request_ready[Streams-1:0]),
    .request_i      (request[Streams-1:0]),
    .ask_valid_o    (ask_valid_o),
    .ask_ready_i    (ask_ready_i),
    .ask_address_o  (ask_address),
    .hit_i          (hit_i),
    .hit_error_i    (hit_error_i),
    .data_i         (data_i),
    .beat_valid_o   (beat_valid[Streams-1:0]),
    .beat_ready_i   (beat_ready[Streams-1:0]),
    .beat_o         (beat[Streams-1:0]),
    .beat_error_o   (beat_error[Streams-1:0]),
    .drop_o         (drop),
    .m_axi_req_o    (req),
    .m_axi_resp_i   (resp)
  );

  wc_log_read_check #(
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits)
  ) u_check (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .bad_ask_line_o(bad_ask_o),
    .bad_i         (bad_i),
    .error_o       (error_o),
    .error_line_o  (error_line_o),
    .drop_i        (drop),
    .s_axi_req_i   (req),
    .s_axi_resp_o  (resp),
    .m_axi_req_o   (m_axi_req_o),
    .m_axi_resp_i  (m_axi_resp_i)
  );

  `WC_ASSERT(ask_is_aligned, !ask_valid_o || ask_address % BeatUnits == 0)
  `WC_ASSERT(read_is_aligned,
             !m_axi_req_o.ar_valid || m_axi_req_o.ar.addr % (UnitBytes * BeatUnits) == 0)

endmodule

`default_nettype wire
