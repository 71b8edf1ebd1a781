// SPDX-License-Identifier: Apache-2.0
// Does what turns are for, one after the other, and keeps what they know of connections: new bytes
// go to the framer, and into the buffer if nothing of a request is pending; packets whose end is
// known go through the buffer; what was taken is told, and who closes.
// Three turns are in it: of one, what is known of its connection is fetched; one has its words; of
// one, what was found is told and written.
// A turn every 12 cycles, or as many as its words and the framer take, and 6 more.
// Waits for words, for room in the buffer, and for who takes events.
// Long because all kinds of turns change one record of a connection.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests_job
  import wc_tcp_requests_pkg::*;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits    = 16,
  parameter int unsigned TurnBytes   = 2048,
  parameter int unsigned Ahead       = 8,
  parameter bit          Binary      = 1'b1,
  localparam int unsigned Longest = TurnBytes / 8,
  localparam type place_t = logic [RingBits:0],
  localparam type offset_t = logic [15:0],
  localparam type keep_t = logic [$clog2(Longest+1)-1:0]
) (
  input  wire logic    clk_i,
  input  wire logic    rst_i,
  input  wire phase_t  phase_i,

  input  wire logic    look_i,  // in phase 3; what follows is there in phase 0
  input  wire id_t     look_id_i,
  output logic         packet_o,
  output logic         given_o,
  output logic         turns_o,
  output logic         quits_o,
  output logic         closed_o,
  output logic         value_o,
  output logic [31:0]  rest_o,
  output place_t       start_o,
  output place_t       stop_o,
  output place_t       seen_o,

  input  wire logic    job_valid_i,
  output logic         job_ready_o,
  input  wire job_t    job_i,
  output logic         piece_ends_o,   // a read of the turn that has its words
  output logic         enough_o,
  output logic         words_end_o,    // it has them all, and needs no more
  output logic         job_ends_o,     // nothing is left of the oldest one
  output id_t          id_o,           // of that
  output logic         again_valid_o,  // its connection is to have another turn
  input  wire logic    again_ready_i,
  output logic         waits_o,        // its connection waits for this
  output wants_t       wants_o,

  input  wire logic    word_valid_i,
  output logic         word_ready_o,
  input  wire wc_tcp_ring_pkg::word_t word_i,

  output logic         start_valid_o,  // the framer's
  output wc_tcp_framer_pkg::state_t framed_o,
  output logic         framer_word_valid_o,
  input  wire logic    framer_word_ready_i,
  output wc_tcp_framer_pkg::given_t framer_word_o,
  input  wire logic    fed_valid_i,
  input  wire wc_tcp_framer_pkg::fed_t fed_i,

  output logic         single_o,  // wc_tcp_requests_cut has what these are
  output logic [5:0]   shorts_o,
  input  wire logic    some_i,
  input  wire logic    skips_i,
  input  wire offset_t cut_i,
  input  wire class_e  kind_i,
  input  wire logic    quits_i,
  input  wire logic    passes_i,
  input  wire logic    passed_i,
  input  wire offset_t passed_stop_i,
  input  wire logic    enough_i,

  input  wire logic    room_i,    // wc_tcp_requests_buffer, these
  input  wire logic    full_i,
  output logic         write_o,
  output logic         through_o,
  output logic         keep_valid_o,
  output keep_t        keep_o,
  output logic         packet_valid_o,
  input  wire logic    packet_ready_i,
  output head_t        head_o,
  output place_t       bytes_o,

  output logic         say_valid_o,
  input  wire logic    say_ready_i,
  output say_e         say_o,
  output place_t       say_bytes_o
);

  localparam int unsigned IdBits = $clog2(Connections);
  localparam logic [7:0] Magic = wc_tcp_framer_pkg::Magic;
  typedef logic [IdBits-1:0] index_t;
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

  // ---- jobs ------------------------------------------------------------------------------------
  typedef struct packed {  // a job_t of the bits that are used
    index_t              id;
    what_e               what;
    logic                answered;
    wants_t              wants;
    logic                more;
    logic [5:0]          shorts;
    place_t              room;
    place_t              skip;
  } work_t;

  work_t job, next_q, job_q;  // one that waits, one that is fetched, and who has the words
  logic job_valid, job_ready;

  // Worst case: Ahead turns are in work.
  wc_fifo_shallow #(
    .data_t(work_t),
    .Depth (Ahead)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(job_valid_i),
    .ready_o(job_ready_o),
    .data_i ('{id: index_t'(job_i.id), what: job_i.what, answered: job_i.answered,
               wants: job_i.wants, more: job_i.more, shorts: job_i.shorts,
               room: place_t'(job_i.room), skip: place_t'(job_i.skip)}),
    .valid_o(job_valid),
    .ready_i(job_ready),
    .data_o (job)
  );

  // ---- what turns know of a connection ---------------------------------------------------------
  // In phase 3 it is read to see what a turn is for; in phase 1 for the job.
  // After reset, and when a connection is gone, zeros are written.
  logic fetch, write, clearing_q;
  index_t clear_q, told_id_q;
  kept_t kept, told_q;   // told: of the turn whose words are over
  kept_t known_q, now_q; // of the next one, and of the one with the words
  wc_tcp_framer_pkg::rest_state_t kept_rest, rest, counted;

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
    .waddr_i(clearing_q ? clear_q : told_id_q),
    .wdata_i(clearing_q ? '0 : told_q),
    .re_i   (look_i || fetch),
    .raddr_i(phase_i == 2'd3 ? index_t'(look_id_i) : next_q.id),
    .rdata_o(kept)
  );

  assign packet_o = kept.packet;
  assign given_o = kept.given;
  assign turns_o = kept.turns;
  assign quits_o = kept.quits;
  assign closed_o = kept.closed;
  assign kept_rest = kept.framed.kept;
  assign rest_o = kept_rest.number;
  assign value_o = kept.framed.mode inside {wc_tcp_framer_pkg::Value, wc_tcp_framer_pkg::Skip};
  assign start_o = kept.start;
  assign stop_o = kept.stop;
  assign seen_o = kept.seen;

  // ---- words -----------------------------------------------------------------------------------
  piece_t piece;
  logic ends;  // the last word of the job

  assign piece = piece_t'(word_i.tag[$bits(piece_t)-1:0]);
  assign ends = word_i.last && piece.final_;
  assign framer_word_o = '{data: word_i.data, last: ends,
                           bytes: word_i.last && piece.rest != '0 ? {1'b0, piece.rest} : 4'd8};

  // ---- a job -----------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    None,
    Fetch,   // what is known of the connection, in phase 1
    Load,
    Known
  } next_e;

  typedef enum logic [2:0] {
    Idle,
    Sort,
    Begin,
    Frame,   // words go to the framer, and into the buffer
    Judge,   // what the framer has found
    Pass,    // words go into the buffer
    Over     // to be told
  } state_e;

  typedef enum logic [2:0] {
    Still,
    Count,
    Taken,   // events
    Ends,
    Write,   // in phase 2
    Again    // it is to have another turn, in phase 0
  } tell_e;

  next_e step_q;
  state_e state_q;
  tell_e tell_q;
  logic buffered_q;  // what is read is kept, as a packet may begin with it
  logic sent_q;   // the last word was given
  logic error_q;  // memory could not be read
  logic again_q, told_again_q;
  wants_t wants_q, told_wants_q;
  logic back_q;
  offset_t total_q;  // bytes framed
  place_t before_q, told_before_q;  // start, before the turn
  place_t length_q, taken_q;
  logic takes_q;                // some
  logic says_q, told_says_q;    // an event of `say_q`
  say_e say_q, told_say_q;
  logic passes_on;   // what is passed over goes on behind what was framed
  place_t moved;
  offset_t moves;
  logic word_take, framer_closed_q;

  logic begins, over;
  assign job_ready = step_q == None;
  assign begins = state_q == Idle && step_q == Known;
  assign over = state_q == Over && tell_q == Still;
  assign id_o = id_t'(told_id_q);
  assign framed_o = now_q.framed;
  assign single_o = !buffered_q;
  assign shorts_o = job_q.shorts;
  assign head_o = '{id: id_t'(job_q.id), binary: now_q.binary,
                    kind: through_o ? now_q.kind : kind_i,
                    room: bytes_t'(job_q.room), skip: bytes_t'(job_q.skip)};
  assign say_valid_o = (tell_q == Taken && takes_q) || (tell_q == Ends && told_says_q);
  assign say_o = tell_q == Taken ? SayTaken : told_say_q;
  assign say_bytes_o = taken_q;
  assign fetch = step_q == Fetch && phase_i == 2'd1;
  assign through_o = job_q.what == DoGive;
  assign start_valid_o = state_q == Begin && job_q.what == DoFrame && (!buffered_q || room_i);
  assign framer_word_valid_o = word_valid_i && state_q == Frame && !sent_q;
  assign word_ready_o = (state_q == Frame && !sent_q && framer_word_ready_i)
                        || (state_q == Pass && !full_i);
  assign word_take = word_valid_i && word_ready_o;
  assign write_o = word_take && (through_o || buffered_q);
  assign piece_ends_o = word_take && word_i.last;
  assign enough_o = state_q == Frame && enough_i;

  // Where the next bytes are: behind the packet and what was passed over; else behind all.
  assign passes_on = now_q.framed.mode == wc_tcp_framer_pkg::Skip;
  assign moves = some_i && passed_i ? passed_stop_i
                 : (some_i && !(passes_i && passes_on)) || skips_i ? cut_i : total_q;
  assign moved = now_q.seen + place_t'(moves);

  always_comb begin
    rest = now_q.framed.kept;
    counted = rest;
    counted.number = rest.number - 32'(job_q.skip);
  end

  assign packet_valid_o = (state_q == Begin && through_o)
                        || (state_q == Judge && buffered_q && some_i && !error_q);
  assign bytes_o = through_o ? length_q : place_t'(cut_i);
  assign keep_valid_o = state_q == Judge && buffered_q && (packet_ready_i || !packet_valid_o);
  assign keep_o = packet_valid_o ? keep_t'((17'(cut_i) + 17'd7) >> 3) : '0;

  always_ff @(posedge clk_i) begin
    unique case (step_q)
      None: if (job_valid) begin
        next_q <= job;
        step_q <= Fetch;
      end
      Fetch: if (phase_i == 2'd1) step_q <= Load;
      Load: begin
        known_q <= kept;
        step_q <= Known;
      end
      default: if (begins) step_q <= None;
    endcase

    unique case (state_q)
      Idle: if (begins) begin
        job_q <= next_q;
        now_q <= known_q;
        before_q <= known_q.start;
        length_q <= known_q.stop - known_q.start;
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
        state_q <= job_q.what inside {DoFrame, DoGive} ? Begin : Over;
        if (job_q.what == DoCount) begin
          now_q.seen <= now_q.seen + job_q.skip;
          now_q.framed.kept <= counted;
          if (passes_on) now_q.start <= now_q.seen + job_q.skip;
          wants_q.bytes <= 1'b1;
          again_q <= job_q.more;
        end
        if (job_q.what == DoBack) begin
          now_q <= '0;
          before_q <= '0;
        end
      end

      Begin: begin
        if (start_valid_o) state_q <= Frame;
        if (through_o && packet_ready_i) begin
          now_q.given <= 1'b1;
          now_q.turns <= !now_q.turns;
          state_q <= Pass;
        end
      end

      Frame: if (fed_valid_i) begin
        now_q.framed <= fed_i.state;
        framer_closed_q <= fed_i.closed;
        state_q <= Judge;
      end

      Judge: if (packet_ready_i || !packet_valid_o) begin
        state_q <= Over;
        if (error_q) begin
          says_q <= 1'b1;
          say_q <= SayAbort;
          now_q.closed <= 1'b1;
        end else begin
          if (some_i) begin
            now_q.packet <= 1'b1;
            now_q.kind <= kind_i;
            now_q.quits <= quits_i;
            now_q.given <= buffered_q;
            now_q.turns <= now_q.turns ^ buffered_q;
            now_q.stop <= now_q.seen + place_t'(cut_i);
            again_q <= !buffered_q;
          end else if (skips_i) begin
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
          if (!some_i && (skips_i || passes_on)) now_q.start <= moved;
          // It stands before a request.
          if (skips_i || (some_i && !(passes_i && passes_on))) begin
            now_q.framed <= '0;
            now_q.framed.mode <= now_q.binary ? wc_tcp_framer_pkg::Header
                                 : wc_tcp_framer_pkg::Name;
          end
        end
      end

      // Not word_take: it hangs on the framer as well.
      Pass: if (word_valid_i && !full_i && ends) begin
        state_q <= Over;
        if (error_q || word_i.error) begin
          says_q <= 1'b1;
          say_q <= SayAbort;
          now_q.closed <= 1'b1;
        end
      end

      default: if (over) state_q <= Idle;
    endcase

    unique case (tell_q)
      Still: if (over) begin
        told_q <= now_q;
        told_id_q <= job_q.id;
        told_before_q <= before_q;
        told_says_q <= says_q;
        told_say_q <= say_q;
        told_again_q <= again_q;
        told_wants_q <= wants_q;
        back_q <= job_q.what == DoBack;
        tell_q <= Count;
      end

      Count: begin
        taken_q <= told_q.start - told_before_q;
        takes_q <= told_q.start != told_before_q;
        tell_q <= Taken;
      end

      Taken: if (!takes_q || say_ready_i) tell_q <= Ends;

      Ends: if (!told_says_q || say_ready_i) tell_q <= Write;

      Write: if (phase_i == 2'd2) tell_q <= told_again_q ? Again : Still;

      default: if (phase_i == 2'd0 && again_ready_i) tell_q <= Still;
    endcase

    if (word_take) begin
      total_q <= total_q + offset_t'(framer_word_o.bytes);
      sent_q <= ends;
      if (word_i.error) error_q <= 1'b1;
      if (now_q.framed.mode == wc_tcp_framer_pkg::First && total_q == '0 && state_q == Frame) begin
        now_q.binary <= Binary && word_i.data[7:0] == Magic;
      end
    end
    if (rst_i || clearing_q) begin
      step_q <= None;
      state_q <= Idle;
      tell_q <= Still;
    end
  end

  assign words_end_o = over;
  assign write = tell_q == Write && phase_i == 2'd2;
  assign waits_o = write && !back_q;
  assign wants_o = told_wants_q;
  assign again_valid_o = tell_q == Again;
  assign job_ends_o = (write && !told_again_q)
                    || (tell_q == Again && phase_i == 2'd0 && again_ready_i);

  // ---- rules -----------------------------------------------------------------------------------
  // Cycles of a turn in which it waits for nobody: two for each byte, and Overhead. All who wait for
  // a turn have one after at most as many turns as there are connections.
`ifndef SYNTHESIS
  localparam int unsigned Overhead = 40;
  localparam int unsigned ToTell = 12;
  logic [31:0] cycles_q, bytes_q, telling_q;
  logic idles, stands;

  assign stands = (say_valid_o && !say_ready_i)
                  || (tell_q == Again && !again_ready_i);  // those that are gone go first

  always_comb begin
    unique case (state_q)
      Begin:       idles = through_o ? !packet_ready_i : !start_valid_o;
      Frame, Pass: idles = !sent_q && !word_take;
      Judge:       idles = packet_valid_o && !packet_ready_i;
      Over:        idles = !over;
      default:     idles = 1'b0;
    endcase
    if (state_q == Frame && word_valid_i) idles = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    telling_q <= rst_i || tell_q == Still ? '0 : telling_q + 32'(!stands);
    if (rst_i || state_q == Idle) begin
      cycles_q <= '0;
      bytes_q <= '0;
    end else begin
      if (!idles) cycles_q <= cycles_q + 1;
      if (word_take) bytes_q <= bytes_q + 32'(framer_word_o.bytes);
    end
  end

  `WC_ASSERT(turns_are_bounded, cycles_q <= 2 * bytes_q + Overhead)
  `WC_ASSERT(counts_a_value, job_q.what != DoCount || state_q != Sort
             || (32'(job_q.skip) <= rest.number && (!now_q.packet || job_q.answered)
                 && now_q.framed.mode inside {wc_tcp_framer_pkg::Value, wc_tcp_framer_pkg::Skip}))
  `WC_ASSERT(told_soon, telling_q <= ToTell)
  `WC_ASSERT(turn_reads_no_more, job_q.what != DoFrame || state_q == Idle || bytes_q <= TurnBytes)
`endif

  `WC_ASSERT(jobs_have_room, !job_valid_i || job_ready_o)
  `WC_ASSERT(words_are_of_a_job, !word_valid_i || job_valid || step_q != None || state_q != Idle)
  `WC_ASSERT(taken_within_the_ring, !takes_q || tell_q != Taken
             || taken_q <= place_t'(1) << RingBits)
  `WC_ASSERT(passes_what_is_not_held, state_q != Judge || some_i || error_q
             || !(skips_i || passes_on) || now_q.start == now_q.seen)

endmodule

`default_nettype wire
