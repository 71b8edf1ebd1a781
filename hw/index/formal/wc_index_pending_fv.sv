// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_pending.
// Rule 1: found_o and id_o name, two cycles later, the newest write in flight on the bucket tag_i.
//         A write pushed in the cycle of the question is the newest. A write in flight is never
//         missed.
// Rule 2: nothing is found that was not in flight, and at most one write answers.
// Rule 3: alive_o tells whether the watched write was there the cycle before.
// Rule 4: writes leave in order and take their places in turn; ready_o and empty_o say whether
//         there is room, or nothing.
// Assumed: what is pushed was tag_i in the cycle before, and a new tag_i comes with fresh_i.
`include "wc_assert.svh"
`default_nettype none

module wc_index_pending_fv #(
  parameter int unsigned Entries  = 4,
  parameter int unsigned TagWidth = 2
) (
  input wire logic                clk_i,
  input wire logic                rst_i,
  input wire logic                pick_i,
  input wire logic [TagWidth-1:0] tag_i,
  input wire logic                fresh_i,
  input wire logic                push_i,
  input wire logic                pop_i,
  input wire wc_index_pkg::id_t   watch_i
);

  localparam int unsigned IdWidth = $clog2(Entries);

  typedef logic [TagWidth-1:0] tag_t;
  typedef logic [IdWidth-1:0] place_t;
  typedef logic [$clog2(Entries + 1):0] count_t;

  // What is followed of a write.
  typedef struct packed {
    tag_t   tag;
    place_t place;
  } item_t;

  logic found, ready, alive, empty, watching;
  wc_index_pkg::id_t id, push_id;
  item_t oldest, watched;
  count_t level, ahead;
  tag_t tag_q;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_index_pending #(
    .Entries (Entries),
    .TagWidth(TagWidth)
  ) u_dut (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .tag_i     (tag_i),
    .fresh_i   (fresh_i),
    .found_o   (found),
    .id_o      (id),
    .push_i    (push_i),
    .push_tag_i(tag_q),
    .push_id_o (push_id),
    .ready_o   (ready),
    .pop_i     (pop_i),
    .watch_i   (watch_i),
    .alive_o   (alive),
    .empty_o   (empty)
  );

  `WC_ASSUME(fresh_when_new, fresh_i || tag_i == tag_q)
  `WC_ASSUME(push_when_room, !push_i || ready)
  `WC_ASSUME(pop_when_some, !pop_i || !empty)

  always_comb begin
    oldest = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (u_dut.oldest_q[i]) oldest |= '{tag: u_dut.tag_q[i], place: place_t'(i)};
    end
  end

  wc_order_fv #(
    .Width($bits(item_t)),
    .Most (Entries)
  ) u_order (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (push_i),
    .push_data_i({tag_q, push_id[IdWidth-1:0]}),
    .pop_i      (pop_i),
    .pop_data_i (oldest),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (watched)
  );

  // Whether the write just pushed or the followed one was the newest of the bucket asked for, and
  // whether any was there.
  logic newest_q, pushed, same, same_q, same_q2, any, any_q, any_q2;
  logic watch_same_q, watch_any_q;
  place_t place_q, place_q2;

  assign pushed = push_i && tag_q == tag_i;
  assign same = pushed || (watching && newest_q && watched.tag == tag_i);

  always_comb begin
    any = pushed;
    for (int unsigned i = 0; i < Entries; i++) any |= u_dut.used_q[i] && u_dut.tag_q[i] == tag_i;
  end

  always_ff @(posedge clk_i) begin
    tag_q <= tag_i;
    if (!watching) newest_q <= 1'b1;
    else if (push_i && watched.tag == tag_q) newest_q <= 1'b0;
    same_q <= same;
    same_q2 <= same_q;
    place_q <= pushed ? push_id[IdWidth-1:0] : watched.place;
    place_q2 <= place_q;
    any_q <= any;
    any_q2 <= any_q;
    watch_same_q <= watching && watched.place == watch_i[IdWidth-1:0];
    watch_any_q <= u_dut.used_q[watch_i[IdWidth-1:0]];
    if (rst_i) begin
      same_q <= 1'b0;
      same_q2 <= 1'b0;
      any_q <= 1'b0;
      any_q2 <= 1'b0;
      watch_same_q <= 1'b0;
    end
  end

  `WC_ASSERT(never_missed, !same_q2 || (found && id == wc_index_pkg::id_t'(place_q2)))
  `WC_ASSERT(never_made_up, !found || any_q2)
  `WC_ASSERT(alive_when_there, !watch_same_q || alive)
  `WC_ASSERT(alive_not_made_up, !alive || watch_any_q)
  `WC_ASSERT(ready_when_room, ready == (level != count_t'(Entries)))
  `WC_ASSERT(empty_when_empty, empty == (level == '0))

  // What ties the checker to the cell: a ring whose used places run from the oldest to the next,
  // in which a write is the newest of its bucket when no later one has the same.
  tag_t tags[Entries];
  logic [Entries-1:0] newest, run, later;
  place_t oldest_place;

  always_comb begin
    oldest_place = '0;
    for (int unsigned i = 0; i < Entries; i++) if (u_dut.oldest_q[i]) oldest_place = place_t'(i);
    run = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      tags[i] = u_dut.tag_q[place_t'(oldest_place+place_t'(i))];
      newest[i] = u_dut.newest_q[place_t'(oldest_place+place_t'(i))];
      if (count_t'(i) < level) run[place_t'(oldest_place+place_t'(i))] = 1'b1;
    end
    later = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      for (int unsigned j = i + 1; j < Entries; j++) begin
        if (count_t'(j) < level && tags[i] == tags[j]) later[i] = 1'b1;
      end
    end
  end

  `WC_ASSERT(one_oldest, $onehot(u_dut.oldest_q))
  `WC_ASSERT(level_is, count_t'(u_dut.level_q) == level && u_dut.full_q == !ready)
  `WC_ASSERT(used_is, u_dut.used_q == run)
  `WC_ASSERT(next_is, u_dut.next_q == Entries'(1) << u_dut.next_id_q &&
                      u_dut.next_id_q == place_t'(oldest_place + place_t'(level)))
  for (genvar i = 0; i < Entries; i++) begin : gen_newest
    `WC_ASSERT(newest_is, count_t'(i) >= level || newest[i] == !later[i])
  end
  `WC_ASSERT(followed_is, !watching || (watched.tag == tags[place_t'(ahead)] &&
                                        newest_q == newest[place_t'(ahead)] &&
                                        watched.place == place_t'(oldest_place + place_t'(ahead))))
  `WC_ASSERT(hit_is, (|u_dut.hit) == any_q)
  `WC_ASSERT(hit_followed, !same_q || u_dut.hit == Entries'(1) << place_q)

  `WC_COVER(full_and_found, level == count_t'(Entries) && found)
  `WC_COVER(overtaken, watching && !newest_q && found && same_q2 == 1'b0)
  `WC_COVER(asks_pushed, pushed && level != '0)
  `WC_COVER(popped_meanwhile, found && !watching && same_q2)

endmodule

`default_nettype wire
