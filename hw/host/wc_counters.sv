// SPDX-License-Identifier: Apache-2.0
// Up to 64 event counters of 32 bits in one small RAM. Each event has a few bits of its own, which
// a sweep adds to the RAM word by word, one word every cycle that no read takes: about 10
// flip-flops a counter instead of 32 and an adder each.
// Events may come every cycle. A read is answered 3 cycles later and steals one cycle of the sweep;
// at one read in two cycles or fewer nothing is lost, and a count is at most 129 cycles late.
`include "wc_assert.svh"
`default_nettype none

module wc_counters (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  input  wire logic [63:0] event_i,
  input  wire logic        read_i,
  input  wire logic [5:0]  address_i,
  output logic             valid_o,
  output logic [31:0]      count_o
);

  localparam int unsigned PendingWidth = 8;  // a word's turn comes every 128 cycles or sooner

  logic [PendingWidth-1:0] pending_q[64];
  logic [63:0] event_q;  // they come from far
  logic [7:0] row_q, column_q;  // of the word whose turn it was, one-hot; no row, no word
  logic [6:0] sweep_q;  // top bit: the RAM has been cleared
  logic turn;  // the sweep goes on in this cycle
  logic turn_q, turn_q2, turn_q3, read_q, read_q2;
  logic [5:0] word_q, word_q2, word_q3, address_q;
  logic [3:0][PendingWidth-1:0] quarter_q;  // what word_q2 would add if it were in this quarter
  logic [PendingWidth-1:0] add_q;
  logic [31:0] rdata, rdata_q;
  logic cleared;

  assign cleared = sweep_q[6];
  assign turn = cleared && !read_i;

  wc_ram_sdp #(
    .Width(32),
    .Depth(64)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (turn_q3 || !cleared),
    .waddr_i(cleared ? word_q3 : sweep_q[5:0]),
    .wdata_i(cleared ? rdata_q + 32'(add_q) : '0),
    .re_i   (1'b1),
    .raddr_i(read_q ? address_q : word_q),
    .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    event_q <= event_i;
    for (int unsigned i = 0; i < 8; i++) begin
      row_q[i] <= turn && sweep_q[5:3] == 3'(i);
      column_q[i] <= sweep_q[2:0] == 3'(i);
    end
    for (int unsigned i = 0; i < 64; i++) begin
      pending_q[i] <= (row_q[i/8] && column_q[i%8] ? '0 : pending_q[i])
                      + PendingWidth'(event_q[i]);
    end
    if (!cleared) sweep_q <= sweep_q + 1'b1;
    else if (turn) sweep_q[5:0] <= sweep_q[5:0] + 1'b1;
    turn_q <= turn;
    turn_q2 <= turn_q;
    turn_q3 <= turn_q2;
    word_q <= sweep_q[5:0];
    word_q2 <= word_q;
    word_q3 <= word_q2;
    for (int unsigned i = 0; i < 4; i++) quarter_q[i] <= pending_q[{2'(i), word_q[3:0]}];
    add_q <= quarter_q[word_q2[5:4]];
    read_q <= read_i;
    read_q2 <= read_q;
    address_q <= address_i;
    rdata_q <= rdata;
    valid_o <= read_q2;
    if (rst_i) begin
      event_q <= '0;
      for (int unsigned i = 0; i < 64; i++) pending_q[i] <= '0;
      sweep_q <= '0;
      row_q <= '0;
      turn_q <= 1'b0;
      turn_q2 <= 1'b0;
      turn_q3 <= 1'b0;
      read_q <= 1'b0;
      read_q2 <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  assign count_o = rdata_q;

  for (genvar i = 0; i < 64; i++) begin : gen_check
    `WC_ASSERT(none_lost, pending_q[i] != '1)
  end

endmodule

`default_nettype wire
