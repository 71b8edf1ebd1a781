// SPDX-License-Identifier: Apache-2.0
// Items that were put out of their slots to make room, and are on their way to another place of
// their key: a few slots beside those of the lines, which every operation compares too. So an item
// is found while it is on its way, and whatever may become of a slot may become of it here.
// For each item a mover's operation enters the table, as anybody's does, with the lines of the
// item's places. When it passes, the item goes into a free slot of them; if there is none, it takes
// the slot of another one, which is put out here in the same cycle, and has its own mover.
// An entry is not used again until its mover's operation has passed. So there are never more of
// these than Entries, and each is about the item that it was made for, or about none any more.
// The same cycles as in wc_item_slots: compared in c2, told in c3, changed in c4.
`include "wc_assert.svh"
`default_nettype none

module wc_item_stash
  import wc_item_pkg::*;
  import wc_cuckoo_pkg::*;
#(
  parameter int unsigned Ways    = 2,
  parameter int unsigned Entries = 16,
  parameter int unsigned Moves   = MostMoves  // of one item after the other, then the least used
                                              // gives way; 0: at once, and nobody comes here
) (
  input  wire logic         clk_i,
  input  wire logic         rst_i,
  input  wire logic         forget_i,  // the table is emptied; nothing is here
  input  wire logic         period_i,
  // c2
  input  wire step_t        compare_i,
  input  wire key_t         name_i,    // of the operation
  // c3
  output logic              hit_o,     // it is about an item that is here,
  output slot_t             slot_o,    // this one
  output slot_number_t      number_o,
  output key_t              name_o,    // its name
  output logic              room_o,    // for another one
  output logic              tired_o,   // a mover's: the last one that may put another out
  output logic [Ways-1:0]   kick_way_o,  // who is put out, if somebody is
  output logic [2:0]        kick_slot_o,
  input  wire logic         moves_i,   // the operation is a mover's
  input  wire logic         count_i,
  input  wire logic         fetch_i,
  input  wire logic         win_i,
  // c4: of the item that it is about
  input  wire logic         put_i,     // it becomes new_i
  input  wire logic         clear_i,   // it is gone, or has found its place
  input  wire logic         move_i,
  input  wire logic         mark_i,
  input  wire slot_t        new_i,
  input  wire logic         kick_i,    // and this one comes here
  input  wire slot_t        kicked_i,
  input  wire key_t         kicked_name_i,
  input  wire logic [Ways-1:0] kicked_way_i,  // it was in this one
  // movers
  output logic              mover_valid_o,
  input  wire logic         mover_ready_i,
  output look_t             mover_o,
  output logic              moving_o  // there is an item, or a mover on its way
);

  localparam int unsigned Index = $clog2(Entries);
  typedef logic [Entries-1:0] mask_t;
  typedef logic [Index-1:0] index_t;
  typedef logic [$clog2(Moves+2)-1:0] moves_t;

  function automatic slot_number_t number_of(int unsigned entry);
    return FirstOfStash + slot_number_t'(entry);
  endfunction

  `WC_REQUIRE(entries, Entries >= 2 && Entries <= 32 && Entries == 2 ** Index,
              "wc_item_stash: Entries must be 2, 4, 8, 16 or 32")
  `WC_REQUIRE(moves, Moves <= 255, "wc_item_stash: Moves must be 0 to 255")

  typedef struct packed {
    slot_t  slot;   // its tag is that of its name
    bucket_t bucket;  // of its name
    way_t   to;     // where it goes
    moves_t moves;  // that were made for it, and those before it
  } item_t;

  item_t item_q[Entries];
  mask_t valid_q;
  mask_t moving_q; // its mover has not passed yet,
  mask_t sent_q;   // or waits to go
  mask_t hit_q, target_q;
  index_t free_q;
  index_t compared_q;  // a mover's entry
  mask_t wanted;       // movers that are to go,
  index_t next_entry;  // the next one,
  logic ask;           // now
  logic room_q;
  logic [4:0] turn_q;  // names who is put out

  // ---- c2: compare --------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      hit_q[i] <= 1'b0;
      if (valid_q[i] && compare_i.look.looks) begin
        if (compare_i.settles) begin
          hit_q[i] <= compare_i.slot == number_of(i);
        end else if (compare_i.look.moves) begin
          hit_q[i] <= compare_i.look.address[Index-1:0] == index_t'(i);
        end else if (compare_i.look.sweeps) begin
          hit_q[i] <= item_q[i].slot.address == compare_i.look.address;
        end else begin
          hit_q[i] <= {item_q[i].bucket, item_q[i].slot.tag} == name_i;
        end
      end
    end
    if (rst_i) hit_q <= '0;
    room_q <= '0;
    free_q <= '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (!valid_q[i] && !moving_q[i]) begin
        room_q <= 1'b1;
        free_q <= index_t'(i);
      end
    end
  end

  // ---- c3: what is found ---------------------------------------------------------------------------
  item_t found;

  always_comb begin
    found = '0;
    number_o = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (hit_q[i]) begin
        found |= item_q[i];
        number_o |= number_of(i);
      end
    end
  end

  assign hit_o = hit_q != '0;
  assign slot_o = found.slot;
  assign name_o = '{bucket: found.bucket, tag: found.slot.tag};
  assign room_o = room_q && Moves != 0;
  assign tired_o = found.moves >= moves_t'(Moves);
  // A SET puts out somebody in any way, a mover where its own item goes.
  assign kick_slot_o = turn_q[2:0];
  assign kick_way_o = Ways'(1) << (moves_i ? found.to : way_t'(32'(turn_q[4:3]) % Ways));

  // ---- c4: change ----------------------------------------------------------------------------------
  index_t into;
  logic mover_q;  // the operation in c4 is a mover's
  moves_t moves_q;
  index_t at_q;   // its entry
  way_t way;

  assign into = mover_q ? at_q : free_q;

  always_comb begin
    way = '0;
    for (int unsigned i = 0; i < Ways; i++) begin
      if (kicked_way_i[i]) way |= way_t'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    target_q <= hit_q;
    mover_q <= moves_i;
    moves_q <= moves_i ? found.moves + 1'b1 : moves_t'(1);
    at_q <= compared_q;
    for (int unsigned i = 0; i < Entries; i++) begin
      // A use is counted a cycle earlier than anything else.
      if (hit_q[i]) begin
        if (count_i) item_q[i].slot.uses <= one_more(item_q[i].slot.uses);
        if (fetch_i) item_q[i].slot.access <= used_in(item_q[i].slot.access, period_i);
        if (win_i && item_q[i].slot.stale) item_q[i].slot.won <= 1'b1;
      end
      if (target_q[i]) begin
        if (put_i) begin
          item_q[i].slot <= new_i;
          item_q[i].slot.tag <= item_q[i].slot.tag;
        end
        if (clear_i) valid_q[i] <= 1'b0;
        if (move_i) begin
          item_q[i].slot.main <= 1'b1;
          item_q[i].slot.uses <= item_q[i].slot.uses - 1'b1;
          item_q[i].slot.address <= new_i.address;
        end
        if (mark_i) begin
          item_q[i].slot.access <= new_i.access;
          {item_q[i].slot.stale, item_q[i].slot.won} <= {new_i.stale, new_i.won};
        end
      end
      if (mover_q && at_q == index_t'(i)) {moving_q[i], sent_q[i]} <= '0;
      if (ask && next_entry == index_t'(i)) sent_q[i] <= 1'b1;
      if (kick_i && into == index_t'(i)) begin
        valid_q[i] <= 1'b1;
        moving_q[i] <= 1'b1;
        item_q[i] <= '{
            slot: kicked_i,
            bucket: kicked_name_i.bucket,
            to: next_way(Ways, way),
            moves: moves_q
        };
        item_q[i].slot.tag <= kicked_name_i.tag;
      end
    end
    if (kick_i) turn_q <= turn_q + 1'b1;
    if (forget_i) turn_q <= '0;
    if (rst_i) begin
      valid_q <= '0;
      moving_q <= '0;
      sent_q <= '0;
      turn_q <= '0;
    end
  end

  // ---- movers --------------------------------------------------------------------------------------
  // One waits here, until it is taken.
  index_t mover_entry_q;
  item_t mover;

  assign wanted = moving_q & ~sent_q;
  assign ask = wanted != '0 && (!mover_valid_o || mover_ready_i);
  assign mover = item_q[mover_entry_q];

  always_comb begin
    next_entry = '0;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (wanted[i]) next_entry = index_t'(i);
    end
  end

  always_ff @(posedge clk_i) begin
    compared_q <= compare_i.look.address[Index-1:0];
    mover_valid_o <= ask || (mover_valid_o && !mover_ready_i);
    if (ask) mover_entry_q <= next_entry;
    if (rst_i) mover_valid_o <= 1'b0;
  end

  always_comb begin
    mover_o = '0;
    mover_o.looks = 1'b1;
    mover_o.moves = 1'b1;
    mover_o.bucket = mover.bucket;
    mover_o.tag = mover.slot.tag;
    mover_o.address = wc_log_pkg::address_t'(mover_entry_q);
  end

  assign moving_o = (valid_q | moving_q) != '0;

  // ---- rules ---------------------------------------------------------------------------------------
  logic room_held_q;  // what was free in c3 is so in c4

  always_ff @(posedge clk_i) room_held_q <= room_q;

  `WC_ASSERT(empty_at_forget, !forget_i || !moving_o)
  `WC_ASSERT(found_once, $onehot0(hit_q))
  `WC_ASSERT(kicked_has_room, !kick_i || mover_q || room_held_q)
  `WC_ASSERT(kicked_is_item, !kick_i || is_item(kicked_i))
  `WC_ASSERT(mover_was_asked, !moves_i || sent_q[compared_q])

`ifndef SYNTHESIS
  // Each item here is the first of Moves at most. So when nobody stores any more, this is over after so
  // many movers, and whoever waits for that (wc_item_restart) does not wait for ever.
  localparam int unsigned Longest = Entries * Moves;
  logic [$clog2(Longest+2)-1:0] passed_q;  // movers since somebody else put out an item

  always_ff @(posedge clk_i) begin
    if (mover_q) passed_q <= passed_q + 1'b1;
    if ((kick_i && !mover_q) || rst_i) passed_q <= '0;
  end

  `WC_ASSERT(moves_end, 32'(passed_q) <= Longest)
`endif

endmodule

`default_nettype wire
