// SPDX-License-Identifier: Apache-2.0
// Reads the lines of a segment ahead of the sweeper's walk through it.
// Lines are asked for one behind the other, in requests of `chunk` lines, up to two chunks ahead.
// The chunk doubles with each record that ends within Far lines, up to Chunk. It is one line behind
// a longer record, which is jumped over: lines that come from within it are dropped, and the next
// request is for the place behind it.
// here_o tells that the line in front is the walk's: combinational, with the line. A dropped line
// takes a cycle, a jump over what was not asked for one more. Nothing is asked for behind the
// segment's end. Never more than 2 * Chunk lines are asked for and not taken; who reads may have
// room for fewer.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_lines
  import wc_log_pkg::*;
#(
  parameter int unsigned Chunk = 16,
  parameter int unsigned Far   = 16
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire line_t       base_i,    // the segment's first line
  input  wire index_t      beyond_i,  // bits that are set only in an index behind its end
  // The walk. Its place is line_i.
  input  wire logic        start_i,   // from line_i on; nothing is on the way
  input  wire logic        look_i,    // drop what is in front of line_i
  input  wire logic        pop_i,     // drop the line in front, if it is there
  input  wire logic        step_i,    // line_i is delta_i more in the next cycle
  input  wire logic [18:0] delta_i,
  input  wire logic        flush_i,   // drop all lines, ask for no more
  input  wire index_t      line_i,
  output logic             here_o,
  output logic             idle_o,    // nothing is on the way
  // Memory.
  output logic             request_valid_o,
  input  wire logic        request_ready_i,
  output line_t            request_line_o,
  output logic [17:0]      request_lines_o,
  input  wire logic        line_valid_i,
  output logic             line_ready_o
);

  localparam int unsigned Most = 2 * Chunk;  // lines asked for and not taken
  localparam int unsigned LevelWidth = $clog2(Most + 1);
  localparam int unsigned FrontWidth = LevelWidth + 1;  // tells those lines from any near them

  `WC_REQUIRE(chunk, Chunk >= 2 && Chunk == 2 ** $clog2(Chunk),
              "wc_log_sweep_lines: Chunk must be a power of two of 2 or more")

  typedef logic [LevelWidth-1:0] level_t;
  typedef logic [FrontWidth-1:0] front_t;

  index_t fetch_q;    // the next line to be asked for
  front_t front_q;    // index of the line in front, its lowest bits
  level_t level_q;    // lines asked for and not taken
  level_t chunk_q;    // one bit is set
  level_t launched;   // the level with them
  level_t lines_q;    // of the next request: it ends on a multiple of the chunk
  logic want_q;       // ask for them
  logic far_q;        // the walk is at a line that was not asked for
  logic active_q;
  logic launch, pop, same;

  assign same = front_q == line_i[FrontWidth-1:0];
  assign here_o = line_valid_i && same && !far_q;
  assign line_ready_o = flush_i || pop_i || (look_i && !same && !far_q);
  assign pop = line_valid_i && line_ready_o;
  assign idle_o = level_q == '0;

  assign launch = want_q && !far_q && !flush_i && (!request_valid_o || request_ready_i);
  assign launched = launch ? level_q + lines_q : level_q;

  always_ff @(posedge clk_i) begin
    if (request_ready_i) request_valid_o <= 1'b0;
    if (launch) begin
      request_valid_o <= 1'b1;
      request_line_o <= base_i | line_t'(fetch_q);
      request_lines_o <= 18'(lines_q);
      fetch_q <= fetch_q + index_t'(lines_q);
    end
    want_q <= active_q && !launch && !far_q && !flush_i && level_q <= chunk_q
              && (fetch_q & beyond_i) == '0;
    lines_q <= chunk_q - (fetch_q[LevelWidth-1:0] & (chunk_q - 1'b1));
    if (pop) front_q <= front_q + 1'b1;
    level_q <= pop ? launched - 1'b1 : launched;
    // Lines on the way are counted as those in front of the walk's, whatever they are.
    if (far_q) begin
      fetch_q <= line_i;
      front_q <= line_i[FrontWidth-1:0] - front_t'(level_q);
      far_q <= 1'b0;
    end
    if (step_i) begin
      far_q <= delta_i > 19'(level_q);
      if (delta_i >= 19'(Far)) chunk_q <= level_t'(1);
      else if (delta_i != '0 && !chunk_q[$clog2(Chunk)]) chunk_q <= chunk_q << 1;
    end
    if (start_i) begin
      fetch_q <= line_i;
      front_q <= line_i[FrontWidth-1:0];
      active_q <= 1'b1;
    end else if (flush_i) begin
      active_q <= 1'b0;
    end
    if (rst_i) begin
      request_valid_o <= 1'b0;
      level_q <= '0;
      chunk_q <= level_t'(1);
      want_q <= 1'b0;
      far_q <= 1'b0;
      active_q <= 1'b0;
    end
  end

  `WC_ASSERT(bounded, level_q <= level_t'(Most))
  `WC_ASSERT(not_past_the_walk, !look_i || far_q
             || front_t'(line_i[FrontWidth-1:0] - front_q) <= front_t'(level_q))
  `WC_ASSERT(asked_for, !line_valid_i || level_q != '0)
  `WC_ASSERT(nothing_left_at_start, !start_i || level_q == '0)
  `WC_ASSERT(within_segment, !launch || (fetch_q & beyond_i) == '0)
  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, {request_line_o, request_lines_o})

endmodule

`default_nettype wire
