// SPDX-License-Identifier: Apache-2.0
// Turns requests for consecutive beats of a log into single beats. At a segment's end the walk asks
// where the log goes on (wc_log_next).
// Latency 1. A beat a cycle, a cycle more for each request and each beat that is skipped, and
// wc_log_next's time when a segment ends. With Past the first beat comes at once, if none is skipped.
// request_ready_o is a register.
`include "wc_assert.svh"
`default_nettype none

module wc_log_walk
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits = LineUnits,
  parameter bit          Past      = 1'b0
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  input  wire logic          request_valid_i,
  output logic               request_ready_o,
  input  wire log_request_t  request_i,
  output logic               valid_o,
  input  wire logic          ready_i,
  output address_t           address_o,
  // what is behind address_o, the last beat of its segment
  output logic               next_ask_o,
  input  wire logic          next_valid_i,
  input  wire address_t      next_address_i
);

  localparam int unsigned UnitBits = $clog2(BeatUnits);
  // Bits of a beat's number within its segment: these at least, and at most.
  localparam int unsigned LeastBits = LeastSegmentBits - UnitBits;
  localparam int unsigned MostBits = MostSegmentBits - UnitBits;
  typedef logic [$bits(address_t)-UnitBits-1:0] number_t;  // of a beat in memory

  logic [MostBits-1:0] above_q; // bits that belong to the segment's number

  always_ff @(posedge clk_i) begin
    above_q <= '0;
    for (int unsigned i = LeastBits; i < MostBits; i++) begin
      above_q[i] <= i + UnitBits >= 32'(settings_i.segment_bits);
    end
  end

  // ---- the walk ---------------------------------------------------------------------------------
  logic busy_q;
  logic skips_q;       // the beat is only walked over
  logic last_q;        // it is the last of the request
  logic end_q;         // it is the last of its segment
  logic cross_q;       // the walk goes on in the next segment
  logic [4:0] skip_q;
  beats_t left_q, left;
  logic step, finish;
  logic past;    // the first beat of a request, at once
  logic first_ends;  // it is the last of its segment
  logic last_but_one;  // so is the beat behind the one that is given
  number_t number_q, number, first;

  // The beat behind one that does not end its segment.
  function automatic number_t behind(number_t one);
    return {one[$bits(number_t)-1:MostBits], one[MostBits-1:0] + 1'b1};
  endfunction

  assign first = number_t'(request_i.address >> UnitBits);
  assign first_ends = (first[MostBits-1:0] | above_q) == '1;
  assign past = Past && !busy_q && request_valid_i && request_i.skip == '0;
  assign valid_o = past || (busy_q && !skips_q && !cross_q);
  assign number = Past && !busy_q ? first : number_q;
  assign left = Past && !busy_q ? request_i.beats : left_q;
  assign last_but_one = !number[0] && (number[MostBits-1:1] | above_q[MostBits-1:1]) == '1;
  assign address_o = address_t'(number) << UnitBits;
  assign next_ask_o = cross_q;
  assign step = busy_q && !cross_q && (skips_q || ready_i);
  assign finish = step && !skips_q && last_q;
  assign request_ready_o = !busy_q;

  always_ff @(posedge clk_i) begin
    if (step) begin
      if (skips_q) begin
        skip_q <= skip_q - 1'b1;
        skips_q <= skip_q != 5'd1;
      end else begin
        left_q <= left - 1'b1;
        last_q <= left == beats_t'(2);
      end
      if (!end_q) number_q <= behind(number);
      end_q <= last_but_one;
      cross_q <= end_q && !finish;
    end
    if (next_valid_i) begin
      number_q <= number_t'(next_address_i >> UnitBits);
      end_q <= 1'b0;
      cross_q <= 1'b0;
    end
    if (finish) busy_q <= 1'b0;
    if (request_ready_o) begin
      busy_q <= request_valid_i;
      number_q <= first;
      end_q <= first_ends;
      skip_q <= request_i.skip;
      skips_q <= request_i.skip != '0;
      left_q <= request_i.beats;
      last_q <= request_i.beats == beats_t'(1);
      if (past && ready_i) begin  // the walk begins with the second beat
        busy_q <= request_i.beats != beats_t'(1);
        cross_q <= first_ends && request_i.beats != beats_t'(1);
        if (!first_ends) number_q <= behind(number);
        end_q <= last_but_one;
        left_q <= left - 1'b1;
        last_q <= left == beats_t'(2);
      end
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      cross_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(beat, valid_o, ready_i, address_o)
  `WC_ASSERT(request_not_empty, !request_valid_i || request_i.beats != '0)
  `WC_ASSERT(aligned, !request_valid_i || request_i.address % BeatUnits == 0)
  `WC_ASSERT(answer_was_asked_for, !next_valid_i || cross_q)

endmodule

`default_nettype wire
