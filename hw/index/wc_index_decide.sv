// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of each operation: its slot, its block, its CAS number and its status, and
// which expired slots are freed. Operations are decided in order, one at a time.
// An operation that was sent off behind a write of its bucket may have read memory before that
// write was there. The outcome of the write takes the place of the slots that it has changed.
// When nobody takes deleted pointers, no operation waits for that: a write then gives no block
// back. It leaves dead slots as they are. A DELETE marks its item as expired and leaves the item
// its block. A SET that would have to give a block back is answered StNoMemory.
// An operation whose bucket cannot be read (`failed`) changes nothing: a GET or GAT misses, a SET,
// DELETE or TOUCH is answered StMemory. It leaves the outcome of the write before it as it was.
// The decision has stages 0 to 3. The last is the commit: there the CAS counter, the flush, the
// free pointers and the outcome of a write change. Operations with a bucket are at least four
// cycles apart, so each sees what the one before it has done.
// Nothing stalls in here: room_o promises space for the verdicts and the deleted pointers of all
// operations that can be on the way.
// Latency from the ask 5 to the commit, 7 to the verdict; an operation a cycle.
// Long because two modules in its place would need a port for most of its registers.
`include "wc_assert.svh"
`default_nettype none

module wc_index_decide #(
  parameter int unsigned Slots    = 8,
  parameter int unsigned InFlight = 64
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_i,
  input  wire wc_pkg::seconds_t                         time_i,
  // what an operation wants, in the cycle in which its last line is taken
  input  wire logic                                     wish_valid_i,
  input  wire wc_index_pkg::wish_t                      wish_i,
  // the operation, two cycles before the comparators' results
  input  wire logic                                     ask_valid_i,
  input  wire wc_index_pkg::ask_t                       ask_i,
  input  wire wc_pkg::seconds_t                         when_i,
  output logic                                          due_o,
  output logic                                          room_o,
  // the comparators
  output wc_pkg::cas_t                                  floor_o,
  output logic                                          flushed_o,
  output logic                                          keep_o,
  input  wire logic [Slots-1:0]                         match_i,
  input  wire logic [Slots-1:0]                         cas_equal_i,
  input  wire logic [Slots-1:0]                         live_i,
  input  wire wc_index_pkg::kept_t [Slots-1:0]          kept_i,
  input  wire wc_pkg::cas_t [Slots-1:0]                 cas_i,
  // value blocks
  input  wire logic [wc_pkg::Classes-1:0]               free_valid_i,
  output logic [wc_pkg::Classes-1:0]                    free_ready_o,
  input  wire wc_pkg::pointer_t [wc_pkg::Classes-1:0]   free_i,
  // value blocks that go back, to wc_index_give
  output logic                                          give_valid_o,
  output logic [Slots-1:0]                              give_slots_o,
  output logic [Slots-1:0]                              give_dead_o,
  output wc_pkg::pointer_t [Slots-1:0]                  give_pointers_o,
  input  wire logic                                     give_room_i,
  input  wire logic                                     give_full_i,
  // the decision
  output logic                                          verdict_valid_o,
  input  wire logic                                     verdict_ready_i,
  output wc_index_pkg::verdict_t                        verdict_o,
  // what was decided
  output wc_pkg::index_events_t                         events_o,
  output wc_index_pkg::bucket_events_t                  bucket_events_o
);

  import wc_pkg::*;
  import wc_policy_pkg::*;
  import wc_index_pkg::*;

  typedef logic [Slots-1:0] mask_t;

  localparam int unsigned IdWidth = $clog2(InFlight);
  localparam int unsigned VerdictDepth = 32;
  localparam int unsigned VerdictSlack = 15;  // operations between room_o and their verdict
  localparam int unsigned Asks = 8;  // operations between ask and commit
  localparam int unsigned CasParts = 4;  // parts of a CAS number, each compared on its own
  localparam int unsigned CasPart = $bits(wc_pkg::cas_t) / CasParts;
  localparam seconds_t Past = 32'd1;  // an expiry that has passed: the first second of 1970

  // An item without its key.
  typedef struct packed {
    pointer_t   pointer;
    value_len_t value_len;
    logic [31:0] flags;
    cas_t       cas;
  } item_t;

  // The outcome of a write: what has become of its key's item and of its bucket's slots.
  typedef struct packed {
    logic     known;    // this write or one before it has changed the item: what memory says of
                        // the item does not count
    logic     present;  // there is an item
    mask_t    slot;     // the item's; none if there is no item
    mask_t    zero;     // slots that were freed and not taken again
    seconds_t expiry;
    item_t    item;
  } outcome_t;

  // ---- the ask, beside the comparators' stages -------------------------------------------------
  // A name ends in the cycles since the ask: _q3 is a register of stage 0, _q4 of stage 1, _q5 of
  // stage 2. The commit works from _q5.
  ask_t ask_q, ask_q2, ask_q3;
  logic ask_valid_q, ask_valid_q2, valid_q3;
  logic now_q2;  // a FLUSH or an activation takes effect: all items are dead

  always_ff @(posedge clk_i) begin
    ask_q <= ask_i;
    ask_q2 <= ask_q;
    ask_valid_q <= ask_valid_i;
    ask_valid_q2 <= ask_valid_q;
    if (rst_i) begin
      ask_valid_q <= 1'b0;
      ask_valid_q2 <= 1'b0;
    end
  end

  wc_index_flush u_flush (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .time_i    (time_i),
    .flush_i   (ask_valid_i && !ask_i.activate && ask_i.effect.flushes),
    .when_i    (when_i),
    .activate_i(ask_valid_i && ask_i.activate),
    .due_o     (due_o),
    .now_o     (now_q2)
  );

  // The wishes of the operations in here, oldest first. There is always room (asserted), so nothing
  // counts them. From its second cycle on an operation with a bucket is the only one in here, so
  // the oldest wish is its own.
  (* ram_style = "distributed" *) logic [$bits(wish_t)-1:0] wishes[Asks];
  logic [$clog2(Asks)-1:0] wish_in_q, wish_out_q;
  wish_t wish;
  logic wish_take;

  assign wish = wish_t'(wishes[wish_out_q]);

  always_ff @(posedge clk_i) begin
    wishes[wish_in_q] <= wish_i;
  end

  always_ff @(posedge clk_i) begin
    if (wish_valid_i) wish_in_q <= wish_in_q + 1'b1;
    if (wish_take) wish_out_q <= wish_out_q + 1'b1;
    if (rst_i) begin
      wish_in_q <= '0;
      wish_out_q <= '0;
    end
  end

  // ---- the outcome of the write before the operation -------------------------------------------
  outcome_t prior, prior_q, outcome;
  logic prior_dead, prior_dead_q;
  logic outcome_write, flush;
  logic [IdWidth-1:0] outcome_id_q;

  assign keep_o = ask_valid_q2 && ask_q2.memory;

  wc_index_outcome #(
    .data_t (outcome_t),
    .Entries(InFlight)
  ) u_outcomes (
    .clk_i     (clk_i),
    .read_id_i (ask_q2.prior[IdWidth-1:0]),
    .data_o    (prior),
    .dead_o    (prior_dead),
    .write_i   (outcome_write),
    .write_id_i(outcome_id_q),
    .data_i    (outcome),
    .flush_i   (flush)
  );

  // The outcome holds from stage 0 until the next operation with a bucket comes. Slots that the
  // writes in flight have changed are as the outcome says. In them (`hidden`) nothing that was read
  // counts. `own` is the one of them that holds the item of the operation's key.
  mask_t hidden_q, own_q;
  logic own_some_q, own_known_q;  // there is such a slot; this slot, or none, is the match
  logic prior_same;

  assign prior_same = ask_q2.forward == ForwardSame;

  always_ff @(posedge clk_i) begin
    if (keep_o) begin
      prior_q <= prior;
      prior_dead_q <= prior_dead;
      hidden_q <= ask_q2.forward != ForwardNone ? prior.slot | prior.zero : '0;
      own_q <= prior_same ? prior.slot : '0;
      own_some_q <= prior_same && prior.present;
      own_known_q <= prior_same && prior.known;
    end
  end

  // ---- stage 0: what memory says ---------------------------------------------------------------
  logic now_q3;
  mask_t match_q3, live_q3, cas_equal_q3;

  always_ff @(posedge clk_i) begin
    ask_q3 <= ask_q2;
    valid_q3 <= ask_valid_q2;
    now_q3 <= now_q2;
    match_q3 <= match_i;
    live_q3 <= live_i;
    cas_equal_q3 <= cas_equal_i;
    if (rst_i) valid_q3 <= 1'b0;
  end

  // ---- stage 1: what the bucket holds ----------------------------------------------------------
  ask_t ask_q4;
  logic valid_q4, now_q4;
  mask_t match_q4;  // the slot with the key
  mask_t live_q4, valid_slots_q4;  // live, and used, slots that are not hidden
  mask_t vacant_q4;  // the first slot that is not live
  mask_t fit_q4;     // the first dead slot whose block is large enough
  mask_t own_q4;
  logic any_match_q4, any_vacant_q4, hit_q4, cas_match_q4, own_hit_q4;
  logic [CasParts-1:0] own_cas_match_q4;  // by parts of the number
  logic own_some_q4;
  logic match_fits_q4;  // the block of the match is large enough
  logic any_fit_q4;     // the block of a dead slot is, and may be taken
  logic spare_q4;  // the class has a free block, which stays until this operation takes it
  demand_t demand_q4;
  logic changes_q4;  // the operation changes its item, and has a bucket that can be read
  logic blocked_q4;  // the operation may give no block back
  logic compares_q4; // it is a `cas`: others with a CAS number memcached does not count as one
  logic failed_q4;   // its bucket cannot be read: it finds nothing and changes nothing
  logic [Classes-1:0] size_class, size_class_q4;  // one-hot
  mask_t match, live, valid_slots, fits, vacant;
  logic changes;

  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      valid_slots[i] = kept_i[i].valid && !hidden_q[i];
      fits[i] = kept_i[i].pointer.size_class >= ask_q3.size_class;
    end
    for (int unsigned i = 0; i < Classes; i++) begin
      size_class[i] = ask_q3.size_class == size_class_t'(i);
    end
    changes = ask_q3.memory && ask_q3.effect.change != ChangeNone;
    live = live_q3 & ~hidden_q;
    match = match_q3 & ~hidden_q;
    // A dead slot has a block, which would have to go back.
    vacant = ~live & ~(give_full_i ? valid_slots : '0);
  end

  always_ff @(posedge clk_i) begin
    ask_q4 <= ask_q3;
    valid_q4 <= valid_q3;
    now_q4 <= now_q3;
    match_q4 <= own_known_q ? own_q : match;
    any_match_q4 <= own_known_q ? own_some_q : |match;
    own_q4 <= own_q;
    own_some_q4 <= own_some_q;
    size_class_q4 <= size_class;
    spare_q4 <= |(free_valid_i & size_class);
    demand_q4 <= demand_of(ask_q3.effect, ask_q3.cas_set, 1'b0, ask_q3.failed);
    changes_q4 <= valid_q3 && changes && !ask_q3.failed;
    failed_q4 <= ask_q3.failed;
    compares_q4 <= ask_q3.cas_set && ask_q3.effect.compares
                   && ask_q3.effect.change == ChangeItem && !ask_q3.failed;
    live_q4 <= live;
    valid_slots_q4 <= valid_slots;
    vacant_q4 <= mask_t'(lowest(16'(vacant)));
    any_vacant_q4 <= |vacant;
    blocked_q4 <= give_full_i;
    fit_q4 <= mask_t'(lowest(16'(mask_t'(valid_slots & ~live & fits))));
    any_fit_q4 <= |(valid_slots & ~live & fits) && !give_full_i;
    match_fits_q4 <= own_some_q ? prior_q.item.pointer.size_class >= ask_q3.size_class :
                                  |(match & fits);
    hit_q4 <= |(match & live) && !ask_q3.failed;
    cas_match_q4 <= |(match & cas_equal_q3);
    own_hit_q4 <= !prior_dead_q && !ask_q3.failed &&
                  (prior_q.expiry == '0 || prior_q.expiry > time_i);
    for (int unsigned i = 0; i < CasParts; i++) begin
      own_cas_match_q4[i] <= prior_q.item.cas[CasPart*i+:CasPart] == wish.cas[CasPart*i+:CasPart];
    end
    if (rst_i) begin
      valid_q4 <= 1'b0;
      changes_q4 <= 1'b0;
    end
  end

  // ---- stage 2: which slot, which block, and whether -------------------------------------------
  ask_t ask_q5;
  logic valid_q5, now_q5;
  mask_t slot_q5;    // the slot with the key, else the slot to be taken
  mask_t source_q5;  // the slot whose block a SET may take again
  mask_t dead_q5;    // expired or flushed slots that are to be freed
  mask_t own_q5;
  item_t item_q5;    // the match as memory has it; its pointer is that of source_q5
  logic own_some_q5;
  logic dead_slot_q5;  // slot_q5 is one of dead_q5
  logic [Classes-1:0] size_class_q5;
  pointer_t spare_pointer_q5;  // of the class' free block
  logic reads_q5, known_q5, full_q5;
  logic told_q5;     // the verdict has the old item's pointer: of what reads or touches, or of a
                     // SET or DELETE that takes the old block again or leaves it in the slot
  logic touched_q5;  // a TOUCH or GAT hits: the item gets another expiry
  logic buried_q5;   // the item is not erased but expires, as its block cannot go back
  logic stays_q5;    // touched or buried: all but the expiry stays as it is
  logic blocked_q5;
  logic stored_q5;    // a SET stores
  logic no_block_q5;  // a SET fails for want of a block
  logic take_q5;      // a SET takes a free block
  logic deleted_q5;   // an operation that removes hits
  logic erased_q5;    // such a one hits, or a SET without a block drops the old item
  logic give_slot_q5;    // the block of slot_q5 goes back
  logic keep_source_q5;  // the block of source_q5 does not
  logic refuses_q5;
  logic cas_hit_q5, cas_badval_q5, cas_miss_q5;
  status_e status_q5;
  decision_t decision;  // what is to become of the operation, if there is room
  logic hit, same, place, reuse, spare_fits, try, erase, touch, bury, chosen_valid;
  mask_t chosen, source, dead;
  item_t item;
  pointer_t spare;

  assign hit = own_some_q4 ? own_hit_q4 : hit_q4;
  assign same = own_some_q4 ? &own_cas_match_q4 : cas_match_q4;
  assign decision = decide(demand_q4, hit, same, 1'b1, 1'b1);
  assign place = any_match_q4 || any_vacant_q4;
  assign chosen = any_match_q4 ? match_q4 : vacant_q4;
  assign source = any_match_q4 ? match_q4 : fit_q4;
  assign chosen_valid = |(chosen & (valid_slots_q4 | own_q4));
  assign dead = changes_q4 && !blocked_q4 ?
                (valid_slots_q4 & ~live_q4) | (own_hit_q4 ? '0 : own_q4) : '0;
  assign reuse = any_match_q4 ? match_fits_q4 : any_fit_q4;
  assign try = changes_q4 && decision.stores && place;
  // With a new block for a key that has one, the old one would have to go back.
  assign spare_fits = spare_q4 && !(blocked_q4 && any_match_q4);
  assign erase = changes_q4 && decision.removes;
  assign touch = changes_q4 && decision.touches;
  assign bury = blocked_q4 && (erase || (try && hit && !reuse));

  always_comb begin
    item = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      item.pointer |= {$bits(pointer_t){source[i]}} & kept_i[i].pointer;
      item.value_len |= {$bits(value_len_t){match_q4[i]}} & value_len_t'(kept_i[i].value_len);
      item.flags |= {32{match_q4[i]}} & kept_i[i].flags;
      item.cas |= {$bits(cas_t){match_q4[i]}} & cas_i[i];
    end
    spare = '0;
    for (int unsigned i = 0; i < Classes; i++) begin
      spare |= {$bits(pointer_t){size_class_q4[i]}} & free_i[i];
    end
  end

  always_ff @(posedge clk_i) begin
    ask_q5 <= ask_q4;
    valid_q5 <= valid_q4;
    now_q5 <= now_q4;
    slot_q5 <= chosen;
    source_q5 <= source;
    told_q5 <= reuse || ask_q4.effect.reads || ask_q4.effect.change == ChangeExpiry || bury;
    touched_q5 <= touch;
    buried_q5 <= bury;
    blocked_q5 <= blocked_q4 && changes_q4;
    dead_q5 <= dead;
    dead_slot_q5 <= |(chosen & dead);
    own_q5 <= own_q4;
    own_some_q5 <= own_some_q4;
    size_class_q5 <= size_class_q4;
    spare_pointer_q5 <= spare;
    item_q5 <= item;
    known_q5 <= any_match_q4;
    reads_q5 <= decision.reads;
    stored_q5 <= try && (reuse || spare_fits);
    take_q5 <= try && !reuse && spare_fits;
    no_block_q5 <= try && !reuse && !spare_fits;
    deleted_q5 <= erase;
    // memcached, too, drops the old item when there is no room for the new one.
    erased_q5 <= !blocked_q4 && (erase || (try && hit && !reuse && !spare_q4));
    give_slot_q5 <= !blocked_q4 && (erase || (try && (reuse || spare_q4 ? chosen_valid : hit)));
    keep_source_q5 <= try && reuse;
    full_q5 <= decision.stores && !place;
    refuses_q5 <= demand_q4.refuses;
    cas_hit_q5 <= compares_q4 && hit && same;
    cas_badval_q5 <= compares_q4 && hit && !same;
    cas_miss_q5 <= compares_q4 && !hit;
    status_q5 <= decision.status;
    if (decision.stores && !(place && (reuse || spare_fits))) status_q5 <= StNoMemory;
    if (rst_i) begin
      valid_q5 <= 1'b0;
      stored_q5 <= 1'b0;
      touched_q5 <= 1'b0;
      buried_q5 <= 1'b0;
      take_q5 <= 1'b0;
      erased_q5 <= 1'b0;
      give_slot_q5 <= 1'b0;
      now_q5 <= 1'b0;
      dead_q5 <= '0;
    end
  end

  // ---- stage 3: commit -------------------------------------------------------------------------
  cas_t next_cas_q;  // the number of the next item that is stored
  mask_t freed, give;
  pointer_t [Slots-1:0] pointers;
  item_t told;  // the item that was there
  pointer_t pointer;
  slot_t slot;
  logic flushed_q;

  always_comb begin
    slot = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      pointers[i] = own_q5[i] ? prior_q.item.pointer : kept_i[i].pointer;
      if (slot_q5[i]) slot |= slot_t'(i);
    end
  end

  assign stays_q5 = touched_q5 || buried_q5;
  assign told = own_some_q5 ? prior_q.item : item_q5;
  assign pointer = told_q5 ? told.pointer : spare_pointer_q5;
  assign free_ready_o = {Classes{take_q5}} & size_class_q5;

  // `freed`: slots that become free. `give`: slots whose blocks go back, also that of an item that
  // is replaced.
  assign freed = stored_q5 ? dead_q5 & ~slot_q5 : erased_q5 ? dead_q5 | slot_q5 : dead_q5;
  assign give = (dead_q5 | (give_slot_q5 ? slot_q5 : '0)) & ~(keep_source_q5 ? source_q5 : '0);

  // The outcome is what the operation has done, else the outcome of the write before it.
  logic commit_same;
  assign commit_same = ask_q5.forward == ForwardSame;
  assign outcome_write = valid_q5 && ask_q5.memory && ask_q5.effect.change != ChangeNone;

  always_comb begin
    outcome = prior_q;
    // The flag of a flush is not taken over: an item that was flushed stays dead as if expired.
    if (prior_dead_q) outcome.expiry = Past;
    if (stored_q5) begin
      outcome.known = 1'b1;
      outcome.present = 1'b1;
      outcome.slot = slot_q5;
      outcome.expiry = wish.expiry;
      outcome.item = '{
          pointer: pointer,
          value_len: wish.value_len,
          flags: wish.flags,
          cas: next_cas_q
      };
    end else if (stays_q5) begin
      outcome.known = 1'b1;
      outcome.present = 1'b1;
      outcome.slot = slot_q5;
      outcome.expiry = buried_q5 ? Past : wish.expiry;
      outcome.item = told;
    end else if ((known_q5 && (erased_q5 || dead_slot_q5)) || !commit_same) begin
      outcome.known = known_q5 && (erased_q5 || dead_slot_q5);
      outcome.present = 1'b0;
      outcome.slot = '0;
    end
    outcome.zero = freed | (commit_same ? prior_q.zero : '0);
    if (stored_q5) outcome.zero &= ~slot_q5;
  end

  // The comparators work with a floor that may be two cycles old, so each item that they compared
  // before a flush was committed is dead.
  assign flush = now_q5;
  assign flushed_o = now_q5 || flushed_q;

  always_ff @(posedge clk_i) begin
    flushed_q <= now_q5;
    if (stored_q5 || (now_q5 && !ask_q5.activate)) next_cas_q <= next_cas_q + 1'b1;
    if (now_q5) floor_o <= next_cas_q;
    if (outcome_write) outcome_id_q <= outcome_id_q + 1'b1;
    if (rst_i) begin
      flushed_q <= 1'b0;
      next_cas_q <= cas_t'(1);
      floor_o <= '0;
      outcome_id_q <= '0;
    end
  end

  assign wish_take = valid_q5 && !ask_q5.activate;

  // ---- out -------------------------------------------------------------------------------------
  verdict_t verdict_q;
  logic verdict_valid_q, verdict_room;

  always_ff @(posedge clk_i) begin
    give_valid_o <= |give;
    give_slots_o <= give;
    give_dead_o <= dead_q5;
    give_pointers_o <= pointers;
    verdict_valid_q <= valid_q5 && !ask_q5.activate;
    verdict_q <= '{
        status: status_q5,
        unread: ask_q5.unread,
        write: stored_q5 && !known_q5 ? WriteItem :
               stored_q5 || stays_q5 ? WriteHeader : |freed ? WriteFree : WriteNone,
        slot: slot,
        freed: slots_t'(freed),
        value_len: reads_q5 || stays_q5 ? told.value_len : wish.value_len,
        flags: reads_q5 || stays_q5 ? told.flags : wish.flags,
        expiry: buried_q5 ? Past : wish.expiry,
        cas: ask_q5.effect.reads || stays_q5 ? told.cas : next_cas_q,
        pointer: pointer
    };
    events_o <= '0;
    bucket_events_o <= '0;
    if (valid_q5 && !ask_q5.activate) begin
      events_o.get <= ask_q5.effect.reads;
      events_o.get_hit <= reads_q5;
      events_o.set <= ask_q5.effect.change == ChangeItem;
      events_o.cas_hit <= cas_hit_q5;
      events_o.cas_badval <= cas_badval_q5;
      events_o.cas_miss <= cas_miss_q5;
      bucket_events_o.set_full <= full_q5;
      bucket_events_o.set_no_block <= no_block_q5;
      events_o.del <= ask_q5.effect.change == ChangeRemove && !refuses_q5;
      events_o.del_hit <= deleted_q5 && !refuses_q5;
      events_o.touch <= ask_q5.effect.change == ChangeExpiry;
      events_o.touch_hit <= touched_q5;
      events_o.flush <= ask_q5.effect.flushes;
      events_o.other <= ask_q5.op == OpNone && !ask_q5.error;
      bucket_events_o.blocked <= blocked_q5;
      events_o.failed <= ask_q5.failed;
      events_o.error <= refuses_q5 || (ask_q5.op == OpNone && ask_q5.error);
    end
    if (rst_i) begin
      give_valid_o <= 1'b0;
      verdict_valid_q <= 1'b0;
    end
  end

  assign room_o = verdict_room && give_room_i;

  wc_credit_fifo #(
    .data_t(verdict_t),
    .Depth (VerdictDepth),
    .Slack (VerdictSlack)
  ) u_verdicts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (verdict_room),
    .valid_i(verdict_valid_q),
    .data_i (verdict_q),
    .valid_o(verdict_valid_o),
    .ready_i(verdict_ready_i),
    .data_o (verdict_o)
  );

  logic unused;
  assign unused = ask_q5.cas_set ^ ^ask_q5.prior;

  `WC_ASSERT(blocked_gives_nothing, !blocked_q5 || give == '0)
  `WC_ASSERT(failed_changes_nothing, !(valid_q5 && ask_q5.failed) ||
             (give == '0 && freed == '0 && !stored_q5 && !stays_q5 && !take_q5 && !reads_q5))
  `WC_ASSERT(wish_there, !wish_take || wish_in_q != wish_out_q)
  `WC_ASSERT(wish_has_room, !wish_valid_i || wish_in_q + 1'b1 != wish_out_q)
  `WC_ASSERT(apart, !keep_o || !(valid_q3 || valid_q4 || valid_q5))
  `WC_ASSERT(one_match, !(valid_q4 && ask_q4.memory && !failed_q4) || $onehot0(match_q4))

endmodule

`default_nettype wire
