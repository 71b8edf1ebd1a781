// SPDX-License-Identifier: Apache-2.0
// Proof of wc_bad_list, against a bit for each place there is.
// Rule 1: what was put is in the list 3 cycles later, when done_o says so, and until it is taken off
//         or the list is cleared: an ask for it hits two cycles later.
// Rule 2: nothing else hits, unless there was no room for a place; then all hit.
// Rule 3: there is room for Entries places, and a place that is put again takes no more of it.
// Assumed: nothing comes while busy_o.
`include "wc_assert.svh"
`default_nettype none

module wc_bad_list_fv #(
  parameter int unsigned Entries = 2,
  parameter int unsigned Width   = 2
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             clear_i,
  input wire logic [Width-1:0] ask_i,
  input wire logic             put_i,
  input wire logic             take_i,
  input wire logic [Width-1:0] place_i
);

  typedef logic [2**Width-1:0] places_t;

  logic hit, busy, done, all;
  logic [$clog2(Entries+1)-1:0] level;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_bad_list #(
    .Width  (Width),
    .Entries(Entries)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(clear_i),
    .ask_i  (ask_i),
    .hit_o  (hit),
    .put_i  (put_i),
    .take_i (take_i),
    .place_i(place_i),
    .busy_o (busy),
    .done_o (done),
    .level_o(level),
    .all_o  (all)
  );

  logic put_q, put_q2, take_q, take_q2, changes;
  logic [Width-1:0] place_q, place_q2;

  `WC_ASSUME(one_at_a_time, !(put_i && take_i))
  `WC_ASSUME(not_while_busy, !busy || !(put_i || take_i))
  // Nothing is on its way when the list is cleared: the table is cleared when nothing is in flight.
  assign changes = put_i || take_i || put_q || take_q || put_q2 || take_q2;
  `WC_ASSUME(cleared_at_rest, !clear_i || !changes)

  // ---- all that is in the list, as it should be -------------------------------------------------
  places_t in_q, in_q2, in_q3;
  logic all_q, all_q2;
  logic [Width-1:0] ask_q, ask_q2;
  logic reset_q, reset_q2;
  int unsigned count;

  always_comb begin
    count = 0;
    for (int unsigned i = 0; i < 2 ** Width; i++) count += 32'(in_q[i]);
  end

  always_ff @(posedge clk_i) begin
    put_q <= put_i;
    put_q2 <= put_q;
    take_q <= take_i;
    take_q2 <= take_q;
    place_q <= place_i;
    place_q2 <= place_q;
    if (take_q2) in_q[place_q2] <= 1'b0;
    if (put_q2 && !in_q[place_q2]) begin
      if (count == Entries) all_q <= 1'b1;
      else in_q[place_q2] <= 1'b1;
    end
    in_q2 <= in_q;
    in_q3 <= in_q2;
    all_q2 <= all_q;
    ask_q <= ask_i;
    ask_q2 <= ask_q;
    reset_q <= rst_i || clear_i;
    reset_q2 <= reset_q;
    if (rst_i || clear_i) begin
      in_q <= '0;
      all_q <= 1'b0;
    end
    if (rst_i) begin
      put_q <= 1'b0;
      put_q2 <= 1'b0;
      take_q <= 1'b0;
      take_q2 <= 1'b0;
    end
  end

  logic settled;
  assign settled = !(rst_i || clear_i || reset_q || reset_q2);

  `WC_ASSERT(hit_is, !settled || hit == (all_q2 || (in_q3[ask_q2] && in_q2[ask_q2])))
  `WC_ASSERT(all_is, all == all_q)
  `WC_ASSERT(done_is, !settled || done == $past(put_q2))
  `WC_ASSERT(level_is, !settled || 32'(level) == $past(count))
  `WC_ASSERT(in_when_done, !(settled && done) || all_q || in_q[$past(place_q2)])

  `WC_COVER(taken_off, settled && in_q3[ask_q2] && !in_q2[ask_q2])
  `WC_COVER(no_room, settled && all_q && !all_q2)
  `WC_COVER(cleared, clear_i && count == Entries)

endmodule

`default_nettype wire
