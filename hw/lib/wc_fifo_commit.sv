// SPDX-License-Identifier: Apache-2.0
// Queue whose writer may take back what it has written: words come out only after commit_i, and
// abort_i forgets those since the last commit. Both may come with a word, which then counts as
// written before them. Latency from commit to valid_o 3 cycles after the commit's own; throughput 1
// per cycle; holds Depth words and up to two more.
// ready_o low with nothing committed inside means that the writer's item is larger than the queue:
// the writer must abort.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_commit #(
  parameter type         data_t = logic,
  parameter int unsigned Depth  = 512
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              valid_i,
  output logic                   ready_o,
  input  wire data_t             data_i,
  input  wire logic              commit_i,
  input  wire logic              abort_i,
  output logic                   valid_o,
  input  wire logic              ready_i,
  output data_t                  data_o,
  output logic [$clog2(Depth):0] level_o  // words in the RAM, uncommitted ones too
);

  localparam int unsigned AddrWidth = $clog2(Depth);
  localparam int unsigned DataWidth = $bits(data_t);

  `WC_REQUIRE(depth, Depth >= 2 && Depth == 2 ** AddrWidth,
              "wc_fifo_commit: Depth must be a power of two of 2 or more")

  // Pointers carry one bit more than the address: their differences are the levels.
  logic [AddrWidth:0] write_q, commit_q, read_q;
  logic [AddrWidth:0] write_d;
  logic [AddrWidth:0] after_q;  // read_q + 1
  logic [DataWidth-1:0] rdata;
  logic fetched_q;
  logic full_q, full_d;
  logic some_q, some_d;  // committed words are in the RAM
  logic push, take, fetch;
  logic [AddrWidth:0] committed;  // words in the RAM that stay when the writer aborts

  assign level_o = write_q - read_q;
  assign committed = commit_q - read_q;
  assign ready_o = !full_q;
  assign push = valid_i && ready_o;
  assign write_d = write_q + (AddrWidth + 1)'(push);
  assign take = ready_i || !valid_o;
  assign fetch = some_q && (!fetched_q || take);

  wc_ram_sdp #(
    .Width(DataWidth),
    .Depth(Depth)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (push),
    .waddr_i(write_q[AddrWidth-1:0]),
    .wdata_i(data_i),
    .re_i   (fetch),
    .raddr_i(read_q[AddrWidth-1:0]),
    .rdata_o(rdata)
  );

  // Is it going to be full, worked out beside the pointers instead of from them.
  always_comb begin
    full_d = full_q || (push && level_o == (AddrWidth + 1)'(Depth - 1));
    if (abort_i) full_d = committed == (AddrWidth + 1)'(Depth);
    if (fetch) full_d = 1'b0;
  end

  // Likewise: will a committed word be left, or become one.
  always_comb begin
    some_d = fetch ? commit_q != after_q : commit_q != read_q;
    if (commit_i && !abort_i) begin
      some_d = push || (fetch ? write_q != after_q : write_q != read_q);
    end
  end

  always_ff @(posedge clk_i) begin
    full_q <= full_d;
    some_q <= some_d;
    write_q <= abort_i ? commit_q : write_d;
    if (commit_i && !abort_i) commit_q <= write_d;
    if (fetch) begin
      read_q <= after_q;
      after_q <= after_q + 1'b1;
    end
    fetched_q <= fetch || (fetched_q && !take);
    if (take) begin
      valid_o <= fetched_q;
      data_o <= data_t'(rdata);
    end
    if (rst_i) begin
      write_q <= '0;
      commit_q <= '0;
      read_q <= '0;
      after_q <= (AddrWidth + 1)'(1);
      full_q <= 1'b0;
      some_q <= 1'b0;
      fetched_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, data_o)
  `WC_ASSERT(full_when_full, full_q == (level_o == (AddrWidth + 1)'(Depth)))
  `WC_ASSERT(some_when_some, some_q == (commit_q != read_q))
  `WC_ASSERT(bounded, level_o <= (AddrWidth + 1)'(Depth))

endmodule

`default_nettype wire
