// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue in RAM behind a register slice; a word that finds it empty goes straight
// to that slice. Latency 1 when empty, 4 through the RAM; throughput 1 per cycle; holds Depth words
// and up to four more. ready_o comes from a register, valid_o and data_o too, and ready_i goes no
// further than the slice: RAM lies far apart.
// Block RAM is slow to answer, so its output goes into a register of its own before anything else.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo #(
  parameter type         data_t = logic,
  parameter int unsigned Depth  = 16
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
  localparam int unsigned DataWidth = $bits(data_t);

  `WC_REQUIRE(depth, Depth >= 2 && Depth == 2 ** AddrWidth,
              "wc_fifo: Depth must be a power of two of 2 or more")

  logic [AddrWidth-1:0] waddr_q, raddr_q;
  logic [AddrWidth:0] level_q;
  logic [DataWidth-1:0] rdata, middle_q;
  logic fetched_q;  // rdata holds a word
  logic middle_valid_q;  // middle_q does, an older one
  logic full_q, some_q;  // level_q is Depth, is not 0
  logic out_ready, take_middle, bypass, push, fetch;

  assign ready_o = !full_q;
  assign level_o = level_q;

  assign take_middle = out_ready || !middle_valid_q;
  assign bypass = out_ready && !middle_valid_q && !fetched_q && !some_q;
  assign push = valid_i && ready_o && !bypass;
  assign fetch = some_q && (!fetched_q || take_middle);

  wc_ram_sdp #(
    .Width(DataWidth),
    .Depth(Depth)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (valid_i && ready_o),  // a word that goes past is overwritten by the next
    .waddr_i(waddr_q),
    .wdata_i(data_i),
    .re_i   (fetch),
    .raddr_i(raddr_q),
    .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    if (push) waddr_q <= waddr_q + 1'b1;
    if (fetch) raddr_q <= raddr_q + 1'b1;
    if (push != fetch) begin
      level_q <= level_q + (fetch ? '1 : (AddrWidth + 1)'(1));
      full_q <= !fetch && level_q == (AddrWidth + 1)'(Depth - 1);
      some_q <= !fetch || level_q != (AddrWidth + 1)'(1);
    end
    fetched_q <= fetch || (fetched_q && !take_middle);
    if (take_middle) begin
      middle_valid_q <= fetched_q;
      if (fetched_q) middle_q <= rdata;
    end
    if (rst_i) begin
      waddr_q <= '0;
      raddr_q <= '0;
      level_q <= '0;
      full_q <= 1'b0;
      some_q <= 1'b0;
      fetched_q <= 1'b0;
      middle_valid_q <= 1'b0;
    end
  end

  wc_slice #(
    .data_t(data_t)
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(middle_valid_q || (bypass && valid_i && ready_o)),
    .ready_o(out_ready),
    .data_i (middle_valid_q ? data_t'(middle_q) : data_i),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (data_o)
  );

  `WC_ASSERT(some_when_some, some_q == (level_q != '0))
  `WC_ASSERT(bounded, level_q <= (AddrWidth + 1)'(Depth))

endmodule

`default_nettype wire
