// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_decide, of what becomes of an operation: it is what the policy says. The index of
// blocks has the same proof (wc_index_policy_fv), so both have one policy.
// Long because each rule names all that an answer, a job and a settle have.
// Rule 1: the answer has the policy's status, for what the item and the operation say; a SET that
//         is to store without a place has StTooLarge. An operation without a key keeps its own.
// Rule 2: the result is a hit if the policy lets the item into the answer, and no other is. Then
//         nobody has left the item's segment yet; else who entered it leaves it.
// Rule 3: a job that is late is stored if the policy says so, and no other is; likewise a patch is
//         written, with flags and length of the item. An operation that counts gives the number of
//         the item that it has, or else its own, to its answer and to its job, whose flags and
//         expiry are those of the item if it has one, but for the expiry that touches where the value
//         gets no longer. An answer
//         tells the seconds of the item that is now, or with `earlier` was; a meta command's is not
//         quiet that creates an item.
//         An operation that joins says whose value to read, and whether its own goes in front; its
//         job has flags and expiry of the item. Its segment is left by who reads the value, not here.
//         Where an item's time of last use is told anew, a verdict of its own follows a cycle later:
//         written if the item is the one, with its flags.
// Rule 4: a bucket that was held is told to store if the policy says so and there is a place; its
//         item is removed if the policy says so, or if there is none. It waits for the patch if the
//         policy says that the item is touched.
//         A new item has no marks, but with I over one of a higher number, whose expiry it gets: it
//         is stale, and won as that was. A number keeps all of them if its value gets no longer. An
//         item that is marked is stale and not won, has a new number, and keeps what is asked for.
//         An empty one that a DELETE stores has no marks and the number that was there; with I it is
//         stale, and has a new one. What is stored or marked has the number that is given, if one is.
//         The answer tells the marks that were, and that a stale item is won by an `mg`.
//         What tells of an item gives its flags, length, number and place, or if it creates one those
//         of an empty item. That is won, as the answer tells, and was read but with u.
// Rule 5: of operations that follow one that counts the item is there without beats. Their slot is that of
//         the one before, or the first one if that one has stored an item: what is told to store is told in
//         which slot the item before is.
// An item that the operation's key has: memory told it, its key is the same, it has not expired, and
// its CAS number is above the floor, which is 0 here, or was given, and no flush has come:
// wc_item_cas_fv has the flush.
// Assumed: operations are two cycles apart, as the comparison takes no less; a SET whose number is
// to be compared is late if it has a place, and only SETs with a place are, and what counts; numbers
// rise.
`include "wc_assert.svh"
`default_nettype none

module wc_item_policy_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_item_pkg::*;
(
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       done_i,
  input wire op_e        op_i,
  input wire status_e    status_i,
  input wire logic       asks_i,
  input wire logic       lines_i,
  input wire logic       follows_i,  // the last operation that counted
  input wire slot_number_t slot_i,
  input wire logic       one_line_i,
  input wire logic       unreadable_i,
  input wire logic       placed_i,
  input wire logic       late_i,
  input wire logic [1:0] flags_i,   // of the item
  input wire logic [1:0] length_i,  // of its value
  input wire logic [1:0] used_i,    // seconds since its last use
  input wire logic       bumps_i,
  input wire logic       held_i,
  input wire logic       same_length_i,
  input wire logic       unexpired_i,
  input wire logic [1:0] number_i,  // of the item: two of them may be the one that is asked for
  input wire logic [1:0] asked_i,
  input wire logic       error_i,
  input wire logic       same_i,
  input wire logic       compares_i,
  input wire logic       creates_i,
  input wire logic       touches_i,
  input wire logic       earlier_i,
  input wire logic [1:0] expiry_i,
  input wire logic       meta_i,
  input wire logic       quiet_i,
  input wire logic       binary_i,
  input wire count_t     counted_i,
  input wire number_t    start_i,
  input wire logic [2:0] near_i,   // length of a value that is joined: about as long as it may be
  input wire logic       kept_i,
  input wire logic       stale_i,
  input wire logic       clears_i,
  input wire logic       gives_i,
  input wire logic [1:0] given_i,
  input wire logic [1:0] origin_i,  // of the item's number: it was given, a flush has met it
  input wire marks_t     marks_i,
  input wire logic       recaches_i,
  input wire logic       renewed_i,
  input wire logic       idle_i
);

  // What an operation is, from the cycle behind done_i on.
  typedef struct packed {
    logic same_length;
    logic unexpired;
    logic [1:0] number;
    logic [1:0] flags;
    logic [1:0] length;
    logic [1:0] used;
    logic error;
    logic same;
    logic [1:0] origin;
    count_t counted;
  } said_t;

  // As a header has it.
  function automatic wc_log_pkg::origin_t origin_of(logic [1:0] said);
    return '{given: said[0], flushes: wc_log_pkg::flushes_t'(said[1])};
  endfunction

  compare_t work, work_q;
  said_t said_q;
  cas_t count_q;  // operations: the number of each
  logic busy_q;   // the cycle behind done_i

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  effect_t begun;
  logic follows;
  logic counted_q;  // there is one to follow
  assign begun = effect_with(op_i, stale_i, clears_i, creates_i && meta_i);
  assign follows = follows_i && counted_q && begun.change == ChangeNumber && held_i && late_i
                   && asks_i;

  always_comb begin
    work = '0;
    work.op.op = op_i;
    work.op.status = status_i;
    work.op.binary = binary_i;
    work.op.meta = meta_i;
    work.op.quiet = quiet_i;
    work.asks = asks_i;
    work.counts = begun.change == ChangeNumber;
    work.compares = asks_i && (!(work.counts || begun.change == ChangeJoin) || compares_i);
    work.creates = (work.counts && creates_i && !follows) || begun.change == ChangeFill;
    work.idle = idle_i;
    work.start = start_i;
    work.touches = (work.counts || begun.change == ChangeMark) && touches_i;
    work.stale = stale_i;
    work.clears = clears_i && op_i == OpDelete;
    work.gives = gives_i && begun.need != NeedNoKey;
    work.given = {given_i, 62'b0};  // above all that are drawn
    work.marks = marks_i;
    work.recaches = tells_of(begun) && recaches_i;
    work.renewed = renewed_i;
    if (work.recaches) work.delta = start_i;
    work.earlier = (work.counts || begun.change inside {ChangeExpiry, ChangeFill}) && earlier_i;
    work.expiry = seconds_t'(expiry_i);
    work.joins = begun.change == ChangeJoin;
    if (work.joins) begin
      work.op.key_len = 8'd1;
      work.value_len = value_len_t'(MaxValueBytes - ItemBytes - 7) + value_len_t'(near_i);
      work.delta = start_i;
    end
    work.cas = cas_t'(asked_i);
    if ((begun.change == ChangeItem && (!asks_i || (op_i == OpAdd && !late_i)))
        || (begun.change == ChangeFill && !late_i)) begin
      work.cas = count_q;
    end
    work.beats = key_beats_t'(lines_i && !follows);
    work.has_beats = lines_i && !follows;
    work.follows = follows;
    work.slot = slot_i;
    work.one_line = one_line_i;
    work.unreadable = unreadable_i;
    work.placed = placed_i;
    work.late = late_i;
    work.patches = patches_of(begun) && lines_i;
    work.bumps = bumps_i && tells_of(begun) && lines_i;
    work.held = held_i;
  end

  `WC_ASSUME(apart, !(done_i && busy_q))
  // An ADD or a REPLACE asks. What asks and has a place is late, but an ADD, or a GET that creates,
  // without an item to ask.
  `WC_ASSUME(kinds, !done_i || op_i inside {OpNone, OpGet, OpSet, OpDelete, OpAdd, OpReplace,
                                             OpTouch, OpGat, OpIncr, OpDecr, OpRefuse, OpAppend,
                                             OpPrepend, OpLook})
  `WC_ASSUME(they_ask, !done_i || asks_i || !asks_of(begun, 1'b0, work.recaches))
  `WC_ASSUME(late_set, !done_i || !late_i
             || (stores_of(begun) && placed_i) || begun.change == ChangeMark)
  `WC_ASSUME(giving_is_late, !done_i || late_i || !gives_i || !placed_i || !stores_of(begun))
  `WC_ASSUME(mark_is_late, !done_i || begun.change != ChangeMark || late_i == lines_i)
  `WC_ASSUME(touched_is_held, !done_i || held_i || !patches_of(begun) || !lines_i)
  `WC_ASSUME(asking_is_late, !done_i || late_i || !asks_i || !placed_i
             || !stores_of(begun)
             || ((op_i == OpAdd || begun.change == ChangeFill) && lines_i == '0))

  always_ff @(posedge clk_i) begin
    busy_q <= done_i;
    if (done_i) begin
      work_q <= work;
      said_q <= '{same_length: same_length_i, unexpired: unexpired_i, number: number_i,
                  flags: flags_i, length: length_i, used: used_i, error: error_i, same: same_i,
                  origin: origin_i, counted: counted_i};
      count_q <= count_q + 1'b1;
      if (work.counts) counted_q <= 1'b1;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      counted_q <= 1'b0;
      count_q <= cas_t'(1);
    end
  end

  // What is told at once waits a cycle for what is told late.
  logic result_now, verdict_now, settle_now;
  logic result_valid, verdict_valid, settle_valid, leave_valid;
  result_t told, result;
  wc_log_pkg::verdict_t verdict_told, verdict;
  settle_t settle_told, settle;
  index_events_t events;
  logic touches_now, touches;
  logic bump_now, bump_valid, bumps_now, bumps;
  logic counted_now, counted_valid;
  counted_t counted_told, counted;
  logic joined_now, joined_valid;
  joined_t joined_told, joined;

  always_ff @(posedge clk_i) begin
    {result_valid, settle_valid} <= {result_now, settle_now};
    verdict_valid <= verdict_now && !bump_now;
    bump_valid <= bump_now;
    bumps <= bumps_now;
    result <= told;
    verdict <= verdict_told;
    settle <= settle_told;
    touches <= touches_now;
    counted_valid <= counted_now;
    counted <= counted_told;
    joined_valid <= joined_now;
    joined <= joined_told;
    if (rst_i) begin
      {result_valid, verdict_valid, settle_valid, counted_valid, joined_valid} <= '0;
      bump_valid <= 1'b0;
    end
  end

  wc_item_decide u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         ('0),
    .most_bytes_i   (value_len_t'(MaxValueBytes)),
    .done_i         (done_i),
    .work_i         (work),
    .facts_i        ('{same_length: said_q.same_length, unexpired: said_q.unexpired,
                       number: said_q.length[0],
                       value_len: value_len_t'(said_q.length), flags: 32'(said_q.flags),
                       expiry: seconds_t'(said_q.flags),
                       encoded: said_q.length[1],
                       cas: cas_t'(said_q.number),
                       origin: origin_of(said_q.origin),
                       used: -seconds_t'(said_q.used)}),
    .error_i        (said_q.error),
    .same_i         (said_q.same),
    .count_i        (said_q.counted),
    .number_i       (count_q - 1'b1),
    .draw_o         (),
    .decided_o      (),
    .floor_o        (),
    .flushes_o      (),
    .kept_i         (kept_i),
    .result_valid_o (result_now),
    .result_o       (told),
    .verdict_valid_o(verdict_now),
    .verdict_o      (verdict_told),
    .counted_valid_o(counted_now),
    .counted_o      (counted_told),
    .joined_valid_o (joined_now),
    .joined_o       (joined_told),
    .settle_valid_o (settle_now),
    .settle_o       (settle_told),
    .touches_o      (touches_now),
    .bump_valid_o   (bump_now),
    .bumps_o        (bumps_now),
    .bump_segment_o (),
    .leave_valid_o  (leave_valid),
    .leave_segment_o(),
    .events_o       (events),
    .alias_o        ()
  );

  // ---- what the policy says ---------------------------------------------------------------------
  logic [2:0] valid_q;
  decision_t [1:0] decision_q;
  compare_t work_q2, work_q3;
  said_t said_q2, said_q3;
  logic kept_q, kept_q2, kept_q3;  // with done_i: a line went on
  decision_t decision, wanted;
  effect_t effect, effect_3;
  logic some, item, unread, hit;
  slot_number_t slot, slot_q;
  logic keyed;
  logic [1:0] hit_q, lower_q;
  logic lower;  // over an item of a higher number it stores a stale one
  logic marked;
  logic emptied;       // what it stores has the number of the item that was there
  logic fills, fresh;  // it creates an item that is not there; tells of that
  logic soon;          // the item expires, or will, before the time that is asked for
  seconds_t lives;
  number_t number;  // that it makes

  assign effect = effect_with(work_q.op.op, work_q.stale, work_q.clears,
                              work_q.creates && work_q.op.meta);
  assign lower = work_q.stale && work_q.op.op == OpSet && work_q.compares
                 && work_q.cas < cas_t'(said_q.number);
  assign some = work_q.beats != '0 || work_q.follows;
  assign item = some && !said_q.error;
  assign hit = item && said_q.same_length && said_q.same && said_q.unexpired
               && (said_q.origin[0] ? !said_q.origin[1] : said_q.number != '0);
  // A plain SET with a place needs no item.
  assign unread = (work_q.unreadable && !(work_q.placed && !work_q.asks))
                  || (some && said_q.error);
  // An item with joined values is no larger than memcached's may be.
  logic fits;
  assign fits = work_q.placed && 32'(work_q.value_len) + 32'(work_q.op.key_len)
                <= 32'(MaxValueBytes - ItemBytes)
                   - (said_q.flags != '0 ? 32'(ItemFlagBytes) : '0);

  // What counts asks for the number of a value that may be one.
  assign decision = decide(demand_of(effect, work_q.compares, work_q.creates, unread), hit,
                           cas_t'(said_q.number) == work_q.cas
                           || lower || (work_q.counts && said_q.length == '0),
                           said_q.counted.numeric, fits);

  always_ff @(posedge clk_i) begin
    valid_q <= {valid_q[1:0], done_i};
    decision_q <= {decision_q[0], decision};
    if (done_i) kept_q <= kept_i;
    kept_q2 <= kept_q;
    kept_q3 <= kept_q2;
    hit_q <= {hit_q[0], hit};
    lower_q <= {lower_q[0], lower};
    work_q2 <= work_q;
    work_q3 <= work_q2;
    said_q2 <= said_q;
    said_q3 <= said_q2;
    if (rst_i) valid_q <= '0;
  end

  assign slot = work_q3.follows ? slot_q : work_q3.slot;

  always_ff @(posedge clk_i) begin
    if (valid_q[2] && work_q3.counts) begin
      slot_q <= wanted.stores && work_q3.placed ? put_into(slot) : slot;
    end
  end

  assign wanted = decision_q[1];
  assign effect_3 = effect_with(work_q3.op.op, work_q3.stale, work_q3.clears,
                                work_q3.creates && work_q3.op.meta);
  assign emptied = work_q3.clears && !work_q3.stale && !work_q3.gives;
  assign fills = effect_3.change == ChangeFill;
  assign fresh = fills && !hit_q[1];
  assign lives = work_q3.renewed ? work_q3.expiry : seconds_t'(said_q3.flags);
  assign soon = work_q3.recaches && lives != '0 && lives < seconds_t'(work_q3.delta);
  assign marked = wanted.touches && effect_3.change == ChangeMark;
  assign keyed = effect_3.need != NeedNoKey;

  `WC_ASSERT(answered, result_valid == valid_q[2])
  `WC_ASSERT(status_is, !result_valid || result.op.status ==
             (!keyed ? work_q3.op.status :
              wanted.stores && !work_q3.placed ? StTooLarge : wanted.status))
  `WC_ASSERT(hit_is, !result_valid || (result.hit == wanted.reads
                                       && events.get_hit
                                          == (wanted.reads || (looks_of(effect_3) && hit_q[1])
                                              || (fills && wanted.stores && work_q3.placed))))
  `WC_ASSERT(line_is_told, !result_valid || result.one_line == kept_q3)
  `WC_ASSERT(leaves, leave_valid == (result_valid && work_q3.beats != '0 && !wanted.reads
                                     && !(work_q3.joins && wanted.stores)))
  `WC_ASSERT(joined_is, joined_valid == (result_valid && work_q3.joins)
             && (!joined_valid
                 || (joined.placed == work_q3.late && joined.stores == wanted.stores
                     && joined.value_len == work_q3.value_len
                     && (!joined.stores
                         || (joined.front == (work_q3.op.op == OpPrepend)
                             && joined.address == wc_log_pkg::address_t'(work_q3.delta)
                             && joined.key_len == work_q3.op.key_len
                             && joined.old_len == value_len_t'(said_q3.length))))))
  `WC_ASSERT(joined_keeps, !(verdict_valid && work_q3.joins && verdict.stores)
             || (verdict.keeps && verdict.flags == 32'(said_q3.flags)
                 && verdict.expiry == seconds_t'(said_q3.flags)))
  `WC_ASSERT(verdict_is, verdict_valid == (result_valid && (work_q3.late || work_q3.patches))
             && (!verdict_valid || verdict.stores == (wanted.stores || wanted.touches)))
  `WC_ASSERT(patch_is, !(verdict_valid && work_q3.patches)
             || (verdict.number == said_q3.length[0]
                 && verdict.value_len == wc_log_pkg::length_t'(said_q3.length)
                 && verdict.keeps == (hit_q[1] && effect_3.change == ChangeMark)
                 && (marked ? verdict.cas == result.cas
                     : !wanted.touches || verdict.cas == cas_t'(said_q3.number))
                 && (!marked || verdict.expiry == (work_q3.touches ? work_q3.expiry :
                                                   seconds_t'(said_q3.flags)))))
  // Of the operation before.
  logic bump_due_q, bump_hit_q, bump_settled_q;
  logic [1:0] bump_flags_q, bump_origin_q;
  logic bump_encoded_q;

  always_ff @(posedge clk_i) begin
    bump_due_q <= result_valid && work_q3.bumps && !rst_i;
    bump_hit_q <= hit_q[1];
    bump_flags_q <= said_q3.flags;
    bump_origin_q <= said_q3.origin;
    bump_encoded_q <= said_q3.length[1];
    bump_settled_q <= settle_valid;
  end

  `WC_ASSERT(bump_is, bump_valid == bump_due_q
             && (!bump_valid || (bumps == bump_hit_q && verdict.stores == bumps
                                 && verdict.flags == 32'(bump_flags_q)
                                 && verdict.origin == origin_of(bump_origin_q)
                                 && verdict.encoded == bump_encoded_q)))
  `WC_ASSERT(stale_keeps, !(verdict_valid && verdict.stores
                            && effect_3.change inside {ChangeItem, ChangeFill})
             || (verdict.keeps == (hit_q[1] && lower_q[1])
                 && (!verdict.keeps || verdict.expiry == seconds_t'(said_q3.flags))))
  `WC_ASSERT(marks_are, !result_valid || (result.marks == (fresh ? '0 : work_q3.marks)
             && (result.op.status != StOk || !tells_of(effect_3)
                 || result.wins == (work_q3.op.meta
                                    && (fresh || ((work_q3.marks.stale || soon)
                                                    && !work_q3.marks.won))))))
  `WC_ASSERT(told_is, !(result_valid && result.op.status == StOk && tells_of(effect_3))
             || (result.flags == (fresh ? '0 : 32'(said_q3.flags))
                 && result.unused == (fresh ? '0 : seconds_t'(said_q3.used))
                 && result.value_len == (fresh ? '0 : value_len_t'(said_q3.length))
                 && (fresh || result.cas == cas_t'(said_q3.number))
                 && (!fresh || work_q3.late || result.cas == work_q3.cas)
                 && (!fresh || !verdict_valid || cas_t'(verdict.cas) == result.cas)
                 && (!(fills && result.hit) || result.pointer == pointer_t'(work_q3.start))))

  // The key is shown as an item has it, of one that is there and stays; what is stored has the mark of
  // its request, or, where a number takes the place of one that is as long, of that.
  `WC_ASSERT(told_encoded_is, !result_valid || result.op.encoded ==
             (tells_of(effect_3) && hit_q[1] ? said_q3.length[1] : work_q3.op.encoded))
  `WC_ASSERT(kept_encoded_is, !(verdict_valid && !work_q3.patches) || verdict.encoded ==
             (work_q3.counts ? hit_q[1] && said_q3.length[1]
                               && said_q3.counted.length == 5'(said_q3.length)
                             : work_q3.op.encoded && effect_3.change == ChangeItem))

  assign number = hit_q[1] ? said_q3.counted.number : work_q3.start;
  `WC_ASSERT(number_is, !(result_valid && work_q3.counts && result.op.status == StOk)
             || (work_q3.op.binary || work_q3.op.meta ? {result.flags, result.pointer}
                                                      : result.cas) == number)
  // The seconds to live of an item that is touched, or counted; the clock stands at 0.
  logic renewed;
  seconds_t ends_at;
  assign renewed = (work_q3.touches || effect_3.change == ChangeExpiry) && !work_q3.earlier;
  assign ends_at = hit_q[1] ? (renewed ? work_q3.expiry : seconds_t'(said_q3.flags)) :
                 work_q3.earlier ? '0 : work_q3.expiry;
  `WC_ASSERT(ttl_is, !(result_valid && result.op.status == StOk
                       && (work_q3.counts || fills
                           || (work_q3.patches && effect_3.change == ChangeExpiry)))
             || result.ttl == (ends_at == '0 ? '1 : ends_at))
  `WC_ASSERT(quiet_is, !result_valid || result.op.quiet == (work_q3.op.quiet
             && !(work_q3.counts && work_q3.op.meta && !hit_q[1])))
  `WC_ASSERT(counted_is, counted_valid == (result_valid && work_q3.counts && work_q3.late)
             && (!counted_valid || !wanted.stores
                 || (counted.stores && counted.number == number
                     && result.value_len == value_len_t'(counted.digits)
                     && counted.digits == (hit_q[1] ? said_q3.counted.digits
                                                    : said_q3.counted.created_digits)
                     && counted.length == (hit_q[1] ? said_q3.counted.length
                                                    : said_q3.counted.created_digits)))
             && (!counted_valid || counted.stores == verdict.stores))
  logic in_place;  // a number takes the place of another one that is as long
  assign in_place = work_q3.counts && hit_q[1] && !said_q3.counted.grows;
  `WC_ASSERT(kept_is, !(verdict_valid && work_q3.counts && verdict.stores)
             || (verdict.number && verdict.value_len == wc_log_pkg::length_t'(counted.length)
                 && verdict.keeps == hit_q[1]
                 && (!verdict.keeps || (verdict.flags == 32'(said_q3.flags)
                                        && verdict.expiry == (work_q3.touches && in_place ?
                                                              work_q3.expiry :
                                                              seconds_t'(said_q3.flags))))))
  `WC_ASSERT(settle_is, settle_valid == (result_valid && work_q3.held)
             && (!settle_valid
                 || (touches == wanted.touches && settle.slot == slot
                     && settle.stores == (wanted.stores && work_q3.placed)
                     && settle.removes == (wanted.removes
                                           || (wanted.stores && !work_q3.placed)))))
  `WC_ASSERT(remark_is, !settle_valid || settle.remark ==
             (marked ? {3'b100, 3'b010} : settle.stores && lower_q[1] ? {3'b001, 3'b010} :
              settle.stores && work_q3.clears && work_q3.stale ? {3'b000, 3'b010} :
              settle.stores && fills ? {3'b000, !work_q3.idle, 2'b01} :
              settle.stores && !in_place ? {3'b000, 3'b000} :
              {3'b111, 2'b00, hit_q[1] && soon}))
  `WC_ASSERT(emptied_is, !(verdict_valid && verdict.stores && effect_3.change == ChangeItem)
             || cas_t'(verdict.cas) == (emptied ? cas_t'(said_q3.number) : result.cas))
  `WC_ASSERT(given_is, !(result_valid && work_q3.gives && (marked || (wanted.stores
                                                                      && work_q3.placed)))
             || (result.cas == work_q3.given || (work_q3.counts && !work_q3.op.binary
                                                 && !work_q3.op.meta)))
  `WC_ASSERT(origin_is, !(verdict_valid && verdict.stores)
             || (work_q3.patches && !(marked && work_q3.gives))
             || verdict.origin == (emptied && effect_3.change == ChangeItem
                                   ? origin_of(said_q3.origin) : origin_of({1'b0, work_q3.gives})))
  // A patch of all of the header.
  `WC_ASSERT(all_is, !(verdict_valid && marked && work_q3.gives)
             || (verdict.flags == 32'(said_q3.flags) && verdict.encoded == said_q3.length[1]
                 && verdict.cas == work_q3.given))
  `WC_ASSERT(event_is, !result_valid || (events.del_hit == (work_q3.op.op == OpDelete
                                            && (wanted.removes || (work_q3.clears
                                                                   && !work_q3.stale
                                                                   && wanted.stores
                                                                   && work_q3.placed)))
                                         && events.error == (work_q3.op.op == OpRefuse
                                            || (work_q3.op.op == OpNone
                                                && work_q3.op.status != StOk))
                                         && events.touch_hit == (wanted.touches && !marked)
                                         && (events.incr_hit || events.decr_hit)
                                            == (work_q3.counts && hit_q[1] && wanted.stores
                                                && work_q3.placed)))

  `WC_COVER(bumped, bump_valid && bumps && bump_settled_q)
  `WC_COVER(followed, settle_valid && work_q3.follows && settle.stores && slot_q != '0)
  `WC_COVER(reads, result_valid && wanted.reads)
  `WC_COVER(stores, settle_valid && wanted.stores && work_q3.late)
  `WC_COVER(refuses, result_valid && result.op.status == StTooLarge && wanted.removes)
  `WC_COVER(fills_late, settle_valid && settle.stores && fills && work_q3.beats != '0)
  `WC_COVER(fills_none, result_valid && fills && wanted.reads && work_q3.placed)
  `WC_COVER(fills_at_once, result_valid && fresh && wanted.stores && !work_q3.late)
  `WC_COVER(removes, settle_valid && wanted.removes && work_q3.asks)
  `WC_COVER(touched, settle_valid && wanted.touches && !marked)
  `WC_COVER(marks_item, settle_valid && marked && work_q3.touches)
  `WC_COVER(wins_soon, settle_valid && soon && work_q3.renewed && settle.remark.sets.won)
  `WC_COVER(empties, settle_valid && settle.stores && emptied && hit_q[1])
  `WC_COVER(empties_stale, settle_valid && settle.stores && work_q3.clears && work_q3.stale)
  `WC_COVER(stores_stale, settle_valid && settle.stores && lower_q[1])
  `WC_COVER(counts, counted_valid && counted.stores && hit_q[1])
  `WC_COVER(created, counted_valid && counted.stores && !hit_q[1] && work_q3.beats != '0)
  `WC_COVER(renews, counted_valid && counted.stores && hit_q[1] && work_q3.touches
                    && result.ttl != '1)
  `WC_COVER(no_number, result_valid && wanted.status == StNotNumber)
  `WC_COVER(joins, joined_valid && joined.stores && joined.old_len != '0)
  `WC_COVER(too_large, joined_valid && hit_q[1] && wanted.status == StNotStored && work_q3.late)
  `WC_COVER(differs, result_valid && wanted.status == StExists)
  `WC_COVER(unreadable, result_valid && wanted.status == StMemory)

endmodule

`default_nettype wire
