// SPDX-License-Identifier: Apache-2.0
// The answer side with what writes the rings.
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_answers_tb #(
  parameter int unsigned Connections = 16,
  parameter int unsigned RingBits = 12,
  parameter int unsigned ChunkBytes = 1024,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatBytes = 16,
  localparam type axi_req_t = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_i,
  input  wire logic [AddrWidth-1:0]              base_i,
  input  wire logic                              opened_valid_i,
  input  wire wc_tcp_engine_pkg::opened_t        opened_i,
  input  wire logic                              message_valid_i,
  output logic                                   message_ready_o,
  input  wire wc_tcp_answers_pkg::message_t      message_i,
  input  wire logic                              word_valid_i,
  output logic                                   word_ready_o,
  input  wire wc_tcp_answers_pkg::word_t         word_i,
  output logic                                   event_valid_o,
  input  wire logic                              event_ready_i,
  output wc_tcp_engine_pkg::event_t              event_o,
  output logic                                   answered_valid_o,
  output wc_tcp_requests_pkg::answered_t         answered_o,
  output axi_req_t                               m_axi_req_o,
  input  wire axi_resp_t                         m_axi_resp_i
);

  logic write_valid, write_ready, payload_valid, payload_ready, done_valid, done_ready;
  wc_tcp_ring_pkg::write_t write;
  wc_tcp_ring_pkg::done_t done;
  wc_pkg::beat_t payload;

  wc_tcp_answers #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .ChunkBytes (ChunkBytes)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .opened_valid_i  (opened_valid_i),
    .opened_i        (opened_i),
    .message_valid_i (message_valid_i),
    .message_ready_o (message_ready_o),
    .message_i       (message_i),
    .word_valid_i    (word_valid_i),
    .word_ready_o    (word_ready_o),
    .word_i          (word_i),
    .write_valid_o   (write_valid),
    .write_ready_i   (write_ready),
    .write_o         (write),
    .payload_valid_o (payload_valid),
    .payload_ready_i (payload_ready),
    .payload_o       (payload),
    .done_valid_i    (done_valid),
    .done_ready_o    (done_ready),
    .done_i          (done),
    .event_valid_o   (event_valid_o),
    .event_ready_i   (event_ready_i),
    .event_o         (event_o),
    .answered_valid_o(answered_valid_o),
    .answered_o      (answered_o)
  );

  wc_tcp_ring_write #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_write (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (base_i),
    .write_valid_i  (write_valid),
    .write_ready_o  (write_ready),
    .write_i        (write),
    .payload_valid_i(payload_valid),
    .payload_ready_o(payload_ready),
    .payload_i      (payload),
    .done_valid_o   (done_valid),
    .done_ready_i   (done_ready),
    .done_o         (done),
    .m_axi_req_o    (m_axi_req_o),
    .m_axi_resp_i   (m_axi_resp_i)
  );

endmodule

`default_nettype wire
