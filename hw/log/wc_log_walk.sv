// SPDX-License-Identifier: Apache-2.0
// Turns requests for consecutive lines of a log into single lines. At a segment's end the walk asks
// where the log goes on (wc_log_next).
// Latency 1. A line a cycle, a cycle more for each request and each line that is skipped, and
// wc_log_next's time when a segment ends. With Past the first line comes at once, if none is skipped.
// request_ready_o is a register.
`include "wc_assert.svh"
`default_nettype none

module wc_log_walk
  import wc_log_pkg::*;
#(
  parameter bit Past = 1'b0
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  input  wire logic          request_valid_i,
  output logic               request_ready_o,
  input  wire log_request_t  request_i,
  output logic               valid_o,
  input  wire logic          ready_i,
  output line_t              line_o,
  // what is behind line_o, the last line of its segment
  output logic               next_ask_o,
  input  wire logic          next_valid_i,
  input  wire line_t         next_line_i
);

  // Bits of a line's number within its segment: 9 to 22.
  localparam int unsigned MostBits = 24 - $clog2(LineUnits);

  logic [MostBits-1:0] above_q; // bits that belong to the segment's number

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < MostBits; i++) begin
      above_q[i] <= i + $clog2(LineUnits) >= 32'(settings_i.segment_bits);
    end
  end

  // ---- the walk ---------------------------------------------------------------------------------
  logic busy_q;
  logic skips_q;       // the line is only walked over
  logic last_q;        // it is the last of the request
  logic end_q;         // it is the last of its segment
  logic cross_q;       // the walk goes on in the next segment
  logic [2:0] skip_q;
  logic [17:0] left_q;
  logic step, finish;
  logic past;    // the first line of a request, at once
  logic first_ends;  // it is the last of its segment
  line_t line_q;

  assign first_ends = (request_i.line[MostBits-1:0] | above_q) == '1;
  assign past = Past && !busy_q && request_valid_i && request_i.skip == '0;
  assign valid_o = past || (busy_q && !skips_q && !cross_q);
  assign line_o = Past && !busy_q ? request_i.line : line_q;
  assign next_ask_o = cross_q;
  assign step = busy_q && !cross_q && (skips_q || ready_i);
  assign finish = step && !skips_q && last_q;
  assign request_ready_o = !busy_q;

  always_ff @(posedge clk_i) begin
    if (step) begin
      if (skips_q) begin
        skip_q <= skip_q - 1'b1;
        skips_q <= skip_q != 3'd1;
      end else begin
        left_q <= left_q - 1'b1;
        last_q <= left_q == 18'd2;
      end
      if (!end_q) line_q <= line_q + 1'b1;
      end_q <= !line_q[0] && (line_q[MostBits-1:1] | above_q[MostBits-1:1]) == '1;
      cross_q <= end_q && !finish;
    end
    if (next_valid_i) begin
      line_q <= next_line_i;
      end_q <= 1'b0;
      cross_q <= 1'b0;
    end
    if (finish) busy_q <= 1'b0;
    if (request_ready_o) begin
      busy_q <= request_valid_i;
      line_q <= request_i.line;
      end_q <= first_ends;
      skip_q <= request_i.skip;
      skips_q <= request_i.skip != '0;
      left_q <= request_i.lines;
      last_q <= request_i.lines == 18'd1;
      if (past && ready_i) begin  // the walk begins with the second line
        busy_q <= request_i.lines != 18'd1;
        cross_q <= first_ends && request_i.lines != 18'd1;
        if (!first_ends) line_q <= request_i.line + 1'b1;
        end_q <= !request_i.line[0] && (request_i.line[MostBits-1:1] | above_q[MostBits-1:1]) == '1;
        left_q <= request_i.lines - 1'b1;
        last_q <= request_i.lines == 18'd2;
      end
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      cross_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(line, valid_o, ready_i, line_o)
  `WC_ASSERT(request_not_empty, !request_valid_i || request_i.lines != '0)
  `WC_ASSERT(answer_was_asked_for, !next_valid_i || cross_q)

endmodule

`default_nettype wire
