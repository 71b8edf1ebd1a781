// SPDX-License-Identifier: Apache-2.0
// Which buckets are on the chip: finds the entry of each operation's bucket, or takes an entry for
// it and asks for its line.
// An entry is claimed from the search that finds it until the last operation that was given it has
// passed. An entry that is neither claimed nor busy may be taken for another bucket; until it is,
// an operation of its bucket finds it.
// The next entry to be taken is chosen beforehand. It is not found any more: an operation that
// finds it in the cycle in which it is chosen has not found anything.
// Latency 3; an operation every 2 cycles. Waits while no entry may be taken, or an output stalls.
`include "wc_assert.svh"
`default_nettype none

module wc_item_lines #(
  parameter int unsigned Entries = 64
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  input  wire wc_log_pkg::line_t          base_line_i,
  input  wire logic                       hold_i,    // no operation goes on
  output logic                            quiet_o,   // hold_i: nothing is on the way, or changed
  input  wire logic                       forget_i,  // no bucket is on the chip
  output logic                            can_go_o,  // an operation can be looked for,
  input  wire logic                       go_i,      // and is, as the same can in the other ways
  input  wire logic                       look_valid_i,
  output logic                            look_ready_o,
  input  wire wc_item_pkg::look_t         look_i,
  output logic                            waiting_valid_o,
  input  wire logic                       waiting_ready_i,
  output wc_item_pkg::waiting_t           waiting_o,
  output logic                            fill_valid_o,
  input  wire logic                       fill_ready_i,
  output wc_item_pkg::fill_t              fill_o,
  output wc_log_pkg::line_t               line_o,  // of the operation that is looked for
  input  wire logic                       bad_i,   // line_o of two cycles before is bad
  input  wire logic                       drop_i,  // this entry shall not be found any more
  input  wire wc_item_pkg::entry_t        drop_entry_i,
  input  wire logic                       passed_i,  // an operation passes; claims end two later
  input  wire wc_item_pkg::entry_t        passed_entry_i,
  input  wire wc_item_pkg::position_t     passed_position_i,
  input  wire logic [Entries-1:0]         busy_i,
  output logic [Entries-1:0]              claimed_o,
  output logic                            stall_o
);

  import wc_item_pkg::*;

  localparam int unsigned EntryWidth = $clog2(Entries);
  typedef logic [Entries-1:0] mask_t;
  typedef logic [EntryWidth-1:0] index_t;

  // ---- the entries -----------------------------------------------------------------------------
  bucket_t bucket_q[Entries];
  mask_t known_q;    // bucket_q is to be found
  mask_t claimed_q;
  mask_t chosen_q;   // the entry that is taken next, or none
  logic chosen_valid_q;
  entry_t chosen_entry_q;

  // ---- s0: an operation, its bucket compared with all -------------------------------------------
  logic s0_valid_q, s0_go;
  look_t s0_q;
  wc_log_pkg::line_t s0_line_q;
  // ---- s1: what was found ----------------------------------------------------------------------
  logic s1_valid_q;
  look_t s1_q;
  wc_log_pkg::line_t s1_line_q;
  mask_t hit_q, hit;
  logic same_q;     // it has the bucket of the operation before
  logic s1_found;
  index_t hit_entry;
  // ---- s2: on it goes --------------------------------------------------------------------------
  logic s2_valid_q, s2_go, s2_take;
  look_t s2_q;
  wc_log_pkg::line_t s2_line_q;
  logic s2_found_q, s2_first_q, s2_bad_q;
  logic s2_takes_q;  // it needs the entry that is taken next
  entry_t s2_entry_q, s2_entry;
  entry_t last_entry_q;  // of the last operation that went on
  position_t position_q;

  assign look_ready_o = !s0_valid_q || s0_go;
  // One at a time from here to s2, so that each sees what the one before has taken.
  assign can_go_o = s0_valid_q && !hold_i && !s1_valid_q && (!s2_valid_q || s2_go);
  assign s0_go = can_go_o && go_i;
  assign line_o = s0_line_q;

  // Entries that have this bit set in their number.
  function automatic mask_t entries_with(int unsigned number_bit);
    for (int unsigned i = 0; i < Entries; i++) entries_with[i] = 1'(i >> number_bit);
  endfunction

  assign hit = hit_q & ~chosen_q;
  assign s1_found = same_q || hit != '0;
  for (genvar i = 0; i < EntryWidth; i++) begin : gen_hit_entry
    localparam mask_t Numbers = entries_with(i);
    assign hit_entry[i] = |(hit & Numbers);
  end

  assign waiting_valid_o = s2_valid_q && (!s2_takes_q || (chosen_valid_q && fill_ready_i));
  assign s2_go = waiting_valid_o && waiting_ready_i;
  assign fill_valid_o = s2_valid_q && s2_takes_q && chosen_valid_q && waiting_ready_i;
  assign s2_take = fill_valid_o && fill_ready_i;
  assign s2_entry = s2_found_q ? s2_entry_q : chosen_entry_q;
  assign stall_o = s2_valid_q && s2_takes_q && !chosen_valid_q;

  always_comb begin
    waiting_o = '{
        looks: s2_q.looks,
        stores: s2_q.stores,
        removes: s2_q.removes,
        reads: s2_q.reads,
        fetches: s2_q.fetches,
        wins: s2_q.wins,
        asks: s2_q.asks,
        creates: s2_q.creates,
        counts: s2_q.counts,
        sweeps: s2_q.sweeps,
        moves: s2_q.moves,
        counted: s2_q.counted,
        dead: s2_q.dead,
        may_copy: s2_q.may_copy,
        tag: s2_q.tag,
        turn: s2_q.turn,
        span: s2_q.span,
        address: s2_q.address,
        grows: s2_q.grows,
        adds: s2_q.adds,
        ends: s2_q.ends,
        entry: s2_entry,
        fills: s2_takes_q,
        position: position_q
    };
    fill_o = '{
        entry: chosen_entry_q,
        line: s2_line_q,
        bucket: s2_q.bucket,
        bad: s2_first_q ? bad_i : s2_bad_q
    };
  end

  // ---- the entry that is taken next -------------------------------------------------------------
  // Never chosen while an operation is in s1: it may claim the entry. `marked` is of a cycle
  // before, and the entry of an operation in s1 in that cycle is not marked.
  mask_t marked;
  logic pick_valid, pick_take;
  entry_t pick;

  assign marked = ~(busy_i | claimed_q | hit_q | chosen_q);
  assign pick_take = !s1_valid_q && (!chosen_valid_q || s2_take);

  wc_item_pick #(
    .Entries(Entries)
  ) u_pick (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .marked_i(marked),
    .valid_o (pick_valid),
    .entry_o (pick),
    .take_i  (pick_take)
  );

  // ---- claims that end -------------------------------------------------------------------------
  // When the operation that passes is the last that was given the entry, and none is in s1 or s2.
  position_t latest;
  logic end_q, end_q2;
  mask_t ending_q;
  logic later_q;
  entry_t end_entry_q, end_entry_q2;
  position_t end_position_q;

  function automatic logic comes_to(logic valid, entry_t entry);
    return valid && s2_valid_q && s2_found_q && s2_entry_q == entry;
  endfunction

  wc_ram_sdp #(
    .Width($bits(position_t)),
    .Depth(Entries)
  ) u_latest (
    .clk_i  (clk_i),
    .we_i   (s2_go && s2_q.looks),
    .waddr_i(s2_entry[EntryWidth-1:0]),
    .wdata_i(position_q),
    .re_i   (passed_i),
    .raddr_i(passed_entry_i[EntryWidth-1:0]),
    .rdata_o(latest)
  );

  always_ff @(posedge clk_i) begin
    end_q <= passed_i;
    end_entry_q <= passed_entry_i;
    end_position_q <= passed_position_i;
    later_q <= comes_to(passed_i, passed_entry_i);
    end_q2 <= end_q && latest == end_position_q && !later_q && !comes_to(end_q, end_entry_q);
    end_entry_q2 <= end_entry_q;
    for (int unsigned i = 0; i < Entries; i++) begin
      ending_q[i] <= end_q2 && end_entry_q2 == entry_t'(i) && !hit[i]
                     && !comes_to(1'b1, end_entry_q2);
    end
    if (rst_i) begin
      end_q <= 1'b0;
      end_q2 <= 1'b0;
      ending_q <= '0;
    end
  end

  assign claimed_o = claimed_q;

  // ---- registers -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      hit_q[i] <= s0_go && s0_q.looks && known_q[i] && bucket_q[i] == s0_q.bucket;
      // The chosen entry is not found, so it may have any bucket before it is taken.
      if (chosen_q[i]) bucket_q[i] <= s2_q.bucket;
      if (hit[i] || (s2_take && chosen_q[i])) claimed_q[i] <= 1'b1;
      else if (ending_q[i]) claimed_q[i] <= 1'b0;
      if (s2_take && chosen_q[i]) known_q[i] <= 1'b1;
      if (pick_valid && pick_take && pick == entry_t'(i)) known_q[i] <= 1'b0;
      if ((drop_i && drop_entry_i == entry_t'(i)) || forget_i) known_q[i] <= 1'b0;
      if (pick_take) chosen_q[i] <= pick_valid && pick == entry_t'(i);
    end
    if (pick_take) begin
      chosen_valid_q <= pick_valid;
      chosen_entry_q <= pick;
    end
    if (rst_i) begin
      hit_q <= '0;
      claimed_q <= '0;
      known_q <= '0;
      chosen_q <= '0;
      chosen_valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (look_ready_o) begin
      s0_valid_q <= look_valid_i;
      s0_q <= look_i;
      s0_line_q <= base_line_i + wc_log_pkg::line_t'(look_i.bucket);
    end
    s1_valid_q <= s0_go;
    s1_q <= s0_q;
    s1_line_q <= s0_line_q;
    same_q <= s0_go && s0_q.looks && s2_valid_q && s2_q.looks && s0_q.bucket == s2_q.bucket;
    if (s1_valid_q) begin
      s2_q <= s1_q;
      s2_line_q <= s1_line_q;
      s2_found_q <= s1_found;
      s2_takes_q <= s1_q.looks && !s1_found;
      s2_entry_q <= same_q ? last_entry_q : entry_t'(hit_entry);
    end
    s2_valid_q <= s1_valid_q || (s2_valid_q && !s2_go);
    s2_first_q <= s1_valid_q;
    if (s2_first_q) s2_bad_q <= bad_i;
    if (s2_go) begin
      last_entry_q <= s2_entry;
      if (s2_q.looks) position_q <= position_q + 1'b1;
    end
    if (rst_i) begin
      s0_valid_q <= 1'b0;
      s1_valid_q <= 1'b0;
      s2_valid_q <= 1'b0;
      s2_first_q <= 1'b0;
      same_q <= 1'b0;
      position_q <= '0;
    end
  end

  // ---- is anything on the way -------------------------------------------------------------------
  // Once nothing is in s1 and s2, no entry is claimed any more.
  logic held_q;
  logic [7:0] some_q;

  always_ff @(posedge clk_i) begin
    held_q <= hold_i && !s1_valid_q && !s2_valid_q;
    for (int unsigned i = 0; i < 8; i++) begin
      some_q[i] <= !held_q;
      for (int unsigned j = i; j < Entries; j += 8) begin
        if (busy_i[j] || claimed_q[j]) some_q[i] <= 1'b1;
      end
    end
    quiet_o <= held_q && some_q == '0;
    if (rst_i) begin
      held_q <= 1'b0;
      quiet_o <= 1'b0;
    end
  end

  `WC_ASSERT(found_once, $onehot0(hit))
  `WC_ASSERT(one_chosen, $onehot0(chosen_q) && chosen_valid_q == (chosen_q != '0))
  `WC_ASSERT(chosen_is_free, (chosen_q & (busy_i | claimed_q)) == '0)
  `WC_ASSERT(chosen_is_unknown, (chosen_q & known_q) == '0)
  `WC_ASSERT(given_is_claimed, !s2_valid_q || !s2_found_q || claimed_q[s2_entry_q[EntryWidth-1:0]])
  `WC_ASSERT(stays_claimed, !passed_i || claimed_q[passed_entry_i[EntryWidth-1:0]])
  `WC_ASSERT(two_apart, !s1_valid_q || !s2_valid_q)

endmodule

`default_nettype wire
