// SPDX-License-Identifier: Apache-2.0
// Bloom filter that counts: says whether a key may be among those that were added and not removed.
// Each of Slices slices has Cells cells, and a key one cell of each, so it sets just as many (Cho
// and Choi, "An FPGA Implementation of High-Throughput Key-Value Store Using Bloom Filter", section
// 2). A cell has a counter of CounterBits bits where the paper has one bit: a cache forgets keys, too.
// A counter that is full stays full for ever, so none ever says too little.
// Operations take effect in their order. Latency 4; throughput one a cycle, nothing waits, but for
// Cells cycles behind a reset or a clear.
`include "wc_assert.svh"
`default_nettype none

module wc_bloom
  import wc_bloom_pkg::*;
#(
  parameter int unsigned Slices      = 7,
  parameter int unsigned Cells       = 4681,  // of a slice
  parameter int unsigned CounterBits = 4
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          clear_i,  // for a cycle, when no operation is on its way: forget all
  output logic               ready_o,  // no operations before; low while cells are cleared
  input  wire logic          valid_i,
  input  wire op_e           op_i,
  input  wire wc_pkg::hash_t hash_i,
  output logic               valid_o,  // of each operation, 4 cycles later
  output logic               there_o,  // the key may be there: before the operation
  output logic               full_o    // one of its counters is full, and stays so
);

  localparam int unsigned CellBits = $clog2(Cells);
  // A cell is chosen by the top of hash * Cells. With 8 bits more than a cell's number has, cells
  // are chosen equally often but for a 256th.
  localparam int unsigned NumberBits = CellBits + 8;

  `WC_REQUIRE(slices, Slices >= 1 && Slices <= MostSlices, "wc_bloom: Slices must be 1 to 32")
  `WC_REQUIRE(cells, Cells >= 2 && Cells <= 2 ** 24, "wc_bloom: Cells must be 2 to 2^24")
  `WC_REQUIRE(counters, CounterBits >= 1 && CounterBits <= 16,
              "wc_bloom: CounterBits must be 1 to 16")

  typedef logic [CellBits-1:0] cell_t;
  typedef logic [NumberBits-1:0] number_t;
  typedef logic [CounterBits-1:0] count_t;

  // ---- clear ------------------------------------------------------------------------------------
  cell_t clear_q;
  logic clearing_q;

  assign ready_o = !clearing_q;

  always_ff @(posedge clk_i) begin
    if (clearing_q) clear_q <= clear_q + 1'b1;
    if (clear_q == cell_t'(Cells - 1)) clearing_q <= 1'b0;
    if (clear_i || rst_i) begin
      clear_q <= '0;
      clearing_q <= 1'b1;
    end
  end

  // ---- operations: hash, cells, counters ----------------------------------------------------------
  logic [3:0] valid_q;  // hashed, cells are known, counters are read, there
  op_e hashed_op_q, read_op_q, op_q;

  assign valid_o = valid_q[3];

  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[2:0], valid_i};
    hashed_op_q <= op_i;
    read_op_q <= hashed_op_q;
    op_q <= read_op_q;
    if (rst_i) valid_q <= '0;
  end

  logic [Slices-1:0] some, full;

  for (genvar i = 0; i < Slices; i++) begin : gen_slice
    number_t hash_q;
    cell_t read_q, cell_q;  // being read; read
    count_t stored, count, next, next_q;
    logic changes, changed_q, same_q;  // the cell is that of the operation before

    always_ff @(posedge clk_i) begin
      hash_q <= number_t'(slice_hash(hash_i, i) >> (32 - NumberBits));
      read_q <= cell_t'(((NumberBits + CellBits)'(hash_q) * (NumberBits + CellBits)'(Cells))
                        >> NumberBits);
      cell_q <= read_q;
      same_q <= read_q == cell_q;
      next_q <= next;
      changed_q <= changes;
    end

    wc_ram_sdp #(
      .Width(CounterBits),
      .Depth(Cells)
    ) u_cells (
      .clk_i  (clk_i),
      .we_i   (changes || clearing_q),
      .waddr_i(clearing_q ? clear_q : cell_q),
      .wdata_i(clearing_q ? '0 : next),
      .re_i   (1'b1),
      .raddr_i(read_q),
      .rdata_o(stored)
    );

    // It was read in the cycle in which the operation before was changing it.
    assign count = changed_q && same_q ? next_q : stored;
    assign some[i] = count != '0;
    assign full[i] = count == '1;
    assign changes = valid_q[2] && op_q != BloomAsk && !full[i];
    assign next = op_q == BloomAdd ? count + 1'b1 : count - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    there_o <= &some;
    full_o <= |full;
  end

  // ---- rules ------------------------------------------------------------------------------------
  `WC_ASSERT(none_before_ready, !valid_i || ready_o)
  `WC_ASSERT(clear_alone, !clear_i || (valid_q == '0 && !valid_i))
  // Who removes what was not there takes bits away from keys that are.
  `WC_ASSERT(removes_what_is_there, !valid_q[2] || op_q != BloomRemove || &some)

endmodule

`default_nettype wire
