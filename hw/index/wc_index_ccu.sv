// SPDX-License-Identifier: Apache-2.0
// Concurrency control unit and address generator: finds hazards between an operation and the writes
// (SET, DELETE, TOUCH, GAT) in flight on its bucket, and sends off the reads of the bucket.
// The first of two stages looks for the newest write in flight on the operation's bucket;
// meanwhile it works out the address. The second stage lets the key words pass, compares them with
// the key of that write, and sends off the reads and what the stages behind must know.
// An operation on the write's key goes on at once, and so does a GET of another key. Both are told
// which write has the outcome. A write of another key waits until memory has all of the
// write. So whatever is in flight on a bucket is one chain of writes of a single key.
// Latency 5 cycles to the reads and 6 to the operation, 5 without a key. With a write of the bucket
// in flight, 1 cycle and 1 for each word of the key more.
// Throughput: an operation every 3 cycles, or as many as its key has words; with a write of the
// bucket in flight every 3 + words; without a key every 2.
// A stalled output stalls the input. A run of reads is offered only if run_ready_i was high in the
// cycle before; run_ready_i then stays high until the run is taken. The operation follows a cycle
// later, from a register. issue_ready_i promises room for the operations of the next three cycles,
// which are two at most.
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
  input  wire wc_index_pkg::index_settings_t settings_i,
  input  wire logic                     hold_i,  // let no operation in from the next cycle on
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
  // the operation; its two parts are taken together
  output logic                          issue_o,
  input  wire logic                     issue_ready_i,
  output wc_index_pkg::probe_t          probe_o,
  output wc_index_pkg::context_t        context_o,
  // the oldest write is done
  input  wire logic                     done_i,
  output logic                          empty_o,  // no operation was in here in the cycle before
  output wc_index_pkg::line_t           first_o,  // first header line of bucket 0
  // whether the operation's bucket is retired. Asked of its first header line from the second cycle
  // before issue_o on, and again as long as the operation waits: the answer comes with issue_o
  output wc_index_pkg::line_t           bucket_o,
  input  wire logic                     retired_i,
  output logic                          stall_o,   // an operation is held back
  output logic                          forward_o  // one goes on, as an outcome is forwarded to it
);

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_index_pkg::*;

  localparam logic [5:0] Stride = 6'(BucketLines);
  // The header is at the end of its bucket; lines that are left over come before the keys.
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
    mask_q <= ~({MaxBucketBits{1'b1}} << settings_i.bucket_bits);
  end

  // ---- first stage: which write is in flight ----------------------------------------------------
  // Registers of the first stage.
  request_t now_q;
  bucket_t bucket_q;
  logic valid_q;
  logic fresh_q;    // now_q came in the cycle before
  logic settled_q;  // now_q has been there for a cycle
  logic memory_q, write_q;  // of now_q, once it is settled
  logic ready_q;    // all is known that now_q needs to enter the second stage
  effect_t effect;
  logic memory, enter, fire, found, alive, pending_ready, pending_empty;
  id_t candidate, own;  // the newest write of the bucket; the place that now_q gets as a write
  // Registers of the second stage.
  request_t passed_q;  // now_q of the cycle before, as is
  bucket_t passed_bucket_q;
  logic entered_q;  // the operation entered in the cycle before
  logic waiting_q;  // it is not sent off yet
  logic words_q;    // some of its key words have yet to pass
  logic held_memory_q, held_write_q;
  id_t own_q, prior_q;

  assign effect = effect_of(now_q.op.op);
  assign memory = now_q.op.key_len != '0 && effect.need != NeedNoKey;
  // The next operation comes in the cycle in which now_q leaves, if it is sure to leave. A reader
  // that fell behind in a refresh of the memory catches up only if operations come faster than it
  // takes them.
  assign hashed_ready_o = !valid_q || (ready_q && !words_q && (!waiting_q || fire));

  // Room for a write, once there, stays until it is taken, so it is looked at a cycle early.
  always_ff @(posedge clk_i) begin
    passed_q <= now_q;
    passed_bucket_q <= bucket_q;
    settled_q <= valid_q && !enter;
    fresh_q <= hashed_ready_o && hashed_valid_i;
    memory_q <= memory;
    write_q <= memory && effect.change != ChangeNone;
    ready_q <= valid_q && !enter && !hold_i && (settled_q ? pending_ready || !write_q : !memory);
    if (enter) valid_q <= 1'b0;
    if (hashed_ready_o) begin
      valid_q <= hashed_valid_i;
      now_q <= hashed_i.request;
      bucket_q <= hashed_i.hash[MaxBucketBits-1:0] & mask_q;
    end
    if (rst_i) begin
      valid_q <= 1'b0;
      fresh_q <= 1'b0;
      ready_q <= 1'b0;
    end
  end

  wc_index_pending #(
    .Entries (InFlight),
    .TagWidth(MaxBucketBits)
  ) u_pending (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .tag_i     (bucket_q),
    .fresh_i   (fresh_q),
    .found_o   (found),
    .id_o      (candidate),
    .push_i    (entered_q && held_write_q),
    .push_tag_i(passed_bucket_q),
    .push_id_o (own),
    .ready_o   (pending_ready),
    .pop_i     (done_i),
    .watch_i   (prior_q),
    .alive_o   (alive),
    .empty_o   (pending_empty)
  );

  // ---- address and size class: registers of the first stage, ready in now_q's third cycle -------
  line_t low_q, high_q, line_q;
  count_t count_q;
  logic [15:0] lines_q;  // lines of the value
  logic [Classes-1:0] fits_q;
  size_class_t size_class;

  always_ff @(posedge clk_i) begin
    count_q <= count_t'(now_q.op.key_len[7:3]) +
               count_t'(now_q.op.key_len[2:0] != 3'd0);
    low_q <= times(bucket_q, Stride[2:0]);
    high_q <= base_q + (times(bucket_q, Stride[5:3]) << 3);
    line_q <= high_q + low_q;
    lines_q <= 16'(now_q.value_len >> $clog2(LineBytes)) + 16'(now_q.value_len[5:0] != 6'd0);
    for (int unsigned i = 0; i < Classes; i++) begin
      fits_q[i] <= lines_q <= settings_i.class_lines[i] && settings_i.class_lines[i] != '0;
    end
  end

  always_comb begin
    size_class = NoClass;
    for (int signed i = Classes - 1; i >= 0; i--) if (fits_q[i]) size_class = size_class_t'(i);
  end

  // ---- second stage: the words pass, and the operation is sent off ------------------------------
  // Registers of the second stage. What the key words need comes as the operation enters, the rest
  // a cycle later from registers of the first stage.
  logic found_q;         // a write is in flight whose key is to be compared
  key_len_t key_len_q;
  probe_t probe_q;
  context_t context_q;
  line_t held_start_q;
  count_t held_lines_q;
  logic pass, words_end;  // words_end: of words that pass, the last one

  assign words_end = key_valid_i && word_ready_i && key_i.last;
  assign enter = ready_q && (!waiting_q || fire) && (!words_q || words_end);

  always_ff @(posedge clk_i) begin
    entered_q <= enter;
    if (fire) waiting_q <= 1'b0;
    if (words_end) words_q <= 1'b0;
    if (enter) begin
      words_q <= now_q.op.key_len != '0;
      // The write that had the place which this one takes is done.
      found_q <= memory_q && found && !(write_q && candidate == own);
      held_memory_q <= memory_q;
      held_write_q <= write_q;
      own_q <= own;
      prior_q <= candidate;
      key_len_q <= now_q.op.key_len;
    end
    if (entered_q) begin
      waiting_q <= 1'b1;
      held_start_q <= line_q - line_t'(count_q);
      held_lines_q <= count_q + count_t'(HeaderLines);
      probe_q <= '{
          op: passed_q.op.op,
          error: passed_q.op.status != StOk,
          keyless: passed_q.op.key_len == '0,
          memory: held_memory_q,
          key_len: key_len_q,
          size_class: size_class,
          forward: ForwardNone,
          prior: prior_q,
          retired: 1'b0,
          wish: '{
              value_len: passed_q.value_len,
              flags: passed_q.flags,
              expiry: passed_q.expiry,
              cas: effect_of(passed_q.op.op).flushes ? cas_t'(passed_q.expiry) : passed_q.cas
          }
      };
      context_q <= '{op: passed_q.op, words: count_q, line: line_q};
    end
    if (rst_i) begin
      entered_q <= 1'b0;
      waiting_q <= 1'b0;
      words_q <= 1'b0;
    end
  end

  // ---- the key words, and those of the write in flight ------------------------------------------
  // A RAM keeps the keys of the writes in flight by their places, each word with the key's length.
  typedef struct packed {
    key_len_t key_len;
    word_t    data;
  } kept_word_t;

  localparam int unsigned Parts = 3;  // parts of a word, each compared on its own
  localparam int unsigned PartWidth = $bits(kept_word_t) / Parts;

  logic [PlaceWidth-1:0] place_q;
  kept_word_t word, word_q, word_q2, kept, kept_q2;
  logic compare_q, compare_q2, last_q, last_q2, checked_q;
  logic [Parts-1:0] same_q;

  assign key_ready_o = words_q && word_ready_i;
  assign pass = key_valid_i && key_ready_o;
  assign word_valid_o = words_q && key_valid_i;
  assign word_o = key_i;
  assign word = '{key_len: key_len_q, data: key_i.data};

  wc_ram_sdp #(
    .Width($bits(kept_word_t)),
    .Depth(InFlight * 2 ** PlaceWidth)
  ) u_words (
    .clk_i  (clk_i),
    .we_i   (pass && held_write_q),
    .waddr_i({own_q[IdWidth-1:0], place_q}),
    .wdata_i(word),
    .re_i   (pass && found_q),
    .raddr_i({prior_q[IdWidth-1:0], place_q}),
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
  // A write that is done meanwhile may still be forwarded: its outcome is what memory holds, and no
  // other write takes its place before this operation is decided.
  // The operation leaves from registers, a cycle after it has made way for the next one, as the
  // queues that take it lie far apart. Room for a run stays until a run is sent, so it is looked at
  // a cycle early.
  logic same, open_q;
  logic free_q;  // the operation may go whatever the comparison says
  forward_e forward_q;

  assign same = &same_q;
  assign fire = open_q && (free_q || (checked_q && same));

  always_ff @(posedge clk_i) begin
    open_q <= (entered_q || (waiting_q && !fire)) &&
              issue_ready_i && (run_ready_i || !held_memory_q);
    free_q <= !found_q || ((checked_q || last_q2) && (!held_write_q || !alive));
    issue_o <= fire;
    forward_q <= ForwardNone;
    if (found_q && same) forward_q <= ForwardSame;
    else if (found_q && !held_write_q) forward_q <= ForwardOther;
    empty_o <= pending_empty && !entered_q && !waiting_q && !words_q && !enter && !issue_o;
    if (rst_i) begin
      open_q <= 1'b0;
      issue_o <= 1'b0;
    end
  end

  always_comb begin
    probe_o = probe_q;
    probe_o.forward = forward_q;
    probe_o.retired = retired_i;
  end

  assign run_valid_o = fire && held_memory_q;
  assign run_line_o = held_start_q;
  assign run_count_o = held_lines_q;
  assign context_o = context_q;
  assign bucket_o = entered_q ? line_q : context_q.line;
  assign forward_o = issue_o && forward_q != ForwardNone;
  assign stall_o = (waiting_q && checked_q && !same && !free_q) ||
                   (valid_q && settled_q && write_q && !pending_ready);

  `WC_ASSERT(key_fits, !valid_q || 32'(now_q.op.key_len) <= MaxKey)
  `WC_ASSERT(one_after_the_other, !entered_q || (!enter && !fire))
  `WC_ASSERT(not_its_own, !found_q || !waiting_q || !held_write_q || own_q != prior_q)
  `WC_ASSERT(run_is_taken, !run_valid_o || run_ready_i)

endmodule

`default_nettype wire
