// SPDX-License-Identifier: Apache-2.0
// The number that an INCR or DECR makes of an item's value, and how long it is as text: for each
// operation that counts the number in the item's place, and that of an item which it creates.
// The value is read as memcached reads it (strtoull; white space and a sign in front, white space or
// a NUL behind). An INCR wraps at 2**64, a DECR stops at 0.
// An operation that follows another one has its item, and so no text to read: it counts from the number
// that the one before made, or found if nothing came of it (stored_i).
// start_i comes with the operation, which stays until done_o; then the words of the value, NumberWords
// at most, and end_i with the last, or without any. An item of another key, which nobody wants counted,
// may have fewer words than its length says. All outputs stay until 2 cycles behind the next start_i.
// Latency 13 from the last word and a cycle for each character, without an item 6 from start_i; 9 of one
// that follows.
`include "wc_assert.svh"
`default_nettype none

module wc_item_count
  import wc_pkg::*;
(
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  input  wire logic             start_i,
  input  wire logic             item_i,    // start_i: there is one to read
  input  wire logic             follows_i, // start_i, not item_i: it follows the one before
  input  wire logic             stored_i,  // the last number stands in an item, 2 cycles behind the
                                           // one in which its operation goes
  input  wire logic             down_i,    // until done_o
  input  wire number_t          delta_i,   // until done_o
  input  wire number_t          created_i, // start_i: the number of an item that is created
  input  wire wc_log_pkg::length_t length_i,  // of the item's value, from its first word on
  input  wire logic             word_valid_i,
  output logic                  word_ready_o,
  input  wire word_t            word_i,
  input  wire logic             end_i,
  output logic                  done_o,
  output wc_item_pkg::count_t   count_o
);

  import wc_item_pkg::*;

  localparam int unsigned DigitsLatency = 5;

  // ---- the value's text -------------------------------------------------------------------------
  typedef enum logic [2:0] {
    Rest,
    Words,
    Read,  // until the number is there
    Kept,  // it is, a cycle later
    Sum,
    Limit
  } state_e;

  state_e state_q;
  logic [1:0] word_q;       // number of the next one
  logic fits;               // it may be a number
  logic piece, first, last, full, busy, numeric;
  logic [5:0] left;         // bytes from this word on
  logic [3:0] bytes;
  number_t value;
  logic ready_q;

  assign left = 6'(length_i[5:0]) - {1'b0, word_q, 3'b0};
  assign first = word_q == '0;
  assign last = left <= 6'(WordBytes);
  assign bytes = last ? left[3:0] : 4'(WordBytes);
  assign fits = length_i <= ($bits(length_i))'(NumberBytes);
  assign piece = word_valid_i && word_ready_o && fits && !left[5] && left != '0;
  assign word_ready_o = ready_q && state_q == Words;

  wc_text_number #(
    .Settle(3),
    .Width ($bits(number_t))
  ) u_text (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .valid_i      (piece),
    .full_o       (full),
    .start_i      (first),
    .end_i        (last || end_i),
    .data_i       (word_i),
    .bytes_i      (bytes),
    .busy_o       (busy),
    .value_o      (value),
    .signed_ok_o  (),
    .unsigned_ok_o(numeric)
  );

  // ---- the sum ----------------------------------------------------------------------------------
  logic item_q;   // there is a value to read
  logic some_q;   // a word of it was read
  logic carry_q;
  number_t sum_q;
  number_t base_q;       // of the item, and the length of its value
  logic [4:0] length_q;
  logic follows_q;
  logic [DigitsLatency:0] number_q;     // bit i: it went to u_digits i cycles ago
  logic [DigitsLatency-1:0] created_q;  // bit i: it did i + 1 cycles ago
  logic [4:0] digits;

  always_ff @(posedge clk_i) begin
    ready_q <= !full && !(piece && !first && !last);
    created_q <= {created_q[DigitsLatency-2:0], start_i};
    number_q <= {number_q[DigitsLatency-1:0], state_q == Limit};
    if (word_valid_i && word_ready_o) word_q <= word_q + 1'b1;
    if (piece) some_q <= 1'b1;
    unique case (state_q)
      Words: if (end_i) state_q <= Read;
      Read: if (!busy) state_q <= Sum;
      Kept: state_q <= Sum;
      Sum: begin
        {carry_q, sum_q} <= {1'b0, base_q} + {1'b0, down_i ? ~delta_i : delta_i} + 65'(down_i);
        if (!follows_q) count_o.numeric <= some_q && numeric;
        count_o.length <= length_q;
        state_q <= Limit;
      end
      Limit: begin
        count_o.number <= down_i && !carry_q ? '0 : sum_q;
        state_q <= Rest;
      end
      default: ;
    endcase
    if (state_q == Read) begin
      base_q <= value;
      length_q <= length_i[4:0];
    end else if (stored_i) begin
      base_q <= count_o.number;
      length_q <= count_o.length;
    end
    if (created_q[DigitsLatency-1]) count_o.created_digits <= digits;
    if (number_q[DigitsLatency]) begin
      count_o.digits <= digits;
      count_o.grows <= count_o.length < digits;
      if (count_o.length < digits) count_o.length <= digits;
    end
    if (number_q[DigitsLatency] || (created_q[DigitsLatency-1] && !item_q)) done_o <= 1'b1;
    if (start_i) begin
      state_q <= follows_i ? Kept : !item_i ? Rest : end_i ? Read : Words;
      item_q <= item_i || follows_i;
      follows_q <= follows_i;
      word_q <= '0;
      some_q <= 1'b0;
      done_o <= 1'b0;
      ready_q <= 1'b1;
    end
    if (rst_i) begin
      state_q <= Rest;
      created_q <= '0;
      number_q <= '0;
      done_o <= 1'b0;
    end
  end

  wc_digits #(
    .Width($bits(number_t))
  ) u_digits (
    .clk_i   (clk_i),
    .value_i (start_i ? created_i : count_o.number),
    .counts_i(1'b1),
    .digits_o(digits)
  );

  `WC_ASSERT(follower_has_no_words, !start_i || !follows_i || !item_i)
  `WC_ASSERT(one_at_a_time, !start_i || state_q == Rest)
  `WC_ASSERT(words_are_few, !(word_valid_i && word_ready_o) || 32'(word_q) < NumberWords)

endmodule

`default_nettype wire
