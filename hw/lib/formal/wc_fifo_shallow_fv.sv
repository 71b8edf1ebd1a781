// SPDX-License-Identifier: Apache-2.0
// Proof of wc_fifo_shallow.
// Rule 1: valid_o holds and data_o is stable until taken.
// Rule 2: every item comes out once, unchanged, in order; nothing else does.
// Rule 3: an item inside is offered in the next cycle at the latest.
// Rule 4: it is ready as long as it has room.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_shallow_fv #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             pick_i,
  input wire logic             valid_i,
  input wire logic [Width-1:0] data_i,
  input wire logic             ready_i
);

  typedef logic [Width-1:0] data_t;
  localparam int unsigned AddrWidth = $clog2(Depth);
  typedef logic [$clog2(Depth + 1):0] count_t;

  logic ready, valid, watching;
  data_t data, watched;
  count_t level, ahead;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_fifo_shallow #(
    .data_t(data_t),
    .Depth (Depth)
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
    .Most (Depth)
  ) u_order (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (valid_i && ready),
    .push_data_i(data_i),
    .pop_i      (valid && ready_i),
    .pop_data_i (data),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (watched)
  );

  `WC_ASSERT(offered, valid == (level != '0))
  `WC_ASSERT(ready_when_room, ready == (level != count_t'(Depth)))

  // What ties the checker to the cell.
  logic [AddrWidth-1:0] address;
  assign address = u_dut.raddr_q + ahead[AddrWidth-1:0];

  `WC_ASSERT(level_is, count_t'(u_dut.level_q) == level)
  `WC_ASSERT(addresses, (AddrWidth)'(u_dut.waddr_q - u_dut.raddr_q) == level[AddrWidth-1:0])
  `WC_ASSERT(place_is, !watching || watched == u_dut.mem[address])

  `WC_COVER(full, level == count_t'(Depth))
  `WC_COVER(wrapped, u_dut.waddr_q == '0 && u_dut.raddr_q == '1 && watching)

endmodule

`default_nettype wire
