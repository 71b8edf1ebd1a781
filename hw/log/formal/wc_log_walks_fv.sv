// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_walks, with beats of a unit and wc_log_next inside. One stream is followed, any
// one, from its requests to its beats; where a log goes on behind a segment is what wc_log_next
// answers.
// Rule 1: each request leads to as many beats as it asks for, the first behind those that it skips,
//         one behind the other; behind the last one of a segment comes the one that is the answer.
// Rule 2: wc_log_next is asked about the last beat of a segment, and only for a stream whose next
//         beat is behind it; it answers within Answer cycles.
// Rule 3: a beat is given to one stream at a time, and only to one that has a request and room, and
//         holds until taken; a request is taken only of a stream that has none.
// Rule 4: nothing is stuck: with a stream that has a request to begin, or room for a beat, a turn
//         begins within Answer + 3 cycles, not counting those in which a beat waits to be taken.
// Rule 5: no stream starves: while one waits for its turn, no other has two, but for the one with
//         which it goes on in the next segment. With rule 4: it waits for 2 Streams (Answer + 3)
//         cycles at most.
// Assumed: a request holds until taken, and is not empty; room stays until a beat of the stream is
// taken; a link does not come as it is looked up.
`include "wc_assert.svh"
`default_nettype none

module wc_log_walks_fv
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams     = 3,
  parameter int unsigned SegmentBits = 11
) (
  input wire logic                       clk_i,
  input wire logic                       rst_i,
  input wire logic [1:0]                 follow_i,  // free: the stream that is followed
  input wire link_t                      link_i,
  input wire logic [Streams-1:0]         valid_i,
  input wire log_request_t [Streams-1:0] request_i,
  input wire logic [Streams-1:0]         room_i,
  input wire logic [Streams-1:0]         ready_i
);

  localparam int unsigned Answer = 26;  // wc_log_next's latency
  typedef logic [SegmentBits-1:0] offset_t;  // in a segment
  typedef logic [5:0] skip_t;
  typedef logic [Streams-1:0] mask_t;

  log_settings_t settings;
  mask_t request_ready, valid;
  address_t address;

  assign settings = '{segment_bits: 5'(SegmentBits), default: '0};

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_log_walks #(
    .Streams  (Streams),
    .BeatUnits(1)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings),
    .link_i         (link_i),
    .request_valid_i(valid_i),
    .request_ready_o(request_ready),
    .request_i      (request_i),
    .room_i         (room_i),
    .valid_o        (valid),
    .ready_i        (ready_i),
    .address_o      (address)
  );

  for (genvar i = 0; i < Streams; i++) begin : gen_stream
    `WC_ASSUME(not_empty, !valid_i[i] || request_i[i].beats != '0)
    `WC_ASSUME(holds, $past(rst_i) || !$past(valid_i[i]) || $past(request_ready[i])
               || (valid_i[i] && request_i[i] == $past(request_i[i])))
    `WC_ASSUME(room_stays, $past(rst_i) || !$past(room_i[i]) || $past(valid[i] && ready_i[i])
               || room_i[i])
  end
  `WC_ASSUME(link_is_there, !(u_dut.u_next.reads && link_i.valid
                              && link_i.segment == u_dut.u_next.segment))

  // ---- the stream that is followed --------------------------------------------------------------
  // Its next beat is skip_q behind place_q, in the same segment or behind that.
  logic busy_q;
  address_t place_q, next_place, last_place;
  skip_t skip_q;
  beats_t left_q;
  logic takes, beats, asks, answers;
  logic fits;

  `WC_ASSUME(followed, 32'(follow_i) < Streams && ($past(rst_i) || follow_i == $past(follow_i)))

  assign takes = request_ready[follow_i] && valid_i[follow_i];
  assign beats = valid[follow_i] && ready_i[follow_i];
  assign asks = u_dut.ask_q && u_dut.cross_stream_q[follow_i];
  assign answers = u_dut.answer && u_dut.cross_stream_q[follow_i];
  assign next_place = place_q + address_t'(skip_q);
  assign last_place = {place_q[$bits(address_t)-1:SegmentBits], {SegmentBits{1'b1}}};
  assign fits = next_place[$bits(address_t)-1:SegmentBits]
                == place_q[$bits(address_t)-1:SegmentBits];

  always_ff @(posedge clk_i) begin
    if (takes) begin
      busy_q <= 1'b1;
      place_q <= request_i[follow_i].address;
      skip_q <= skip_t'(request_i[follow_i].skip);
      left_q <= request_i[follow_i].beats;
    end else if (beats) begin
      busy_q <= left_q != beats_t'(1);
      place_q <= next_place;
      skip_q <= skip_t'(1);
      left_q <= left_q - 1'b1;
    end else if (answers) begin
      place_q <= u_dut.next_address;
      skip_q <= skip_q - skip_t'(last_place - place_q) - 1'b1;
    end
    if (rst_i) busy_q <= 1'b0;
  end

  `WC_ASSERT(rule_1_beat, !valid[follow_i] || (busy_q && fits && address == next_place))
  `WC_ASSERT(rule_2_asks, !asks || (busy_q && !fits && u_dut.ask_address_q == last_place))
  `WC_ASSERT(rule_2_answers, !u_dut.answer || (u_dut.ask_q && $onehot(u_dut.cross_stream_q)))
  `WC_ASSERT(rule_3_one, $onehot0(valid))
  `WC_ASSERT(rule_3_room, !valid[follow_i] || room_i[follow_i])
  `WC_ASSERT(rule_3_takes, !request_ready[follow_i] || (valid_i[follow_i] && !busy_q))

  // ---- turns ------------------------------------------------------------------------------------
  logic [5:0] idle_q, asked_q;
  mask_t wants, begins;
  mask_t others_q;  // had a turn while the followed one waits
  logic waits;

  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      wants[i] = u_dut.busy_q[i] ? room_i[i] : valid_i[i];
    end
  end
  assign begins = u_dut.done || u_dut.turn_q == '0 ? u_dut.chosen : '0;
  assign waits = wants[follow_i] && !u_dut.turn_q[follow_i] && !begins[follow_i];

  always_ff @(posedge clk_i) begin
    idle_q <= u_dut.turn_q == '0 && wants != '0 ? idle_q + 1'b1 : '0;
    asked_q <= u_dut.ask_q ? asked_q + 1'b1 : '0;
    others_q <= !waits ? '0 : others_q | (u_dut.cross_q ? '0 : begins);
    if (rst_i) begin
      idle_q <= '0;
      asked_q <= '0;
      others_q <= '0;
    end
  end

  `WC_ASSERT(rule_2_in_time, !u_dut.ask_q || asked_q <= 6'(Answer))
  `WC_ASSERT(rule_4, idle_q <= 6'(Answer + 2))
  `WC_ASSERT(rule_5, u_dut.cross_q || (begins & others_q) == '0)
  `WC_ASSERT(rule_5_goes_on, !u_dut.cross_q || (begins & ~u_dut.cross_stream_q) == '0)

  // ---- what ties the checker to the cell --------------------------------------------------------
  localparam int unsigned LeastBits = LeastSegmentBits;
  localparam int unsigned Shift = SegmentBits - LeastBits;
  localparam int unsigned Turns = $bits(address_t) - LeastBits;  // of wc_log_next's register

  logic crosses, there;
  address_t number;
  logic [4:0] skip;
  beats_t left;
  logic [SegmentBits:0] from, to;  // the next beat, from both, as if the segment did not end

  assign crosses = u_dut.cross_q && u_dut.cross_stream_q[follow_i];
  assign there = crosses && u_dut.there_q;
  assign {number, left, skip} = u_dut.state_mem[follow_i];
  assign from = (SegmentBits + 1)'(offset_t'(place_q)) + (SegmentBits + 1)'(skip_q);
  assign to = (SegmentBits + 1)'(offset_t'(number)) + (SegmentBits + 1)'(skip)
              + (SegmentBits + 1)'(crosses);

  `WC_ASSERT(busy_is, busy_q == u_dut.busy_q[follow_i])
  `WC_ASSERT(above_is, u_dut.above_q == ~24'd0 << SegmentBits)
  `WC_ASSERT(segment_is, !busy_q || there
             || number[$bits(address_t)-1:SegmentBits] == place_q[$bits(address_t)-1:SegmentBits])
  `WC_ASSERT(place_is, !busy_q || there || (from == to && offset_t'(place_q) <= offset_t'(number)))
  `WC_ASSERT(end_is, !crosses || there || offset_t'(number) == '1)
  `WC_ASSERT(there_is, !there || (place_q == u_dut.next_address && skip_q == skip_t'(skip)))
  `WC_ASSERT(left_is, !busy_q || (left == left_q && left != '0))
  `WC_ASSERT(asked_is, !asks || u_dut.ask_address_q == number)
  `WC_ASSERT(seen_is, !u_dut.seen_stream_q[follow_i] || u_dut.seen_q == u_dut.state_mem[follow_i])
  `WC_ASSERT(flags_are, !busy_q || u_dut.seen_stream_q[follow_i]
             || (u_dut.skips_q[follow_i] == (skip != '0)
                 && u_dut.last_q[follow_i] == (left == beats_t'(1))
                 && u_dut.ends_q[follow_i] == (offset_t'(number) == '1)))
  `WC_ASSERT(seen_later, (u_dut.seen_stream_q & u_dut.turn_q) == '0
             && $onehot0(u_dut.seen_stream_q))
  `WC_ASSERT(stream_is, u_dut.turn_q == '0 || u_dut.turn_q == mask_t'(1) << u_dut.stream_q)
  `WC_ASSERT(wants_are, u_dut.cross_q || (u_dut.turn_q & ~wants) == '0)

  // A stream that goes on in the next segment, and the question for it.
  mask_t last;
  assign last = u_dut.cross_q ? u_dut.cross_stream_q : u_dut.turn_q;

  `WC_ASSERT(cross_is, !u_dut.cross_q || ($onehot(u_dut.cross_stream_q)
             && (u_dut.cross_stream_q & ~u_dut.busy_q) == '0))
  `WC_ASSERT(ask_is, u_dut.ask_q == (u_dut.cross_q && !u_dut.there_q)
             && (!u_dut.there_q || u_dut.cross_q))
  `WC_ASSERT(later_is, last == '0 || u_dut.u_turn.later_q == ~(last | (last - 1'b1)))

  `WC_ASSERT(later_are, mask_t'(u_dut.u_turn.later_q << 1 & ~u_dut.u_turn.later_q) == '0)

  // Who had a turn is behind the followed one.
  function automatic logic [3:0] rank(mask_t later, logic [1:0] stream);
    return 4'(stream) + (later[stream] ? '0 : 4'(Streams));
  endfunction

  for (genvar i = 0; i < Streams; i++) begin : gen_other
    `WC_ASSERT(other_is, !others_q[i] || (2'(i) != follow_i
               && rank(u_dut.u_turn.later_q, 2'(i)) > rank(u_dut.u_turn.later_q, follow_i)))
  end

  // How far wc_log_next is.
  logic [5:0] gone;
  logic [4:0] count;
  logic moves, found, links, done;

  assign count = u_dut.u_next.gen_slow.count_q;
  assign moves = u_dut.u_next.gen_slow.turns_q;
  assign found = u_dut.u_next.gen_slow.found_q;
  assign links = u_dut.u_next.gen_slow.there_q;
  assign done = u_dut.u_next.gen_slow.done_q;
  assign gone = u_dut.answer ? 6'(Answer) : links ? 6'd3 + 6'(count) : found ? 6'd2 + 6'(count)
                : moves ? (done ? 6'd4 : 6'd1) + 6'(count) : '0;

  `WC_ASSERT(next_asked, !(moves || found || links || u_dut.answer)
             || (u_dut.ask_q && u_dut.u_next.turn_q == 1'b1))
  `WC_ASSERT(next_one, $onehot0({moves, found, links, u_dut.answer}))
  `WC_ASSERT(next_count, !(found || links) || (count == 5'(Shift) && !done))
  `WC_ASSERT(next_moves, !moves || (done ? count >= 5'(Shift) && count <= 5'(Turns)
                                         : count <= 5'(Shift)))
  `WC_ASSERT(next_shift, u_dut.u_next.shift_q == 4'(Shift))
  `WC_ASSERT(gone_is, !u_dut.ask_q || asked_q == gone)
  `WC_ASSERT(idle_is, idle_q <= (u_dut.there_q ? 6'(Answer + 1) : u_dut.ask_q ? gone : 6'd0)
                                + 6'(u_dut.turn_q != '0))

  // ---- covers -----------------------------------------------------------------------------------
  `WC_COVER(skips_on, there && skip_q != '0 && u_dut.turn_q != '0)
  `WC_COVER(ends, beats && left_q == beats_t'(1) && $past(beats, 2))
  `WC_COVER(both_wait, others_q == ~(mask_t'(1) << follow_i))

endmodule

`default_nettype wire
