// SPDX-License-Identifier: Apache-2.0
// TCP between the frames of a lane and the bytes of its connections: segments in and out on one side;
// on the other a ring of received bytes and one of bytes to be sent, in memory, for each
// connection. Whoever owns the bytes is told what has come and what the peer has, and says what
// was taken and what was written. The reference model is py/wirecache/model/tcp/endpoint.py.
// Received segments never wait for others than the MAC: what finds no room is dropped, as whole
// frames. hw/net/tcp/README.md has the picture, latency and rates.
// Long because it is a list of parts that have many ports.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_endpoint #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned OurScale    = 0,
  parameter int unsigned AckWait     = 52,  // of 256 cycles each
  parameter int unsigned Segments    = 128,  // that wait behind the MAC, with 8 words for each
  parameter int unsigned AddrWidth   = 40,
  parameter int unsigned BeatBytes   = 16,  // of the memory port
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  output logic                               ready_o,  // after reset; then it stays
  input  wire logic [31:0]                   our_ip_i,    // wire order
  input  wire logic [15:0]                   our_port_i,
  input  wire logic [127:0]                  secret_i,    // of cookies
  input  wire logic [79:0]                   seed_i,      // of the table of connections
  input  wire logic [16:0]                   most_i,      // connections at once
  input  wire logic [AddrWidth-1:0]          rx_base_i,   // of the rings, multiples of a ring
  input  wire logic [AddrWidth-1:0]          tx_base_i,
  input  wire wc_tcp_engine_pkg::time_t      now_i,       // milliseconds
  input  wire logic [15:0]                   idle_limit_i,  // as wc_tcp_idle has it
  input  wire wc_tcp_pkg::keepalive_t        keepalive_i,
  // Segments that come, and the verdicts on their frames, as wc_tcp_rx_buffer has them.
  input  wire logic                          begin_i,
  input  wire logic                          payload_valid_i,
  input  wire wc_net_pkg::payload_t          payload_i,
  input  wire logic                          record_valid_i,
  input  wire wc_tcp_pkg::segment_t          record_i,
  input  wire logic                          commit_i,
  input  wire logic                          abort_i,
  output logic                               overflow_o,
  // Segments that go, as wc_net_tx takes them.
  output logic                               segment_valid_o,
  input  wire logic                          segment_ready_i,
  output wc_net_pkg::reply_t                 segment_o,
  output logic                               word_valid_o,
  input  wire logic                          word_ready_i,
  output wc_pkg::word_t                      word_o,
  // To the owner of the bytes. What is for a cycle cannot be refused.
  output logic                               opened_valid_o,   // for a cycle
  output wc_tcp_engine_pkg::opened_t         opened_o,
  output logic                               arrived_valid_o,  // for a cycle, every 4 at most
  output wc_tcp_engine_pkg::arrived_t        arrived_o,
  output logic                               freed_valid_o,    // for a cycle, every 4 at most
  output wc_tcp_engine_pkg::freed_t          freed_o,
  output logic                               gone_valid_o,     // likewise: nothing of it moves
  output logic [15:0]                        gone_id_o,
  // From the owner: taken, written, a close or an abort; when nothing of what is gone is left there.
  input  wire logic                          owner_valid_i,
  output logic                               owner_ready_o,
  input  wire wc_tcp_engine_pkg::event_t     owner_i,
  input  wire logic                          back_valid_i,     // for a cycle
  input  wire logic [15:0]                   back_id_i,
  output logic                               wrote_valid_o,  // for wc_tcp_recent: W, in this cycle,
  output wc_tcp_ring_pkg::wrote_t            wrote_o,
  output wc_tcp_ring_pkg::wanted_t           wanted_o,       // AR
  output axi_req_t                           m_axi_req_o,
  input  wire axi_resp_t                     m_axi_resp_i,
  output wc_tcp_demux_pkg::counts_t          demux_counts_o,
  output logic                               engine_counts_valid_o,
  output wc_tcp_engine_pkg::counts_t         engine_counts_o,
  output logic                               idle_o,  // a connection ends, of which nothing comes
  output logic                               lost_o,  // memory did not write, or read, bytes
  output logic                               busy_o,  // an event, or an ACK, waits
  output logic                               armed_o,  // a deadline is set: time matters,
  output logic [17:0]                        soonest_o, // from this millisecond on (low bits)
  input  wire logic                          about_valid_i,  // the host asks, for a cycle,
  input  wire logic [15:0]                   about_id_i,     // for this one: stays until it is told
  output wc_tcp_pkg::about_t                 about_o
);

  import wc_tcp_engine_pkg::*;

  // ---- segments that come: whose they are ---------------------------------------------------------
  logic segment_valid, segment_ready, payload_valid, payload_ready;
  wc_tcp_pkg::segment_t segment;
  wc_pkg::beat_t payload;
  logic fate_valid, fate_ready, demux_ready, events_ready, answer_valid, answer_ready;
  wc_tcp_demux_pkg::fate_t fate;
  logic crowded, found_valid, found_ready, found_dropped, hurry, closed_valid, given, coming_valid;
  logic [15:0] closed_id, coming_id;
  event_t found;
  wc_tcp_pkg::out_t answer;
  logic result_valid;
  result_t result;

  logic peer_busy, age_busy, about_open;
  logic [15:0] about_age;
  wc_tcp_lookup_pkg::peer_t about_peer;

  assign ready_o = demux_ready && events_ready;

  wc_tcp_rx_buffer #(
    .Words  (8 * Segments),
    .Records(Segments)
  ) u_rx (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .begin_i        (begin_i),
    .payload_valid_i(payload_valid_i),
    .payload_i      (payload_i),
    .record_valid_i (record_valid_i),
    .record_i       (record_i),
    .commit_i       (commit_i),
    .abort_i        (abort_i),
    .overflow_o     (overflow_o),
    .crowded_o      (crowded),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready),
    .segment_o      (segment),
    .payload_valid_o(payload_valid),
    .payload_ready_i(payload_ready),
    .payload_o      (payload)
  );

  wc_tcp_demux #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale)
  ) u_demux (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .ready_o        (demux_ready),
    .secret_i       (secret_i),
    .seed_i         (seed_i),
    .now_i          (now_i),
    .most_i         (most_i),
    .segment_valid_i(segment_valid),
    .segment_ready_o(segment_ready),
    .segment_i      (segment),
    .crowded_i      (crowded),
    .fate_valid_o   (fate_valid),
    .fate_ready_i   (fate_ready),
    .fate_o         (fate),
    .event_valid_o  (found_valid),
    .event_ready_i  (found_ready),
    .event_dropped_i(found_dropped),
    .event_hurry_o  (hurry),
    .coming_valid_o (coming_valid),
    .coming_id_o    (coming_id),
    .event_o        (found),
    .result_valid_i (result_valid),
    .result_i       (result),
    .gone_valid_o   (closed_valid),
    .gone_id_o      (closed_id),
    .back_valid_i   (back_valid_i),
    .back_id_i      (back_id_i),
    .out_valid_o    (answer_valid),
    .out_ready_i    (answer_ready),
    .out_o          (answer),
    .counts_o       (demux_counts_o),
    .about_valid_i  (about_valid_i),
    .about_id_i     (about_id_i),
    .about_busy_o   (peer_busy),
    .about_peer_o   (about_peer)
  );

  // ---- what becomes of them ---------------------------------------------------------------------
  logic owner_valid, owner_ready, step, event_valid, event_ready, room;
  logic abort_valid, abort_ready, aborts_q, ask_valid, ask_ready, ask_last, asks_q;
  logic [15:0] abort_id, ask_id;
  event_t owner, event_;
  logic events_busy, idle_busy, keepalive_busy, ends_valid, ends_ready;
  logic [15:0] ends_id;
  soonest_t due, idle_due, keepalive_due, soonest;
  logic place_valid, progress_valid;
  place_t place;
  progress_t progress;

  assign given = found_valid && found_ready && !found_dropped && found.kind == EventSegment;
  assign opened_valid_o = given && found.opens;
  assign opened_o = '{id: found.id, next: found.segment.seq, una: found.segment.ack};

  // A connection whose bytes are lost is ended, and a peer that is silent asked, between two events
  // of the owner's.
  logic free;  // the next event may be one of these
  assign free = owner_ready || !(aborts_q || asks_q || owner_valid_i);
  assign owner_valid = aborts_q || asks_q || owner_valid_i;
  assign owner_ready_o = !aborts_q && !asks_q && owner_ready;
  assign abort_ready = aborts_q && owner_ready;
  assign ask_ready = asks_q && owner_ready;

  always_comb begin
    owner = owner_i;
    if (aborts_q) begin
      owner.kind = EventAbort;
      owner.id = abort_id;
    end else if (asks_q) begin
      owner.kind = ask_last ? EventSilent : EventKeepalive;
      owner.id = ask_id;
    end
  end

  always_ff @(posedge clk_i) begin
    if (free) begin  // one of the owner's goes in between
      aborts_q <= abort_valid && !aborts_q && !asks_q;
      asks_q <= ask_valid && !abort_valid && !aborts_q && !asks_q;
    end
    if (rst_i) begin
      aborts_q <= 1'b0;
      asks_q <= 1'b0;
    end
  end

  wc_tcp_events #(
    .Connections(Connections),
    .AckWait    (AckWait)
  ) u_events (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .ready_o          (events_ready),
    .now_i            (now_i),
    .room_i           (room),
    .coming_valid_i   (coming_valid),
    .coming_id_i      (coming_id),
    .segment_valid_i  (found_valid),
    .segment_ready_o  (found_ready),
    .segment_dropped_o(found_dropped),
    .segment_hurry_i  (hurry),
    .segment_i        (found),
    .owner_valid_i    (owner_valid),
    .owner_ready_o    (owner_ready),
    .owner_i          (owner),
    .step_i           (step),
    .event_valid_o    (event_valid),
    .event_ready_i    (event_ready),
    .event_o          (event_),
    .result_valid_i   (result_valid),
    .result_i         (result),
    .busy_o           (events_busy),
    .armed_o          (due.there),
    .soonest_o        (due.at)
  );

  assign busy_o = events_busy || idle_busy || keepalive_busy;
  assign soonest = sooner(sooner(due, idle_due), keepalive_due);
  assign armed_o = soonest.there;
  assign soonest_o = soonest.at;

  wc_tcp_engine #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .OurScale   (OurScale)
  ) u_engine (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .now_i           (now_i),
    .event_valid_i   (event_valid),
    .event_ready_o   (event_ready),
    .step_o          (step),
    .event_i         (event_),
    .place_valid_o   (place_valid),
    .place_o         (place),
    .progress_valid_o(progress_valid),
    .progress_o      (progress),
    .result_valid_o  (result_valid),
    .result_o        (result)
  );

  assign freed_valid_o = progress_valid && progress.freed != '0;
  assign freed_o = '{id: progress.id, bytes: progress.freed};
  assign engine_counts_valid_o = result_valid;
  assign engine_counts_o = result.counts;

  // ---- bytes that come --------------------------------------------------------------------------
  logic write_valid, write_ready, done_valid, done_ready, left_valid, left_ready;
  logic leaves_valid, leaves_ready;  // of those that have left: nobody is about to ask its peer
  wc_tcp_ring_pkg::write_t write;
  wc_tcp_ring_pkg::done_t done;
  logic [15:0] left_id;
  axi_req_t write_req, read_req;

  wc_tcp_payload #(
    .Connections(Connections)
  ) u_payload (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .room_i          (room),
    .fate_valid_i    (fate_valid),
    .fate_ready_o    (fate_ready),
    .fate_i          (fate),
    .opens_valid_i   (opened_valid_o),
    .opens_id_i      (opened_o.id),
    .gone_valid_i    (closed_valid),
    .gone_id_i       (closed_id),
    .place_valid_i   (place_valid),
    .place_i         (place),
    .progress_valid_i(progress_valid),
    .progress_i      (progress),
    .write_valid_o   (write_valid),
    .write_ready_i   (write_ready),
    .write_o         (write),
    .done_valid_i    (done_valid),
    .done_ready_o    (done_ready),
    .done_i          (done),
    .ends_valid_i    (ends_valid),
    .ends_ready_o    (ends_ready),
    .ends_id_i       (ends_id),
    .arrived_valid_o (arrived_valid_o),
    .arrived_o       (arrived_o),
    .abort_valid_o   (abort_valid),
    .abort_ready_i   (abort_ready),
    .abort_id_o      (abort_id),
    .gone_valid_o    (left_valid),
    .gone_ready_i    (left_ready),
    .gone_id_o       (left_id)
  );

  wc_tcp_idle #(
    .Connections(Connections)
  ) u_idle (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .now_i         (now_i),
    .limit_i       (idle_limit_i),
    .opened_valid_i(opened_valid_o),
    .opened_id_i   (opened_o.id),
    .heard_valid_i (arrived_valid_o),
    .heard_i       (arrived_o),
    .shut_valid_i  (owner_valid && owner_ready && owner.kind == EventClose),
    .shut_id_i     (owner.id),
    .closed_valid_i(left_valid && left_ready),
    .closed_id_i   (left_id),
    .ends_valid_o  (ends_valid),
    .ends_ready_i  (ends_ready),
    .ends_id_o     (ends_id),
    .busy_o        (idle_busy),
    .soonest_o     (idle_due),
    .about_valid_i (about_valid_i),
    .about_id_i    (about_id_i),
    .about_busy_o  (age_busy),
    .about_open_o  (about_open),
    .about_age_o   (about_age)
  );

  assign about_o = '{
    busy: peer_busy || age_busy,
    open: about_open,
    age: about_age,
    ip: about_peer.ip,
    port: about_peer.port
  };

  // A connection that is asked is held back until the engine knows, so its number is not another's.
  assign leaves_valid = left_valid && !(ask_valid && ask_id == left_id);
  assign left_ready = leaves_ready && !(ask_valid && ask_id == left_id);

  wc_tcp_keepalive #(
    .Connections(Connections)
  ) u_keepalive (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .now_i         (now_i),
    .settings_i    (keepalive_i),
    .opened_valid_i(opened_valid_o),
    .opened_id_i   (opened_o.id),
    .heard_valid_i (progress_valid),
    .heard_id_i    (progress.id),
    .closed_valid_i(left_valid && left_ready),
    .closed_id_i   (left_id),
    .ask_valid_o   (ask_valid),
    .ask_ready_i   (ask_ready),
    .ask_id_o      (ask_id),
    .ask_last_o    (ask_last),
    .busy_o        (keepalive_busy),
    .soonest_o     (keepalive_due)
  );

  wc_tcp_ring_write #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_write (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (rx_base_i),
    .write_valid_i  (write_valid),
    .write_ready_o  (write_ready),
    .write_i        (write),
    .payload_valid_i(payload_valid),
    .payload_ready_o(payload_ready),
    .payload_i      (payload),
    .done_valid_o   (done_valid),
    .done_ready_i   (done_ready),
    .done_o         (done),
    .wrote_valid_o  (wrote_valid_o),
    .wrote_o        (wrote_o),
    .m_axi_req_o    (write_req),
    .m_axi_resp_i   (m_axi_resp_i)
  );

  // ---- segments that go -------------------------------------------------------------------------
  logic read_valid, read_ready, bytes_valid, bytes_ready, header_valid, header_ready;
  logic sent_valid, sent_ready, sent_error;
  wc_tcp_ring_pkg::read_t read;
  wc_tcp_ring_pkg::word_t bytes;
  wc_tcp_pkg::out_t header;
  wc_pkg::beat_t sent;

  wc_tcp_out #(
    .Connections(Connections)
  ) u_out (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .room_o         (room),
    .event_valid_i  (given),
    .event_i        (found),
    .result_valid_i (result_valid),
    .result_i       (result),
    .answer_valid_i (answer_valid),
    .answer_ready_o (answer_ready),
    .answer_i       (answer),
    .gone_valid_i   (leaves_valid),
    .gone_ready_o   (leaves_ready),
    .gone_id_i      (left_id),
    .gone_valid_o   (gone_valid_o),
    .gone_id_o      (gone_id_o),
    .read_valid_o   (read_valid),
    .read_ready_i   (read_ready),
    .read_o         (read),
    .word_valid_i   (bytes_valid),
    .word_ready_o   (bytes_ready),
    .word_i         (bytes),
    .header_valid_o (header_valid),
    .header_ready_i (header_ready),
    .header_o       (header),
    .payload_valid_o(sent_valid),
    .payload_ready_i(sent_ready),
    .payload_o      (sent),
    .payload_error_o(sent_error)
  );

  wc_tcp_ring_read #(
    .AddrWidth(AddrWidth),
    .RingBits (RingBits),
    .BeatBytes(BeatBytes)
  ) u_read (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .base_i      (tx_base_i),
    .read_valid_i(read_valid),
    .read_ready_o(read_ready),
    .read_i      (read),
    .word_valid_o(bytes_valid),
    .word_ready_i(bytes_ready),
    .word_o      (bytes),
    .wanted_o    (wanted_o),
    .m_axi_req_o (read_req),
    .m_axi_resp_i(m_axi_resp_i)
  );

  wc_tcp_tx u_tx (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .our_ip_i       (our_ip_i),
    .our_port_i     (our_port_i),
    .header_valid_i (header_valid),
    .header_ready_o (header_ready),
    .header_i       (header),
    .payload_valid_i(sent_valid),
    .payload_ready_o(sent_ready),
    .payload_i      (sent),
    .payload_error_i(sent_error),
    .segment_valid_o(segment_valid_o),
    .segment_ready_i(segment_ready_i),
    .segment_o      (segment_o),
    .word_valid_o   (word_valid_o),
    .word_ready_i   (word_ready_i),
    .word_o         (word_o)
  );

  // ---- memory: one writes, the other reads ------------------------------------------------------
  always_comb begin
    m_axi_req_o = write_req;
    m_axi_req_o.ar = read_req.ar;
    m_axi_req_o.ar_valid = read_req.ar_valid;
    m_axi_req_o.r_ready = read_req.r_ready;
  end

  always_ff @(posedge clk_i) begin
    lost_o <= (done_valid && done_ready && done.error)
              || (sent_valid && sent_ready && sent.last && sent_error);
    idle_o <= ends_valid && ends_ready;
    if (rst_i) begin
      lost_o <= 1'b0;
      idle_o <= 1'b0;
    end
  end

endmodule

`default_nettype wire
