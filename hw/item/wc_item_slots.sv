// SPDX-License-Identifier: Apache-2.0
// The eight slots of the bucket that passes, or of the bucket in each way: which of them it is about,
// and what becomes of them. A new item takes a free slot of the way that has the fewest items.
// In the cycle behind load_i, or that of compare, the slots are compared; in the next one (c3) the
// outputs tell what was found, and uses are counted; in the one after that (c4) the slots change.
// When the next operation is of the same bucket, they stay and are not loaded again.
`include "wc_assert.svh"
`default_nettype none

module wc_item_slots
  import wc_item_pkg::*;
#(
  parameter int unsigned Ways = 1
) (
  input  wire logic                    clk_i,
  input  wire logic [Ways-1:0]         load_i,
  input  wire bucket_line_t [Ways-1:0] line_i,
  output bucket_line_t [Ways-1:0]      line_o,
  input  wire step_t                   compare_i,  // c2
  input  wire tag_t [Ways-1:0]         tag_i,      // c2: of the operation, in each way
  input  wire logic [Ways-1:0]         bad_i,      // c2: memory did not tell this line
  input  wire wc_log_pkg::turn_t       turn_i,  // now: of the last record that was met
  input  wire logic                    period_i,  // now: wc_item_pkg::period_of
  // c3
  output logic                         item_o,     // it is about an item,
  output logic                         ghost_o,    // a ghost that is not too old,
  output logic                         main_o,     // an item of the main log,
  output logic                         used_o,     // with uses
  output logic                         full_o,     // there are items in all slots
  output slot_t                        slot_o,     // the slot
  output slot_number_t                 number_o,
  input  wire logic                    count_i,    // a use, if it is an item
  input  wire logic                    fetch_i,    // that it is read or touched, likewise
  input  wire logic                    win_i,      // its mark `won`, if it is stale
  output logic [Ways-1:0]              counts_o,   // which changes what the next three tell
  output uses_t [Ways-1:0][Slots-1:0]  uses_o,     // of all slots, then
  output access_e [Ways-1:0][Slots-1:0] access_o,
  output logic [Ways-1:0][Slots-1:0]   won_o,
  input  wire logic                    kick_i,     // what comes in takes this slot, if none is free
  input  wire logic [Ways-1:0]         kick_way_i,
  input  wire logic [2:0]              kick_slot_i,
  // c4
  output logic [Ways-1:0]              way_o,      // the slot is in this one
  output logic                         old_item_o,  // there was an item in the slot
  output slot_t                        old_o,
  input  wire logic                    put_i,      // new_i comes in as slot 0 of its way,
  input  wire tag_t [Ways-1:0]         new_tag_i,  // with the tag that it has there
  input  wire logic                    clear_i,    // the slot becomes empty,
  input  wire logic                    haunt_i,    // a ghost,
  input  wire logic                    move_i,     // goes to new_i.address in the main log,
  input  wire logic                    mark_i,     // has the marks of new_i
  input  wire slot_t                   new_i
);

  typedef logic [Slots-1:0] line_mask_t;
  typedef line_mask_t [Ways-1:0] mask_t;

  bucket_line_t [Ways-1:0] line_q;
  mask_t hit_q;    // the slot that it is about: with its tag, or its address
  mask_t least_q;  // the items that give way when there is nothing else
  mask_t young_q;  // ghosts that still count
  mask_t free_q;   // the empty slot, or ghost, that is taken before any item; and this slot and
  mask_t free_to_q;  // those below it
  logic [Ways-1:0] free_any_q;
  logic [Ways-1:0][3:0] count_q;  // items of each way
  mask_t target_q; // the slot that gives way or changes
  mask_t target_to_q;  // this slot and those below it
  mask_t empty, ghost, item, main_log, used;

  // The lowest of eight, alone; the highest.
  function automatic line_mask_t lowest(line_mask_t bits);
    return line_mask_t'(wc_pkg::lowest(16'(bits)));
  endfunction
  function automatic line_mask_t reversed(line_mask_t bits);
    for (int unsigned i = 0; i < Slots; i++) reversed[i] = bits[Slots-1-i];
  endfunction
  function automatic line_mask_t highest(line_mask_t bits);
    return reversed(lowest(reversed(bits)));
  endfunction

  // Down from the highest.
  function automatic line_mask_t to_highest(line_mask_t bits);
    for (int unsigned i = 0; i < Slots; i++) to_highest[i] = (bits >> i) != '0;
  endfunction

  assign line_o = line_q;

  for (genvar w = 0; w < Ways; w++) begin : gen_state
    for (genvar i = 0; i < Slots; i++) begin : gen_slot
      assign empty[w][i] = !item[w][i] && !ghost[w][i];
      assign ghost[w][i] = is_ghost(line_q[w][i]);
      assign item[w][i] = is_item(line_q[w][i]);
      assign main_log[w][i] = item[w][i] && line_q[w][i].main;
    end
  end

  // ---- c2: compare -----------------------------------------------------------------------------
  // Of all items the unused ones of the new log give way, else those with the fewest uses.
  logic none0, none1, none2;  // all slots have another number of uses
  mask_t unused;  // items of the new log

  always_comb begin
    none0 = 1'b1;
    none1 = 1'b1;
    none2 = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned i = 0; i < Slots; i++) begin
        unused[w][i] = item[w][i] && !line_q[w][i].main && line_q[w][i].uses == '0;
        none0 &= line_q[w][i].uses != 2'd0;
        none1 &= line_q[w][i].uses != 2'd1;
        none2 &= line_q[w][i].uses != 2'd2;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned i = 0; i < Slots; i++) begin
        if (compare_i.settles) begin
          hit_q[w][i] <= compare_i.slot == slot_number_t'(Slots * w + i);
        end else if (compare_i.look.moves) begin
          hit_q[w][i] <= 1'b0;  // its item is in none of the lines
        end else if (compare_i.look.sweeps) begin
          hit_q[w][i] <= is_item(line_q[w][i]) && !bad_i[w]
                         && line_q[w][i].address == compare_i.look.address;
        end else begin
          hit_q[w][i] <= !empty[w][i] && line_q[w][i].tag == tag_i[w];
        end
        least_q[w][i] <= unused != '0 ? unused[w][i]
                         : line_q[w][i].uses == 2'd0 || (none0 && line_q[w][i].uses == 2'd1)
                           || (none0 && none1 && line_q[w][i].uses == 2'd2)
                           || (none0 && none1 && none2);
        young_q[w][i] <= is_young(turn_i, line_q[w][i].span);
        // Down from the lowest empty slot: none is below it.
        free_to_q[w][i] <= empty[w] != '0 ? (empty[w] & ~(line_mask_t'('1) << i)) == '0
                                          : (ghost[w] >> i) != '0;
      end
      free_q[w] <= empty[w] != '0 ? lowest(empty[w]) : highest(ghost[w]);
      free_any_q[w] <= (empty[w] | ghost[w]) != '0;
      count_q[w] <= 4'($countones(item[w]));
    end
  end

  // ---- c3: choose ------------------------------------------------------------------------------
  for (genvar w = 0; w < Ways; w++) begin : gen_way
    for (genvar i = 0; i < Slots; i++) begin : gen_slot
      logic hit;
      assign hit = hit_q[w][i] && item[w][i];
      assign used[w][i] = line_q[w][i].uses != '0;
      assign uses_o[w][i] = count_i && hit ? one_more(line_q[w][i].uses) : line_q[w][i].uses;
      assign access_o[w][i] = fetch_i && hit ? used_in(line_q[w][i].access, period_i)
                                             : line_q[w][i].access;
      assign won_o[w][i] = line_q[w][i].won || (win_i && hit && line_q[w][i].stale);
    end
  end

  assign item_o = (hit_q & item) != '0;
  assign ghost_o = (hit_q & ghost & young_q) != '0;
  assign main_o = (hit_q & main_log) != '0;
  assign used_o = (hit_q & used) != '0;
  assign full_o = &item;

  always_comb begin
    slot_o = '0;
    number_o = '0;
    counts_o = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned i = 0; i < Slots; i++) begin
        if (hit_q[w][i]) begin
          slot_o |= line_q[w][i];
          number_o |= slot_number_t'(Slots * w + i);
          if (item[w][i] && ((count_i && line_q[w][i].uses != '1)
                             || (fetch_i && line_q[w][i].access != written_in(period_i))
                             || (win_i && line_q[w][i].stale && !line_q[w][i].won))) begin
            counts_o[w] = 1'b1;
          end
        end
      end
    end
  end

  // The first way of those with the fewest items; the last one in which an item may give way.
  logic [Ways-1:0] emptiest, last_least;

  for (genvar w = 0; w < Ways; w++) begin : gen_choice
    always_comb begin
      emptiest[w] = 1'b1;
      last_least[w] = 1'b1;
      for (int i = 0; i < Ways; i++) begin
        if (i < w && count_q[i] <= count_q[w]) emptiest[w] = 1'b0;
        if (i > w && count_q[i] < count_q[w]) emptiest[w] = 1'b0;
        if (i > w && least_q[i] != '0) last_least[w] = 1'b0;
      end
    end

    always_ff @(posedge clk_i) begin
      if (hit_q != '0) begin
        target_q[w] <= hit_q[w];
        target_to_q[w] <= to_highest(hit_q[w]);
      end else if (free_any_q != '0) begin
        target_q[w] <= emptiest[w] ? free_q[w] : '0;
        target_to_q[w] <= emptiest[w] ? free_to_q[w] : '0;
      end else if (kick_i) begin
        target_q[w] <= kick_way_i[w] ? line_mask_t'(1) << kick_slot_i : '0;
        target_to_q[w] <= kick_way_i[w] ? ~(~line_mask_t'(1) << kick_slot_i) : '0;
      end else begin
        target_q[w] <= last_least[w] ? highest(least_q[w]) : '0;
        target_to_q[w] <= last_least[w] ? to_highest(least_q[w]) : '0;
      end
    end
  end

  // ---- c4: change ------------------------------------------------------------------------------
  always_comb begin
    old_item_o = (target_q & item) != '0;
    old_o = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      way_o[w] = target_q[w] != '0;
      for (int unsigned i = 0; i < Slots; i++) begin
        if (target_q[w][i]) old_o |= line_q[w][i];
      end
    end
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_changes
    slot_t fresh;

    always_comb begin
      fresh = new_i;
      fresh.tag = new_tag_i[w];
    end

    for (genvar i = 0; i < Slots; i++) begin : gen_change
      slot_t below;
      if (i == 0) begin : gen_first
        assign below = fresh;
      end else begin : gen_other
        assign below = line_q[w][i-1];
      end

      always_ff @(posedge clk_i) begin
        if (load_i[w]) begin
          line_q[w][i] <= line_i[w][i];
        end else if (put_i && target_to_q[w][i]) begin  // it takes what the one below has
          line_q[w][i] <= below;
        end else if (clear_i && target_q[w][i]) begin
          line_q[w][i] <= '0;
        end else if (haunt_i && target_q[w][i]) begin
          line_q[w][i].main <= 1'b1;
          line_q[w][i].access <= AccessNone;
          line_q[w][i].uses <= '0;
          {line_q[w][i].stale, line_q[w][i].won} <= '0;
          line_q[w][i].span <= short_units_t'(turn_i);
        end else if (move_i && target_q[w][i]) begin
          line_q[w][i].main <= 1'b1;
          line_q[w][i].uses <= line_q[w][i].uses - 1'b1;
          line_q[w][i].address <= new_i.address;
        end else begin  // a use is counted a cycle earlier than anything above
          line_q[w][i].uses <= uses_o[w][i];
          line_q[w][i].access <= access_o[w][i];
          line_q[w][i].won <= won_o[w][i];
          if (mark_i && target_q[w][i]) begin
            line_q[w][i].access <= new_i.access;
            {line_q[w][i].stale, line_q[w][i].won} <= {new_i.stale, new_i.won};
          end
        end
      end
    end
  end

endmodule

`default_nettype wire
