// SPDX-License-Identifier: Apache-2.0
// Proof of wc_index_decide, with wc_index_reader and wc_index_slot in front of it and wc_index_give
// behind it as in wc_index.
// Rule 1: a GET, TOUCH or GAT answers what the last SET of its key stored (block, length, flags,
//         CAS number). It misses if the item has gone since: by a DELETE, a FLUSH, a SET that found
//         no room, or its expiry, which is that of the last SET, TOUCH or GAT. This holds whether
//         or not memory has the writes before the operation.
// Rule 2: the verdict on a DELETE, or on a SET with a CAS number, is about that same item.
// Rule 3: the verdict on a forwarded operation does not depend on what memory says of a slot that
//         the writes in flight on the bucket have changed: the reader gets anything for it.
// Rule 4: whenever nothing is on its way, each block is in one place: free, in one slot of the
//         table, or given back.
// Rule 5: no block is given back that was not taken, and none twice.
// Rule 6: only a SET, DELETE, TOUCH or GAT writes, and none frees the slot that it writes to.
// Rule 7: when no block can go back, an item that a DELETE ends keeps its block and expires. So
//         does an item that a SET ends which finds no room.
// Rule 8: an operation that reads a line in error, or whose bucket is retired, changes nothing. A
//         GET or GAT misses, another is answered StMemory; no other operation is. It writes
//         nothing, takes no block and gives none back. The rules above hold for the operations
//         behind it as if it had not been there, whatever it has read. Its verdict says whether a
//         line was read in error.
// Assumed of the free queues: a block offered stays until taken. Assumed, and proved of
// wc_index_ccu: an operation that is not forwarded finds its bucket's writes in memory. One that is
// forwarded gets the outcome of its bucket's newest write, and was told truly whether the keys are
// the same.
// One bucket is modelled; other buckets are empty when they are read. Announced flushes are not
// part of the model.
// Long because one model of the bucket serves all the rules.
`include "wc_assert.svh"
`default_nettype none

module wc_index_decide_fv #(
  parameter int unsigned Slots    = 2,
  parameter int unsigned InFlight = 4
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic                     tick_i,
  // the next operation
  input wire logic                     valid_i,
  input wire wc_pkg::op_e              op_i,
  input wire logic [1:0]               key_i,
  input wire logic                     foreign_i,  // of another bucket
  input wire wc_index_pkg::forward_e   forward_i,
  input wire logic [Slots-1:0]         stale_i,    // slots of which memory says anything
  input wire logic [1:0]               value_len_i,
  input wire logic                     flags_i,
  input wire logic [2:0]               expiry_i,
  input wire logic [2:0]               cas_i,
  input wire wc_index_pkg::size_class_t size_class_i,
  // what memory says of stale slots, line by line
  input wire logic [Slots-1:0]         any_valid_i,
  input wire logic [Slots-1:0][1:0]    any_class_i,
  input wire logic [Slots-1:0][3:0]    any_i,
  input wire logic                     line_valid_i,
  input wire logic                     line_error_i,  // the line is read in error
  input wire logic                     retired_i,     // the bucket of the next operation is retired
  input wire logic                     word_room_i,
  // blocks
  input wire logic [wc_pkg::Classes-1:0]      free_valid_i,
  input wire logic [wc_pkg::Classes-1:0][1:0] free_i,
  input wire logic                            deleted_ready_i,
  input wire logic                            blocked_i,  // nothing may go back, as when full
  // free constants: the key and the block that are followed
  input wire logic [1:0]               follow_key_i,
  input wire logic [1:0]               follow_class_i,
  input wire logic [1:0]               follow_line_i
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned IdWidth = $clog2(InFlight);
  localparam int unsigned Pipe = 4;  // operations between their first line and their verdict

  typedef logic [1:0] name_t;  // of a key
  typedef logic [2:0] short_t;
  typedef logic [Slots-1:0] mask_t;

  // An operation on its way.
  typedef struct packed {
    op_e op;
    name_t key;
    logic foreign;
    forward_e forward;
    logic [IdWidth-1:0] prior;
    mask_t stale;
    logic [1:0] value_len;
    logic flags;
    short_t expiry;
    short_t cas;
    size_class_t size_class;
    short_t time_then;
    logic retired;
    logic unread;  // a line was read in error
  } way_t;

  // A slot as memory is to have it, when all that is decided is written.
  typedef struct packed {
    logic valid;
    name_t key;
    pointer_t pointer;
    value_len_t value_len;
    logic [31:0] flags;
    seconds_t expiry;
    cas_t cas;
  } slot_state_t;

  function automatic logic is_keyed(op_e op);
    return op inside {OpGet, OpSet, OpDelete, OpTouch, OpGat};
  endfunction

  function automatic logic is_write(op_e op);
    return op inside {OpSet, OpDelete, OpTouch, OpGat};
  endfunction

  function automatic logic is_read(op_e op);
    return op inside {OpGet, OpGat};
  endfunction

  function automatic logic is_touch(op_e op);
    return op inside {OpTouch, OpGat};
  endfunction

  // Two keys differ in a word, in their length or in both.
  function automatic word_t word_of(name_t key);
    return word_t'(key[0]) << 37;
  endfunction

  function automatic key_len_t length_of(name_t key);
    return key_len_t'(5) + key_len_t'(key[1]);
  endfunction

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- the parts, as wc_index has them ----------------------------------------------------------
  way_t now_q;
  logic now_valid_q;
  short_t time_q;
  probe_t probe;
  beat_t word;
  logic probe_ready, key_ready, word_valid, line_ready, room, due;
  logic is_key, is_first, is_head, is_expiry, is_cas;
  word_t expected;
  logic ask_valid, flushed, keep;
  ask_t ask;
  cas_t flush_floor;
  mask_t match, cas_equal, live;
  kept_t [Slots-1:0] kept;
  cas_t [Slots-1:0] cas;
  word_t [Slots-1:0] line;
  logic [Classes-1:0] free_ready;
  pointer_t [Classes-1:0] free;
  logic deleted_valid, verdict_valid, reclaim;
  logic give_valid, give_room, give_full;
  mask_t give_slots, give_dead;
  pointer_t [Slots-1:0] give_pointers;
  pointer_t deleted;
  verdict_t verdict;
  index_events_t events;

  always_comb begin
    probe = '0;
    probe.op = now_q.op;
    probe.keyless = !is_keyed(now_q.op);
    probe.memory = is_keyed(now_q.op);
    probe.key_len = length_of(now_q.key);
    probe.size_class = now_q.size_class;
    probe.forward = now_q.forward;
    probe.prior = id_t'(now_q.prior);
    probe.retired = now_q.retired;
    probe.wish.value_len = value_len_t'(now_q.value_len);
    probe.wish.flags = 32'(now_q.flags);
    probe.wish.expiry = seconds_t'(now_q.expiry);
    probe.wish.cas = now_q.op == OpFlush ? '0 : cas_t'(now_q.cas);
    for (int unsigned i = 0; i < Classes; i++) begin
      free[i] = '{size_class: 2'(i), line: 30'(free_i[i])};
    end
  end

  wc_index_reader u_reader (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .probe_valid_i(now_valid_q),
    .probe_ready_o(probe_ready),
    .probe_i      (probe),
    .key_valid_i  (now_valid_q && is_keyed(now_q.op)),
    .key_ready_o  (key_ready),
    .key_i        ('{data: word_of(now_q.key), last: 1'b1}),
    .word_valid_o (word_valid),
    .word_o       (word),
    .word_room_i  (word_room_i),
    .line_valid_i (line_valid_i),
    .line_error_i (line_error_i),
    .line_ready_o (line_ready),
    .room_i       (room),
    .due_i        (due),
    .key_o        (is_key),
    .first_o      (is_first),
    .head_o       (is_head),
    .expiry_o     (is_expiry),
    .cas_o        (is_cas),
    .expected_o   (expected),
    .ask_valid_o  (ask_valid),
    .ask_o        (ask)
  );

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    wc_index_slot u_slot (
      .clk_i        (clk_i),
      .line_i       (line[i]),
      .key_i        (is_key),
      .first_i      (is_first),
      .head_i       (is_head),
      .expiry_i     (is_expiry),
      .cas_i        (is_cas),
      .expected_i   (expected),
      .time_i       (seconds_t'(time_q)),
      .floor_i      (flush_floor),
      .flushed_i    (flushed),
      .keep_i       (keep),
      .match_o      (match[i]),
      .cas_equal_o  (cas_equal[i]),
      .live_o       (live[i]),
      .kept_o       (kept[i]),
      .cas_o        (cas[i])
    );
  end

  wc_index_decide #(
    .Slots   (Slots),
    .InFlight(InFlight)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (seconds_t'(time_q)),
    .wish_valid_i   (now_valid_q && probe_ready),
    .wish_i         (probe.wish),
    .ask_valid_i    (ask_valid),
    .ask_i          (ask),
    .when_i         (expected[31:0]),
    .due_o          (due),
    .room_o         (room),
    .floor_o        (flush_floor),
    .flushed_o      (flushed),
    .keep_o         (keep),
    .match_i        (match),
    .cas_equal_i    (cas_equal),
    .live_i         (live),
    .kept_i         (kept),
    .cas_i          (cas),
    .free_valid_i   (free_valid_i),
    .free_ready_o   (free_ready),
    .free_i         (free),
    .give_valid_o   (give_valid),
    .give_slots_o   (give_slots),
    .give_dead_o    (give_dead),
    .give_pointers_o(give_pointers),
    .give_room_i    (give_room),
    .give_full_i    (give_full || blocked_i),
    .verdict_valid_o(verdict_valid),
    .verdict_ready_i(1'b1),
    .verdict_o      (verdict),
    .events_o       (events),
    .bucket_events_o()
  );

  wc_index_give #(
    .Slots(Slots)
  ) u_give (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .room_o         (give_room),
    .full_o         (give_full),
    .valid_i        (give_valid),
    .slots_i        (give_slots),
    .dead_i         (give_dead),
    .pointers_i     (give_pointers),
    .deleted_valid_o(deleted_valid),
    .deleted_ready_i(deleted_ready_i),
    .deleted_o      (deleted),
    .reclaim_o      (reclaim)
  );

  // ---- the operations on their way --------------------------------------------------------------
  way_t way_q[Pipe];
  logic [$clog2(Pipe)-1:0] in_q, out_q;
  logic [$clog2(Pipe):0] level_q;
  way_t next, then;
  logic load, taken, writes_inside, own, foreign;
  logic error, error_q;  // the line that is taken is in error; an earlier one of the operation was
  logic failed;          // the operation of the verdict touches nothing
  name_t last_key_q;  // of the bucket's newest write
  logic [IdWidth-1:0] last_q, id_q;  // its place; that of the next write
  logic [IdWidth:0] since_q;  // writes from it on, itself too; 0: none, or its place is taken

  assign then = way_q[out_q];
  assign error = now_valid_q && is_keyed(now_q.op) && line_valid_i && line_ready && line_error_i;
  assign failed = is_keyed(then.op) && (then.unread || then.retired);
  assign own = is_keyed(then.op) && !then.foreign;
  assign foreign = is_keyed(then.op) && then.foreign;
  assign taken = now_valid_q && probe_ready;
  assign load = valid_i && !now_valid_q && level_q < ($bits(level_q))'(Pipe - 1);
  assign next = '{op: op_i, key: key_i, foreign: foreign_i, forward: forward_i, prior: last_q,
                  stale: stale_i, value_len: value_len_i, flags: flags_i, expiry: expiry_i,
                  cas: cas_i, size_class: size_class_i, time_then: time_q, retired: retired_i,
                  unread: 1'b0};

  always_comb begin
    writes_inside = 1'b0;
    for (int unsigned i = 0; i < Pipe; i++) begin
      if (($bits(level_q))'(i) < level_q && is_write(way_q[($bits(in_q))'(out_q + i)].op) &&
          !way_q[($bits(in_q))'(out_q + i)].foreign) writes_inside = 1'b1;
    end
  end

  `WC_ASSUME(op_is_one, op_i <= OpFlush || is_touch(op_i))
  `WC_ASSUME(forward_is_one, forward_i <= ForwardOther)
  `WC_ASSUME(forward_own, forward_i == ForwardNone ||
             (is_keyed(op_i) && !foreign_i && since_q != '0))
  `WC_ASSUME(forward_same, forward_i != ForwardSame || key_i == last_key_q)
  `WC_ASSUME(forward_other, forward_i != ForwardOther || (key_i != last_key_q && op_i == OpGet))
  `WC_ASSUME(place_kept, forward_i == ForwardNone || !is_write(op_i) ||
             since_q != (IdWidth + 1)'(InFlight))
  `WC_ASSUME(none_in_memory, !load || forward_i != ForwardNone || foreign_i || !writes_inside)
  `WC_ASSUME(none_not_stale, forward_i != ForwardNone || retired_i || stale_i == '0)
  `WC_ASSUME(time_ends, time_q != '1 || !tick_i)

  always_ff @(posedge clk_i) begin
    if (tick_i) time_q <= time_q + 1'b1;
    error_q <= !taken && (error_q || error);
    if (taken) begin
      now_valid_q <= 1'b0;
      way_q[in_q] <= now_q;
      way_q[in_q].unread <= error_q || error;
      in_q <= in_q + 1'b1;
    end
    if (load) begin
      now_valid_q <= 1'b1;
      now_q <= next;
      if (is_write(op_i)) begin
        id_q <= id_q + 1'b1;
        if (!foreign_i) begin
          last_key_q <= key_i;
          last_q <= id_q;
          since_q <= (IdWidth + 1)'(1);
        end else if (since_q == (IdWidth + 1)'(InFlight)) begin
          since_q <= '0;
        end else if (since_q != '0) begin
          since_q <= since_q + 1'b1;
        end
      end
    end
    if (verdict_valid) out_q <= out_q + 1'b1;
    level_q <= level_q + ($bits(level_q))'(taken) - ($bits(level_q))'(verdict_valid);
    if (rst_i) begin
      time_q <= short_t'(1);
      now_valid_q <= 1'b0;
      error_q <= 1'b0;
      in_q <= '0;
      out_q <= '0;
      level_q <= '0;
      id_q <= '0;
      since_q <= '0;
    end
  end

  // ---- the bucket -------------------------------------------------------------------------------
  slot_state_t [Slots-1:0] slot_q;
  mask_t touched_q, changed;  // slots that the writes in flight have changed
  logic [1:0] at_q;  // line of the bucket to be read: key, header, expiry, CAS
  logic stores;

  assign stores = verdict.write inside {WriteHeader, WriteItem};

  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      changed[i] = (verdict.write != WriteNone && verdict.freed[i]) ||
                   (stores && verdict.slot == slot_t'(i));
    end
  end

  `WC_ASSUME(stale_is_touched, level_q == '0 || then.retired || (then.stale & ~touched_q) == '0)

  always_ff @(posedge clk_i) begin
    if (now_valid_q && line_valid_i && line_ready) at_q <= at_q + 1'b1;
    if (verdict_valid && own && is_write(then.op)) begin
      touched_q <= changed | (then.forward == ForwardNone ? '0 : touched_q);
    end
    for (int unsigned i = 0; i < Slots; i++) begin
      if (verdict_valid && own && changed[i]) begin
        slot_q[i].valid <= stores && verdict.slot == slot_t'(i);
        if (verdict.write == WriteItem) slot_q[i].key <= then.key;
        slot_q[i].pointer <= verdict.pointer;
        slot_q[i].value_len <= verdict.value_len;
        slot_q[i].flags <= verdict.flags;
        slot_q[i].expiry <= verdict.expiry;
        slot_q[i].cas <= verdict.cas;
      end
      if (rst_i) slot_q[i].valid <= 1'b0;
    end
    if (rst_i) begin
      at_q <= '0;
      touched_q <= '0;
    end
  end

  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      slot_state_t seen;
      head_t head;
      seen = slot_q[i];
      if (now_q.stale[i] || line_error_i) begin
        seen = '0;
        seen.valid = any_valid_i[i];
        seen.key = any_i[i][1:0];
        seen.pointer = '{size_class: any_class_i[i], line: 30'(any_i[i])};
        seen.value_len = value_len_t'(any_i[i]);
        seen.flags = 32'(any_i[i]);
        seen.expiry = seconds_t'(any_i[i]);
        seen.cas = cas_t'(any_i[i]);
      end
      if (now_q.foreign && !line_error_i) seen = '0;
      head = '{valid: seen.valid, zero: '0, key_len: length_of(seen.key),
               value_len: seen.value_len, pointer: seen.pointer};
      unique case (at_q)
        2'd0: line[i] = word_of(seen.key);
        2'd1: line[i] = head;
        2'd2: line[i] = {seen.flags, seen.expiry};
        default: line[i] = seen.cas;
      endcase
    end
  end

  // ---- rules 1 to 3: the followed key -----------------------------------------------------------
  slot_state_t item_q;
  name_t follow_q;
  logic mine, may_live, may_be_dead, cas_same;

  assign mine = verdict_valid && own && then.key == follow_q;
  assign may_live = item_q.valid &&
                    (item_q.expiry == '0 || item_q.expiry > seconds_t'(then.time_then));
  assign may_be_dead = !item_q.valid ||
                       (item_q.expiry != '0 && item_q.expiry <= seconds_t'(time_q));
  assign cas_same = item_q.cas == cas_t'(then.cas);

  always_ff @(posedge clk_i) begin
    follow_q <= follow_q;
    if (verdict_valid && then.op == OpFlush) item_q.valid <= 1'b0;
    if (mine && then.op == OpSet) begin
      if (verdict.status == StOk) begin
        item_q.valid <= 1'b1;
        item_q.pointer <= verdict.pointer;
        item_q.value_len <= value_len_t'(then.value_len);
        item_q.flags <= 32'(then.flags);
        item_q.expiry <= seconds_t'(then.expiry);
        item_q.cas <= verdict.cas;
      end else if (verdict.status == StNoMemory) begin
        item_q.valid <= 1'b0;
      end
    end
    if (mine && then.op == OpDelete && verdict.status == StOk) item_q.valid <= 1'b0;
    if (mine && is_touch(then.op) && verdict.status == StOk) begin
      item_q.expiry <= seconds_t'(then.expiry);
    end
    if (rst_i) begin
      follow_q <= follow_key_i;
      item_q.valid <= 1'b0;
    end
  end

  `WC_ASSERT(verdict_of_one, !verdict_valid || level_q != '0)
  `WC_ASSERT(writes_of_writes, !verdict_valid || verdict.write == WriteNone || is_write(then.op))
  `WC_ASSERT(stored_is_not_freed, !verdict_valid || !stores || !verdict.freed[verdict.slot])
  `WC_ASSERT(get_says, !(mine && is_read(then.op)) || verdict.status inside {StOk, StNotFound})
  `WC_ASSERT(touch_says, !(mine && then.op == OpTouch) ||
             verdict.status inside {StOk, StNotFound, StMemory})
  `WC_ASSERT(get_hits, !(mine && (is_read(then.op) || is_touch(then.op)) &&
                         verdict.status == StOk) ||
             (may_live && verdict.pointer == item_q.pointer && verdict.flags == item_q.flags &&
              verdict.value_len == item_q.value_len && verdict.cas == item_q.cas))
  `WC_ASSERT(absent, !(mine && verdict.status == StNotFound && !failed) || may_be_dead)
  `WC_ASSERT(differs, !(mine && verdict.status == StExists) ||
             (may_live && then.cas != '0 && !cas_same))
  `WC_ASSERT(deletes, !(mine && then.op == OpDelete && verdict.status == StOk) ||
             (may_live && (then.cas == '0 || cas_same)))
  `WC_ASSERT(sets, !(mine && then.op == OpSet && verdict.status == StOk && then.cas != '0) ||
             (may_live && cas_same))
  `WC_ASSERT(set_says, !(mine && then.op == OpSet && then.cas == '0) ||
             verdict.status inside {StOk, StNoMemory, StMemory})
  logic buries;
  assign buries = verdict.write == WriteHeader && verdict.expiry == seconds_t'(1) &&
                  verdict.pointer == item_q.pointer && may_live;
  `WC_ASSERT(stored_when_ok, !(mine && then.op == OpSet && verdict.status == StOk) || stores)
  `WC_ASSERT(buried_else, !(mine && stores) ||
             (then.op == OpSet && verdict.status == StOk) ||
             (is_touch(then.op) && verdict.status == StOk &&
              verdict.expiry == seconds_t'(then.expiry)) ||
             ((then.op == OpDelete ? verdict.status == StOk : verdict.status == StNoMemory) &&
              buries))

  // ---- rule 8: an operation that fails ----------------------------------------------------------
  `WC_ASSERT(failed_says, !(verdict_valid && failed) ||
             verdict.status == (is_read(then.op) ? StNotFound : StMemory))
  `WC_ASSERT(failed_alone_says, !(verdict_valid && is_keyed(then.op) && !failed) ||
             verdict.status != StMemory)
  `WC_ASSERT(failed_writes_nothing, !(verdict_valid && failed) ||
             (verdict.write == WriteNone && verdict.freed == '0))
  `WC_ASSERT(unread_is, !verdict_valid || verdict.unread == (is_keyed(then.op) && then.unread))

  // ---- rules 4 and 5: the followed block --------------------------------------------------------
  pointer_t block_q;
  logic free_q, abroad_q;  // in the host's hands; in the table of another bucket
  logic offered, leaves, returns, quiet;
  logic [3:0] places;

  always_comb begin
    offered = 1'b0;
    leaves = 1'b0;
    for (int unsigned i = 0; i < Classes; i++) begin
      if (free_valid_i[i] && free[i] == block_q) begin
        offered = 1'b1;
        leaves |= free_ready[i];
      end
    end
    places = 4'(free_q) + 4'(abroad_q);
    for (int unsigned i = 0; i < Slots; i++) begin
      places = places + 4'(slot_q[i].valid && slot_q[i].pointer == block_q);
    end
  end

  assign returns = deleted_valid && deleted_ready_i && deleted == block_q;
  // Nothing is decided, or waits to go back.
  assign quiet = !now_valid_q && level_q == '0 && !give_valid && !u_give.some &&
                 !u_give.busy_q && !deleted_valid;

  logic [Classes-1:0] free_held_q;
  logic [Classes-1:0][1:0] free_then_q;

  always_ff @(posedge clk_i) begin
    free_held_q <= rst_i ? '0 : free_valid_i & ~free_ready;
    free_then_q <= free_i;
  end

  `WC_ASSUME(offered_when_free, !offered || free_q)
  for (genvar i = 0; i < Classes; i++) begin : gen_free
    `WC_ASSUME(free_stays, !free_held_q[i] || (free_valid_i[i] && free_i[i] == free_then_q[i]))
  end

  always_ff @(posedge clk_i) begin
    block_q <= block_q;
    if (leaves) free_q <= 1'b0;
    if (returns) free_q <= 1'b1;
    if (verdict_valid && foreign && stores && verdict.pointer == block_q) abroad_q <= 1'b1;
    if (rst_i) begin
      block_q <= '{size_class: follow_class_i, line: 30'(follow_line_i)};
      free_q <= 1'b1;
      abroad_q <= 1'b0;
    end
  end

  `WC_ASSERT(in_one_place, !quiet || places == 4'd1)
  `WC_ASSERT(not_twice, !returns || !free_q)
  `WC_ASSERT(not_in_two_slots, places <= 4'd1 || quiet)

  logic unused;
  assign unused = ^{key_ready, word_valid, word, reclaim, events};

  `WC_COVER(get_forwarded, mine && then.op == OpGet && verdict.status == StOk &&
            then.forward == ForwardSame && then.stale != '0)
  `WC_COVER(get_other, mine && then.op == OpGet && then.forward == ForwardOther &&
            then.stale != '0)
  `WC_COVER(block_back, returns)
  `WC_COVER(block_rests, quiet && !free_q && !abroad_q)
  `WC_COVER(buried, mine && then.op == OpDelete && stores)
  `WC_COVER(touch_forwarded, mine && is_touch(then.op) && verdict.status == StOk &&
            then.forward == ForwardSame && then.stale != '0)
  `WC_COVER(get_behind_touch, mine && then.op == OpGet && verdict.status == StNotFound &&
            item_q.valid && then.forward == ForwardSame && item_q.expiry != '0)
  `WC_COVER(failed_forwarded, mine && failed && is_write(then.op) && item_q.valid &&
            then.forward == ForwardSame)
  `WC_COVER(unread_set, mine && then.op == OpSet && then.unread && item_q.valid)
  `WC_COVER(swept, verdict_valid && own && verdict.write == WriteFree && then.op == OpSet)

endmodule

`default_nettype wire
