// SPDX-License-Identifier: Apache-2.0
// Binary to decimal by double dabble, four bits a cycle: the first with start_i, four more with
// each step_i. Whoever starts it knows how many steps a number needs, and puts its bits in front.
// The digits of what was taken stand a cycle later, until the next start or step.
`include "wc_assert.svh"
`default_nettype none

module wc_decimal #(
  parameter int unsigned Width  = 32,
  parameter int unsigned Digits = ((Width * 1233) >> 12) + 1  // that it may have
) (
  input  wire logic              clk_i,
  input  wire logic              start_i,  // not with step_i
  input  wire logic              step_i,
  input  wire logic [Width-1:0]  value_i,  // from the highest bit down
  output logic [Digits-1:0][3:0] digits_o  // the lowest is the last
);

  typedef logic [Digits-1:0][3:0] digits_t;

  `WC_REQUIRE(width, Width >= 8 && Width <= 64 && Width % 4 == 0,
              "wc_decimal: Width must be 8 to 64, a multiple of 4")

  logic [Width-1:0] bits_q;
  digits_t digits_q;

  // What a digit is before it is doubled: with 3 more from 5 on, as its carry counts 16. Written
  // out, as sum and comparison would each become a carry chain. A digit is never more than 9.
  function automatic logic [3:0] adjusted(logic [3:0] digit);
    return {digit[3] || (digit[2] && digit[1:0] != 2'd0),
            (digit[3] && digit[0]) || (digit[2] && digit[1:0] == 2'd0),
            (digit[3] && !digit[0]) || (digit[1] && (digit[0] || !digit[2])),
            digit[3] || (digit[2] && digit[1]) ? !digit[0] : digit[0] && !digit[2]};
  endfunction

  // Doubles the number and adds a bit.
  function automatic digits_t dabble(digits_t digits, logic bit_in);
    digits_t doubled;
    for (int unsigned i = 0; i < Digits; i++) doubled[i] = adjusted(digits[i]);
    return digits_t'({doubled, bit_in});
  endfunction

  function automatic digits_t dabble4(digits_t digits, logic [3:0] bits_in);
    digits_t next;
    next = digits;
    for (int unsigned i = 0; i < 4; i++) next = dabble(next, bits_in[3-i]);
    return next;
  endfunction

  assign digits_o = digits_q;

  // step_i chooses, as start_i is late.
  always_ff @(posedge clk_i) begin
    if (step_i) begin
      bits_q <= bits_q << 4;
      digits_q <= dabble4(digits_q, bits_q[Width-1-:4]);
    end else if (start_i) begin
      bits_q <= value_i << 4;
      digits_q <= dabble4('0, value_i[Width-1-:4]);
    end
  end

endmodule

`default_nettype wire
