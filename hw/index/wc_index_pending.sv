// SPDX-License-Identifier: Apache-2.0
// Table of the writes in flight (TRETS'15, Figure 7). Says which of them is the newest on
// the bucket of a new operation. The whole bucket number of each entry is compared. The newest
// entry of each bucket is marked, so one entry at most answers, with its place in the table.
// Entries are popped in order. An entry that is popped meanwhile may still be reported; an entry
// that is there is never missed.
// Entries are compared only when something has changed: fresh_i says that tag_i is not that of the
// cycle before. If tag_i changes without fresh_i, found_o and id_o have no meaning.
// Latency 2: found_o and id_o compare the tag_i of two cycles before with the entries of that
// cycle, including the one pushed in it. The tag that is pushed was tag_i in the cycle before.
// alive_o tells whether the entry watch_i was there in the cycle before.
`include "wc_assert.svh"
`default_nettype none

module wc_index_pending #(
  parameter int unsigned Entries  = 64,
  parameter int unsigned TagWidth = 24
) (
  input  wire logic                clk_i,
  input  wire logic                rst_i,
  input  wire logic [TagWidth-1:0] tag_i,
  input  wire logic                fresh_i,
  output logic                     found_o,
  output wc_index_pkg::id_t        id_o,
  input  wire logic                push_i,     // push_tag_i becomes the newest entry
  input  wire logic [TagWidth-1:0] push_tag_i, // tag_i of the cycle before
  output wc_index_pkg::id_t        push_id_o,  // the place of that entry
  output logic                     ready_o,
  input  wire logic                pop_i,      // the oldest entry is done
  input  wire wc_index_pkg::id_t   watch_i,
  output logic                     alive_o,
  output logic                     empty_o
);

  localparam int unsigned IdWidth = $clog2(Entries);

  `WC_REQUIRE(entries, Entries >= 2 && Entries <= 128 && Entries == 2 ** IdWidth,
              "wc_index_pending: Entries must be a power of two of 2 to 128")

  logic [TagWidth-1:0] tag_q[Entries];
  logic [Entries-1:0] used_q, newest_q;
  logic [Entries-1:0] hit_q, hit;
  logic [Entries-1:0] next_q, oldest_q;  // one-hot, which keeps push_i and pop_i fast
  logic [IdWidth-1:0] next_id_q, hit_id;
  logic [IdWidth:0] level_q;
  logic full_q;

  // Whether tag_i is that of the entry which is pushed in the same cycle. The tags are compared in
  // parts, which are put together a cycle later.
  localparam int unsigned Parts = 3;
  localparam int unsigned PartWidth = (TagWidth + Parts - 1) / Parts;
  logic [Parts*PartWidth-1:0] differs;
  logic [Parts-1:0] differs_q;
  logic push_q, pop_q, asks_pushed;
  logic [IdWidth-1:0] push_id_q;

  logic unused_watch;
  assign unused_watch = ^watch_i;

  assign differs = (Parts * PartWidth)'(push_tag_i ^ tag_i);
  assign asks_pushed = push_q && differs_q == '0;
  assign hit = asks_pushed ? {next_q[0], next_q[Entries-1:1]} : hit_q;
  assign ready_o = !full_q;
  assign empty_o = level_q == '0;
  assign push_id_o = wc_index_pkg::id_t'(next_id_q);

  // The entries that have this bit set in their place.
  function automatic logic [Entries-1:0] places_with(int unsigned place_bit);
    for (int unsigned i = 0; i < Entries; i++) places_with[i] = 1'(i >> place_bit);
  endfunction

  for (genvar i = 0; i < IdWidth; i++) begin : gen_hit_id
    localparam logic [Entries-1:0] Places = places_with(i);
    assign hit_id[i] = |(hit_q & Places);
  end

  always_ff @(posedge clk_i) begin
    if (fresh_i || push_q || pop_q) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        hit_q[i] <= used_q[i] && newest_q[i] && tag_q[i] == tag_i;
      end
    end
    // The next entry is the oldest too only when all entries are free or none is.
    if (push_i) begin
      for (int unsigned i = 0; i < Entries; i++) if (next_q[i]) tag_q[i] <= push_tag_i;
      newest_q <= (newest_q & ~hit) | next_q;
    end
    used_q <= (used_q & ~(pop_i ? oldest_q : '0)) | (push_i ? next_q : '0);
    push_q <= push_i;
    pop_q <= pop_i;
    push_id_q <= next_id_q;
    for (int unsigned i = 0; i < Parts; i++) differs_q[i] <= |differs[i*PartWidth+:PartWidth];
    found_o <= asks_pushed || |hit_q;
    id_o <= asks_pushed ? wc_index_pkg::id_t'(push_id_q) : wc_index_pkg::id_t'(hit_id);
    alive_o <= used_q[watch_i[IdWidth-1:0]];
    if (push_i) begin
      next_q <= {next_q[Entries-2:0], next_q[Entries-1]};
      next_id_q <= next_id_q + 1'b1;
    end
    if (pop_i) oldest_q <= {oldest_q[Entries-2:0], oldest_q[Entries-1]};
    if (push_i && !pop_i) begin
      level_q <= level_q + 1'b1;
      full_q <= level_q == (IdWidth + 1)'(Entries - 1);
    end else if (pop_i && !push_i) begin
      level_q <= level_q - 1'b1;
      full_q <= 1'b0;
    end
    if (rst_i) begin
      used_q <= '0;
      next_q <= Entries'(1);
      next_id_q <= '0;
      oldest_q <= Entries'(1);
      level_q <= '0;
      full_q <= 1'b0;
      push_q <= 1'b0;
      pop_q <= 1'b0;
      hit_q <= '0;
      found_o <= 1'b0;
    end
  end

  `WC_ASSERT(push_has_room, !push_i || ready_o)
  `WC_ASSERT(pop_has_entry, !pop_i || !empty_o)
  `WC_ASSERT(one_newest, $onehot0(hit))

endmodule

`default_nettype wire
