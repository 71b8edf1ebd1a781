// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue in look-up-table RAM, which is read in the cycle it is asked: no
// register for what has been read, no wait for it. For some 16 to 32 words; wc_fifo is for more.
// Latency 1; throughput 1 per cycle; holds Depth words. ready_o and valid_o come from registers,
// data_o from the RAM: it wants a register, or very little before one.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_shallow #(
  parameter type         data_t = logic,
  parameter int unsigned Depth  = 16
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic  valid_i,
  output logic       ready_o,
  input  wire data_t data_i,
  output logic       valid_o,
  input  wire logic  ready_i,
  output data_t      data_o
);

  localparam int unsigned AddrWidth = $clog2(Depth);

  `WC_REQUIRE(depth, Depth >= 2 && Depth == 2 ** AddrWidth,
              "wc_fifo_shallow: Depth must be a power of two of 2 or more")

  // The one asynchronous read of the library, so the RAM is here and not behind a wrapper.
  (* ram_style = "distributed" *) logic [$bits(data_t)-1:0] mem[Depth];
  logic [AddrWidth-1:0] waddr_q, raddr_q;
  logic [AddrWidth:0] level_q;
  logic push, pop;

  assign data_o = data_t'(mem[raddr_q]);
  assign push = valid_i && ready_o;
  assign pop = valid_o && ready_i;

  always_ff @(posedge clk_i) begin
    if (push) mem[waddr_q] <= data_i;
  end

  always_ff @(posedge clk_i) begin
    if (push) waddr_q <= waddr_q + 1'b1;
    if (pop) raddr_q <= raddr_q + 1'b1;
    // One condition for all that changes: either side comes late.
    if (push != pop) begin
      level_q <= push ? level_q + 1'b1 : level_q - 1'b1;
      valid_o <= push || level_q != (AddrWidth + 1)'(1);
      ready_o <= !push || level_q != (AddrWidth + 1)'(Depth - 1);
    end
    if (rst_i) begin
      waddr_q <= '0;
      raddr_q <= '0;
      level_q <= '0;
      valid_o <= 1'b0;
      ready_o <= 1'b1;
    end
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, data_o)
  `WC_ASSERT(bounded, level_q <= (AddrWidth + 1)'(Depth))

endmodule

`default_nettype wire
