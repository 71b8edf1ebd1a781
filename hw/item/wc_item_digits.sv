// SPDX-License-Identifier: Apache-2.0
// Makes of each number the words of a value: its digits, spaces behind them if the value is to be
// longer, zeros behind that. There are always NumberWords words. Of one that is not stored they are
// zeros.
// A number's digits are made while those of the one before are sent, two in a cycle: a number each
// 4 cycles for 16 bits, so 12 for one of ten digits, 16 at most. Latency as many, and 2 to 6 to the
// first word.
`include "wc_assert.svh"
`default_nettype none

module wc_item_digits
  import wc_pkg::*;
(
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic                  valid_i,
  output logic                       ready_o,
  input  wire wc_item_pkg::counted_t counted_i,
  output logic                       valid_o,
  input  wire logic                  ready_i,
  output beat_t                      beat_o
);

  typedef logic [19:0][3:0] text_t;

  // ---- digits -----------------------------------------------------------------------------------
  typedef enum logic [1:0] {
    Rest,
    Convert,
    Made   // they stand; the next number may begin
  } state_e;

  state_e state_q;
  logic [4:0] made_digits_q, made_length_q;
  logic [3:0] steps_q;  // that are left
  text_t made;
  logic [1:0] parts;    // of 16 bits, behind the first
  logic load, take;

  // A number of so many digits is less than 2**16, 2**32, 2**48.
  assign parts = counted_i.digits > 5'd14 ? 2'd3 : counted_i.digits > 5'd9 ? 2'd2
                 : counted_i.digits > 5'd4 ? 2'd1 : 2'd0;
  assign ready_o = state_q == Rest || take;
  assign load = valid_i && ready_o;

  wc_decimal #(
    .Width($bits(number_t))
  ) u_decimal (
    .clk_i   (clk_i),
    .start_i (load),
    .step_i  (state_q == Convert),
    .value_i (counted_i.number << {2'd3 - parts, 4'b0}),
    .digits_o(made)
  );

  always_ff @(posedge clk_i) begin
    if (load) begin
      made_digits_q <= counted_i.digits;
      made_length_q <= counted_i.stores ? counted_i.length : '0;
      steps_q <= {parts, 2'b11};
      state_q <= counted_i.stores ? Convert : Made;
    end else if (state_q == Convert) begin
      steps_q <= steps_q - 1'b1;
      if (steps_q == 4'd1) state_q <= Made;
    end else if (take) begin
      state_q <= Rest;
    end
    if (rst_i) state_q <= Rest;
  end

  // ---- characters -------------------------------------------------------------------------------
  // Two at a time. What is left is told by registers, as all of this says whether the next number goes.
  logic busy_q;
  text_t text_q;
  logic [1:0] word_number_q, pair_q;  // where the next two go
  logic [4:0] first_q, second_q;      // their digits
  logic [4:0] left_q;                 // characters, if some are left
  logic some_q, two_q, digit_q, two_digits_q;
  word_t word_q, word;
  logic room, fills, ends;
  logic [7:0] first, second;

  assign first = digit_q ? {4'h3, text_q[first_q]} : 8'(" ");
  assign second = two_digits_q ? {4'h3, text_q[second_q]} : two_q ? 8'(" ") : '0;
  assign room = !valid_o || ready_i;
  assign fills = pair_q == '1 || !some_q;  // the rest of the word is zeros
  assign ends = busy_q && room && fills && word_number_q == 2'(NumberWords - 1);
  assign take = state_q == Made && (!busy_q || ends);

  always_comb begin
    word = word_q;
    if (some_q) word[16*pair_q+:16] = {second, first};
  end

  always_ff @(posedge clk_i) begin
    if (room) begin
      valid_o <= busy_q && fills;
      beat_o.last <= word_number_q == 2'(NumberWords - 1);
      beat_o.data <= word;
      word_q <= fills ? '0 : word;
      pair_q <= fills ? '0 : pair_q + 1'b1;
      if (fills) word_number_q <= word_number_q + 1'b1;
      first_q <= first_q - 5'd2;
      second_q <= second_q - 5'd2;
      digit_q <= digit_q && first_q > 5'd1;
      two_digits_q <= two_digits_q && first_q > 5'd2;
      left_q <= left_q - 5'd2;
      some_q <= some_q && left_q > 5'd2;
      two_q <= two_q && left_q > 5'd3;
    end
    if (ends) busy_q <= 1'b0;
    if (take) begin
      busy_q <= 1'b1;
      text_q <= made;
      word_q <= '0;
      word_number_q <= '0;
      pair_q <= '0;
      first_q <= made_digits_q - 5'd1;
      second_q <= made_digits_q - 5'd2;
      digit_q <= 1'b1;
      two_digits_q <= made_digits_q > 5'd1;
      left_q <= made_length_q;
      some_q <= made_length_q != '0;
      two_q <= made_length_q > 5'd1;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(beat, valid_o, ready_i, beat_o)
  `WC_ASSERT(legal, !valid_i || !counted_i.stores
             || (counted_i.digits != '0 && counted_i.digits <= counted_i.length
                 && 32'(counted_i.length) <= NumberBytes))

endmodule

`default_nettype wire
