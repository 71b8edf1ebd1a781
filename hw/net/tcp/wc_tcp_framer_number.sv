// SPDX-License-Identifier: Apache-2.0
// A byte of a number in a line, as C's strtol and strtoul read it for memcached: spaces, a sign,
// digits, and behind a space anything. Numbers have 64 bits; for whether they fit, count and first
// digits are enough. No registers.
`default_nettype none

module wc_tcp_framer_number
  import wc_tcp_framer_pkg::*;
(
  input  wire numeral_t     word_i,      // what has come of it
  input  wire logic        unsigned_i,
  input  wire logic [7:0]  byte_i,
  output numeral_t          word_o,      // with this byte
  input  wire logic        beyond_i,    // 2^63 or more has come of it
  output logic             wrong_o      // that is none
);

  // The digits of 2^63 and 2^64 - 1, the first one highest.
  localparam logic [18:0][3:0] Signed = 76'h9223372036854775808;
  localparam logic [19:0][3:0] Unsigned = 80'h18446744073709551615;

  logic digit, blank, sign;
  logic [3:0] value;
  logic [3:0] wanted_signed, wanted_unsigned;

  assign value = byte_i[3:0];
  assign digit = is_digit(byte_i);
  assign blank = is_blank(byte_i);
  assign sign = byte_i inside {"+", "-"};

  always_comb begin
    wanted_signed = '0;
    wanted_unsigned = '0;
    for (int unsigned i = 0; i < 19; i++) begin
      if (word_i.digits == 5'(i)) wanted_signed = Signed[18-i];
    end
    for (int unsigned i = 0; i < 20; i++) begin
      if (word_i.digits == 5'(i)) wanted_unsigned = Unsigned[19-i];
    end
  end

  // ---- with this byte --------------------------------------------------------------------------
  always_comb begin
    word_o = word_i;
    wrong_o = 1'b0;
    if (word_i.phase == Behind) begin
      // C looks for a minus sign up to the end of the word.
      wrong_o = byte_i == "-" && unsigned_i && beyond_i;
    end else if (digit) begin
      word_o.phase = Digits;
      if ((word_i.digits != '0 || value != '0) && word_i.digits != 5'd21) begin
        word_o.digits = word_i.digits + 5'd1;
      end
      if (word_i.digits == '0) begin
        word_o.against = value == 4'd9 ? Nine : value == 4'd1 ? One : Other;
      end else if (word_i.against == Nine && word_i.digits < 5'd19) begin
        if (value > wanted_signed) word_o.against = More;
        if (value < wanted_signed) word_o.against = Other;
      end else if (word_i.against == One && word_i.digits < 5'd20) begin
        if (value > wanted_unsigned) word_o.against = Other;
        if (value < wanted_unsigned) word_o.against = Less;
      end
    end else if (word_i.phase == Digits) begin
      word_o.phase = Behind;
      wrong_o = !blank;
    end else if (word_i.phase == Sign) begin
      wrong_o = 1'b1;
    end else if (blank) begin
      word_o.phase = Before;
    end else begin
      word_o.phase = Sign;
      word_o.negative = byte_i == "-";
      wrong_o = !sign;
    end
  end

endmodule

`default_nettype wire
