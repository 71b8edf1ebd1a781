// SPDX-License-Identifier: Apache-2.0
// Proof of wc_fifo_commit.
// Rule 1: valid_o holds and data_o is stable until taken.
// Rule 2: every committed item comes out once, unchanged, in order; nothing else does.
// Rule 3: what is taken back by abort_i never comes out.
// Rule 4: a committed item is offered within four cycles.
// Rule 5: it is ready as long as its RAM has room.
// Assumed: commit_i and abort_i never come together.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_commit_fv #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             pick_i,
  input wire logic             valid_i,
  input wire logic [Width-1:0] data_i,
  input wire logic             commit_i,
  input wire logic             abort_i,
  input wire logic             ready_i
);

  typedef logic [Width-1:0] data_t;
  localparam int unsigned AddrWidth = $clog2(Depth);
  localparam int unsigned Most = Depth + 2;
  typedef logic [$clog2(Most + 1):0] count_t;

  logic ready, valid, push, pop;
  data_t data;
  logic [AddrWidth:0] ram_level;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_fifo_commit #(
    .data_t(data_t),
    .Depth (Depth)
  ) u_dut (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (valid_i),
    .ready_o (ready),
    .data_i  (data_i),
    .commit_i(commit_i),
    .abort_i (abort_i),
    .valid_o (valid),
    .ready_i (ready_i),
    .data_o  (data),
    .level_o (ram_level)
  );

  assign push = valid_i && ready;
  assign pop = valid && ready_i;

  // One item is followed from its push until it comes out or is taken back.
  count_t committed_q, tentative_q;  // items inside
  count_t ahead_q;
  data_t watched_q;
  logic watching_q, safe_q;  // safe: it is committed
  logic [2:0] waited_q;

  always_ff @(posedge clk_i) begin
    if (abort_i) begin
      tentative_q <= '0;
      committed_q <= committed_q - count_t'(pop);
    end else if (commit_i) begin
      tentative_q <= '0;
      committed_q <= committed_q + tentative_q + count_t'(push) - count_t'(pop);
    end else begin
      tentative_q <= tentative_q + count_t'(push);
      committed_q <= committed_q - count_t'(pop);
    end
    if (watching_q && pop) begin
      ahead_q <= ahead_q - 1'b1;
      if (ahead_q == '0) watching_q <= 1'b0;
    end
    if (!watching_q && push && pick_i) begin
      watching_q <= 1'b1;
      ahead_q <= committed_q + tentative_q - count_t'(pop);
      watched_q <= data_i;
      safe_q <= 1'b0;
    end
    if (commit_i) safe_q <= 1'b1;
    if (abort_i && !(watching_q && safe_q)) watching_q <= 1'b0;
    waited_q <= committed_q != '0 && !valid ? waited_q + 1'b1 : '0;
    if (rst_i) begin
      committed_q <= '0;
      tentative_q <= '0;
      watching_q <= 1'b0;
      waited_q <= '0;
    end
  end

  `WC_ASSUME(one_of_both, !(commit_i && abort_i))
  `WC_ASSERT(only_committed, !pop || committed_q != '0)
  `WC_ASSERT(in_order, !(watching_q && pop && ahead_q == '0) || (safe_q && data == watched_q))
  `WC_ASSERT(offered, waited_q < 3'd4)
  `WC_ASSERT(ready_when_room, ready == (ram_level != (AddrWidth + 1)'(Depth)))

  // What ties the checker to the cell. All that is inside stays in the RAM until it goes out.
  count_t outside, place;
  logic [AddrWidth:0] committed;
  logic [AddrWidth-1:0] address;

  assign outside = count_t'(valid) + count_t'(!u_dut.u_out.ready_o);
  assign committed = u_dut.commit_q - u_dut.out_q;
  assign place = ahead_q - outside;
  assign address = u_dut.out_q[AddrWidth-1:0] + place[AddrWidth-1:0];

  `WC_ASSERT(committed_is, committed_q == outside + count_t'(committed))
  `WC_ASSERT(all_is, committed_q + tentative_q == outside + count_t'(ram_level))
  `WC_ASSERT(spare_is, u_dut.u_out.ready_o || valid)
  `WC_ASSERT(levels, committed <= ram_level && ram_level <= (AddrWidth + 1)'(Depth))
  `WC_ASSERT(read_is, u_dut.read_q == (AddrWidth + 1)'(u_dut.out_q
                      + (AddrWidth + 1)'(u_dut.middle_valid_q) + (AddrWidth + 1)'(u_dut.fetched_q)))
  `WC_ASSERT(read_bounded, (AddrWidth + 1)'(u_dut.read_q - u_dut.out_q) <= ram_level)
  `WC_ASSERT(owed_is, u_dut.owed_q == (u_dut.commit_q != u_dut.out_q))
  `WC_ASSERT(unread_is, u_dut.unread_q == (u_dut.write_q != u_dut.read_q))
  `WC_ASSERT(some_is, u_dut.some_q == (u_dut.owed_q && u_dut.read_q != u_dut.commit_q))
  `WC_ASSERT(read_committed, !u_dut.owed_q
             || (AddrWidth + 1)'(u_dut.read_q - u_dut.out_q) <= committed)
  `WC_ASSERT(after_is, u_dut.out_after_q == (AddrWidth + 1)'(u_dut.out_q + 1'b1)
                       && u_dut.read_after_q == (AddrWidth + 1)'(u_dut.read_q + 1'b1)
                       && u_dut.out_before_q == (AddrWidth + 1)'(u_dut.out_q - 1'b1))
  `WC_ASSERT(waited_1, waited_q != 3'd1 || valid || u_dut.middle_valid_q || u_dut.fetched_q)
  `WC_ASSERT(waited_2, waited_q != 3'd2 || valid || u_dut.middle_valid_q)
  `WC_ASSERT(waited_3, waited_q != 3'd3 || valid)
  `WC_ASSERT(place_out, !(watching_q && valid && ahead_q == '0) || data == watched_q)
  `WC_ASSERT(place_spare, !(watching_q && !u_dut.u_out.ready_o && ahead_q == count_t'(valid))
                          || u_dut.u_out.spare_q == watched_q)
  `WC_ASSERT(place_middle, !(watching_q && ahead_q == outside && u_dut.middle_valid_q)
                           || u_dut.middle_q == watched_q)
  `WC_ASSERT(place_fetched, !(watching_q && u_dut.fetched_q
                              && ahead_q == outside + count_t'(u_dut.middle_valid_q))
                            || u_dut.rdata == watched_q)
  `WC_ASSERT(place_ram, !(watching_q && ahead_q >= outside)
                        || u_dut.u_ram.mem[address] == watched_q)
  `WC_ASSERT(safe_is, !watching_q || safe_q == (ahead_q < committed_q))
  `WC_ASSERT(is_inside, !watching_q || ahead_q < committed_q + tentative_q)

  `WC_COVER(full, committed_q == count_t'(Most))
  `WC_COVER(taken_back, abort_i && tentative_q == count_t'(2) && committed_q == count_t'(1))

endmodule

`default_nettype wire
