// SPDX-License-Identifier: Apache-2.0
// The network stage of a lane: frames of the MAC on one side, requests and answers on the other.
// Receive never stalls and drops only whole frames, each for one counted cause; transmit stalls as
// the MAC does. Both move a word per cycle. From a frame's last word to its packet: 7 cycles; from
// an answer's last word to the first of its frame: 3 cycles.
// With Tcp it also takes segments of TCP apart for a wc_tcp beside it, and sends the segments of that.
`include "wc_assert.svh"
`default_nettype none

module wc_net #(
  parameter wc_pkg::lane_t Lane     = '0,
  parameter int unsigned   RxWords  = 2048,  // buffer for requests
  parameter int unsigned   TxWords  = 512,   // buffer for answer datagrams, two at least
  parameter int unsigned   Contexts = 256,   // requests not yet answered
  parameter bit            Tcp      = 1'b0   // without it TCP is a protocol that is not known
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic [63:0]           s_axis_tdata,
  input  wire logic [7:0]            s_axis_tkeep,
  input  wire logic                  s_axis_tvalid,
  output logic                       s_axis_tready,
  input  wire logic                  s_axis_tlast,
  input  wire logic                  s_axis_tuser,
  output logic [63:0]                m_axis_tdata,
  output logic [7:0]                 m_axis_tkeep,
  output logic                       m_axis_tvalid,
  input  wire logic                  m_axis_tready,
  output logic                       m_axis_tlast,
  input  wire wc_pkg::net_settings_t settings_i,
  output logic                       packet_valid_o,
  input  wire logic                  packet_ready_i,
  output wc_pkg::packet_t            packet_o,
  input  wire logic                  message_valid_i,
  output logic                       message_ready_o,
  input  wire wc_pkg::message_t      message_i,
  input  wire logic                  word_valid_i,
  output logic                       word_ready_o,
  input  wire wc_pkg::word_t         word_i,
  input  wire logic                  word_error_i,  // the word counts for nothing
  output logic                       message_done_o,  // all words of a message are taken,
  output logic                       answered_o,      // and it was its request's last message
  // commands of the host: who asks, and the answers
  output logic                       asker_valid_o,
  output wc_pkg::asker_t             asker_o,
  input  wire logic                  aside_message_valid_i,
  output logic                       aside_message_ready_o,
  input  wire wc_pkg::message_t      aside_message_i,
  input  wire wc_pkg::asker_t        aside_asker_i,  // until aside_done_o
  input  wire logic                  aside_word_valid_i,
  output logic                       aside_word_ready_o,
  input  wire wc_pkg::word_t         aside_word_i,
  output logic                       aside_done_o,   // all words of such a message are taken
  // Segments of TCP that come, and what becomes of each frame, as wc_tcp has them; then those that
  // go. Without Tcp nothing comes, and nothing is taken.
  output logic                       tcp_begin_o,
  output logic                       tcp_payload_valid_o,
  output wc_net_pkg::payload_t       tcp_payload_o,
  output logic                       tcp_record_valid_o,
  output wc_tcp_pkg::segment_t       tcp_record_o,
  output logic                       tcp_commit_o,
  output logic                       tcp_abort_o,
  input  wire logic                  tcp_overflow_i,
  input  wire logic                  tcp_segment_valid_i,
  output logic                       tcp_segment_ready_o,
  input  wire wc_net_pkg::reply_t    tcp_segment_i,
  input  wire logic                  tcp_word_valid_i,
  output logic                       tcp_word_ready_o,
  input  wire wc_pkg::word_t         tcp_word_i,
  output wc_pkg::net_events_t        events_o,
  output wc_pkg::byte_events_t       byte_events_o
);

  import wc_net_pkg::*;

  station_t us;  // wire order
  logic [15:0] our_port, our_tcp_port;
  allow_t allow;
  logic context_valid, context_ready;
  context_t context_;
  logic local_valid, local_ready;  // replies to ARP and ICMP,
  reply_t local_reply;
  logic local_word_valid, local_word_ready;
  wc_pkg::word_t local_word;
  logic reply_valid, reply_ready;  // and with the segments of TCP
  reply_t reply;
  logic reply_tcp;
  logic reply_word_valid, reply_word_ready;
  wc_pkg::word_t reply_word;
  logic part_valid, part_ready;
  wc_pkg::message_t part;
  numbered_t part_place;
  logic quiet_q;  // nothing is being sent, and no datagram waits for it
  logic next_valid, next_ready;
  numbered_t next_place;
  wc_pkg::message_t next;
  context_t host_context;
  logic counted_valid, counted_ready;
  wc_pkg::message_t counted;
  numbered_t counted_place;
  logic datagram_valid, datagram_ready;
  datagram_t datagram;
  logic sum_valid, sum_ready;
  logic [15:0] sum;
  logic payload_valid, payload_ready;
  wc_pkg::word_t payload;
  wc_pkg::net_events_t rx_events;
  logic frame_out, lost;
  logic [3:0] taken_bytes, sent_bytes;  // of payloads, in this cycle

  `WC_REQUIRE(asker, $bits(context_t) == $bits(asker_o.who),
              "wc_pkg: asker_t must hold wc_net_pkg::context_t")
  assign asker_o = '{tcp: 1'b0, again: 1'b0, who: host_context};

  assign us = '{mac: swap48(settings_i.mac), ip: swap32(settings_i.ip)};
  assign our_port = swap16(settings_i.udp_port);
  assign our_tcp_port = swap16(settings_i.tcp_port);
  for (genvar i = 0; i < wc_pkg::AllowEntries; i++) begin : gen_allow
    assign allow.network[i] = swap32(settings_i.allow_network[i]);
    assign allow.mask[i] = swap32(settings_i.allow_mask[i]);
  end

  wc_net_rx #(
    .RxWords (RxWords),
    .Contexts(Contexts),
    .Tcp     (Tcp)
  ) u_rx (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .us_i              (us),
    .our_port_i        (our_port),
    .our_tcp_port_i    (our_tcp_port),
    .allow_i           (allow),
    .frame_header_i    (settings_i.frame_header),
    .enable_i          (settings_i.enable),
    .s_axis_tdata      (s_axis_tdata),
    .s_axis_tkeep      (s_axis_tkeep),
    .s_axis_tvalid     (s_axis_tvalid),
    .s_axis_tready     (s_axis_tready),
    .s_axis_tlast      (s_axis_tlast),
    .s_axis_tuser      (s_axis_tuser),
    .packet_valid_o    (packet_valid_o),
    .packet_ready_i    (packet_ready_i),
    .packet_o          (packet_o),
    .context_valid_o   (context_valid),
    .context_ready_i   (context_ready),
    .context_o         (context_),
    .reply_valid_o     (local_valid),
    .reply_ready_i     (local_ready),
    .reply_o           (local_reply),
    .reply_word_valid_o(local_word_valid),
    .reply_word_ready_i(local_word_ready),
    .reply_word_o      (local_word),
    .tcp_begin_o       (tcp_begin_o),
    .tcp_payload_valid_o(tcp_payload_valid_o),
    .tcp_payload_o     (tcp_payload_o),
    .tcp_record_valid_o(tcp_record_valid_o),
    .tcp_record_o      (tcp_record_o),
    .tcp_commit_o      (tcp_commit_o),
    .tcp_abort_o       (tcp_abort_o),
    .tcp_overflow_i    (tcp_overflow_i),
    .events_o          (rx_events)
  );

  always_ff @(posedge clk_i) quiet_q <= !datagram_valid && !m_axis_tvalid;

  wc_parts u_parts (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .message_valid_i(aside_message_valid_i),
    .message_ready_o(aside_message_ready_o),
    .message_i      (aside_message_i),
    .part_valid_o   (part_valid),
    .part_ready_i   (part_ready),
    .part_o         (part),
    .place_o        (part_place)
  );

  wc_messages u_messages (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .quiet_i        (quiet_q),
    .message_valid_i(message_valid_i),
    .message_ready_o(message_ready_o),
    .message_i      (message_i),
    .part_valid_i   (part_valid),
    .part_ready_o   (part_ready),
    .part_i         (part),
    .part_place_i   (part_place),
    .message_valid_o(next_valid),
    .message_ready_i(next_ready),
    .message_o      (next),
    .place_o        (next_place)
  );

  wc_datagrams u_datagrams (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .message_valid_i(next_valid),
    .message_ready_o(next_ready),
    .message_i      (next),
    .place_i        (next_place),
    .message_valid_o(counted_valid),
    .message_ready_i(counted_ready),
    .message_o      (counted),
    .place_o        (counted_place)
  );

  wc_udp_tx #(
    .Lane    (Lane),
    .Words   (TxWords),
    .Contexts(Contexts)
  ) u_udp (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .our_ip_i        (us.ip),
    .our_port_i      (our_port),
    .frame_header_i  (settings_i.frame_header),
    .message_valid_i (counted_valid),
    .message_ready_o (counted_ready),
    .message_i       (counted),
    .place_i         (counted_place),
    .word_valid_i    (word_valid_i),
    .word_ready_o    (word_ready_o),
    .word_i          (word_i),
    .word_error_i    (word_error_i),
    .context_valid_i (context_valid),
    .context_ready_o (context_ready),
    .context_i       (context_),
    .host_valid_o    (asker_valid_o),
    .host_context_o  (host_context),
    .aside_context_i (context_t'(aside_asker_i.who)),
    .aside_valid_i   (aside_word_valid_i),
    .aside_ready_o   (aside_word_ready_o),
    .aside_word_i    (aside_word_i),
    .aside_done_o    (aside_done_o),
    .datagram_valid_o(datagram_valid),
    .datagram_ready_i(datagram_ready),
    .datagram_o      (datagram),
    .sum_valid_o     (sum_valid),
    .sum_ready_i     (sum_ready),
    .sum_o           (sum),
    .payload_valid_o (payload_valid),
    .payload_ready_i (payload_ready),
    .payload_o       (payload),
    .message_done_o  (message_done_o),
    .answered_o      (answered_o),
    .dropped_o       (lost)
  );

  if (Tcp) begin : gen_tcp
    wc_replies u_replies (
      .clk_i               (clk_i),
      .rst_i               (rst_i),
      .local_valid_i       (local_valid),
      .local_ready_o       (local_ready),
      .local_i             (local_reply),
      .local_word_valid_i  (local_word_valid),
      .local_word_ready_o  (local_word_ready),
      .local_word_i        (local_word),
      .segment_valid_i     (tcp_segment_valid_i),
      .segment_ready_o     (tcp_segment_ready_o),
      .segment_i           (tcp_segment_i),
      .segment_word_valid_i(tcp_word_valid_i),
      .segment_word_ready_o(tcp_word_ready_o),
      .segment_word_i      (tcp_word_i),
      .reply_valid_o       (reply_valid),
      .reply_ready_i       (reply_ready),
      .reply_o             (reply),
      .reply_tcp_o         (reply_tcp),
      .word_valid_o        (reply_word_valid),
      .word_ready_i        (reply_word_ready),
      .word_o              (reply_word)
    );
  end else begin : gen_no_tcp
    assign reply_valid = local_valid;
    assign local_ready = reply_ready;
    assign reply = local_reply;
    assign reply_tcp = 1'b0;
    assign reply_word_valid = local_word_valid;
    assign local_word_ready = reply_word_ready;
    assign reply_word = local_word;
    assign tcp_segment_ready_o = 1'b0;
    assign tcp_word_ready_o = 1'b0;

    logic unused_tcp;
    assign unused_tcp = ^{tcp_segment_valid_i, tcp_segment_i, tcp_word_valid_i, tcp_word_i};
  end

  wc_net_tx u_tx (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .us_i              (us),
    .our_port_i        (our_port),
    .datagram_valid_i  (datagram_valid),
    .datagram_ready_o  (datagram_ready),
    .datagram_i        (datagram),
    .sum_valid_i       (sum_valid),
    .sum_ready_o       (sum_ready),
    .sum_i             (sum),
    .payload_valid_i   (payload_valid),
    .payload_ready_o   (payload_ready),
    .payload_i         (payload),
    .reply_valid_i     (reply_valid),
    .reply_ready_o     (reply_ready),
    .reply_i           (reply),
    .reply_tcp_i       (reply_tcp),
    .reply_word_valid_i(reply_word_valid),
    .reply_word_ready_o(reply_word_ready),
    .reply_word_i      (reply_word),
    .m_axis_tdata      (m_axis_tdata),
    .m_axis_tkeep      (m_axis_tkeep),
    .m_axis_tvalid     (m_axis_tvalid),
    .m_axis_tready     (m_axis_tready),
    .m_axis_tlast      (m_axis_tlast),
    .payload_bytes_o   (sent_bytes),
    .frame_out_o       (frame_out)
  );

  always_comb begin
    events_o = rx_events;
    events_o.frame_out = frame_out;
    events_o.answer_lost = lost;
  end

  // ---- bytes ------------------------------------------------------------------------------------
  assign taken_bytes = packet_valid_o && packet_ready_i ? packet_o.bytes : '0;

  wc_net_bytes u_bytes_in (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .bytes_i(taken_bytes),
    .eight_o(byte_events_o.bytes_in)
  );

  wc_net_bytes u_bytes_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .bytes_i(sent_bytes),
    .eight_o(byte_events_o.bytes_out)
  );

endmodule

`default_nettype wire
