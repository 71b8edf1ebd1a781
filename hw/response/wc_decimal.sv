// SPDX-License-Identifier: Apache-2.0
// Binary to decimal by double dabble, four bits a cycle, beginning at the highest 16 bits that are
// not all zero. Latency and cycles per number: 4 for each 16 bits of the number (at least 4).
// The digits hold until taken; the next number may be taken in the same cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_decimal #(
  parameter  int unsigned Width  = 32,
  localparam int unsigned Digits = wc_response_pkg::decimal_digits(Width),
  localparam int unsigned Chunks = (Width + 15) / 16
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               valid_i,
  output logic                    ready_o,
  input  wire logic [Width-1:0]   value_i,
  input  wire logic [Chunks-1:0]  top_i,  // one-hot: the highest 16 bits that are not 0
  output logic                    valid_o,
  input  wire logic               ready_i,
  output logic [Digits-1:0][3:0]  digits_o  // the lowest is the last
);

  localparam int unsigned Padded = 16 * Chunks;

  typedef logic [Digits-1:0][3:0] digits_t;

  `WC_REQUIRE(width, Width >= 8 && Width <= 64, "wc_decimal: Width must be 8 to 64")

  logic [Padded-1:0] bits_q, aligned;
  logic [$clog2(4*Chunks)-1:0] left_q, left_d;
  logic full_q;
  logic valid_q;  // and left_q is 0
  digits_t digits_q;

  // What a digit is before it is doubled: with 3 more from 5 on, as its carry counts 16. A table, as
  // sum and comparison would each become a carry chain.
  localparam logic [15:0][3:0] Adjusted = {24'd0, 4'd12, 4'd11, 4'd10, 4'd9, 4'd8,
                                           4'd4, 4'd3, 4'd2, 4'd1, 4'd0};

  // Doubles the number and adds a bit.
  function automatic digits_t dabble(digits_t digits, logic bit_in);
    digits_t adjusted;
    for (int unsigned i = 0; i < Digits; i++) adjusted[i] = Adjusted[digits[i]];
    return digits_t'({adjusted, bit_in});
  endfunction

  function automatic digits_t dabble4(digits_t digits, logic [3:0] bits_in);
    digits_t next;
    next = digits;
    for (int unsigned i = 0; i < 4; i++) next = dabble(next, bits_in[3-i]);
    return next;
  endfunction

  assign valid_o = valid_q;
  assign ready_o = !full_q || (valid_o && ready_i);
  assign digits_o = digits_q;

  always_comb begin
    aligned = '0;
    left_d = '0;
    for (int unsigned i = 0; i < Chunks; i++) begin
      if (top_i[i]) begin
        aligned |= Padded'(value_i) << (16 * (Chunks - 1 - i));
        left_d |= ($bits(left_d))'(4 * i + 3);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      full_q <= valid_i;
      valid_q <= 1'b0;  // no number takes a single cycle
      left_q <= left_d;
      bits_q <= aligned << 4;
      digits_q <= dabble4('0, aligned[Padded-1-:4]);
    end else if (!valid_q) begin
      left_q <= left_q - 1'b1;
      valid_q <= left_q == ($bits(left_q))'(1);
      bits_q <= bits_q << 4;
      digits_q <= dabble4(digits_q, bits_q[Padded-1-:4]);
    end
    if (rst_i) begin
      full_q <= 1'b0;
      valid_q <= 1'b0;
    end
  end

  `WC_ASSERT(one_top, !valid_i || $onehot(top_i))
  `WC_ASSERT_STREAM(digits, valid_o, ready_i, digits_o)

endmodule

`default_nettype wire
