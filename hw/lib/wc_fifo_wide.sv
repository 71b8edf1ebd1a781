// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue in block RAM for wide words: behind the RAM stands one register, so a bit
// costs a register and no look-up table, where a wc_fifo takes two of them. What it lacks for that:
// ready_i goes as far as the RAM's read enable, so it must come early.
// With Bypass a word that finds the queue empty goes past the RAM, for a look-up table a bit.
// Latency 3, with Bypass 1 when empty; throughput 1 per cycle; holds Depth words and up to two more.
// ready_o, valid_o and data_o come from registers.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_wide #(
  parameter type         data_t = logic,
  parameter int unsigned Depth  = 64,
  parameter bit          Bypass = 1'b0
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              valid_i,
  output logic                   ready_o,
  input  wire data_t             data_i,
  output logic                   valid_o,
  input  wire logic              ready_i,
  output data_t                  data_o,
  output logic [$clog2(Depth):0] level_o  // words in the RAM
);

  localparam int unsigned AddrWidth = $clog2(Depth);

  `WC_REQUIRE(depth, Depth >= 2 && Depth == 2 ** AddrWidth,
              "wc_fifo_wide: Depth must be a power of two of 2 or more")

  logic [AddrWidth-1:0] waddr_q, raddr_q;
  logic some_q;     // there are words in the RAM
  logic fetched_q;  // the RAM's output is a word
  logic past, push, fetch, move;
  logic [$bits(data_t)-1:0] fetched;

  assign past = Bypass && valid_i && ready_o && !some_q && !fetched_q && (!valid_o || ready_i);
  assign push = valid_i && ready_o && !past;
  assign move = fetched_q && (!valid_o || ready_i);
  assign fetch = some_q && (!fetched_q || move);

  wc_ram_sdp #(
    .Width($bits(data_t)),
    .Depth(Depth)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (valid_i && ready_o),  // a word that goes past is overwritten by the next
    .waddr_i(waddr_q),
    .wdata_i(data_i),
    .re_i   (fetch),
    .raddr_i(raddr_q),
    .rdata_o(fetched)
  );

  always_ff @(posedge clk_i) begin
    if (push) waddr_q <= waddr_q + 1'b1;
    if (fetch) raddr_q <= raddr_q + 1'b1;
    if (push != fetch) begin
      level_o <= push ? level_o + 1'b1 : level_o - 1'b1;
      some_q <= push || level_o != (AddrWidth + 1)'(1);
      ready_o <= !push || level_o != (AddrWidth + 1)'(Depth - 1);
    end
    fetched_q <= fetch || (fetched_q && !move);
    valid_o <= move || past || (valid_o && !ready_i);
    if (move || past) data_o <= Bypass && !fetched_q ? data_i : data_t'(fetched);
    if (rst_i) begin
      waddr_q <= '0;
      raddr_q <= '0;
      level_o <= '0;
      some_q <= 1'b0;
      ready_o <= 1'b1;
      fetched_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, data_o)
  `WC_ASSERT(some_when_some, some_q == (level_o != '0))
  `WC_ASSERT(bounded, level_o <= (AddrWidth + 1)'(Depth))

endmodule

`default_nettype wire
