// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_give.
// Rule 1: every pointer that an operation gives back leaves once. Pointers leave in the order of
//         operations, those of one operation in the order of slots.
// Rule 2: an operation that was decided with full_o low finds a place for its pointers. full_o is
//         high only if nobody took a pointer in one of the Wait cycles before.
// Rule 3: room_o never stays low: it is high again within Wait cycles, whether pointers are taken
//         or not. So nothing waits for a host that is away.
// Assumed: an operation is decided at least four cycles after the one before it. It gives pointers
// back three cycles later, if full_o was low. Depth / 2 operations at most are on their way when
// room_o falls.
`include "wc_assert.svh"
`default_nettype none

module wc_index_give_fv
  import wc_pkg::*;
#(
  parameter int unsigned Slots = 2,
  parameter int unsigned Depth = 2,
  parameter int unsigned Wait  = 12
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             decide_i,   // an operation that would give pointers back
  input wire logic [Slots-1:0] slots_i,    // whose pointers
  input wire logic             ready_i,
  input wire logic             pick_i      // free: follow the pointer of the highest slot
);

  localparam int unsigned Ahead = (Depth + 3) * Slots;

  logic room, full, valid, deleted_valid, reclaim;
  pointer_t deleted;
  pointer_t [Slots-1:0] pointers;
  logic [2:0] give_q;
  logic [2:0] since_q;
  logic [Slots-1:0] slots_q;
  logic [2:0][Slots-1:0] slots_way_q;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // Three cycles from the decision to the push, as in wc_index_decide.
  always_ff @(posedge clk_i) begin
    give_q <= {give_q[1:0], decide_i && !full};
    slots_way_q <= {slots_way_q[1:0], slots_i};
    since_q <= decide_i ? 3'd1 : since_q == 3'd0 || since_q == 3'd3 ? 3'd0 : since_q + 3'd1;
    if (rst_i) begin
      give_q <= '0;
      since_q <= '0;
    end
  end

  assign valid = give_q[2];
  assign slots_q = slots_way_q[2];

  `WC_ASSUME(some_slot, slots_i != '0)
  `WC_ASSUME(apart, !decide_i || since_q == '0)

  // Operations on their way when room_o falls: no more are decided until it is high again.
  logic [2:0] on_way_q;
  always_ff @(posedge clk_i) begin
    if (room) on_way_q <= '0;
    else if (decide_i) on_way_q <= on_way_q + 1'b1;
    if (rst_i) on_way_q <= '0;
  end
  `WC_ASSUME(few_on_way, room || !decide_i || on_way_q < 3'(Depth / 2))

  // ---- one pointer is followed: pushed with pick_i, it has its bit set, all others not ---------
  logic picked_q, pick;
  logic [Slots-1:0] top;
  logic [$clog2(Ahead+1)-1:0] ahead_q;
  logic [$clog2(Ahead+1)-1:0] level_q;
  logic leaves, watched_leaves;

  assign pick = pick_i && valid && !picked_q;
  always_comb begin
    top = '0;
    for (int unsigned i = 0; i < Slots; i++) if (slots_q[i]) top = Slots'(1) << i;
    for (int unsigned i = 0; i < Slots; i++) begin
      pointers[i] = '0;
      pointers[i].line[0] = pick && top[i];
    end
  end

  wc_index_give #(
    .Slots(Slots),
    .Depth(Depth)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .room_o         (room),
    .full_o         (full),
    .valid_i        (valid),
    .slots_i        (slots_q),
    .dead_i         ('0),
    .pointers_i     (pointers),
    .deleted_valid_o(deleted_valid),
    .deleted_ready_i(ready_i),
    .deleted_o      (deleted),
    .reclaim_o      (reclaim)
  );

  assign leaves = deleted_valid && ready_i;
  assign watched_leaves = leaves && deleted.line[0];

  logic inside_q;  // the followed one is
  logic [$clog2(Ahead+1)-1:0] came;
  assign came = valid ? ($bits(came))'($countones(slots_q)) : '0;

  always_ff @(posedge clk_i) begin
    level_q <= level_q + came - ($bits(level_q))'(leaves);
    if (pick) begin
      picked_q <= 1'b1;
      inside_q <= 1'b1;
      ahead_q <= level_q + came - ($bits(level_q))'(leaves);  // itself is the last of them
    end else if (inside_q && leaves) begin
      ahead_q <= ahead_q - 1'b1;
      if (ahead_q == 1) inside_q <= 1'b0;
    end
    if (rst_i) begin
      picked_q <= 1'b0;
      inside_q <= 1'b0;
      level_q <= '0;
    end
  end

  `WC_ASSERT(leaves_in_turn, !leaves || deleted.line[0] == (inside_q && ahead_q == 1))
  `WC_ASSERT(none_made_up, !deleted_valid || level_q != '0)
  `WC_ASSERT_STREAM(deleted, deleted_valid, ready_i, deleted)

  // ---- nothing waits ---------------------------------------------------------------------------
  logic [$clog2(Wait+2)-1:0] low_q;
  always_ff @(posedge clk_i) begin
    low_q <= room ? '0 : low_q + 1'b1;
    if (rst_i) low_q <= '0;
  end

  logic [$clog2(Wait+2)-1:0] moves_q;  // cycles since a pointer was held
  always_ff @(posedge clk_i) begin
    if (deleted_valid && !ready_i) moves_q <= '0;
    else if (moves_q <= ($bits(moves_q))'(Wait)) moves_q <= moves_q + 1'b1;
    if (rst_i) moves_q <= ($bits(moves_q))'(Wait + 1);
  end

  `WC_ASSERT(full_when_held, !full || moves_q <= ($bits(moves_q))'(Wait))
  `WC_ASSERT(room_comes_back, low_q <= ($bits(low_q))'(Wait))
  logic unused;
  assign unused = reclaim;

  `WC_COVER(full_seen, decide_i && full)
  `WC_COVER(waited, low_q == 4)
  `WC_COVER(followed_leaves, watched_leaves && Slots > 1)

endmodule

`default_nettype wire
