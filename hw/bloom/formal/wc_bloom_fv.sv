// SPDX-License-Identifier: Apache-2.0
// Proof of wc_bloom, with two slices of three cells and counters of two bits.
// Rule 1: a key that was added more often than removed may be there, whatever else was added and
//         removed, be its counters full or not.
// Rule 2: a key is not there if in one slice no key with its cell was added since the last clear.
// Rule 3: each operation has one answer, four cycles later.
// Assumed: all operations are on three keys with any cells, so that two others may share the first one's cells;
//          none of them is removed more often than it was added; none has more than seven adds.
`include "wc_assert.svh"
`default_nettype none

module wc_bloom_fv
  import wc_bloom_pkg::*;
(
  input wire logic               clk_i,
  input wire logic               rst_i,
  input wire logic               clear_i,
  input wire logic               valid_i,
  input wire op_e                op_i,
  input wire logic [1:0]         key_i,   // the operation's
  input wire logic [2:0][3:0]    cells_i  // of each key, what chooses its cells
);

  localparam int unsigned Keys = 3;
  localparam int unsigned Slices = 2;

  logic ready, valid, there, full;
  wc_pkg::hash_t [Keys-1:0] hashes;
  logic [Keys-1:0][2:0] count_q;  // of each key: added and not removed
  logic [Keys-1:0] added_q;       // since the last clear
  logic take;
  logic [3:0] valid_q, due_q, none_q;
  logic [Slices-1:0] none;  // of each slice

  function automatic logic [1:0] cell_of(wc_pkg::hash_t hash, int unsigned slice);
    return 2'((12'(slice_hash(hash, slice) >> 22) * 12'd3) >> 10);
  endfunction

  always_comb begin
    for (int unsigned i = 0; i < Slices; i++) begin
      none[i] = 1'b1;
      for (int unsigned k = 0; k < Keys; k++) begin
        if (added_q[k] && cell_of(hashes[k], i) == cell_of(hashes[key_i], i)) none[i] = 1'b0;
      end
    end
  end

  // Two bits choose the cell of each slice, so that any two cells go together.
  always_comb begin
    for (int unsigned k = 0; k < Keys; k++) begin
      hashes[k] = '0;
      hashes[k][31:30] = cells_i[k][1:0];
      hashes[k][24:23] = cells_i[k][3:2];
    end
  end

  assign take = valid_i && ready;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_bloom #(
    .Slices     (Slices),
    .Cells      (3),
    .CounterBits(2)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(clear_i),
    .ready_o(ready),
    .valid_i(valid_i),
    .op_i   (op_i),
    .hash_i (hashes[key_i]),
    .valid_o(valid),
    .there_o(there),
    .full_o (full)
  );

  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[2:0], take};
    due_q <= {due_q[2:0], count_q[key_i] != '0};
    none_q <= {none_q[2:0], none != '0};
    if (take && op_i == BloomAdd) begin
      count_q[key_i] <= count_q[key_i] + 1'b1;
      added_q[key_i] <= 1'b1;
    end
    if (take && op_i == BloomRemove) count_q[key_i] <= count_q[key_i] - 1'b1;
    if (rst_i || clear_i) begin
      count_q <= '0;
      added_q <= '0;
    end
    if (rst_i) valid_q <= '0;
  end

  `WC_ASSUME(keys_stay, $past(rst_i) || cells_i == $past(cells_i))
  `WC_ASSUME(known, !valid_i || (key_i < 2'(Keys) && op_i inside {BloomAsk, BloomAdd, BloomRemove}))
  `WC_ASSUME(after_ready, !valid_i || ready)
  `WC_ASSUME(clear_alone, !clear_i || (valid_q == '0 && !valid_i))
  `WC_ASSUME(removes_what_is_there, !valid_i || op_i != BloomRemove || count_q[key_i] != '0)
  `WC_ASSUME(few, !valid_i || op_i != BloomAdd || count_q[key_i] != '1)

  `WC_ASSERT(answered, valid == valid_q[3])
  `WC_ASSERT(never_missing, !valid || !due_q[3] || there)
  `WC_ASSERT(only_then, !valid || !none_q[3] || !there)

  `WC_COVER(full_and_gone, valid && there && full && !due_q[3])
  `WC_COVER(denied, valid && !there && $past(added_q != '0, 4))
  `WC_COVER(cleared, valid && !there && none_q[3] && $past(added_q != '0, 12))

endmodule

`default_nettype wire
