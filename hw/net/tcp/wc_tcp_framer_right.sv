// SPDX-License-Identifier: Apache-2.0
// Whether the number that a word of a line is fits where it stands: as a signed one or an unsigned
// one of 64 bits. Count and first digits tell it. No registers.
`default_nettype none

module wc_tcp_framer_right
  import wc_tcp_framer_pkg::*;
(
  input  wire numeral_t word_i,
  input  wire logic     unsigned_i,
  output logic          beyond_o,  // 2^63 or more
  output logic          right_o
);

  logic many, nine, one, exact, fits;

  assign nine = word_i.against inside {Nine, More};
  assign one = word_i.against inside {One, Less};
  assign many = word_i.digits >= 5'd20;
  assign beyond_o = many || (word_i.digits == 5'd19 && nine);
  assign exact = word_i.digits == 5'd19 && word_i.against == Nine;  // 2^63
  assign fits = !many || (word_i.digits == 5'd20 && one);           // 2^64 - 1 or less

  always_comb begin
    if (!unsigned_i) right_o = !beyond_o || (exact && word_i.negative);
    else right_o = fits && (!word_i.negative || word_i.digits == '0 || (beyond_o && !exact));
    if (!(word_i.phase inside {Digits, Behind})) right_o = 1'b0;
  end

endmodule

`default_nettype wire
