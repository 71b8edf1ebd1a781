// SPDX-License-Identifier: Apache-2.0
// One hash unit: the multiplicative function of TRETS'15, after Kernighan and Ritchie. The state
// starts with the seed; each 16-bit word of the key, zeros filled up to whole 64-bit words, is
// added to it, and the sum multiplied by a prime. The lower half of the hash is the state with its
// halves exchanged: the upper bits of a product depend on all of its factor, and the low bits of a
// hash name the bucket. The upper half is a second state, with another prime, which uses adder and
// multipliers while the first one does not. Latency 8 a word and 1; 64 bits every 8 cycles, and 2
// more a key. A hash holds until taken.
`include "wc_assert.svh"
`default_nettype none

module wc_multiplicative (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic [31:0]       seed_i,
  input  wire logic              length_valid_i,
  output logic                   length_ready_o,
  input  wire wc_pkg::key_len_t  length_i,
  input  wire logic              key_valid_i,
  output logic                   key_ready_o,
  input  wire wc_pkg::beat_t     key_i,
  output logic                   hash_valid_o,
  input  wire logic              hash_ready_i,
  output wc_pkg::hash_t          hash_o
);

  // The prime next to 2**18 / sqrt(2): the most that an 18-bit multiplier takes, so that two of
  // them do, and far from any power of two.
  localparam logic [17:0] Magic = 18'd185_369;
  // For the second state, the prime next to 2**18 times the golden section. It differs from the
  // other in bit 1: states of the same words differ from there on.
  localparam logic [17:0] SecondMagic = 18'd162_011;

  // Two states in turn: while the sum of one is multiplied, the other's product is added up.
  logic [31:0] sum_q;  // state + word
  logic [31:0] lower_q;  // lower half of the sum * prime; the product is lower_q + (upper_q << 16)
  logic [15:0] upper_q;  // upper half of the sum * prime
  logic [17:0] magic;
  logic [1:0] part_q;  // of the 64-bit word
  logic first_q;  // no product yet: the states are the seed
  logic add_q;  // this cycle adds for the first state, the next for the second
  logic end_q;  // all words are through: only the two parts of the product are left to add
  logic [31:0] product_lower, product_upper;
  logic [15:0] part;
  logic go;

  assign go = !hash_valid_o && (key_valid_i || end_q);
  assign length_ready_o = 1'b1;
  logic unused;
  assign unused = ^{length_valid_i, length_i, product_upper[31:16]};

  assign key_ready_o = !add_q && part_q == 2'd3;
  // Of the second state there is no time to add up the last product: an exclusive or does as well.
  assign hash_o = {lower_q ^ {upper_q, 16'd0}, sum_q[15:0], sum_q[31:16]};
  assign magic = add_q ? SecondMagic : Magic;
  assign part = end_q ? '0 : key_i.data[16*part_q+:16];
  assign product_lower = 32'(sum_q[15:0]) * 32'(magic);
  assign product_upper = 32'(sum_q[31:16]) * 32'(magic);

  always_ff @(posedge clk_i) begin
    if (hash_ready_i) hash_valid_o <= 1'b0;
    if (!add_q || go) begin
      // One carry chain adds both: the word stands below the upper product.
      sum_q <= (first_q ? seed_i : lower_q) + {first_q ? 16'd0 : upper_q, part};
      lower_q <= product_lower;
      upper_q <= product_upper[15:0];
    end
    if (!add_q) begin
      first_q <= 1'b0;
      add_q <= 1'b1;
      part_q <= part_q + 1'b1;
      end_q <= part_q == 2'd3 && key_i.last;
    end else if (go) begin
      add_q <= end_q;
      if (end_q) first_q <= 1'b1;
      end_q <= 1'b0;
      hash_valid_o <= end_q;
    end
    if (rst_i) begin
      first_q <= 1'b1;
      add_q <= 1'b1;
      part_q <= '0;
      end_q <= 1'b0;
      hash_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(hash, hash_valid_o, hash_ready_i, hash_o)

endmodule

`default_nettype wire
