// SPDX-License-Identifier: Apache-2.0
// Proof of wc_item_pass, with wc_item_slots, of where slots point to. One address is followed in one
// bucket, any ones, from the line that memory gave through all operations, also those that find
// the slots as the one before has left them. There are two entries. What has become of a line
// shows in the operations behind, and when it is read to be written back.
// Rule 1: when the sweeper's operation for an address has passed, no item of the line is there: it
//         was emptied, made a ghost, or moved to the place that it was given and no other.
// Rule 2: the sweeper is told that an item was found exactly if there was one at the address. Of a
//         bucket that memory did not tell it is told so. In one out of use nothing is found.
// Rule 3: no other operation makes a slot point anywhere but to the place that it was given: the
//         address does not come back before it is given again, or comes with a line from memory.
// Rule 4: an item stays where it is until a sweep of it, a SET or DELETE of its tag, or a SET of
//         another tag in a full bucket takes it away, or that is settled. No two items are there.
// Rule 5: the places that are told are those that were taken. Only what was found is moved.
// Assumed of the issue stage: an operation comes 2 cycles behind a fast one, 4 behind a slow one;
// the first one behind a fill fills; none comes to a bucket that is held; what is held is settled
// once. Of fills: they come when nobody passes in their entry, with each address and each tag once.
// Of the log: a place is given again only when it was swept. Tags, lengths and addresses have few
// bits, the first and the last among them: they are compared only.
`include "wc_assert.svh"
`default_nettype none

module wc_item_pass_fv
  import wc_log_pkg::*;
  import wc_item_pkg::*;
(
  input wire logic           clk_i,
  input wire logic           followed_entry_i,  // free: what is followed
  input wire address_t       followed_address_i,
  input wire logic           step_i,
  input wire logic           settles_i,
  input wire logic [2:0]     kind_i,
  input wire logic           entry_i,
  input wire logic           dead_i,
  input wire logic           may_copy_i,
  input wire tag_t           tag_i,
  input wire short_units_t   span_i,
  input wire address_t       address_i,
  input wire logic           stores_i,  // settles
  input wire logic           removes_i,
  input wire log_e           log_i,
  input wire logic [1:0]     give_i,  // by log_e: the place is the address that is followed
  input wire logic           unwritten_i,
  input wire logic           fill_valid_i,
  input wire logic           fill_entry_i,
  input wire bucket_line_t   fill_line_i,
  input wire logic           fill_bad_i,
  input wire logic           fill_unread_i,
  input wire logic           read_i,
  input wire logic           read_entry_i
);

  localparam int unsigned Entries = 2;

  typedef enum logic [2:0] {
    KdNone,
    KdGet,
    KdSet,
    KdAskSet,
    KdDelete,
    KdAskDelete,
    KdSweep,
    KdSettle
  } kind_e;

  // Of an operation that passes.
  typedef struct packed {
    logic     valid;
    kind_e    kind;
    logic     entry;
    logic     moves;    // settles: its item comes into the slot
    logic     removes;  // settles
    address_t address;  // sweeps: of the record. settles: the place
  } passing_t;

  // One cycle of reset, made here: the search then knows the registers' values behind it, and goes
  // deeper than with a reset that is assumed (wc_reset_fv).
  logic awake_q, rst_i;

  initial awake_q = 1'b0;
  always_ff @(posedge clk_i) awake_q <= 1'b1;
  assign rst_i = !awake_q;

  `WC_ASSUME(same_followed, $past(rst_i) || (followed_entry_i == $past(followed_entry_i)
                                        && followed_address_i == $past(followed_address_i)))

  // ---- the issue stage --------------------------------------------------------------------------
  kind_e kind;
  logic looks, slow, go;
  logic [1:0] wait_q;              // cycles until one may go
  logic [Entries-1:0] filled_q;    // there is a line,
  logic [Entries-1:0] fresh_q;     // and nobody has used it yet
  logic [Entries-1:0] locked_q;
  logic [Entries-1:0] held_q;      // there is something to be settled
  slot_number_t [Entries-1:0] held_slot_q;
  address_t [Entries-1:0] held_address_q;
  logic [Entries-1:0][2:0] busy_q; // cycles in which an operation passes
  step_t step;
  logic fill_ready, fill, fill_entry, unlock, looked_valid, take;
  entry_t done_entry;
  looked_t looked;
  log_e take_log;
  logic read;
  bucket_line_t line;

  // Bits that may be set. A ghost's turn stands where an item has its length.
  localparam tag_t TagBits = 17'h18003;
  localparam short_units_t SpanBits = 8'h41;
  localparam address_t LineBits = 32'h0000_000f;
  localparam address_t GivenBit = 32'h8000_0000;  // of a place that was not given before

  address_t followed, address;
  address_t [1:0] place;
  bucket_line_t fill_line;
  logic [2:0] given_q;

  assign followed = followed_address_i & LineBits;

  // A place is the address that is followed, or one that was not given before.
  always_comb begin
    for (int unsigned i = 0; i < 2; i++) begin
      place[i] = give_i[i] ? followed : GivenBit | address_t'({1'(i), given_q});
    end
    address = kind == KdSettle ? place[log_i] : address_i & (GivenBit | LineBits);
  end

  // Slots in lines from memory have tags and addresses by number: they differ, and their values do
  // not matter otherwise.
  always_comb begin
    for (int unsigned i = 0; i < Slots; i++) begin
      fill_line[i] = fill_line_i[i];
      fill_line[i].tag = {1'(i >> 2), 14'b0, 2'(i)};
      fill_line[i].span &= SpanBits;
      fill_line[i].address = address_t'(i);
    end
  end

  assign kind = settles_i ? KdSettle : kind_i == KdSettle ? KdNone : kind_e'(kind_i);
  assign looks = kind != KdNone;
  assign slow = !(kind inside {KdNone, KdGet});
  assign go = step_i && wait_q == '0 && !(fill && fill_entry == entry_i)
              && (!looks || (kind == KdSettle ? held_q[entry_i]
                                              : filled_q[entry_i] && !locked_q[entry_i]));

  always_comb begin
    step = '0;
    step.slow = slow;
    step.settles = kind == KdSettle;
    step.slot = held_slot_q[entry_i];
    step.log = log_i;
    step.look.looks = looks;
    step.look.stores = kind inside {KdSet, KdAskSet} || (kind == KdSettle && stores_i);
    step.look.removes = kind inside {KdDelete, KdAskDelete} || (kind == KdSettle && removes_i);
    step.look.reads = kind == KdGet;
    step.look.asks = kind inside {KdAskSet, KdAskDelete};
    step.look.sweeps = kind == KdSweep;
    step.look.dead = dead_i;
    step.look.may_copy = may_copy_i;
    step.look.tag = tag_i & TagBits;
    step.look.span = units_t'(span_i & SpanBits);
    step.look.address = address;
    step.look.entry = entry_t'(entry_i);
    step.look.fills = looks && fresh_q[entry_i];
  end

  // First the entry that is followed is filled.
  assign fill_entry = filled_q == '0 ? followed_entry_i : fill_entry_i;
  assign fill = filled_q == '0 || (fill_valid_i && fill_ready && busy_q[fill_entry] == '0
                                   && !locked_q[fill_entry] && !fresh_q[fill_entry]);
  assign read = read_i && !go && busy_q[read_entry_i] == '0
                && !(fill && fill_entry == read_entry_i);

  always_ff @(posedge clk_i) begin
    if (go) wait_q <= slow ? 2'd3 : 2'd1;
    else if (wait_q != '0) wait_q <= wait_q - 1'b1;
    for (int unsigned i = 0; i < Entries; i++) begin
      if (busy_q[i] != '0) busy_q[i] <= busy_q[i] - 1'b1;
    end
    if (unlock) locked_q[done_entry[0]] <= 1'b0;
    if (go && looks) begin
      busy_q[entry_i] <= slow ? 3'd5 : 3'd3;
      fresh_q[entry_i] <= 1'b0;
      if (step.look.asks) locked_q[entry_i] <= 1'b1;
    end
    if (looked_valid && looked.held) begin
      held_q[looked.entry[0]] <= 1'b1;
      held_slot_q[looked.entry[0]] <= looked.slot;
      held_address_q[looked.entry[0]] <= looked.address;
    end
    if (go && kind == KdSettle) held_q[entry_i] <= 1'b0;
    if (fill) begin
      filled_q[fill_entry] <= 1'b1;
      fresh_q[fill_entry] <= 1'b1;
    end
    if (rst_i) begin
      wait_q <= '0;
      busy_q <= '0;
      filled_q <= '0;
      fresh_q <= '0;
      locked_q <= '0;
      held_q <= '0;
    end
  end

  wc_item_pass #(
    .Entries(Entries)
  ) u_dut (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .period_i        (1'b0),
    .walk_i          ('0),
    .forget_i        (1'b0),
    .others_i        ('0),
    .step_valid_i    (go),
    .step_i          (step),
    .quiet_o         (),
    .read_i          (read),
    .read_entry_i    (entry_t'(read_entry_i)),
    .read_line_o     (line),
    .fill_valid_i    (fill),
    .fill_ready_o    (fill_ready),
    .fill_entry_i    (entry_t'(fill_entry)),
    .fill_line_i     (fill_line),
    .fill_bad_i      (fill_bad_i || fill_unread_i),
    .fill_unread_i   (fill_unread_i),
    .ask_o           (),
    .ask_entry_o     (),
    .bucket_i        ('0),
    .unwritten_i     (unwritten_i),
    .job_i           ('0),
    .next_job_i      ('0),
    .place_i         (place),
    .wanted_o        (),
    .take_o          (take),
    .take_log_o      (take_log),
    .take_entry_o    (),
    .looked_valid_o  (looked_valid),
    .looked_o        (looked),
    .passed_o        (),
    .passed_units_o  (),
    .leave_o         (),
    .leave_entry_o   (),
    .leave_position_o(),
    .dirty_o         (),
    .unlock_o        (unlock),
    .done_entry_o    (done_entry),
    .evict_o         (),
    .moved_o         (),
    .ghost_o         (),
    .change_o        (),
    .keys_o          (),
    .mover_valid_o   (),
    .mover_ready_i   (1'b1),
    .mover_o         ()
  );

  // ---- lines as they come from memory, and as they are read -------------------------------------
  // Slots with an item at the address.
  function automatic logic [Slots-1:0] at_address(bucket_line_t slots, address_t address);
    for (int unsigned i = 0; i < Slots; i++) begin
      at_address[i] = is_item(slots[i]) && slots[i].address == address;
    end
  endfunction

  logic [Slots-1:0] fill_at, read_at;
  logic read_q;  // of the entry that is followed

  assign fill_at = at_address(fill_line, followed);
  assign read_at = at_address(line, followed);

  // ---- is there an item at the address, in the line that is followed? ---------------------------
  typedef enum logic [1:0] {
    HasNone,
    HasOne,
    HasUnknown  // a full bucket lost an item
  } has_e;

  has_e has_q;
  logic bad_q, unread_q;
  passing_t [3:1] pass_q;  // by how long ago it went
  passing_t now;           // it has passed: what became of it is told
  logic ours, gains, loses, unsure;

  assign now = pass_q[3];
  assign ours = now.valid && now.entry == followed_entry_i;
  assign gains = (now.kind == KdSettle ? now.moves && now.address == followed
                 : now.kind inside {KdSet, KdSweep} && looked.placed
                   && looked.place == followed);
  always_comb begin
    unsure = 1'b0;
    unique case (now.kind)
      KdSweep: loses = now.address == followed;
      KdSet: begin
        loses = looked.found && looked.address == followed;
        unsure = looked.evicted;
      end
      KdDelete: loses = looked.found && looked.address == followed;
      KdSettle: loses = (now.moves || now.removes)
                        && held_address_q[followed_entry_i] == followed;
      default: loses = 1'b0;
    endcase
  end

  always_ff @(posedge clk_i) begin
    pass_q <= {pass_q[2:1], passing_t'('0)};
    pass_q[1] <= '{
        valid: go && looks,
        kind: kind,
        entry: entry_i,
        moves: stores_i,
        removes: removes_i,
        address: address
    };
    if (take || (go && kind == KdSettle)) given_q <= given_q + 1'b1;
    read_q <= read && read_entry_i == followed_entry_i && filled_q != '0;
    if (read_q && has_q == HasUnknown) has_q <= read_at == '0 ? HasNone : HasOne;
    if (ours && !bad_q) begin
      if (gains) has_q <= HasOne;
      else if (loses) has_q <= HasNone;
      else if (unsure && has_q == HasOne) has_q <= HasUnknown;
    end
    if (fill && fill_entry == followed_entry_i) begin
      has_q <= fill_at == '0 ? HasNone : HasOne;
      bad_q <= fill_bad_i || fill_unread_i;
      unread_q <= fill_unread_i;
    end
    if (rst_i) begin
      pass_q <= '0;
      read_q <= 1'b0;
      given_q <= '0;
    end
  end

  `WC_ASSUME(given_once, !(ours && gains) || has_q == HasNone)

  // ---- the rules -------------------------------------------------------------------------------
  logic swept;

  assign swept = ours && now.kind == KdSweep && now.address == followed;

  // Of lines that are read: rules 1, 3 and 4.
  `WC_ASSERT(line_has_none, !read_q || has_q != HasNone || read_at == '0)
  `WC_ASSERT(line_has_one, !read_q || has_q != HasOne || read_at != '0)
  `WC_ASSERT(line_has_once, !read_q || $onehot0(read_at))
  // Of operations.
  `WC_ASSERT(rule_2_none, !swept || has_q != HasNone || !looked.found)
  `WC_ASSERT(rule_2_one, !swept || bad_q || has_q != HasOne || looked.found)
  `WC_ASSERT(rule_2_unread, !swept || looked.unreadable == unread_q)
  `WC_ASSERT(rule_2_bad, !ours || !bad_q || now.kind == KdSettle
             || !(looked.found || looked.placed || looked.held))
  `WC_ASSERT(rule_3_told, !ours || now.kind == KdSettle || has_q != HasNone
             || !(looked.found && looked.address == followed))
  `WC_ASSERT(rule_5_told, looked_valid || !take)
  `WC_ASSERT(rule_5_place, !looked_valid || (looked.placed == take
             && (!take || looked.place == place[take_log])))
  `WC_ASSERT(rule_5_moves, !swept || !looked.placed || (looked.found && looked.log == LogMain))

  // ---- what is reached --------------------------------------------------------------------------
  logic swept_q, moved_q, put_q, settled_q;  // it was swept, moved; it came, it was settled

  always_ff @(posedge clk_i) begin
    if (swept && looked.found) begin
      swept_q <= 1'b1;
      moved_q <= looked.placed;
    end
    if (ours && gains) begin
      put_q <= now.kind == KdSet;
      settled_q <= now.kind == KdSettle;
    end
    if (rst_i) begin
      swept_q <= 1'b0;
      moved_q <= 1'b0;
      put_q <= 1'b0;
      settled_q <= 1'b0;
    end
  end

  `WC_COVER(swept_and_read, read_q && swept_q && !moved_q)
  `WC_COVER(moved_and_read, read_q && moved_q)
  `WC_COVER(swept_at_once, swept && swept_q && $past(pass_q[3].valid, 4))
  `WC_COVER(set_then_found, swept && put_q && looked.found && $past(ours, 4))
  `WC_COVER(settled_then_found, swept && settled_q && looked.found)
  `WC_COVER(replaced, read_q && put_q && has_q == HasNone && !swept_q)
  `WC_COVER(unread, swept && looked.unreadable)

endmodule

`default_nettype wire
