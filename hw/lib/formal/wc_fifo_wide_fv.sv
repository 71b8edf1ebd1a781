// SPDX-License-Identifier: Apache-2.0
// Proof of wc_fifo_wide.
// Rule 1: valid_o holds and data_o is stable until taken.
// Rule 2: every item comes out once, unchanged, in order; nothing else does.
// Rule 3: an item inside is offered within three cycles.
// Rule 4: it is ready as long as its RAM has room.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_wide_fv #(
  parameter int unsigned Width = 2,
  parameter int unsigned Depth = 4,
  parameter bit          Bypass = 1'b0
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
  localparam int unsigned Most = Depth + 2;
  localparam int unsigned CountWidth = $clog2(Most + 1) + 1;
  typedef logic [CountWidth-1:0] count_t;

  logic ready, valid, watching;
  data_t data, watched;
  logic [AddrWidth:0] ram_level;
  count_t level, ahead;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_fifo_wide #(
    .data_t(data_t),
    .Depth (Depth),
    .Bypass(Bypass)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i (data_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .data_o (data),
    .level_o(ram_level)
  );

  wc_order_fv #(
    .Width(Width),
    .Most (Most)
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

  logic [1:0] waited_q;
  always_ff @(posedge clk_i) begin
    waited_q <= level != '0 && !valid ? waited_q + 1'b1 : '0;
    if (rst_i) waited_q <= '0;
  end

  `WC_ASSERT(offered, waited_q < 2'd3)
  `WC_ASSERT(ready_when_room, ready == (ram_level != (AddrWidth + 1)'(Depth)))

  // What ties the checker to the cell: where an item is that has so many before it.
  count_t outside, in_ram;
  logic [AddrWidth-1:0] address;
  data_t place;

  assign outside = count_t'(valid) + count_t'(u_dut.fetched_q);
  assign in_ram = ahead - outside;
  assign address = u_dut.raddr_q + in_ram[AddrWidth-1:0];

  always_comb begin
    if (valid && ahead == '0) place = data;
    else if (ahead < outside) place = u_dut.fetched;
    else place = u_dut.u_ram.mem[address];
  end

  `WC_ASSERT(level_is, level == outside + count_t'(ram_level))
  `WC_ASSERT(addresses, (AddrWidth)'(u_dut.waddr_q - u_dut.raddr_q) == ram_level[AddrWidth-1:0])
  `WC_ASSERT(waited_2, waited_q != 2'd2 || u_dut.fetched_q || valid)
  `WC_ASSERT(place_is, !watching || watched == place)

  `WC_COVER(full, level == count_t'(Most))
  `WC_COVER(wrapped, u_dut.waddr_q == '0 && $past(u_dut.waddr_q) == '1 && watching)

endmodule

`default_nettype wire
