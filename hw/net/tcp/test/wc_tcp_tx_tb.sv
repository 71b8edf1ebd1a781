// SPDX-License-Identifier: Apache-2.0
// wc_tcp_tx before wc_net_tx, which makes the frames; its datagrams are plain inputs.
`default_nettype none

module wc_tcp_tx_tb (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire wc_net_pkg::station_t   us_i,
  input  wire logic [15:0]            our_port_i,
  input  wire logic                   header_valid_i,
  output logic                        header_ready_o,
  input  wire wc_tcp_pkg::out_t       header_i,
  input  wire logic                   payload_valid_i,
  output logic                        payload_ready_o,
  input  wire wc_pkg::beat_t          payload_i,
  input  wire logic                   payload_error_i,
  input  wire logic                   datagram_valid_i,  // with one word of payload, always there
  output logic                        datagram_ready_o,
  input  wire wc_net_pkg::datagram_t  datagram_i,
  output logic                        segment_taken_o,
  output logic                        frame_valid_o,
  input  wire logic                   frame_ready_i,
  output logic [72:0]                 frame_o  // last, keep, data
);

  logic segment_valid, segment_ready, word_valid, word_ready;
  wc_net_pkg::reply_t segment;
  wc_pkg::word_t word;

  assign segment_taken_o = segment_valid && segment_ready;

  wc_tcp_tx u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .our_ip_i       (us_i.ip),
    .our_port_i     (our_port_i),
    .header_valid_i (header_valid_i),
    .header_ready_o (header_ready_o),
    .header_i       (header_i),
    .payload_valid_i(payload_valid_i),
    .payload_ready_o(payload_ready_o),
    .payload_i      (payload_i),
    .payload_error_i(payload_error_i),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready),
    .segment_o      (segment),
    .word_valid_o   (word_valid),
    .word_ready_i   (word_ready),
    .word_o         (word)
  );

  wc_net_tx u_tx (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .us_i              (us_i),
    .our_port_i        (our_port_i),
    .datagram_valid_i  (datagram_valid_i),
    .datagram_ready_o  (datagram_ready_o),
    .datagram_i        (datagram_i),
    .sum_valid_i       (1'b1),
    .sum_ready_o       (),
    .sum_i             ('0),
    .payload_valid_i   (1'b1),
    .payload_ready_o   (),
    .payload_i         ('0),
    .reply_valid_i     (segment_valid),
    .reply_ready_o     (segment_ready),
    .reply_i           (segment),
    .reply_tcp_i       (1'b1),
    .reply_word_valid_i(word_valid),
    .reply_word_ready_o(word_ready),
    .reply_word_i      (word),
    .m_axis_tdata      (frame_o[63:0]),
    .m_axis_tkeep      (frame_o[71:64]),
    .m_axis_tvalid     (frame_valid_o),
    .m_axis_tready     (frame_ready_i),
    .m_axis_tlast      (frame_o[72]),
    .payload_bytes_o   (),
    .frame_out_o       ()
  );

endmodule

`default_nettype wire
