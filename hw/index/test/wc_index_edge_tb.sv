// SPDX-License-Identifier: Apache-2.0
// The index behind wc_memory_edge, as in wc_core: it may be reset while memory goes on.
`include "wc_axi.svh"
`default_nettype none

module wc_index_edge_tb #(
  parameter int unsigned Slots         = 8,
  parameter int unsigned MaxKey        = wc_pkg::MaxKeyBytes,
  parameter int unsigned MaxBucketBits = 24,
  parameter int unsigned AddrWidth     = 40,
  localparam int unsigned LineWidth    = Slots * wc_pkg::WordWidth,
  localparam type axi_req_t            = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type axi_resp_t           = `WC_AXI_RESP(LineWidth)
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_i,
  input  wire logic                                    rst_mem_i,
  input  wire wc_pkg::seconds_t                        time_i,
  input  wire wc_index_pkg::index_settings_t           settings_i,
  input  wire wc_pkg::clear_t                          clear_i,  // mark every slot free
  output logic                                         clearing_o,
  input  wire logic                                    hashed_valid_i,
  output logic                                         hashed_ready_o,
  input  wire wc_pkg::hashed_t                         hashed_i,
  input  wire logic                                    key_valid_i,
  output logic                                         key_ready_o,
  input  wire wc_pkg::beat_t                           key_i,
  output logic                                         result_valid_o,
  input  wire logic                                    result_ready_i,
  output wc_pkg::result_t                              result_o,
  output logic                                         key_valid_o,
  input  wire logic                                    key_ready_i,
  output wc_pkg::beat_t                                key_o,
  input  wire logic [wc_pkg::Classes-1:0]              free_valid_i,
  output logic [wc_pkg::Classes-1:0]                   free_ready_o,
  input  wire wc_pkg::pointer_t [wc_pkg::Classes-1:0]  free_i,
  output logic                                         deleted_valid_o,
  input  wire logic                                    deleted_ready_i,
  output wc_pkg::pointer_t                             deleted_o,
  output wc_pkg::index_events_t                        events_o,
  output wc_index_pkg::bucket_events_t                 bucket_events_o,
  output wc_pkg::memory_error_t                        error_o,
  output wc_pkg::bad_level_t                           retired_o,
  output axi_req_t                                     m_axi_req_o,
  input  wire axi_resp_t                               m_axi_resp_i
);

  logic rst;
  axi_req_t req, no_req;
  axi_resp_t resp, no_resp;

  wc_index #(
    .Slots        (Slots),
    .MaxKey       (MaxKey),
    .MaxBucketBits(MaxBucketBits),
    .AddrWidth    (AddrWidth)
  ) u_index (
    .clk_i          (clk_i),
    .rst_i          (rst),
    .time_i         (time_i),
    .settings_i     (settings_i),
    .clear_i        (clear_i),
    .clearing_o     (clearing_o),
    .hashed_valid_i (hashed_valid_i),
    .hashed_ready_o (hashed_ready_o),
    .hashed_i       (hashed_i),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready_o),
    .key_i          (key_i),
    .result_valid_o (result_valid_o),
    .result_ready_i (result_ready_i),
    .result_o       (result_o),
    .key_valid_o    (key_valid_o),
    .key_ready_i    (key_ready_i),
    .key_o          (key_o),
    .free_valid_i   (free_valid_i),
    .free_ready_o   (free_ready_o),
    .free_i         (free_i),
    .deleted_valid_o(deleted_valid_o),
    .deleted_ready_i(deleted_ready_i),
    .deleted_o      (deleted_o),
    .events_o       (events_o),
    .bucket_events_o(bucket_events_o),
    .error_o        (error_o),
    .retired_o      (retired_o),
    .m_axi_req_o    (req),
    .m_axi_resp_i   (resp)
  );

  wc_memory_edge #(
    .AddrWidth(AddrWidth),
    .DataWidth(LineWidth)
  ) u_edge (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .rst_mem_i         (rst_mem_i),
    .rst_o             (rst),
    .s_axi_index_req_i (req),
    .s_axi_index_resp_o(resp),
    .s_axi_store_req_i ('0),
    .s_axi_store_resp_o(no_resp),
    .m_axi_index_req_o (m_axi_req_o),
    .m_axi_index_resp_i(m_axi_resp_i),
    .m_axi_store_req_o (no_req),
    .m_axi_store_resp_i('0)
  );

endmodule

`default_nettype wire
