// SPDX-License-Identifier: Apache-2.0
// Proof of wc_hazard.
// Rule 1: match_o tells, two cycles later, whether tag_i was that of an entry; an entry that is
//         still there is never missed.
// Rule 2: nothing matches that was not an entry.
// Rule 3: entries leave in order; ready_o and empty_o say whether there is room, or nothing.
// Assumed: a new tag_i comes with fresh_i.
`include "wc_assert.svh"
`default_nettype none

module wc_hazard_fv #(
  parameter int unsigned Entries  = 4,
  parameter int unsigned TagWidth = 2
) (
  input wire logic                clk_i,
  input wire logic                rst_i,
  input wire logic                pick_i,
  input wire logic [TagWidth-1:0] tag_i,
  input wire logic                fresh_i,
  input wire logic                push_i,
  input wire logic                pop_i
);

  typedef logic [TagWidth-1:0] tag_t;
  typedef logic [$clog2(Entries + 1):0] count_t;

  logic match, ready, empty, watching;
  tag_t oldest, watched, tag_q;
  count_t level, ahead;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_hazard #(
    .Entries (Entries),
    .TagWidth(TagWidth)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .tag_i  (tag_i),
    .fresh_i(fresh_i),
    .match_o(match),
    .push_i (push_i),
    .ready_o(ready),
    .pop_i  (pop_i),
    .empty_o(empty)
  );

  `WC_ASSUME(fresh_when_new, rst_i || fresh_i || tag_i == tag_q)
  `WC_ASSUME(push_when_room, !push_i || ready)
  `WC_ASSUME(pop_when_some, !pop_i || !empty)

  always_comb begin
    oldest = '0;
    for (int unsigned i = 0; i < Entries; i++) if (u_dut.oldest_q[i]) oldest |= u_dut.tag_q[i];
  end

  wc_order_fv #(
    .Width(TagWidth),
    .Most (Entries)
  ) u_order (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (push_i),
    .push_data_i(tag_i),
    .pop_i      (pop_i),
    .pop_data_i (oldest),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (watched)
  );

  // Whether tag_i is the followed entry's, and whether it is anyone's.
  logic same_q, same_q2, any, any_q, any_q2, reset_q, reset_q2;

  always_comb begin
    any = 1'b0;
    for (int unsigned i = 0; i < Entries; i++) any |= u_dut.used_q[i] && u_dut.tag_q[i] == tag_i;
  end

  always_ff @(posedge clk_i) begin
    tag_q <= tag_i;
    same_q <= watching && watched == tag_i;
    same_q2 <= same_q;
    any_q <= any;
    any_q2 <= any_q;
    reset_q <= rst_i;
    reset_q2 <= rst_i || reset_q;
    if (rst_i) begin
      same_q <= 1'b0;
      same_q2 <= 1'b0;
      any_q <= 1'b0;
      any_q2 <= 1'b0;
    end
  end

  `WC_ASSERT(never_missed, !same_q2 || match)
  `WC_ASSERT(never_made_up, !match || any_q2)
  `WC_ASSERT(ready_when_room, ready == (level != count_t'(Entries)))
  `WC_ASSERT(empty_when_empty, empty == (level == '0))

  // What ties the checker to the cell: a ring whose used places run from the oldest to the
  // youngest.
  logic [Entries-1:0] run;
  tag_t place;
  logic hit;

  always_comb begin
    place = '0;
    run = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      for (int unsigned j = 0; j < Entries; j++) begin
        if (u_dut.oldest_q[i] && count_t'(j) < level) run[(i+j)%Entries] = 1'b1;
        if (u_dut.oldest_q[i] && count_t'(j) == ahead) place = u_dut.tag_q[(i+j)%Entries];
      end
    end
    hit = |u_dut.hit_q;
  end

  `WC_ASSERT(one_oldest, $onehot(u_dut.oldest_q) && $onehot(u_dut.youngest_q))
  `WC_ASSERT(level_is, count_t'(u_dut.level_q) == level && u_dut.full_q == !ready)
  `WC_ASSERT(used_is, u_dut.used_q == run)
  for (genvar i = 0; i < Entries; i++) begin : gen_youngest
    `WC_ASSERT(youngest_is, !u_dut.oldest_q[i] || u_dut.youngest_q[(i+32'(level))%Entries])
  end
  // What is not worked out anew would come out as it is.
  for (genvar i = 0; i < Entries; i++) begin : gen_unchanged
    `WC_ASSERT(hit_stays, fresh_i || u_dut.moved_q ||
               u_dut.hit_q[i] == (u_dut.used_q[i] && u_dut.tag_q[i] == tag_i))
    `WC_ASSERT(tag_stays, fresh_i || u_dut.moved_q || !u_dut.youngest_q[i] || u_dut.used_q[i] ||
               u_dut.tag_q[i] == tag_i)
  end
  `WC_ASSERT(place_is, !watching || watched == place)
  `WC_ASSERT(hit_is, hit == any_q && (!same_q || hit))

  `WC_COVER(full_and_hit, level == count_t'(Entries) && match)
  `WC_COVER(popped_meanwhile, match && !watching && same_q2)

endmodule

`default_nettype wire
