// SPDX-License-Identifier: Apache-2.0
// Concurrency control unit and address generator: holds an operation back while an earlier SET or
// DELETE of its bucket is not yet acknowledged, then sends off the reads of its bucket and what
// the stages behind must know of it. The bucket's address is worked out while the hazard queue
// compares. Latency 3 cycles, one operation every 3 cycles; without a key 1 each.
// A stalled output stalls the input.
`include "wc_assert.svh"
`default_nettype none

module wc_index_ccu #(
  parameter int unsigned Slots         = 8,
  parameter int unsigned MaxKey        = wc_pkg::MaxKeyBytes,
  parameter int unsigned MaxBucketBits = 24,
  parameter int unsigned InFlight      = 32
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire wc_pkg::index_settings_t  settings_i,
  input  wire logic                     hold_i,  // let nothing in
  input  wire logic                     hashed_valid_i,
  output logic                          hashed_ready_o,
  input  wire wc_pkg::hashed_t          hashed_i,
  // lines to read
  output logic                          run_valid_o,
  input  wire logic                     run_ready_i,
  output wc_index_pkg::line_t           run_line_o,
  output wc_index_pkg::count_t          run_count_o,
  // the operation; both are taken together
  output logic                          issue_o,
  input  wire logic                     issue_ready_i,
  output wc_index_pkg::probe_t          probe_o,
  output wc_index_pkg::context_t        context_o,
  // the oldest SET or DELETE is done
  input  wire logic                     done_i,
  output logic                          empty_o,
  output wc_index_pkg::line_t           first_o,  // first header line of bucket 0
  output logic                          stall_o  // an operation is held back
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned KeyLines = (MaxKey + WordBytes - 1) / WordBytes;
  localparam logic [5:0] BucketLines = 6'(KeyLines + HeaderLines);
  localparam int unsigned TagWidth = MaxBucketBits < 16 ? MaxBucketBits : 16;

  typedef logic [MaxBucketBits-1:0] bucket_t;

  // bucket times a constant of three bits
  function automatic line_t times(bucket_t bucket, logic [2:0] factor);
    line_t sum;
    sum = '0;
    for (int unsigned i = 0; i < 3; i++) if (factor[i]) sum = sum + (line_t'(bucket) << i);
    return sum;
  endfunction

  // ---- settings ---------------------------------------------------------------------------------
  bucket_t mask_q;
  line_t base_q;  // first header line of bucket 0

  assign first_o = base_q;

  if (Slots == 4) begin : gen_half_line
    always_ff @(posedge clk_i) base_q <= line_t'({settings_i.base_line, 1'b0}) + line_t'(KeyLines);
  end else if (Slots == 8) begin : gen_line
    always_ff @(posedge clk_i) base_q <= line_t'(settings_i.base_line) + line_t'(KeyLines);
  end else begin : gen_double_line
    always_ff @(posedge clk_i) base_q <= line_t'(settings_i.base_line[31:1]) + line_t'(KeyLines);
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < MaxBucketBits; i++) mask_q[i] <= i < 32'(settings_i.bucket_bits);
  end

  // ---- the operation in work, and how many cycles it has been ----------------------------------
  request_t now_q;
  logic valid_q;
  logic [1:0] age_q;  // one bit a cycle
  logic has_key, is_write, fire, match, hazard_ready;
  bucket_t bucket_q;

  assign has_key = now_q.op.key_len != '0;

  logic memory_q, write_q;  // of now_q, from its second cycle

  assign is_write = now_q.op.op inside {OpSet, OpDelete};
  assign fire = valid_q && !hold_i && issue_ready_i &&
                (memory_q ? age_q[1] && run_ready_i && !match && (hazard_ready || !write_q)
                          : age_q[0]);
  assign hashed_ready_o = !valid_q || fire;

  always_ff @(posedge clk_i) begin
    if (hashed_ready_o) begin
      valid_q <= hashed_valid_i;
      now_q <= hashed_i.request;
      bucket_q <= hashed_i.hash[MaxBucketBits-1:0] & mask_q;
      age_q <= '0;
    end else begin
      age_q <= {age_q[0], 1'b1};
    end
    memory_q <= has_key && now_q.op.op inside {OpGet, OpSet, OpDelete};
    write_q <= has_key && is_write;
    if (rst_i) valid_q <= 1'b0;
  end

  wc_hazard #(
    .Entries (InFlight),
    .TagWidth(TagWidth)
  ) u_hazard (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .tag_i  (bucket_q[TagWidth-1:0]),
    .match_o(match),
    .push_i (fire && write_q && memory_q),
    .ready_o(hazard_ready),
    .pop_i  (done_i),
    .empty_o(empty_o)
  );

  // ---- address and size class, ready when the operation is two cycles old ----------------------
  line_t low_q, high_q, line_q, start_q;
  count_t words_q;
  logic [15:0] lines_q;  // that the value takes
  logic [Classes-1:0] fits_q;
  size_class_t size_class;

  always_ff @(posedge clk_i) begin
    words_q <= count_t'(now_q.op.key_len[7:3]) +
               count_t'(now_q.op.key_len[2:0] != 3'd0);
    low_q <= times(bucket_q, BucketLines[2:0]);
    high_q <= base_q + (times(bucket_q, BucketLines[5:3]) << 3);
    line_q <= high_q + low_q;
    start_q <= high_q + low_q - line_t'(words_q);
    lines_q <= 16'(now_q.value_len[20:6]) + 16'(now_q.value_len[5:0] != 6'd0);
    for (int unsigned i = 0; i < Classes; i++) fits_q[i] <= lines_q <= settings_i.class_lines[i];
  end

  always_comb begin
    size_class = NoClass;
    for (int signed i = Classes - 1; i >= 0; i--) if (fits_q[i]) size_class = size_class_t'(i);
  end

  assign run_valid_o = fire && memory_q;
  assign run_line_o = start_q;
  assign run_count_o = words_q + count_t'(HeaderLines);
  assign issue_o = fire;
  assign probe_o = '{
      op: now_q.op.op,
      error: now_q.op.status != StOk,
      keyless: !has_key,
      memory: memory_q,
      key_len: now_q.op.key_len,
      size_class: size_class,
      cas: now_q.op.op == OpFlush ? cas_t'(now_q.expiry) : now_q.cas
  };
  assign context_o = '{
      op: now_q.op,
      value_len: now_q.value_len,
      flags: now_q.flags,
      expiry: now_q.expiry,
      words: words_q,
      line: line_q
  };
  assign stall_o = valid_q && memory_q && age_q[1] && (match || (write_q && !hazard_ready));

  `WC_ASSERT(key_fits, !valid_q || 32'(now_q.op.key_len) <= MaxKey)

endmodule

`default_nettype wire
