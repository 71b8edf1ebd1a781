// SPDX-License-Identifier: Apache-2.0
// How many bytes the answer to one operation has. Latency 7, one per cycle, never stalls.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_bytes (
  input  wire logic                    clk_i,
  input  wire logic [3:0]              version_bytes_i,
  input  wire wc_response_pkg::shape_t shape_i,
  input  wire wc_pkg::key_len_t        key_len_i,
  input  wire wc_pkg::value_len_t      value_len_i,
  input  wire logic [31:0]             flags_i,
  input  wire logic                    with_cas_i,
  input  wire wc_pkg::cas_t            cas_i,
  output wc_pkg::value_len_t           bytes_o
);

  import wc_pkg::*;
  import wc_response_pkg::*;

  // The longest answer: a hit, its value of at most 1 MiB and less than 512 bytes around it.
  typedef logic [8:0] around_t;

  `WC_REQUIRE(fits, MaxValueBytes + 512 < 2 ** $bits(value_len_t),
              "wc_answer_bytes: an answer must fit value_len_t")

  localparam int unsigned DigitsLatency = 5;

  logic [4:0] flags_digits, length_digits, cas_digits;

  wc_digits #(
    .Width(32)
  ) u_flags (
    .clk_i   (clk_i),
    .value_i (flags_i),
    .digits_o(flags_digits)
  );

  wc_digits #(
    .Width($bits(value_len_t))
  ) u_length (
    .clk_i   (clk_i),
    .value_i (value_len_i),
    .digits_o(length_digits)
  );

  wc_digits #(
    .Width($bits(cas_t))
  ) u_cas (
    .clk_i   (clk_i),
    .value_i (cas_i),
    .digits_o(cas_digits)
  );

  // Stage 1: the constant parts; 2: with the key, or with the version, whose answer has no key; 3:
  // with the value; then it waits for the digits; the last stage adds them.
  around_t text_q, parts_q, around_q2;
  key_len_t key_q;
  value_len_t value_q, value_q2;
  value_len_t [DigitsLatency:2] sum_q;
  logic [DigitsLatency-1:0] line_q, cas_q;  // there are digits of flags and length, of the cas
  logic [5:0] line_digits_q, cas_digits_q, digits;  // 38 at most

  assign digits = line_digits_q + cas_digits_q;

  always_ff @(posedge clk_i) begin
    text_q <= around_t'(TextTable[shape_i.text].bytes);
    parts_q <= (shape_i.header ? around_t'(HeaderBytes) : '0) +
               (shape_i.extras ? around_t'(ExtrasBytes) : '0) +
               (shape_i.number ? around_t'(BinaryNumberBytes) : '0) +
               (shape_i.line ? around_t'(HitBytes) : shape_i.numbers ? around_t'(CrLfBytes) : '0);
    key_q <= shape_i.key ? key_len_i :
             says_version(shape_i.text) ? key_len_t'(version_bytes_i) : '0;
    value_q <= shape_i.value ? value_len_i : '0;

    around_q2 <= text_q + parts_q + around_t'(key_q);
    value_q2 <= value_q;

    sum_q <= {sum_q[DigitsLatency-1:2], value_q2 + value_len_t'(around_q2)};
    line_q <= {line_q[DigitsLatency-2:0], shape_i.line};
    cas_q <= {cas_q[DigitsLatency-2:0], shape_i.numbers && (with_cas_i || !shape_i.line)};

    line_digits_q <= line_q[DigitsLatency-1] ? 6'(flags_digits) + 6'(length_digits) : '0;
    // With a space in front, unless it is alone.
    cas_digits_q <= cas_q[DigitsLatency-1] ? 6'(cas_digits) + 6'(line_q[DigitsLatency-1]) : '0;
    bytes_o <= sum_q[DigitsLatency] + value_len_t'(digits);
  end

endmodule

`default_nettype wire
