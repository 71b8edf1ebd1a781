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
  import wc_pkg::value_len_t;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned Budget      = 20,    // requests of a turn
  parameter int unsigned TurnBytes   = 2048,  // framed in a turn
  parameter int unsigned Words       = 512,   // of packets that wait for the parser
  parameter int unsigned Ahead       = 4,     // turns in work
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

  localparam int unsigned IdBits = $clog2(Connections);
  localparam int unsigned Longest = TurnBytes / 8;
  localparam logic [7:0] Magic = wc_tcp_framer_pkg::Magic;

  `WC_REQUIRE(ring, RingBits >= 12 && RingBits <= 20, "wc_tcp_requests: RingBits must be 12 to 20")
  `WC_REQUIRE(budget, Budget >= 1 && Budget < 64, "wc_tcp_requests: Budget must be 1 to 63")
  `WC_REQUIRE(turn, TurnBytes % 8 == 0 && TurnBytes >= 256 && TurnBytes <= 2 ** RingBits
              && TurnBytes < 65536,
              "wc_tcp_requests: TurnBytes must be whole words, 256 to a ring, and below 65,536")

  typedef logic [IdBits-1:0] index_t;
  typedef logic [RingBits:0] place_t;
  typedef logic [15:0] offset_t;
  typedef logic [$clog2(Longest+1)-1:0] keep_t;
  typedef wc_tcp_framer_pkg::state_t framed_t;

  // Of a connection, changed by its turns alone. All zeros when it opens.
  typedef struct packed {
    logic    packet;  // there is one, from `start` to `stop`,
    class_e  kind;
    logic    given;   // it was given
    logic    turns;   // changes each time one is
    logic    quits;   // behind it the connection ends
    logic    closed;
    logic    binary;
    place_t  start;   // all before has been taken
    place_t  stop;
    place_t  seen;    // and framed up to here;
    framed_t framed;  // so far
  } kept_t;

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
  kept_t kept;
  logic tell, told, job_valid, job_ready, piece_ends, enough, job_ends;
  job_t told_job;

  typedef struct packed {  // a job_t of the bits that are used
    index_t              id;
    what_e               what;
    logic                answered;
    wants_t              wants;
    logic                more;
    logic [5:0]          shorts;
    place_t              room;
    logic [RingBits-1:0] skip;
  } work_t;

  work_t job, job_q;
  id_t job_id;

  assign job_id = id_t'(job_q.id);

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
    .packet_i     (kept.packet),
    .given_i      (kept.given),
    .turns_i      (kept.turns),
    .quits_i      (kept.quits),
    .closed_i     (kept.closed),
    .start_i      (kept.start),
    .stop_i       (kept.stop),
    .seen_i       (kept.seen),
    .job_valid_o  (tell),
    .job_ready_i  (told),
    .job_o        (told_job),
    .piece_ends_i (piece_ends),
    .enough_i     (enough),
    .job_ends_i   (job_ends),
    .read_valid_o (read_valid_o),
    .read_ready_i (read_ready_i),
    .read_o       (read_o)
  );

  // Worst case: Ahead turns are in work.
  wc_fifo_shallow #(
    .data_t(work_t),
    .Depth (Ahead)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(tell),
    .ready_o(told),
    .data_i ('{id: index_t'(told_job.id), what: told_job.what, answered: told_job.answered,
               wants: told_job.wants, more: told_job.more, shorts: told_job.shorts,
               room: place_t'(told_job.room), skip: told_job.skip[RingBits-1:0]}),
    .valid_o(job_valid),
    .ready_i(job_ready),
    .data_o (job)
  );

  // ---- what turns know of a connection ---------------------------------------------------------
  // In phase 3 it is read to see what a turn is for; in phase 1 for the job.
  // After reset, and when a connection is gone, zeros are written.
  logic fetch, write, clearing_q;
  index_t clear_q;
  kept_t now_q;

  always_ff @(posedge clk_i) begin
    clear_q <= clear_q + 1'b1;
    if (clear_q == '1) clearing_q <= 1'b0;
    if (rst_i) begin
      clear_q <= '0;
      clearing_q <= 1'b1;
    end
  end

  wc_ram_sdp #(
    .Width($bits(kept_t)),
    .Depth(Connections)
  ) u_kept (
    .clk_i  (clk_i),
    .we_i   (clearing_q || write),
    .waddr_i(clearing_q ? clear_q : job_q.id),
    .wdata_i(now_q),
    .re_i   (look || fetch),
    .raddr_i(phase_q == 2'd3 ? index_t'(look_id) : job_q.id),
    .rdata_o(kept)
  );

  // ---- the framer ------------------------------------------------------------------------------
  logic start, framer_ready, framer_word, framer_word_ready, mark_valid, fed_valid;
  wc_tcp_framer_pkg::given_t given;
  wc_tcp_framer_pkg::mark_t mark;
  wc_tcp_framer_pkg::fed_t fed;
  logic framer_closed_q;
  piece_t piece;
  logic ends;  // the last word of the job

  assign piece = piece_t'(word_i.tag[$bits(piece_t)-1:0]);
  assign ends = word_i.last && piece.final_;
  assign given = '{data: word_i.data, last: ends,
                   bytes: word_i.last && piece.rest != '0 ? {1'b0, piece.rest} : 4'd8};

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
    .start_i      (now_q.framed),
    .word_valid_i (framer_word),
    .word_ready_o (framer_word_ready),
    .word_i       (given),
    .mark_valid_o (mark_valid),
    .mark_o       (mark),
    .fed_valid_o  (fed_valid),
    .fed_o        (fed)
  );

  logic buffered_q;  // what is read is kept, as a packet may begin with it
  logic some, skips, quits, passes, passed, enough_now;
  offset_t stop, passed_stop;
  class_e kind;

  wc_tcp_requests_cut #(
    .Budget(Budget)
  ) u_cut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .start_i      (start),
    .single_i     (!buffered_q),
    .shorts_i     (job_q.shorts),
    .mark_valid_i (mark_valid),
    .mark_i       (mark),
    .some_o       (some),
    .skips_o      (skips),
    .stop_o       (stop),
    .kind_o       (kind),
    .quits_o      (quits),
    .passes_o     (passes),
    .passed_o     (passed),
    .passed_stop_o(passed_stop),
    .enough_o     (enough_now)
  );

  // ---- packets ---------------------------------------------------------------------------------
  logic room, full, buffer_write, through, keep_valid, packet_valid, packet_ready;
  keep_t keep;
  head_t packet_head;
  place_t packet_bytes;

  assign packet_head = '{id: job_id, binary: now_q.binary, kind: through ? now_q.kind : kind,
                         room: bytes_t'(job_q.room), skip: bytes_t'(job_q.skip)};

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

  // ---- a job -----------------------------------------------------------------------------------
  typedef enum logic [3:0] {
    Idle,
    Fetch,   // what is known of the connection, in phase 1
    Load,
    Sort,
    Begin,
    Frame,   // words go to the framer, and into the buffer
    Judge,   // what the framer has found
    Pass,    // words go into the buffer
    Count,
    Taken,   // events
    Ends,
    Write,   // in phase 2
    Again    // it is to have another turn, in phase 0
  } state_e;

  state_e state_q;
  logic sent_q;   // the last word was given
  logic error_q;  // memory could not be read
  logic again_q;
  wants_t wants_q;
  offset_t total_q;  // bytes framed
  place_t before_q;  // start, before the turn
  place_t length_q, taken_q;
  logic takes_q;     // some
  logic says_q;      // an event of `say_q`
  say_e say_q;
  logic passes_on;   // what is passed over goes on behind what was framed
  place_t moved;
  offset_t moves;
  logic word_take, say_valid, say_ready;

  assign job_ready = state_q == Idle;
  assign fetch = state_q == Fetch && phase_q == 2'd1;
  assign through = job_q.what == DoGive;
  assign start = state_q == Begin && job_q.what == DoFrame && (!buffered_q || room);
  assign framer_word = word_valid_i && state_q == Frame && !sent_q;
  assign word_ready_o = (state_q == Frame && !sent_q && framer_word_ready)
                        || (state_q == Pass && !full);
  assign word_take = word_valid_i && word_ready_o;
  assign buffer_write = word_take && (through || buffered_q);
  assign piece_ends = word_take && word_i.last;
  assign enough = state_q == Frame && enough_now;

  // Where the next bytes are: behind the packet and what was passed over; else behind all.
  assign passes_on = now_q.framed.mode == wc_tcp_framer_pkg::Skip;
  assign moves = some && passed ? passed_stop
                 : (some && !(passes && passes_on)) || skips ? stop : total_q;
  assign moved = now_q.seen + place_t'(moves);

  assign packet_valid = (state_q == Begin && through)
                        || (state_q == Judge && buffered_q && some && !error_q);
  assign packet_bytes = through ? length_q : place_t'(stop);
  assign keep_valid = state_q == Judge && buffered_q && (packet_ready || !packet_valid);
  assign keep = packet_valid ? keep_t'((17'(stop) + 17'd7) >> 3) : '0;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: if (job_valid) begin
        job_q <= job;
        state_q <= Fetch;
      end

      Fetch: if (phase_q == 2'd1) state_q <= Load;

      Load: begin
        now_q <= kept;
        before_q <= kept.start;
        length_q <= kept.stop - kept.start;
        state_q <= Sort;
      end

      // Its packet was answered: it is taken.
      Sort: begin
        if (job_q.answered) begin
          now_q.packet <= 1'b0;
          now_q.start <= now_q.seen;
        end
        buffered_q <= job_q.what == DoFrame && (job_q.answered || now_q.start == now_q.seen)
                      && now_q.framed.mode != wc_tcp_framer_pkg::Skip;
        again_q <= 1'b0;
        wants_q <= job_q.what == DoNothing ? job_q.wants : '0;
        says_q <= job_q.what inside {DoClose, DoBack};
        say_q <= job_q.what == DoClose ? SayClose : SayBack;
        if (job_q.what == DoClose) now_q.closed <= 1'b1;
        sent_q <= 1'b0;
        error_q <= 1'b0;
        total_q <= '0;
        state_q <= job_q.what inside {DoFrame, DoGive} ? Begin : Count;
        if (job_q.what == DoBack) begin
          now_q <= '0;
          before_q <= '0;
        end
      end

      Begin: begin
        if (start) state_q <= Frame;
        if (through && packet_ready) begin
          now_q.given <= 1'b1;
          now_q.turns <= !now_q.turns;
          state_q <= Pass;
        end
      end

      Frame: if (fed_valid) begin
        now_q.framed <= fed.state;
        framer_closed_q <= fed.closed;
        state_q <= Judge;
      end

      Judge: if (packet_ready || !packet_valid) begin
        state_q <= Count;
        if (error_q) begin
          says_q <= 1'b1;
          say_q <= SayAbort;
          now_q.closed <= 1'b1;
        end else begin
          if (some) begin
            now_q.packet <= 1'b1;
            now_q.kind <= kind;
            now_q.quits <= quits;
            now_q.given <= buffered_q;
            now_q.turns <= now_q.turns ^ buffered_q;
            now_q.stop <= now_q.seen + place_t'(stop);
            again_q <= !buffered_q;
          end else if (skips) begin
            again_q <= 1'b1;
          end else if (framer_closed_q) begin
            says_q <= 1'b1;
            say_q <= SayClose;
            now_q.closed <= 1'b1;
          end else begin
            wants_q.bytes <= 1'b1;
            again_q <= job_q.more;
          end
          now_q.seen <= moved;
          // What is passed over is taken at once, if nothing before it is held.
          if (!some && (skips || passes_on)) now_q.start <= moved;
          // It stands before a request.
          if (skips || (some && !(passes && passes_on))) begin
            now_q.framed <= '0;
            now_q.framed.mode <= now_q.binary ? wc_tcp_framer_pkg::Header
                                 : wc_tcp_framer_pkg::Name;
          end
        end
      end

      Pass: if (word_take && ends) begin
        state_q <= Count;
        if (error_q || word_i.error) begin
          says_q <= 1'b1;
          say_q <= SayAbort;
          now_q.closed <= 1'b1;
        end
      end

      Count: begin
        taken_q <= now_q.start - before_q;
        takes_q <= now_q.start != before_q;
        state_q <= Taken;
      end

      Taken: if (!takes_q || say_ready) state_q <= Ends;

      Ends: if (!says_q || say_ready) state_q <= Write;

      Write: if (phase_q == 2'd2) state_q <= again_q ? Again : Idle;

      Again: if (phase_q == 2'd0 && again_ready) state_q <= Idle;

      default: state_q <= Idle;
    endcase

    if (word_take) begin
      total_q <= total_q + offset_t'(given.bytes);
      sent_q <= ends;
      if (word_i.error) error_q <= 1'b1;
      if (now_q.framed.mode == wc_tcp_framer_pkg::First && total_q == '0 && state_q == Frame) begin
        now_q.binary <= Binary && word_i.data[7:0] == Magic;
      end
    end
    if (rst_i || clearing_q) begin
      state_q <= Idle;
      now_q <= '0;
    end
  end

  assign write = state_q == Write && phase_q == 2'd2;
  assign waits = write && job_q.what != DoBack;
  assign wants = wants_q;
  assign again = state_q == Again;
  assign job_ends = (state_q == Write && phase_q == 2'd2 && !again_q)
                    || (state_q == Again && phase_q == 2'd0 && again_ready);

  // ---- events ----------------------------------------------------------------------------------
  typedef struct packed {
    say_e   say;
    index_t id;
    place_t bytes;
  } said_t;

  said_t said;
  logic said_valid, said_ready;

  assign say_valid = (state_q == Taken && takes_q) || (state_q == Ends && says_q);

  // Worst case: full; then turns wait.
  wc_fifo_shallow #(
    .data_t(said_t),
    .Depth (16)
  ) u_said (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(say_valid),
    .ready_o(say_ready),
    .data_i ('{say: state_q == Taken ? SayTaken : say_q, id: job_q.id,
               bytes: taken_q}),
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
  `WC_ASSERT(jobs_have_room, !tell || told)
  `WC_ASSERT(framer_is_free, !start || framer_ready)
  `WC_ASSERT(words_are_of_a_job, !word_valid_i || job_valid || state_q != Idle)
  `WC_ASSERT(taken_within_the_ring, !takes_q || state_q != Taken
             || taken_q <= place_t'(1) << RingBits)
  `WC_ASSERT(passes_what_is_not_held, state_q != Judge || some || error_q || !(skips || passes_on)
             || now_q.start == now_q.seen)

endmodule

`default_nettype wire
