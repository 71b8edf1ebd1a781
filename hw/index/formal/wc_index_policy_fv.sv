// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_decide, of what becomes of one operation that finds its bucket in memory: it is
// what the policy says. The item index has the same proof (wc_item_policy_fv), so both have one
// policy. What is forwarded is wc_index_decide_fv's.
// Rule 1: the verdict has the policy's status; a SET that is to store may have StNoMemory.
// Rule 2: a GET is counted as a hit if the policy lets the item into the answer, a TOUCH if the
//         policy lets it touch, and no other is.
// Rule 3: only an operation that the policy lets store, remove or touch changes a slot with a live
//         item: its own item's. A SET with StOk writes an item; a DELETE frees its item's slot, or
//         has the item expire there; a TOUCH writes the item with the expiry of the operation.
// Rule 4: a GET or TOUCH that hits says what memory has of the item; a TOUCH writes that too.
// An item that the operation's key has: the bucket was read, and a slot has the key and is live.
// Assumed of the comparators: one slot at most has the key; a match is of a slot in use, and so is
// what is live.
`include "wc_assert.svh"
`default_nettype none

module wc_index_policy_fv
  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_index_pkg::*;
#(
  parameter int unsigned Slots = 2
) (
  input wire logic             clk_i,
  input wire logic             rst_i,
  input wire logic             ask_i,
  // free constants: the operation, and what its bucket has
  input wire op_e              op_i,
  input wire logic             cas_set_i,
  input wire logic             failed_i,
  input wire size_class_t      size_class_i,
  input wire logic [Slots-1:0] match_i,
  input wire logic [Slots-1:0] cas_equal_i,
  input wire logic [Slots-1:0] live_i,
  input wire logic [Slots-1:0] used_i,
  input wire logic [Slots-1:0][1:0] class_i,
  input wire logic [Slots-1:0][1:0] content_i,  // of the items
  input wire logic [1:0]       expiry_i,
  input wire logic [Classes-1:0] free_valid_i,
  input wire logic             give_full_i
);

  typedef struct packed {
    op_e op;
    logic cas_set;
    logic failed;
    size_class_t size_class;
    logic [Slots-1:0] match;
    logic [Slots-1:0] cas_equal;
    logic [Slots-1:0] live;
    logic [Slots-1:0] used;
    logic [Slots-1:0][1:0] classes;
    logic [Slots-1:0][1:0] contents;
    logic [1:0] expiry;
    logic [Classes-1:0] free_valid;
    logic give_full;
  } view_t;

  view_t view_q;
  logic asked_q;
  ask_t ask;
  effect_t effect;
  wish_t wish;
  kept_t [Slots-1:0] kept;
  cas_t [Slots-1:0] cas;
  verdict_t verdict;
  logic verdict_valid, ask_valid;
  index_events_t events, events_q;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  always_ff @(posedge clk_i) begin
    view_q <= rst_i ? '{op: op_i, cas_set: cas_set_i, failed: failed_i, size_class: size_class_i,
                        match: match_i, cas_equal: cas_equal_i, live: live_i, used: used_i,
                        classes: class_i, contents: content_i, expiry: expiry_i,
                        free_valid: free_valid_i, give_full: give_full_i}
                    : view_q;
    asked_q <= !rst_i && (asked_q || ask_i);
  end

  `WC_ASSUME(kinds, view_q.op inside {OpNone, OpGet, OpSet, OpDelete, OpAdd, OpReplace, OpTouch,
                                   OpGat, OpRefuse})
  `WC_ASSUME(one_match, $onehot0(view_q.match))
  `WC_ASSUME(in_use, ((view_q.match | view_q.live) & ~view_q.used) == '0)
  `WC_ASSUME(bucket_or_none, view_q.op != OpNone || !view_q.failed)

  assign effect = effect_of(view_q.op);
  assign ask_valid = ask_i && !asked_q;

  always_comb begin
    ask = '0;
    ask.op = view_q.op;
    ask.effect = effect;
    ask.memory = effect.need != NeedNoKey;
    ask.cas_set = view_q.cas_set;
    ask.size_class = view_q.size_class;
    ask.forward = ForwardNone;
    ask.failed = view_q.failed;
    wish = '0;
    wish.expiry = seconds_t'(view_q.expiry);
    kept = '0;
    cas = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      kept[i].valid = view_q.used[i];
      kept[i].pointer.size_class = view_q.classes[i];
      kept[i].pointer.line = 30'(view_q.contents[i]);
      kept[i].value_len = value_len_t'(view_q.contents[i]);
      kept[i].flags = 32'(view_q.contents[i]);
      cas[i] = cas_t'(view_q.contents[i]);
    end
  end

  wc_index_decide #(
    .Slots   (Slots),
    .InFlight(4)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         ('0),
    .wish_valid_i   (ask_valid),
    .wish_i         (wish),
    .ask_valid_i    (ask_valid),
    .ask_i          (ask),
    .when_i         ('0),
    .due_o          (),
    .room_o         (),
    .floor_o        (),
    .flushed_o      (),
    .keep_o         (),
    .match_i        (view_q.match),
    .cas_equal_i    (view_q.cas_equal),
    .live_i         (view_q.live),
    .kept_i         (kept),
    .cas_i          (cas),
    .free_valid_i   (view_q.free_valid),
    .free_ready_o   (),
    .free_i         ('0),
    .give_valid_o   (),
    .give_slots_o   (),
    .give_dead_o    (),
    .give_pointers_o(),
    .give_room_i    (1'b1),
    .give_full_i    (view_q.give_full),
    .verdict_valid_o(verdict_valid),
    .verdict_ready_i(1'b0),
    .verdict_o      (verdict),
    .events_o       (events),
    .bucket_events_o()
  );

  // ---- what the policy says ---------------------------------------------------------------------
  logic [Slots-1:0] item;  // the slot with the operation's live item
  decision_t wanted;
  logic writes;
  logic changes;  // the policy lets the operation change its item
  logic [Slots-1:0] changed;
  logic [$clog2(Slots)-1:0] own;  // of the item

  assign item = view_q.match & view_q.live & {Slots{!view_q.failed}};
  assign wanted = decide(demand_of(effect, view_q.cas_set, 1'b0, view_q.failed), item != '0,
                         (view_q.match & view_q.cas_equal) != '0, 1'b1, 1'b1);
  assign writes = verdict.write inside {WriteHeader, WriteItem};

  always_comb begin
    changes = wanted.stores || wanted.removes || wanted.touches;
    own = '0;
    changed = verdict.freed[Slots-1:0];
    for (int unsigned i = 0; i < Slots; i++) begin
      if (writes && verdict.slot == slot_t'(i)) changed[i] = 1'b1;
      if (item[i]) own = ($bits(own))'(i);
    end
  end

  always_ff @(posedge clk_i) events_q <= asked_q ? events_q | events : '0;

  `WC_ASSERT(asked_for, !verdict_valid || asked_q)
  `WC_ASSERT(status_is, !verdict_valid || verdict.status == wanted.status
             || (wanted.stores && verdict.status == StNoMemory))
  `WC_ASSERT(hit_is, !verdict_valid || (events_q.get_hit == wanted.reads
                                        && events_q.del_hit == (wanted.removes
                                                                && view_q.op == OpDelete)
                                        && events_q.error == (view_q.op == OpRefuse)
                                        && events_q.touch_hit == wanted.touches))
  `WC_ASSERT(live_stay, !verdict_valid
             || (changed & view_q.live & ~(changes ? item : '0)) == '0)
  `WC_ASSERT(stored_is, !verdict_valid || !(wanted.stores && verdict.status == StOk)
             || (writes && verdict.expiry == seconds_t'(view_q.expiry)))
  `WC_ASSERT(removed_is, !verdict_valid || !wanted.removes
             || (verdict.freed[Slots-1:0] & item) == item
             || (writes && verdict.expiry == 32'd1 && changed == item))
  `WC_ASSERT(touched_is, !verdict_valid || !wanted.touches
             || (verdict.write == WriteHeader && item[verdict.slot]
                 && verdict.expiry == seconds_t'(view_q.expiry)))
  `WC_ASSERT(told_is, !verdict_valid || !(wanted.reads || wanted.touches)
             || (verdict.pointer == {view_q.classes[own], 30'(view_q.contents[own])}
                 && verdict.value_len == value_len_t'(view_q.contents[own])
                 && verdict.flags == 32'(view_q.contents[own])
                 && verdict.cas == cas_t'(view_q.contents[own])))

  `WC_COVER(reads, verdict_valid && wanted.reads)
  `WC_COVER(stores, verdict_valid && wanted.stores && item != '0 && view_q.cas_set
                    && verdict.status == StOk)
  `WC_COVER(adds, verdict_valid && wanted.stores && view_q.op == OpAdd)
  `WC_COVER(replaces, verdict_valid && wanted.stores && view_q.op == OpReplace)
  `WC_COVER(no_room, verdict_valid && wanted.stores && verdict.status == StNoMemory)
  `WC_COVER(refuses, verdict_valid && wanted.removes && view_q.op == OpRefuse)
  `WC_COVER(removes, verdict_valid && wanted.removes && view_q.cas_set)
  `WC_COVER(touches, verdict_valid && wanted.touches && !wanted.reads && view_q.give_full)
  `WC_COVER(touches_and_sweeps, verdict_valid && wanted.touches && wanted.reads
                                && verdict.freed != '0)
  `WC_COVER(differs, verdict_valid && wanted.status == StExists)
  `WC_COVER(unreadable, verdict_valid && wanted.status == StMemory)

endmodule

`default_nettype wire
