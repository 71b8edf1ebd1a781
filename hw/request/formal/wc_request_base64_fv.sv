// SPDX-License-Identifier: Apache-2.0
// Proof of wc_request_base64: keys of up to Most bytes of any kind, decoded or not; what they mean
// is read here a second time, all at once. Longer ones are the bench's (encoded_keys).
// Rule 1: behind start_i busy_o is high for 7 cycles and one for each byte of the key, and no longer.
// Rule 2: abort_o is high in the cycle behind start_i, before a word is pushed; until busy_o falls
//         the bytes that are meant are pushed, in one word that is marked as the last, or, if the
//         key is wrong, none. done_o comes once, and with it len_o and wrong_o are what they have to
//         be, until the next start_i.
// Assumed: a key has come behind a name before start_i; nothing comes while busy_o is high.
`include "wc_assert.svh"
`default_nettype none

module wc_request_base64_fv
  import wc_pkg::*;
#(
  parameter int unsigned Most = 5
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       name_i,
  input wire logic       key_push_i,
  input wire word_t      data_i,
  input wire logic [3:0] bytes_i,
  input wire logic       start_i
);

  logic busy, abort, push, done, wrong;
  beat_t beat;
  key_len_t len;
  logic keyed_q, ready_q;  // a name has come; and a key
  logic [3:0] bytes_q;
  word_t text_q;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_request_base64 u_dut (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .name_i    (name_i),
    .key_push_i(key_push_i),
    .data_i    (data_i),
    .start_i   (start_i),
    .key_len_i (key_len_t'(bytes_q)),
    .busy_o    (busy),
    .abort_o   (abort),
    .push_o    (push),
    .beat_o    (beat),
    .done_o    (done),
    .len_o     (len),
    .wrong_o   (wrong)
  );

  `WC_ASSUME(one_at_a_time, 32'(name_i) + 32'(key_push_i) + 32'(start_i) <= 32'd1)
  `WC_ASSUME(not_meanwhile, !busy || (!name_i && !key_push_i && !start_i))
  `WC_ASSUME(in_order, (!key_push_i || keyed_q) && (!start_i || ready_q))
  `WC_ASSUME(bytes, !key_push_i || (bytes_i != '0 && bytes_i <= 4'(Most)))

  always_ff @(posedge clk_i) begin
    if (name_i) {keyed_q, ready_q} <= 2'b10;
    if (key_push_i) begin
      {keyed_q, ready_q} <= 2'b01;
      bytes_q <= bytes_i;
      text_q <= data_i;
    end
    if (start_i) ready_q <= 1'b0;
    if (rst_i) {keyed_q, ready_q} <= '0;
  end

  // ---- what the key means -------------------------------------------------------------------------
  logic [1:0] place, pads;
  logic [23:0] group;
  logic closed, bad;
  logic [3:0] meant;  // bytes
  word_t word;
  logic [7:0] char;
  logic [5:0] bits;
  logic counts;

  always_comb begin
    {place, pads, group, closed, bad, meant, word, char, bits, counts} = '0;
    for (int unsigned i = 0; i < Most; i++) begin
      char = text_q[8*i+:8];
      counts = 1'b1;
      bits = '0;
      if (char >= "A" && char <= "Z") bits = 6'(char - "A");
      else if (char >= "a" && char <= "z") bits = 6'(char - "a" + 8'd26);
      else if (char >= "0" && char <= "9") bits = 6'(char - "0" + 8'd52);
      else if (char == "+") bits = 6'd62;
      else if (char == "/") bits = 6'd63;
      else if (char != "=") counts = 1'b0;
      if (counts && 4'(i) < bytes_q) begin
        if (place == '0) pads = '0;
        group = {group[17:0], bits};
        if (char == "=" && pads != '1) pads = pads + 2'd1;
        place = place + 2'd1;
        if (place == '0 && !closed) begin
          for (int unsigned j = 0; j < 3; j++) begin
            if (j + 32'(pads) < 3) begin
              word = word | word_t'(group[23-8*j-:8]) << {meant, 3'd0};
              meant = meant + 4'd1;
            end
          end
          closed = pads != '0;
          bad = pads == '1;
        end
      end
    end
    if (place != '0 || meant == '0) bad = 1'b1;
  end

  // ---- rules --------------------------------------------------------------------------------------
  logic started_q, began_q;   // start_i was a cycle ago; since the reset
  logic [4:0] cycles_q;       // since start_i
  logic pushed_q, told_q;

  always_ff @(posedge clk_i) begin
    started_q <= start_i;
    if (start_i) begin
      began_q <= 1'b1;
      cycles_q <= '0;
      pushed_q <= 1'b0;
      told_q <= 1'b0;
    end else if (cycles_q != '1) begin
      cycles_q <= cycles_q + 5'd1;
    end
    if (push) pushed_q <= 1'b1;
    if (done) told_q <= 1'b1;
    if (rst_i) begin
      started_q <= 1'b0;
      began_q <= 1'b0;
      cycles_q <= '1;
    end
  end

  `WC_ASSERT(busy_is, busy == (began_q && cycles_q < 5'd7 + 5'(bytes_q)) || ready_q || keyed_q)
  `WC_ASSERT(idle_is, !(ready_q || keyed_q) || !busy)
  `WC_ASSERT(abort_is, abort == started_q)
  `WC_ASSERT(push_is, !push || (busy && !abort && !pushed_q && !bad && beat.last
                                && beat.data == word))
  `WC_ASSERT(told_is, !done || (busy && !told_q && wrong == bad
                                && (bad || len == key_len_t'(meant))))
  `WC_ASSERT(all_came, !began_q || busy || start_i || ready_q || keyed_q
             || (told_q && (bad || pushed_q)))

  `WC_COVER(whole_group, push && meant == 4'd3)
  `WC_COVER(odd_pad, push && meant == 4'd1 && bytes_q == 4'd5 && text_q[7:0] == "=")
  `WC_COVER(wrong_key, done && bad && bytes_q == 4'd4)

endmodule

`default_nettype wire
