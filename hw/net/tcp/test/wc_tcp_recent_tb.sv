// SPDX-License-Identifier: Apache-2.0
// What was written a moment ago, between who writes rings and who reads them.
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_recent_tb #(
  parameter int unsigned RingBits = 12,
  parameter int unsigned Blocks = 16,
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatBytes = 16,
  localparam type axi_req_t = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                    clk_i,
  input  wire logic                    rst_i,
  input  wire logic [AddrWidth-1:0]    base_i,
  input  wire logic                    write_valid_i,
  output logic                         write_ready_o,
  input  wire wc_tcp_ring_pkg::write_t write_i,
  input  wire logic                    payload_valid_i,
  output logic                         payload_ready_o,
  input  wire wc_pkg::beat_t           payload_i,
  output logic                         done_valid_o,
  input  wire logic                    done_ready_i,
  output wc_tcp_ring_pkg::done_t       done_o,
  input  wire logic                    read_valid_i,
  output logic                         read_ready_o,
  input  wire wc_tcp_ring_pkg::read_t  read_i,
  output logic                         word_valid_o,
  input  wire logic                    word_ready_i,
  output wc_tcp_ring_pkg::word_t       word_o,
  output axi_req_t                     m_axi_req_o,
  input  wire axi_resp_t               m_axi_resp_i
);

  axi_req_t write_req, read_req, recent_req;
  axi_resp_t read_resp;
  logic wrote_valid;
  wc_tcp_ring_pkg::wrote_t wrote;
  wc_tcp_ring_pkg::wanted_t wanted;

  wc_tcp_ring_write #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_write (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (base_i),
    .write_valid_i  (write_valid_i),
    .write_ready_o  (write_ready_o),
    .write_i        (write_i),
    .payload_valid_i(payload_valid_i),
    .payload_ready_o(payload_ready_o),
    .payload_i      (payload_i),
    .done_valid_o   (done_valid_o),
    .done_ready_i   (done_ready_i),
    .done_o         (done_o),
    .wrote_valid_o  (wrote_valid),
    .wrote_o        (wrote),
    .m_axi_req_o    (write_req),
    .m_axi_resp_i   (m_axi_resp_i)
  );

  wc_tcp_ring_read #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_read (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .base_i      (base_i),
    .read_valid_i(read_valid_i),
    .read_ready_o(read_ready_o),
    .read_i      (read_i),
    .word_valid_o(word_valid_o),
    .word_ready_i(word_ready_i),
    .word_o      (word_o),
    .wanted_o    (wanted),
    .m_axi_req_o (read_req),
    .m_axi_resp_i(read_resp)
  );

  wc_tcp_recent #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes),
    .Blocks   (Blocks)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .wrote_valid_i(wrote_valid),
    .wrote_i      (wrote),
    .wrote_data_i (write_req.w.data),
    .s_axi_req_i  (read_req),
    .s_wanted_i   (wanted),
    .s_axi_resp_o (read_resp),
    .m_axi_req_o  (recent_req),
    .m_axi_resp_i (m_axi_resp_i)
  );

  always_comb begin
    m_axi_req_o = write_req;
    m_axi_req_o.ar = recent_req.ar;
    m_axi_req_o.ar_valid = recent_req.ar_valid;
    m_axi_req_o.r_ready = recent_req.r_ready;
  end

endmodule

`default_nettype wire
