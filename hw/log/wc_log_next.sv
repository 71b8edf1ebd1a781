// SPDX-License-Identifier: Apache-2.0
// Where a log goes on behind the last line of a segment, for several who walk along it: keeps the
// links, as the pool tells them, and looks one up for one who asks at a time.
// Latency 5 from ask to answer, one in 6 cycles. Who asks holds ask_i and line_i until answer_o; the
// one with the lower number goes first, and segments end so seldom that nobody waits for long.
`include "wc_assert.svh"
`default_nettype none

module wc_log_next
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams = 1
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  input  wire link_t         link_i,      // there before anybody asks for it
  input  wire logic  [Streams-1:0] ask_i,
  input  wire line_t [Streams-1:0] line_i,  // the last one of its segment
  output logic       [Streams-1:0] answer_o,
  output line_t              line_o       // with answer_o: the first line of the next segment
);

  localparam int unsigned Steps = 4;  // the segment; the link is read; it is there; its line
  localparam int unsigned LeastBits = 11 - $clog2(LineUnits);  // of a line's number in its segment

  logic [3:0] shift_q;  // such bits beyond LeastBits
  logic [Streams-1:0] turn, turn_q;
  logic [Steps-1:0] step_q;
  logic begins;
  line_t line, line_q;
  segment_t segment_q, next, next_q;

  assign turn = ask_i & (~ask_i + 1'b1);
  assign begins = ask_i != '0 && step_q == '0 && answer_o == '0;

  always_comb begin
    line = '0;
    for (int unsigned i = 0; i < Streams; i++) if (turn[i]) line |= line_i[i];
  end

  always_ff @(posedge clk_i) begin
    shift_q <= 4'(settings_i.segment_bits - 5'd11);
    step_q <= Steps'({step_q, begins});
    if (begins) turn_q <= turn;
    line_q <= line;
    segment_q <= segment_t'((line_q >> LeastBits) >> shift_q);
    if (step_q[2]) next_q <= next;
    line_o <= (line_t'(next_q) << LeastBits) << shift_q;
    answer_o <= step_q[3] ? turn_q : '0;
    if (rst_i) begin
      step_q <= '0;
      answer_o <= '0;
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
    .re_i   (step_q[1]),
    .raddr_i(segment_q),
    .rdata_o(next)
  );

  `WC_ASSERT(link_is_there_before, !(step_q[1] && link_i.valid && link_i.segment == segment_q))
  `WC_ASSERT(asks_stay, $past(rst_i) || ($past(ask_i) & ~answer_o & ~ask_i) == '0
             || $past(answer_o) != '0)
  `WC_ASSERT(segment_bits, ask_i == '0 || settings_i.segment_bits inside {[5'd11:5'd24]})

endmodule

`default_nettype wire
