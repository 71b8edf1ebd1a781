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

  // A frame is at most 190 words, so each half of them sums up to less than 2**40: the carries are
  // simply kept and come round once, at the end.
  localparam int unsigned SumWidth = 40;

  logic [SumWidth-1:0] low_q, high_q;
  logic [18:0] fold_q;  // at most four times 0xFFFF and two bytes
  logic [16:0] round;

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      low_q <= (first_i ? '0 : low_q) + SumWidth'(word_i[31:0]);
      high_q <= (first_i ? '0 : high_q) + SumWidth'(word_i[63:32]);
    end
    fold_q <= 19'(low_q[15:0]) + 19'(low_q[31:16]) + 19'(high_q[15:0]) + 19'(high_q[31:16])
              + 19'(9'(low_q[SumWidth-1:32]) + 9'(high_q[SumWidth-1:32]));
  end

  // A sum that is a multiple of 0xFFFF, and not of nothing but zeros.
  assign ok_o = &fold_q[15:3] && fold_q[18:16] == ~fold_q[2:0];

  // When this carries, next to nothing is left below: three bits take it in.
  assign round = 17'(fold_q[15:0]) + 17'(fold_q[18:16]);
  assign sum_o = {round[15:3], round[2:0] + 3'(round[16])};

endmodule

`default_nettype wire
