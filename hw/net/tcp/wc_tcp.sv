// SPDX-License-Identifier: Apache-2.0
// TCP of a lane, between frames on one side and packets of whole requests, and their answers, on the
// other: the endpoint, with the rings of its connections in memory; the request side, which finds
// whole requests in what has come; and the answer side. The response stage sees to it that an answer
// has room (head_t.room), or says how much it needs.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned OurScale    = 0,
  parameter int unsigned AckWait     = 52,  // of 256 cycles each
  parameter int unsigned Segments    = 128,
  parameter int unsigned AddrWidth   = 40,
  parameter int unsigned BeatBytes   = 16,  // of the memory port
  parameter int unsigned MaxKey      = wc_pkg::MaxKeyBytes,
  parameter bit          MadeValues  = 1'b1,
  parameter bit          Meta        = 1'b1,
  parameter bit          Binary      = 1'b1,
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                              clk_i,
  input  wire logic                              rst_i,
  output logic                                   ready_o,  // after reset; then it stays
  input  wire wc_pkg::value_len_t                most_bytes_i,  // of an item
  input  wire logic [31:0]                       our_ip_i,    // wire order
  input  wire logic [15:0]                       our_port_i,
  input  wire logic [127:0]                      secret_i,    // of cookies
  input  wire logic [79:0]                       seed_i,      // of the table of connections
  input  wire logic [16:0]                       most_i,      // connections at once
  input  wire logic [AddrWidth-1:0]              rx_base_i,   // of the rings, multiples of a ring
  input  wire logic [AddrWidth-1:0]              tx_base_i,
  input  wire wc_tcp_engine_pkg::time_t          now_i,       // milliseconds
  input  wire logic [15:0]                       idle_limit_i,  // as wc_tcp_idle has it
  input  wire wc_tcp_pkg::keepalive_t            keepalive_i,
  // Segments that come and go, as wc_tcp_endpoint has them.
  input  wire logic                              begin_i,
  input  wire logic                              payload_valid_i,
  input  wire wc_net_pkg::payload_t              payload_i,
  input  wire logic                              record_valid_i,
  input  wire wc_tcp_pkg::segment_t              record_i,
  input  wire logic                              commit_i,
  input  wire logic                              abort_i,
  output logic                                   overflow_o,
  output logic                                   segment_valid_o,
  input  wire logic                              segment_ready_i,
  output wc_net_pkg::reply_t                     segment_o,
  output logic                                   word_valid_o,
  input  wire logic                              word_ready_i,
  output wc_pkg::word_t                          word_o,
  // Packets, as wc_tcp_requests gives them.
  output logic                                   head_valid_o,
  input  wire logic                              head_ready_i,
  output wc_tcp_requests_pkg::head_t             head_o,
  output logic                                   packet_valid_o,
  input  wire logic                              packet_ready_i,
  output wc_tcp_requests_pkg::packet_word_t      packet_o,
  // Answers, as wc_tcp_answers takes them.
  input  wire logic                              message_valid_i,
  output logic                                   message_ready_o,
  input  wire wc_tcp_answers_pkg::message_t      message_i,
  input  wire logic                              answer_valid_i,
  output logic                                   answer_ready_o,
  input  wire wc_tcp_answers_pkg::word_t         answer_i,
  output axi_req_t                               m_axi_req_o,
  input  wire axi_resp_t                         m_axi_resp_i,
  output wc_tcp_demux_pkg::counts_t              demux_counts_o,
  output logic                                   engine_counts_valid_o,
  output wc_tcp_engine_pkg::counts_t             engine_counts_o,
  output logic                                   closed_o,  // a connection, for a cycle
  output logic                                   idle_o,    // of which nothing comes: it ends
  output logic                                   lost_o,
  output logic                                   busy_o,  // an event, or an ACK, waits
  output logic                                   armed_o,  // a deadline is set: time matters,
  output logic [17:0]                            soonest_o, // from this millisecond on (low bits)
  input  wire logic                              about_valid_i,  // as wc_tcp_endpoint has it
  input  wire logic [15:0]                       about_id_i,
  output wc_tcp_pkg::about_t                     about_o
);

  import wc_tcp_engine_pkg::event_t;

  localparam int unsigned DataWidth = 8 * BeatBytes;

  logic endpoint_ready, requests_ready;
  logic opened_valid, arrived_valid, freed_valid, gone_valid, back_valid, answered_valid;
  wc_tcp_engine_pkg::opened_t opened;
  wc_tcp_engine_pkg::arrived_t arrived;
  wc_tcp_engine_pkg::freed_t freed;
  wc_tcp_requests_pkg::answered_t answered;
  logic [15:0] gone_id, back_id;
  logic owner_valid, owner_ready, taken_valid, taken_ready, written_valid, written_ready;
  event_t owner, taken, written;
  axi_req_t endpoint_req, reader_req, writer_req, write_req;
  axi_resp_t endpoint_resp, reader_resp, write_resp, writer_resp, writer_mux_resp;
  logic came_valid, left_valid;  // beats are written: of what comes, of answers
  wc_tcp_ring_pkg::wrote_t came, left;
  wc_tcp_ring_pkg::wanted_t sent_wanted, read_wanted;

  assign ready_o = endpoint_ready && requests_ready;
  assign closed_o = gone_valid;

  wc_tcp_endpoint #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale),
    .AckWait    (AckWait),
    .Segments   (Segments),
    .AddrWidth  (AddrWidth),
    .BeatBytes  (BeatBytes)
  ) u_endpoint (
    .clk_i                (clk_i),
    .rst_i                (rst_i),
    .ready_o              (endpoint_ready),
    .our_ip_i             (our_ip_i),
    .our_port_i           (our_port_i),
    .secret_i             (secret_i),
    .seed_i               (seed_i),
    .most_i               (most_i),
    .rx_base_i            (rx_base_i),
    .tx_base_i            (tx_base_i),
    .now_i                (now_i),
    .idle_limit_i         (idle_limit_i),
    .keepalive_i          (keepalive_i),
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
    .word_valid_o         (word_valid_o),
    .word_ready_i         (word_ready_i),
    .word_o               (word_o),
    .opened_valid_o       (opened_valid),
    .opened_o             (opened),
    .arrived_valid_o      (arrived_valid),
    .arrived_o            (arrived),
    .freed_valid_o        (freed_valid),
    .freed_o              (freed),
    .gone_valid_o         (gone_valid),
    .gone_id_o            (gone_id),
    .owner_valid_i        (owner_valid),
    .owner_ready_o        (owner_ready),
    .owner_i              (owner),
    .back_valid_i         (back_valid),
    .back_id_i            (back_id),
    .wrote_valid_o        (came_valid),
    .wrote_o              (came),
    .wanted_o             (sent_wanted),
    .m_axi_req_o          (endpoint_req),
    .m_axi_resp_i         (endpoint_resp),
    .demux_counts_o       (demux_counts_o),
    .engine_counts_valid_o(engine_counts_valid_o),
    .engine_counts_o      (engine_counts_o),
    .idle_o               (idle_o),
    .lost_o               (lost_o),
    .busy_o               (busy_o),
    .armed_o              (armed_o),
    .soonest_o            (soonest_o),
    .about_valid_i        (about_valid_i),
    .about_id_i           (about_id_i),
    .about_o              (about_o)
  );

  // ---- requests ---------------------------------------------------------------------------------
  logic read_valid, read_ready, bytes_valid, bytes_ready;
  wc_tcp_ring_pkg::read_t read;
  wc_tcp_ring_pkg::word_t bytes;

  wc_tcp_requests #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .MaxKey     (MaxKey),
    .MadeValues (MadeValues),
    .Meta       (Meta),
    .Binary     (Binary)
  ) u_requests (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .ready_o         (requests_ready),
    .most_bytes_i    (most_bytes_i),
    .opened_valid_i  (opened_valid),
    .opened_i        (opened),
    .arrived_valid_i (arrived_valid),
    .arrived_i       (arrived),
    .room_valid_i    (freed_valid),
    .room_i          (freed),
    .answered_valid_i(answered_valid),
    .answered_i      (answered),
    .gone_valid_i    (gone_valid),
    .gone_id_i       (gone_id),
    .back_valid_o    (back_valid),
    .back_id_o       (back_id),
    .read_valid_o    (read_valid),
    .read_ready_i    (read_ready),
    .read_o          (read),
    .word_valid_i    (bytes_valid),
    .word_ready_o    (bytes_ready),
    .word_i          (bytes),
    .head_valid_o    (head_valid_o),
    .head_ready_i    (head_ready_i),
    .head_o          (head_o),
    .packet_valid_o  (packet_valid_o),
    .packet_ready_i  (packet_ready_i),
    .packet_o        (packet_o),
    .event_valid_o   (taken_valid),
    .event_ready_i   (taken_ready),
    .event_o         (taken)
  );

  wc_tcp_ring_read #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_read (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .base_i      (rx_base_i),
    .read_valid_i(read_valid),
    .read_ready_o(read_ready),
    .read_i      (read),
    .word_valid_o(bytes_valid),
    .word_ready_i(bytes_ready),
    .word_o      (bytes),
    .wanted_o    (read_wanted),
    .m_axi_req_o (reader_req),
    .m_axi_resp_i(reader_resp)
  );

  // ---- answers ----------------------------------------------------------------------------------
  logic write_valid, write_ready, answers_valid, answers_ready, done_valid, done_ready;
  wc_tcp_ring_pkg::write_t write;
  wc_tcp_ring_pkg::done_t done;
  wc_pkg::beat_t answers;

  wc_tcp_answers #(
    .Connections(Connections),
    .RingBits   (RingBits)
  ) u_answers (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .opened_valid_i  (opened_valid),
    .opened_i        (opened),
    .message_valid_i (message_valid_i),
    .message_ready_o (message_ready_o),
    .message_i       (message_i),
    .word_valid_i    (answer_valid_i),
    .word_ready_o    (answer_ready_o),
    .word_i          (answer_i),
    .write_valid_o   (write_valid),
    .write_ready_i   (write_ready),
    .write_o         (write),
    .payload_valid_o (answers_valid),
    .payload_ready_i (answers_ready),
    .payload_o       (answers),
    .done_valid_i    (done_valid),
    .done_ready_o    (done_ready),
    .done_i          (done),
    .event_valid_o   (written_valid),
    .event_ready_i   (written_ready),
    .event_o         (written),
    .answered_valid_o(answered_valid),
    .answered_o      (answered)
  );

  wc_tcp_ring_write #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_write (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (tx_base_i),
    .write_valid_i  (write_valid),
    .write_ready_o  (write_ready),
    .write_i        (write),
    .payload_valid_i(answers_valid),
    .payload_ready_o(answers_ready),
    .payload_i      (answers),
    .done_valid_o   (done_valid),
    .done_ready_i   (done_ready),
    .done_o         (done),
    .wrote_valid_o  (left_valid),
    .wrote_o        (left),
    .m_axi_req_o    (writer_req),
    .m_axi_resp_i   (writer_resp)
  );

  // ---- events: one side is offered until it is taken --------------------------------------------
  logic writes_q;

  assign owner_valid = writes_q ? written_valid : taken_valid;
  assign owner = writes_q ? written : taken;
  assign written_ready = writes_q && owner_ready;
  assign taken_ready = !writes_q && owner_ready;

  always_ff @(posedge clk_i) begin
    if (owner_valid ? owner_ready && (writes_q ? taken_valid : written_valid)
                    : writes_q ? taken_valid : written_valid) begin
      writes_q <= !writes_q;
    end
    if (rst_i) writes_q <= 1'b0;
  end

  // ---- memory -----------------------------------------------------------------------------------
  // What has just come, or was just answered, is read from where it was kept on its way to memory.
  axi_req_t [1:0] recent_req;  // answers, requests
  axi_resp_t [1:0] recent_resp;
  axi_resp_t sent_resp;
  axi_req_t read_req;

  wc_tcp_recent #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_requests_recent (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .wrote_valid_i(came_valid),
    .wrote_i      (came),
    .wrote_data_i (endpoint_req.w.data),
    .s_axi_req_i  (reader_req),
    .s_wanted_i   (read_wanted),
    .s_axi_resp_o (reader_resp),
    .m_axi_req_o  (recent_req[1]),
    .m_axi_resp_i (recent_resp[1])
  );

  wc_tcp_recent #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_answers_recent (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .wrote_valid_i(left_valid),
    .wrote_i      (left),
    .wrote_data_i (writer_req.w.data),
    .s_axi_req_i  (endpoint_req),
    .s_wanted_i   (sent_wanted),
    .s_axi_resp_o (sent_resp),
    .m_axi_req_o  (recent_req[0]),
    .m_axi_resp_i (recent_resp[0])
  );

  wc_axi_read_mux #(
    .Masters  (2),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Reads    (32)
  ) u_reads (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (recent_req),
    .s_axi_resp_o(recent_resp),
    .m_axi_req_o (read_req),
    .m_axi_resp_i(m_axi_resp_i)
  );

  // A beat of theirs waits in the multiplexers, while the words of the next one gather.
  axi_req_t [1:0] writes;
  axi_resp_t [1:0] writes_resp;

  for (genvar i = 0; i < 2; i++) begin : gen_w
    wc_axi_w_slice #(
      .AddrWidth(AddrWidth),
      .DataWidth(DataWidth)
    ) u_w (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .s_axi_req_i (i == 0 ? endpoint_req : writer_req),
      .s_axi_resp_o(writes_resp[i]),
      .m_axi_req_o (writes[i]),
      .m_axi_resp_i(i == 0 ? write_resp : writer_mux_resp)
    );
  end

  assign writer_resp = writes_resp[1];

  wc_axi_write_mux #(
    .Masters  (2),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth),
    .Writes   (32)
  ) u_writes (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (writes),
    .s_axi_resp_o({writer_mux_resp, write_resp}),
    .m_axi_req_o (write_req),
    .m_axi_resp_i(m_axi_resp_i)
  );

  always_comb begin
    m_axi_req_o = write_req;
    m_axi_req_o.ar = read_req.ar;
    m_axi_req_o.ar_valid = read_req.ar_valid;
    m_axi_req_o.r_ready = read_req.r_ready;
    endpoint_resp = writes_resp[0];
    endpoint_resp.ar_ready = sent_resp.ar_ready;
    endpoint_resp.r = sent_resp.r;
    endpoint_resp.r_valid = sent_resp.r_valid;
  end

endmodule

`default_nettype wire
