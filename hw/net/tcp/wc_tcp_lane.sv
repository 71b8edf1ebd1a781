// SPDX-License-Identifier: Apache-2.0
// TCP in a lane: stands between the network stage and the pipeline, so that parser and response serve
// UDP and TCP alike, and at the store's memory port, where the rings of the connections are. It has
// its own registers.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_lane
  import wc_pkg::*;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned Segments    = 128,  // that wait behind the MAC
  parameter int unsigned AddrWidth   = 40,
  parameter int unsigned BeatBytes   = 64,
  parameter int unsigned MaxKey      = MaxKeyBytes,
  parameter bit          MadeValues  = 1'b1,
  parameter bit          Meta        = 1'b1,
  parameter bit          Binary      = 1'b1,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_i,
  input  wire wc_tcp_engine_pkg::time_t  milliseconds_i,  // may go on by more than one
  input  wire value_len_t                most_bytes_i,   // of an item
  input  wire net_settings_t             settings_i,
  output logic                           ready_o,
  output logic                           busy_o,   // something of TCP is to be done now,
  output logic                           armed_o,  // or at a certain time:
  output logic [17:0]                    soonest_o,  // the millisecond (low bits)
  input  wire reg_req_t                  reg_req_i,
  output reg_resp_t                      reg_resp_o,
  // Segments that come and go (wc_net)
  input  wire logic                      begin_i,
  input  wire logic                      payload_valid_i,
  input  wire wc_net_pkg::payload_t      payload_i,
  input  wire logic                      record_valid_i,
  input  wire wc_tcp_pkg::segment_t      record_i,
  input  wire logic                      commit_i,
  input  wire logic                      abort_i,
  output logic                           overflow_o,
  output logic                           segment_valid_o,
  input  wire logic                      segment_ready_i,
  output wc_net_pkg::reply_t             segment_o,
  output logic                           segment_word_valid_o,
  input  wire logic                      segment_word_ready_i,
  output word_t                          segment_word_o,
  // UDP's packets, messages and words, as wc_net has them
  input  wire logic                      udp_packet_valid_i,
  output logic                           udp_packet_ready_o,
  input  wire packet_t                   udp_packet_i,
  output logic                           udp_valid_o,
  input  wire logic                      udp_ready_i,
  output message_t                       udp_o,
  output logic                           udp_word_valid_o,
  input  wire logic                      udp_word_ready_i,
  output word_t                          udp_word_o,
  output logic                           udp_word_error_o,
  input  wire logic                      udp_asker_valid_i,
  input  wire asker_t                    udp_asker_i,
  output logic                           udp_aside_valid_o,
  input  wire logic                      udp_aside_ready_i,
  output message_t                       udp_aside_o,
  output asker_t                         udp_aside_asker_o,
  output logic                           udp_aside_word_valid_o,
  input  wire logic                      udp_aside_word_ready_i,
  output word_t                          udp_aside_word_o,
  input  wire logic                      udp_aside_done_i,
  // Those of both: the parser,
  output logic                           packet_valid_o,
  input  wire logic                      packet_ready_i,
  output packet_t                        packet_o,
  output logic                           enter_o,  // a packet of TCP goes to the parser
  // the response stage,
  output logic                           turn_valid_o,
  input  wire logic                      turn_ready_i,
  output tcp_turn_t                      turn_o,
  input  wire logic                      message_valid_i,
  output logic                           message_ready_o,
  input  wire message_t                  message_i,
  input  wire tcp_answered_t             answered_i,
  input  wire logic                      word_valid_i,
  output logic                           word_ready_o,
  input  wire word_t                     word_i,
  input  wire logic                      word_error_i,
  output logic                           message_done_o,
  output logic                           answered_o,
  // and the host
  output logic                           asker_valid_o,
  output asker_t                         asker_o,
  input  wire logic                      aside_valid_i,
  output logic                           aside_ready_o,
  input  wire message_t                  aside_i,
  input  wire asker_t                    aside_asker_i,
  input  wire logic                      aside_word_valid_i,
  output logic                           aside_word_ready_o,
  input  wire word_t                     aside_word_i,
  output logic                           aside_done_o,
  // Memory: the store, and both together
  input  wire axi_req_t                  s_axi_req_i,
  output axi_resp_t                      s_axi_resp_o,
  output axi_req_t                       m_axi_req_o,
  input  wire axi_resp_t                 m_axi_resp_i
);

  localparam int unsigned OurScale = RingBits > 16 ? RingBits - 16 : 0;
  localparam logic [63:0] Rings = 64'(Connections) << RingBits;  // bytes each way
  localparam int unsigned DataWidth = 8 * BeatBytes;

  // ---- settings, time, counters -----------------------------------------------------------------
  logic [16:0] most;
  logic [31:0] base;
  logic [15:0] idle_limit;
  wc_tcp_pkg::keepalive_t keepalive;
  logic [127:0] secret;
  logic [79:0] seed;
  logic [AddrWidth-1:0] rx_base_q, tx_base_q;
  wc_tcp_engine_pkg::time_t now_q;
  wc_tcp_demux_pkg::counts_t demux_counts;
  wc_tcp_engine_pkg::counts_t engine_counts;
  logic engine_valid, idle, lost, back_valid, tcp_closed;
  tcp_events_t events;

  always_ff @(posedge clk_i) begin
    rx_base_q <= AddrWidth'({base, 20'd0});
    tx_base_q <= rx_base_q + AddrWidth'(Rings);
    now_q <= milliseconds_i;
  end

  always_comb begin
    events = '{
      syn: demux_counts.cookie, opened: demux_counts.opened, refused: demux_counts.refused,
      bad_cookie: demux_counts.bad_cookie, early: demux_counts.early, reset: demux_counts.reset,
      flooded: demux_counts.flooded, unanswered: demux_counts.unanswered, closed: tcp_closed,
      lost: lost, idle: idle, default: 1'b0
    };
    if (engine_valid) begin
      events.retransmit = engine_counts.retransmitted;
      events.timeout = engine_counts.timeout;
      events.probe = engine_counts.probe;
      events.window_probe = engine_counts.window_probe;
      events.keepalive = engine_counts.keepalive;
      events.silent = engine_counts.silent;
      events.recovery = engine_counts.recovery;
      events.out_of_order = engine_counts.out_of_order;
      events.duplicate = engine_counts.duplicate;
      events.challenge = engine_counts.challenge;
      events.old_stamp = engine_counts.old_stamp;
    end
  end

  logic about_valid;
  logic [15:0] about_id;
  wc_tcp_pkg::about_t about;

  wc_tcp_host #(
    .Connections(Connections),
    .RingBits   (RingBits)
  ) u_host (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .reg_req_i (reg_req_i),
    .reg_resp_o(reg_resp_o),
    .most_o    (most),
    .base_o    (base),
    .idle_o    (idle_limit),
    .keepalive_o(keepalive),
    .secret_o  (secret),
    .seed_o    (seed),
    .ready_i   (ready_o),
    .about_valid_o(about_valid),
    .about_id_o(about_id),
    .about_i   (about),
    .events_i  (events)
  );

  // ---- TCP --------------------------------------------------------------------------------------
  logic head_valid, head_ready, packet_valid, packet_ready;
  wc_tcp_requests_pkg::head_t head;
  wc_tcp_requests_pkg::packet_word_t packet;
  logic reply_valid, reply_ready, reply_word_valid, reply_word_ready;
  wc_tcp_answers_pkg::message_t reply;
  wc_tcp_answers_pkg::word_t reply_word;
  axi_req_t tcp_req, read_req, write_req;
  axi_resp_t tcp_read, tcp_write, tcp_resp, store_read, store_write;

  wc_tcp #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale),
    .Segments   (Segments),
    .AddrWidth  (AddrWidth),
    .BeatBytes  (BeatBytes),
    .MaxKey     (MaxKey),
    .MadeValues (MadeValues),
    .Meta       (Meta),
    .Binary     (Binary)
  ) u_tcp (
    .clk_i                (clk_i),
    .rst_i                (rst_i),
    .ready_o              (ready_o),
    .most_bytes_i         (most_bytes_i),
    .our_ip_i             (wc_net_pkg::swap32(settings_i.ip)),
    .our_port_i           (wc_net_pkg::swap16(settings_i.tcp_port)),
    .secret_i             (secret),
    .seed_i               (seed),
    .most_i               (most),
    .rx_base_i            (rx_base_q),
    .tx_base_i            (tx_base_q),
    .now_i                (now_q),
    .idle_limit_i         (idle_limit),
    .keepalive_i          (keepalive),
    .begin_i              (begin_i),
    .payload_valid_i      (payload_valid_i),
    .payload_i            (payload_i),
    .record_valid_i       (record_valid_i),
    .record_i             (record_i),
    .commit_i             (commit_i),
    .abort_i              (abort_i),
    .overflow_o           (overflow_o),
    .segment_valid_o      (segment_valid_o),
    .segment_ready_i      (segment_ready_i),
    .segment_o            (segment_o),
    .word_valid_o         (segment_word_valid_o),
    .word_ready_i         (segment_word_ready_i),
    .word_o               (segment_word_o),
    .head_valid_o         (head_valid),
    .head_ready_i         (head_ready),
    .head_o               (head),
    .packet_valid_o       (packet_valid),
    .packet_ready_i       (packet_ready),
    .packet_o             (packet),
    .message_valid_i      (reply_valid),
    .message_ready_o      (reply_ready),
    .message_i            (reply),
    .answer_valid_i       (reply_word_valid),
    .answer_ready_o       (reply_word_ready),
    .answer_i             (reply_word),
    .m_axi_req_o          (tcp_req),
    .m_axi_resp_i         (tcp_resp),
    .demux_counts_o       (demux_counts),
    .engine_counts_valid_o(engine_valid),
    .engine_counts_o      (engine_counts),
    .closed_o             (tcp_closed),
    .idle_o               (idle),
    .lost_o               (lost),
    .busy_o               (busy_o),
    .armed_o              (armed_o),
    .soonest_o            (soonest_o),
    .about_valid_i        (about_valid),
    .about_id_i           (about_id),
    .about_o              (about)
  );

  // ---- packets and answers ----------------------------------------------------------------------
  logic back_ready, back_again;
  conn_t back_id;

  wc_tcp_packets #(
    .RingBits(RingBits)
  ) u_packets (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .udp_valid_i   (udp_packet_valid_i),
    .udp_ready_o   (udp_packet_ready_o),
    .udp_i         (udp_packet_i),
    .head_valid_i  (head_valid),
    .head_ready_o  (head_ready),
    .head_i        (head),
    .word_valid_i  (packet_valid),
    .word_ready_o  (packet_ready),
    .word_i        (packet),
    .packet_valid_o(packet_valid_o),
    .packet_ready_i(packet_ready_i),
    .packet_o      (packet_o),
    .turn_valid_o  (turn_valid_o),
    .turn_ready_i  (turn_ready_i),
    .turn_o        (turn_o),
    .taken_o       (enter_o),
    .back_valid_o  (back_valid),
    .back_ready_i  (back_ready),
    .back_id_o     (back_id),
    .back_again_o  (back_again)
  );

  wc_tcp_replies u_replies (
    .clk_i                 (clk_i),
    .rst_i                 (rst_i),
    .message_valid_i       (message_valid_i),
    .message_ready_o       (message_ready_o),
    .message_i             (message_i),
    .answered_i            (answered_i),
    .word_valid_i          (word_valid_i),
    .word_ready_o          (word_ready_o),
    .word_i                (word_i),
    .word_error_i          (word_error_i),
    .message_done_o        (message_done_o),
    .answered_o            (answered_o),
    .aside_valid_i         (aside_valid_i),
    .aside_ready_o         (aside_ready_o),
    .aside_i               (aside_i),
    .aside_asker_i         (aside_asker_i),
    .aside_word_valid_i    (aside_word_valid_i),
    .aside_word_ready_o    (aside_word_ready_o),
    .aside_word_i          (aside_word_i),
    .aside_done_o          (aside_done_o),
    .asker_valid_o         (asker_valid_o),
    .asker_o               (asker_o),
    .udp_valid_o           (udp_valid_o),
    .udp_ready_i           (udp_ready_i),
    .udp_o                 (udp_o),
    .udp_word_valid_o      (udp_word_valid_o),
    .udp_word_ready_i      (udp_word_ready_i),
    .udp_word_o            (udp_word_o),
    .udp_word_error_o      (udp_word_error_o),
    .udp_aside_valid_o     (udp_aside_valid_o),
    .udp_aside_ready_i     (udp_aside_ready_i),
    .udp_aside_o           (udp_aside_o),
    .udp_aside_asker_o     (udp_aside_asker_o),
    .udp_aside_word_valid_o(udp_aside_word_valid_o),
    .udp_aside_word_ready_i(udp_aside_word_ready_i),
    .udp_aside_word_o      (udp_aside_word_o),
    .udp_aside_done_i      (udp_aside_done_i),
    .udp_asker_valid_i     (udp_asker_valid_i),
    .udp_asker_i           (udp_asker_i),
    .back_valid_i          (back_valid),
    .back_ready_o          (back_ready),
    .back_id_i             (back_id),
    .back_again_i          (back_again),
    .tcp_valid_o           (reply_valid),
    .tcp_ready_i           (reply_ready),
    .tcp_o                 (reply),
    .tcp_word_valid_o      (reply_word_valid),
    .tcp_word_ready_i      (reply_word_ready),
    .tcp_word_o            (reply_word)
  );

  // ---- memory -----------------------------------------------------------------------------------
  wc_axi_read_mux #(
    .Masters  (2),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_reads (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i ({s_axi_req_i, tcp_req}),
    .s_axi_resp_o({store_read, tcp_read}),
    .m_axi_req_o (read_req),
    .m_axi_resp_i(m_axi_resp_i)
  );

  wc_axi_write_mux #(
    .Masters  (2),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_writes (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i ({s_axi_req_i, tcp_req}),
    .s_axi_resp_o({store_write, tcp_write}),
    .m_axi_req_o (write_req),
    .m_axi_resp_i(m_axi_resp_i)
  );

  always_comb begin
    m_axi_req_o = write_req;
    m_axi_req_o.ar = read_req.ar;
    m_axi_req_o.ar_valid = read_req.ar_valid;
    m_axi_req_o.r_ready = read_req.r_ready;
    tcp_resp = tcp_write;
    tcp_resp.ar_ready = tcp_read.ar_ready;
    tcp_resp.r = tcp_read.r;
    tcp_resp.r_valid = tcp_read.r_valid;
    s_axi_resp_o = store_write;
    s_axi_resp_o.ar_ready = store_read.ar_ready;
    s_axi_resp_o.r = store_read.r;
    s_axi_resp_o.r_valid = store_read.r_valid;
  end

endmodule

`default_nettype wire
