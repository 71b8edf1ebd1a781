// SPDX-License-Identifier: Apache-2.0
// Lets operations go into the pass, in order: each when its line is there, no operation that asks
// holds its bucket, or one that it follows (wc_item_chain), and there is room for what comes of it. What was settled goes before them.
// The next one goes 2 cycles later, after one that may change more than uses 4. Between them others
// may read lines; when nothing goes, they have every second cycle at least.
// An operation that grows goes twice: first to look, with no other between (wc_item_grow).
// Latency 2.
`include "wc_assert.svh"
`default_nettype none

module wc_item_issue
  import wc_item_pkg::*;
  import wc_cuckoo_pkg::*;
#(
  parameter int unsigned Entries = 64,  // of each way
  parameter int unsigned Ways    = 1,
  localparam int unsigned Others = Ways > 1 ? Ways - 1 : 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic                  waiting_valid_i,
  output logic                       waiting_ready_o,
  input  wire wc_item_pkg::waiting_t waiting_i,
  input  wire other_t [Others-1:0]   waiting_others_i,  // Ways > 1: in the ways behind the first
  input  wire logic                  settle_valid_i,
  output logic                       settle_ready_o,
  input  wire wc_item_pkg::settle_t  settle_i,
  input  wire other_t [Others-1:0]   settle_others_i,
  input  wire logic [Ways-1:0]       filled_i,     // a line has come
  input  wire logic [Ways-1:0][Entries-1:0] locked_i,
  input  wire logic [Entries-1:0]    unwritten_i,
  input  wire logic                  quiet_i,      // nothing passes
  input  wire logic                  said_i,       // an operation has passed,
  input  wire logic                  said_held_i,  // and holds its bucket;
  input  wire wc_log_pkg::address_t  said_place_i, // its place
  input  wire logic                  unlock_i,     // a bucket is held no more
  input  wire wc_item_pkg::entry_t   unlock_entry_i,
  input  wire logic                  room_i,       // for what is said of it
  input  wire logic                  job_room_i,
  output logic                       want_o,       // the next one may need a place
  output wc_log_pkg::units_t         want_units_o,
  input  wire logic                  place_ok_i,
  // what grows: its item, from the pass, and the item's header
  input  wire wc_log_pkg::units_t    largest_i,
  input  wire logic [4:0]            segment_bits_i,
  input  wire logic                  seen_valid_i,
  input  wire logic                  seen_item_i,
  input  wire wc_log_pkg::address_t  seen_address_i,
  output logic                       header_valid_o,
  input  wire logic                  header_ready_i,
  output wc_log_pkg::address_t       header_address_o,
  input  wire logic                  told_valid_i,
  input  wire wc_pkg::value_len_t    told_value_len_i,
  input  wire logic                  told_error_i,
  output logic                       want_go_o,
  output logic                       step_valid_o,
  output wc_item_pkg::step_t         step_o,
  output other_t [Others-1:0]        step_others_o,
  output logic                       lock_o,       // its bucket is held from here on
  input  wire logic                  read_i,       // others want to read a line
  output logic                       read_free_o,  // and may
  output logic                       held_o
);

  localparam int unsigned EntryWidth = $clog2(Entries);
  typedef logic [EntryWidth-1:0] index_t;

  logic next_valid_q;
  waiting_t next_q;
  other_t [Others-1:0] next_others_q;
  logic old_q;       // it has been there for a cycle
  logic locked_q, unwritten_q;  // of its entries, of the first one, a cycle late
  logic slot_q;      // one may go
  logic [1:0] left_q;  // then cycles until one may
  logic [Ways-1:0][$clog2(Entries):0] fills_q;  // lines that came for operations that still wait
  logic [Ways-1:0] filled_q, fills, fill_use;
  logic go, slow, line_ok, looks;
  logic follows, sweeps;
  logic known, grown, fits, failed, failed_q, want_look;
  wc_log_pkg::units_t grown_span, left, left_waste;
  lengths_t lengths;
  index_t [Ways-1:0] entry;
  logic [Ways-1:0] locked;

  assign entry[0] = index_t'(next_q.entry);
  assign fills[0] = next_q.fills;
  for (genvar w = 1; w < Ways; w++) begin : gen_other
    assign entry[w] = index_t'(next_others_q[w-1].entry);
    assign fills[w] = next_others_q[w-1].fills;
  end
  for (genvar w = 0; w < Ways; w++) begin : gen_locked
    assign locked[w] = locked_i[w][entry[w]];
  end

  assign slow = next_q.stores || next_q.removes || next_q.asks || next_q.sweeps || next_q.moves;
  assign want_o = next_valid_q && known && (next_q.stores || (next_q.sweeps && next_q.may_copy));
  assign want_units_o = next_q.span;

  // An operation that asks and stores says when its own item is written, so it waits until the one
  // before is. What was given to the bucket shows once nothing passes.
  // One that follows reads no item. When nothing passes, it is known whether its bucket is held still.
  assign line_ok = !next_q.looks || ((follows || sweeps) && quiet_i)
                   || (!locked_q && (fills & ~filled_q) == '0
                       && (!next_q.asks || !next_q.stores || (quiet_i && !unwritten_q)));
  assign go = slot_q && !settle_valid_i && next_valid_q && old_q && line_ok && known && room_i
              && (!want_o || (place_ok_i && job_room_i));
  assign looks = slot_q && !settle_valid_i && want_look && old_q && line_ok;
  assign want_go_o = go && want_o;
  assign lock_o = go && next_q.asks;
  assign fill_use = go ? fills : '0;
  assign settle_ready_o = slot_q;
  assign waiting_ready_o = !next_valid_q || go;
  // Whether there is a place comes too late to be asked here: the RAM of lines hangs on it.
  assign read_free_o = !slot_q || (!settle_valid_i && !(next_valid_q && old_q));
  assign held_o = next_valid_q && old_q && next_q.looks && locked_q
                  && !follows && !sweeps;

  assign step_valid_o = go || looks || (slot_q && settle_valid_i);

  wc_item_chain #(
    .Ways(Ways)
  ) u_chain (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .segment_bits_i(segment_bits_i),
    .next_i        (next_q),
    .others_i      (next_others_q),
    .follows_o     (follows),
    .sweeps_o      (sweeps),
    .go_i          (go),
    .said_i        (said_i),
    .held_i        (said_held_i),
    .place_i       (said_place_i),
    .settle_i      (slot_q && settle_valid_i && settle_i.stores),
    .settle_entry_i(settle_i.entry),
    .settle_place_i(settle_i.place),
    .unlock_i      (unlock_i),
    .unlock_entry_i(unlock_entry_i)
  );

  wc_item_grow u_grow (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .largest_i       (largest_i),
    .load_i          (waiting_valid_i && waiting_ready_o),
    .grows_i         (waiting_i.grows),
    .adds_i          (waiting_i.adds),
    .span_i          (next_q.span),
    .lengths_i       (next_q.address[$bits(lengths_t)-1:0]),
    .want_o          (want_look),
    .go_i            (looks),
    .known_o         (known),
    .grown_o         (grown),
    .span_o          (grown_span),
    .lengths_o       (lengths),
    .fits_o          (fits),
    .failed_o        (failed),
    .seen_valid_i    (seen_valid_i),
    .seen_item_i     (seen_item_i),
    .seen_address_i  (seen_address_i),
    .header_valid_o  (header_valid_o),
    .header_ready_i  (header_ready_i),
    .header_address_o(header_address_o),
    .told_valid_i    (told_valid_i),
    .told_value_len_i(told_value_len_i),
    .told_error_i    (told_error_i),
    .ends_i          (go && next_q.ends),
    .left_o          (left),
    .left_waste_o    (left_waste)
  );

  // What is left of the room for what grows is given back with the message's last operation; if that
  // stores, the room has a waste of its own.
  wc_log_pkg::units_t spare;

  assign spare = !next_q.ends ? '0 : next_q.stores || next_q.grows ? left_waste : left;

  always_comb begin
    step_o = '{
        slow: slow,
        settles: 1'b0,
        peeks: 1'b0,
        follows: follows,
        failed: failed_q,
        spare: spare,
        slot: settle_i.slot,
        log: settle_i.log,
        remark: settle_i.remark,
        look: next_q
    };
    // It looks, and no more.
    if (!known) begin
      step_o.peeks = 1'b1;
      step_o.spare = '0;
      step_o.look = '{
          looks: 1'b1,
          tag: next_q.tag,
          entry: next_q.entry,
          fills: next_q.fills,
          default: '0
      };
    end
    step_others_o = settle_valid_i ? settle_others_i : next_others_q;
    if (settle_valid_i) begin
      step_o.slow = 1'b1;
      step_o.settles = 1'b1;
      step_o.peeks = 1'b0;
      step_o.follows = 1'b0;
      step_o.failed = 1'b0;
      step_o.spare = '0;
      step_o.look = '{
          looks: 1'b1,
          stores: settle_i.stores,
          removes: settle_i.removes,
          span: wc_log_pkg::units_t'(settle_i.span),
          address: settle_i.place,
          entry: settle_i.entry,
          default: '0
      };
    end
  end

  always_ff @(posedge clk_i) begin
    if (waiting_ready_o) begin
      next_valid_q <= waiting_valid_i;
      next_q <= waiting_i;
      next_others_q <= waiting_others_i;
      failed_q <= 1'b0;
    end else if (grown) begin
      next_q.span <= grown_span;
      next_q.stores <= fits;
      next_q.address <= wc_log_pkg::address_t'(lengths);
      failed_q <= failed;
    end
    old_q <= next_valid_q && !go;
    locked_q <= locked != '0;
    unwritten_q <= unwritten_i[entry[0]];
    for (int unsigned w = 0; w < Ways; w++) begin
      if (filled_i[w] != fill_use[w]) begin
        fills_q[w] <= filled_i[w] ? fills_q[w] + 1'b1 : fills_q[w] - 1'b1;
        filled_q[w] <= filled_i[w] || fills_q[w] != ($bits(fills_q[w]))'(1);
      end
    end
    if (step_valid_o) begin
      slot_q <= 1'b0;
      left_q <= step_o.slow ? 2'd2 : 2'd0;
    end else if (slot_q) begin
      slot_q <= !read_i || read_free_o;
      left_q <= '0;
    end else begin
      slot_q <= left_q == '0;
      left_q <= left_q - 1'b1;
    end
    if (rst_i) begin
      next_valid_q <= 1'b0;
      old_q <= 1'b0;
      fills_q <= '0;
      filled_q <= '0;
      slot_q <= 1'b1;
      left_q <= '0;
    end
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_rules
    `WC_ASSERT(some_when_some, filled_q[w] == (fills_q[w] != '0))
    `WC_ASSERT(bounded, fills_q[w] <= ($bits(fills_q[w]))'(Entries))
  end
  `WC_ASSERT(settled_was_held, !(settle_valid_i && settle_ready_o) ||
             locked_i[0][settle_i.entry[EntryWidth-1:0]])
  `WC_ASSERT(follower_is_held, !(go && follows) || locked == '1)
  // An operation that asks and does neither is a touch, and may read. One that creates may read what
  // is there.
  `WC_ASSERT(one_thing, !next_valid_q || !old_q ||
             32'(next_q.stores) + 32'(next_q.removes)
             + 32'(next_q.reads && !(next_q.asks && next_q.creates)) + 32'(next_q.sweeps)
             + 32'(next_q.moves) <= 1)
  `WC_ASSERT(changes_what_it_looks_at, !next_valid_q || next_q.looks ||
             !(next_q.stores || next_q.removes || next_q.reads || next_q.sweeps || next_q.asks))

endmodule

`default_nettype wire
