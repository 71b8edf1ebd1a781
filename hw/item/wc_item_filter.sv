// SPDX-License-Identifier: Apache-2.0
// Stands before the table, and keeps from it what it need not look for: a Bloom filter on the chip
// counts the keys that may be in the table, so an operation that would only find that nothing is
// there looks at no line, and costs no access to memory.
// A key is here what a slot tells of it, bucket and tag. So the table can say which keys it gains
// and loses (news_i), whatever puts one out, without reading an item. Keys that operations may store
// are counted apart from when they come until they have passed the table. So no key is missing that
// has a slot, or an operation before this one that may give it one; and the counters of the filter
// count slots alone, however many operations of a key are on their way.
// Latency 6; an operation a cycle, but for cycles with news. Waits for the table, with Depth
// operations, and behind a clear for as many cycles as a slice has cells.
`include "wc_assert.svh"
`default_nettype none

module wc_item_filter
  import wc_item_pkg::*;
#(
  parameter int unsigned Slices = 7,
  parameter int unsigned Cells  = 65536,  // of a slice
  parameter int unsigned Most   = 128,    // operations between here and their pass
  parameter int unsigned Depth  = 16      // that wait here
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  input  wire logic  clear_i,     // for a cycle, when nothing is in flight
  output logic       clearing_o,  // also after reset
  input  wire logic  look_valid_i,
  output logic       look_ready_o,
  input  wire look_t look_i,
  output logic       look_valid_o,
  input  wire logic  look_ready_i,
  output look_t      look_o,
  input  wire key_news_t news_i,  // cannot wait
  output logic       denied_o,  // an operation looks for nothing
  output logic       full_o     // a counter is full
);

  localparam int unsigned Latency = 5;  // from taking to the filter's answer
  // A counter of keys on their way has room for twice as many as there can be, so it is never full.
  // With four cells for each of them few of others' are taken for one's own.
  localparam int unsigned WayBits = $clog2(Most) + 1;
  localparam int unsigned WayCells = 4 * Most;

  // ---- what is asked of the filter ----------------------------------------------------------------
  logic take, ready, way_ready, news, stores;
  logic op_valid_q, way_valid_q;
  wc_bloom_pkg::op_e op_q, way_op_q;
  wc_pkg::hash_t hash_q;
  logic [Latency-1:0] looks_q;  // an answer that somebody waits for
  logic pending_ready, pending_valid, answer_valid, answer_ready, there;
  logic told, told_there, told_full, way_told, way_there, way_full;
  look_t pending;

  assign news = news_i.loses || news_i.gains || news_i.passed;
  assign clearing_o = !ready || !way_ready;
  assign look_ready_o = !clearing_o && !news && pending_ready;
  assign take = look_valid_i && look_ready_o;
  assign stores = counts(look_i);

  function automatic logic counts(look_t look);
    return look.looks && !look.sweeps && look.stores && (!look.asks || look.creates);
  endfunction

  always_ff @(posedge clk_i) begin
    op_valid_q <= take || news_i.loses || news_i.gains;
    op_q <= news_i.loses ? wc_bloom_pkg::BloomRemove
            : news_i.gains ? wc_bloom_pkg::BloomAdd : wc_bloom_pkg::BloomAsk;
    // In the same cycle, so whoever asks finds the key with one of both.
    way_valid_q <= take || news_i.passed;
    way_op_q <= news_i.passed ? wc_bloom_pkg::BloomRemove
                : stores ? wc_bloom_pkg::BloomAdd : wc_bloom_pkg::BloomAsk;
    hash_q <= wc_crc_pkg::crcs('0, news ? 64'({news_i.bucket, news_i.tag})
                                        : 64'({look_i.bucket, look_i.tag}));
    looks_q <= {looks_q[Latency-2:0], take};
    if (rst_i) begin
      op_valid_q <= 1'b0;
      way_valid_q <= 1'b0;
      looks_q <= '0;
    end
  end

  wc_bloom #(
    .Slices(Slices),
    .Cells (Cells)
  ) u_table (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(clear_i),
    .ready_o(ready),
    .valid_i(op_valid_q),
    .op_i   (op_q),
    .hash_i (hash_q),
    .valid_o(told),
    .there_o(told_there),
    .full_o (told_full)
  );

  wc_bloom #(
    .Slices     (1),
    .Cells      (WayCells),
    .CounterBits(WayBits)
  ) u_way (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(clear_i),
    .ready_o(way_ready),
    .valid_i(way_valid_q),
    .op_i   (way_op_q),
    .hash_i (hash_q),
    .valid_o(way_told),
    .there_o(way_there),
    .full_o (way_full)
  );

  // ---- operations wait for their answers ------------------------------------------------------------
  // Worst case: Depth, of both.
  wc_fifo_shallow #(
    .data_t(look_t),
    .Depth (Depth)
  ) u_pending (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(look_valid_i && !clearing_o && !news),
    .ready_o(pending_ready),
    .data_i (look_i),
    .valid_o(pending_valid),
    .ready_i(look_valid_o && look_ready_i),
    .data_o (pending)
  );

  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Depth)
  ) u_answers (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(looks_q[Latency-1]),
    .ready_o(answer_ready),
    .data_i (told_there || way_there),
    .valid_o(answer_valid),
    .ready_i(look_valid_o && look_ready_i),
    .data_o (there)
  );

  // One that brings a value, or learns its length, has been given room, so it goes to the table.
  logic denied;

  assign look_valid_o = pending_valid && answer_valid;
  assign denied = pending.looks && !pending.sweeps && !pending.stores && !pending.grows && !there;

  always_comb begin
    look_o = pending;
    look_o.counted = counts(pending);
    if (denied) begin
      look_o.looks = 1'b0;
      look_o.removes = 1'b0;
      look_o.reads = 1'b0;
      look_o.fetches = 1'b0;
      look_o.wins = 1'b0;
      look_o.asks = 1'b0;
      look_o.creates = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    denied_o <= look_valid_o && look_ready_i && denied;
    full_o <= told && told_full;
    if (rst_i) begin
      denied_o <= 1'b0;
      full_o <= 1'b0;
    end
  end

  // Who gets a slot was counted as it came, or the filter would have denied it until now.
  `WC_ASSERT(gains_as_counted, !news_i.gains || news_i.passed)
  `WC_ASSERT(answers_have_room, !looks_q[Latency-1] || answer_ready)
  `WC_ASSERT(answers_are_told, !looks_q[Latency-1] || (told && way_told))
  `WC_ASSERT(way_is_counted, !way_told || !way_full)
  `WC_ASSERT(clear_alone, !clear_i || !(pending_valid || news || op_valid_q || way_valid_q))
  `WC_ASSERT_STREAM(look, look_valid_o, look_ready_i, look_o)

endmodule

`default_nettype wire
