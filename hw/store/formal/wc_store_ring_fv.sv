// SPDX-License-Identifier: Apache-2.0
// Proof of wc_store_ring. Words are counted as they come, modulo twice the ring. One GET is
// followed, any one, and of its words one, any one.
// Rule 1: a word holds and is stable until taken.
// Rule 2: GETs get their values in the order in which they were pushed, each exactly as many words
//         as it asked for, the last one marked.
// Rule 3: the word of a place is the one that came there, be that before or after the GET; none is
//         given out before it came.
// Rule 4: hold_o stands from the cycle after a GET's push until its last word is read from the RAM,
//         with first_i of the oldest such GET.
// Rule 5: behind_o stands while a word that a GET asked for is still to come.
// Assumed, as wc_store_issue_fv shows: a GET is pushed when there is room, for words that are in
// the ring or will come; and no SET gets the place of a word before the GET has read it.
`include "wc_assert.svh"
`default_nettype none

module wc_store_ring_fv
  import wc_pkg::*;
#(
  parameter int unsigned Jobs      = 2,
  parameter int unsigned RingWords = 4,
  parameter int unsigned KeepWords = 2,
  localparam int unsigned PlaceWidth = $clog2(RingWords) + 1,
  localparam int unsigned WordsWidth = $clog2(KeepWords + 1)
) (
  input wire logic                  clk_i,
  input wire logic                  rst_i,
  input wire logic                  pick_i,    // free: follow the GET that is pushed
  input wire logic [PlaceWidth-1:0] follow_i,  // free: and the word of this place
  input wire logic                  grow_i,    // a SET gets a place for a word
  input wire logic                  write_i,
  input wire logic                  data_i,
  input wire logic                  push_i,
  input wire logic [PlaceWidth-1:0] place_i,
  input wire logic [WordsWidth-1:0] words_i,
  input wire logic [1:0]            first_i,
  input wire logic                  value_ready_i
);

  typedef logic [PlaceWidth-1:0] place_t;
  typedef logic [WordsWidth-1:0] words_t;
  typedef logic [3:0] count_t;

  logic ready, behind, hold, valid, take;
  logic [1:0] hold_first;
  beat_t value;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_store_ring #(
    .Jobs     (Jobs),
    .Entries  (4),
    .RingWords(RingWords),
    .KeepWords(KeepWords)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .write_i      (write_i),
    .data_i       ({63'b0, data_i}),
    .push_i       (push_i),
    .ready_o      (ready),
    .place_i      (place_i),
    .words_i      (words_i),
    .first_i      (first_i),
    .behind_o     (behind),
    .hold_o       (hold),
    .hold_first_o (hold_first),
    .value_valid_o(valid),
    .value_ready_i(value_ready_i),
    .value_o      (value)
  );

  assign take = valid && value_ready_i;

  // ---- the GETs ---------------------------------------------------------------------------------
  logic watching, reading;  // the followed GET is inside; and has words in the RAM to read
  count_t level, ahead, reads, reads_ahead;
  words_t words;
  logic [1:0] first;

  wc_order_fv #(
    .Width(WordsWidth),
    .Most (Jobs + 3)
  ) u_gets (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (push_i),
    .push_data_i(words_i),
    .pop_i      (take && value.last),
    .pop_data_i (words),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (words)
  );

  wc_order_fv #(
    .Width(2),
    .Most (Jobs + 1)
  ) u_reads (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i && !watching),
    .push_i     (push_i),
    .push_data_i(first_i),
    .pop_i      (u_dut.fetch && u_dut.final_q),
    .pop_data_i (first),
    .level_o    (reads),
    .watching_o (reading),
    .ahead_o    (reads_ahead),
    .data_o     (first)
  );

  // ---- places -----------------------------------------------------------------------------------
  place_t follow_q;            // the followed word's
  place_t alloc_q, came_q;     // behind the words that have a place, and behind those that came
  place_t granted_q;           // places in the ring that SETs have had so far
  place_t place_q, next_alloc; // of the followed GET's first word
  logic last_q, word_q, known_q;
  words_t given_q;             // words of the oldest value
  logic comes, there;

  assign next_alloc = alloc_q + place_t'(grow_i);
  assign comes = write_i && came_q == follow_q;
  assign there = place_t'(came_q - follow_q - 1'b1) < place_t'(RingWords);

  `WC_ASSUME(push_when_room, !push_i || ready)
  `WC_ASSUME(has_words, !push_i || (words_i != '0 && 32'(words_i) <= KeepWords))
  `WC_ASSUME(has_place, !push_i || (place_t'(alloc_q - place_i) <= granted_q
                                    && place_t'(alloc_q - place_i) >= place_t'(words_i)))
  `WC_ASSUME(word_has_place, !write_i || came_q != alloc_q)
  `WC_ASSUME(alloc_in_ring, place_t'(next_alloc - came_q) <= place_t'(RingWords))
  `WC_ASSUME(not_overwritten, !reading || place_t'(next_alloc - place_q) <= place_t'(RingWords))
  `WC_ASSUME(new_not_overwritten,
             !push_i || place_t'(next_alloc - place_i) <= place_t'(RingWords))

  always_ff @(posedge clk_i) begin
    follow_q <= follow_q;
    alloc_q <= next_alloc;
    if (grow_i && granted_q != place_t'(RingWords)) granted_q <= granted_q + 1'b1;
    if (write_i) came_q <= came_q + 1'b1;
    if (comes) last_q <= data_i;
    if (push_i && pick_i && !watching) begin
      place_q <= place_i;
      known_q <= comes || there;
      word_q <= comes ? data_i : last_q;
    end else if (comes && !known_q) begin
      known_q <= 1'b1;
      word_q <= data_i;
    end
    if (take) given_q <= value.last ? '0 : given_q + 1'b1;
    if (rst_i) begin
      follow_q <= follow_i;
      alloc_q <= '0;
      granted_q <= '0;
      came_q <= '0;
      given_q <= '0;
    end
  end

  logic now, is_word;  // the followed GET's value is being given out, and this is the word
  assign now = watching && ahead == '0 && valid;
  assign is_word = now && place_t'(place_q + place_t'(given_q)) == follow_q;

  `WC_ASSERT(only_when_asked, !valid || level != '0)
  `WC_ASSERT(last_is, !now || value.last == (given_q == words - 1'b1))
  `WC_ASSERT(word_is, !is_word || (known_q && value.data[0] == word_q))
  `WC_ASSERT(hold_is, hold == (reads != '0))
  `WC_ASSERT(hold_first_is, !(reading && reads_ahead == '0) || hold_first == first)
  `WC_ASSERT(behind_is, !reading || behind
                        || place_t'(came_q - place_q - place_t'(words)) < place_t'(RingWords))

  `WC_COVER(waited, is_word && $past(push_i, 6) && $past(known_q, 3) && !$past(known_q, 4))
  `WC_COVER(three_gets, level == count_t'(3) && now && !value.last)

endmodule

`default_nettype wire
