// SPDX-License-Identifier: Apache-2.0
// Turns requests for consecutive lines of a log into single lines. At a segment's end the walk goes
// on in the next segment of the chain, which it looks up in its own copy of the links.
// Latency 1. A line a cycle, with no gap between requests; a cycle for each line that is skipped,
// and 4 more when a segment ends. request_ready_o depends on ready_i, for the rest on registers.
`include "wc_assert.svh"
`default_nettype none

module wc_log_walk
  import wc_log_pkg::*;
(
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  // A link is there before anybody asks for a line behind it.
  input  wire link_t         link_i,
  input  wire logic          request_valid_i,
  output logic               request_ready_o,
  input  wire line_t         request_line_i,
  input  wire logic [2:0]    request_skip_i,   // so many lines are in front of the first one wanted
  input  wire logic [17:0]   request_lines_i,  // wanted: 1 or more
  output logic               valid_o,
  input  wire logic          ready_i,
  output line_t              line_o
);

  // Bits of a line's number within its segment: 9 to 22.
  localparam int unsigned LeastBits = 11 - $clog2(LineUnits);
  localparam int unsigned MostBits = 24 - $clog2(LineUnits);

  logic [3:0] shift_q;          // such bits beyond LeastBits
  logic [MostBits-1:0] above_q; // bits that belong to the segment's number

  always_ff @(posedge clk_i) begin
    shift_q <= 4'(settings_i.segment_bits - 5'd11);
    for (int unsigned i = 0; i < MostBits; i++) begin
      above_q[i] <= i + $clog2(LineUnits) >= 32'(settings_i.segment_bits);
    end
  end

  // ---- the walk ---------------------------------------------------------------------------------
  logic busy_q;
  logic skips_q;       // the line is only walked over
  logic last_q;        // it is the last of the request
  logic end_q;         // it is the last of its segment
  logic [2:0] skip_q;
  logic [17:0] left_q;
  logic [3:0] cross_q;  // steps from the segment's last line to the first one of the next segment
  logic crossing, step, finish;
  line_t line_q;
  segment_t segment_q, next, next_q;

  assign crossing = cross_q != '0;
  assign valid_o = busy_q && !skips_q && !crossing;
  assign line_o = line_q;
  assign step = busy_q && !crossing && (skips_q || ready_i);
  assign finish = valid_o && ready_i && last_q;
  assign request_ready_o = !busy_q || finish;

  always_ff @(posedge clk_i) begin
    cross_q <= cross_q << 1;
    if (step) begin
      if (skips_q) begin
        skip_q <= skip_q - 1'b1;
        skips_q <= skip_q != 3'd1;
      end else begin
        left_q <= left_q - 1'b1;
        last_q <= left_q == 18'd2;
      end
      line_q <= line_q + 1'b1;
      end_q <= !line_q[0] && (line_q[MostBits-1:1] | above_q[MostBits-1:1]) == '1;
      cross_q[0] <= end_q && !finish;
      segment_q <= segment_t'((line_q >> LeastBits) >> shift_q);
    end
    // cross_q[0]: the link is read; [1]: it comes out of the RAM.
    if (cross_q[1]) next_q <= next;
    if (cross_q[2]) begin
      line_q <= (line_t'(next_q) << LeastBits) << shift_q;
      end_q <= 1'b0;
    end
    if (request_ready_o) begin
      busy_q <= request_valid_i;
      line_q <= request_line_i;
      end_q <= (request_line_i[MostBits-1:0] | above_q) == '1;
      skip_q <= request_skip_i;
      skips_q <= request_skip_i != '0;
      left_q <= request_lines_i;
      last_q <= request_lines_i == 18'd1;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      cross_q <= '0;
    end
  end

  wc_ram_sdp #(
    .Width($bits(segment_t)),
    .Depth(MaxSegments)
  ) u_links (
    .clk_i  (clk_i),
    .we_i   (link_i.valid),
    .waddr_i(link_i.segment),
    .wdata_i(link_i.next),
    .re_i   (cross_q[0]),
    .raddr_i(segment_q),
    .rdata_o(next)
  );

  `WC_ASSERT_STREAM(line, valid_o, ready_i, line_o)
  `WC_ASSERT(request_not_empty, !request_valid_i || request_lines_i != '0)
  `WC_ASSERT(link_is_there_before, !(cross_q[0] && link_i.valid && link_i.segment == segment_q))
  `WC_ASSERT(segment_bits, !request_valid_i || settings_i.segment_bits inside {[5'd11:5'd24]})

endmodule

`default_nettype wire
