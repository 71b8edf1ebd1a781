// SPDX-License-Identifier: Apache-2.0
// The SETs of late: where in the ring the words of each are, and whether memory has them. Finds the
// newest of an operation's block. Only a fold of the block's address is compared with all of them;
// the one that is found tells the rest of it. As every SET takes the `newest` mark from those
// with its tag, at most one is found, and all behind it are older.
// Entries are made in order and go in order, when nobody can want them: acknowledged, no longer the
// newest (or made to be so, as room is short), and no reader that may have found them is left.
// Doubt 2 cycles after take_i, forward and place 3 cycles after; one SET per 3 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_store_recent #(
  parameter int unsigned Entries   = 32,
  parameter int unsigned TagWidth  = 12,
  parameter int unsigned RingWords = 1024,
  parameter int unsigned KeepWords = 176
) (
  input  wire logic                           clk_i,
  input  wire logic                           rst_i,
  // An operation comes, with this tag; what follows is about the one that came last.
  input  wire logic                           take_i,
  input  wire logic [TagWidth-1:0]            next_tag_i,
  input  wire logic                           settled_i,  // it has been there for a cycle
  input  wire logic [TagWidth-1:0]            tag_i,
  input  wire logic [29-TagWidth:0]           rest_i,    // with the tag its whole address
  input  wire logic [$clog2(KeepWords+1)-1:0] words_i,
  input  wire logic                           keep_i,    // it has at most KeepWords
  input  wire logic                           look_i,    // it is a GET, which needs what it found
  output logic                                doubt_o,   // of its tag is one, and after a cycle:
                                                         // which memory may not have yet
  output logic                                forward_o, // of its block is one, words in the ring;
                                                         // of no use before it is settled
  output logic [$clog2(RingWords):0]          place_o,   // of its words, counted on for ever
  output logic [$clog2(Entries)-1:0]          first_o,   // the oldest that can be found
  // It is a SET and goes.
  output logic                                ready_o,
  input  wire logic                           push_i,
  // The oldest that was not acknowledged is.
  input  wire logic                           ack_i,
  // The oldest reader may have found this one and all after it.
  input  wire logic                           hold_i,
  input  wire logic [$clog2(Entries)-1:0]     hold_first_i
);

  localparam int unsigned EntryWidth = $clog2(Entries);
  localparam int unsigned PlaceWidth = $clog2(RingWords) + 1;
  localparam int unsigned WordsWidth = $clog2(KeepWords + 1);

  typedef logic [EntryWidth-1:0] entry_t;
  typedef logic [PlaceWidth-1:0] place_t;

  typedef struct packed {
    logic [29-TagWidth:0] rest;
    place_t               place;
    logic                 keep;
  } info_t;

  `WC_REQUIRE(entries, Entries >= 4 && Entries == 2 ** EntryWidth,
              "wc_store: HazardEntries must be a power of two of 4 or more")
  `WC_REQUIRE(ring_words, RingWords >= 2 && RingWords == 2 ** $clog2(RingWords),
              "wc_store: RingWords must be a power of two of 2 or more")
  `WC_REQUIRE(keep_words, KeepWords >= 1 && KeepWords <= RingWords,
              "wc_store: KeepWords must be 1 to RingWords")

  logic [TagWidth-1:0] tag_q[Entries];
  logic [Entries-1:0] newest_q;  // of its tag, and to be found
  logic [Entries-1:0] acked_q;
  // In the order of age: oldest <= first <= next, oldest <= unacked <= next. One entry is never
  // used, so that next meets oldest only when there is none.
  entry_t oldest_q, first_q, unacked_q, next_q;
  entry_t last_q;  // next - 1

  // ---- what an operation finds -----------------------------------------------------------------
  logic [Entries-1:0] hit_d, hit_q;
  logic same_q;  // the SET that went as this operation came is the one
  logic match_q;
  logic retire;
  logic [1:0][EntryWidth-2:0] index;  // in either half of the entries; 0 where it is not
  info_t [1:0] half_q;  // what is there
  logic upper_q;        // which half it is
  info_t found;

  for (genvar i = 0; i < Entries; i++) begin : gen_hit
    assign hit_d[i] = newest_q[i] && tag_q[i] == next_tag_i && !(retire && first_q == entry_t'(i));
  end

  always_comb begin
    index = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (hit_q[i]) index[i/(Entries/2)] |= (EntryWidth - 1)'(i);
    end
    if (same_q) index = {2{last_q[EntryWidth-2:0]}};
  end

  assign found = half_q[upper_q];
  assign first_o = first_q;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      hit_q <= hit_d;
      same_q <= push_i && next_tag_i == tag_i;
    end else if (same_q) begin
      hit_q <= Entries'(1) << last_q;
      same_q <= 1'b0;
    end
    match_q <= same_q || hit_q != '0;
    doubt_o <= same_q || (hit_q & ~(settled_i ? acked_q : '0)) != '0;
    upper_q <= same_q ? last_q[EntryWidth-1] : |hit_q[Entries-1:Entries/2];
    forward_o <= settled_i && match_q && found.keep && found.rest == rest_i;
    place_o <= found.place;
    if (rst_i) begin
      hit_q <= '0;
      same_q <= 1'b0;
    end
  end

  // ---- entries ---------------------------------------------------------------------------------
  logic [WordsWidth-1:0] oldest_words;
  place_t alloc_q, reclaim_q, used_q;
  entry_t level;
  logic space, full;
  logic want_retire_q, step;
  logic pass_q, evict_q;  // the first that can be found moves on, the oldest goes

  // used_q is late by a cycle, and so may name words that are free again, never the other way
  // round when it is asked: two cycles or more after the last push.
  assign space = used_q <= place_t'(RingWords - KeepWords);
  assign level = next_q - oldest_q;
  assign full = level == entry_t'(Entries - 1);
  assign ready_o = !full && (space || !keep_i);

  // Room is short: the oldest that can be found is given up, but not under the eyes of a GET. All
  // this takes two cycles an entry, as the marks are many; what was true a cycle ago still is.
  assign retire = want_retire_q && !look_i;
  assign step = retire || pass_q;

  wc_fifo_shallow #(
    .data_t(logic [WordsWidth-1:0]),
    .Depth (Entries)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_i),
    .ready_o(),
    .data_i (keep_i ? words_i : '0),
    .valid_o(),
    .ready_i(evict_q),
    .data_o (oldest_words)
  );

  // In halves, which are chosen from a cycle later, beside the comparison.
  for (genvar i = 0; i < 2; i++) begin : gen_half
    (* ram_style = "distributed" *) info_t info[Entries/2];

    always_ff @(posedge clk_i) begin
      half_q[i] <= info[index[i]];
      if (next_q[EntryWidth-1] == 1'(i)) begin
        info[next_q[EntryWidth-2:0]] <= '{rest: rest_i, place: alloc_q, keep: keep_i};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    used_q <= alloc_q - reclaim_q;
    want_retire_q <= newest_q[first_q] && acked_q[first_q] && !step
                     && (!space || level >= entry_t'(Entries - 2));
    pass_q <= first_q != next_q && !newest_q[first_q] && !step;
    evict_q <= oldest_q != first_q && acked_q[oldest_q] && !evict_q
               && !(hold_i && hold_first_i == oldest_q);
    if (retire) newest_q[first_q] <= 1'b0;
    if (step) first_q <= first_q + 1'b1;
    if (evict_q) begin
      oldest_q <= oldest_q + 1'b1;
      reclaim_q <= reclaim_q + place_t'(oldest_words);
    end
    if (ack_i) begin
      acked_q[unacked_q] <= 1'b1;
      unacked_q <= unacked_q + 1'b1;
    end
    // The entry behind the last is nobody's, so a SET may fill it in before it goes.
    acked_q[next_q] <= 1'b0;
    tag_q[next_q] <= tag_i;
    if (push_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        if (hit_q[i]) newest_q[i] <= 1'b0;
      end
      newest_q[next_q] <= 1'b1;
      last_q <= next_q;
      next_q <= next_q + 1'b1;
      if (keep_i) alloc_q <= alloc_q + place_t'(words_i);
    end
    if (rst_i) begin
      newest_q <= '0;
      acked_q <= '0;
      oldest_q <= '0;
      first_q <= '0;
      unacked_q <= '0;
      next_q <= '0;
      alloc_q <= '0;
      reclaim_q <= '0;
      used_q <= '0;
      want_retire_q <= 1'b0;
      pass_q <= 1'b0;
      evict_q <= 1'b0;
    end
  end

  `WC_ASSERT(push_has_room, !push_i || (!full && !same_q))
  `WC_ASSERT(ring_holds, place_t'(alloc_q - reclaim_q) <= place_t'(RingWords))
  `WC_ASSERT(ack_has_entry, !ack_i || unacked_q != next_q)
  `WC_ASSERT(one_is_found, (hit_q & (hit_q - 1'b1)) == '0)

endmodule

`default_nettype wire
