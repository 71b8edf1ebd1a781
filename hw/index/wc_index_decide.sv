// SPDX-License-Identifier: Apache-2.0
// Decides what becomes of each operation, in order and one at a time: which slot, which block,
// which CAS, which status. Four stages from the comparators' results to the commit, in which the
// CAS counter, the flush and the free pointers change; operations with a bucket come at least four
// cycles apart, so each sees what the one before has done. Nothing stalls in here: room_o promises
// space for the verdicts and deleted pointers of all that can be on the way. Place of the next
// issue's sweep: old_valid_i and live_i of the slots that were not chosen.
// Latency 5, an operation a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_index_decide #(
  parameter int unsigned Slots = 8
) (
  input  wire logic                                     clk_i,
  input  wire logic                                     rst_i,
  input  wire wc_pkg::seconds_t                         time_i,
  // asked two cycles before the comparators' results
  input  wire logic                                     ask_valid_i,
  input  wire wc_index_pkg::ask_t                       ask_i,
  input  wire wc_pkg::seconds_t                         when_i,
  input  wire logic                                     head_i,    // which header line it is
  input  wire logic                                     expiry_i,
  output logic                                          due_o,
  output logic                                          room_o,
  // the comparators
  output wc_pkg::cas_t                                  floor_o,
  output logic                                          flushed_o,
  output logic                                          keep_o,
  input  wire logic [Slots-1:0]                         match_i,
  input  wire logic [Slots-1:0]                         cas_equal_i,
  input  wire logic [Slots-1:0]                         live_i,
  input  wire wc_pkg::word_t [Slots-1:0]                stripe_i,
  input  wire logic [Slots-1:0]                         old_valid_i,
  input  wire wc_pkg::pointer_t [Slots-1:0]             old_pointer_i,
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
  output wc_pkg::index_events_t                         events_o  // all but stall
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  typedef logic [Slots-1:0] slots_t;

  localparam int unsigned DeletedDepth = 16;
  localparam int unsigned VerdictDepth = 32;

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

  // ---- the matching slot's header, line by line ------------------------------------------------
  word_t selected_q;
  value_len_t value_len_q;
  pointer_t pointer_q;
  logic [31:0] flags_q;
  cas_t cas_q;
  word_t selected;
  head_t selected_head;

  assign selected_head = head_t'(selected_q);

  always_comb begin
    selected = '0;
    for (int unsigned i = 0; i < Slots; i++) selected |= {WordWidth{match_i[i]}} & stripe_i[i];
  end

  assign keep_o = ask_valid_q2 && ask_q2.memory;

  logic [2:0] head_q, expiry_q;  // one bit a cycle

  // Each is there when the decision needs it, and until the next operation's can come.
  always_ff @(posedge clk_i) begin
    selected_q <= selected;
    head_q <= {head_q[1:0], head_i};
    expiry_q <= {expiry_q[1:0], expiry_i};
    if (head_q[2]) begin
      value_len_q <= selected_head.value_len;
      pointer_q <= selected_head.pointer;
    end
    if (expiry_q[2]) flags_q <= selected_q[63:32];
    if (valid_q3 && ask_q3.memory) cas_q <= selected_q;
  end

  // ---- stage 0: what there is ------------------------------------------------------------------
  logic now_q3;
  slots_t match_q3, vacant_q3;
  logic any_match_q3, any_vacant_q3, live_match_q3, cas_match_q3;

  always_ff @(posedge clk_i) begin
    ask_q3 <= ask_q2;
    valid_q3 <= ask_valid_q2;
    now_q3 <= now_q2;
    match_q3 <= match_i;
    vacant_q3 <= ~live_i & (live_i + 1'b1);  // the first one
    any_match_q3 <= |match_i;
    any_vacant_q3 <= !(&live_i);
    live_match_q3 <= |(match_i & live_i);
    cas_match_q3 <= |(match_i & cas_equal_i);
    if (rst_i) valid_q3 <= 1'b0;
  end

  // ---- stage 1: which slot, and whether --------------------------------------------------------
  ask_t ask_q4;
  logic valid_q4, now_q4;
  slots_t chosen_q4;
  logic hit_q4, known_q4, full_q4, try_q4, erase_q4;
  status_e status_q4;  // unless a SET fails for want of a block
  logic is_get, is_set, is_delete, cas_ok;

  assign is_get = ask_q3.op == OpGet;
  assign is_set = ask_q3.op == OpSet;
  assign is_delete = ask_q3.op == OpDelete;
  assign cas_ok = !ask_q3.cas_set || cas_match_q3;

  always_ff @(posedge clk_i) begin
    ask_q4 <= ask_q3;
    valid_q4 <= valid_q3;
    now_q4 <= now_q3;
    chosen_q4 <= any_match_q3 ? match_q3 : vacant_q3;
    known_q4 <= any_match_q3;
    hit_q4 <= live_match_q3;
    status_q4 <= StOk;
    full_q4 <= 1'b0;
    try_q4 <= 1'b0;
    erase_q4 <= 1'b0;
    if (!live_match_q3 && (is_get || is_delete || (is_set && ask_q3.cas_set))) begin
      status_q4 <= StNotFound;
    end else if (live_match_q3 && !cas_ok && (is_delete || is_set)) begin
      status_q4 <= StExists;
    end else if (is_set && !any_match_q3 && !any_vacant_q3) begin
      status_q4 <= StNoMemory;
      full_q4 <= 1'b1;
    end else begin
      try_q4 <= is_set && ask_q3.memory && valid_q3;
      erase_q4 <= is_delete && ask_q3.memory && valid_q3;
    end
    if (rst_i) valid_q4 <= 1'b0;
  end

  // ---- stage 2: what that slot holds -----------------------------------------------------------
  ask_t ask_q5;

  logic unused;
  assign unused = ^{selected_head.valid, selected_head.zero, selected_head.key_len,
                    ask_q5.memory, ask_q5.cas_set};

  logic valid_q5, now_q5;
  slot_t slot_q5;
  logic hit_q5, known_q5, full_q5, try_q5, erase_q5;
  status_e status_q5;
  logic old_valid_q5, reuse_q5;
  pointer_t old_q5;
  pointer_t old;
  logic old_valid;
  slot_t slot;

  always_comb begin
    old = '0;
    old_valid = 1'b0;
    slot = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      old |= {$bits(pointer_t){chosen_q4[i]}} & old_pointer_i[i];
      old_valid |= chosen_q4[i] && old_valid_i[i];
      if (chosen_q4[i]) slot |= slot_t'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    ask_q5 <= ask_q4;
    valid_q5 <= valid_q4;
    now_q5 <= now_q4;
    {hit_q5, known_q5, full_q5, try_q5, erase_q5} <= {hit_q4, known_q4, full_q4, try_q4, erase_q4};
    status_q5 <= status_q4;
    slot_q5 <= slot;
    old_q5 <= old;
    old_valid_q5 <= old_valid;
    reuse_q5 <= old_valid && old.size_class >= ask_q4.size_class;
    if (rst_i) begin
      valid_q5 <= 1'b0;
      try_q5 <= 1'b0;
      erase_q5 <= 1'b0;
      now_q5 <= 1'b0;
    end
  end

  // ---- stage 3: commit -------------------------------------------------------------------------
  cas_t next_cas_q;  // that the next item gets
  logic [Classes-1:0] need, take;
  logic block, stored, no_block, give;
  pointer_t block_pointer;
  logic flushed_q;

  always_comb begin
    block_pointer = old_q5;
    for (int unsigned i = 0; i < Classes; i++) begin
      need[i] = try_q5 && !reuse_q5 && ask_q5.size_class == size_class_t'(i);
      if (!reuse_q5 && ask_q5.size_class == size_class_t'(i)) block_pointer = free_i[i];
    end
  end

  assign take = need & free_valid_i;
  assign free_ready_o = need;
  assign block = |take;
  assign stored = block || (try_q5 && reuse_q5);
  assign no_block = try_q5 && !reuse_q5 && !block;
  // A block that a new one replaces, or whose item goes; memcached, too, drops the old item when
  // there is no room for the new one.
  assign give = (block && old_valid_q5) || (no_block && hit_q5) || erase_q5;

  // The comparators work with a floor that may be up to two cycles old: what they found before a
  // flush was committed is dead.
  assign flushed_o = now_q5 || flushed_q;

  always_ff @(posedge clk_i) begin
    flushed_q <= now_q5;
    if (stored || (now_q5 && !ask_q5.activate)) next_cas_q <= next_cas_q + 1'b1;
    if (now_q5) floor_o <= next_cas_q;
    if (rst_i) begin
      flushed_q <= 1'b0;
      next_cas_q <= cas_t'(1);
      floor_o <= '0;
    end
  end

  // ---- out -------------------------------------------------------------------------------------
  verdict_t verdict_q;
  logic verdict_valid_q, give_q;
  pointer_t give_pointer_q;
  logic verdict_room, deleted_room;
  logic [$clog2(VerdictDepth):0] verdict_level;
  logic [$clog2(DeletedDepth):0] deleted_level;

  always_ff @(posedge clk_i) begin
    give_q <= give;
    give_pointer_q <= old_q5;
    verdict_valid_q <= valid_q5 && !ask_q5.activate;
    verdict_q <= '{
        status: no_block ? StNoMemory : status_q5,
        write: stored ? (known_q5 ? WriteHeader : WriteItem) :
               (erase_q5 || (no_block && hit_q5)) ? WriteFree : WriteNone,
        slot: slot_q5,
        hit: ask_q5.op == OpGet && hit_q5,
        value_len: value_len_q,
        flags: flags_q,
        cas: ask_q5.op == OpGet ? cas_q : next_cas_q,
        pointer: ask_q5.op == OpGet ? pointer_q : block_pointer
    };
    events_o <= '0;
    if (valid_q5 && !ask_q5.activate) begin
      events_o.get <= ask_q5.op == OpGet;
      events_o.get_hit <= ask_q5.op == OpGet && hit_q5;
      events_o.set <= ask_q5.op == OpSet;
      events_o.set_full <= full_q5;
      events_o.set_no_block <= no_block;
      events_o.del <= ask_q5.op == OpDelete;
      events_o.del_hit <= erase_q5;
      events_o.flush <= ask_q5.op == OpFlush;
      events_o.other <= ask_q5.op == OpNone && !ask_q5.error;
      events_o.error <= ask_q5.op == OpNone && ask_q5.error;
    end
    verdict_room <= verdict_level < ($clog2(VerdictDepth) + 1)'(VerdictDepth / 2);
    deleted_room <= deleted_level < ($clog2(DeletedDepth) + 1)'(DeletedDepth / 2);
    if (rst_i) begin
      give_q <= 1'b0;
      verdict_valid_q <= 1'b0;
      verdict_room <= 1'b0;
      deleted_room <= 1'b0;
    end
  end

  assign room_o = verdict_room && deleted_room;

  logic verdict_ready, deleted_ready;

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

  wc_fifo #(
    .data_t(pointer_t),
    .Depth (DeletedDepth)
  ) u_deleted (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(give_q),
    .ready_o(deleted_ready),
    .data_i (give_pointer_q),
    .valid_o(deleted_valid_o),
    .ready_i(deleted_ready_i),
    .data_o (deleted_o),
    .level_o(deleted_level)
  );

  `WC_ASSERT(verdict_has_room, !verdict_valid_q || verdict_ready)
  `WC_ASSERT(deleted_has_room, !give_q || deleted_ready)
  `WC_ASSERT(one_match, !keep_o || $onehot0(match_i))

endmodule

`default_nettype wire
