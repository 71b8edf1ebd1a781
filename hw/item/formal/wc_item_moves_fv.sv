// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_pass with two ways, with wc_item_slots and wc_item_stash, of items that are moved.
// All keys have the same two lines, which come from memory full of items. The first operation is a SET:
// if its key is new, it puts somebody out. Then operations come in any order, and movers whenever they
// like. One key is followed, any one, wherever its item is.
// Rule 1: an operation finds the item if it is there: stored, or in a line as it came, and neither
//         deleted nor forgotten by the sweeper. Only when an item gave way it may be this one.
// Rule 2: it finds none that is not.
// Rule 3: what it finds has the place that the item was given, through all moves.
// Rule 4: nobody gives way before as many were put out as the stash has room for.
// Assumed of the issue stage: as in wc_item_pass_fv. Movers pass in the order in which they were made.
// Of lines: each key is there once.
`include "wc_assert.svh"
`default_nettype none

module wc_item_moves_fv
  import wc_log_pkg::*;
  import wc_item_pkg::*;
  import wc_cuckoo_pkg::*;
(
  input wire logic               clk_i,
  input wire logic [4:0]         followed_i,  // free: the key
  input wire logic               step_i,
  input wire logic [2:0]         kind_i,
  input wire logic [4:0]         key_i,
  input wire logic               dead_i,
  input wire logic               may_copy_i,
  input wire logic [5:0]         address_i,
  input wire logic               mover_ready_i,
  input wire bucket_line_t [1:0] fill_line_i
);

  localparam int unsigned Ways = 2;
  localparam int unsigned Stash = 2;
  localparam int unsigned Moves = 2;
  localparam walk_t Walk = walk_t'(3);

  typedef enum logic [2:0] {
    KdNone,
    KdGet,
    KdSet,
    KdDelete,
    KdSweep,
    KdMove
  } kind_e;

  typedef struct packed {
    logic       valid;
    kind_e      kind;
    logic [4:0] key;
    address_t   address;  // sweeps
  } passing_t;

  // One cycle of reset, made here.
  logic awake_q, rst_i;

  initial awake_q = 1'b0;
  always_ff @(posedge clk_i) awake_q <= 1'b1;
  assign rst_i = !awake_q;

  `WC_ASSUME(same_followed, $past(rst_i) || followed_i == $past(followed_i))

  // ---- the issue stage --------------------------------------------------------------------------
  // The places of all keys are buckets 0 and 1: in the first the next one is 1, in the second 0.
  function automatic tag_t tag_of(int unsigned way, logic [4:0] key);
    return tag_t'({key, 1'b0, way == 0});
  endfunction

  kind_e kind;
  logic go, slow, filled_q, fresh_q, fill, fill_ready;
  logic [1:0] wait_q;
  step_t step;
  other_t other;
  logic mover_valid, mover_take;
  look_t mover;
  look_t [Stash-1:0] movers_q;  // that were made, the first one lowest
  logic [1:0] made_q;
  bucket_line_t [1:0] fill_line;
  address_t [1:0] place;
  logic [3:0] given_q;
  logic looked_valid, take, evict, moved;
  looked_t looked;
  logic [4:0] mover_key;

  assign kind = kind_e'(kind_i) > KdMove ? KdNone : kind_e'(kind_i);
  assign slow = kind inside {KdSet, KdDelete, KdSweep, KdMove};
  assign go = step_i && filled_q && wait_q == '0 && (kind != KdMove || made_q != '0);
  assign mover_take = mover_valid && mover_ready_i;
  assign fill = awake_q && !filled_q && fill_ready;
  assign mover_key = movers_q[0].tag[6:2];

  always_comb begin
    for (int unsigned w = 0; w < Ways; w++) begin
      place[w] = address_t'({1'b1, 1'(w), given_q});
      for (int unsigned i = 0; i < Slots; i++) begin
        fill_line[w][i] = '{access: AccessStored, uses: fill_line_i[w][i].uses, default: '0};
        fill_line[w][i].tag = tag_of(w, 5'(Slots * w + i));
        fill_line[w][i].span = '0;
        fill_line[w][i].address = address_t'(Slots * w + i);
      end
    end
  end

  always_comb begin
    step = '0;
    step.slow = slow;
    step.look.looks = kind != KdNone;
    step.look.stores = kind == KdSet;
    step.look.removes = kind == KdDelete;
    step.look.reads = kind == KdGet;
    step.look.sweeps = kind == KdSweep;
    step.look.moves = kind == KdMove;
    step.look.dead = dead_i;
    step.look.may_copy = may_copy_i;
    step.look.tag = kind == KdMove ? movers_q[0].tag : tag_of(0, key_i);
    step.look.address = kind == KdMove ? movers_q[0].address
                        : address_i[5] ? address_t'(address_i) : address_t'(address_i[3:0]);
    step.look.fills = kind != KdNone && fresh_q;
    other = '{entry: '0, fills: step.look.fills, tag: tag_of(1, step.look.tag[6:2])};
  end

  always_ff @(posedge clk_i) begin
    if (go) wait_q <= slow ? 2'd3 : 2'd1;
    else if (wait_q != '0) wait_q <= wait_q - 1'b1;
    if (fill) {filled_q, fresh_q} <= '1;
    if (go && kind != KdNone) fresh_q <= 1'b0;
    if (mover_take) movers_q[made_q[0]] <= mover;
    if (go && kind == KdMove) begin
      movers_q[0] <= made_q == 2'd2 ? movers_q[1] : mover;
      if (!mover_take) made_q <= made_q - 1'b1;
    end else if (mover_take) begin
      made_q <= made_q + 1'b1;
    end
    if (take) given_q <= given_q + 1'b1;
    if (rst_i) begin
      wait_q <= '0;
      {filled_q, fresh_q} <= '0;
      made_q <= '0;
      given_q <= '0;
    end
  end

  logic first_q;  // the first operation has come, which is a SET

  always_ff @(posedge clk_i) first_q <= !rst_i && (first_q || (go && kind != KdNone));
  `WC_ASSUME(begins_with_a_set, first_q || !go || kind inside {KdNone, KdSet})

  `WC_ASSERT(movers_have_room, !mover_take || made_q != 2'd2)
  `WC_ASSUME(places_are_new, given_q != '1)

  wc_item_pass #(
    .Entries(2),
    .Ways   (Ways),
    .Stash  (Stash),
    .Moves  (Moves)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .period_i        (1'b0),
    .walk_i          (Walk),
    .forget_i        (1'b0),
    .step_valid_i    (go),
    .step_i          (step),
    .others_i        (other),
    .quiet_o         (),
    .read_i          ('0),
    .read_entry_i    ('0),
    .read_line_o     (),
    .fill_valid_i    ({2{fill}}),
    .fill_ready_o    (fill_ready),
    .fill_entry_i    ('0),
    .fill_line_i     (fill_line),
    .fill_bad_i      ('0),
    .fill_unread_i   ('0),
    .ask_o           (),
    .ask_entry_o     (),
    .bucket_i        ({bucket_t'(1), bucket_t'(0)}),
    .unwritten_i     (1'b0),
    .job_i           ('0),
    .next_job_i      ('0),
    .place_i         (place),
    .wanted_o        (),
    .take_o          (take),
    .take_log_o      (),
    .take_entry_o    (),
    .looked_valid_o  (looked_valid),
    .looked_o        (looked),
    .seen_valid_o    (),
    .seen_item_o     (),
    .seen_address_o  (),
    .passed_o        (),
    .passed_units_o  (),
    .leave_o         (),
    .leave_entry_o   (),
    .leave_position_o(),
    .dirty_o         (),
    .unlock_o        (),
    .settled_o       (),
    .done_entry_o    (),
    .evict_o         (evict),
    .moved_o         (moved),
    .ghost_o         (),
    .change_o        (),
    .keys_o          (),
    .mover_valid_o   (mover_valid),
    .mover_ready_i   (mover_ready_i),
    .mover_o         (mover)
  );

  // ---- where the key that is followed is -----------------------------------------------------------
  typedef enum logic [1:0] {
    HasNone,
    HasOne,
    HasUnknown  // somebody gave way
  } has_e;

  has_e has_q;
  address_t address_q;  // of its item
  passing_t [3:1] pass_q;
  passing_t now;
  logic ours, gone;
  logic [2:0] moved_q;  // so many were put out, at most 7

  assign now = pass_q[3];
  assign ours = now.valid && now.key == followed_i && now.kind inside {KdGet, KdSet, KdDelete};
  assign gone = now.valid && now.kind == KdSweep && looked.found && now.address == address_q;

  always_ff @(posedge clk_i) begin
    pass_q <= {pass_q[2:1], passing_t'('0)};
    pass_q[1] <= '{
        valid: go && kind != KdNone,
        kind: kind,
        key: key_i,
        address: step.look.address
    };
    if (ours && has_q == HasUnknown) has_q <= looked.found ? HasOne : HasNone;
    if (ours && now.kind == KdSet) begin
      has_q <= HasOne;
      address_q <= looked.place;
    end
    if (ours && now.kind == KdDelete) has_q <= HasNone;
    if (gone && has_q != HasNone) begin
      if (looked.placed) begin
        has_q <= HasOne;
        address_q <= looked.place;
      end else begin
        has_q <= HasNone;
      end
    end
    if (evict && has_q == HasOne) has_q <= HasUnknown;
    if (fill) begin
      has_q <= !followed_i[4] && is_item(fill_line[followed_i[3]][followed_i[2:0]]) ? HasOne
                                                                                    : HasNone;
      address_q <= address_t'(followed_i[3:0]);
    end
    if (moved && moved_q != '1) moved_q <= moved_q + 1'b1;
    if (rst_i) begin
      pass_q <= '0;
      has_q <= HasNone;
      moved_q <= '0;
    end
  end

  // ---- the rules -------------------------------------------------------------------------------
  `WC_ASSERT(rule_1, !ours || has_q != HasOne || looked.found)
  `WC_ASSERT(rule_2, !ours || has_q != HasNone || !looked.found)
  `WC_ASSERT(rule_3, !ours || !looked.found || looked.address == address_q)
  `WC_ASSERT(rule_4, !evict || moved_q >= 3'(Stash))

  // ---- what is reached --------------------------------------------------------------------------
  logic stashed_q;  // it was found in the stash

  always_ff @(posedge clk_i) begin
    if (ours && looked.found && looked.slot >= FirstOfStash) stashed_q <= 1'b1;
    if (rst_i) stashed_q <= 1'b0;
  end

  `WC_COVER(found_in_stash, ours && looked.found && looked.slot >= FirstOfStash)
  `WC_COVER(arrives, ours && stashed_q && looked.found && looked.slot < FirstOfStash)
  `WC_COVER(deleted_there, ours && now.kind == KdDelete && looked.slot >= FirstOfStash)
  `WC_COVER(another_is_put_out, moved && pass_q[3] == '0 && $past(now.kind, 2) == KdMove)

endmodule

`default_nettype wire
