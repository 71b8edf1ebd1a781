// SPDX-License-Identifier: Apache-2.0
// Ones' complement sum of the 16-bit fields of a run of words, for the checksums of IP, ICMP and
// UDP. The sum of wire-order fields is the wire-order sum, so nothing is turned round.
// One word per cycle; ok_o and sum_o take in a word 3 cycles after it and then hold.
`default_nettype none

module wc_checksum (
  input  wire logic          clk_i,
  input  wire logic          valid_i,
  input  wire logic          first_i,  // with valid_i: starts a new sum
  input  wire wc_pkg::word_t word_i,
  output logic               ok_o,     // the sum is 0xFFFF: what was summed holds its own checksum
  output logic [15:0]        sum_o
);

  // A frame is at most 190 words: twice that many 32-bit halves sum up to less than 2**41, so the
  // carries are simply kept and come round once, at the end.
  localparam int unsigned SumWidth = 41;

  logic [32:0] half_q;
  logic valid_q, first_q;
  logic [SumWidth-1:0] sum_q;
  logic [17:0] fold_q;  // at most twice 0xFFFF and a bit
  logic [16:0] round;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    first_q <= first_i;
    half_q <= 33'(word_i[31:0]) + 33'(word_i[63:32]);
    if (valid_q) sum_q <= (first_q ? '0 : sum_q) + SumWidth'(half_q);
    fold_q <= 18'(sum_q[15:0]) + 18'(sum_q[31:16]) + 18'(sum_q[SumWidth-1:32]);
  end

  // A sum that is a multiple of 0xFFFF, and not of nothing but zeros.
  assign ok_o = (fold_q == 18'h0FFFF) || (fold_q == 18'h1FFFE);

  // When this carries, next to nothing is left below: two bits take it in.
  assign round = 17'(fold_q[15:0]) + 17'(fold_q[17:16]);
  assign sum_o = {round[15:2], round[1:0] + 2'(round[16])};

endmodule

`default_nettype wire
