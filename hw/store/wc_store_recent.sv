// SPDX-License-Identifier: Apache-2.0
// The table of recent SETs: where in the ring the words of each SET are, and whether memory has
// them. Finds the newest SET of an operation's block.
// Only a tag, folded from the address of the block, is compared with all entries; the entry that is
// found holds the rest of the address. Each SET takes the `newest` mark from the entry with its
// tag, so one entry at most is found, and all others with this tag are older.
// Entries are made in order and go in order. An entry goes when nobody can need it: it is
// acknowledged, it is no longer the newest of its tag (or has lost the mark because room is short),
// and no GET that may have found it is still to read the ring.
// Hazard 2 cycles after take_i, forward and place 3 cycles after; one SET per 3 cycles.
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
  // An operation comes, with this tag. The ports that follow are about the one that came last.
  input  wire logic                           take_i,
  input  wire logic [TagWidth-1:0]            next_tag_i,
  input  wire logic                           settled_i,  // it has been there for a cycle
  input  wire logic [TagWidth-1:0]            tag_i,
  input  wire logic [29-TagWidth:0]           rest_i,    // with the tag, the address of its block
  input  wire logic [$clog2(KeepWords+1)-1:0] words_i,
  input  wire logic                           keep_i,    // it has at most KeepWords
  input  wire logic                           look_i,    // it is a GET, which needs what it found
  output logic                                hazard_o,  // a SET has its tag; a cycle later: and
                                                         // memory may not have the SET's words yet
  output logic                                forward_o, // the ring has the words of its block;
                                                         // has no meaning before it is settled
  output logic [$clog2(RingWords):0]          place_o,   // of these words, modulo twice the ring
  output logic [$clog2(Entries)-1:0]          first_o,   // the oldest entry that can be found
  // The operation is a SET and goes: it becomes the next entry.
  output logic                                ready_o,
  input  wire logic                           push_i,
  // The oldest entry that was not acknowledged is now.
  input  wire logic                           ack_i,
  // The oldest GET of the ring may have found this entry and all after it.
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
  // In the order of age: oldest <= first <= next, oldest <= unacked <= next. One place is never
  // used, so next meets oldest only when there are no entries.
  entry_t oldest_q, first_q, unacked_q, next_q;  // first: that can be found
  entry_t last_q;  // next - 1

  // ---- what an operation finds -----------------------------------------------------------------
  logic [Entries-1:0] hit_q;
  logic same_q;  // the SET that went as this operation came has its tag: it is the newest
  logic match_q;
  logic retire;
  logic [1:0][EntryWidth-2:0] index;  // of the hit in either half of the entries; 0 if not there
  info_t [1:0] half_q;  // what either half has at its index
  logic upper_q;        // the hit is in the upper half
  info_t found;

  // In a half of the entries, those that have this bit set in their number.
  function automatic logic [Entries/2-1:0] entries_with(int unsigned number_bit);
    for (int unsigned i = 0; i < Entries / 2; i++) entries_with[i] = 1'(i >> number_bit);
  endfunction

  for (genvar i = 0; i < EntryWidth - 1; i++) begin : gen_index
    localparam logic [Entries/2-1:0] Numbers = entries_with(i);
    for (genvar h = 0; h < 2; h++) begin : gen_half
      assign index[h][i] = same_q ? last_q[i] : |(hit_q[h*Entries/2+:Entries/2] & Numbers);
    end
  end

  assign found = half_q[upper_q];
  assign first_o = first_q;

  always_ff @(posedge clk_i) begin
    if (take_i) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        hit_q[i] <= newest_q[i] && tag_q[i] == next_tag_i && !(retire && first_q == entry_t'(i));
      end
      same_q <= push_i && next_tag_i == tag_i;
    end else if (same_q) begin
      hit_q <= Entries'(1) << last_q;
      same_q <= 1'b0;
    end
    match_q <= same_q || hit_q != '0;
    hazard_o <= same_q || (hit_q & ~(settled_i ? acked_q : '0)) != '0;
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
  logic pass_q, evict_q;  // first_q moves on; the oldest entry goes

  // used_q is a cycle behind, so it may count words that are free again. It misses none that are
  // taken: it is looked at two cycles or more after the last push.
  assign space = used_q <= place_t'(RingWords - KeepWords);
  assign level = next_q - oldest_q;
  assign full = level == entry_t'(Entries - 1);
  assign ready_o = !full && (space || !keep_i);

  // When room is short, the oldest entry that can be found loses its mark, but not while a GET
  // looks for its block. This takes two cycles an entry, as the marks are many: what was true a
  // cycle ago still is.
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

  // The entries in two halves: both are read beside the comparison, one is chosen a cycle later.
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
    // The entry behind the last one is not used, so a SET may fill it in before it goes.
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
