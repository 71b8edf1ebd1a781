// SPDX-License-Identifier: Apache-2.0
// Concurrency control unit and address generator, in two stages. The first looks for a SET or
// DELETE in flight of the same bucket, the newest of them, and works out the address meanwhile. The
// second lets the key words pass, compares them with that one's, and sends off the reads and what
// the stages behind must know. An operation on the same key goes on at once and is told whom to ask
// for the outcome, and so does a GET of another key; a SET or DELETE of another key waits until
// memory has it all. So whatever is in flight on a bucket is one chain of writes of a single key.
// Latency 4 cycles, with somebody in flight 6 + the key's words. Throughput: an operation every 3
// cycles or one a key word, with somebody in flight 3 + its words; without a key 2 cycles.
// A stalled output stalls the input.
`include "wc_assert.svh"
`default_nettype none

module wc_index_ccu #(
  parameter int unsigned Slots         = 8,
  parameter int unsigned MaxKey        = wc_pkg::MaxKeyBytes,
  parameter int unsigned BucketLines   = wc_index_pkg::bucket_lines(MaxKey),
  parameter int unsigned MaxBucketBits = 24,
  parameter int unsigned InFlight      = 64
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire wc_pkg::index_settings_t  settings_i,
  input  wire logic                     hold_i,  // let nothing in
  input  wire logic                     hashed_valid_i,
  output logic                          hashed_ready_o,
  input  wire wc_pkg::hashed_t          hashed_i,
  input  wire logic                     key_valid_i,
  output logic                          key_ready_o,
  input  wire wc_pkg::beat_t            key_i,
  output logic                          word_valid_o,
  input  wire logic                     word_ready_i,
  output wc_pkg::beat_t                 word_o,
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
  output logic                          stall_o,   // an operation is held back
  output logic                          forward_o  // one goes on that would have been
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam logic [5:0] Stride = 6'(BucketLines);
  // The header ends its bucket, whatever is left over comes before the keys.
  localparam int unsigned HeaderAt = BucketLines - HeaderLines;
  localparam int unsigned KeyLines = bucket_lines(MaxKey) - HeaderLines;
  localparam int unsigned IdWidth = $clog2(InFlight);
  localparam int unsigned PlaceWidth = KeyLines > 1 ? $clog2(KeyLines) : 1;  // of a word in its key

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
    always_ff @(posedge clk_i) base_q <= line_t'({settings_i.base_line, 1'b0}) + line_t'(HeaderAt);
  end else if (Slots == 8) begin : gen_line
    always_ff @(posedge clk_i) base_q <= line_t'(settings_i.base_line) + line_t'(HeaderAt);
  end else begin : gen_double_line
    always_ff @(posedge clk_i) base_q <= line_t'(settings_i.base_line[31:1]) + line_t'(HeaderAt);
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < MaxBucketBits; i++) mask_q[i] <= i < 32'(settings_i.bucket_bits);
  end

  // ---- first stage: who is in flight, and for how many cycles it has been asked -----------------
  request_t now_q;
  logic valid_q;
  logic [1:0] age_q;  // one bit a cycle
  logic memory_q, write_q;  // of now_q, from its second cycle
  logic has_key, ready, enter, leave, found, alive, pending_ready, pending_empty;
  bucket_t bucket_q;
  id_t candidate, own;
  probe_t probe_q;  // of the second stage
  logic held_q;  // there is one in it

  assign has_key = now_q.op.key_len != '0;
  assign ready = valid_q && !hold_i &&
                 (memory_q ? age_q[1] && (pending_ready || !write_q) : age_q[0]);
  assign enter = ready && (!held_q || leave);
  assign hashed_ready_o = !valid_q || enter;

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
    write_q <= has_key && now_q.op.op inside {OpSet, OpDelete};
    if (rst_i) valid_q <= 1'b0;
  end

  wc_index_pending #(
    .Entries (InFlight),
    .TagWidth(MaxBucketBits)
  ) u_pending (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .tag_i    (bucket_q),
    .found_o  (found),
    .id_o     (candidate),
    .push_i   (enter && memory_q && write_q),
    .push_id_o(own),
    .ready_o  (pending_ready),
    .pop_i    (done_i),
    .watch_i  (probe_q.prior),
    .alive_o  (alive),
    .empty_o  (pending_empty)
  );

  // ---- address and size class, ready when the operation is two cycles old ----------------------
  line_t low_q, high_q, line_q, start_q;
  count_t count_q;
  logic [15:0] lines_q;  // that the value takes
  logic [Classes-1:0] fits_q;
  size_class_t size_class;

  always_ff @(posedge clk_i) begin
    count_q <= count_t'(now_q.op.key_len[7:3]) +
               count_t'(now_q.op.key_len[2:0] != 3'd0);
    low_q <= times(bucket_q, Stride[2:0]);
    high_q <= base_q + (times(bucket_q, Stride[5:3]) << 3);
    line_q <= high_q + low_q;
    start_q <= high_q + low_q - line_t'(count_q);
    lines_q <= 16'(now_q.value_len[20:6]) + 16'(now_q.value_len[5:0] != 6'd0);
    for (int unsigned i = 0; i < Classes; i++) begin
      fits_q[i] <= lines_q <= settings_i.class_lines[i] && settings_i.class_lines[i] != '0;
    end
  end

  always_comb begin
    size_class = NoClass;
    for (int signed i = Classes - 1; i >= 0; i--) if (fits_q[i]) size_class = size_class_t'(i);
  end

  // ---- second stage: the words pass, and the operation is sent off ------------------------------
  context_t context_q;
  logic sent_q;          // it was sent off
  logic words_q;         // key words have yet to pass
  logic found_q;         // somebody is in flight whose key is to be compared
  logic held_write_q;
  line_t held_start_q;
  id_t own_q;
  logic pass, checked_q, same, settled, fire;
  forward_e forward;

  assign leave = (sent_q || fire) && (!words_q || (pass && key_i.last));

  always_ff @(posedge clk_i) begin
    if (fire) sent_q <= 1'b1;
    if (pass && key_i.last) words_q <= 1'b0;
    if (leave) held_q <= 1'b0;
    if (enter) begin
      held_q <= 1'b1;
      sent_q <= 1'b0;
      words_q <= has_key;
      // What stood in the place that this one takes is gone.
      found_q <= memory_q && found && !(write_q && candidate == own);
      held_write_q <= write_q;
      held_start_q <= start_q;
      own_q <= own;
      probe_q <= '{
          op: now_q.op.op,
          error: now_q.op.status != StOk,
          keyless: !has_key,
          memory: memory_q,
          key_len: now_q.op.key_len,
          size_class: size_class,
          forward: ForwardNone,
          prior: candidate,
          wish: '{
              value_len: now_q.value_len,
              flags: now_q.flags,
              expiry: now_q.expiry,
              cas: now_q.op.op == OpFlush ? cas_t'(now_q.expiry) : now_q.cas
          }
      };
      context_q <= '{op: now_q.op, words: count_q, line: line_q};
    end
    if (rst_i) begin
      held_q <= 1'b0;
      words_q <= 1'b0;
    end
  end

  // ---- the words, and those of the candidate ----------------------------------------------------
  // Keys of writes are kept by the place of the write, each word with the key's length.
  typedef struct packed {
    key_len_t key_len;
    word_t    data;
  } kept_word_t;

  localparam int unsigned Parts = 3;  // of a word, compared apart
  localparam int unsigned PartWidth = $bits(kept_word_t) / Parts;

  logic [PlaceWidth-1:0] place_q;
  kept_word_t word, word_q, word_q2, kept, kept_q2;
  logic compare_q, compare_q2, last_q, last_q2;
  logic [Parts-1:0] same_q;

  assign key_ready_o = words_q && word_ready_i;
  assign pass = key_valid_i && key_ready_o;
  assign word_valid_o = words_q && key_valid_i;
  assign word_o = key_i;
  assign word = '{key_len: probe_q.key_len, data: key_i.data};

  wc_ram_sdp #(
    .Width($bits(kept_word_t)),
    .Depth(InFlight * 2 ** PlaceWidth)
  ) u_words (
    .clk_i  (clk_i),
    .we_i   (pass && held_write_q),
    .waddr_i({own_q[IdWidth-1:0], place_q}),
    .wdata_i(word),
    .re_i   (pass && found_q),
    .raddr_i({probe_q.prior[IdWidth-1:0], place_q}),
    .rdata_o(kept)
  );

  always_ff @(posedge clk_i) begin
    if (pass) place_q <= place_q + 1'b1;
    if (enter) place_q <= '0;
    word_q <= word;
    word_q2 <= word_q;
    kept_q2 <= kept;
    compare_q <= pass && found_q;
    compare_q2 <= compare_q;
    last_q <= pass && found_q && key_i.last;
    last_q2 <= last_q;
    if (last_q2) checked_q <= 1'b1;
    for (int unsigned i = 0; i < Parts; i++) begin
      if (compare_q2 && word_q2[PartWidth*i+:PartWidth] != kept_q2[PartWidth*i+:PartWidth]) begin
        same_q[i] <= 1'b0;
      end
    end
    if (enter) begin
      checked_q <= 1'b0;
      same_q <= '1;
    end
    if (rst_i) begin
      compare_q <= 1'b0;
      compare_q2 <= 1'b0;
      last_q <= 1'b0;
      last_q2 <= 1'b0;
    end
  end

  // ---- sent off ---------------------------------------------------------------------------------
  // A candidate that is done meanwhile may still be forwarded: memory has what it has left behind,
  // and nobody takes its place before this operation is decided.
  assign same = &same_q;
  assign settled = !found_q || (checked_q && (same || !held_write_q || !alive));
  assign fire = held_q && !sent_q && settled && issue_ready_i && (!probe_q.memory || run_ready_i);

  always_comb begin
    forward = ForwardNone;
    if (found_q && same) forward = ForwardSame;
    else if (found_q && !held_write_q) forward = ForwardOther;
    probe_o = probe_q;
    probe_o.forward = forward;
  end

  assign run_valid_o = fire && probe_q.memory;
  assign run_line_o = held_start_q;
  assign run_count_o = context_q.words + count_t'(HeaderLines);
  assign issue_o = fire;
  assign context_o = context_q;
  assign forward_o = fire && forward != ForwardNone;
  assign stall_o = (held_q && !sent_q && checked_q && !same && held_write_q && alive) ||
                   (valid_q && memory_q && write_q && age_q[1] && !pending_ready);
  assign empty_o = pending_empty && !held_q && !enter;

  `WC_ASSERT(key_fits, !valid_q || 32'(now_q.op.key_len) <= MaxKey)
  `WC_ASSERT(not_its_own, !found_q || !held_q || !held_write_q || own_q != probe_q.prior)

endmodule

`default_nettype wire
