// SPDX-License-Identifier: Apache-2.0
// Lets operations go into the pass, in order: each when its line is there, no operation that asks
// holds its bucket, and there is room for what comes of it. What was settled goes before them.
// The next one goes 2 cycles later, after one that may change more than uses 4. Between them others
// may read lines; when nothing goes, they have every second cycle at least.
// Latency 2.
`include "wc_assert.svh"
`default_nettype none

module wc_item_issue #(
  parameter int unsigned Entries = 64
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic                  waiting_valid_i,
  output logic                       waiting_ready_o,
  input  wire wc_item_pkg::waiting_t waiting_i,
  input  wire logic                  settle_valid_i,
  output logic                       settle_ready_o,
  input  wire wc_item_pkg::settle_t  settle_i,
  input  wire logic                  filled_i,     // a line has come
  input  wire logic [Entries-1:0]    locked_i,
  input  wire logic [Entries-1:0]    unwritten_i,
  input  wire logic                  quiet_i,      // nothing passes
  input  wire logic                  room_i,       // for what is said of it
  input  wire logic                  job_room_i,
  output logic                       want_o,       // the next one may need a place
  output wc_log_pkg::units_t         want_units_o,
  input  wire logic                  place_ok_i,
  output logic                       want_go_o,
  output logic                       step_valid_o,
  output wc_item_pkg::step_t         step_o,
  output logic                       lock_o,       // its bucket is held from here on
  input  wire logic                  read_i,       // others want to read a line
  output logic                       read_free_o,  // and may
  output logic                       held_o
);

  import wc_item_pkg::*;

  localparam int unsigned EntryWidth = $clog2(Entries);

  logic next_valid_q;
  waiting_t next_q;
  logic old_q;       // it has been there for a cycle
  logic locked_q, unwritten_q;  // of its entry, a cycle late
  logic slot_q;      // one may go
  logic [1:0] left_q;  // then cycles until one may
  logic [$clog2(Entries):0] fills_q;  // lines that came for operations that still wait
  logic filled_q;
  logic go, slow, line_ok, fill_use;
  logic [EntryWidth-1:0] entry;

  assign entry = next_q.entry[EntryWidth-1:0];
  assign slow = next_q.stores || next_q.removes || next_q.asks || next_q.sweeps;
  assign want_o = next_valid_q && (next_q.stores || (next_q.sweeps && next_q.may_copy));
  assign want_units_o = next_q.span;

  // An operation that asks and stores says when its own item is written, so it waits until the one
  // before is. What was given to the bucket shows once nothing passes.
  assign line_ok = !next_q.looks || (!locked_q && (!next_q.fills || filled_q)
                                     && (!next_q.asks || !next_q.stores
                                         || (quiet_i && !unwritten_q)));
  assign go = slot_q && !settle_valid_i && next_valid_q && old_q && line_ok && room_i
              && (!want_o || (place_ok_i && job_room_i));
  assign want_go_o = go && want_o;
  assign lock_o = go && next_q.asks;
  assign fill_use = go && next_q.fills;
  assign settle_ready_o = slot_q;
  assign waiting_ready_o = !next_valid_q || go;
  // Whether there is a place comes too late to be asked here: the RAM of lines hangs on it.
  assign read_free_o = !slot_q || (!settle_valid_i && !(next_valid_q && old_q));
  assign held_o = next_valid_q && old_q && next_q.looks && locked_q;

  assign step_valid_o = go || (slot_q && settle_valid_i);

  always_comb begin
    step_o = '{
        slow: slow,
        settles: 1'b0,
        slot: settle_i.slot,
        log: settle_i.log,
        look: next_q
    };
    if (settle_valid_i) begin
      step_o.slow = 1'b1;
      step_o.settles = 1'b1;
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
    end
    old_q <= next_valid_q && !go;
    locked_q <= locked_i[entry];
    unwritten_q <= unwritten_i[entry];
    if (filled_i != fill_use) begin
      fills_q <= filled_i ? fills_q + 1'b1 : fills_q - 1'b1;
      filled_q <= filled_i || fills_q != ($bits(fills_q))'(1);
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
      filled_q <= 1'b0;
      slot_q <= 1'b1;
      left_q <= '0;
    end
  end

  `WC_ASSERT(some_when_some, filled_q == (fills_q != '0))
  `WC_ASSERT(bounded, fills_q <= ($bits(fills_q))'(Entries))
  `WC_ASSERT(settled_was_held, !(settle_valid_i && settle_ready_o) ||
             locked_i[settle_i.entry[EntryWidth-1:0]])
  // An operation that asks and does neither is a touch, and may read.
  `WC_ASSERT(one_thing, !next_valid_q || !old_q ||
             32'(next_q.stores) + 32'(next_q.removes) + 32'(next_q.reads) + 32'(next_q.sweeps) <= 1)
  `WC_ASSERT(changes_what_it_looks_at, !next_valid_q || next_q.looks ||
             !(next_q.stores || next_q.removes || next_q.reads || next_q.sweeps || next_q.asks))

endmodule

`default_nettype wire
