// SPDX-License-Identifier: Apache-2.0
// How many decimal digits a number has (1 for zero): from its highest bit, and a comparison with
// the one power of ten that may lie in that octave. Latency 5, one number per cycle, never stalls.
`include "wc_assert.svh"
`default_nettype none

module wc_digits #(
  parameter int unsigned Width = 32
) (
  input  wire logic             clk_i,
  input  wire logic [Width-1:0] value_i,
  output logic [4:0]            digits_o
);

  localparam int unsigned Nibbles = (Width + 3) / 4;
  localparam int unsigned Padded = 4 * Nibbles;

  `WC_REQUIRE(width, Width >= 8 && Width <= 64, "wc_digits: Width must be 8 to 64")

  typedef logic [5:0] top_t;  // position of the highest bit
  typedef logic [63:0][4:0] guess_table_t;
  typedef logic [63:0][Padded-1:0] limit_table_t;

  // Digits of 2**top: a number with that highest bit has as many, or one more.
  function automatic guess_table_t make_guesses();
    guess_table_t made;
    for (int unsigned i = 0; i < 64; i++) made[i] = 5'(((i * 1233) >> 12) + 1);
    return made;
  endfunction

  // The largest number of that many digits; all ones if it has more bits than there are.
  function automatic limit_table_t make_limits();
    limit_table_t made;
    logic [67:0] power;
    for (int unsigned i = 0; i < 64; i++) begin
      power = 68'd1;
      for (int unsigned d = 0; d < ((i * 1233) >> 12) + 1; d++) power = power * 68'd10;
      made[i] = (power >> Padded) != '0 ? '1 : Padded'(power - 68'd1);
    end
    return made;
  endfunction

  localparam guess_table_t Guesses = make_guesses();
  localparam limit_table_t Limits = make_limits();

  logic [Padded-1:0] value_q, value_q2, value_q3;
  logic [Padded-1:0] limit_q;
  logic [Nibbles-1:0] any_q;
  logic [3:0] nibble;
  logic [3:0] high_nibble_q;
  logic [3:0] nibble_index, nibble_index_q;
  top_t top;
  logic [4:0] guess_q, guess_q2;
  logic beyond_q;

  always_comb begin
    nibble_index = '0;
    nibble = value_q[3:0];
    for (int unsigned i = 1; i < Nibbles; i++) begin
      if (any_q[i]) begin
        nibble_index = 4'(i);
        nibble = value_q[4*i+:4];
      end
    end
  end

  assign top = {nibble_index_q, high_nibble_q[3:2] != 2'd0,
                high_nibble_q[3] || (high_nibble_q[1] && !high_nibble_q[2])};

  always_ff @(posedge clk_i) begin
    value_q <= Padded'(value_i);
    for (int unsigned i = 0; i < Nibbles; i++) any_q[i] <= 4'(Padded'(value_i) >> (4 * i)) != 4'd0;

    value_q2 <= value_q;
    nibble_index_q <= nibble_index;
    high_nibble_q <= nibble;

    value_q3 <= value_q2;
    limit_q <= Limits[top];
    guess_q <= Guesses[top];

    beyond_q <= value_q3 > limit_q;
    guess_q2 <= guess_q;

    digits_o <= guess_q2 + 5'(beyond_q);
  end

endmodule

`default_nettype wire
