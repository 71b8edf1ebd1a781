// SPDX-License-Identifier: Apache-2.0
// Ones' complement sum of the 16-bit fields of a run of words, for the checksums of IP, ICMP and
// UDP. The sum of wire-order fields is the wire-order sum, so nothing is turned round.
// One word per cycle; ok_o and sum_o take in a word 2 cycles after it and then hold.
`default_nettype none

module wc_checksum (
  input  wire logic          clk_i,
  input  wire logic          valid_i,
  input  wire logic          first_i,  // with valid_i: starts a new sum
  input  wire wc_pkg::word_t word_i,
  output logic               ok_o,     // the sum is 0xFFFF: what was summed holds its own checksum
  output logic [15:0]        sum_o
);

  // The halves of the words are summed each by itself. The carry of a sum is added with the next
  // word, or at the end, below the lowest bit: so the carry costs no adder of its own.
  typedef struct packed {
    logic        carry;
    logic [31:0] bits;  // `sum` is a method to verible
  } half_t;

  function automatic half_t add(input half_t to, input logic [31:0] fields);
    logic [33:0] total;
    total = {1'b0, to.bits, to.carry} + {1'b0, fields, to.carry};
    return half_t'(total[33:1]);
  endfunction

  function automatic logic [17:0] fold(input half_t half);
    return {1'b0, half.bits[31:16], half.carry} + {1'b0, half.bits[15:0], half.carry};
  endfunction

  half_t low_q, high_q;
  logic [17:0] low_fold, high_fold;  // times two
  logic [18:0] fold_q;               // at most four times 0xFFFF and two
  logic [16:0] round;

  assign low_fold = fold(low_q);
  assign high_fold = fold(high_q);

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      low_q <= add(first_i ? '0 : low_q, word_i[31:0]);
      high_q <= add(first_i ? '0 : high_q, word_i[63:32]);
    end
    fold_q <= 19'(low_fold[17:1]) + 19'(high_fold[17:1]);
  end

  // A sum that is a multiple of 0xFFFF, and not of nothing but zeros.
  assign ok_o = &fold_q[15:3] && fold_q[18:16] == ~fold_q[2:0];

  // When this carries, next to nothing is left below: three bits take it in.
  assign round = 17'(fold_q[15:0]) + 17'(fold_q[18:16]);
  assign sum_o = {round[15:3], round[2:0] + 3'(round[16])};

endmodule

`default_nettype wire
