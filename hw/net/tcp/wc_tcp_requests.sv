// SPDX-License-Identifier: Apache-2.0
// From bytes in the connections' receive rings to packets of whole requests for the parser. A packet
// of a connection at a time: reads, or commands with short answers, or one of the host. Connections
// with something to do have turns, one after the other; who has half a request has none.
// Latency from arrived_i to the first read 18 to 21 cycles, beside what memory, the ring's reader
// and the framer take 20 more to the packet. hw/net/tcp/README.md has what a turn takes.
// Stalls while packets or events are not taken; arrived, room, answered, opened and gone never wait.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests
  import wc_tcp_requests_pkg::*;
  import wc_tcp_engine_pkg::opened_t;
  import wc_tcp_engine_pkg::arrived_t;
  import wc_tcp_engine_pkg::freed_t;
  import wc_pkg::value_len_t;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned Budget      = 20,    // requests of a turn
  parameter int unsigned TurnBytes   = 2048,  // framed in a turn, of a value;
  parameter int unsigned LineBytes   = 512,   // what is read behind the last request is in vain
  parameter int unsigned Words       = 512,   // of packets that wait for the parser
  parameter int unsigned Ahead       = 8,     // turns in work
  parameter int unsigned MaxKey      = wc_pkg::MaxKeyBytes,
  parameter bit          MadeValues  = 1'b1,
  parameter bit          Meta        = 1'b1,
  parameter bit          Binary      = 1'b1
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  output logic            ready_o,       // after reset; then it stays
  input  wire value_len_t most_bytes_i,  // of an item, as memcached counts them

  // Each for a cycle, and none within four cycles of the last one of its kind.
  input  wire logic       opened_valid_i,
  input  wire opened_t    opened_i,
  input  wire logic       arrived_valid_i,
  input  wire arrived_t   arrived_i,
  input  wire logic       room_valid_i,
  input  wire freed_t     room_i,
  input  wire logic       answered_valid_i,
  input  wire answered_t  answered_i,
  input  wire logic       gone_valid_i,  // behind it, of the connection comes answered_i alone
  input  wire id_t        gone_id_i,
  output logic            back_valid_o,  // for a cycle: nothing of the connection is left here
  output id_t             back_id_o,

  output logic            read_valid_o,
  input  wire logic       read_ready_i,
  output wc_tcp_ring_pkg::read_t read_o,
  input  wire logic       word_valid_i,
  output logic            word_ready_o,
  input  wire wc_tcp_ring_pkg::word_t word_i,

  output logic            head_valid_o,
  input  wire logic       head_ready_i,
  output head_t           head_o,
  output logic            packet_valid_o,
  input  wire logic       packet_ready_i,
  output packet_word_t    packet_o,

  output logic            event_valid_o,
  input  wire logic       event_ready_i,
  output wc_tcp_engine_pkg::event_t event_o
);

  localparam int unsigned Longest = TurnBytes / 8;

  `WC_REQUIRE(ring, RingBits >= 12 && RingBits <= wc_pkg::MostRingBits,
              "wc_tcp_requests: RingBits must be 12 to 23")
  `WC_REQUIRE(budget, Budget >= 1 && Budget < 64, "wc_tcp_requests: Budget must be 1 to 63")
  `WC_REQUIRE(turn, TurnBytes % 8 == 0 && TurnBytes >= 256 && TurnBytes <= 2 ** RingBits
              && TurnBytes < 65536,
              "wc_tcp_requests: TurnBytes must be whole words, 256 to a ring, and below 65,536")
  `WC_REQUIRE(line, LineBytes % 8 == 0 && LineBytes >= 256 && LineBytes <= TurnBytes,
              "wc_tcp_requests: LineBytes must be whole words, 256 to TurnBytes")

  typedef logic [$clog2(Connections)-1:0] index_t;
  typedef logic [RingBits:0] place_t;
  typedef logic [15:0] offset_t;

  phase_t phase_q;

  always_ff @(posedge clk_i) begin
    phase_q <= phase_q + 1'b1;
    if (rst_i) phase_q <= '0;
  end

  // ---- who has a turn, and what for ------------------------------------------------------------
  logic again, again_ready, put, may_wait, waits, look, turn_valid, turn_ready;
  id_t put_id, look_id, turn_id;
  wants_t wants;
  logic [RingBits-1:0] base, operations;
  place_t arrived, acked, written, needs;
  logic ended, turn, gone;
  logic packet, packet_given, turns, ends, closed, value;
  logic [31:0] rest;
  place_t start_at, stop_at, seen;
  logic job_valid, job_ready, piece_ends, enough, words_end, job_ends;
  job_t job;
  id_t job_id;

  wc_tcp_requests_book #(
    .Connections(Connections),
    .RingBits   (RingBits)
  ) u_book (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .phase_i         (phase_q),
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
    .again_valid_i   (again),
    .again_ready_o   (again_ready),
    .again_id_i      (job_id),
    .put_valid_o     (put),
    .put_id_o        (put_id),
    .may_wait_i      (may_wait),
    .waits_i         (waits),
    .waits_id_i      (job_id),
    .wants_i         (wants),
    .look_i          (look),
    .look_id_i       (look_id),
    .base_o          (base),
    .arrived_o       (arrived),
    .ended_o         (ended),
    .acked_o         (acked),
    .written_o       (written),
    .needs_o         (needs),
    .operations_o    (operations),
    .turn_o          (turn),
    .gone_o          (gone)
  );

  wc_tcp_requests_ready #(
    .Connections(Connections)
  ) u_ready (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (ready_o),
    .phase_i    (phase_q),
    .put_valid_i(put),
    .put_id_i   (put_id),
    .valid_o    (turn_valid),
    .ready_i    (turn_ready),
    .id_o       (turn_id)
  );

  wc_tcp_requests_turn #(
    .RingBits (RingBits),
    .Budget   (Budget),
    .TurnBytes(TurnBytes),
    .LineBytes(LineBytes),
    .Ahead    (Ahead)
  ) u_turn (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .phase_i      (phase_q),
    .ready_valid_i(turn_valid),
    .ready_ready_o(turn_ready),
    .ready_id_i   (turn_id),
    .may_wait_o   (may_wait),
    .look_o       (look),
    .look_id_o    (look_id),
    .base_i       (base),
    .arrived_i    (arrived),
    .ended_i      (ended),
    .acked_i      (acked),
    .written_i    (written),
    .needs_i      (needs),
    .operations_i (operations),
    .turn_i       (turn),
    .gone_i       (gone),
    .packet_i     (packet),
    .given_i      (packet_given),
    .turns_i      (turns),
    .quits_i      (ends),
    .closed_i     (closed),
    .value_i      (value),
    .rest_i       (rest),
    .start_i      (start_at),
    .stop_i       (stop_at),
    .seen_i       (seen),
    .job_valid_o  (job_valid),
    .job_ready_i  (job_ready),
    .job_o        (job),
    .piece_ends_i (piece_ends),
    .enough_i     (enough),
    .words_end_i  (words_end),
    .job_ends_i   (job_ends),
    .read_valid_o (read_valid_o),
    .read_ready_i (read_ready_i),
    .read_o       (read_o)
  );

  // ---- what it does ----------------------------------------------------------------------------
  logic start, framer_ready, framer_word, framer_word_ready, mark_valid, fed_valid;
  wc_tcp_framer_pkg::state_t framed;
  wc_tcp_framer_pkg::given_t given;
  wc_tcp_framer_pkg::mark_t mark;
  wc_tcp_framer_pkg::fed_t fed;
  logic single, some, skips, quits, passes, passed, enough_now;
  logic [5:0] shorts;
  offset_t cut, passed_stop;
  class_e kind;
  logic room, full, buffer_write, through, keep_valid, packet_valid, packet_ready;
  logic [$clog2(Longest+1)-1:0] keep;
  head_t packet_head;
  place_t packet_bytes, say_bytes;
  logic say_valid, say_ready;
  say_e say;

  wc_tcp_requests_job #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .TurnBytes  (TurnBytes),
    .Ahead      (Ahead),
    .Binary     (Binary)
  ) u_job (
    .clk_i              (clk_i),
    .rst_i              (rst_i),
    .phase_i            (phase_q),
    .look_i             (look),
    .look_id_i          (look_id),
    .packet_o           (packet),
    .given_o            (packet_given),
    .turns_o            (turns),
    .quits_o            (ends),
    .closed_o           (closed),
    .value_o            (value),
    .rest_o             (rest),
    .start_o            (start_at),
    .stop_o             (stop_at),
    .seen_o             (seen),
    .job_valid_i        (job_valid),
    .job_ready_o        (job_ready),
    .job_i              (job),
    .piece_ends_o       (piece_ends),
    .enough_o           (enough),
    .words_end_o        (words_end),
    .job_ends_o         (job_ends),
    .id_o               (job_id),
    .again_valid_o      (again),
    .again_ready_i      (again_ready),
    .waits_o            (waits),
    .wants_o            (wants),
    .word_valid_i       (word_valid_i),
    .word_ready_o       (word_ready_o),
    .word_i             (word_i),
    .start_valid_o      (start),
    .framed_o           (framed),
    .framer_word_valid_o(framer_word),
    .framer_word_ready_i(framer_word_ready),
    .framer_word_o      (given),
    .fed_valid_i        (fed_valid),
    .fed_i              (fed),
    .single_o           (single),
    .shorts_o           (shorts),
    .some_i             (some),
    .skips_i            (skips),
    .cut_i              (cut),
    .kind_i             (kind),
    .quits_i            (quits),
    .passes_i           (passes),
    .passed_i           (passed),
    .passed_stop_i      (passed_stop),
    .enough_i           (enough_now),
    .room_i             (room),
    .full_i             (full),
    .write_o            (buffer_write),
    .through_o          (through),
    .keep_valid_o       (keep_valid),
    .keep_o             (keep),
    .packet_valid_o     (packet_valid),
    .packet_ready_i     (packet_ready),
    .head_o             (packet_head),
    .bytes_o            (packet_bytes),
    .say_valid_o        (say_valid),
    .say_ready_i        (say_ready),
    .say_o              (say),
    .say_bytes_o        (say_bytes)
  );

  wc_tcp_framer #(
    .MaxKey    (MaxKey),
    .MadeValues(MadeValues),
    .Meta      (Meta),
    .Binary    (Binary)
  ) u_framer (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .most_bytes_i (most_bytes_i),
    .start_valid_i(start),
    .start_ready_o(framer_ready),
    .start_i      (framed),
    .word_valid_i (framer_word),
    .word_ready_o (framer_word_ready),
    .word_i       (given),
    .mark_valid_o (mark_valid),
    .mark_o       (mark),
    .fed_valid_o  (fed_valid),
    .fed_o        (fed)
  );

  wc_tcp_requests_cut #(
    .Budget(Budget)
  ) u_cut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .start_i      (start),
    .single_i     (single),
    .shorts_i     (shorts),
    .mark_valid_i (mark_valid),
    .mark_i       (mark),
    .some_o       (some),
    .skips_o      (skips),
    .stop_o       (cut),
    .kind_o       (kind),
    .quits_o      (quits),
    .passes_o     (passes),
    .passed_o     (passed),
    .passed_stop_o(passed_stop),
    .enough_o     (enough_now)
  );

  wc_tcp_requests_buffer #(
    .Connections(Connections),
    .RingBits   (RingBits),
    .Longest    (Longest),
    .Words      (Words)
  ) u_buffer (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .room_o        (room),
    .full_o        (full),
    .write_i       (buffer_write),
    .data_i        (word_i.data),
    .through_i     (through),
    .keep_valid_i  (keep_valid),
    .keep_i        (keep),
    .packet_valid_i(packet_valid),
    .packet_ready_o(packet_ready),
    .packet_i      (packet_head),
    .bytes_i       (packet_bytes),
    .head_valid_o  (head_valid_o),
    .head_ready_i  (head_ready_i),
    .head_o        (head_o),
    .word_valid_o  (packet_valid_o),
    .word_ready_i  (packet_ready_i),
    .word_o        (packet_o)
  );

  // ---- events ----------------------------------------------------------------------------------
  typedef struct packed {
    say_e   say;
    index_t id;
    place_t bytes;
  } said_t;

  said_t said;
  logic said_valid, said_ready;

  // Worst case: full; then turns wait.
  wc_fifo_shallow #(
    .data_t(said_t),
    .Depth (16)
  ) u_said (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(say_valid),
    .ready_o(say_ready),
    .data_i ('{say: say, id: index_t'(job_id), bytes: say_bytes}),
    .valid_o(said_valid),
    .ready_i(said_ready),
    .data_o (said)
  );

  // A connection is given back behind all its events.
  assign event_valid_o = said_valid && said.say != SayBack;
  assign back_valid_o = said_valid && said.say == SayBack;
  assign back_id_o = id_t'(said.id);
  assign said_ready = event_ready_i || back_valid_o;

  always_comb begin
    event_o = '0;
    unique case (said.say)
      SayTaken: event_o.kind = wc_tcp_engine_pkg::EventTaken;
      SayClose: event_o.kind = wc_tcp_engine_pkg::EventClose;
      default:  event_o.kind = wc_tcp_engine_pkg::EventAbort;
    endcase
    event_o.id = id_t'(said.id);
    if (said.say == SayTaken) event_o.bytes = wc_tcp_engine_pkg::offset_t'(said.bytes);
  end

  // ---- rules -----------------------------------------------------------------------------------
  `WC_ASSERT_STREAM(event, event_valid_o, event_ready_i, event_o)
  `WC_ASSERT(framer_is_free, !start || framer_ready)

endmodule

`default_nettype wire
