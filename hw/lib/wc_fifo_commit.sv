// SPDX-License-Identifier: Apache-2.0
// Queue whose writer may take back what it has written: words come out only after commit_i, and
// abort_i forgets those since the last commit; never both at once. Either may come with a word,
// which then counts as written before it. When nothing committed is inside, the first words are
// read ahead while it is not yet known what becomes of them. Latency from commit to valid_o 1 for a
// word that was written 3 cycles before its commit, or with it into an empty queue; else 4 from the
// write. Throughput 1 per cycle; holds Depth words and two more. Block RAM is slow to answer, so its
// output goes into a register of its own first, and ready_i goes no further than the register slice
// behind that.
// ready_o low with nothing committed inside means that the writer's item is larger than the queue:
// the writer must abort.
`include "wc_assert.svh"
`default_nettype none

module wc_fifo_commit #(
  parameter type         data_t  = logic,
  parameter int unsigned Depth   = 512,
  parameter int unsigned Longest = Depth  // words between two commits, at most; asserted
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

  // Pointers carry one bit more than the address: their differences are the levels. A word's place
  // is free when it goes out.
  typedef logic [AddrWidth:0] place_t;
  place_t write_q, commit_q, out_q, read_q;
  place_t out_after_q, read_after_q;  // + 1
  place_t out_before_q;               // - 1
  place_t write_d;
  logic [DataWidth-1:0] rdata, middle_q;
  logic fetched_q, middle_valid_q;      // rdata, middle_q hold a word, committed or not
  logic full_q, full_d;
  logic owed_q, owed_d;                 // committed words wait: the first inside is one of them
  logic unread_q, unread_d;             // words in the RAM that were not fetched
  logic some_q, some_d;                 // committed ones
  logic push, out_ready, out, bypass, move, fetch;

  assign level_o = write_q - out_q;
  assign ready_o = !full_q;
  assign push = valid_i && ready_o;
  assign write_d = write_q + place_t'(push);

  assign out = out_ready && middle_valid_q && (owed_q || commit_i);
  assign bypass = out_ready && push && commit_i && !middle_valid_q && !fetched_q && !unread_q;
  assign move = fetched_q && (!middle_valid_q || out);
  // Behind committed words only others are fetched, so an abort takes back all of that or nothing.
  assign fetch = (some_q || (unread_q && !owed_q)) && (!fetched_q || move);

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

  // Is it going to be full, worked out beside the pointers instead of from them. Here and below,
  // what is known late (out, fetch) chooses in the end.
  always_comb begin
    full_d = full_q || (push && write_q == (out_before_q ^ place_t'(Depth)));
    if (abort_i) full_d = commit_q == (out_q ^ place_t'(Depth));
    if (out) full_d = 1'b0;
  end

  // Likewise: will a committed word be left, or become one; will one be unread, a committed one.
  // What was fetched behind a committed word is committed too.
  logic stays;  // a word comes that is not gone at once
  logic [1:0] owed_if, unread_if, some_if, written_if, kept_if;  // without out or fetch, with

  assign stays = push && !bypass;

  always_comb begin
    owed_if[0] = commit_i ? stays || unread_q || fetched_q || middle_valid_q : owed_q;
    owed_if[1] = commit_i ? stays || unread_q || fetched_q : some_q || fetched_q;
    owed_d = owed_if[out];

    written_if = {stays || write_q != read_after_q, stays || unread_q};
    kept_if = {owed_q && commit_q != read_after_q, some_q};
    unread_if = abort_i ? kept_if : written_if;
    some_if = commit_i ? written_if : kept_if;
    unread_d = unread_if[fetch];
    some_d = some_if[fetch];
  end

  always_ff @(posedge clk_i) begin
    full_q <= full_d;
    owed_q <= owed_d;
    write_q <= abort_i ? commit_q : write_d;
    if (commit_i) commit_q <= write_d;
    if (out || bypass) begin
      out_before_q <= out_q;
      out_q <= out_after_q;
      out_after_q <= out_after_q + 1'b1;
    end

    if (fetch || bypass) begin
      read_q <= read_after_q;
      read_after_q <= read_after_q + 1'b1;
    end
    unread_q <= unread_d;
    some_q <= some_d;
    fetched_q <= fetch || (fetched_q && !move);
    middle_valid_q <= move || (middle_valid_q && !out);
    if (move) middle_q <= rdata;
    if (abort_i && !owed_q) begin
      read_q <= out_q;
      read_after_q <= out_after_q;
      fetched_q <= 1'b0;
      middle_valid_q <= 1'b0;
    end

    if (rst_i) begin
      write_q <= '0;
      commit_q <= '0;
      out_q <= '0;
      out_after_q <= place_t'(1);
      out_before_q <= '1;
      read_q <= '0;
      read_after_q <= place_t'(1);
      full_q <= 1'b0;
      owed_q <= 1'b0;
      unread_q <= 1'b0;
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
    .valid_i(out || bypass),
    .ready_o(out_ready),
    .data_i (middle_valid_q ? data_t'(middle_q) : data_i),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (data_o)
  );

  `WC_ASSERT(one_of_both, !(commit_i && abort_i))
  `WC_ASSERT(full_when_full, full_q == (level_o == place_t'(Depth)))
  `WC_ASSERT(owed_when_owed, owed_q == (commit_q != out_q))
  `WC_ASSERT(unread_when_unread, unread_q == (write_q != read_q))
  `WC_ASSERT(some_when_some, some_q == (owed_q && commit_q != read_q))
  `WC_ASSERT(only_committed_behind,
             !owed_q || place_t'(read_q - out_q) <= place_t'(commit_q - out_q))
  `WC_ASSERT(read_in_order, read_q == place_t'(out_q + place_t'(middle_valid_q)
                                                 + place_t'(fetched_q)))
  `WC_ASSERT(bounded, level_o <= place_t'(Depth))
  `WC_ASSERT(longest, place_t'(write_q - commit_q) <= place_t'(Longest))

endmodule

`default_nettype wire
