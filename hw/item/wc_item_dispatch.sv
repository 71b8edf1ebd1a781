// SPDX-License-Identifier: Apache-2.0
// Takes what the table said of each operation, and gives out the work that follows from it: the
// sweeper's answer, the writer's job, the beats of the item that are to be read, the comparison.
// An item that may not be written yet is requested when its job is done; until then the operation
// waits, and all behind it. An output that stalls holds up the operations behind.
// What stores and has no item to ask (a plain SET, an ADD of a new key) draws its number here, when
// no operation before it is undecided that may draw one. Else it is late: it draws when it is
// decided, and so do all that follow until every one of them is decided.
// An operation that is to tell an item's time of last use anew has a job of its own for that, behind
// the other one if there is one, and is a reader more of the segment until this job is done.
// Latency 2, an operation every 2 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_item_dispatch
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned BeatUnits = LineUnits,
  parameter job_t        FirstJob  = '0  // number of the first job for which there is a place
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire seconds_t      time_i,
  input  wire log_settings_t settings_i,  // changes only while nothing is in flight
  input  wire logic          looked_valid_i,
  output logic               looked_ready_o,
  input  wire looked_t       looked_i,
  input  wire units_t        looked_length_i,  // of the new item, of the item that was met
  input  wire logic          context_valid_i,  // of each operation that is not the sweeper's
  output logic               context_ready_o,
  input  wire context_t      context_i,
  input  wire logic          written_i,  // a job that had a place is done
  // CAS numbers
  input  wire cas_t          number_i,
  input  wire logic          settled_i,
  output logic               draw_o,
  output logic               late_o,
  // to the sweeper
  output logic               answer_valid_o,
  input  wire logic          answer_ready_i,
  output answer_t            answer_o,
  // to the log's writer
  output logic               write_valid_o,
  input  wire logic          write_ready_i,
  output write_t             write_o,
  // to wc_log_read: the first beat, and how many
  output logic               request_valid_o,
  input  wire logic          request_ready_i,
  output address_t           request_address_o,
  output beats_t             request_beats_o,
  // an operation reads in a segment
  output logic               enter_valid_o,
  output segment_t           enter_segment_o,
  // to wc_item_compare
  output logic               work_valid_o,
  input  wire logic          work_ready_i,
  output compare_t           work_o
);

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_item_dispatch: BeatUnits must be 1 or 4")

  // ---- the operation as it came -----------------------------------------------------------------
  // It stays at the input for a cycle more, while these registers say what is to be done.
  typedef struct packed {
    logic       user;      // not the sweeper's
    logic       stores;
    logic       asks;
    logic       flushes;
    logic       draws;     // it stores, and has no item to ask
    logic       late;      // draws or not when it is decided, in any case
    logic       patches;   // gives the item another expiry, if it is the one,
    logic       both;      // and another CAS number, of another origin
    logic       bumps;     // another time of last use, likewise
    logic       counts;
    logic       joins;
    logic       compares;
    logic       words;
    logic       looks;     // at the item that may be the one:
    logic       goes_on;   // which has more than the beats that are wanted,
    key_beats_t wanted;
    key_beats_t all;       // or these
    logic       one_line;
    segment_t   segment;
  } plan_t;

  plan_t plan, plan_q;
  logic planned_q;  // plan_q is of the operation at the input
  logic waits_q;    // the item that it needs may not be written
  logic come, go, waits;
  logic asked;  // there is an item to ask
  logic [3:0] segment_shift_q;  // bits of an address within its segment, beyond LeastSegmentBits
  request_t request;
  effect_t effect;
  job_t written_q;  // number of the first job that is not done
  seconds_t time_q;
  // Of the job: there is a place for it, it is a copy, it joins, it writes all of a header. The item's
  // address.
  logic placed_q, copy_q, joins_q, both_q;
  address_t item_q;

  assign come = looked_valid_i && (looked_i.sweeps || context_valid_i);
  assign request = context_i.request;
  assign effect = effect_with(request.op.op, request.stale, request.clears,
                              request.creates && request.op.meta);

  // Beats that hold header and key of an item, as long as the operation's key, or all of the item
  // if that is less. Both ends are counted from the start of the first beat, and rounded up.
  localparam int unsigned BeatBytes = BeatUnits * UnitBytes;
  localparam int unsigned BeatWords = BeatUnits * UnitWords;
  localparam int unsigned KeyBits = BeatUnits == 1 ? 5 : 3;   // 20 units or 7 lines
  localparam int unsigned ItemBits = BeatUnits == 1 ? 5 : 4;  // those of an item that is not long
  logic [1:0] unit;      // the item's place in its first beat
  logic [8:0] key_end;   // in bytes
  logic [5:0] number_end;  // of a number behind the key, in words
  logic [5:0] item_end;  // in units
  logic item_long;       // longer than any key
  logic [KeyBits-1:0] key_beats, number_beats, wanted;
  logic [ItemBits-1:0] item_beats;
  logic key_ends, number_ends;  // before the item does

  assign unit = looked_i.address[1:0] & 2'(BeatUnits - 1);
  assign key_end = 9'({unit, 4'b0}) + 9'(8 * HeaderWords + BeatBytes - 1) + 9'(request.op.key_len);
  assign number_end = 6'({unit, 1'b0}) + 6'(request.op.key_len[7:3])
                      + 6'(|request.op.key_len[2:0])
                      + 6'(HeaderWords + NumberWords + BeatWords - 1);
  assign item_end = 6'(looked_i.span[4:0]) + 6'(unit) + 6'(BeatUnits - 1);
  assign item_long = looked_i.span[7:5] != '0;
  assign key_beats = key_end[$clog2(BeatBytes)+:KeyBits];
  assign number_beats = KeyBits'(number_end >> $clog2(BeatWords));
  assign item_beats = item_end[$clog2(BeatUnits)+:ItemBits];
  // Each is compared, and what the operation does chooses, a cycle later how many: a sum and a
  // comparison are enough in a row.
  assign key_ends = ItemBits'(key_beats) < item_beats;
  assign number_ends = ItemBits'(number_beats) < item_beats;
  assign wanted = plan.counts ? number_beats : key_beats;

  always_comb begin
    plan = '0;
    plan.user = !looked_i.sweeps;
    plan.counts = plan.user && effect.change == ChangeNumber;
    plan.joins = plan.user && effect.change == ChangeJoin;
    plan.stores = plan.user && stores_of(effect);
    plan.compares = request.cas != '0;
    plan.asks = plan.user && asks_of(effect, request.cas != '0, request.recaches);
    asked = plan.asks && looked_i.found;
    plan.flushes = plan.user && effect.flushes;
    // Behind which flush an item is whose number is given, shows when it is decided.
    plan.draws = plan.stores && looked_i.placed && !asked && !plan.counts && !request.gives;
    plan.late = (plan.stores && looked_i.placed && (asked || plan.counts || request.gives))
                || plan.flushes
                || (asked && effect.change == ChangeMark);
    plan.words = request.op.key_len != '0
                 && (!plan.stores || plan.asks || request.op.key_words);
    if (plan.user && looked_i.found && !looked_i.unreadable && !looked_i.follows &&
        (looks_of(effect) || effect.change == ChangeRemove || plan.asks)) begin
      plan.looks = 1'b1;
      // Of beats that are units only those with header and key come: there is no line to pass on.
      plan.one_line = BeatUnits == LineUnits && effect.reads &&
                      looked_i.span <= short_units_t'(LineUnits);
      plan.patches = patches_of(effect);
      plan.both = effect.change == ChangeMark && request.gives;
      plan.bumps = looked_i.bumps;
    end
    plan.goes_on = item_long || (plan.counts ? number_ends : key_ends);
    plan.wanted = key_beats_t'(wanted);
    plan.all = key_beats_t'(KeyBits'(item_beats));
    plan.segment = segment_t'((looked_i.address >> LeastSegmentBits) >> segment_shift_q);
  end

  // A job is done when the number of the first that is not lies behind its own.
  job_t behind;
  assign behind = written_q - looked_i.job - 1'b1;
  assign waits = looked_i.waits && looked_i.found && behind[$bits(job_t)-1];

  always_ff @(posedge clk_i) begin
    segment_shift_q <= 4'(settings_i.segment_bits - 5'(LeastSegmentBits));
    time_q <= time_i;
    if (written_i) written_q <= written_q + 1'b1;
    planned_q <= come && !go;
    plan_q <= plan;
    waits_q <= waits;
    if (rst_i) begin
      planned_q <= 1'b0;
      written_q <= FirstJob;
    end
  end

  // ---- what is to be done -----------------------------------------------------------------------
  logic free, late;
  key_beats_t beats;
  logic bump_next_q;  // of what was dispatched last, this job is still to come,
  logic bump_q;       // or there
  logic enter_again_q;

  // Whether a request is taken is known late, and there is a cycle between two operations anyway.
  assign free = !((answer_valid_o && !answer_ready_i) || (write_valid_o && !write_ready_i) ||
                  bump_next_q || request_valid_o || (work_valid_o && !work_ready_i));
  assign go = planned_q && free && !(waits_q && plan_q.looks);
  assign beats = !plan_q.looks ? '0 : plan_q.goes_on ? plan_q.wanted : plan_q.all;
  assign late = plan_q.late || (plan_q.draws && !settled_i);
  assign looked_ready_o = go;
  assign context_ready_o = go && plan_q.user;
  assign draw_o = go && plan_q.draws && settled_i;
  assign late_o = go && late;

  always_ff @(posedge clk_i) begin
    if (answer_ready_i) answer_valid_o <= 1'b0;
    if (write_ready_i) write_valid_o <= 1'b0;
    if (bump_next_q && (!write_valid_o || write_ready_i)) begin
      write_valid_o <= 1'b1;
      bump_q <= 1'b1;
      bump_next_q <= 1'b0;
    end
    if (request_ready_i) request_valid_o <= 1'b0;
    if (work_ready_i) work_valid_o <= 1'b0;
    enter_valid_o <= (go && plan_q.looks) || enter_again_q;
    enter_again_q <= go && plan_q.bumps;
    if (go) begin
      bump_next_q <= plan_q.bumps;
      bump_q <= 1'b0;
      answer_valid_o <= !plan_q.user;
      write_valid_o <= plan_q.user ? plan_q.stores || plan_q.patches : looked_i.placed;
      request_valid_o <= plan_q.looks;
      work_valid_o <= plan_q.user;
      answer_o.found <= looked_i.found;
      answer_o.unread <= looked_i.unreadable;
      request_address_o <= looked_i.address & ~address_t'(BeatUnits - 1);
      placed_q <= looked_i.placed || plan_q.patches;
      copy_q <= !plan_q.user;
      item_q <= looked_i.address;
      write_o.span <= looked_length_i;
      write_o.header.hash <= context_i.hash;
      write_o.header.expiry <= request.expiry;
      write_o.header.flags <= request.flags;
      write_o.header.used <= time_q;
      joins_q <= plan_q.joins;
      both_q <= plan_q.both;
      work_o <= '{
          op: request.op,
          value_len: plan_q.joins ? looked_i.value_len : request.value_len,
          cas: plan_q.draws ? number_i : request.cas,
          asks: plan_q.asks,
          compares: plan_q.compares,
          counts: plan_q.counts,
          follows: looked_i.follows,
          joins: plan_q.joins,
          delta: plan_q.joins ? number_t'(looked_i.address) : request.delta,
          creates: request.creates,
          start: plan_q.counts ? request.start : number_t'(looked_i.address),
          touches: request.touches,
          recaches: request.recaches,
          renewed: request.renewed,
          idle: request.idle,
          gives: request.gives,
          given: request.given,
          stale: request.stale,
          clears: request.clears,
          marks: looked_i.marks,
          earlier: request.earlier,
          expiry: request.expiry,
          words: plan_q.words,
          beats: beats,
          has_beats: plan_q.looks,
          unit: unit,
          one_line: plan_q.one_line,
          unreadable: looked_i.unreadable,
          placed: looked_i.placed,
          late: late && !plan_q.flushes,
          patches: plan_q.patches,
          bumps: plan_q.bumps,
          held: looked_i.held,
          entry: looked_i.entry,
          slot: looked_i.slot,
          log: looked_i.log,
          span: looked_i.taken,
          address: plan_q.flushes ? request.expiry :
                   plan_q.stores || !plan_q.user ? looked_i.place : looked_i.address,
          segment: plan_q.segment
      };
    end
    if (rst_i) begin
      answer_valid_o <= 1'b0;
      write_valid_o <= 1'b0;
      request_valid_o <= 1'b0;
      work_valid_o <= 1'b0;
      enter_valid_o <= 1'b0;
      enter_again_q <= 1'b0;
      bump_next_q <= 1'b0;
    end
  end

  // The outputs share registers.
  assign answer_o.placed = work_o.placed;
  assign answer_o.place = work_o.address;
  assign write_o.discard = !placed_q && !bump_q;
  assign write_o.copy = copy_q && !bump_q;
  assign write_o.joined = joins_q && !bump_q;
  assign write_o.late = work_o.late || work_o.patches || bump_q;
  assign write_o.patch = work_o.patches || bump_q;
  assign write_o.bump = bump_q;
  assign write_o.log = work_o.log;
  assign write_o.place = bump_q ? item_q : work_o.address;
  assign write_o.both = both_q && !bump_q;
  assign write_o.header.cas = work_o.cas;
  assign write_o.header.origin = '0;
  assign write_o.header.encoded = work_o.op.encoded;
  assign write_o.number = work_o.counts && !bump_q;
  assign write_o.header.number = 1'b0;
  assign write_o.header.value_len = length_t'(work_o.value_len);
  assign write_o.header.key_len = work_o.op.key_len;
  assign request_beats_o = beats_t'(work_o.beats);
  assign enter_segment_o = work_o.segment;

  logic unused;
  assign unused = ^{looked_i.evicted, settings_i.segments, settings_i.most_new, settings_i.largest,
                    key_end, item_end};

  `WC_ASSERT(segment_is_legal, !planned_q ||
             (settings_i.segment_bits >= 5'(LeastSegmentBits)
              && settings_i.segment_bits <= 5'(MostSegmentBits)))
  `WC_ASSERT(length_is, !(go && plan_q.stores) ||
             looked_length_i == item_units(request.op.key_len, length_t'(request.value_len)))
  `WC_ASSERT(taken_is, !(go && plan_q.stores && looked_i.placed) || looked_i.taken == short_units(
             item_units(request.op.key_len, plan_q.joins ? length_t'(looked_i.value_len)
                                                         : length_t'(request.value_len))))
  `WC_ASSERT(item_in_place, !(go && plan_q.looks) || looked_i.span > short_units_t'(LineUnits)
             || 4'(looked_i.address[1:0]) + 4'(looked_i.span) <= 4'(LineUnits))
  `WC_ASSERT(held_asks, !go || !looked_i.held || (plan_q.asks && looked_i.found))
  `WC_ASSERT(follower_counts, !go || !looked_i.follows ||
             (plan_q.counts && looked_i.held && looked_i.placed && !request.creates))
  `WC_ASSERT_STREAM(answer, answer_valid_o, answer_ready_i, answer_o)
  `WC_ASSERT_STREAM(write, write_valid_o, write_ready_i, write_o)
  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, {request_address_o, request_beats_o})
  `WC_ASSERT_STREAM(work, work_valid_o, work_ready_i, work_o)

endmodule

`default_nettype wire
