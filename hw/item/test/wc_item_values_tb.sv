// SPDX-License-Identifier: Apache-2.0
// wc_item_values with the reader of the log that it works with, which has two more streams that ask
// for nothing here; and each stream as one signal.
`include "wc_axi.svh"
`default_nettype none

module wc_item_values_tb
  import wc_pkg::*;
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Depth      = 64,
  parameter int unsigned Beats      = 64,
  parameter int unsigned AddrWidth  = 40,
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_i,
  input  wire log_settings_t           settings_i,
  input  wire link_t                   link_i,
  input  wire logic                    result_valid_i,
  output logic                         result_ready_o,
  input  wire result_t                 result_i,
  input  wire logic                    short_valid_i,
  output logic                         short_ready_o,
  input  wire logic [LineWidth/2:0]    short_i,    // error, data
  output logic                         result_valid_o,
  input  wire logic                    result_ready_i,
  output result_t                      result_o,
  output logic                         value_valid_o,
  input  wire logic                    value_ready_i,
  output logic [$bits(beat_t):0]       value_o,    // error, word
  output logic                         leave_valid_o,
  output segment_t                     leave_segment_o,
  output logic                         ask_valid_o,
  input  wire logic                    ask_ready_i,
  output address_t                     ask_o,      // the beat's number in memory
  input  wire logic                    hit_i,
  input  wire logic                    hit_error_i,
  input  wire logic [DataWidth-1:0]    data_i,
  output line_t                        bad_ask_o,
  input  wire logic                    bad_i,
  output axi_req_t                     m_axi_req_o,
  input  wire axi_resp_t               m_axi_resp_i
);

  address_t ask_address;

  assign ask_o = ask_address / BeatUnits;

  localparam int unsigned Streams = 3;  // as in wc_item

  logic request_valid, request_ready, beat_valid, beat_ready, beat_error;
  logic [Streams-1:0] all_request_ready, all_beat_valid, all_beat_error;
  logic [Streams-1:0][DataWidth-1:0] all_beat;
  address_t request_address;
  logic [4:0] request_skip;
  beats_t request_beats;
  logic [DataWidth-1:0] beat;

  logic drop;
  axi_req_t req;
  axi_resp_t resp;

  wc_item_values #(
    .BeatUnits(BeatUnits),
    .Depth    (Depth)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .result_valid_i (result_valid_i),
    .result_ready_o (result_ready_o),
    .result_i       (result_i),
    .short_valid_i  (short_valid_i),
    .short_ready_o  (short_ready_o),
    .short_i        (short_i[LineWidth/2-1:0]),
    .short_error_i  (short_i[LineWidth/2]),
    .request_valid_o(request_valid),
    .request_ready_i(request_ready),
    .request_address_o(request_address),
    .request_skip_o (request_skip),
    .request_beats_o(request_beats),
    .beat_valid_i   (beat_valid),
    .beat_ready_o   (beat_ready),
    .beat_i         (beat),
    .beat_error_i   (beat_error),
    .result_valid_o (result_valid_o),
    .result_ready_i (result_ready_i),
    .result_o       (result_o),
    .value_valid_o  (value_valid_o),
    .value_ready_i  (value_ready_i),
    .value_o        (value_o[$bits(beat_t)-1:0]),
    .value_error_o  (value_o[$bits(beat_t)]),
    .leave_valid_o  (leave_valid_o),
    .leave_segment_o(leave_segment_o)
  );

  assign request_ready = all_request_ready[0];
  assign beat_valid = all_beat_valid[0];
  assign beat = all_beat[0];
  assign beat_error = all_beat_error[0];

  wc_log_read #(
    .Streams  (Streams),
    .BeatUnits(BeatUnits),
    .Beats    (Beats),
    .AddrWidth(AddrWidth)
  ) u_read (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .link_i         (link_i),
    .request_valid_i(Streams'(request_valid)),
    .request_ready_o(all_request_ready),
    .request_i      ({Streams{request_beats, request_skip, request_address}}),
    .ask_valid_o    (ask_valid_o),
    .ask_ready_i    (ask_ready_i),
    .ask_address_o  (ask_address),
    .hit_i          (hit_i),
    .hit_error_i    (hit_error_i),
    .data_i         (data_i),
    .beat_valid_o   (all_beat_valid),
    .beat_ready_i   (Streams'(beat_ready)),
    .beat_o         (all_beat),
    .beat_error_o   (all_beat_error),
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
    .error_o       (),
    .error_line_o  (),
    .drop_i        (drop),
    .s_axi_req_i   (req),
    .s_axi_resp_o  (resp),
    .m_axi_req_o   (m_axi_req_o),
    .m_axi_resp_i  (m_axi_resp_i)
  );

endmodule

`default_nettype wire
