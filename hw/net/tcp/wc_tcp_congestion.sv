// SPDX-License-Identifier: Apache-2.0
// What an ACK, or none in time, means for what may be sent: the peer's window, slow start,
// congestion avoidance (RFC 5681), fast recovery with SACK or without (RFC 6675, 6582), timeout.
// Inputs stay for four cycles, the answer is there in the last one.
`default_nettype none

module wc_tcp_congestion (
  input  wire logic                          clk_i,
  input  wire logic                          ack_i,      // a segment acknowledges, maybe nothing
  input  wire wc_tcp_engine_pkg::offset_t    count_i,    // so much that is new
  input  wire logic                          empty_i,    // it has neither bytes nor FIN
  input  wire logic [31:0]                   seq_i,
  input  wire logic [15:0]                   window_i,   // as it stands in the header
  input  wire logic                          told_i,     // of pieces that the peer has
  input  wire logic                          expire_i,   // there was no ACK in time
  input  wire wc_tcp_engine_pkg::pieces_t    pieces_i,   // behind what is acknowledged
  input  wire wc_tcp_engine_pkg::numbers_t   numbers_i,  // the segment counted in
  input  wire wc_tcp_engine_pkg::sender_t    sender_i,   // not yet
  output wc_tcp_engine_pkg::sender_t         sender_o,
  output wc_tcp_engine_pkg::pieces_t         pieces_o,
  output wc_tcp_engine_pkg::offset_t         has_o,      // bytes in pieces
  output wc_tcp_engine_pkg::offset_t         most_window_o,
  output logic                               recovers_o,  // fast recovery begins
  output logic                               opened_o,    // a window of zero is none any more
  output logic                               shut_o       // the window is zero
);

  import wc_tcp_engine_pkg::*;

  offset_t mss;
  logic new_;
  assign mss = offset_t'(sender_i.mss);
  assign new_ = ack_i && count_i != '0;

  // ---- 1 ----------------------------------------------------------------------------------------
  logic [45:0] scaled;  // the window, in bytes
  offset_t window, window_q, flight_q, again_q, lost_q, two_q, half_q, first_q;
  logic [OffsetBits:0] credit_q;  // of two whole windows
  offset_t [Pieces-1:0] length_q;
  logic [31:0] later;
  logic later_q, there_q, reached_q, slow_q;
  offset_t last_q;  // where the last piece begins
  logic flies_q, shut_q;   // something was sent; the peer's window was zero
  offset_t left_q;
  logic some_q, held_q;  // there are pieces; the first one begins without a gap

  assign scaled = 46'(window_i) << numbers_i.peer_scale;
  assign window = scaled[45:OffsetBits] != '0 ? MostWindow : scaled[OffsetBits-1:0];
  assign later = seq_i - sender_i.window_at;

  always_ff @(posedge clk_i) begin
    window_q <= window;
    later_q <= !later[31] && later != '0;
    there_q <= later == '0;
    flight_q <= numbers_i.flight;
    flies_q <= numbers_i.flight != '0;
    shut_q <= sender_i.window == '0;
    left_q <= sender_i.left + mss;
    again_q <= less(sender_i.again, count_i);
    lost_q <= less(sender_i.lost, count_i);
    reached_q <= count_i >= sender_i.recover;
    slow_q <= sender_i.cwnd < sender_i.ssthresh;
    credit_q <= (OffsetBits+1)'(sender_i.credit) + (OffsetBits+1)'(count_i);
    two_q <= offset_t'({sender_i.mss, 1'b0});
    half_q <= numbers_i.flight >> 1;
    first_q <= smaller(mss, numbers_i.flight);
    for (int unsigned i = 0; i < Pieces; i++) length_q[i] <= pieces_i[i].stop - pieces_i[i].start;
    some_q <= pieces_i[0].stop != '0;
    held_q <= pieces_i[0].start == '0;
    last_q <= '0;
    for (int unsigned i = 0; i < Pieces; i++) begin
      if (pieces_i[i].stop != '0) last_q <= pieces_i[i].start;
    end
  end

  // ---- 2 ----------------------------------------------------------------------------------------
  offset_t has_q, threshold_q, step_q, exit_q, recover_q, left_more_q, left_less_q;
  offset_t lost_known_q, first_known_q;  // or up to the last piece
  logic wider_q, same_q, through_q, zero_q;

  always_ff @(posedge clk_i) begin
    has_q <= length_q[0] + length_q[1] + length_q[2] + length_q[3];
    threshold_q <= larger(half_q, two_q);
    // Slow start: by what is acknowledged, two segments at most, and one behind a timeout.
    step_q <= smaller(count_i, sender_i.phase == PhaseOpen ? two_q : mss);
    through_q <= credit_q >= (OffsetBits+1)'(sender_i.cwnd);
    exit_q <= larger(flight_q, mss) + mss;
    recover_q <= less(sender_i.recover, count_i);
    left_less_q <= less(left_q, count_i);
    left_more_q <= smaller(left_q, flight_q);
    lost_known_q <= larger(lost_q, last_q);
    first_known_q <= larger(first_q, last_q);
    wider_q <= window_q > sender_i.window;
    same_q <= window_q == sender_i.window && empty_i;
    zero_q <= window_q == '0;
  end

  // ---- 3 ----------------------------------------------------------------------------------------
  offset_t more;
  logic [OffsetBits+1:0] grown;
  offset_t cwnd_q, credit_q3;
  logic much_q, duplicate_q, update_q, closes_q, third_q, zero_q3;
  logic may_recover_q, must_recover_q;  // if much is behind gaps; in any case
  logic goes_on_q, leaves_q, next_q;    // an ACK: as before; all is recovered; NewReno's next
  offset_t most_q, exit_q3;
  offset_t left_first_q;
  logic goes_on, leaves, duplicate;

  assign goes_on = sender_i.phase == PhaseOpen || (sender_i.phase == PhaseLoss && !reached_q);
  assign leaves = !goes_on && reached_q;
  assign duplicate = ack_i && !new_ && flies_q
                     && (told_i || (same_q && !numbers_i.sack));

  always_comb begin
    more = '0;
    if (slow_q) more = step_q;
    else if (through_q) more = mss;
    grown = (OffsetBits+2)'(sender_i.cwnd) + (OffsetBits+2)'(more);
    if (grown > (OffsetBits+2)'(MostWindow)) grown = (OffsetBits+2)'(MostWindow);
  end

  always_ff @(posedge clk_i) begin
    cwnd_q <= offset_t'(grown);
    credit_q3 <= slow_q ? sender_i.credit
                 : offset_t'(through_q ? credit_q - (OffsetBits+1)'(sender_i.cwnd) : credit_q);
    much_q <= has_q > two_q;
    duplicate_q <= duplicate;
    third_q <= sender_i.duplicates >= 2'(Duplicates - 1);
    may_recover_q <= (new_ && told_i && (leaves || sender_i.phase == PhaseOpen))
                     || (duplicate && sender_i.phase == PhaseOpen);
    must_recover_q <= duplicate && sender_i.phase == PhaseOpen
                      && sender_i.duplicates >= 2'(Duplicates - 1);
    goes_on_q <= new_ && goes_on;
    leaves_q <= new_ && leaves;
    next_q <= new_ && !goes_on && !reached_q && !numbers_i.sack;
    exit_q3 <= sender_i.phase == PhaseRecovery ? smaller(sender_i.ssthresh, exit_q)
               : sender_i.cwnd;
    most_q <= larger(numbers_i.most_window, window_q);
    left_first_q <= numbers_i.sack ? '0 : smaller(two_q + mss, flight_q);
    zero_q3 <= zero_q;
    update_q <= ack_i && (new_ || later_q || (there_q && wider_q));
    closes_q <= ack_i && there_q && zero_q;
  end

  // ---- 4 ----------------------------------------------------------------------------------------
  logic recovers;
  assign recovers = must_recover_q || (may_recover_q && much_q);

  always_comb begin
    sender_o = sender_i;
    pieces_o = pieces_i;
    has_o = has_q;
    most_window_o = numbers_i.most_window;
    opened_o = 1'b0;
    shut_o = shut_q;

    if (update_q) begin
      sender_o.window = window_q;
      sender_o.window_at = seq_i;
      most_window_o = most_q;
      opened_o = shut_q && !zero_q3;
      shut_o = zero_q3;
    end else if (closes_q) begin
      sender_o.window = '0;
      shut_o = 1'b1;
    end

    // What an ACK finds of something new.
    if (new_) begin
      sender_o.again = again_q;
      sender_o.lost = lost_q;
      sender_o.recover = recover_q;
    end
    if (goes_on_q) begin
      sender_o.duplicates = '0;
      sender_o.left = '0;
      if (sender_i.limited || sender_i.phase == PhaseLoss) begin
        sender_o.cwnd = cwnd_q;
        sender_o.credit = credit_q3;
      end
    end
    if (leaves_q) begin
      sender_o.cwnd = exit_q3;
      sender_o.phase = PhaseOpen;
      sender_o.duplicates = '0;
      sender_o.left = '0;
    end
    if (next_q) begin  // NewReno: the next segment is lost as well
      sender_o.again = '0;
      sender_o.lost = first_q;
      sender_o.left = left_less_q;
    end

    // What it finds of nothing new.
    if (duplicate_q) begin
      if (sender_i.phase == PhaseRecovery && !numbers_i.sack) sender_o.left = left_more_q;
      if (sender_i.phase == PhaseOpen) begin
        sender_o.duplicates = third_q ? 2'(Duplicates) : sender_i.duplicates + 1'b1;
      end
    end

    // What is lost reaches up to the last piece, where anything is.
    if (ack_i && some_q && !leaves_q && sender_i.phase != PhaseOpen) begin
      sender_o.lost = next_q ? first_known_q : lost_known_q;
    end
    if (new_) begin
      sender_o.forced = !leaves_q && sender_i.phase == PhaseRecovery && !numbers_i.sack;
    end

    if (recovers) begin
      sender_o.phase = PhaseRecovery;
      sender_o.recover = flight_q;
      sender_o.ssthresh = threshold_q;
      sender_o.cwnd = threshold_q;
      sender_o.credit = '0;
      sender_o.again = '0;
      sender_o.lost = some_q ? first_known_q : first_q;
      sender_o.left = left_first_q;
      sender_o.forced = 1'b1;
    end

    if (expire_i) begin
      if (sender_i.phase != PhaseLoss) sender_o.ssthresh = threshold_q;
      // A peer that has what it has not acknowledged has forgotten it (RFC 2018, 8).
      if (held_q) begin
        pieces_o = '0;
        has_o = '0;
      end
      sender_o.phase = PhaseLoss;
      sender_o.recover = flight_q;
      sender_o.cwnd = mss;
      sender_o.credit = '0;
      sender_o.again = '0;
      sender_o.lost = flight_q;
      sender_o.left = '0;
      sender_o.duplicates = '0;
      sender_o.forced = 1'b1;
    end
    recovers_o = recovers;
  end

endmodule

`default_nettype wire
