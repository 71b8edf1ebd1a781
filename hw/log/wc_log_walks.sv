// SPDX-License-Identifier: Apache-2.0
// What wc_log_walk does, for several streams in turns, with one adder and one copy of the rest: turns
// requests for consecutive beats of a log into single beats. It has half of their look-up tables, and
// is for beats of a unit, which come more often than anybody takes them.
// A turn has three steps of a cycle: a stream is chosen; its state is read, and written back; what
// it means is looked at. So a stream has a turn every other cycle, the streams together one a cycle.
// A request takes a turn, and each beat and each one that is skipped. Latency 3. When a segment ends
// all wait for wc_log_next's answer, 30 cycles.
// A beat that is not taken holds back those of the other streams: who takes them has room for each
// (room_i), and waits for memory to take addresses only.
`include "wc_assert.svh"
`default_nettype none

module wc_log_walks
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams   = 3,
  parameter int unsigned BeatUnits = 1
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  input  wire link_t         link_i,      // there before anybody asks for a beat behind it
  input  wire logic [Streams-1:0] request_valid_i,
  output logic [Streams-1:0] request_ready_o,
  input  wire log_request_t [Streams-1:0] request_i,
  input  wire logic [Streams-1:0] room_i,  // stays until a beat of the stream is taken
  output logic [Streams-1:0] valid_o,      // one at most
  input  wire logic [Streams-1:0] ready_i,
  output address_t           address_o
);

  localparam int unsigned UnitBits = $clog2(BeatUnits);
  // Bits of a beat's number within its segment: these at least, and at most.
  localparam int unsigned LeastBits = LeastSegmentBits - UnitBits;
  localparam int unsigned MostBits = MostSegmentBits - UnitBits;
  localparam int unsigned StreamWidth = $clog2(Streams);
  typedef logic [$bits(address_t)-UnitBits-1:0] number_t;  // of a beat in memory
  typedef logic [Streams-1:0] mask_t;
  typedef struct packed {
    number_t    number;  // of the next beat
    beats_t     left;
    logic [4:0] skip;    // to be walked over first
  } state_t;

  `WC_REQUIRE(streams, Streams >= 2 && Streams <= 4, "wc_log_walks: Streams must be 2 to 4")

  logic [MostBits-1:0] above_q; // bits that belong to the segment's number

  always_ff @(posedge clk_i) begin
    above_q <= '0;
    for (int unsigned i = LeastBits; i < MostBits; i++) begin
      above_q[i] <= i + UnitBits >= 32'(settings_i.segment_bits);
    end
  end

  // ---- whose turn it is -------------------------------------------------------------------------
  mask_t busy_q;                   // it has a request
  mask_t skips_q, last_q, ends_q;  // its next beat is skipped, the request's, the segment's last
  mask_t wants, chosen, turn_q;
  logic crosses, cross_q;          // a walk goes on in the next segment
  mask_t cross_stream_q;
  logic there_q;                   // which is known
  logic done;

  always_comb begin
    for (int unsigned i = 0; i < Streams; i++) begin
      wants[i] = !turn_q[i] && (busy_q[i] ? room_i[i] : request_valid_i[i]);
    end
    if (cross_q) wants = there_q ? cross_stream_q & ~turn_q : '0;
    if ((turn_q & ends_q & busy_q) != '0) wants = '0;  // it may cross
  end

  wc_arbiter #(
    .Masters(Streams)
  ) u_turn (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .asks_i (wants),
    .take_i (done || turn_q == '0),
    .grant_o(chosen)
  );

  // ---- a turn -----------------------------------------------------------------------------------
  (* ram_style = "distributed" *) state_t state_mem[2**StreamWidth];
  logic [StreamWidth-1:0] stream_q;  // whose turn it is
  state_t state, base, next_state;
  log_request_t request;
  logic loads, arrives, steps, skips, ends, last, gives, goes_on;
  address_t next_address;

  assign state = state_mem[stream_q];
  assign loads = (turn_q & busy_q) == '0;
  assign arrives = cross_q;
  assign steps = !loads && !arrives;
  assign skips = (turn_q & skips_q) != '0;
  assign ends = (turn_q & ends_q) != '0;
  assign last = (turn_q & last_q) != '0;
  assign gives = valid_o != '0;
  assign goes_on = steps && !ends;
  assign valid_o = turn_q & busy_q & ~skips_q & ~{Streams{cross_q}};  // early: it goes far
  assign address_o = address_t'(state.number) << UnitBits;
  assign request_ready_o = turn_q & ~busy_q;
  assign done = turn_q != '0 && !(gives && (turn_q & ready_i) == '0);
  assign crosses = done && steps && ends && (skips || !last);

  always_comb begin
    request = '0;
    for (int unsigned i = 0; i < Streams; i++) if (turn_q[i]) request |= request_i[i];
    base = state;
    if (arrives) base.number = number_t'(next_address >> UnitBits);
    if (loads) begin
      base.number = number_t'(request.address >> UnitBits);
      base.left = request.beats;
      base.skip = request.skip;
    end
    next_state = base;
    next_state.number[MostBits-1:0] = base.number[MostBits-1:0] + MostBits'(goes_on);
    next_state.left = base.left - beats_t'(gives);
    next_state.skip = base.skip - 5'(steps && skips);
  end

  always_ff @(posedge clk_i) begin
    if (done) state_mem[stream_q] <= next_state;
  end

  // ---- what the state means ---------------------------------------------------------------------
  state_t seen_q;
  mask_t seen_stream_q;

  always_ff @(posedge clk_i) begin
    if (done || turn_q == '0) begin
      turn_q <= chosen;
      for (int unsigned i = 0; i < Streams; i++) if (chosen[i]) stream_q <= StreamWidth'(i);
    end
    if (done) begin
      if (loads) busy_q <= busy_q | turn_q;
      if (gives && last) busy_q <= busy_q & ~turn_q;
    end
    seen_q <= next_state;
    seen_stream_q <= done ? turn_q : '0;
    for (int unsigned i = 0; i < Streams; i++) begin
      if (seen_stream_q[i]) begin
        skips_q[i] <= seen_q.skip != '0;
        last_q[i] <= seen_q.left == beats_t'(1);
        ends_q[i] <= (seen_q.number[MostBits-1:0] | above_q) == '1;
      end
    end
    if (rst_i) begin
      turn_q <= '0;
      busy_q <= '0;
      seen_stream_q <= '0;
    end
  end

  // ---- the next segment -------------------------------------------------------------------------
  logic ask_q, answer;
  address_t ask_address_q;

  wc_log_next #(
    .Streams  (1),
    .BeatUnits(BeatUnits)
  ) u_next (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .settings_i(settings_i),
    .link_i    (link_i),
    .ask_i     (ask_q),
    .address_i (ask_address_q),
    .answer_o  (answer),
    .address_o (next_address)
  );

  always_ff @(posedge clk_i) begin
    if (crosses) begin
      cross_q <= 1'b1;
      cross_stream_q <= turn_q;
      ask_q <= 1'b1;
    end
    if (!cross_q) ask_address_q <= address_o;
    if (answer) begin
      ask_q <= 1'b0;
      there_q <= 1'b1;
    end
    if (cross_q && done) begin
      cross_q <= 1'b0;
      there_q <= 1'b0;
    end
    if (rst_i) begin
      cross_q <= 1'b0;
      ask_q <= 1'b0;
      there_q <= 1'b0;
    end
  end

  for (genvar i = 0; i < Streams; i++) begin : gen_stream
    `WC_ASSERT_STREAM(beat, valid_o[i], ready_i[i], address_o)
    `WC_ASSERT(request_not_empty, !request_valid_i[i] || request_i[i].beats != '0)
    `WC_ASSERT(aligned, !request_valid_i[i] || request_i[i].address % BeatUnits == 0)
    `WC_ASSERT(has_room, !valid_o[i] || room_i[i])
  end
  `WC_ASSERT(one_turn, $onehot0(turn_q))
  `WC_ASSERT(arrives_alone, !cross_q || turn_q == '0 || (there_q && turn_q == cross_stream_q))

endmodule

`default_nettype wire
