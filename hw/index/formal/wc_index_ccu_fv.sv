// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_ccu, with wc_index_pending in it.
// Rule 1: no operation passes a conflicting write: with writes of its bucket in flight it is sent
//         off only with the place of the newest of them.
// Rule 2: an operation is told that the keys are the same exactly when they are, word for word and
//         in length. Only a GET is told that they differ.
// Rule 3: so a write (SET, DELETE, TOUCH, GAT) is not sent off while a write of another key of its
//         bucket is in flight.
// Rule 4: if the write that an operation was told is done meanwhile, it is still the newest of the
//         bucket, and no other write has its place, nor the operation itself.
// Rule 5: nothing waits for ever. A GET is sent off within Most cycles in which the outputs are
//         ready, nothing holds the operation back and its words are there. So is a write, if no
//         write of another key of its bucket is in flight and fewer than InFlight are in all.
// Rule 6: operations are sent off once each and in order, with their own bucket's lines to read;
//         key words pass unchanged.
// Rule 7: an operation is sent off only when there was room for it two cycles before, at the latest
//         with the first word of the next.
// Assumed: writes are done after they are sent off; keys come as their lengths say; the output of
// runs stays ready until it gets one.
`include "wc_assert.svh"
`default_nettype none

module wc_index_ccu_fv #(
  parameter int unsigned InFlight      = 2,
  parameter int unsigned MaxBucketBits = 1,
  parameter int unsigned MaxKey        = 16,
  parameter int unsigned Most          = 10
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic                     hold_i,
  input wire logic                     hashed_valid_i,
  input wire wc_pkg::op_e              op_i,
  input wire wc_pkg::key_len_t         key_len_i,
  input wire logic [MaxBucketBits-1:0] bucket_i,
  input wire logic [1:0]               mark_i,  // to know an operation again
  input wire logic                     key_valid_i,
  input wire logic [2:0]               word_i,  // the bits that make words differ
  input wire logic                     word_ready_i,
  input wire logic                     run_ready_i,
  input wire logic                     issue_ready_i,
  input wire logic                     done_i
);

  import wc_pkg::*;
  import wc_index_pkg::*;
  import wc_policy_pkg::*;

  localparam int unsigned BucketLines = bucket_lines(MaxKey);
  localparam int unsigned Words = (MaxKey + 7) / 8;
  localparam int unsigned IdWidth = $clog2(InFlight);
  localparam int unsigned BaseLine = 5;

  typedef logic [MaxBucketBits-1:0] bucket_t;
  typedef logic [IdWidth-1:0] place_t;
  typedef logic [IdWidth:0] level_t;

  typedef struct packed {
    op_e op;
    bucket_t bucket;
    key_len_t key_len;
    logic [1:0] mark;
  } item_t;

  // ---- the cell ---------------------------------------------------------------------------------
  logic hashed_ready, key_ready, word_valid, run_valid, issue, empty, stall, forwarded;
  hashed_t hashed;
  index_settings_t settings;
  beat_t key, word;
  line_t run_line, first;
  count_t run_count;
  probe_t probe;
  context_t ctx;

  always_comb begin
    settings = '0;
    settings.base_line = BaseLine;
    settings.bucket_bits = 5'(MaxBucketBits);
    hashed = '0;
    hashed.request.op.op = op_i;
    hashed.request.op.key_len = key_len_i;
    hashed.request.op.opaque = 32'(mark_i);
    hashed.request.flags = 32'(mark_i);
    hashed.hash = 64'(bucket_i);
    key.data = {3'd0, word_i[2], 29'd0, word_i[1], 29'd0, word_i[0]};
  end

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_index_ccu #(
    .MaxKey       (MaxKey),
    .MaxBucketBits(MaxBucketBits),
    .InFlight     (InFlight)
  ) u_dut (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .settings_i    (settings),
    .hold_i        (hold_i),
    .hashed_valid_i(hashed_valid_i),
    .hashed_ready_o(hashed_ready),
    .hashed_i      (hashed),
    .key_valid_i   (key_valid_i),
    .key_ready_o   (key_ready),
    .key_i         (key),
    .word_valid_o  (word_valid),
    .word_ready_i  (word_ready_i),
    .word_o        (word),
    .run_valid_o   (run_valid),
    .run_ready_i   (run_ready_i),
    .run_line_o    (run_line),
    .run_count_o   (run_count),
    .issue_o       (issue),
    .issue_ready_i (issue_ready_i),
    .probe_o       (probe),
    .context_o     (ctx),
    .done_i        (done_i),
    .empty_o       (empty),
    .first_o       (first),
    .bucket_o      (),
    .retired_i     (1'b0),
    .stall_o       (stall),
    .forward_o     (forwarded)
  );

  // The run of an operation comes in the cycle before it.
  logic run_room_q, issue_room_q, issue_room_q2;
  logic run_q;
  line_t run_line_q;
  count_t run_count_q;

  always_ff @(posedge clk_i) begin
    run_room_q <= run_ready_i && !run_valid && !rst_i;
    issue_room_q <= issue_ready_i;
    issue_room_q2 <= issue_room_q;
    run_q <= run_valid && !rst_i;
    run_line_q <= run_line;
    run_count_q <= run_count;
  end

  `WC_ASSUME(run_room_stays, !run_room_q || run_ready_i)
  `WC_ASSUME(op_is_one, op_i <= OpGat)
  `WC_ASSUME(key_fits, 32'(key_len_i) <= MaxKey)

  // ---- the operations inside: the next to be sent off, and those behind it ----------------------
  // Words are the first's until it has all of them, then those of the one behind.
  item_t head_q, next_q, third_q;
  logic head_valid_q, next_valid_q, third_valid_q, issued_q;
  count_t passed_q, next_passed_q;  // words of theirs
  logic [Words-1:0][2:0] words_q, next_words_q;
  count_t words, next_words;  // that they have
  logic accept, pass, leave, is_write, is_memory, whole, next_is_write;

  assign accept = hashed_valid_i && hashed_ready;
  assign pass = key_valid_i && key_ready;
  assign words = count_t'((head_q.key_len + key_len_t'(7)) >> 3);
  assign whole = passed_q == words;
  assign next_words = count_t'((next_q.key_len + key_len_t'(7)) >> 3);
  assign next_is_write = effect_of(next_q.op).change != ChangeNone && next_q.key_len != '0;
  assign is_write = effect_of(head_q.op).change != ChangeNone && head_q.key_len != '0;
  assign is_memory = effect_of(head_q.op).need != NeedNoKey && head_q.key_len != '0;
  assign leave = head_valid_q && (issued_q || issue) && (whole || (pass && key.last));
  assign key.last = whole ? next_passed_q + 1'b1 == next_words : passed_q + 1'b1 == words;

  `WC_ASSUME(key_of_an_operation, !key_valid_i || (head_valid_q && !whole) ||
                                  (next_valid_q && next_passed_q != next_words))

  always_ff @(posedge clk_i) begin
    if (issue) issued_q <= 1'b1;
    if (pass && !whole) begin
      passed_q <= passed_q + 1'b1;
      words_q[passed_q[0]] <= word_i;
    end
    if (pass && whole) begin
      next_passed_q <= next_passed_q + 1'b1;
      next_words_q[next_passed_q[0]] <= word_i;
    end
    if (leave || !head_valid_q) begin
      head_q <= next_valid_q ? next_q : '{op_i, bucket_i, key_len_i, mark_i};
      head_valid_q <= next_valid_q || accept;
      next_q <= third_valid_q ? third_q : '{op_i, bucket_i, key_len_i, mark_i};
      next_valid_q <= third_valid_q || (next_valid_q && accept);
      third_q <= '{op_i, bucket_i, key_len_i, mark_i};
      third_valid_q <= third_valid_q && accept;
      issued_q <= 1'b0;
      passed_q <= next_passed_q + count_t'(pass && whole);
      words_q <= next_words_q;
      if (pass && whole) words_q[next_passed_q[0]] <= word_i;
      next_passed_q <= '0;
    end else if (accept && next_valid_q) begin
      third_q <= '{op_i, bucket_i, key_len_i, mark_i};
      third_valid_q <= 1'b1;
    end else if (accept) begin
      next_q <= '{op_i, bucket_i, key_len_i, mark_i};
      next_valid_q <= 1'b1;
    end
    if (rst_i) begin
      head_valid_q <= 1'b0;
      next_valid_q <= 1'b0;
      third_valid_q <= 1'b0;
      issued_q <= 1'b0;
      passed_q <= '0;
      next_passed_q <= '0;
    end
  end

  // ---- the last InFlight writes, by their places ------------------------------------------------
  bucket_t bucket_q[InFlight];
  key_len_t key_len_q[InFlight];
  logic [Words-1:0][2:0] key_q[InFlight];
  place_t place_q;  // of the next write
  level_t level_q, known_q;  // in flight; that have been since the reset
  place_t own, next_own, newest, at;
  logic any_newest, any_flying, same;

  assign own = issued_q ? place_q - 1'b1 : place_q;
  assign next_own = own + place_t'(is_write);

  always_comb begin
    any_flying = 1'b0;
    any_newest = 1'b0;
    newest = '0;
    for (int unsigned k = InFlight; k >= 1; k--) begin
      at = place_q - place_t'(k);
      if (level_t'(k) <= known_q && bucket_q[at] == head_q.bucket) begin
        any_newest = 1'b1;
        newest = at;
        any_flying = level_t'(k) <= level_q;
      end
    end
    same = key_len_q[newest] == head_q.key_len;
    for (int unsigned w = 0; w < Words; w++) begin
      if (count_t'(w) < words && key_q[newest][w] != words_q[w]) same = 1'b0;
    end
  end

  `WC_ASSUME(done_when_sent, !done_i || level_q != '0)

  always_ff @(posedge clk_i) begin
    if (issue && is_write) begin
      bucket_q[place_q] <= head_q.bucket;
      key_len_q[place_q] <= head_q.key_len;
      place_q <= place_q + 1'b1;
      if (known_q != level_t'(InFlight)) known_q <= known_q + 1'b1;
    end
    if (pass && !whole && is_write) key_q[own][passed_q[0]] <= word_i;
    if (pass && whole && next_is_write) key_q[next_own][next_passed_q[0]] <= word_i;
    level_q <= level_q + level_t'(issue && is_write) - level_t'(done_i);
    if (rst_i) begin
      place_q <= '0;
      level_q <= '0;
      known_q <= '0;
    end
  end

  // ---- rules 1 to 4 -----------------------------------------------------------------------------
  logic told;
  assign told = issue && probe.forward != ForwardNone;

  `WC_ASSERT(none_passes, !(issue && is_memory && any_flying) || told)
  `WC_ASSERT(newest_is, !told || (any_newest && probe.prior == id_t'(newest)))
  `WC_ASSERT(known_when_told, !told || (is_memory && whole))
  `WC_ASSERT(same_is, !told || (probe.forward == ForwardSame) == same)
  `WC_ASSERT(other_is, !told || probe.forward inside {ForwardSame, ForwardOther})
  `WC_ASSERT(only_gets, !(told && probe.forward == ForwardOther) || head_q.op == OpGet)
  `WC_ASSERT(room, !(issue && is_write) || level_q != level_t'(InFlight))
  `WC_ASSERT(not_taken, !(told && is_write) || newest != place_q)

  // ---- rule 5 -----------------------------------------------------------------------------------
  logic conflict, excused;
  logic [4:0] waited_q;

  assign conflict = is_write && !issued_q &&
                    ((any_flying && whole && !same) || level_q == level_t'(InFlight));
  assign excused = hold_i || !run_ready_i || !issue_ready_i || !word_ready_i || conflict ||
                   (!whole && !key_valid_i);

  always_ff @(posedge clk_i) begin
    if (!head_valid_q || leave) waited_q <= '0;
    else if (!excused) waited_q <= waited_q + 1'b1;
    if (rst_i) waited_q <= '0;
  end

  `WC_ASSERT(not_for_ever, 32'(waited_q) < Most)
  `WC_ASSERT(taken_when_empty, head_valid_q || hashed_ready)

  // ---- rule 6 -----------------------------------------------------------------------------------
  `WC_ASSERT(once, !issue || (head_valid_q && !issued_q))
  `WC_ASSERT(two_at_most, !third_valid_q || leave)
  `WC_ASSERT(in_order, !issue || (probe.op == head_q.op && probe.key_len == head_q.key_len &&
                                  probe.wish.flags == 32'(head_q.mark) &&
                                  ctx.op.opaque == 32'(head_q.mark)))
  `WC_ASSERT(kind_is, !issue || (probe.memory == is_memory && ctx.words == words &&
                                 probe.keyless == (head_q.key_len == '0)))
  `WC_ASSERT(run_when_memory, run_q == (issue && is_memory))
  `WC_ASSERT(run_is, !run_q || (run_count_q == words + count_t'(HeaderLines) &&
             run_line_q == ctx.line - line_t'(words)))
  `WC_ASSERT(line_is, !run_q || ctx.line == line_t'(BaseLine + BucketLines - HeaderLines) +
                                                line_t'(head_q.bucket) * line_t'(BucketLines))
  `WC_ASSERT(words_pass, (word_valid && word_ready_i) == pass)
  `WC_ASSERT(words_are, !word_valid || word == key)

  // ---- rule 7 -----------------------------------------------------------------------------------
  `WC_ASSERT(had_room, !issue || issue_room_q2)
  `WC_ASSERT(words_in_turn, !(pass && whole) || issue)

  logic unused;
  assign unused = ^{empty, first, stall, forwarded};

  `WC_COVER(same_forwarded, told && probe.forward == ForwardSame && head_q.op == OpSet)
  `WC_COVER(other_forwarded, told && probe.forward == ForwardOther && any_flying)
  `WC_COVER(held_back, conflict && stall && level_q == level_t'(1))
  `WC_COVER(held_and_gone, issue && is_write && $past(stall) && !told)

endmodule

`default_nettype wire
