// SPDX-License-Identifier: Apache-2.0
// Packs fragments of 0 to 8 bytes into dense words; behind a fragment with last_i the next one
// begins a new word, the unused bytes are zero. A word is let go when it is full or its run has
// ended, so nothing ever waits within. A fragment that fills a word and ends its run in the next
// makes two; the second then waits a cycle, and so do full ones that follow it without a gap, one
// at a time: the next to make two has to fill its first word, and meanwhile the queue catches up.
// Latency 3 when the queue behind is empty; one fragment per cycle. ready_o is a register and keeps
// room for Slack fragments that may come after it fell: senders with a pipeline of their own count
// on that. last_o marks the word that a fragment with last_i and at least one byte has ended.
`include "wc_assert.svh"
`default_nettype none

module wc_pack #(
  parameter int unsigned Depth = 16,  // words of the queue
  parameter int unsigned Slack = 0
) (
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  input  wire logic             valid_i,
  output logic                  ready_o,
  input  wire wc_pkg::word_t    data_i,   // bytes beyond bytes_i are ignored
  input  wire logic [3:0]       bytes_i,
  input  wire logic             last_i,
  output logic                  valid_o,
  input  wire logic             ready_i,
  output wc_pkg::word_t         data_o,
  output logic [3:0]            bytes_o,
  output logic                  last_o
);

  import wc_pkg::*;

  localparam int unsigned UnderWay = 5;  // two registers, the word being filled, late ready_o

  `WC_REQUIRE(depth, Depth > UnderWay + Slack + 1,
              "wc_pack: Depth must be greater than Slack + 6")

  typedef struct packed {
    word_t      data;
    logic [3:0] bytes;
    logic       last;
  } packed_t;

  logic [WordBytes-1:0][7:0] masked_q, rotated, rotated_q, filling_q, merged;
  logic [WordBytes-1:0][7:0] rest;  // of the fragment, for the next word
  logic [2:0] offset_q;  // where the next fragment goes
  logic [3:0] end_d, end_q, end_q2;  // where the fragment ends, from the word it starts in
  logic [2:0] start_q, start_q2;
  logic valid_q, valid_q2, last_q, last_q2, empty_q, empty_q2;
  logic fresh, wraps, ends, whole, left;
  logic waits_q;
  packed_t whole_word, left_word, waiting_q;
  logic push, push_ready;
  packed_t push_word, out_word;
  logic [$clog2(Depth):0] level;

  // Place: the only loop, and it carries three bits.
  assign end_d = {1'b0, offset_q} + bytes_i;

  always_ff @(posedge clk_i) begin
    valid_q <= valid_i;
    last_q <= last_i;
    empty_q <= bytes_i == 4'd0;
    start_q <= offset_q;
    end_q <= end_d;
    for (int unsigned i = 0; i < WordBytes; i++) begin
      masked_q[i] <= bytes_i > 4'(i) ? data_i[8*i+:8] : 8'd0;
    end
    if (valid_i) offset_q <= last_i ? 3'd0 : end_d[2:0];
    if (rst_i) begin
      offset_q <= '0;
      valid_q <= 1'b0;
    end
  end

  // Rotate.
  always_comb begin
    for (int unsigned i = 0; i < WordBytes; i++) rotated[i] = masked_q[3'(i) - start_q];
  end

  always_ff @(posedge clk_i) begin
    valid_q2 <= valid_q;
    last_q2 <= last_q;
    empty_q2 <= empty_q;
    start_q2 <= start_q;
    end_q2 <= end_q;
    rotated_q <= rotated;
    if (rst_i) valid_q2 <= 1'b0;
  end

  // Merge.
  assign fresh = start_q2 == 3'd0;
  assign wraps = !fresh && end_q2 > 4'd8;
  assign ends = last_q2 && !(fresh && empty_q2);
  assign whole = valid_q2 && (wraps || ends || end_q2 == 4'd8);
  assign left = valid_q2 && wraps && ends;  // the bytes behind, too, are let go

  always_comb begin
    for (int unsigned i = 0; i < WordBytes; i++) begin
      if (fresh) merged[i] = rotated_q[i];
      else merged[i] = 3'(i) >= start_q2 ? filling_q[i] | rotated_q[i] : filling_q[i];
      rest[i] = 3'(i) >= start_q2 ? 8'd0 : rotated_q[i];
    end
  end

  assign whole_word = '{data: merged, bytes: wraps ? 4'd8 : end_q2,
                        last: ends && !wraps && !empty_q2};
  assign left_word = '{data: rest, bytes: {1'b0, end_q2[2:0]}, last: 1'b1};
  assign push = waits_q || whole;
  assign push_word = waits_q ? waiting_q : whole_word;

  always_ff @(posedge clk_i) begin
    if (valid_q2) filling_q <= wraps ? rest : merged;
    waits_q <= left || (waits_q && whole);
    waiting_q <= left ? left_word : whole_word;
    ready_o <= level <= ($bits(level))'(Depth - UnderWay - Slack - 1);
    if (rst_i) begin
      waits_q <= 1'b0;
      ready_o <= 1'b0;
    end
  end

  wc_fifo #(
    .data_t(packed_t),
    .Depth (Depth)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push),
    .ready_o(push_ready),
    .data_i (push_word),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (out_word),
    .level_o(level)
  );

  assign data_o = out_word.data;
  assign bytes_o = out_word.bytes;
  assign last_o = out_word.last;

  `WC_ASSERT(push_has_room, !push || push_ready)
  `WC_ASSERT(one_waits, !(waits_q && left))
  `WC_ASSERT(fragment_fits, !valid_i || bytes_i <= 4'd8)
  `WC_ASSERT_STREAM(word, valid_o, ready_i, {data_o, bytes_o, last_o})

endmodule

`default_nettype wire
