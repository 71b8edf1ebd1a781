// SPDX-License-Identifier: Apache-2.0
// Reads the beats of a segment ahead of the sweeper's walk through it. A place is the number of a
// beat within the segment.
// Beats are asked for one behind the other, in requests of `chunk` beats, up to two chunks ahead.
// The chunk doubles with each record that ends within Far beats, up to Chunk. It is one line behind
// a longer record, which is jumped over: beats that come from within it are dropped, and the next
// request is for the place behind it. Chunk and Far are 1 KiB whatever a beat is: the bytes that are
// on the way decide how well memory's latency is hidden.
// here_o tells that the beat in front is the walk's: combinational, with the beat. A dropped beat
// takes a cycle, a jump over what was not asked for one more. Nothing is asked for behind the
// segment's end. Never more than 2 * Chunk beats are asked for and not taken; who reads may have
// room for fewer.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_lines
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits = LineUnits,
  parameter int unsigned Chunk     = 64 / BeatUnits,
  parameter int unsigned Far       = 64 / BeatUnits,
  localparam int unsigned UnitBits = $clog2(BeatUnits),
  localparam type place_t = logic [$bits(index_t)+$clog2(LineUnits)-UnitBits-1:0],
  localparam type delta_t = logic [$bits(units_t)-UnitBits:0]
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire address_t    base_i,    // the segment's first address
  input  wire index_t      beyond_i,  // bits that are set only in a line behind its end
  // The walk. Its place is place_i.
  input  wire logic        start_i,   // from place_i on; nothing is on the way
  input  wire logic        look_i,    // drop what is in front of place_i; a unit there is taken
  input  wire logic        pop_i,     // drop the beat in front, if it is there
  input  wire logic        step_i,    // place_i is delta_i more in the next cycle
  input  wire delta_t      delta_i,
  input  wire logic        flush_i,   // drop all beats, ask for no more
  input  wire place_t      place_i,
  output logic             here_o,
  output logic             idle_o,    // nothing is on the way
  // Memory.
  output logic             request_valid_o,
  input  wire logic        request_ready_i,
  output address_t         request_address_o,
  output beats_t           request_beats_o,
  input  wire logic        beat_valid_i,
  output logic             beat_ready_o
);

  localparam int unsigned First = LineUnits / BeatUnits;  // the least chunk: a line
  localparam int unsigned Most = 2 * Chunk;  // beats asked for and not taken
  localparam int unsigned LevelWidth = $clog2(Most + 1);
  localparam int unsigned FrontWidth = LevelWidth + 1;  // tells those beats from any near them
  // A unit is looked at once. A line stays in front: the next record may be in it too.
  localparam bit Units = BeatUnits == 1;

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_log_sweep_lines: BeatUnits must be 1 or 4")
  `WC_REQUIRE(chunk, Chunk >= 2 * First && Chunk == 2 ** $clog2(Chunk),
              "wc_log_sweep_lines: Chunk must be a power of two, of two lines or more")

  typedef logic [LevelWidth-1:0] level_t;
  typedef logic [FrontWidth-1:0] front_t;

  localparam int unsigned LowBits = LeastSegmentBits - UnitBits;  // of a place: they always count

  place_t fetch_q;    // the next beat to be asked for
  front_t front_q;    // place of the beat in front, its lowest bits
  level_t level_q;    // beats asked for and not taken
  level_t chunk_q;    // one bit is set
  level_t launched;   // the level with them
  level_t beats_q;    // of the next request: it ends on a multiple of the chunk
  logic want_q;       // ask for them
  logic far_q;        // the walk is at a beat that was not asked for
  logic belongs;      // the next beat is in the segment
  logic active_q;
  logic launch, pop, same;

  assign belongs = (fetch_q[$bits(place_t)-1:LowBits]
                    & beyond_i[$bits(index_t)-1:LeastSegmentBits-2]) == '0;
  assign same = front_q == place_i[FrontWidth-1:0];
  assign here_o = beat_valid_i && same && !far_q;
  assign beat_ready_o = flush_i || pop_i || (look_i && (Units || !same) && !far_q);
  assign pop = beat_valid_i && beat_ready_o;
  assign idle_o = level_q == '0;

  assign launch = want_q && !far_q && !flush_i && (!request_valid_o || request_ready_i);
  assign launched = launch ? level_q + beats_q : level_q;

  always_ff @(posedge clk_i) begin
    if (request_ready_i) request_valid_o <= 1'b0;
    if (launch) begin
      request_valid_o <= 1'b1;
      request_address_o <= {base_i[$bits(address_t)-1:LeastSegmentBits], LeastSegmentBits'(0)}
                           | address_t'(fetch_q) << UnitBits;
      request_beats_o <= beats_t'(beats_q);
      fetch_q <= fetch_q + place_t'(beats_q);
    end
    want_q <= active_q && !launch && !far_q && !flush_i && level_q <= chunk_q
              && belongs;
    beats_q <= chunk_q - (fetch_q[LevelWidth-1:0] & (chunk_q - 1'b1));
    if (pop) front_q <= front_q + 1'b1;
    level_q <= pop ? launched - 1'b1 : launched;
    // Beats on the way are counted as those in front of the walk's, whatever they are.
    if (far_q || start_i) begin
      fetch_q <= place_i;
      front_q <= place_i[FrontWidth-1:0] - front_t'(level_q);
    end
    far_q <= 1'b0;
    // One more than the level and what is taken of the header but its first beat is the next to be
    // asked for, which may count as far too.
    if (step_i) begin
      far_q <= delta_i[$bits(delta_t)-1:LevelWidth] != '0
               || delta_i[LevelWidth-1:0] > level_q + level_t'(Units);
      if (delta_i >= delta_t'(Far)) chunk_q <= level_t'(First);
      else if (delta_i != '0 && !chunk_q[$clog2(Chunk)]) chunk_q <= chunk_q << 1;
    end
    active_q <= start_i || (active_q && !flush_i);
    if (rst_i) begin
      request_valid_o <= 1'b0;
      level_q <= '0;
      chunk_q <= level_t'(First);
      want_q <= 1'b0;
      far_q <= 1'b0;
      active_q <= 1'b0;
    end
  end

  `WC_ASSERT(bounded, level_q <= level_t'(Most))
  `WC_ASSERT(not_past_the_walk, !look_i || far_q
             || front_t'(place_i[FrontWidth-1:0] - front_q) <= front_t'(level_q))
  // But for what is being asked for while the walk steps.
  `WC_ASSERT(asked_for_once, !far_q || $past(launch) || place_i >= fetch_q)
  `WC_ASSERT(asked_for, !beat_valid_i || level_q != '0)
  `WC_ASSERT(nothing_left_at_start, !start_i || level_q == '0)
  `WC_ASSERT(within_segment, !launch || belongs)
  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, {request_address_o, request_beats_o})

endmodule

`default_nettype wire
