// SPDX-License-Identifier: Apache-2.0
// Where beats that were read wait until their stream takes them: wc_log_read's buffer.
// The ring's beats come in order, and so do memory's of each stream: each source has a queue of its
// own in one RAM, of Beats places, as many as its stream has. Of the first stream with a ring, the turn
// says which of its two queues is next.
// A place is reserved (reserve_i, while room_o is high) before anybody is asked for the beat, and free
// again when the beat is on its stream's output. So what comes is always taken, one beat a cycle.
// Latency from a beat that comes to beat_o 3. With Past a beat that its stream waits for goes past the RAM: 1.
// Throughput: a beat a cycle in all; of several streams each has one every other cycle at most.
// Whether a stream takes its beat is known late. So of several streams the RAM is read without asking
// for that, and once more if the output is not free then. Streams whose output was full in the cycle
// before come last.
`include "wc_assert.svh"
`default_nettype none

module wc_log_read_buffer
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams   = 1,
  parameter int unsigned BeatUnits = LineUnits,
  parameter int unsigned Beats     = 64,    // places of each stream
  parameter bit          Ring      = 1'b1,  // the first stream has beats of the ring, too
  parameter bit          Past      = 1'b0,  // of one stream
  localparam int unsigned DataWidth   = 8 * UnitBytes * BeatUnits,
  localparam int unsigned StreamWidth = Streams == 1 ? 1 : $clog2(Streams)
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic [Streams-1:0] reserve_i,
  output logic      [Streams-1:0] room_o,
  // what comes: one of the two
  input  wire logic                   ring_valid_i,
  input  wire logic [DataWidth-1:0]   ring_beat_i,
  input  wire logic                   ring_error_i,
  input  wire logic                   memory_valid_i,
  input  wire logic [StreamWidth-1:0] stream_i,  // whose it is
  input  wire logic [DataWidth-1:0]   memory_beat_i,
  input  wire logic                   memory_error_i,
  // whose the first stream's next beat is, with a ring
  input  wire logic  turn_valid_i,
  input  wire logic  turn_ring_i,
  output logic       turn_take_o,
  output logic       past_o,  // what comes goes past the RAM
  output logic      [Streams-1:0] beat_valid_o,
  input  wire logic [Streams-1:0] beat_ready_i,
  output logic      [Streams-1:0][DataWidth-1:0] beat_o,
  output logic      [Streams-1:0] beat_error_o
);

  localparam int unsigned Sources = Streams + 32'(Ring);  // of beats: memory's of each stream, ring
  localparam int unsigned SourceWidth = Sources == 1 ? 1 : $clog2(Sources);
  localparam int unsigned PlaceWidth = $clog2(Beats);
  localparam int unsigned SpotWidth = PlaceWidth + $clog2(Sources);
  typedef logic [PlaceWidth-1:0] place_t;
  typedef logic [PlaceWidth:0] count_t;
  typedef logic [StreamWidth-1:0] stream_t;
  typedef logic [SourceWidth-1:0] source_t;
  typedef logic [Streams-1:0] mask_t;
  typedef struct packed {
    source_t source;
    place_t  place;  // of the source
  } spot_t;  // of the RAM

  mask_t move;  // a beat goes to its output

  // ---- places -----------------------------------------------------------------------------------
  for (genvar i = 0; i < Streams; i++) begin : gen_room
    count_t level_q;  // places that are reserved

    always_ff @(posedge clk_i) begin
      if (reserve_i[i] != move[i]) begin
        level_q <= reserve_i[i] ? level_q + 1'b1 : level_q - 1'b1;
        room_o[i] <= move[i] || level_q != count_t'(Beats - 1);
      end
      if (rst_i) begin
        level_q <= '0;
        room_o[i] <= 1'b1;
      end
    end

    `WC_ASSERT(room_when_room, room_o[i] == (level_q != count_t'(Beats)))
    `WC_ASSERT(reserved_with_room, !reserve_i[i] || room_o[i])
    `WC_ASSERT(level_is_bounded, level_q <= count_t'(Beats))
    `WC_ASSERT_STREAM(beat, beat_valid_o[i], beat_ready_i[i], {beat_error_o[i], beat_o[i]})
  end

  // ---- queues -----------------------------------------------------------------------------------
  logic write, store, error;
  source_t write_source;
  spot_t write_spot, fetch_spot;
  place_t [Sources-1:0] in_q, out_q;  // of each source, the next to come and to leave
  mask_t some_q;                      // memory's queue of the stream is not empty
  mask_t stored, unstored;            // a beat goes in, or leaves
  mask_t here, can_fetch, asks, granted;
  mask_t fetch;      // granted, and what is read has its output
  mask_t fetched_q;                   // the RAM's output is a beat of this stream
  source_t [Streams-1:0] source;      // of the stream's next beat
  logic [DataWidth-1:0] data;
  logic [DataWidth:0] come;

  assign write = ring_valid_i || memory_valid_i;
  assign write_source = ring_valid_i ? source_t'(Streams) : source_t'(stream_i);
  assign write_spot = '{source: write_source, place: in_q[write_source]};
  // A beat that comes while its stream waits for it goes past the RAM. If no turn is told yet, it
  // is told now, and is that of the beat.
  assign past_o = Past && write && !fetched_q[0] && (!beat_valid_o[0] || beat_ready_i[0])
                && ((Ring && !turn_valid_i) || !(ring_valid_i || turn_ring_i || some_q[0]));
  assign store = write && !past_o;
  assign come = {ring_valid_i ? ring_error_i : memory_error_i,
                 ring_valid_i ? ring_beat_i : memory_beat_i};
  assign move = (fetched_q & (~beat_valid_o | beat_ready_i)) | Streams'(past_o);
  assign turn_take_o = fetch[0] || (past_o && turn_valid_i);

  for (genvar i = 0; i < Streams; i++) begin : gen_queue
    count_t count_q;

    assign source[i] = i == 0 && turn_ring_i ? source_t'(Streams) : source_t'(i);
    assign here[i] = i == 0 ? turn_valid_i && (turn_ring_i || some_q[0]) : some_q[i];
    assign stored[i] = store && !ring_valid_i && stream_i == stream_t'(i);
    assign unstored[i] = fetch[i] && !(i == 0 && turn_ring_i);

    // Of several streams one that is fetched finds its output free, so none waits for another's.
    if (Streams == 1) begin : gen_alone
      assign can_fetch[i] = here[i] && (!fetched_q[i] || move[i]);
      assign fetch[i] = granted[i];
    end else begin : gen_shared
      assign can_fetch[i] = here[i] && !fetched_q[i];
      assign fetch[i] = granted[i] && (!beat_valid_o[i] || beat_ready_i[i]);
    end

    always_ff @(posedge clk_i) begin
      if (stored[i] != unstored[i]) begin
        count_q <= stored[i] ? count_q + 1'b1 : count_q - 1'b1;
        some_q[i] <= stored[i] || count_q != count_t'(1);
      end
      if (rst_i) begin
        count_q <= '0;
        some_q[i] <= 1'b0;
      end
    end

    `WC_ASSERT(count_is_bounded,
               count_q <= count_t'(Beats) && some_q[i] == (count_q != '0))
  end

  if (Streams == 1) begin : gen_turn
    assign asks = can_fetch;
  end else begin : gen_turns
    mask_t stalled_q;  // the output was not taken in the cycle before

    always_ff @(posedge clk_i) stalled_q <= rst_i ? '0 : beat_valid_o & ~beat_ready_i;
    assign asks = (can_fetch & ~stalled_q) != '0 ? can_fetch & ~stalled_q : can_fetch;
  end

  wc_arbiter #(
    .Masters(Streams)
  ) u_fetch (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .asks_i (asks),
    .take_i (1'b1),
    .grant_o(granted)
  );

  always_comb begin
    fetch_spot = '0;
    for (int unsigned i = 0; i < Streams; i++) begin
      if (granted[i]) begin
        fetch_spot.source |= source[i];
        fetch_spot.place |= out_q[source[i]];
      end
    end
  end

  wc_ram_sdp #(
    .Width(DataWidth + 1),
    .Depth(2 ** SpotWidth),
    .Style("block")
  ) u_beats (
    .clk_i  (clk_i),
    .we_i   (write),
    .waddr_i(SpotWidth'(write_spot)),
    .wdata_i(come),
    .re_i   (granted != '0),
    .raddr_i(SpotWidth'(fetch_spot)),
    .rdata_o({error, data})
  );

  always_ff @(posedge clk_i) begin
    fetched_q <= fetch | (fetched_q & ~move);
    beat_valid_o <= move | (beat_valid_o & ~beat_ready_i);
    for (int unsigned i = 0; i < Streams; i++) begin
      if (stored[i]) in_q[i] <= in_q[i] + 1'b1;
      if (unstored[i]) out_q[i] <= out_q[i] + 1'b1;
      if (move[i]) {beat_error_o[i], beat_o[i]} <= Past && !fetched_q[i] ? come : {error, data};
    end
    if (Ring && store && ring_valid_i) in_q[Sources-1] <= in_q[Sources-1] + 1'b1;
    if (Ring && fetch[0] && turn_ring_i) out_q[Sources-1] <= out_q[Sources-1] + 1'b1;
    if (rst_i) begin
      in_q <= '0;
      out_q <= '0;
      fetched_q <= '0;
      beat_valid_o <= '0;
    end
  end

  `WC_ASSERT(one_comes, !(ring_valid_i && memory_valid_i))
  `WC_ASSERT(one_is_fetched, $onehot0(fetched_q) && (Streams == 1 || move == fetched_q))
  `WC_ASSERT(turn_is_told_before, !some_q[0] || turn_valid_i)

endmodule

`default_nettype wire
