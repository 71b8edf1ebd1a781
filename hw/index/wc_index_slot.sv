// SPDX-License-Identifier: Apache-2.0
// Comparator of one slot: compares the slot's stripe of each key line with the key, and its header
// with key length, time, CAS number and flush. Fully pipelined.
// match_o, live_o and cas_equal_o hold 3 cycles after the last line was taken, cas_o from 2 to 5
// cycles after it. kept_o holds from the cycle after keep_i until the next keep_i.
`default_nettype none

module wc_index_slot (
  input  wire logic              clk_i,
  input  wire wc_pkg::word_t     line_i,  // this slot's stripe of the line, as it is taken
  // one cycle later: which line it is, and what to compare it with
  input  wire logic              key_i,
  input  wire logic              first_i,
  input  wire logic              head_i,
  input  wire logic              expiry_i,
  input  wire logic              cas_i,
  input  wire wc_pkg::word_t     expected_i,
  input  wire wc_pkg::seconds_t  time_i,
  input  wire wc_pkg::cas_t      floor_i,    // an item with a CAS number below it is flushed
  input  wire logic              flushed_i,  // a flush took effect: what was read before is dead
  input  wire logic              keep_i,     // the header goes to kept_o; comes with live_o
  output logic                   match_o,    // the key is this slot's
  output logic                   cas_equal_o,
  output logic                   live_o,
  output wc_index_pkg::kept_t    kept_o,
  output wc_pkg::cas_t           cas_o
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  // Parts of a word, each compared on its own. key_len is one of them, and the bits above it.
  localparam int unsigned Parts = 9;
  localparam int unsigned KeyLenLow = $bits(wc_index_pkg::slot_len_t) + $bits(pointer_t);

  // ---- first cycle: the stripe -----------------------------------------------------------------
  word_t line_q;
  head_t head;
  kept_t kept_q;

  assign head = head_t'(line_q);

  logic unused_head;
  assign unused_head = ^{head.zero, head.key_len};  // compared as words

  always_ff @(posedge clk_i) begin
    line_q <= line_i;
    if (head_i) begin
      kept_q.valid <= head.valid;
      kept_q.pointer <= head.pointer;
      kept_q.value_len <= head.value_len;
    end
    if (expiry_i) kept_q.flags <= line_q[63:32];
    if (cas_i) cas_o <= line_q;
    if (keep_i) kept_o <= kept_q;
  end

  // ---- second cycle: partial comparisons -------------------------------------------------------
  word_t same;
  logic [Parts-1:0] same_q2;
  logic key_q2, first_q2, head_q2, expiry_q2, cas_q2;
  logic later_q2, never_q2;
  logic high_above_q2, high_same_q2, low_not_below_q2;

  assign same = line_q ~^ expected_i;

  always_ff @(posedge clk_i) begin
    {key_q2, first_q2, head_q2, expiry_q2, cas_q2} <= {key_i, first_i, head_i, expiry_i, cas_i};
    if (key_i || head_i || expiry_i || cas_i) begin
      for (int unsigned i = 0; i < 6; i++) same_q2[i] <= &same[8*i+:8];
      same_q2[6] <= &same[KeyLenLow-1:48];
      same_q2[7] <= &same[57:KeyLenLow];
      same_q2[8] <= &same[63:58];
      later_q2 <= line_q[31:0] > time_i;
      never_q2 <= line_q[31:0] == '0;
      high_above_q2 <= line_q[63:32] > floor_i[63:32];
      high_same_q2 <= line_q[63:32] == floor_i[63:32];
      low_not_below_q2 <= line_q[31:0] >= floor_i[31:0];
    end
  end

  // ---- third cycle: the results ----------------------------------------------------------------
  logic unexpired_q;

  always_ff @(posedge clk_i) begin
    if (key_q2) match_o <= (first_q2 || match_o) && &same_q2;
    if (head_q2) match_o <= match_o && &same_q2[8:7];
    if (cas_q2) cas_equal_o <= &same_q2;
    if (expiry_q2) unexpired_q <= later_q2 || never_q2;
    if (cas_q2) begin
      live_o <= kept_q.valid && unexpired_q && !flushed_i &&
                (high_above_q2 || (high_same_q2 && low_not_below_q2));
    end
  end

endmodule

`default_nettype wire
