// SPDX-License-Identifier: Apache-2.0
// Makes of each number the words of a value: its digits, spaces behind them if the value is to be
// longer, zeros behind that. There are always NumberWords words. Of one that is not stored they are
// zeros.
// Latency to the first word 3 cycles, 4 for each 16 bits of the number, one for each character of the
// word; the next number is taken behind the last word.
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

  typedef enum logic [1:0] {
    Rest,
    Start,    // the number is at the front of its register
    Convert,
    Send
  } state_e;

  state_e state_q;
  number_t number_q;
  logic [4:0] digits_q, length_q;
  logic [3:0] steps_q;     // that are left
  logic [4:0] at_q;        // the next character
  logic [4:0] digit_q;     // its digit: digits_q - 1 - at_q
  logic [19:0][3:0] digits;
  logic [1:0] parts;       // of 16 bits, behind the first

  // A number of so many digits is less than 2**16, 2**32, 2**48.
  assign parts = counted_i.digits > 5'd14 ? 2'd3 : counted_i.digits > 5'd9 ? 2'd2
                 : counted_i.digits > 5'd4 ? 2'd1 : 2'd0;
  assign ready_o = state_q == Rest;

  wc_decimal #(
    .Width($bits(number_t))
  ) u_decimal (
    .clk_i   (clk_i),
    .start_i (state_q == Start),
    .step_i  (state_q == Convert),
    .value_i (number_q),
    .digits_o(digits)
  );

  // ---- characters -------------------------------------------------------------------------------
  word_t word_q;
  logic [7:0] character;
  logic some, room, fills;

  assign some = at_q < length_q;
  assign character = at_q < digits_q ? {4'h3, digits[digit_q]} : 8'(" ");
  assign room = !valid_o || ready_i;
  assign fills = at_q[2:0] == '1 || !some;  // the rest of the word is zeros

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Rest: begin
        number_q <= counted_i.number << {2'd3 - parts, 4'b0};
        digits_q <= counted_i.digits;
        length_q <= counted_i.stores ? counted_i.length : '0;
        digit_q <= counted_i.digits - 1'b1;
        steps_q <= {parts, 2'b11};
        at_q <= '0;
        if (valid_i) state_q <= counted_i.stores ? Start : Send;
      end
      Start: state_q <= Convert;
      Convert: begin
        steps_q <= steps_q - 1'b1;
        if (steps_q == 4'd1) state_q <= Send;
      end
      default: begin
        if (room) begin
          if (fills) at_q <= {at_q[4:3] + 1'b1, 3'b0};
          else at_q <= at_q + 1'b1;
          digit_q <= digit_q - 1'b1;
          if (fills && at_q[4:3] == 2'(NumberWords - 1)) state_q <= Rest;
        end
      end
    endcase
    if (room) begin
      valid_o <= state_q == Send && fills;
      beat_o.last <= at_q[4:3] == 2'(NumberWords - 1);
      beat_o.data <= word_q;
      if (some) beat_o.data[8*at_q[2:0]+:8] <= character;
      if (state_q != Send || fills) word_q <= '0;
      else word_q[8*at_q[2:0]+:8] <= character;
    end
    if (rst_i) begin
      state_q <= Rest;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(beat, valid_o, ready_i, beat_o)
  `WC_ASSERT(legal, !valid_i || !counted_i.stores
             || (counted_i.digits != '0 && counted_i.digits <= counted_i.length
                 && 32'(counted_i.length) <= NumberBytes))

endmodule

`default_nettype wire
