// SPDX-License-Identifier: Apache-2.0
// Proof of wc_watch. Operations have numbers, and so have the words of each; whatever the host does,
// and whenever it begins and ends to watch.
// Rule 1: what is kept comes out whole: each word of its key, in order, and no other, with what is
//         told of it; in the order in which operations left.
// Rule 2: an operation that left, and is to be told, is either kept or lost, once, if the host has
//         watched since the one before it left; no other operation is.
// Rule 3: one is lost only if there was no room for an entry, or for two of the longest keys: the one
//         before it may have been lost for want of room, too.
// Rule 4: what is kept is there for the host within six cycles of its turn.
// Assumed: no more than ten operations come; the words of an operation pass before it leaves, the
// last one marked, or with it; one that is to be told has at least one.
`include "wc_assert.svh"
`default_nettype none

module wc_watch_fv
  import wc_pkg::*;
#(
  parameter int unsigned Entries = 2,
  parameter int unsigned KeyWords = 4,
  parameter int unsigned LongestKey = 2
) (
  input wire logic clk_i,
  input wire logic rst_i,
  input wire logic enable_i,
  input wire logic word_i,
  input wire logic last_i,
  input wire logic leaves_i,
  input wire logic told_i,
  input wire logic take_i
);

  typedef logic [3:0] number_t;
  typedef logic [1:0] count_t;

  watched_t watched, entry;
  watch_events_t events;
  beat_t key_word;
  word_t key;
  logic valid;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- operations ---------------------------------------------------------------------------------
  number_t number_q;  // of the one whose words pass
  count_t words_q;    // of it that have passed
  logic ended_q;      // and the last one of them

  always_comb begin
    watched = '0;
    watched.word = word_i;
    watched.leaves = leaves_i;
    watched.told = told_i;
    watched.ttl = seconds_t'(number_q);
    watched.key_len = key_len_t'(1);
    key_word = '{data: word_t'({number_q, words_q}), last: last_i};
  end

  always_ff @(posedge clk_i) begin
    if (word_i) begin
      words_q <= words_q + 1'b1;
      ended_q <= last_i;
    end
    if (leaves_i) begin
      number_q <= number_q + 1'b1;
      words_q <= '0;
      ended_q <= 1'b0;
    end
    if (rst_i) begin
      number_q <= '0;
      words_q <= '0;
      ended_q <= 1'b0;
    end
  end

  `WC_ASSUME(numbers, !leaves_i || number_q < 4'd10)
  `WC_ASSUME(nothing_behind_the_last, !word_i || !ended_q)
  `WC_ASSUME(longest, !word_i || last_i || words_q < count_t'(LongestKey - 1))
  `WC_ASSUME(leaves_behind_its_words, !leaves_i || ended_q || (word_i ? last_i : words_q == '0))
  `WC_ASSUME(told_with_a_key, !told_i || (leaves_i && (ended_q || word_i)))

  wc_watch #(
    .Entries   (Entries),
    .KeyWords  (KeyWords),
    .LongestKey(LongestKey)
  ) u_dut (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .enable_i (enable_i),
    .watched_i(watched),
    .key_i    (key_word),
    .valid_o  (valid),
    .entry_o  (entry),
    .key_o    (key),
    .take_i   (take_i),
    .events_o (events)
  );

  // ---- what is to come out ------------------------------------------------------------------------
  logic follows_q, told_q, told_late_q, forget_q;
  number_t leaves_q, leaves_late_q;  // number of told_q, told_late_q
  count_t passed_q, passed_late_q;   // and its words
  logic [2**$bits(number_t)-1:0] kept_q, kept;  // numbers that wait
  count_t [2**$bits(number_t)-1:0] words_of_q, words_of;
  number_t oldest;
  logic some, taken_last;
  count_t taken_q;        // words of the oldest one
  logic [2:0] waits_q;    // cycles since the one before it went
  logic [3:0] entries, entries_q, words, words_before_q;

  always_comb begin
    kept = kept_q;
    words_of = words_of_q;
    if (events.kept) begin
      kept[leaves_late_q] = 1'b1;
      words_of[leaves_late_q] = passed_late_q;
    end
    oldest = '0;
    some = 1'b0;
    entries = '0;
    words = '0;
    for (int unsigned i = 10; i > 0; i--) begin
      if (kept[i-1]) begin
        oldest = number_t'(i - 1);
        some = 1'b1;
        entries = entries + 1'b1;
        words = words + 4'(words_of[i-1]);
      end
    end
    words = words - 4'(taken_q);
    taken_last = taken_q + 1'b1 == words_of[oldest];
  end

  always_ff @(posedge clk_i) begin
    forget_q <= !enable_i;
    follows_q <= enable_i && (follows_q || leaves_i);
    told_q <= enable_i && follows_q && leaves_i && told_i;
    leaves_q <= number_q;
    passed_q <= words_q + count_t'(word_i);
    told_late_q <= told_q;
    leaves_late_q <= leaves_q;
    passed_late_q <= passed_q;
    entries_q <= entries;
    words_before_q <= words;
    kept_q <= kept;
    words_of_q <= words_of;
    waits_q <= !some || valid ? '0 : waits_q + 1'b1;
    if (take_i && valid) begin
      taken_q <= taken_last ? '0 : taken_q + 1'b1;
      if (taken_last) kept_q[oldest] <= 1'b0;
    end
    if (rst_i || forget_q) begin
      kept_q <= '0;
      taken_q <= '0;
      waits_q <= '0;
    end
    if (rst_i) begin
      follows_q <= 1'b0;
      told_q <= 1'b0;
      told_late_q <= 1'b0;
      entries_q <= '0;
      words_before_q <= '0;
    end
  end

  // Rule 1
  `WC_ASSERT(of_the_oldest, !valid || (some && entry.ttl == seconds_t'(oldest)))
  `WC_ASSERT(words_in_order, !valid || key == word_t'({oldest, taken_q}))
  // Rule 2
  `WC_ASSERT(kept_or_lost, (events.kept ^ events.lost) == told_late_q
                           && !(events.kept && events.lost))
  // Rule 3
  `WC_ASSERT(lost_for_want_of_room, !events.lost || entries_q >= 4'(Entries)
                                    || words_before_q > 4'(KeyWords - 2 * LongestKey))
  // Rule 4
  `WC_ASSERT(there_in_time, waits_q < 3'd6)

  `WC_COVER(two_of_two_words, taken_last && take_i && valid && taken_q == 2'd1 && oldest == 4'd2
                              && kept_q[3])
  `WC_COVER(lost, events.lost && entries_q == 4'd1)
  `WC_COVER(watched_again, valid && $past(forget_q, 5) && number_q > 4'd3)

endmodule

`default_nettype wire
