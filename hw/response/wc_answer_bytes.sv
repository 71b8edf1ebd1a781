// SPDX-License-Identifier: Apache-2.0
// How many bytes the answer to one operation has. Latency 7, never stalls. One in two cycles, as
// the digits of ttl_i are counted where those of flags_i were the cycle before, and those of unused_i
// where those of cas_i were.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_bytes (
  input  wire logic                    clk_i,
  input  wire logic [3:0]              version_bytes_i,
  input  wire wc_response_pkg::shape_t shape_i,
  input  wire wc_response_pkg::meta_line_t line_i,
  input  wire wc_pkg::key_len_t        key_len_i,
  input  wire wc_pkg::value_len_t      value_len_i,
  input  wire logic [31:0]             flags_i,
  input  wire logic                    with_cas_i,
  input  wire wc_pkg::cas_t            cas_i,
  // a cycle later
  input  wire logic                    later_i,
  input  wire wc_pkg::seconds_t        ttl_i,
  input  wire wc_pkg::seconds_t        unused_i,
  input  wire logic [4:0]              opaque_bytes_i,
  output wc_pkg::value_len_t           bytes_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  // The longest answer: a hit, its value of at most 8 MiB and less than 512 bytes around it.
  typedef logic [8:0] around_t;

  `WC_REQUIRE(fits, MaxValueBytes + 512 < 2 ** $bits(value_len_t),
              "wc_answer_bytes: an answer must fit value_len_t")

  // What is counted for the limit, which wc_answer_size keeps, is no less.
  localparam int unsigned LengthDigits = decimal_digits(MostValueBits);
  localparam int unsigned HitAround = HitBytes + decimal_digits(32) + LengthDigits + 1 +
                                      decimal_digits(64) + 32'(TextTable[TextEnd].bytes);
  // "VA ", a number and all shows, of which four have a number beside the length, one a digit, and
  // the last two marks. Or, with a number that stands for a value, two digits, four shows, of which two
  // have a number, and it.
  localparam int unsigned MetaAround = FirstBytes + 1 + LengthDigits + Shows * ShowBytes + 1 +
      MarkBytes + OpaqueBytes + 3 * decimal_digits(32) + LengthDigits + decimal_digits(64) +
      2 * CrLfBytes;

  localparam int unsigned CountAround = FirstBytes + 1 + 2 + 5 * ShowBytes + OpaqueBytes +
      decimal_digits(32) + 2 * decimal_digits(64) + 2 * CrLfBytes;

  `WC_REQUIRE(around, HitAround <= AroundBytes && MetaAround + EncodedBytes <= MetaAroundBytes &&
              CountAround + EncodedBytes <= MetaAroundBytes &&
              LongestText <= AroundBytes &&
              HeaderBytes + 32'(TextTable[BodyNotNumber].bytes) <= AroundBytes,
              "wc_answer_bytes: an answer has more beside its key and its value than is counted")

  localparam int unsigned DigitsLatency = 5;

  // Of what the answer shows, else zero.
  logic [4:0] flags_digits, length_digits, cas_digits;
  logic later_q, flags_on_q, length_on_q, cas_on_q;
  logic [1:0] ttl_on_q, unused_on_q;

  wc_digits #(
    .Width(32)
  ) u_flags (
    .clk_i   (clk_i),
    .value_i (later_i ? ttl_i : flags_i),
    .counts_i(later_q ? ttl_on_q[1] : flags_on_q),
    .digits_o(flags_digits)
  );

  wc_digits #(
    .Width(MostValueBits)
  ) u_length (
    .clk_i   (clk_i),
    .value_i (value_len_i[MostValueBits-1:0]),
    .counts_i(length_on_q),
    .digits_o(length_digits)
  );

  wc_digits #(
    .Width($bits(cas_t))
  ) u_cas (
    .clk_i   (clk_i),
    .value_i (later_i ? cas_t'(unused_i) : cas_i),
    .counts_i(later_q ? unused_on_q[1] : cas_on_q),
    .digits_o(cas_digits)
  );

  // Stage 1: the constant parts; 2: with the key, or with the version, whose answer has no key; 3:
  // with the value, and what a meta answer shows beside its numbers; then what a key in base64, and a
  // time without end, have more; the last two stages add the digits.
  around_t text_q, parts_q, around_q2;
  key_len_t key_q;
  logic [3:0] shows_q;
  logic digit_q;  // what shows whether it was fetched has one
  logic opaque_q;
  value_len_t value_q, value_q2;
  // A key in base64: four characters for each three bytes or less, " b". A third of n, rounded up, is
  // (n + 3) * 5 * 17 / 256.
  logic [2:0] encoded_q;
  key_len_t three_q;
  logic [10:0] five_q2;
  logic [6:0] thirds_q3;
  value_len_t [5:2] sum_q;
  logic [DigitsLatency-1:0] twice_q;
  logic [3:1] forever_q;
  logic [5:0] digits_q;  // 24 at most
  logic [5:0] beside;  // what came with O, and the bytes around what is shown: 52 at most
  logic meta, has_value;

  assign meta = line_i.first != LeadNone;
  assign has_value = shape_i.value || line_i.number;

  assign beside = {1'd0, shows_q, digit_q} + (opaque_q ? 6'(opaque_bytes_i) : 6'd0);

  always_ff @(posedge clk_i) begin
    text_q <= around_t'(TextTable[shape_i.text].bytes);
    // The cas has a space in front, unless it is alone.
    parts_q <= (shape_i.header ? around_t'(HeaderBytes) : '0) +
               (shape_i.extras ? around_t'(ExtrasBytes) : '0) +
               (shape_i.number ? around_t'(BinaryNumberBytes) : '0) +
               (meta ? around_t'(FirstBytes + CrLfBytes) + around_t'(has_value) :
                shape_i.line ? around_t'(HitBytes) + around_t'(with_cas_i) :
                shape_i.numbers ? around_t'(CrLfBytes) : '0);
    key_q <= shape_i.key && !line_i.encoded ? key_len_i :
             says_version(shape_i.text) ? key_len_t'(version_bytes_i) : '0;
    // The CR LF in front of a number is as long as a space and a letter.
    shows_q <= 4'($countones({line_i.key, line_i.opaque, line_i.flags, line_i.size, line_i.ttl,
                              line_i.cas, line_i.number, line_i.fetched, line_i.unused,
                              line_i.one_mark, {2{line_i.two_marks}}}));
    digit_q <= line_i.fetched;
    opaque_q <= line_i.opaque;
    value_q <= has_value ? value_len_i : '0;

    around_q2 <= text_q + parts_q + around_t'(key_q);
    value_q2 <= value_q + value_len_t'(beside);

    encoded_q <= {encoded_q[1:0], line_i.encoded};
    three_q <= key_len_i + 8'd3;
    five_q2 <= {1'b0, three_q, 2'b0} + {3'b0, three_q};
    thirds_q3 <= 7'(({4'd0, five_q2} + {five_q2, 4'd0}) >> 8);

    sum_q[2] <= value_q2 + value_len_t'(around_q2);
    sum_q[3] <= sum_q[2] + (encoded_q[2] ? value_len_t'({thirds_q3, 2'b10}) : '0);
    sum_q[4] <= sum_q[3] + (forever_q[3] ? value_len_t'(ForeverBytes) : '0);
    sum_q[5] <= sum_q[4] + value_len_t'(cas_digits);
    digits_q <= 6'(flags_digits) +
                (twice_q[DigitsLatency-1] ? {length_digits, 1'b0} : 6'(length_digits));
    bytes_o <= sum_q[5] + value_len_t'(digits_q) + value_len_t'(flags_digits) +
               value_len_t'(cas_digits);

    // Whose digits count: of the later numbers known a cycle later.
    later_q <= later_i;
    flags_on_q <= shape_i.line || line_i.flags;
    length_on_q <= shape_i.line || (meta && has_value) || line_i.size;
    cas_on_q <= shape_i.line ? with_cas_i : meta ? line_i.cas : shape_i.numbers;
    twice_q <= {twice_q[DigitsLatency-2:0], meta && shape_i.value && line_i.size};
    ttl_on_q <= {ttl_on_q[0] && ttl_i != '1, line_i.ttl};
    unused_on_q <= {unused_on_q[0], line_i.unused};
    forever_q <= {forever_q[2:1], ttl_on_q[0] && ttl_i == '1};
  end

endmodule

`default_nettype wire
