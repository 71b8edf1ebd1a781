// SPDX-License-Identifier: Apache-2.0
// Chooses one of many, in turn: shows one of those that are marked. It goes round in groups of
// eight; a group in which nothing is marked is left out.
// What is shown was marked a cycle before, and is not shown again in the cycle after it was taken.
// Latency 1 from a mark in the group that is looked at, else 4; one a cycle, one more cycle for a
// group. The one shown may change until it is taken.
`include "wc_assert.svh"
`default_nettype none

module wc_item_pick #(
  parameter int unsigned Entries = 64
) (
  input  wire logic                clk_i,
  input  wire logic                rst_i,
  input  wire logic [Entries-1:0]  marked_i,
  output logic                     valid_o,
  output wc_item_pkg::entry_t      entry_o,
  input  wire logic                take_i
);

  import wc_item_pkg::*;

  localparam int unsigned Groups = Entries / 8;
  typedef logic [2:0] number_t;  // of a group, of one in it

  `WC_REQUIRE(entries, Entries >= 8 && Entries <= 64 && Entries == 2 ** $clog2(Entries),
              "wc_item: Entries must be a power of two of 8 to 64")

  logic [63:0] marked;
  logic [7:0] any_q;     // groups in which there is a mark
  logic [7:0] window_q;  // marks of the group that is looked at
  logic [7:0] left_q, left;  // of this group, those behind the last that was taken
  number_t group_q, next_q, first, next;
  logic skip_q;  // window_q is of another group
  logic one;     // there is one in the window, alone
  logic move;

  assign marked = 64'(marked_i);

  // The lowest of eight; 0 when there is none.
  function automatic number_t lowest(logic [7:0] bits);
    lowest = '0;
    for (int unsigned i = 8; i > 0; i--) if (bits[i-1]) lowest = number_t'(i - 1);
  endfunction

  assign first = lowest(window_q);
  assign one = (window_q & (window_q - 1'b1)) == '0;
  assign valid_o = window_q != '0 && !skip_q;
  assign entry_o = {group_q, first};
  assign move = !skip_q && ((one && take_i) || (window_q == '0 && any_q != '0));

  always_comb begin
    logic [7:0] above;
    for (int unsigned i = 0; i < 8; i++) above[i] = any_q[i] && number_t'(i) > group_q;
    next = lowest(above != '0 ? above : any_q);
  end

  always_comb begin
    left = left_q;
    if (valid_o && take_i) begin
      for (int unsigned i = 0; i < 8; i++) left[i] = number_t'(i) > first;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 8; i++) any_q[i] <= i < Groups && marked[8*i+:8] != '0;
    next_q <= next;
    window_q <= marked[{group_q, 3'b0}+:8] & left;
    skip_q <= move;
    left_q <= move ? '1 : left;
    if (move) group_q <= next_q;
    if (rst_i) begin
      any_q <= '0;
      next_q <= '0;
      window_q <= '0;
      left_q <= '1;
      group_q <= '0;
      skip_q <= 1'b0;
    end
  end

  `WC_ASSERT(a_group_there_is, 32'(group_q) < Groups)

endmodule

`default_nettype wire
