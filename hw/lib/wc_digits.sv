// SPDX-License-Identifier: Apache-2.0
// How many decimal digits a number has (1 for zero): from its highest bit, and a comparison with
// the one power of ten that may lie in that octave. None of a number that does not count, which may be
// said a cycle later: who adds them up needs no gate behind them. Latency 5, one number per cycle,
// never stalls.
`include "wc_assert.svh"
`default_nettype none

module wc_digits #(
  parameter int unsigned Width = 32
) (
  input  wire logic             clk_i,
  input  wire logic [Width-1:0] value_i,
  input  wire logic             counts_i,  // a cycle behind it
  output logic [4:0]            digits_o
);

  localparam int unsigned Nibbles = (Width + 3) / 4;
  localparam int unsigned Padded = 4 * Nibbles;
  localparam int unsigned Half = Padded / 2;

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

  // As the borrow of a difference: a carry chain and nothing else, while mapping an operator may
  // take a chain and an equality.
  function automatic logic above(logic [Half-1:0] value, logic [Half-1:0] limit);
    logic [Half:0] difference;
    difference = {1'b0, limit} - {1'b0, value};
    return difference[Half];
  endfunction

  localparam guess_table_t Guesses = make_guesses();
  localparam limit_table_t Limits = make_limits();

  logic [Padded-1:0] value_q, value_q2, value_q3;
  logic [Padded-1:0] limit_q;
  logic [Nibbles-1:0] any_q;
  logic [3:0] nibble;
  logic [3:0] group_any;
  logic [3:0][1:0] group_index;
  logic [3:0][3:0] group_nibble;
  logic [3:0] nibble_index;
  top_t top_q;
  logic counts_q;
  logic [4:0] guess_q, guess_q2;
  logic [1:0] beyond_q;  // the lower and the upper half
  logic differs_q;       // the upper half

  always_comb begin
    // In two steps, as a chain over all of them is deep.
    for (int unsigned g = 0; g < 4; g++) begin
      group_index[g] = '0;
      group_nibble[g] = '0;
      group_any[g] = 1'b0;
      for (int unsigned i = 4 * g; i < 4 * g + 4 && i < Nibbles; i++) begin
        if (any_q[i] || i == 4 * g) begin
          group_index[g] = 2'(i);
          group_nibble[g] = value_q[4*i+:4];
        end
        group_any[g] |= any_q[i];
      end
    end
    nibble_index = {2'd0, group_index[0]};
    nibble = group_nibble[0];
    for (int unsigned g = 1; g < 4; g++) begin
      if (group_any[g]) begin
        nibble_index = {2'(g), group_index[g]};
        nibble = group_nibble[g];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    value_q <= Padded'(value_i);
    for (int unsigned i = 0; i < Nibbles; i++) any_q[i] <= 4'(Padded'(value_i) >> (4 * i)) != 4'd0;

    counts_q <= counts_i;
    value_q2 <= counts_i ? value_q : '0;
    top_q <= {nibble_index, nibble[3:2] != 2'd0, nibble[3] || (nibble[1] && !nibble[2])};

    value_q3 <= value_q2;
    limit_q <= Limits[top_q];
    guess_q <= counts_q ? Guesses[top_q] : '0;

    // The lower half counts when the upper ones are equal: half as long a chain.
    beyond_q <= {above(value_q3[Padded-1:Half], limit_q[Padded-1:Half]),
                 above(value_q3[Half-1:0], limit_q[Half-1:0])};
    differs_q <= |(value_q3[Padded-1:Half] ^ limit_q[Padded-1:Half]);
    guess_q2 <= guess_q;

    digits_o <= guess_q2 + 5'(differs_q ? beyond_q[1] : beyond_q[0]);
  end

endmodule

`default_nettype wire
