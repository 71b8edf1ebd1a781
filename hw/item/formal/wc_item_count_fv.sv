// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_count: the comparison stands still until it is done, so it must end, whatever an
// item's value is, and however many of its words there are.
// Rule 1: done_o is there within Cycles of start_i, not counting those in which a word is waited
//         for. Each value has NumberWords words at most, and may have fewer than its length says.
// Rule 2: it stays until the next start_i, and so does whether the value is a number.
// Rule 3: of a value that is no longer than NumberBytes, and of no other, the number counts.
// No operation follows another one here (wc_item_chain): the bench of wc_item_compare has those.
// Assumed: an operation begins when the one before it is done; words as wc_item_match gives them,
// the last one with end_i, or end_i alone if there is none; the length stays meanwhile.
`include "wc_assert.svh"
`default_nettype none

module wc_item_count_fv
  import wc_pkg::*;
  import wc_item_pkg::*;
(
  input wire logic    clk_i,
  input wire logic    rst_i,
  input wire logic    start_i,
  input wire logic    item_i,
  input wire logic    down_i,
  input wire number_t delta_i,
  input wire number_t created_i,
  input wire wc_log_pkg::length_t length_i,
  input wire logic    word_valid_i,
  input wire word_t   word_i,
  input wire logic    end_i
);

  localparam logic [5:0] Cycles = 6'd48;

  logic ready, done;
  count_t count;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_item_count u_dut (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .start_i     (start_i),
    .item_i      (item_i),
    .follows_i   (1'b0),
    .stored_i    (1'b0),
    .down_i      (down_i),
    .delta_i     (delta_i),
    .created_i   (created_i),
    .length_i    (length_i),
    .word_valid_i(word_valid_i),
    .word_ready_o(ready),
    .word_i      (word_i),
    .end_i       (end_i),
    .done_o      (done),
    .count_o     (count)
  );

  logic begun_q;   // an operation, and it is not done
  logic words_q;   // more words come
  logic [1:0] place_q;
  logic [5:0] cycles_q;
  logic taken, item_q, over_q, numeric_q;
  wc_log_pkg::length_t length_q;

  assign taken = word_valid_i && ready;

  `WC_ASSUME(apart, !start_i || !begun_q || done)
  `WC_ASSUME(words_come, !word_valid_i || words_q)
  `WC_ASSUME(ends, !end_i || (start_i && item_i) || taken)
  `WC_ASSUME(last_ends, !taken || place_q != 2'(NumberWords - 1) || end_i)
  `WC_ASSUME(length_stays, !begun_q || start_i || length_i == length_q)

  always_ff @(posedge clk_i) begin
    length_q <= length_i;
    cycles_q <= cycles_q + 6'(!(ready && words_q && !word_valid_i));
    over_q <= done && !start_i;
    numeric_q <= count.numeric;
    if (done) begun_q <= 1'b0;
    if (taken) begin
      place_q <= place_q + 1'b1;
      words_q <= !end_i;
    end
    if (start_i) begin
      begun_q <= 1'b1;
      item_q <= item_i;
      words_q <= item_i && !end_i;
      place_q <= '0;
      cycles_q <= '0;
    end
    if (rst_i) begin
      begun_q <= 1'b0;
      words_q <= 1'b0;
      over_q <= 1'b0;
    end
  end

  `WC_ASSERT(ends_soon, !begun_q || cycles_q < Cycles)
  `WC_ASSERT(stays, !over_q || (done && count.numeric == numeric_q))
  `WC_ASSERT(long_is_none, !(done && begun_q && !start_i && item_q && count.numeric)
             || (length_i != '0 && length_i <= wc_log_pkg::length_t'(NumberBytes)))

  `WC_COVER(longest, done && begun_q && cycles_q > 6'd38)
  `WC_COVER(no_item, done && begun_q && cycles_q < 6'd9)

endmodule

`default_nettype wire
