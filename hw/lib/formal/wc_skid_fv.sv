// SPDX-License-Identifier: Apache-2.0
// Proof of wc_skid.
// Rule 1: valid_o holds and data_o is stable until taken.
// Rule 2: every item comes out once, unchanged, in order; nothing else does.
// Rule 3: an item is offered in the cycle in which it comes, and until it is taken.
// Rule 4: when empty it is ready, whatever the other side does.
// The order is checked of the items that had to wait; what passes at once is looked at as it passes.
`include "wc_assert.svh"
`default_nettype none

module wc_skid_fv #(
  parameter int unsigned Width = 2
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             pick_i,
  input wire logic             valid_i,
  input wire logic [Width-1:0] data_i,
  input wire logic             ready_i
);

  typedef logic [Width-1:0] data_t;

  logic ready, valid, watching;
  data_t data, watched;
  logic [1:0] level, ahead;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_skid #(
    .data_t(data_t)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i (data_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .data_o (data)
  );

  wc_order_fv #(
    .Width(Width),
    .Most (1)
  ) u_order (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (valid_i && ready && !ready_i),
    .push_data_i(data_i),
    .pop_i      (valid && ready_i && level != '0),
    .pop_data_i (data),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (watched)
  );

  `WC_ASSERT(offered, valid == (valid_i || level != '0))
  `WC_ASSERT(passes, level != '0 || data == data_i)
  `WC_ASSERT(ready_when_room, ready == (level == '0))

  // What comes stays until it is taken, as in any stream: what is offered at once stays too.
  `WC_ASSUME(in_holds, $past(rst_i) || !$past(valid_i) || $past(ready) || valid_i)
  `WC_ASSUME(in_stable, $past(rst_i) || !$past(valid_i) || $past(ready) || data_i == $past(data_i))

  // What ties the checker to the cell.
  `WC_ASSERT(place_is, !watching || (ahead == '0 && watched == data))

  `WC_COVER(full, level == 2'd1)
  `WC_COVER(goes_past, level == '0 && valid_i && ready_i)
  `WC_COVER(held, watching && !ready_i)

endmodule

`default_nettype wire
