// SPDX-License-Identifier: Apache-2.0
// Proof of wc_rx_buffer, with a few places.
// Rule 1: the packet and the contexts hold and are stable until taken.
// Rule 2: the words of a kept request leave once, unchanged and in order; those of a forgotten one
//         never leave.
// Rule 3: each kept request has one context, which leaves once, unchanged and in order; a forgotten
//         one leaves none behind. The packet's conn is the number of its request, round.
// Rule 4: a request that finds no room for a word or for its context has overflow_o at its end.
// Rule 5: nothing waits within: a kept request's words and context are offered within 4 cycles.
// Assumed: a request has a word or more and one context, words in a row, its end behind them; it is
//          kept only when overflow_o was low two cycles before (wc_net_rx); a context is taken only
//          when its request has left (it answers it).
`include "wc_assert.svh"
`default_nettype none

module wc_rx_buffer_fv #(
  parameter int unsigned Words    = 4,
  parameter int unsigned Contexts = 2
) (
  input wire logic clk_i,
  input wire logic rst_i,
  input wire logic pick_i,  // free: follow the request that begins now
  input wire logic word_i,  // a word comes
  input wire logic data_i,
  input wire logic last_i,
  input wire logic from_i,
  input wire logic end_i,   // the verdict on the request
  input wire logic keep_i,
  input wire logic packet_ready_i,
  input wire logic context_ready_i
);

  localparam int unsigned MostWords = Words + 2;
  localparam int unsigned MostContexts = Contexts + 2;

  wc_net_pkg::payload_t payload;
  wc_net_pkg::context_t context_in, context_out;
  wc_pkg::packet_t packet;
  logic overflow, packet_valid, context_valid;

  // ---- requests, as wc_net_rx writes them -------------------------------------------------------
  logic open_q;     // a request has begun and has no verdict
  logic written_q;  // its last word has come
  logic begins, commit, abort;

  assign begins = !open_q && word_i;
  assign commit = end_i && keep_i;
  assign abort = end_i && !keep_i;

  always_ff @(posedge clk_i) begin
    open_q <= (open_q || begins) && !end_i;
    written_q <= (word_i && last_i) || (written_q && open_q && !end_i);
    if (rst_i) begin
      open_q <= 1'b0;
      written_q <= 1'b0;
    end
  end

  `WC_ASSUME(no_word_behind_last, !word_i || !written_q)
  `WC_ASSUME(end_behind_words, !end_i || (open_q && written_q && !word_i))
  `WC_ASSUME(kept_when_room, !commit || !overflow)

  assign payload = '{word: 64'(data_i), bytes: 4'd8, last: last_i};
  assign context_in = '{station: '0, port: '0, request_id: 16'(from_i)};

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_rx_buffer #(
    .Words       (Words),
    .Contexts    (Contexts),
    .LargestWords(1)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .begin_i        (begins),
    .payload_valid_i(word_i),
    .payload_i      (payload),
    .context_valid_i(begins),
    .context_i      (context_in),
    .commit_i       (commit),
    .abort_i        (abort),
    .overflow_o     (overflow),
    .packet_valid_o (packet_valid),
    .packet_ready_i (packet_ready_i),
    .packet_o       (packet),
    .context_valid_o(context_valid),
    .context_ready_i(context_ready_i),
    .context_o      (context_out)
  );

  // ---- conservation -----------------------------------------------------------------------------
  typedef logic [3:0] count_t;

  logic take_word, take_packet, take_context;
  count_t words_q, new_q;       // kept words inside; words of the open request
  count_t packets_q;            // kept requests whose last word is inside
  count_t contexts_q;           // kept contexts inside
  logic [$clog2(Contexts)-1:0] number_q;

  assign take_word = packet_valid && packet_ready_i;
  assign take_packet = take_word && packet.last;
  assign take_context = context_valid && context_ready_i;

  always_ff @(posedge clk_i) begin
    new_q <= end_i ? '0 : new_q + count_t'(word_i && new_q != '1);
    words_q <= words_q - count_t'(take_word) + (commit ? new_q : '0);
    packets_q <= packets_q - count_t'(take_packet) + count_t'(commit);
    contexts_q <= contexts_q - count_t'(take_context) + count_t'(commit);
    number_q <= number_q + ($bits(number_q))'(take_packet);
    if (rst_i) begin
      new_q <= '0;
      words_q <= '0;
      packets_q <= '0;
      contexts_q <= '0;
      number_q <= '0;
    end
  end

  `WC_ASSUME(answered_behind, !context_ready_i || contexts_q > packets_q)

  `WC_ASSERT(no_word_made_up, !packet_valid || words_q != '0)
  `WC_ASSERT(no_context_made_up, !context_valid || contexts_q != '0)
  `WC_ASSERT(words_bounded, words_q <= count_t'(MostWords))
  `WC_ASSERT(contexts_bounded, contexts_q <= count_t'(MostContexts))
  `WC_ASSERT(one_context_a_packet, packets_q <= contexts_q)
  `WC_ASSERT(last_ends, (words_q == '0) == (packets_q == '0))
  `WC_ASSERT(conn_is_number, !packet_valid || packet.conn == wc_pkg::conn_t'(number_q))

  // ---- one request, any one ---------------------------------------------------------------------
  // Its first word and its context are followed; what is kept before it is counted.
  logic mine_q;     // the open request is the one followed
  logic kept_q;     // it was kept, and its first word has not left
  logic context_kept_q;
  logic data_q, from_q;
  count_t ahead_q, contexts_ahead_q;

  always_ff @(posedge clk_i) begin
    if (begins) mine_q <= pick_i && !kept_q && !context_kept_q;
    if (begins && pick_i && !kept_q && !context_kept_q) begin
      data_q <= data_i;
      from_q <= from_i;
    end
    if (commit && mine_q) begin
      kept_q <= 1'b1;
      context_kept_q <= 1'b1;
      ahead_q <= words_q - count_t'(take_word);
      contexts_ahead_q <= contexts_q - count_t'(take_context);
    end
    if (kept_q && take_word) begin
      kept_q <= ahead_q != '0;
      ahead_q <= ahead_q - 1'b1;
    end
    if (context_kept_q && take_context) begin
      context_kept_q <= contexts_ahead_q != '0;
      contexts_ahead_q <= contexts_ahead_q - 1'b1;
    end
    if (end_i) mine_q <= 1'b0;
    if (rst_i) begin
      mine_q <= 1'b0;
      kept_q <= 1'b0;
      context_kept_q <= 1'b0;
    end
  end

  `WC_ASSERT(word_in_order, !(kept_q && take_word && ahead_q == '0) || packet.data[0] == data_q)
  `WC_ASSERT(context_in_order, !(context_kept_q && take_context && contexts_ahead_q == '0) ||
             context_out.request_id[0] == from_q)

  // ---- nothing waits within ---------------------------------------------------------------------
  logic [2:0] word_waits_q, context_waits_q;

  always_ff @(posedge clk_i) begin
    word_waits_q <= words_q != '0 && !packet_valid ? word_waits_q + 1'b1 : '0;
    context_waits_q <= contexts_q != '0 && !context_valid ? context_waits_q + 1'b1 : '0;
    if (rst_i) begin
      word_waits_q <= '0;
      context_waits_q <= '0;
    end
  end

  `WC_ASSERT(word_soon, word_waits_q < 3'd4)
  `WC_ASSERT(context_soon, context_waits_q < 3'd4)

  `WC_COVER(all_full, overflow && words_q > count_t'(Words))
  `WC_COVER(no_context_left, overflow && contexts_q > count_t'(Contexts))
  `WC_COVER(followed_behind, kept_q && ahead_q == count_t'(2) && take_word)
  `WC_COVER(kept_behind_forgotten, commit && $past(abort, 2))

endmodule

`default_nettype wire
