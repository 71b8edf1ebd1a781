// SPDX-License-Identifier: Apache-2.0
// Up to 64 event counters of 64 bits in one small RAM. Each event has a few bits of its own, which
// a sweep adds to the RAM word by word, one word every cycle that no read takes: about 10
// flip-flops a counter instead of 64 and an adder each.
// The sweep goes round once when events have waited for it, and rests otherwise: a circuit with
// nothing to count does not work, and one with much to count adds many events at a time.
// Events may come every cycle. A read is answered 3 cycles later, with all 64 bits of one moment,
// and steals one cycle of the sweep; or 4 and two, when the sweep writes that word in the cycle in
// which it would be read. Reads come one at a time: nothing is lost, and a count is at most 243
// cycles late.
`include "wc_assert.svh"
`default_nettype none

module wc_counters (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire logic [63:0] event_i,
  input  wire logic        read_i,
  input  wire logic [5:0]  address_i,
  output logic             valid_o,
  output logic [63:0]      count_o
);

  // How many events a word may have when its turn comes. The sweep begins Patience + 1 cycles after
  // the first event since it began before. It goes round in 64 cycles and those that reads take: one
  // of 4 or two of 5, so 108 at most. A word's events are those from Patience + 109 cycles and the
  // one in which its turn comes: 238, and PendingWidth bits hold 254.
  localparam int unsigned Patience = 128;  // a power of two
  localparam int unsigned AgeWidth = $clog2(Patience) + 1;
  localparam int unsigned PendingWidth = 8;
  localparam int unsigned HalfWidth = 32;  // added in two cycles

  logic [PendingWidth-1:0] pending_q[64];
  logic [63:0] event_q;  // they come from far
  logic some_q;  // of event_q, a cycle later
  logic [7:0] row_q, column_q;  // of the word whose turn it was, one-hot; no row, no word
  logic [6:0] sweep_q;  // top bit: the RAM has been cleared
  logic sweeping_q;
  logic [AgeWidth-1:0] age_q;  // cycles since the first event that may wait; top bit: enough
  logic begins, ends;  // the sweep, in this cycle
  logic turn;  // the sweep goes on in this cycle
  logic turn_q, turn_q2, turn_q3, turn_q4, read_q, read_q2;
  logic again;  // the word that would be read is being written: it is read in the next cycle
  logic write;
  logic [5:0] word_q, word_q2, word_q3, word_q4, address_q;
  logic [5:0] waddr;
  logic [3:0][PendingWidth-1:0] quarter_q;  // what word_q2 would add if it were in this quarter
  logic [PendingWidth-1:0] add_q;
  logic [63:0] rdata, rdata_q;
  logic [HalfWidth:0] low_q;  // the sum's, with its carry
  logic [HalfWidth-1:0] high_q;
  logic cleared;

  assign cleared = sweep_q[6];
  assign write = turn_q4 || !cleared;
  assign waddr = cleared ? word_q4 : sweep_q[5:0];
  assign again = read_q && write && waddr == address_q;
  assign turn = sweeping_q && !read_i && !again;
  assign begins = cleared && !sweeping_q && age_q[AgeWidth-1];
  assign ends = turn && sweep_q[5:0] == '1;

  wc_ram_sdp #(
    .Width(64),
    .Depth(64)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (write),
    .waddr_i(waddr),
    .wdata_i(cleared ? {high_q + HalfWidth'(low_q[HalfWidth]), low_q[HalfWidth-1:0]} : '0),
    .re_i   (1'b1),
    .raddr_i(read_q ? address_q : word_q),
    .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    event_q <= event_i;
    some_q <= event_q != '0;
    row_q <= 8'(turn) << sweep_q[5:3];
    column_q <= 8'd1 << sweep_q[2:0];
    for (int unsigned row = 0; row < 8; row++) begin
      if (row_q[row] || event_q[8*row+:8] != '0) begin
        for (int unsigned i = 8 * row; i < 8 * row + 8; i++) begin
          pending_q[i] <= (row_q[row] && column_q[i%8] ? '0 : pending_q[i])
                          + PendingWidth'(event_q[i]);
        end
      end
    end
    if (begins) age_q <= '0;
    else if (!age_q[AgeWidth-1]) age_q <= age_q + AgeWidth'(some_q || age_q != '0);
    if (begins) sweeping_q <= 1'b1;
    else if (ends) sweeping_q <= 1'b0;
    if (!cleared) sweep_q <= sweep_q + 1'b1;
    else if (turn) sweep_q[5:0] <= sweep_q[5:0] + 1'b1;
    turn_q <= turn;
    turn_q2 <= turn_q;
    turn_q3 <= turn_q2;
    turn_q4 <= turn_q3;
    word_q <= sweep_q[5:0];
    word_q2 <= word_q;
    word_q3 <= word_q2;
    word_q4 <= word_q3;
    for (int unsigned i = 0; i < 4; i++) quarter_q[i] <= pending_q[{2'(i), word_q[3:0]}];
    add_q <= quarter_q[word_q2[5:4]];
    read_q <= read_i || again;
    read_q2 <= read_q && !again;
    if (read_i) address_q <= address_i;
    rdata_q <= rdata;
    low_q <= (HalfWidth + 1)'(rdata_q[HalfWidth-1:0]) + (HalfWidth + 1)'(add_q);
    high_q <= rdata_q[63:HalfWidth];
    valid_o <= read_q2;
    if (rst_i) begin
      event_q <= '0;
      some_q <= 1'b0;
      for (int unsigned i = 0; i < 64; i++) pending_q[i] <= '0;
      age_q <= '0;
      sweeping_q <= 1'b0;
      sweep_q <= '0;
      row_q <= '0;
      turn_q <= 1'b0;
      turn_q2 <= 1'b0;
      turn_q3 <= 1'b0;
      turn_q4 <= 1'b0;
      read_q <= 1'b0;
      read_q2 <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  assign count_o = rdata_q;

  // What is read is not what is being written, which may be either.
  `WC_ASSERT(apart, !(write && waddr == (read_q ? address_q : word_q) &&
                      (read_q ? !again : turn_q)))
  `WC_ASSERT(one_at_a_time, !read_i || !(read_q || read_q2 || valid_o))

  for (genvar i = 0; i < 64; i++) begin : gen_check
    `WC_ASSERT(none_lost, pending_q[i] != '1)
  end

endmodule

`default_nettype wire
