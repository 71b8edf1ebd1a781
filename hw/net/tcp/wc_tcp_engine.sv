// SPDX-License-Identifier: Apache-2.0
// What becomes of a connection when something happens to it: a segment comes, answers are written,
// a millisecond goes by. The engine knows numbers only; bytes lie in memory at the place that their
// number gives. The reference model is py/wirecache/model/tcp/connection.py.
//
// One event every four cycles. Each goes through ten steps of four cycles; then its connection may
// have the next one. Events of other connections go on meanwhile. State lies in memories of which
// each is read where its part is needed, and written as soon as that is known. The event stays at
// the input for the first step. When a millisecond has gone by, events wait until those before have
// ended: all that is on its way has the same time.
// Long because it is a list of what goes from step to step; what a step does is in its module.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_engine #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits = 16,  // of a connection's ring of bytes, each way
  parameter int unsigned OurScale = 0    // of windows that we tell: 0 while RingBits <= 16
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  input  wire wc_tcp_engine_pkg::time_t    now_i,          // milliseconds
  input  wire logic                        event_valid_i,
  output logic                             event_ready_o,  // in the last cycle of a step
  output logic                             step_o,         // is its last cycle: from the next one
                                                           // on an event may be offered
  input  wire wc_tcp_engine_pkg::event_t   event_i,
  output logic                             place_valid_o,  // for one cycle, for each segment
  output wc_tcp_engine_pkg::place_t        place_o,
  output logic                             progress_valid_o,  // for one cycle, for each segment
  output wc_tcp_engine_pkg::progress_t     progress_o,
  output logic                             result_valid_o,  // for one cycle, for each event
  output wc_tcp_engine_pkg::result_t       result_o
);

  import wc_tcp_engine_pkg::*;

  localparam int unsigned Steps = 10;
  localparam int unsigned Cycles = 4;  // of a step
  localparam int unsigned IdBits = $clog2(Connections);

  `WC_REQUIRE(connections, Connections inside {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384,
                                               32768, 65536},
              "wc_tcp_engine: Connections must be a power of two from 64 to 65,536")
  `WC_REQUIRE(ring, RingBits >= 12 && RingBits <= wc_pkg::MostRingBits,
              "wc_tcp_engine: RingBits must be 12 to 23")
  `WC_REQUIRE(scale, OurScale <= 14 && (RingBits <= 16 + OurScale),
              "wc_tcp_engine: OurScale must let a window of 16 bits tell of a whole ring")

  typedef logic [IdBits-1:0] id_t;

  // An event on its way. What an event does not need any more is not kept.
  typedef struct packed {
    event_t   said;
    numbers_t numbers;
    arrival_t arrival;
    pieces_t  have;       // of the sender
    logic     told;       // by blocks, of what was not known
    offset_t  recent;
    sender_t  sender;
    times_t   times;
    action_e  action;
    logic     reply;
    logic     aborts;
    logic     closed;
    logic     lingers;
    logic     recovers;
    logic     shut;
    offset_t  has;
    offset_t  missing;
    piece_t   first;
    chunk_t   chunk;
    span_t    timeout;
    span_t    probe;
    span_t    probe_late;
    logic     probe_fits;
    logic     probe_late_fits;
    logic [15:0] window;  // ours
    order_t   order;
    counts_t  counts;
  } work_t;

  logic [Cycles-1:0] phase_q;  // one-hot
  logic [Steps-1:1] valid_q;   // of each step
  work_t [Steps-1:1] work_q;
  work_t [Steps-1:1] next;     // what enters a step
  time_t now_q;
  logic step_end;

  assign step_end = phase_q[Cycles-1];
  assign step_o = step_end;

  // ---- who may enter ----------------------------------------------------------------------------
  // Not while an event of the same connection is on its way.
  logic busy, waits, claimed_q;  // the event at the input is in the first step

  always_comb begin
    busy = 1'b0;
    for (int unsigned i = 1; i < Steps; i++) begin
      if (valid_q[i] && id_t'(work_q[i].said.id) == id_t'(event_i.id)) busy = 1'b1;
    end
  end
  assign waits = now_q != now_i;
  assign event_ready_o = step_end && claimed_q;

  always_ff @(posedge clk_i) begin
    phase_q <= {phase_q[Cycles-2:0], phase_q[Cycles-1]};
    if (phase_q[0]) begin
      claimed_q <= event_valid_i && !busy && !waits;
      if (valid_q == '0) now_q <= now_i;
    end
    if (step_end) begin
      valid_q <= {valid_q[Steps-2:1], claimed_q};
      for (int unsigned i = 1; i < Steps; i++) work_q[i] <= next[i];
    end
    if (rst_i) begin
      phase_q <= Cycles'(1);
      valid_q <= '0;
      claimed_q <= 1'b0;
    end
  end

  // ---- memories ---------------------------------------------------------------------------------
  // A read takes a cycle, and what was read goes into a register at once.
  numbers_early_t numbers_early_read;
  numbers_late_t numbers_late_read;
  numbers_t numbers_q, numbers_last;
  sender_early_t sender_early_read;
  sender_late_t sender_late_read;
  sender_t sender_q, sender_last;
  times_early_t times_early_read, times_early_q;
  times_late_t times_late_read, times_late_q;
  times_t times_last;
  pieces_t have_read, have_q;
  order_t order_read, order_join_q, order_kept;
  logic order_kept_valid, late;

  assign late = step_end && valid_q[9];  // the end of an event

  wc_ram_sdp #(
    .Width($bits(numbers_early_t)),
    .Depth(Connections)
  ) u_numbers_early (
    .clk_i  (clk_i),
    .we_i   (phase_q[0] && valid_q[5]),
    .waddr_i(id_t'(work_q[5].said.id)),
    .wdata_i(numbers_early(work_q[5].numbers)),
    .re_i   (1'b1),
    .raddr_i(id_t'(event_i.id)),
    .rdata_o(numbers_early_read)
  );

  wc_ram_sdp #(
    .Width($bits(numbers_late_t)),
    .Depth(Connections)
  ) u_numbers_late (
    .clk_i  (clk_i),
    .we_i   (late),
    .waddr_i(id_t'(work_q[9].said.id)),
    .wdata_i(numbers_late(numbers_last)),
    .re_i   (1'b1),
    .raddr_i(id_t'(event_i.id)),
    .rdata_o(numbers_late_read)
  );

  wc_ram_sdp #(
    .Width($bits(pieces_t)),
    .Depth(Connections)
  ) u_have (
    .clk_i  (clk_i),
    .we_i   (phase_q[0] && valid_q[7]),
    .waddr_i(id_t'(work_q[7].said.id)),
    .wdata_i(work_q[7].have),
    .re_i   (1'b1),
    .raddr_i(id_t'(work_q[1].said.id)),
    .rdata_o(have_read)
  );

  // Read twice: before the bytes of a segment are counted in, and for the blocks of an ACK.
  wc_ram_sdp #(
    .Width($bits(order_t)),
    .Depth(Connections)
  ) u_order (
    .clk_i  (clk_i),
    .we_i   (step_end && valid_q[4] && (order_kept_valid || work_q[4].said.opens)),
    .waddr_i(id_t'(work_q[4].said.id)),
    .wdata_i(order_kept),
    .re_i   (phase_q[0] || phase_q[2]),
    .raddr_i(phase_q[0] ? id_t'(work_q[2].said.id) : id_t'(work_q[8].said.id)),
    .rdata_o(order_read)
  );

  wc_ram_sdp #(
    .Width($bits(times_late_t)),
    .Depth(Connections)
  ) u_times_late (
    .clk_i  (clk_i),
    .we_i   (late),
    .waddr_i(id_t'(work_q[9].said.id)),
    .wdata_i(times_late(times_last)),
    .re_i   (1'b1),
    .raddr_i(id_t'(work_q[4].said.id)),
    .rdata_o(times_late_read)
  );

  wc_ram_sdp #(
    .Width($bits(times_early_t)),
    .Depth(Connections)
  ) u_times_early (
    .clk_i  (clk_i),
    .we_i   (phase_q[0] && valid_q[7]),
    .waddr_i(id_t'(work_q[7].said.id)),
    .wdata_i(times_early(work_q[7].times)),
    .re_i   (1'b1),
    .raddr_i(id_t'(work_q[5].said.id)),
    .rdata_o(times_early_read)
  );

  wc_ram_sdp #(
    .Width($bits(sender_early_t)),
    .Depth(Connections)
  ) u_sender_early (
    .clk_i  (clk_i),
    .we_i   (phase_q[0] && valid_q[7]),
    .waddr_i(id_t'(work_q[7].said.id)),
    .wdata_i(sender_early(work_q[7].sender)),
    .re_i   (1'b1),
    .raddr_i(id_t'(work_q[5].said.id)),
    .rdata_o(sender_early_read)
  );

  wc_ram_sdp #(
    .Width($bits(sender_late_t)),
    .Depth(Connections)
  ) u_sender_late (
    .clk_i  (clk_i),
    .we_i   (late),
    .waddr_i(id_t'(work_q[9].said.id)),
    .wdata_i(sender_late(sender_last)),
    .re_i   (1'b1),
    .raddr_i(id_t'(work_q[5].said.id)),
    .rdata_o(sender_late_read)
  );

  always_ff @(posedge clk_i) begin
    numbers_q <= numbers(numbers_early_read, numbers_late_read);
    have_q <= have_read;
    times_late_q <= times_late_read;
    times_early_q <= times_early_read;
    sender_q <= sender(sender_early_read, sender_late_read);
    if (phase_q[1]) order_join_q <= order_read;  // holds while it is joined
  end

  // ---- a connection that begins -----------------------------------------------------------------
  // Its first segment tells of window and time stamp as all others do. Memories are not cleared: the
  // first event of a number, after reset or after its last connection, is a segment that opens.
  function automatic logic [10:0] size_of(event_t e);
    logic [15:0] mss;
    mss = wc_tcp_cookie_pkg::Mss[e.options.size];
    return 11'(mss) - (e.options.times ? 11'(TimesBytes) : 11'd0);
  endfunction

  function automatic logic scales(event_t e);
    return e.options.scale != wc_tcp_cookie_pkg::NoScale;
  endfunction

  // Ten segments, or as many as 14,600 bytes hold, but two at least (RFC 6928).
  function automatic offset_t first_window(logic [10:0] mss);
    logic [14:0] ten;
    ten = {1'b0, mss, 3'b0} + {3'b0, mss, 1'b0};
    return ten > 15'd14600 ? offset_t'(14600) : offset_t'(ten);
  endfunction

  function automatic numbers_t begun(event_t e, time_t now);
    numbers_t n;
    n = '0;
    n.state = Established;
    n.times = e.options.times;
    n.sack = e.options.sack;
    n.scaled = scales(e);
    n.peer_scale = scales(e) ? e.options.scale : 4'd0;
    n.challenged = now[7:0] - 8'd1;
    n.next = e.segment.seq;
    n.edge_ = our_window(RingBits, OurScale, scales(e));
    n.una = e.segment.ack;
    return n;
  endfunction

  function automatic sender_t begun_sender(event_t e);
    sender_t s;
    s = '0;
    s.mss = size_of(e);
    s.cwnd = first_window(size_of(e));
    s.ssthresh = MostWindow;
    s.window_at = e.segment.seq - 1;
    return s;
  endfunction

  // ---- 0 to 1: the numbers are read -------------------------------------------------------------
  always_comb begin
    next[1] = '0;
    next[1].said = event_i;
    next[1].numbers = event_i.opens ? begun(event_i, now_q) : numbers_q;
  end

  // ---- 1 to 2: what a segment is ----------------------------------------------------------------
  arrival_t arrival;
  numbers_t arrived;

  wc_tcp_arrive #(
    .OurScale(OurScale)
  ) u_arrive (
    .clk_i       (clk_i),
    .now_i       (now_q),
    .opens_i     (work_q[1].said.opens),
    .is_segment_i(valid_q[1] && work_q[1].said.kind == EventSegment),
    .segment_i   (work_q[1].said.segment),
    .numbers_i   (work_q[1].numbers),
    .arrival_o   (arrival),
    .numbers_o   (arrived)
  );

  always_comb begin
    next[2] = work_q[1];
    next[2].arrival = arrival;
    next[2].numbers = arrived;
  end

  // Blocks of a SACK option, one a cycle from the second on. Whether the segment counts is known
  // when they are joined.
  piece_t block;
  offset_t flight_q;
  logic [31:0] acked_q;
  logic [1:0] block_index;

  assign block_index = phase_q[1] ? 2'd0 : phase_q[2] ? 2'd1 : 2'd2;
  always_ff @(posedge clk_i) begin
    acked_q <= work_q[1].said.segment.ack - work_q[1].numbers.una;
    flight_q <= work_q[1].numbers.flight - acked_q[OffsetBits-1:0];
  end

  wc_tcp_sacks u_sacks (
    .clk_i   (clk_i),
    .valid_i (work_q[1].numbers.sack && 3'(block_index) < work_q[1].said.segment.options.sacks),
    .block_i (work_q[1].said.segment.options.sack[block_index]),
    .ack_i   (work_q[1].said.segment.ack),
    .flight_i(flight_q),
    .piece_o (block)
  );

  // The pieces wait until they are joined, in cycles 8, 13 and 18 of the event.
  piece_t first_block_q, second_block_q, second_block_q3, third_block_q, third_block_q3,
          third_block_q4;
  always_ff @(posedge clk_i) begin
    if (phase_q[3]) first_block_q <= block;
    if (phase_q[0]) second_block_q <= block;
    if (phase_q[1]) third_block_q <= block;
    if (step_end) begin
      second_block_q3 <= second_block_q;
      third_block_q3 <= third_block_q;
      third_block_q4 <= third_block_q3;
    end
  end

  // ---- 2 to 5: pieces ---------------------------------------------------------------------------
  // One unit, five cycles: blocks go in in the cycles 0, 1 and 2 of a step, each behind the last one
  // of its event, and what the segment brings in cycle 3.
  pieces_t joins, joined;
  offset_t [Pieces-1:0] starts, stops, starts_out, stops_out;

  always_comb begin
    for (int unsigned i = 0; i < Pieces; i++) begin
      joined[i] = '{start: starts_out[i], stop: stops_out[i]};
    end
  end

  offset_t advance;
  piece_t new_;
  logic dropped, news;
  logic [Steps-1:1] old;  // of each step: its blocks count for nothing

  always_comb begin
    for (int unsigned i = 1; i < Steps; i++) old[i] = !work_q[i].arrival.ack;
    advance = '0;
    new_ = '0;
    joins = joined;
    unique case (1'b1)
      phase_q[0]: begin
        joins = work_q[2].said.opens ? '0 : have_q;
        advance = work_q[2].arrival.count;
        if (!old[2]) new_ = first_block_q;
      end
      phase_q[1]: if (!old[3]) new_ = second_block_q3;
      phase_q[2]: if (!old[4]) new_ = third_block_q4;
      default: begin
        joins = work_q[2].said.opens ? '0 : order_join_q.pieces;
        advance = work_q[2].said.opens ? '0 : order_join_q.pending;
        new_ = '{start: work_q[2].arrival.start, stop: work_q[2].arrival.stop};
      end
    endcase
    for (int unsigned i = 0; i < Pieces; i++) begin
      starts[i] = joins[i].start;
      stops[i] = joins[i].stop;
    end
  end

  wc_tcp_pieces u_pieces (
    .clk_i    (clk_i),
    .starts_i (starts),
    .stops_i  (stops),
    .advance_i(advance),
    .start_i  (new_.start),
    .stop_i   (new_.stop),
    .forgets_i(!phase_q[3]),
    .starts_o (starts_out),
    .stops_o  (stops_out),
    .dropped_o(dropped),
    .news_o   (news)
  );

  logic told_q, told_q4;  // by the first block; by the second one. The third one comes in time
  always_ff @(posedge clk_i) begin
    if (phase_q[1]) told_q <= news;
    if (phase_q[2]) told_q4 <= news;
  end

  always_comb begin
    next[3] = work_q[2];
    next[3].recent = work_q[2].said.opens ? '0 : less(order_join_q.recent, order_join_q.pending);
    next[4] = work_q[3];
    next[4].told = told_q;
  end

  // ---- 4 to 5: what has come, what the owner does -----------------------------------------------
  numbers_t received;
  logic reply, aborts, closed, lingers, duplicate, out_of_order, ends;
  offset_t came;

  wc_tcp_receive #(
    .RingBits(RingBits),
    .OurScale(OurScale)
  ) u_receive (
    .clk_i         (clk_i),
    .first_i       (phase_q[0]),
    .kind_i        (work_q[4].said.kind),
    .bytes_i       (work_q[4].said.bytes),
    .grows_i       (work_q[4].said.grows),
    .fin_i         (work_q[4].said.segment.flags.fin),
    .arrival_i     (work_q[4].arrival),
    .numbers_i     (work_q[4].numbers),
    .recent_i      (work_q[4].recent),
    .pieces_i      (joined),
    .dropped_i     (dropped),
    .numbers_o     (received),
    .came_o        (came),
    .ends_o        (ends),
    .order_o       (order_kept),
    .order_valid_o (order_kept_valid),
    .reply_o       (reply),
    .aborts_o      (aborts),
    .closed_o      (closed),
    .lingers_o     (lingers),
    .duplicate_o   (duplicate),
    .out_of_order_o(out_of_order)
  );

  always_comb begin
    next[5] = work_q[4];
    next[5].numbers = received;
    next[5].reply = reply;
    next[5].aborts = aborts;
    next[5].closed = closed;
    next[5].lingers = lingers;
    next[5].told = work_q[4].told || told_q4;
    next[5].times = work_q[4].said.opens ? '0 : times('0, times_late_q);
    if (work_q[4].said.opens) next[5].times.progress = now_q[20:0];
    next[5].counts.duplicate = duplicate;
    next[5].counts.out_of_order = out_of_order;
    next[5].counts.challenge = work_q[4].arrival.challenge;
    next[5].counts.old_stamp = work_q[4].arrival.old_stamp;
  end

  // ---- 5 to 6: timers ---------------------------------------------------------------------------
  logic due_q, tired_q;
  logic quiet_q;  // nothing is on its way, and no timer runs
  logic [17:0] overdue;
  offset_t open_q;
  offset_t window_q;  // in steps, rounded up

  assign overdue = now_q[17:0] - work_q[5].times.deadline;

  always_ff @(posedge clk_i) begin
    due_q <= work_q[5].said.kind == EventTick && !overdue[17]
             && work_q[5].times.timer != TimerNone && work_q[5].numbers.state != Closed;
    quiet_q <= work_q[5].numbers.state inside {Established, CloseWait}
               && work_q[5].times.timer == TimerNone && work_q[5].numbers.flight == '0;
    tired_q <= 21'(now_q[20:0] - work_q[5].times.progress) >= 21'(GiveUp);
    open_q <= less(work_q[5].numbers.edge_, work_q[5].numbers.got);
    window_q <= work_q[5].numbers.scaled
                ? (open_q + offset_t'((1 << OurScale) - 1)) >> OurScale : open_q;
  end

  always_comb begin
    next[6] = work_q[5];
    next[6].have = joined;
    next[6].told = work_q[5].told || news;
    next[6].sender = work_q[5].said.opens ? begun_sender(work_q[5].said) : sender_q;
    next[6].times = times(work_q[5].said.opens ? '0 : times_early_q,
                          times_late(work_q[5].times));
    next[6].window = window_q > MostUnscaled ? 16'hFFFF : window_q[15:0];
    next[6].action = ActNone;
    if (due_q) begin
      unique case (work_q[5].times.timer)
        TimerLinger:  next[6].action = ActEnd;
        TimerPersist: next[6].action = ActPersist;
        TimerProbe:   next[6].action = ActProbe;
        default:      next[6].action = ActRetransmit;
      endcase
      if (tired_q && work_q[5].times.timer != TimerLinger) next[6].action = ActGiveUp;
    end
    if (quiet_q && work_q[5].said.kind == EventKeepalive) next[6].action = ActKeepalive;
    if (quiet_q && work_q[5].said.kind == EventSilent && work_q[5].times.asked) begin
      next[6].action = ActGiveUp;
    end
    if (next[6].action inside {ActEnd, ActGiveUp}) begin
      next[6].numbers.state = Closed;
      next[6].numbers.ack_due = 1'b0;
      next[6].closed = 1'b1;
    end
  end

  // ---- 6 to 7: what may be sent -----------------------------------------------------------------
  sender_t allowed;
  pieces_t have;
  offset_t has, most_window;
  logic recovers, opened, shut;
  times_t timed;

  wc_tcp_congestion u_congestion (
    .clk_i        (clk_i),
    .ack_i        (work_q[6].arrival.ack),
    .count_i      (work_q[6].arrival.count),
    .empty_i      (work_q[6].said.segment.bytes == '0 && !work_q[6].said.segment.flags.fin),
    .seq_i        (work_q[6].said.segment.seq),
    .window_i     (work_q[6].said.segment.window),
    .told_i       (work_q[6].told),
    .expire_i     (work_q[6].action == ActRetransmit),
    .pieces_i     (work_q[6].have),
    .numbers_i    (work_q[6].numbers),
    .sender_i     (work_q[6].sender),
    .sender_o     (allowed),
    .pieces_o     (have),
    .has_o        (has),
    .most_window_o(most_window),
    .recovers_o   (recovers),
    .opened_o     (opened),
    .shut_o       (shut)
  );

  wc_tcp_rtt u_rtt (
    .clk_i    (clk_i),
    .times_i  (work_q[6].times),
    .now_i    (now_q),
    .new_i    (work_q[6].arrival.new_),
    .count_i  (work_q[6].arrival.count),
    .stamps_i (work_q[6].numbers.times),
    .echo_i   (work_q[6].said.segment.options.time_echo),
    .expired_i(work_q[6].action inside {ActRetransmit, ActPersist}),
    .opened_i (opened),
    .times_o  (timed)
  );

  always_comb begin
    next[7] = work_q[6];
    next[7].sender = allowed;
    next[7].have = have;
    next[7].has = has;
    next[7].recovers = recovers;
    next[7].shut = shut;
    next[7].times = timed;
    next[7].numbers.most_window = most_window;
    next[7].counts.recovery = recovers;
  end

  // ---- 7 to 8: what is on its way ---------------------------------------------------------------
  offset_t missing;
  piece_t first;
  span_t timeout, probe;

  wc_tcp_flight u_flight (
    .clk_i    (clk_i),
    .pieces_i (work_q[7].have),
    .flight_i (work_q[7].numbers.flight),
    .again_i  (work_q[7].sender.again),
    .lost_i   (work_q[7].sender.lost),
    .missing_o(missing),
    .first_o  (first)
  );

  wc_tcp_rto u_rto (
    .clk_i    (clk_i),
    .times_i  (work_q[7].times),
    .timeout_o(timeout),
    .probe_o  (probe)
  );

  always_comb begin
    next[8] = work_q[7];
    next[8].missing = missing;
    next[8].first = first;
    next[8].timeout = timeout;
    next[8].probe = probe;
  end

  // ---- 8 to 9: what may go ----------------------------------------------------------------------
  chunk_t chunk;
  span_t probe_late_q;
  logic probe_fits_q, probe_late_fits_q;

  always_ff @(posedge clk_i) begin
    probe_late_q <= work_q[8].probe + span_t'(Delayed);
    probe_fits_q <= work_q[8].probe < work_q[8].timeout;
    probe_late_fits_q <= probe_late_q < work_q[8].timeout;
  end

  wc_tcp_chunk u_chunk (
    .clk_i    (clk_i),
    .numbers_i(work_q[8].numbers),
    .sender_i (work_q[8].sender),
    .has_i    (work_q[8].has),
    .missing_i(work_q[8].missing),
    .first_i  (work_q[8].first),
    .chunk_o  (chunk)
  );

  always_comb begin
    next[9] = work_q[8];
    next[9].chunk = chunk;
    next[9].probe_late = probe_late_q;
    next[9].probe_fits = probe_fits_q;
    next[9].probe_late_fits = probe_late_fits_q;
    next[9].order = order_read;
  end

  // ---- 9: what goes -----------------------------------------------------------------------------
  logic sends, more, retransmitted;
  outgoing_t segment;

  wc_tcp_send u_send (
    .clk_i          (clk_i),
    .now_i          (now_q),
    .kind_i         (work_q[9].said.kind),
    .action_i       (work_q[9].action),
    .ack_i          (work_q[9].arrival.ack),
    .new_i          (work_q[9].arrival.new_),
    .reply_i        (work_q[9].reply),
    .aborts_i       (work_q[9].aborts),
    .closed_i       (work_q[9].closed),
    .lingers_i      (work_q[9].lingers),
    .recovers_i     (work_q[9].recovers),
    .shut_i         (work_q[9].shut),
    .chunk_i        (work_q[9].chunk),
    .timeout_i      (work_q[9].timeout),
    .probe_i        (work_q[9].probe),
    .probe_late_i   (work_q[9].probe_late),
    .probe_fits_i   (work_q[9].probe_fits),
    .probe_late_fits_i(work_q[9].probe_late_fits),
    .window_i       (work_q[9].window),
    .order_i        (work_q[9].order),
    .numbers_i      (work_q[9].numbers),
    .sender_i       (work_q[9].sender),
    .times_i        (work_q[9].times),
    .numbers_o      (numbers_last),
    .sender_o       (sender_last),
    .times_o        (times_last),
    .sends_o        (sends),
    .segment_o      (segment),
    .more_o         (more),
    .retransmitted_o(retransmitted)
  );

  always_ff @(posedge clk_i) begin
    result_valid_o <= 1'b0;
    if (step_end) begin
      result_valid_o <= valid_q[9];
      result_o.id <= work_q[9].said.id;
      result_o.sends <= sends;
      result_o.segment <= segment;
      result_o.more <= more;
      result_o.closed <= work_q[9].closed;
      result_o.lingers <= work_q[9].numbers.state == TimeWait;
      result_o.ack_due <= numbers_last.ack_due;
      result_o.armed <= times_last.timer != TimerNone;
      result_o.deadline <= times_last.deadline;
      result_o.counts <= work_q[9].counts;
      result_o.counts.retransmitted <= retransmitted;
      result_o.counts.timeout <= work_q[9].action == ActRetransmit;
      result_o.counts.probe <= work_q[9].action == ActProbe;
      result_o.counts.window_probe <= work_q[9].action == ActPersist;
      result_o.counts.keepalive <= work_q[9].action == ActKeepalive;
      result_o.counts.silent <= work_q[9].action == ActGiveUp
                                && work_q[9].said.kind == EventSilent;
    end
    if (rst_i) result_valid_o <= 1'b0;
  end

  // ---- bytes: where they go, as soon as it is known ---------------------------------------------
  always_ff @(posedge clk_i) begin
    place_valid_o <= phase_q[0] && valid_q[2] && work_q[2].said.kind == EventSegment;
    place_o.id <= work_q[2].said.id;
    place_o.seq <= work_q[2].numbers.next + 32'(work_q[2].arrival.start);
    place_o.bytes <= 11'(work_q[2].arrival.stop - work_q[2].arrival.start);
    place_o.skip <= 11'(32'(work_q[2].arrival.start)
                        - (work_q[2].said.segment.seq - work_q[2].numbers.next));
    progress_valid_o <= step_end && valid_q[4] && work_q[4].said.kind == EventSegment;
    progress_o.id <= work_q[4].said.id;
    progress_o.next <= received.next;
    progress_o.bytes <= came - offset_t'(ends);
    progress_o.ended <= ends;
    progress_o.freed <= work_q[4].arrival.count - offset_t'(work_q[4].arrival.fin_known);
    if (rst_i) begin
      place_valid_o <= 1'b0;
      progress_valid_o <= 1'b0;
    end
  end

  // No two events of a connection are on their way, so none reads what another is to write.
  logic twice;
  always_comb begin
    twice = 1'b0;
    for (int unsigned i = 1; i < Steps; i++) begin
      for (int unsigned k = 1; k < i; k++) begin
        if (valid_q[i] && valid_q[k]
            && id_t'(work_q[i].said.id) == id_t'(work_q[k].said.id)) twice = 1'b1;
      end
    end
  end
  `WC_ASSERT(one_each, !twice)
  `WC_ASSERT(in_step, $onehot(phase_q))
  `WC_ASSERT(known, !event_valid_i || 32'(event_i.id) < Connections)

endmodule

`default_nettype wire
