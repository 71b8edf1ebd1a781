// SPDX-License-Identifier: Apache-2.0
// The eight slots of the bucket that passes: which of them it is about, and what becomes of them.
// In the cycle behind load_i, or that of compare, the slots are compared; in the next one (c3) the
// outputs tell what was found, and uses are counted; in the one after that (c4) the slots change.
// When the next operation is of the same bucket, they stay and are not loaded again.
`include "wc_assert.svh"
`default_nettype none

module wc_item_slots (
  input  wire logic                           clk_i,
  input  wire logic                           load_i,
  input  wire wc_item_pkg::bucket_line_t      line_i,
  output wc_item_pkg::bucket_line_t           line_o,
  input  wire wc_item_pkg::step_t             compare_i,  // c2
  input  wire wc_log_pkg::turn_t              turn_i,  // now: of the last record that was met
  input  wire logic                           period_i,  // now: wc_item_pkg::period_of
  // c3
  output logic                                item_o,     // it is about an item,
  output logic                                ghost_o,    // a ghost that is not too old,
  output logic                                main_o,     // an item of the main log,
  output logic                                used_o,     // with uses
  output logic                                full_o,     // there are items in all slots
  output wc_item_pkg::slot_t                  slot_o,     // the slot
  output wc_item_pkg::slot_number_t           number_o,
  input  wire logic                           count_i,    // a use, if it is an item
  input  wire logic                           fetch_i,    // that it is read or touched, likewise
  input  wire logic                           win_i,      // its mark `won`, if it is stale
  output logic                                counts_o,   // which changes what the next three tell
  output wc_item_pkg::uses_t [wc_item_pkg::Slots-1:0] uses_o,  // of all slots, then
  output wc_item_pkg::access_e [wc_item_pkg::Slots-1:0] access_o,
  output logic [wc_item_pkg::Slots-1:0]       won_o,
  // c4
  output logic                                old_item_o,  // there was an item in the slot
  output wc_item_pkg::short_units_t           old_span_o,  // of this length
  output wc_item_pkg::tag_t                   old_tag_o,   // with this tag
  input  wire logic                           put_i,      // new_i comes in as slot 0
  input  wire logic                           clear_i,    // the slot becomes empty,
  input  wire logic                           haunt_i,    // a ghost,
  input  wire logic                           move_i,     // goes to new_i.address in the main log,
  input  wire logic                           mark_i,     // has the marks of new_i
  input  wire wc_item_pkg::slot_t             new_i
);

  import wc_item_pkg::*;

  typedef logic [Slots-1:0] mask_t;

  bucket_line_t line_q;
  mask_t hit_q;    // the slot that it is about: with its tag, or its address
  mask_t least_q;  // the items that give way when there is nothing else
  mask_t young_q;  // ghosts that still count
  mask_t free_q;   // the empty slot, or ghost, that is taken before any item; and this slot and
  mask_t free_to_q;  // those below it
  logic free_any_q;
  mask_t target_q; // the slot that gives way or changes
  mask_t target_to_q;  // this slot and those below it
  mask_t empty, ghost, item, main_log, used;

  // The lowest of eight, alone; the highest.
  function automatic mask_t lowest(mask_t bits);
    return mask_t'(wc_pkg::lowest(16'(bits)));
  endfunction
  function automatic mask_t reversed(mask_t bits);
    for (int unsigned i = 0; i < Slots; i++) reversed[i] = bits[Slots-1-i];
  endfunction
  function automatic mask_t highest(mask_t bits);
    return reversed(lowest(reversed(bits)));
  endfunction

  // Down from the highest.
  function automatic mask_t to_highest(mask_t bits);
    for (int unsigned i = 0; i < Slots; i++) to_highest[i] = (bits >> i) != '0;
  endfunction

  assign line_o = line_q;

  for (genvar i = 0; i < Slots; i++) begin : gen_state
    assign empty[i] = !item[i] && !ghost[i];
    assign ghost[i] = is_ghost(line_q[i]);
    assign item[i] = is_item(line_q[i]);
    assign main_log[i] = item[i] && line_q[i].main;
  end

  // ---- c2: compare -----------------------------------------------------------------------------
  // Of all items the unused ones of the new log give way, else those with the fewest uses.
  logic none0, none1, none2;  // all slots have another number of uses
  mask_t unused;  // items of the new log

  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      unused[i] = item[i] && !line_q[i].main && line_q[i].uses == '0;
    end
    none0 = 1'b1;
    none1 = 1'b1;
    none2 = 1'b1;
    for (int unsigned i = 0; i < Slots; i++) begin
      none0 &= line_q[i].uses != 2'd0;
      none1 &= line_q[i].uses != 2'd1;
      none2 &= line_q[i].uses != 2'd2;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Slots; i++) begin
      if (compare_i.settles) begin
        hit_q[i] <= compare_i.slot == slot_number_t'(i);
      end else if (compare_i.look.sweeps) begin
        hit_q[i] <= is_item(line_q[i]) && line_q[i].address == compare_i.look.address;
      end else begin
        hit_q[i] <= !empty[i] && line_q[i].tag == compare_i.look.tag;
      end
      least_q[i] <= unused != '0 ? unused[i]
                    : line_q[i].uses == 2'd0 || (none0 && line_q[i].uses == 2'd1)
                    || (none0 && none1 && line_q[i].uses == 2'd2) || (none0 && none1 && none2);
      young_q[i] <= is_young(turn_i, line_q[i].span);
      // Down from the lowest empty slot: none is below it.
      free_to_q[i] <= empty != '0 ? (empty & ~(mask_t'('1) << i)) == '0 : (ghost >> i) != '0;
    end
    free_q <= empty != '0 ? lowest(empty) : highest(ghost);
    free_any_q <= (empty | ghost) != '0;
  end

  // ---- c3: choose ------------------------------------------------------------------------------
  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    assign used[i] = line_q[i].uses != '0;
    assign uses_o[i] = count_i && hit_q[i] && item[i] ? one_more(line_q[i].uses) : line_q[i].uses;
    assign access_o[i] = fetch_i && hit_q[i] && item[i] ? used_in(line_q[i].access, period_i)
                                                        : line_q[i].access;
    assign won_o[i] = line_q[i].won || (win_i && hit_q[i] && item[i] && line_q[i].stale);
  end

  assign item_o = (hit_q & item) != '0;
  assign ghost_o = (hit_q & ghost & young_q) != '0;
  assign main_o = (hit_q & main_log) != '0;
  assign used_o = (hit_q & used) != '0;
  assign full_o = &item;

  always_comb begin
    slot_o = '0;
    number_o = '0;
    counts_o = 1'b0;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (hit_q[i]) begin
        slot_o |= line_q[i];
        number_o |= slot_number_t'(i);
        if (item[i] && ((count_i && line_q[i].uses != '1)
                        || (fetch_i && line_q[i].access != written_in(period_i))
                        || (win_i && line_q[i].stale && !line_q[i].won))) begin
          counts_o = 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    target_q <= hit_q != '0 ? hit_q : free_any_q ? free_q : highest(least_q);
    target_to_q <= hit_q != '0 ? to_highest(hit_q) : free_any_q ? free_to_q : to_highest(least_q);
  end

  // ---- c4: change ------------------------------------------------------------------------------
  always_comb begin
    old_item_o = (target_q & item) != '0;
    old_span_o = '0;
    old_tag_o = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      if (target_q[i]) begin
        old_span_o |= line_q[i].span;
        old_tag_o |= line_q[i].tag;
      end
    end
  end

  for (genvar i = 0; i < Slots; i++) begin : gen_change
    slot_t below;
    if (i == 0) begin : gen_first
      assign below = new_i;
    end else begin : gen_other
      assign below = line_q[i-1];
    end

    always_ff @(posedge clk_i) begin
      if (load_i) begin
        line_q[i] <= line_i[i];
      end else if (put_i && target_to_q[i]) begin  // it takes what the one below has
        line_q[i] <= below;
      end else if (clear_i && target_q[i]) begin
        line_q[i] <= '0;
      end else if (haunt_i && target_q[i]) begin
        line_q[i].main <= 1'b1;
        line_q[i].access <= AccessNone;
        line_q[i].uses <= '0;
        {line_q[i].stale, line_q[i].won} <= '0;
        line_q[i].span <= short_units_t'(turn_i);
      end else if (move_i && target_q[i]) begin
        line_q[i].main <= 1'b1;
        line_q[i].uses <= line_q[i].uses - 1'b1;
        line_q[i].address <= new_i.address;
      end else begin  // a use is counted a cycle earlier than anything above
        line_q[i].uses <= uses_o[i];
        line_q[i].access <= access_o[i];
        line_q[i].won <= won_o[i];
        if (mark_i && target_q[i]) begin
          line_q[i].access <= new_i.access;
          {line_q[i].stale, line_q[i].won} <= {new_i.stale, new_i.won};
        end
      end
    end
  end

endmodule

`default_nettype wire
