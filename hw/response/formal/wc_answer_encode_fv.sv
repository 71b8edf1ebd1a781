// SPDX-License-Identifier: Apache-2.0
// Proof of wc_answer_encode: keys of up to Most bytes, one behind the other, whose text is taken or
// not; what it has to be is written here a second time. Longer ones are the bench's (encoded_keys).
// Rule 1: of each key one word is taken, and its text leaves: full words and a last one, with " b"
//         in the end and zeros behind it.
// Rule 2: the next key is taken only when the last word of the text has been taken.
// Rule 3: with a key there, and taken at once, its last word is taken within 12 cycles.
// Assumed: want_i stays until the last word is taken, and falls then for a cycle; the key's length
// and word stay, and its unused bytes are zero.
`include "wc_assert.svh"
`default_nettype none

module wc_answer_encode_fv
  import wc_pkg::*;
#(
  parameter int unsigned Most = 5
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       want_i,
  input wire logic       key_valid_i,
  input wire logic [2:0] length_i,
  input wire word_t      data_i,
  input wire logic       ready_i
);

  localparam int unsigned Groups = (Most + 2) / 3;
  typedef logic [8*(4*Groups+2)-1:0] text_t;

  logic key_ready, valid, ended;
  opaque_word_t out;
  beat_t key;
  logic wanted_q, ended_q, taken_q;
  logic [2:0] length_q;
  word_t data_q;
  logic [3:0] cycles_q;
  logic [4:0] left_q;  // bytes that have left

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  assign key = '{data: data_i, last: 1'b1};
  assign ended = valid && ready_i && out.last;

  wc_answer_encode u_dut (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .want_i     (want_i),
    .key_low_i  (length_i),
    .key_valid_i(key_valid_i),
    .key_ready_o(key_ready),
    .key_i      (key),
    .valid_o    (valid),
    .ready_i    (ready_i),
    .word_o     (out)
  );

  `WC_ASSUME(length, length_i != '0 && 32'(length_i) <= Most)
  `WC_ASSUME(zeros, (data_i >> {length_i, 3'd0}) == '0)
  `WC_ASSUME(stays, !wanted_q || ended_q || (want_i && length_i == length_q && data_i == data_q))
  `WC_ASSUME(falls, !ended_q || !want_i)

  // ---- the text -----------------------------------------------------------------------------------
  text_t text, shifted;
  logic [4:0] bytes;  // of it
  logic [5:0] bits;
  logic [23:0] group;

  always_comb begin
    text = '0;
    bytes = '0;
    {bits, group} = '0;
    for (int unsigned i = 0; i < Groups; i++) begin
      if (3 * i < 32'(length_i)) begin
        group = {data_i[24*i+:8], data_i[24*i+8+:8], data_i[24*i+16+:8]};
        for (int unsigned j = 0; j < 4; j++) begin
          bits = group[23-6*j-:6];
          if (3 * i + j > 32'(length_i)) text[8*(4*i+j)+:8] = "=";
          else if (bits < 6'd26) text[8*(4*i+j)+:8] = 8'("A") + 8'(bits);
          else if (bits < 6'd52) text[8*(4*i+j)+:8] = 8'("a") + 8'(bits) - 8'd26;
          else if (bits < 6'd62) text[8*(4*i+j)+:8] = 8'("0") + 8'(bits) - 8'd52;
          else text[8*(4*i+j)+:8] = bits == 6'd62 ? 8'("+") : 8'("/");
        end
        bytes = 5'(4 * i + 4);
      end
    end
    text = text | text_t'({8'("b"), 8'(" ")}) << {bytes, 3'd0};
    bytes = bytes + 5'd2;
    shifted = text >> {left_q, 3'd0};
  end

  // ---- rules --------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    wanted_q <= want_i;
    ended_q <= ended;
    length_q <= length_i;
    data_q <= data_i;
    cycles_q <= want_i && key_valid_i && (ready_i || !valid) && !ended ? cycles_q + 4'd1 : '0;
    if (key_valid_i && key_ready) taken_q <= 1'b1;
    if (valid && ready_i) left_q <= left_q + 5'(out.bytes);
    if (ended) begin
      taken_q <= 1'b0;
      left_q <= '0;
    end
    if (rst_i) begin
      wanted_q <= 1'b0;
      ended_q <= 1'b0;
      taken_q <= 1'b0;
      left_q <= '0;
      cycles_q <= '0;
    end
  end

  `WC_ASSERT(one_word, !(key_valid_i && key_ready) || (want_i && !taken_q))
  `WC_ASSERT(text_is, !valid || (taken_q && out.data == word_t'(shifted)
                                 && (out.last ? left_q + 5'(out.bytes) == bytes
                                              : out.bytes == 4'd8 && left_q + 5'd8 < bytes)))
  `WC_ASSERT(bounded, cycles_q <= 4'd12)

  `WC_COVER(two_words, ended && left_q == 5'd8 && out.bytes == 4'd2)
  `WC_COVER(one_word_only, ended && left_q == '0 && length_i == 3'd1)
  `WC_COVER(second_key, ended && taken_q && $past(ended, 6))

endmodule

`default_nettype wire
