// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_finish: what becomes of a verdict. One operation is followed, any one.
// Rule 1: its result leaves once, in order, and is the verdict's with the operation's own fields.
//         It leaves only two cycles after there was room, and never right behind another.
// Rule 2: its key words are taken once, in order; with key_words they leave as they are taken.
// Rule 3: the lines of a verdict that stores are the key words if the key is new, and the header,
//         in the verdict's slot alone, which gets its pointer; with the first header line the slots
//         it frees, and no others, get zeros. A verdict that only frees has that one line, without
//         the slot; another has none. Each line leaves once, in order.
// Rule 4: a verdict that writes has one run, of exactly those lines, from the right one; the last
//         of the run and the last of a page are marked.
// Rule 5: a SET, DELETE, TOUCH or GAT is reported as decided once, in order, with whether it
//         writes.
// Rule 6: an operation is through once, in order, when its words and lines were handed on.
// Rule 7: a run and a key word that are offered hold until taken. If nothing outside is to blame,
//         something happens at least every three cycles until all is through.
// Rule 8: an operation that read a line in error is reported as unread once, in order, with the
//         first header line of its bucket. A run that is offered names this line of its bucket too.
// Assumed: only one of these with a key writes, it does not free the slot it stores to, and one
// that read a line in error writes nothing (proved of wc_index_decide); a key has the words its
// operation says; line_ready_i stays high until a line comes (wc_slice_fv).
`include "wc_assert.svh"
`default_nettype none

module wc_index_finish_fv
  import wc_pkg::*;
  import wc_index_pkg::*;
  import wc_policy_pkg::*;
#(
  parameter int unsigned Slots = 2
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             pick_i,  // free: follow the operation that is taken
  // the next operation and what was decided
  input wire logic             verdict_valid_i,
  input wire logic             context_valid_i,
  input wire op_e              op_i,
  input wire logic             keyed_i,
  input wire logic             key_words_i,
  input wire logic             two_words_i,
  input wire logic [3:0]       line_i,       // around the end of a page
  input wire status_e          status_i,
  input wire write_e           write_i,
  input wire logic             slot_i,
  input wire logic [Slots-1:0] freed_i,
  input wire logic [3:0]       pointer_i,
  input wire logic             value_len_i,
  input wire logic             flags_i,
  input wire logic             expiry_i,
  input wire logic             cas_i,
  input wire logic             unread_i,
  // words
  input wire logic             word_valid_i,
  input wire logic             word_i,
  // what may stall
  input wire logic             room_i,
  input wire logic             key_ready_i,
  input wire logic             run_ready_i,
  input wire logic             line_ready_i
);

  localparam int unsigned InPage = 12 - $clog2(8 * Slots);
  localparam int unsigned Jobs = 2;  // one in work, one next
  typedef logic [4:0] many_t;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  verdict_t verdict;
  context_t operation;
  beat_t word, key;
  result_t result;
  logic verdict_ready, context_ready, word_ready;
  logic result_valid, key_valid, run_valid, line_valid, line_last;
  wc_index_pkg::line_t run_line, run_bucket, unread_line;
  count_t run_count;
  word_t line;
  logic [Slots-1:0] line_slots, line_zeros;
  logic decided, decided_writes, through, unread;
  wc_index_pkg::line_t at;
  count_t words;
  logic word_last;

  assign at = wc_index_pkg::line_t'(2 ** InPage - 8) + wc_index_pkg::line_t'(line_i);
  assign words = two_words_i ? count_t'(2) : count_t'(1);
  assign word = '{data: word_t'(word_i), last: word_last};

  always_comb begin
    operation = '0;
    operation.op.op = op_i;
    operation.op.key_words = key_words_i;
    operation.op.key_len = keyed_i ? key_len_t'(words) << 3 : '0;
    operation.words = words;
    operation.line = at;
    verdict = '{
        status: status_i,
        unread: unread_i,
        write: write_i,
        slot: slot_t'(slot_i),
        freed: slots_t'(freed_i),
        value_len: value_len_t'(value_len_i),
        flags: 32'(flags_i),
        expiry: seconds_t'(expiry_i),
        cas: cas_t'(cas_i),
        pointer: '{size_class: pointer_i[3:2], line: 30'(pointer_i[1:0])}
    };
  end

  wc_index_finish #(
    .Slots(Slots)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .verdict_valid_i (verdict_valid_i),
    .verdict_ready_o (verdict_ready),
    .verdict_i       (verdict),
    .context_valid_i (context_valid_i),
    .context_ready_o (context_ready),
    .context_i       (operation),
    .word_valid_i    (word_valid_i),
    .word_ready_o    (word_ready),
    .word_i          (word),
    .result_valid_o  (result_valid),
    .result_room_i   (room_i),
    .result_o        (result),
    .key_valid_o     (key_valid),
    .key_ready_i     (key_ready_i),
    .key_o           (key),
    .run_valid_o     (run_valid),
    .run_ready_i     (run_ready_i),
    .run_line_o      (run_line),
    .run_count_o     (run_count),
    .run_bucket_o    (run_bucket),
    .line_valid_o    (line_valid),
    .line_ready_i    (line_ready_i),
    .line_o          (line),
    .line_slots_o    (line_slots),
    .line_zeros_o    (line_zeros),
    .line_last_o     (line_last),
    .decided_o       (decided),
    .decided_writes_o(decided_writes),
    .done_o          (through),
    .unread_o        (unread),
    .unread_line_o   (unread_line)
  );

  logic load, take, ordered, stores, item;

  assign load = verdict_valid_i && verdict_ready;
  assign take = word_valid_i && word_ready;
  assign ordered = keyed_i && effect_of(op_i).change != ChangeNone;
  assign stores = write_i inside {WriteHeader, WriteItem};
  assign item = write_i == WriteItem;

  `WC_ASSUME(a_kind_of_operation, op_i <= OpGat)
  `WC_ASSUME(only_ordered_write, !load || write_i == WriteNone || ordered)
  `WC_ASSUME(stored_is_not_freed, !load || !stores || !freed_i[slot_i])
  `WC_ASSUME(unread_writes_nothing, !load || !unread_i || write_i == WriteNone)

  `WC_ASSERT(taken_together, load == (context_valid_i && context_ready))

  // ---- what operations owe, by kind: one count of all, one of all up to the followed one ---------
  localparam int unsigned Result  = 0;
  localparam int unsigned Line    = 1;
  localparam int unsigned Run     = 2;
  localparam int unsigned Decided = 3;
  localparam int unsigned Through = 4;
  localparam int unsigned Unread  = 5;
  localparam int unsigned Kinds   = 6;

  many_t [Kinds-1:0] owes, owed_q, until_q, mine_q;
  logic [Kinds-1:0] went, turn;
  logic follow, followed_q;
  many_t lines;
  wc_index_pkg::line_t first;

  assign lines = stores ? many_t'(HeaderLines) + (item ? many_t'(words) : '0)
                        : many_t'(write_i == WriteFree);
  assign first = at - (item ? wc_index_pkg::line_t'(words) : '0);
  assign follow = load && pick_i && !followed_q;

  always_comb begin
    owes = '0;
    if (load) begin
      owes[Result] = 1;
      owes[Line] = lines;
      owes[Run] = many_t'(write_i != WriteNone);
      owes[Decided] = many_t'(ordered);
      owes[Through] = 1;
      owes[Unread] = many_t'(unread_i);
    end
    went[Result] = result_valid;
    went[Line] = line_valid && line_ready_i;
    went[Run] = run_valid && run_ready_i;
    went[Decided] = decided;
    went[Through] = through;
    went[Unread] = unread;
    for (int unsigned i = 0; i < Kinds; i++) begin
      turn[i] = until_q[i] != '0 && until_q[i] <= mine_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (follow) followed_q <= 1'b1;
    for (int unsigned i = 0; i < Kinds; i++) begin
      owed_q[i] <= owed_q[i] + owes[i] - many_t'(went[i]);
      if (follow) begin
        mine_q[i] <= owes[i];
        until_q[i] <= owed_q[i] + owes[i] - many_t'(went[i]);
      end else if (went[i] && until_q[i] != '0) begin
        until_q[i] <= until_q[i] - 1'b1;
      end
    end
    if (rst_i) begin
      followed_q <= 1'b0;
      owed_q <= '0;
      until_q <= '0;
      mine_q <= '0;
    end
  end

  for (genvar i = 0; i < Kinds; i++) begin : gen_kind
    `WC_ASSERT(not_made_up, !went[i] || owed_q[i] != '0)
  end

  // ---- the followed operation -------------------------------------------------------------------
  context_t operation_q;
  verdict_t verdict_q;
  wc_index_pkg::line_t first_q;
  logic stores_q, item_q;

  always_ff @(posedge clk_i) begin
    if (follow) begin
      operation_q <= operation;
      verdict_q <= verdict;
      first_q <= first;
      stores_q <= stores;
      item_q <= item;
    end
  end

  // ---- words ------------------------------------------------------------------------------------
  typedef struct packed {
    logic [1:0] left;  // 0: none
    logic       key_words;
    logic       mine;
  } coming_t;

  coming_t [Jobs-1:0] coming_q, coming;  // of operations whose words have not all been taken
  logic placed, word_mine;

  assign word_last = coming_q[0].left == 2'd1;
  assign word_mine = take && coming_q[0].mine;

  always_comb begin
    coming = coming_q;
    if (take) begin
      if (word_last) coming = coming >> $bits(coming_t);
      else coming[0].left = coming[0].left - 1'b1;
    end
    placed = !load || !keyed_i;
    for (int unsigned i = 0; i < Jobs; i++) begin
      if (!placed && coming[i].left == '0) begin
        coming[i] = '{left: 2'(words), key_words: key_words_i, mine: follow};
        placed = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    coming_q <= coming;
    if (rst_i) coming_q <= '0;
  end

  `WC_ASSUME(word_stays, $past(rst_i || !word_valid_i || word_ready) ||
             (word_valid_i && word_i == $past(word_i)))

  `WC_ASSUME(line_ready_stays, $past(rst_i || !line_ready_i || line_valid) || line_ready_i)

  `WC_ASSERT(jobs_bounded, placed)
  `WC_ASSERT(word_is_due, !take || coming_q[0].left != '0)
  `WC_ASSERT(key_as_taken, (key_valid && key_ready_i) == (take && coming_q[0].key_words))
  `WC_ASSERT(key_is_word, !key_valid || key == word)
  `WC_ASSERT_STREAM(key, key_valid, key_ready_i, key)

  // ---- its result -------------------------------------------------------------------------------
  result_t expected;

  always_comb begin
    expected = '{op: operation_q.op, value_len: verdict_q.value_len, flags: verdict_q.flags,
                 ttl: '0, unused: '0, cas: verdict_q.cas, marks: '0, wins: 1'b0,
                 pointer: verdict_q.pointer, hit: 1'b0, one_line: 1'b0};
    if (operation_q.op.op != OpNone) expected.op.status = verdict_q.status;
  end

  `WC_ASSERT(result_is, !(result_valid && turn[Result]) || result == expected)
  `WC_ASSERT(result_had_room, !result_valid || ($past(!rst_i) && $past(room_i, 2)))
  `WC_ASSERT(results_apart, !result_valid || !$past(result_valid))

  // ---- its lines --------------------------------------------------------------------------------
  many_t number;  // of the line
  many_t header;  // of the header's first
  word_t data;
  logic line_mine;

  assign number = mine_q[Line] - until_q[Line];
  assign header = item_q ? many_t'(operation_q.words) : '0;
  assign line_mine = line_valid && turn[Line];

  always_comb begin
    unique case (number - header)
      5'd0: data = {1'b1, 2'b0, operation_q.op.key_len,
                    wc_index_pkg::slot_len_t'(verdict_q.value_len), verdict_q.pointer};
      5'd1: data = {verdict_q.flags, verdict_q.expiry};
      5'd2: data = verdict_q.cas;
      default: data = word.data;
    endcase
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    logic store, free;

    assign store = stores_q && verdict_q.slot == slot_t'(i);
    assign free = number == header && verdict_q.freed[i];
    `WC_ASSERT(stripe_is, !line_mine || line_slots[i] == store)
    `WC_ASSERT(zeros_are, !line_mine || line_zeros[i] == free)
  end

  `WC_ASSERT(data_is, !line_mine || !stores_q || line == data)
  `WC_ASSERT(word_goes_once, !line_mine || number >= header || !line_ready_i || word_mine)
  `WC_ASSERT(last_is, !line_mine || line_last == (until_q[Line] == 1 ||
             (first_q[InPage-1:0] + InPage'(number)) == '1))

  // ---- its run; decided, through ----------------------------------------------------------------
  `WC_ASSERT(run_is, !(run_valid && turn[Run]) ||
             (run_line == first_q && run_count == count_t'(mine_q[Line]) &&
              run_bucket == operation_q.line))
  `WC_ASSERT_STREAM(run, run_valid, run_ready_i, {run_line, run_count, run_bucket})
  `WC_ASSERT(unread_is, !(unread && turn[Unread]) || unread_line == operation_q.line)
  `WC_ASSERT(decided_is, !(decided && turn[Decided]) || decided_writes == (mine_q[Run] != '0))
  `WC_ASSERT(through_is_last, !(through && turn[Through]) ||
             (until_q[Line] == many_t'(went[Line] && turn[Line]) &&
              !coming[0].mine && !coming[1].mine))
  `WC_ASSERT(through_at_once, !followed_q || turn[Result] || turn[Line] || coming_q[0].mine ||
             coming_q[1].mine || !turn[Through])

  // ---- nothing waits for long -------------------------------------------------------------------
  logic blame;
  logic [2:0] still_q;

  assign blame = !room_i || (key_valid && !key_ready_i) || (run_valid && !run_ready_i) ||
                 !line_ready_i || (coming_q[0].left != '0 && !word_valid_i);

  always_ff @(posedge clk_i) begin
    still_q <= still_q + 1'b1;
    if (owed_q == '0 || went != '0 || load || take || blame) still_q <= '0;
    if (rst_i) still_q <= '0;
  end

  `WC_ASSERT(no_standstill, still_q < 3'd3)
  `WC_ASSERT(idle_takes, owed_q != '0 || !verdict_valid_i || !context_valid_i || load)

  `WC_COVER(over_the_page, line_mine && item_q && until_q[Line] == 1 && first_q[2:0] == 3'd7)
  `WC_COVER(stored_and_freed, line_mine && stores_q && verdict_q.freed != '0 && number == header)
  `WC_COVER(behind_a_store, through && turn[Through] && until_q[Line] == 1 && $past(decided, 6))
  `WC_COVER(unread_in_turn, unread && turn[Unread] && $past(decided && decided_writes, 2))
  `WC_COVER(key_stalls_line, went[Line] && turn[Line] && $past(key_valid && !key_ready_i, 2))

endmodule

`default_nettype wire
