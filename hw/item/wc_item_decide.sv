// SPDX-License-Identifier: Apache-2.0
// Decides operations in their order, two cycles apart at least: asks the policy for what the item
// said, draws the CAS numbers of those that are late, and keeps the flush.
// A plain SET needs no item: it is stored when there is a place. An operation whose item memory did
// not tell touches nothing: a GET misses, others are answered StMemory.
// Nothing stalls in here: whoever lets an operation begin has seen to the room for what comes of it.
// An operation that tells an item's time of last use anew has a verdict of its own for that, a cycle
// behind the other one, or where that would be.
// Latency 3 from done_i, which is 1 to the comparison, 2 to the decision and the number.
`include "wc_assert.svh"
`default_nettype none

module wc_item_decide
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_item_pkg::*;
#(
  parameter bit Meta = 1'b1  // items have marks
) (
  input  wire logic      clk_i,
  input  wire logic      rst_i,
  input  wire seconds_t  time_i,
  input  wire value_len_t most_bytes_i,  // of an item, as memcached counts them
  input  wire logic      done_i,  // the comparison of this operation ends
  input  wire compare_t  work_i,
  input  wire facts_t    facts_i,  // 1 cycle later, for 2 cycles
  input  wire logic      error_i,  // 1 cycle later
  input  wire logic      same_i,   // 2 cycles later
  input  wire count_t    count_i,  // 1 cycle later, for 2 cycles
  // CAS numbers
  input  wire cas_t      number_i,
  output logic           draw_o,
  output logic           decided_o,
  output cas_t           floor_o,  // items up to this number are dead,
  output wc_log_pkg::flushes_t flushes_o,  // or of a given one with another count than this
  // what becomes of the operation
  input  wire logic      kept_i,  // with done_i: the item's line waits for the reader of values
  output logic           result_valid_o,
  output result_t        result_o,
  output logic           verdict_valid_o,
  output wc_log_pkg::verdict_t verdict_o,
  output logic           counted_valid_o,  // of each operation that counts and has a place
  output counted_t       counted_o,
  output logic           joined_valid_o,   // of each operation that joins
  output joined_t        joined_o,
  // to wc_item_kept and wc_item_count: an operation that counts
  output logic           found_valid_o,  // found an item
  output logic           unread_o,       // which memory did not tell
  output logic           stored_o,       // stored one
  output logic           settle_valid_o,
  output settle_t        settle_o,
  output logic           touches_o,  // settle_o: once the writer has patched the item
  output logic           bump_valid_o,  // its last verdict is for its time of last use:
  output logic           bumps_o,       // stored,
  output wc_log_pkg::segment_t bump_segment_o,  // in this segment
  output logic           leave_valid_o,
  output wc_log_pkg::segment_t leave_segment_o,
  output index_events_t  events_o,
  output logic           too_large_o,  // its item does not go into the log
  output logic           alias_o  // the item with the tag has another key
);

  // ---- 1 and 2: the operation, and what is known of its item ------------------------------------
  compare_t work_q;
  logic valid_q, valid_q2, kept_q;
  effect_t effect, effect_q;
  logic some, item, unread;
  logic item_q;        // there is an item that memory told
  logic unread_q;      // there may be one that memory did not tell
  logic alive_q;       // there is one that is neither expired nor flushed
  seconds_t ttl_q;     // seconds until it expires
  seconds_t unused_q;  // since it was used last
  logic endless_q;     // it does not
  seconds_t own_ttl_q; // the same, of the operation's expiry
  logic own_endless_q;
  logic own_q;         // of an item that is there, it is this one that is told
  logic same_length_q;
  logic same_cas_q;
  logic encoded_q;     // of what is stored the key is to be shown in base64
  logic soon_q;        // the item expires so soon that it is to be fetched anew
  seconds_t lives;     // until then, if the operation says so
  logic lower_q;       // its CAS number is lower than the item's, over which it stores all the same
  value_len_t joined_q;  // what comes of joining, with its key
  value_len_t beside_q, beside_flags_q;  // that memcached's item has room for: without, with flags
  logic fits_q;  // what comes of joining is no larger than an item may be
  demand_t demand_q;
  logic raising, now;
  logic flushed;   // the item is
  logic gives;     // an item gets a CAS number of a client
  cas_t last_q;  // the last number drawn by an operation that was decided

  assign effect = effect_with(work_q.op.op, work_q.stale, work_q.clears,
                              work_q.creates && work_q.op.meta);
  assign lives = work_q.renewed ? work_q.expiry : facts_i.expiry;
  assign some = work_q.beats != '0 || work_q.follows;
  assign item = some && !error_i;
  assign unread = (work_q.unreadable && !(work_q.placed && !work_q.asks)) ||
                  (some && error_i);

  wc_item_flush u_flush (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .time_i   (time_i),
    .busy_i   (valid_q),
    .flush_i  (valid_q && effect.flushes),
    .when_i   (work_q.address),
    .now_o    (now),
    .last_i   (last_q),
    .given_i  (gives),
    .raising_o(raising),
    .floor_o  (floor_o),
    .flushes_o(flushes_o)
  );

  assign flushed = Meta && facts_i.origin.given ? facts_i.origin.flushes != flushes_o
                                                : facts_i.cas <= floor_o;

  always_ff @(posedge clk_i) begin
    valid_q <= done_i;
    valid_q2 <= valid_q;
    if (done_i) begin
      work_q <= work_i;
      if (!Meta) begin
        {work_q.op.meta, work_q.stale, work_q.clears, work_q.recaches, work_q.marks} <= '0;
        work_q.gives <= 1'b0;
      end
    end
    if (done_i) kept_q <= kept_i;
    if (done_i) joined_q <= value_len_t'(work_i.value_len) + value_len_t'(work_i.op.key_len);
    beside_q <= most_bytes_i - value_len_t'(ItemBytes);
    beside_flags_q <= most_bytes_i - value_len_t'(ItemBytes + ItemFlagBytes);
    effect_q <= effect;
    item_q <= item;
    unread_q <= unread;
    alive_q <= item && facts_i.unexpired && !flushed && !raising;
    same_length_q <= facts_i.same_length;
    ttl_q <= facts_i.expiry - time_i;
    unused_q <= time_i - facts_i.used;
    endless_q <= facts_i.expiry == '0;
    own_ttl_q <= work_q.expiry - time_i;
    // An item that was not there would never have expired.
    own_endless_q <= work_q.expiry == '0 || work_q.earlier;
    own_q <= ((work_q.patches || (work_q.counts && work_q.touches)) && !work_q.earlier)
             || effect.change == ChangeItem;
    // memcached asks for the CAS number of a value that may be a number.
    same_cas_q <= facts_i.cas == work_q.cas || (work_q.counts && facts_i.value_len == '0);
    // memcached keeps what it knows of a key only where it changes an item that is there.
    encoded_q <= work_q.counts ? facts_i.encoded && count_i.length == 5'(facts_i.value_len) :
                 work_q.patches ? facts_i.encoded :
                 work_q.op.encoded && effect.change == ChangeItem;
    lower_q <= work_q.stale && work_q.compares && work_q.op.op == OpSet
               && work_q.cas < facts_i.cas;
    soon_q <= work_q.recaches && lives != '0 && lives < work_q.delta[31:0];
    fits_q <= work_q.placed && (facts_i.flags != '0 ? joined_q <= beside_flags_q
                                                    : joined_q <= beside_q);
    demand_q <= demand_of(effect, work_q.compares, work_q.creates, unread);
    if (rst_i) begin
      valid_q <= 1'b0;
      valid_q2 <= 1'b0;
    end
  end

  // ---- 2: the decision --------------------------------------------------------------------------
  decision_t decision;
  logic hit, keyed, stored, own;
  logic renews;    // what it changes has its expiry
  logic created;   // it tells of an item that was not there
  logic removing;  // a DELETE, whatever it makes of the item
  logic told;      // of one that was, and stays
  logic keeps;     // an item has no value from now on, and its CAS number is that of before
  logic draws;     // its CAS number is a new one
  logic suits;     // the item's CAS number is as it has to be, if one is compared
  logic marked;    // the item is stale from now on, where it stands
  logic compares;  // a `cas`: others with a CAS number memcached does not count as one

  assign compares = demand_q.compares && work_q.op.op == OpSet;
  assign keyed = effect_q.need != NeedNoKey;
  assign hit = alive_q && same_length_q && same_i;
  assign suits = same_cas_q || lower_q;
  assign decision = decide(demand_q, hit, suits, count_i.numeric, fits_q);
  assign stored = decision.stores && work_q.placed;
  assign marked = decision.touches && effect_q.change == ChangeMark;
  assign removing = work_q.op.op == OpDelete;
  assign keeps = work_q.clears && !work_q.stale && !work_q.gives;
  assign gives = valid_q2 && work_q.gives && (stored || marked);
  assign draws = stored && !keeps && !work_q.gives;
  assign draw_o = valid_q2 && ((draws && work_q.late) || (marked && !work_q.gives) || now);
  assign decided_o = valid_q2 && (work_q.late || effect_q.flushes);

  // ---- 3: what becomes of it --------------------------------------------------------------------
  // Results, verdicts and settles go to queues as they are decided.
  number_t number;
  cas_t cas;
  slot_number_t slot, slot_q;
  cas_t cas_q;
  logic drew_q;  // cas_q was drawn
  wc_log_pkg::origin_t origin;  // of cas
  localparam marks_t Stale = '{stale: 1'b1, default: 1'b0};
  localparam marks_t Won = '{won: 1'b1, default: 1'b0};
  localparam marks_t WonAndFetched = '{won: 1'b1, fetched: 1'b1, default: 1'b0};
  remark_t remark;
  // What the second unit of the header keeps.
  logic [31:0] bump_flags_q;
  wc_log_pkg::origin_t bump_origin_q;
  logic bump_encoded_q;

  assign created = demand_q.fills && !hit;
  assign told = tells_of(effect_q) && !created;
  assign cas = told || keeps ? facts_i.cas :
               work_q.gives  ? work_q.given :
               work_q.late || effect_q.flushes ? number_i : work_q.cas;
  // A touch keeps it, as does a mark without a number: it is in a unit that they do not write.
  assign origin = keeps        ? facts_i.origin :
                  work_q.gives ? '{given: 1'b1, flushes: flushes_o} : '0;
  assign result_valid_o = valid_q2;
  assign verdict_valid_o = (valid_q2 && (work_q.late || work_q.patches)) || bump_valid_o;
  assign settle_valid_o = valid_q2 && work_q.held;
  assign touches_o = decision.touches;
  assign found_valid_o = valid_q2 && work_q.counts && !work_q.follows;
  assign unread_o = unread_q;
  assign stored_o = counted_valid_o && stored;
  // A new item comes into the first slot of its line: there it is for those that follow.
  assign slot = work_q.follows ? slot_q : work_q.slot;
  assign number = hit ? count_i.number : work_q.start;
  // memcached touches the item before, if a number gets longer.
  assign renews = work_q.touches && effect_q.change != ChangeItem
                  && !(work_q.counts && count_i.grows);
  assign own = own_q || (work_q.counts && !hit) || created;
  assign counted_valid_o = valid_q2 && work_q.counts && work_q.late;
  assign joined_valid_o = valid_q2 && work_q.joins;
  assign joined_o = '{
      placed: work_q.late,
      stores: stored,
      front: work_q.op.op == OpPrepend,
      value_len: work_q.value_len,
      address: wc_log_pkg::address_t'(work_q.delta),
      key_len: work_q.op.key_len,
      old_len: facts_i.value_len
  };
  assign counted_o = '{
      stores: stored,
      number: number,
      digits: hit ? count_i.digits : count_i.created_digits,
      length: hit ? count_i.length : count_i.created_digits
  };

  // Another item has no marks. But memcached changes a number where it stands, if it is not longer,
  // and keeps what is told of a win when a stale value is replaced by another one.
  always_comb begin
    remark = '{keeps: '1, sets: '0};
    if (marked) remark = '{keeps: '{fetched: 1'b1, default: 1'b0}, sets: Stale};
    else if (stored && work_q.clears && work_q.stale) remark = '{keeps: '0, sets: Stale};
    else if (stored && lower_q) remark = '{keeps: '{won: 1'b1, default: 1'b0}, sets: Stale};
    else if (stored && !(work_q.counts && hit && !count_i.grows)) remark.keeps = '0;
    else if (hit && soon_q) remark.sets = Won;
    // Who is told that there was none is to fetch it.
    if (stored && demand_q.fills) remark.sets = work_q.idle ? Won : WonAndFetched;
    if (!Meta) remark = '{keeps: '1, sets: '0};
  end

  always_comb begin
    result_o = '{
        op: work_q.op,
        value_len: told          ? facts_i.value_len :
                   work_q.counts ? value_len_t'(counted_o.digits) : work_q.value_len,
        flags: created ? '0 : facts_i.flags,
        ttl: (own ? own_endless_q : endless_q) ? '1 : own ? own_ttl_q : ttl_q,
        unused: created ? '0 : unused_q,
        cas: cas,
        marks: created ? '0 : work_q.marks,
        wins: work_q.op.meta
              && (created || ((work_q.marks.stale || soon_q) && !work_q.marks.won)),
        pointer: demand_q.fills ? pointer_t'(work_q.start) : pointer_t'(work_q.address),
        hit: decision.reads,
        one_line: kept_q
    };
    // The answer has room for a number and a CAS number, if it shows both.
    if (work_q.counts && (work_q.op.binary || work_q.op.meta)) begin
      {result_o.flags, result_o.pointer} = number;
    end else if (work_q.counts) begin
      result_o.cas = number;
    end
    // An item that is told of has its own.
    if (told && hit) result_o.op.encoded = facts_i.encoded;
    // memcached tells that it has created an item.
    if (work_q.counts && work_q.op.meta && !hit) result_o.op.quiet = 1'b0;
    if (keyed || effect_q.flushes) begin
      result_o.op.status = decision.stores && !work_q.placed ? StTooLarge : decision.status;
    end
    verdict_o = '{
        stores: stored || decision.touches,
        cas: cas,
        origin: origin,
        encoded: encoded_q && (hit || !work_q.counts),
        flags: facts_i.flags,
        number: work_q.counts || facts_i.number,
        value_len: work_q.counts ? wc_log_pkg::length_t'(counted_o.length)
                                 : wc_log_pkg::length_t'(facts_i.value_len),
        keeps: hit && (makes_of(effect_q) || effect_q.change == ChangeMark || lower_q),
        expiry: renews ? work_q.expiry : facts_i.expiry
    };
    if (bump_valid_o) begin
      verdict_o.stores = bumps_o;
      verdict_o.flags = bump_flags_q;
      verdict_o.origin = bump_origin_q;
      verdict_o.encoded = bump_encoded_q;
    end
    // Without a place for the new item the old one goes all the same.
    settle_o = '{
        entry: work_q.entry,
        slot: slot,
        stores: stored,
        removes: decision.removes || (decision.stores && !work_q.placed),
        remark: remark,
        place: wc_log_pkg::address_t'(work_q.address),
        log: work_q.log,
        span: work_q.span
    };
  end

  always_ff @(posedge clk_i) begin
    bump_valid_o <= valid_q2 && work_q.bumps;
    bumps_o <= hit;
    bump_flags_q <= facts_i.flags;
    bump_origin_q <= facts_i.origin;
    bump_encoded_q <= facts_i.encoded;
    bump_segment_o <= work_q.segment;
    cas_q <= cas;
    drew_q <= valid_q2 && (draws || (marked && !work_q.gives) || now);
    if (valid_q2 && work_q.counts) slot_q <= stored ? put_into(slot) : slot;
    if (drew_q) last_q <= cas_q;
    // What is read goes on to be read: of an item to whose value another one is joined, too.
    leave_valid_o <= valid_q2 && work_q.beats != '0 && !decision.reads
                     && !(work_q.joins && stored);
    leave_segment_o <= work_q.segment;

    events_o <= '0;
    alias_o <= 1'b0;
    too_large_o <= 1'b0;
    if (valid_q2) begin
      events_o.get <= effect_q.reads || looks_of(effect_q);
      // memcached counts an item that was created as one that was there.
      events_o.get_hit <= decision.reads || (looks_of(effect_q) && hit)
                          || (demand_q.fills && stored);
      events_o.set <= effect_q.change inside {ChangeItem, ChangeJoin} && !removing;
      events_o.incr <= work_q.op.op == OpIncr;
      events_o.incr_hit <= work_q.op.op == OpIncr && hit && stored;
      events_o.decr <= work_q.op.op == OpDecr;
      events_o.decr_hit <= work_q.op.op == OpDecr && hit && stored;
      events_o.cas_hit <= compares && hit && suits;
      events_o.cas_badval <= compares && hit && !suits;
      events_o.cas_miss <= compares && !hit && !unread_q;
      // memcached counts no DELETE whose item is stale now.
      events_o.del <= removing && !(work_q.stale && (marked || stored));
      events_o.del_hit <= removing && (decision.removes || (stored && !work_q.stale));
      events_o.touch <= effect_q.change == ChangeExpiry;
      // Whose touch came in front of what it creates (wc_request_twice) has touched it, to memcached.
      events_o.touch_hit <= (decision.touches && !marked)
                            || (stored && demand_q.fills && work_q.touches);
      events_o.flush <= effect_q.flushes;
      events_o.other <= work_q.op.op == OpNone && work_q.op.status == StOk;
      events_o.error <= demand_q.refuses
                        || (work_q.op.op == OpNone && work_q.op.status != StOk);
      events_o.failed <= keyed && unread_q;
      too_large_o <= decision.stores && !work_q.placed;
      alias_o <= item_q && !(same_length_q && same_i);
    end
    if (rst_i) begin
      bump_valid_o <= 1'b0;
      leave_valid_o <= 1'b0;
      drew_q <= 1'b0;
      last_q <= '0;
    end
  end

  logic unused;
  assign unused = ^{work_q.words, work_q.unit, work_q.one_line};

  `WC_ASSERT(apart, !(valid_q && valid_q2))
  `WC_ASSERT(in_order, !drew_q || cas_q > last_q)
  `WC_ASSERT(late_has_a_place, !valid_q || !work_q.late || work_q.placed || work_q.patches)
  `WC_ASSERT(follower_is_held, !valid_q || !work_q.follows || (work_q.held && work_q.late))
  // It waits for the patch.
  `WC_ASSERT(touched_is_held, !(valid_q2 && decision.touches) || (work_q.patches && work_q.held))

endmodule

`default_nettype wire
