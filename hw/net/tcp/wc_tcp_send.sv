// SPDX-License-Identifier: Apache-2.0
// The last step of an event: whether a segment goes and which, what the connection waits for next,
// and its new state. Inputs stay for four cycles, the answer is there in the last one.
`default_nettype none

module wc_tcp_send (
  input  wire logic                          clk_i,
  input  wire wc_tcp_engine_pkg::time_t      now_i,
  input  wire wc_tcp_engine_pkg::kind_e      kind_i,
  input  wire wc_tcp_engine_pkg::action_e    action_i,
  input  wire logic                          ack_i,       // a segment has acknowledged, maybe
  input  wire logic                          new_i,       // something new
  input  wire logic                          reply_i,     // an ACK goes at once
  input  wire logic                          aborts_i,    // a RST goes
  input  wire logic                          closed_i,    // the connection has ended
  input  wire logic                          lingers_i,   // and will be forgotten
  input  wire logic                          recovers_i,  // fast recovery has begun
  input  wire logic                          shut_i,      // the peer's window is zero
  input  wire wc_tcp_engine_pkg::chunk_t     chunk_i,
  input  wire wc_tcp_engine_pkg::span_t      timeout_i,
  input  wire wc_tcp_engine_pkg::span_t      probe_i,       // two round trips,
  input  wire wc_tcp_engine_pkg::span_t      probe_late_i,  // and the time for an ACK that is late
  input  wire logic                          probe_fits_i,  // is less than the timeout
  input  wire logic                          probe_late_fits_i,
  input  wire logic [15:0]                   window_i,      // ours
  input  wire wc_tcp_engine_pkg::order_t     order_i,
  input  wire wc_tcp_engine_pkg::numbers_t   numbers_i,
  input  wire wc_tcp_engine_pkg::sender_t    sender_i,
  input  wire wc_tcp_engine_pkg::times_t     times_i,
  output wc_tcp_engine_pkg::numbers_t        numbers_o,
  output wc_tcp_engine_pkg::sender_t         sender_o,
  output wc_tcp_engine_pkg::times_t          times_o,
  output logic                               sends_o,
  output wc_tcp_engine_pkg::outgoing_t            segment_o,
  output logic                               more_o,
  output logic                               retransmitted_o
);

  import wc_tcp_engine_pkg::*;


  function automatic count_t positive(count_t a);
    return a < 0 ? '0 : a;
  endfunction

  // ---- 1: what may go ---------------------------------------------------------------------------
  logic all, tries_q, fin_q, all_q, may_q, fits_q;
  offset_t end_q;
  logic probes_q;
  logic asks;  // for a word of the peer: with the number before, which the peer has
  assign asks = action_i inside {ActPersist, ActKeepalive};
  assign all = chunk_i.at + offset_t'(chunk_i.bytes) == numbers_i.written;

  always_ff @(posedge clk_i) begin
    tries_q <= !reply_i && !aborts_i && !closed_i
               && !(numbers_i.state inside {Closed, TimeWait})
               && (!(kind_i inside {EventTick, EventKeepalive, EventSilent})
                   || action_i == ActRetransmit);
    probes_q <= action_i == ActProbe;
    end_q <= chunk_i.at + offset_t'(chunk_i.bytes);
    all_q <= all;
    fin_q <= numbers_i.fin && chunk_i.whole && all;
    fits_q <= count_t'({14'b0, chunk_i.bytes}) <= chunk_i.spare || sender_i.forced || chunk_i.idle;
    may_q <= chunk_i.full || chunk_i.again || (all && !numbers_i.grows)
             || offset_t'({chunk_i.bytes, 1'b0}) >= numbers_i.most_window;
  end

  // ---- 2: what goes -----------------------------------------------------------------------------
  // Worth a segment of its own: else the window is silly (RFC 9293, 3.8.6.2.1), or, though the
  // window lets it go, more bytes are being written behind it.
  logic may_ever, worth, chunk, last, tried_q, chunk_q, last_q, fin_q2, again_q, push_q, blocked_q;
  offset_t at_q, flight_q, behind_q;
  logic [10:0] bytes_q;
  count_t pipe_q;

  assign may_ever = (chunk_i.bytes != '0 || fin_q) && (may_q || all_q || fin_q);
  assign worth = may_ever && (may_q || fin_q);
  assign chunk = probes_q ? worth && !chunk_i.again : worth && fits_q && tries_q;
  assign last = probes_q && !chunk;

  always_ff @(posedge clk_i) begin
    tried_q <= tries_q;
    chunk_q <= chunk;
    last_q <= last && (chunk_i.last != '0 || chunk_i.last_fin);
    again_q <= chunk && chunk_i.again;
    at_q <= last ? chunk_i.last_at : chunk_i.at;
    bytes_q <= last ? chunk_i.last : chunk_i.bytes;
    fin_q2 <= last ? chunk_i.last_fin : fin_q;
    push_q <= last ? chunk_i.last_at + offset_t'(chunk_i.last) == numbers_i.written : all_q;
    behind_q <= end_q + offset_t'(fin_q);
    flight_q <= chunk && !chunk_i.again ? end_q + offset_t'(fin_q) : numbers_i.flight;
    // Only the peer's window holds back what there is.
    blocked_q <= numbers_i.flight == '0 && chunk_i.unsent && !may_ever;
    pipe_q <= !chunk ? positive(chunk_i.pipe)
              : positive(chunk_i.pipe + count_t'({14'b0, chunk_i.bytes})
                         + count_t'({1'b0, fin_q}));
  end

  // ---- 3: the timer -----------------------------------------------------------------------------
  logic rearms_q, flies_q, waits, one_q, may_probe_q;
  span_t wait_;
  logic [31:0] seq_q;
  logic limited_q, back_q;

  always_ff @(posedge clk_i) begin
    rearms_q <= new_i || recovers_i
                || (times_i.timer == TimerPersist && ack_i && !blocked_q)
                || (tried_q && chunk_q && (!again_q || times_i.timer == TimerNone))
                || (tried_q && !chunk_q && times_i.timer == TimerNone && blocked_q);
    flies_q <= flight_q != '0;
    one_q <= flight_q <= offset_t'(sender_i.mss);
    may_probe_q <= sender_i.phase == PhaseOpen && times_i.known && !times_i.probed
                   && times_i.backoff == '0;
    limited_q <= pipe_q + count_t'({14'b0, sender_i.mss}) > count_t'({4'b0, sender_i.cwnd});
    seq_q <= numbers_i.una + (chunk_q || last_q ? 32'(at_q)
                              : asks ? 32'hFFFF_FFFF
                              : aborts_i || action_i == ActGiveUp ? 32'(numbers_i.flight)
                              : 32'(smaller(numbers_i.flight, sender_i.window)));
    back_q <= chunk_q || last_q || reply_i || asks;
  end

  logic [1:0] sacks;
  wc_tcp_pkg::sack_t [SackBlocks-1:0] sack;

  wc_tcp_blocks u_blocks (
    .clk_i  (clk_i),
    .order_i(order_i),
    .next_i (numbers_i.next),
    .sacks_o(sacks),
    .sack_o (sack)
  );

  // ---- 4 ----------------------------------------------------------------------------------------
  logic rst, data;
  assign waits = may_probe_q && (one_q ? probe_late_fits_i : probe_fits_i);
  assign wait_ = one_q ? probe_late_i : probe_i;
  assign rst = aborts_i || action_i == ActGiveUp;
  assign data = chunk_q || last_q;

  always_comb begin
    segment_o = '0;
    segment_o.seq = seq_q;
    segment_o.ack = numbers_i.next;
    segment_o.flags.ack = 1'b1;
    segment_o.flags.rst = rst;
    segment_o.flags.psh = data && push_q && bytes_q != '0;
    segment_o.flags.fin = data && fin_q2;
    if (!rst) begin
      segment_o.window = window_i;
      segment_o.times = numbers_i.times;
      segment_o.time_value = now_i;
      segment_o.time_echo = numbers_i.stamp;
    end
    if (data) segment_o.bytes = bytes_q;
    if (reply_i && numbers_i.sack) segment_o.sacks = sacks;
    segment_o.sack = sack;
    sends_o = rst || back_q;
    more_o = chunk_q || (back_q && chunk_i.unsent && numbers_i.state != TimeWait);
    retransmitted_o = again_q || last_q;

    numbers_o = numbers_i;
    numbers_o.flight = flight_q;
    if (back_q) begin
      numbers_o.owed = '0;
      numbers_o.unacked = '0;
      numbers_o.ack_due = 1'b0;
    end

    sender_o = sender_i;
    if (again_q) sender_o.again = larger(sender_i.again, behind_q);
    if (tried_q) sender_o.forced = 1'b0;
    sender_o.limited = limited_q;

    times_o = times_i;
    if (new_i || (ack_i && shut_i)
        || (tried_q && chunk_q && numbers_i.flight == '0)
        || (tried_q && !chunk_q && times_i.timer == TimerNone && blocked_q)) begin
      times_o.progress = now_i[20:0];
    end
    if (action_i inside {ActProbe, ActRetransmit}) times_o.timed = 1'b0;
    if (chunk_q && tried_q) begin
      if (again_q) begin
        times_o.timed = 1'b0;
      end else if (!times_o.timed) begin
        times_o.timed = 1'b1;
        times_o.timed_at = behind_q;
        times_o.timed_when = now_i[17:0];
      end
    end
    if (action_i == ActProbe) times_o.probed = 1'b1;
    if (action_i == ActKeepalive) times_o.asked = 1'b1;
    if (kind_i == EventSegment) times_o.asked = 1'b0;

    if (closed_i || rst || action_i == ActEnd) begin
      times_o.timer = TimerNone;
    end else if (lingers_i) begin
      times_o.timer = TimerLinger;
      times_o.deadline = now_i[17:0] + 18'(LingerTime);
    end else if (action_i == ActPersist) begin
      times_o.deadline = now_i[17:0] + 18'(timeout_i);
    end else if (action_i inside {ActProbe, ActRetransmit}) begin
      times_o.timer = TimerRetransmit;
      times_o.deadline = now_i[17:0] + 18'(timeout_i);
    end else if (rearms_q) begin
      if (flies_q) begin
        times_o.timer = waits ? TimerProbe : TimerRetransmit;
        times_o.deadline = now_i[17:0] + 18'(waits ? wait_ : timeout_i);
      end else if (blocked_q) begin
        times_o.timer = TimerPersist;
        times_o.deadline = now_i[17:0] + 18'(timeout_i);
      end else if (times_i.timer != TimerLinger) begin
        times_o.timer = TimerNone;
      end
    end
  end

endmodule

`default_nettype wire
