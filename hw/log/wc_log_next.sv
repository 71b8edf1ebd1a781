// SPDX-License-Identifier: Apache-2.0
// Where a log goes on behind the last beat of a segment, for several who walk along it: keeps the
// links, as the pool tells them, and looks one up for one who asks at a time.
// Who asks holds ask_i and address_i until answer_o; the one with the lower number goes first, and
// segments end so seldom that nobody waits for long.
// Latency 5 from ask to answer, one in 6 cycles. Where beats are units a segment has 2048 of them or
// more: there the address is moved a bit a cycle, which takes half of the look-up tables. Latency 26,
// one in 27 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_log_next
  import wc_log_pkg::*;
#(
  parameter int unsigned Streams   = 1,
  parameter int unsigned BeatUnits = LineUnits
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  input  wire link_t         link_i,      // there before anybody asks for it
  input  wire logic  [Streams-1:0] ask_i,
  input  wire address_t [Streams-1:0] address_i,  // of the last beat of its segment
  output logic       [Streams-1:0] answer_o,
  output address_t           address_o       // with answer_o: where the next segment begins
);

  localparam int unsigned LeastBits = LeastSegmentBits;  // of a unit's number in its segment

  logic [3:0] shift_q;  // such bits beyond LeastBits
  logic [Streams-1:0] turn, turn_q;
  logic begins, busy, ends;
  logic reads;
  address_t address;
  segment_t segment, next;

  assign turn = ask_i & (~ask_i + 1'b1);
  assign begins = ask_i != '0 && !busy && answer_o == '0;

  always_comb begin
    address = '0;
    for (int unsigned i = 0; i < Streams; i++) if (turn[i]) address |= address_i[i];
  end

  always_ff @(posedge clk_i) begin
    shift_q <= 4'(settings_i.segment_bits - 5'(LeastBits));
    if (begins) turn_q <= turn;
    answer_o <= ends ? turn_q : '0;
    if (rst_i) answer_o <= '0;
  end

  if (BeatUnits == LineUnits) begin : gen_fast
    localparam int unsigned Steps = 4;  // the segment; the link is read; it is there; its address
    logic [Steps-1:0] step_q;
    address_t address_q;
    segment_t next_q;

    assign busy = step_q != '0;
    assign reads = step_q[1];
    assign ends = step_q[3];

    always_ff @(posedge clk_i) begin
      step_q <= Steps'({step_q, begins});
      address_q <= address;
      segment <= segment_t'((address_q >> LeastBits) >> shift_q);
      if (step_q[2]) next_q <= next;
      address_o <= (address_t'(next_q) << LeastBits) << shift_q;
      if (rst_i) step_q <= '0;
    end
  end else begin : gen_slow
    // The bits above LeastBits go round once. When the segment's number is at the bottom, the next
    // one takes its place, and what is above it is cleared.
    localparam int unsigned Bits = $bits(address_t) - LeastBits;
    logic [Bits-1:0] round_q;
    logic [4:0] count_q;  // how often they are moved
    // It moves; the segment's number is at the bottom; the next one is read; it is in its place.
    logic turns_q, found_q, there_q, done_q;
    logic reach, moves;

    assign busy = turns_q || found_q || there_q;
    assign reads = found_q;
    assign segment = segment_t'(round_q);
    assign ends = turns_q && count_q == 5'(Bits);
    assign address_o = {round_q, LeastBits'(0)};

    assign reach = turns_q && !done_q && count_q == 5'(shift_q);
    assign moves = turns_q && !reach && !ends;

    always_ff @(posedge clk_i) begin
      found_q <= reach;
      there_q <= found_q;
      if (begins || there_q) turns_q <= 1'b1;
      if (reach || ends) turns_q <= 1'b0;
      if (begins) done_q <= 1'b0;
      if (there_q) done_q <= 1'b1;
      if (begins) count_q <= '0;
      else if (moves) count_q <= count_q + 1'b1;
      if (begins) round_q <= address[$bits(address_t)-1:LeastBits];
      else if (there_q) round_q <= Bits'(next);
      else if (moves) round_q <= {round_q[0], round_q[Bits-1:1]};
      if (rst_i) begin
        turns_q <= 1'b0;
        found_q <= 1'b0;
        there_q <= 1'b0;
      end
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
    .re_i   (reads),
    .raddr_i(segment),
    .rdata_o(next)
  );

  `WC_ASSERT(link_is_there_before, !(reads && link_i.valid && link_i.segment == segment))
  `WC_ASSERT(asks_stay, $past(rst_i) || ($past(ask_i) & ~answer_o & ~ask_i) == '0
             || $past(answer_o) != '0)
  `WC_ASSERT(segment_bits, ask_i == '0
             || (settings_i.segment_bits >= 5'(LeastSegmentBits)
                 && settings_i.segment_bits <= 5'(MostSegmentBits)))

endmodule

`default_nettype wire
