// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of each operation, in order and one at a time: which slot, which block,
// which CAS, which status, which expired slots go. Four stages from the comparators' results to the
// commit, in which the CAS counter, the flush, the free pointers and the outcome of a SET or DELETE
// change; operations with a bucket come at least four cycles apart, so each sees what the one
// before has done. One that was sent off behind a write of its bucket sees the outcome of that
// write in place of the slots that memory may not yet hold. Nothing stalls in here: room_o promises
// space for the verdicts and deleted pointers of all that can be on the way.
// Latency from the ask 5 to the commit, 7 to the verdict; an operation a cycle.
// Long because its stages, cut in two, would hand each other a port for most of their registers.
`include "wc_assert.svh"
`default_nettype none

module wc_index_decide #(
  parameter int unsigned Slots    = 8,
  parameter int unsigned InFlight = 64
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_i,
  input  wire wc_pkg::seconds_t                         time_i,
  // what the operation wants, as its last line is taken
  input  wire logic                                     wish_valid_i,
  input  wire wc_index_pkg::wish_t                      wish_i,
  // asked two cycles before the comparators' results
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
  output logic                                          deleted_valid_o,
  input  wire logic                                     deleted_ready_i,
  output wc_pkg::pointer_t                              deleted_o,
  // the decision
  output logic                                          verdict_valid_o,
  input  wire logic                                     verdict_ready_i,
  output wc_index_pkg::verdict_t                        verdict_o,
  output logic                                          reclaim_o,  // a dead slot's pointer leaves
  output wc_pkg::index_events_t                         events_o  // of the decision
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  typedef logic [Slots-1:0] mask_t;

  localparam int unsigned IdWidth = $clog2(InFlight);
  localparam int unsigned VerdictDepth = 32;
  localparam int unsigned Asks = 8;  // between ask and commit
  localparam int unsigned CasParts = 4;  // of a CAS number, compared apart
  localparam int unsigned CasPart = $bits(wc_pkg::cas_t) / CasParts;

  function automatic mask_t lowest(mask_t slots);
    return slots & (~slots + 1'b1);
  endfunction

  // What an item is, beside its key.
  typedef struct packed {
    pointer_t   pointer;
    value_len_t value_len;
    logic [31:0] flags;
    cas_t       cas;
  } item_t;

  // What a SET or DELETE leaves behind of its key, and of its bucket.
  typedef struct packed {
    logic     known;    // it or one before it has touched the item: memory has no say in it
    logic     present;  // there is an item
    mask_t    slot;     // where; none if there is no item
    mask_t    zero;     // slots that were freed and not taken again
    seconds_t expiry;
    item_t    item;
  } outcome_t;

  // ---- the ask comes along with the comparators' stages ----------------------------------------
  ask_t ask_q, ask_q2, ask_q3;
  logic ask_valid_q, ask_valid_q2, valid_q3;
  logic now_q2;  // FLUSH or activation: all is dead

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
    .flush_i   (ask_valid_i && !ask_i.activate && ask_i.op == OpFlush),
    .when_i    (when_i),
    .activate_i(ask_valid_i && ask_i.activate),
    .due_o     (due_o),
    .now_o     (now_q2)
  );

  // What the operations here want, oldest first: there is always room, so nobody counts them. An
  // operation with a bucket is the only one here from its second cycle on, so what is oldest is its
  // own.
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

  // ---- what the write before it has left behind ------------------------------------------------
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

  // Until the next operation's come. Slots that the chain of writes before has touched are as its
  // outcome says: `hidden` are those of which nothing that was read counts, `own` says that the
  // item of this key is one of them.
  mask_t hidden_q, own_q;
  logic own_some_q, own_known_q;  // there is such a slot; it or none is the match
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

  // ---- stage 1: what there is ------------------------------------------------------------------
  ask_t ask_q4;
  logic valid_q4, now_q4;
  mask_t match_q4;  // the slot with the key
  mask_t live_q4, valid_slots_q4;  // those not hidden
  mask_t vacant_q4, fit_q4;  // the first not live; the first dead with a block large enough
  mask_t own_q4;
  logic any_match_q4, any_vacant_q4, hit_q4, cas_match_q4, own_hit_q4;
  logic [CasParts-1:0] own_cas_match_q4;  // parts of the number
  logic own_some_q4;
  logic match_fits_q4, any_fit_q4;  // a block there is large enough: that of the match, of any dead
  logic spare_q4;  // the class has a free block, which stays until this operation takes it
  logic set_q4, delete_q4;  // it is one, and has a bucket
  logic [Classes-1:0] size_class, size_class_q4;  // one-hot
  mask_t match, live, valid_slots, fits;

  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      valid_slots[i] = kept_i[i].valid && !hidden_q[i];
      fits[i] = kept_i[i].pointer.size_class >= ask_q3.size_class;
    end
    for (int unsigned i = 0; i < Classes; i++) begin
      size_class[i] = ask_q3.size_class == size_class_t'(i);
    end
    live = live_q3 & ~hidden_q;
    match = match_q3 & ~hidden_q;
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
    set_q4 <= valid_q3 && ask_q3.memory && ask_q3.op == OpSet;
    delete_q4 <= valid_q3 && ask_q3.memory && ask_q3.op == OpDelete;
    live_q4 <= live;
    valid_slots_q4 <= valid_slots;
    vacant_q4 <= lowest(~live);
    any_vacant_q4 <= !(&live);
    fit_q4 <= lowest(valid_slots & ~live & fits);
    any_fit_q4 <= |(valid_slots & ~live & fits);
    match_fits_q4 <= own_some_q ? prior_q.item.pointer.size_class >= ask_q3.size_class :
                                  |(match & fits);
    hit_q4 <= |(match & live);
    cas_match_q4 <= |(match & cas_equal_q3);
    own_hit_q4 <= !prior_dead_q && (prior_q.expiry == '0 || prior_q.expiry > time_i);
    for (int unsigned i = 0; i < CasParts; i++) begin
      own_cas_match_q4[i] <= prior_q.item.cas[CasPart*i+:CasPart] == wish.cas[CasPart*i+:CasPart];
    end
    if (rst_i) begin
      valid_q4 <= 1'b0;
      set_q4 <= 1'b0;
      delete_q4 <= 1'b0;
    end
  end

  // ---- stage 2: which slot, which block, and whether -------------------------------------------
  ask_t ask_q5;
  logic valid_q5, now_q5;
  mask_t slot_q5;    // with the key, or to be taken
  mask_t source_q5;  // whose block is taken again
  mask_t dead_q5;    // expired or flushed, and to be freed
  mask_t own_q5;
  item_t item_q5;    // of the match as memory has it; its pointer is that of source_q5
  logic own_some_q5, dead_slot_q5;  // dead_slot_q5: slot_q5 is one of dead_q5
  logic [Classes-1:0] size_class_q5;
  pointer_t spare_pointer_q5;  // of the class' free block
  logic get_q5, get_hit_q5, known_q5, full_q5;
  logic told_q5;     // the pointer is the old item's: of a GET, or its block is taken again
  logic stored_q5;   // a SET is
  logic no_block_q5;  // or fails for want of a block
  logic take_q5;     // it takes a free block
  logic deleted_q5;  // a DELETE that hits
  logic erased_q5;   // that, or a SET without a block, which drops the old item
  logic give_slot_q5;    // the block in slot_q5 goes
  logic keep_source_q5;  // that of source_q5 does not
  status_e status_q5;
  logic is_get, is_set, is_delete, cas_ok, hit, reuse, try, erase, chosen_valid;
  mask_t chosen, source, dead;
  item_t item;
  pointer_t spare;

  assign is_get = ask_q4.op == OpGet;
  assign is_set = ask_q4.op == OpSet;
  assign is_delete = ask_q4.op == OpDelete;
  assign hit = own_some_q4 ? own_hit_q4 : hit_q4;
  assign cas_ok = !ask_q4.cas_set || (own_some_q4 ? &own_cas_match_q4 : cas_match_q4);
  assign chosen = any_match_q4 ? match_q4 : vacant_q4;
  assign source = any_match_q4 ? match_q4 : fit_q4;
  assign chosen_valid = |(chosen & (valid_slots_q4 | own_q4));
  assign dead = set_q4 || delete_q4 ?
                (valid_slots_q4 & ~live_q4) | (own_hit_q4 ? '0 : own_q4) : '0;
  assign reuse = any_match_q4 ? match_fits_q4 : any_fit_q4;
  assign try = set_q4 && (any_match_q4 || any_vacant_q4) && (hit ? cas_ok : !ask_q4.cas_set);
  assign erase = delete_q4 && hit && cas_ok;

  always_comb begin
    item = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      item.pointer |= {$bits(pointer_t){source[i]}} & kept_i[i].pointer;
      item.value_len |= {$bits(value_len_t){match_q4[i]}} & kept_i[i].value_len;
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
    told_q5 <= reuse || is_get;
    dead_q5 <= dead;
    dead_slot_q5 <= |(chosen & dead);
    own_q5 <= own_q4;
    own_some_q5 <= own_some_q4;
    size_class_q5 <= size_class_q4;
    spare_pointer_q5 <= spare;
    item_q5 <= item;
    known_q5 <= any_match_q4;
    get_q5 <= is_get;
    get_hit_q5 <= is_get && hit;
    stored_q5 <= try && (reuse || spare_q4);
    take_q5 <= try && !reuse && spare_q4;
    no_block_q5 <= try && !reuse && !spare_q4;
    deleted_q5 <= erase;
    // memcached, too, drops the old item when there is no room for the new one.
    erased_q5 <= erase || (try && hit && !reuse && !spare_q4);
    give_slot_q5 <= erase || (try && (reuse || spare_q4 ? chosen_valid : hit));
    keep_source_q5 <= try && reuse;
    status_q5 <= try && !reuse && !spare_q4 ? StNoMemory : StOk;
    full_q5 <= 1'b0;
    if (!hit && (is_get || is_delete || (is_set && ask_q4.cas_set))) begin
      status_q5 <= StNotFound;
    end else if (hit && !cas_ok && (is_delete || is_set)) begin
      status_q5 <= StExists;
    end else if (is_set && !any_match_q4 && !any_vacant_q4) begin
      status_q5 <= StNoMemory;
      full_q5 <= 1'b1;
    end
    if (rst_i) begin
      valid_q5 <= 1'b0;
      stored_q5 <= 1'b0;
      take_q5 <= 1'b0;
      erased_q5 <= 1'b0;
      give_slot_q5 <= 1'b0;
      now_q5 <= 1'b0;
      dead_q5 <= '0;
    end
  end

  // ---- stage 3: commit -------------------------------------------------------------------------
  cas_t next_cas_q;  // that the next item gets
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

  assign told = own_some_q5 ? prior_q.item : item_q5;
  assign pointer = told_q5 ? told.pointer : spare_pointer_q5;
  assign free_ready_o = {Classes{take_q5}} & size_class_q5;

  // Slots to be freed; and those whose blocks go, that of an item replaced among them.
  assign freed = stored_q5 ? dead_q5 & ~slot_q5 : erased_q5 ? dead_q5 | slot_q5 : dead_q5;
  assign give = (dead_q5 | (give_slot_q5 ? slot_q5 : '0)) & ~(keep_source_q5 ? source_q5 : '0);

  // What it leaves behind: what it has done itself, else what the write before it has.
  logic commit_same;
  assign commit_same = ask_q5.forward == ForwardSame;
  assign outcome_write = valid_q5 && ask_q5.memory && ask_q5.op inside {OpSet, OpDelete};

  always_comb begin
    outcome = prior_q;
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
    end else if ((known_q5 && (erased_q5 || dead_slot_q5)) || !commit_same) begin
      outcome.known = known_q5 && (erased_q5 || dead_slot_q5);
      outcome.present = 1'b0;
      outcome.slot = '0;
    end
    outcome.zero = freed | (commit_same ? prior_q.zero : '0);
    if (stored_q5) outcome.zero &= ~slot_q5;
  end

  // The comparators work with a floor that may be up to two cycles old: what they found before a
  // flush was committed is dead.
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
  logic verdict_valid_q, give_q;
  mask_t give_slots_q, give_dead_q;
  pointer_t [Slots-1:0] give_pointers_q;
  logic verdict_room_q, give_room;
  logic [$clog2(VerdictDepth):0] verdict_level;

  always_ff @(posedge clk_i) begin
    give_q <= |give;
    give_slots_q <= give;
    give_dead_q <= dead_q5;
    give_pointers_q <= pointers;
    verdict_valid_q <= valid_q5 && !ask_q5.activate;
    verdict_q <= '{
        status: status_q5,
        write: stored_q5 ? (known_q5 ? WriteHeader : WriteItem) : |freed ? WriteFree : WriteNone,
        slot: slot,
        freed: slots_t'(freed),
        value_len: get_hit_q5 ? told.value_len : wish.value_len,
        flags: get_hit_q5 ? told.flags : wish.flags,
        expiry: wish.expiry,
        cas: get_q5 ? told.cas : next_cas_q,
        pointer: pointer
    };
    events_o <= '0;
    if (valid_q5 && !ask_q5.activate) begin
      events_o.get <= get_q5;
      events_o.get_hit <= get_hit_q5;
      events_o.set <= ask_q5.op == OpSet;
      events_o.set_full <= full_q5;
      events_o.set_no_block <= no_block_q5;
      events_o.del <= ask_q5.op == OpDelete;
      events_o.del_hit <= deleted_q5;
      events_o.flush <= ask_q5.op == OpFlush;
      events_o.other <= ask_q5.op == OpNone && !ask_q5.error;
      events_o.error <= ask_q5.op == OpNone && ask_q5.error;
    end
    verdict_room_q <= verdict_level < ($clog2(VerdictDepth) + 1)'(VerdictDepth / 2);
    if (rst_i) begin
      give_q <= 1'b0;
      verdict_valid_q <= 1'b0;
      verdict_room_q <= 1'b0;
    end
  end

  assign room_o = verdict_room_q && give_room;

  logic verdict_ready;

  wc_fifo #(
    .data_t(verdict_t),
    .Depth (VerdictDepth)
  ) u_verdicts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(verdict_valid_q),
    .ready_o(verdict_ready),
    .data_i (verdict_q),
    .valid_o(verdict_valid_o),
    .ready_i(verdict_ready_i),
    .data_o (verdict_o),
    .level_o(verdict_level)
  );

  wc_index_give #(
    .Slots(Slots)
  ) u_give (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .room_o         (give_room),
    .valid_i        (give_q),
    .slots_i        (give_slots_q),
    .dead_i         (give_dead_q),
    .pointers_i     (give_pointers_q),
    .deleted_valid_o(deleted_valid_o),
    .deleted_ready_i(deleted_ready_i),
    .deleted_o      (deleted_o),
    .reclaim_o      (reclaim_o)
  );

  logic unused;
  assign unused = ask_q5.cas_set ^ ^ask_q5.prior;

  `WC_ASSERT(verdict_has_room, !verdict_valid_q || verdict_ready)
  `WC_ASSERT(wish_there, !wish_take || wish_in_q != wish_out_q)
  `WC_ASSERT(wish_has_room, !wish_valid_i || wish_in_q + 1'b1 != wish_out_q)
  `WC_ASSERT(apart, !keep_o || !(valid_q3 || valid_q4 || valid_q5))
  `WC_ASSERT(one_match, !(valid_q4 && ask_q4.memory) || $onehot0(match_q4))

endmodule

`default_nettype wire
