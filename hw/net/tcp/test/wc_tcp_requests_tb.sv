// SPDX-License-Identifier: Apache-2.0
// The request side with the rings' reader.
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_requests_tb
  import wc_tcp_requests_pkg::*;
  import wc_tcp_engine_pkg::opened_t;
  import wc_tcp_engine_pkg::arrived_t;
  import wc_tcp_engine_pkg::freed_t;
#(
  parameter int unsigned Connections = 16,
  parameter int unsigned RingBits = 12,
  parameter int unsigned Budget = 20,
  parameter int unsigned TurnBytes = 2048,
  parameter int unsigned LineBytes = 512,
  parameter int unsigned Words = 512,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatBytes = 16,
  localparam type axi_req_t = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  output logic                      ready_o,
  input  wire wc_pkg::value_len_t   most_bytes_i,
  input  wire logic [AddrWidth-1:0] base_i,
  input  wire logic                 opened_valid_i,
  input  wire opened_t              opened_i,
  input  wire logic                 arrived_valid_i,
  input  wire arrived_t             arrived_i,
  input  wire logic                 room_valid_i,
  input  wire freed_t               room_i,
  input  wire logic                 answered_valid_i,
  input  wire answered_t            answered_i,
  input  wire logic                 gone_valid_i,
  input  wire id_t                  gone_id_i,
  output logic                      back_valid_o,
  output id_t                       back_id_o,
  output logic                      read_valid_o,
  output logic                      read_ready_o,
  output wc_tcp_ring_pkg::read_t    read_o,
  output logic                      head_valid_o,
  input  wire logic                 head_ready_i,
  output head_t                     head_o,
  output logic                      packet_valid_o,
  input  wire logic                 packet_ready_i,
  output packet_word_t              packet_o,
  output logic                      event_valid_o,
  input  wire logic                 event_ready_i,
  output wc_tcp_engine_pkg::event_t event_o,
  output axi_req_t                  m_axi_req_o,
  input  wire axi_resp_t            m_axi_resp_i
);

  logic word_valid, word_ready;
  wc_tcp_ring_pkg::word_t word;

  wc_tcp_requests #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .Budget     (Budget),
    .TurnBytes  (TurnBytes),
    .LineBytes  (LineBytes),
    .Words      (Words)
  ) u_requests (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .ready_o         (ready_o),
    .most_bytes_i    (most_bytes_i),
    .opened_valid_i  (opened_valid_i),
    .opened_i        (opened_i),
    .arrived_valid_i (arrived_valid_i),
    .arrived_i       (arrived_i),
    .room_valid_i    (room_valid_i),
    .room_i          (room_i),
    .answered_valid_i(answered_valid_i),
    .answered_i      (answered_i),
    .gone_valid_i    (gone_valid_i),
    .gone_id_i       (gone_id_i),
    .back_valid_o    (back_valid_o),
    .back_id_o       (back_id_o),
    .read_valid_o    (read_valid_o),
    .read_ready_i    (read_ready_o),
    .read_o          (read_o),
    .word_valid_i    (word_valid),
    .word_ready_o    (word_ready),
    .word_i          (word),
    .head_valid_o    (head_valid_o),
    .head_ready_i    (head_ready_i),
    .head_o          (head_o),
    .packet_valid_o  (packet_valid_o),
    .packet_ready_i  (packet_ready_i),
    .packet_o        (packet_o),
    .event_valid_o   (event_valid_o),
    .event_ready_i   (event_ready_i),
    .event_o         (event_o)
  );

  wc_tcp_ring_read #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_read (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .base_i      (base_i),
    .read_valid_i(read_valid_o),
    .read_ready_o(read_ready_o),
    .read_i      (read_o),
    .word_valid_o(word_valid),
    .word_ready_i(word_ready),
    .word_o      (word),
    .m_axi_req_o (m_axi_req_o),
    .m_axi_resp_i(m_axi_resp_i)
  );

endmodule

`default_nettype wire
