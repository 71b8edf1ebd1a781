// SPDX-License-Identifier: Apache-2.0
// What a segment is to its connection: whether it counts (RFC 9293, 3.10.7.4; RFC 5961; RFC 7323),
// what it acknowledges, which of its bytes are kept. Inputs stay for four cycles, the answer is
// there in the last one.
`default_nettype none

module wc_tcp_arrive #(
  parameter int unsigned OurScale = 0  // of our window, where windows are scaled
) (
  input  wire logic                         clk_i,
  input  wire wc_tcp_engine_pkg::time_t     now_i,
  input  wire logic                         is_segment_i,
  input  wire logic                         opens_i,  // its connection begins with it
  input  wire wc_tcp_pkg::segment_t         segment_i,
  input  wire wc_tcp_engine_pkg::numbers_t  numbers_i,
  output wc_tcp_engine_pkg::arrival_t       arrival_o,
  output wc_tcp_engine_pkg::numbers_t       numbers_o  // stamp, challenge, and where the end is
);

  import wc_tcp_engine_pkg::*;

  typedef logic signed [32:0] wide_t;  // a difference of 32 bits, with a sign

  // ---- 1: distances -----------------------------------------------------------------------------
  logic [31:0] ahead_q;   // of what is received next
  logic [31:0] acked_q;   // of what was acknowledged
  logic [31:0] stamp_ahead;  // of the last one
  logic stamp_before_q, stamp_young_q;
  offset_t limit_q;       // the furthest edge that a rounded window may have had, from `next` on
  offset_t step;
  logic [11:0] length_q;
  logic challenged_q, counts_q, cuts_q;
  logic syn_q;          // a SYN to a connection that waits for its end
  logic syn_stamped_q;  // and time stamps tell whether it is newer

  assign stamp_ahead = segment_i.options.time_value - numbers_i.stamp;
  assign step = numbers_i.scaled ? offset_t'(1 << OurScale) : offset_t'(1);

  always_ff @(posedge clk_i) begin
    ahead_q <= segment_i.seq - numbers_i.next;
    acked_q <= segment_i.ack - numbers_i.una;
    stamp_before_q <= !opens_i && stamp_ahead[31];
    stamp_young_q <= 12'(now_i[31:StampAge] - numbers_i.stamped) < 12'(OldStamp);
    limit_q <= less(numbers_i.edge_ + step - 1'b1, numbers_i.got);
    length_q <= 12'(segment_i.bytes) + 12'(segment_i.flags.syn) + 12'(segment_i.flags.fin);
    counts_q <= is_segment_i && numbers_i.state != Closed;
    cuts_q <= numbers_i.ended || numbers_i.end_known;
    challenged_q <= numbers_i.challenged == now_i[7:0];
    syn_q <= is_segment_i && numbers_i.state == TimeWait && segment_i.flags.syn
             && !segment_i.flags.ack;
    syn_stamped_q <= numbers_i.times && segment_i.options.times_given
                     && segment_i.options.time_value != numbers_i.stamp;
  end

  // Near enough for offsets; `ahead` otherwise is outside of any window.
  logic near;
  signed_t ahead;
  assign near = ahead_q[31:OffsetBits] == '0 || ahead_q[31:OffsetBits] == '1;
  assign ahead = signed_t'(ahead_q[$bits(signed_t)-1:0]);

  // ---- 2: against what is known -----------------------------------------------------------------
  // Of the flags and the stamp: what need not be looked at further.
  logic silent_q, old_stamp_q;
  logic renews_q;
  logic inside_q, outside_ack_q, far_ack_q, old_ack_q, told_q, whole_q, exact_q, past_q;
  signed_t stop_q;
  offset_t start_q, count_q, limit_q2, past_bytes_q, end_q;
  logic by_end_q;  // its bytes go beyond the peer's end
  logic fin_known_q;
  signed_t stop;
  logic stamped;  // it must have a time stamp

  assign stamped = numbers_i.times && !segment_i.flags.rst;
  assign stop = ahead + signed_t'({1'b0, segment_i.bytes});

  always_ff @(posedge clk_i) begin
    silent_q <= !counts_q || (stamped && !segment_i.options.times_given);
    old_stamp_q <= counts_q && stamped && segment_i.options.times_given
                   && stamp_before_q && stamp_young_q;
    renews_q <= syn_q && (syn_stamped_q ? !stamp_before_q : ahead_q != '0 && !ahead_q[31]);
    // Neither before `next`, nor behind the window.
    inside_q <= near && ahead + signed_t'({1'b0, length_q}) >= 0
                && ahead <= signed_t'({2'b0, limit_q});
    exact_q <= ahead_q == '0;
    // Of what was never sent; so old that no window has had it; not new.
    outside_ack_q <= !acked_q[31] && acked_q > 32'(numbers_i.flight);
    far_ack_q <= acked_q[31] && wide_t'({1'b1, acked_q}) < -wide_t'({1'b0, numbers_i.most_window});
    old_ack_q <= acked_q[31];
    count_q <= acked_q[OffsetBits-1:0];
    fin_known_q <= numbers_i.fin && acked_q == 32'(numbers_i.written) + 32'd1;
    // The last ACK was sent behind it: its time stamp counts.
    told_q <= ahead + signed_t'({2'b0, numbers_i.owed}) <= 0;
    start_q <= ahead < 0 ? '0 : offset_t'(ahead);
    stop_q <= stop;
    past_q <= stop > 0;
    past_bytes_q <= offset_t'(stop);
    whole_q <= stop <= signed_t'({2'b0, limit_q});
    limit_q2 <= limit_q;
    end_q <= numbers_i.end_known ? numbers_i.end_ : '0;
    by_end_q <= cuts_q
                && stop > signed_t'({2'b0, numbers_i.end_known ? numbers_i.end_ : offset_t'(0)});
  end

  // ---- 3: the decision --------------------------------------------------------------------------
  arrival_t arrival, arrival_q;
  logic challenge, ends, sound, brings;
  offset_t cut;

  assign ends = segment_i.flags.fin && whole_q && stop_q >= 0 && !numbers_i.end_known
                && !numbers_i.ended;
  // Its bytes up to the edge, and up to the peer's end: no end lies behind an edge.
  assign cut = stop_q < 0 ? '0 : by_end_q ? end_q : whole_q ? offset_t'(stop_q) : limit_q2;

  always_comb begin
    arrival = '0;
    challenge = 1'b0;
    sound = 1'b0;
    if (renews_q) begin
      arrival.reset = 1'b1;  // the peer begins anew (RFC 6191)
    end else if (silent_q) begin
    end else if (old_stamp_q) begin
      arrival.reply = 1'b1;
      arrival.old_stamp = 1'b1;
    end else if (!inside_q) begin
      challenge = !segment_i.flags.rst;
      arrival.unwanted = challenge;
    end else if (segment_i.flags.rst) begin
      challenge = !exact_q;
      arrival.reset = exact_q && numbers_i.state != TimeWait;
    end else if (segment_i.flags.syn) begin
      challenge = 1'b1;
    end else if (!segment_i.flags.ack) begin
    end else if (outside_ack_q || far_ack_q) begin
      challenge = 1'b1;
    end else begin
      sound = 1'b1;
    end
    if (challenge && !challenged_q) begin
      arrival.reply = 1'b1;
      arrival.challenge = 1'b1;
    end
    arrival.accepted = sound;
    arrival.ack = sound && !old_ack_q;
    arrival.new_ = sound && !old_ack_q && count_q != '0;
    if (arrival.new_) arrival.count = count_q;
    arrival.fin_known = arrival.ack && fin_known_q;
    arrival.start = start_q;
    arrival.stop = cut;
    brings = sound && (segment_i.bytes != '0 || segment_i.flags.fin);
    arrival.aborts = brings && past_q && numbers_i.state inside {FinWait1, FinWait2};
    arrival.takes = brings && !arrival.aborts
                    && !(numbers_i.state == LastAck && arrival.fin_known);
    arrival.past = past_q;
    arrival.past_bytes = past_bytes_q;
  end

  logic told_q2, ends_q;

  always_ff @(posedge clk_i) begin
    arrival_q <= arrival;
    told_q2 <= sound && numbers_i.times && told_q;
    ends_q <= sound && ends;
  end

  // ---- 4 ----------------------------------------------------------------------------------------
  always_comb begin
    arrival_o = arrival_q;
    numbers_o = numbers_i;
    if (told_q2) begin
      numbers_o.stamp = segment_i.options.time_value;
      numbers_o.stamped = now_i[31:StampAge];
    end
    if (arrival_q.challenge) numbers_o.challenged = now_i[7:0];
    if (ends_q) begin
      numbers_o.end_known = 1'b1;
      numbers_o.end_ = arrival_q.stop;
    end
    arrival_o.stop = larger(arrival_q.stop, arrival_q.start);  // it may have no bytes
    if (!arrival_q.takes) {arrival_o.start, arrival_o.stop} = '0;
  end

endmodule

`default_nettype wire
