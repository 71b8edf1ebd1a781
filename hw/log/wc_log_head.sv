// SPDX-License-Identifier: Apache-2.0
// Where the next item of each log goes, and the segments that it needs.
// An item of 4 units or fewer lies in one line, so its place may be at the next one. Any other begins
// anywhere but in a segment's last unit: so its header lies in one segment. The place behind a segment's end is the first of the next one in
// the chain, which is taken together with the place. If the item goes on behind its segment, the
// segments for the rest are taken then.
// Latency: place_ready_o 3 cycles after units are shown; so a place in 4 cycles, and 5 more for each
// further segment of an item. Waits for the pool's next offer only. What is shown stays until it is
// taken or left. place_soon_o: ready 3 cycles later, or before. Places that come with a segment from
// the pool may not be told before.
`include "wc_assert.svh"
`default_nettype none

module wc_log_head
  import wc_log_pkg::*;
(
  input  wire logic           clk_i,
  input  wire logic           rst_i,
  input  wire logic           clear_i,
  input  wire log_settings_t  settings_i,
  // the pool's free segments
  input  wire logic           segment_valid_i,
  output logic                segment_ready_o,
  input  wire segment_t       segment_i,
  output log_e                log_o,
  // places
  input  wire logic           place_valid_i,
  input  wire units_t         place_units_i,
  output logic                place_soon_o,
  output logic                place_ready_o,
  output address_t [1:0]      place_o,  // of an item of so many units, if it goes to this log
  input  wire logic           place_take_i,
  input  wire log_e           place_log_i,
  input  wire logic           place_leave_i,  // it is not taken: units may change
  output logic                goes_on_o  // an item waits for segments for its rest
);

  localparam int unsigned MostBits = $bits(address_t) - $clog2(MaxSegments);
  typedef logic [MostBits:0] offset_t;  // in a segment; its size is the place behind its end

  logic restart;

  assign restart = rst_i || clear_i;

  // ---- the next segment ------------------------------------------------------------------------
  offset_t size_q;
  address_t base_q;  // of the segment that the pool offers
  logic base_valid_q;
  logic take_segment, segment_taken_q;

  assign segment_ready_o = segment_taken_q;

  always_ff @(posedge clk_i) begin
    size_q <= offset_t'(1) << settings_i.segment_bits;
    base_q <= address_t'(segment_i) << settings_i.segment_bits;
    base_valid_q <= segment_valid_i && !take_segment && !segment_taken_q;
    segment_taken_q <= take_segment;
    if (restart) begin
      base_valid_q <= 1'b0;
      segment_taken_q <= 1'b0;
    end
  end

  // ---- heads -----------------------------------------------------------------------------------
  typedef struct packed {
    address_t base;    // of its segment
    offset_t  offset;  // beyond the segment's size, while the item goes on
  } head_t;
  // What follows from a head, a cycle later.
  typedef struct packed {
    offset_t next;  // the next line
    logic    last;  // that is the segment's end
    logic    ends;  // the head stands there itself
    logic    over;  // beyond it
  } around_t;

  head_t [1:0] head_q;
  logic [1:0] none_q;  // there is no segment yet
  around_t [1:0] around_q;
  logic [1:0] over;
  logic settled_q;  // around_q is of the head as it is
  logic go_on;  // the item's next segment

  function automatic around_t around(offset_t offset, offset_t size, logic none);
    offset_t mask;
    mask = size - 1'b1;
    around = '{
      next: {offset[MostBits:2] + 1'b1, 2'b0},
      last: (offset | offset_t'(3)) == mask,
      ends: none || offset == size,
      over: !none && (offset & ~mask) != '0 && offset != size
    };
  endfunction

  assign over = {around_q[1].over, around_q[0].over};
  assign go_on = over != '0 && settled_q && base_valid_q;
  assign goes_on_o = over != '0;

  // ---- places ----------------------------------------------------------------------------------
  logic asked_q, placed_q, short_q;
  units_t units_q;
  logic stays;  // what is shown, for another cycle
  logic [1:0] skip;
  logic [1:0] starts, starts_q;  // the place is in the pool's segment
  offset_t [1:0] offset, offset_q;
  offset_t [1:0] end_q;  // where the item ends there
  logic [1:0] inside_q;  // the head is in its segment; known a cycle before around_q

  for (genvar i = 0; i < 2; i++) begin : gen_log
    logic [1:0] unit;

    assign unit = head_q[i].offset[1:0];
    assign skip[i] = short_q ? 4'(unit) + 4'(units_q[2:0]) > 4'd4
                             : unit == 2'd3 && around_q[i].last;
    assign starts[i] = around_q[i].ends || (skip[i] && around_q[i].last);
    assign offset[i] = starts[i] ? '0 : skip[i] ? around_q[i].next : head_q[i].offset;
  end

  // With a segment on offer the next place is sure as soon as it is known that no item goes on.
  assign place_soon_o = place_ready_o || placed_q
                        || (base_valid_q && ((place_valid_i && inside_q == '1)
                                             || (asked_q && settled_q && over == '0)));
  assign stays = place_valid_i && !place_take_i && !place_leave_i;
  assign take_segment = place_take_i ? starts_q[place_log_i] : go_on;

  always_ff @(posedge clk_i) begin
    asked_q <= stays;
    short_q <= place_units_i <= units_t'(LineUnits);
    units_q <= place_units_i;
    offset_q <= offset;
    starts_q <= starts;
    placed_q <= asked_q && stays && settled_q && over == '0 && (base_valid_q || starts == '0);
    place_ready_o <= placed_q && stays;
    settled_q <= !(place_take_i || go_on);
    for (int unsigned i = 0; i < 2; i++) begin
      place_o[i] <= (starts[i] ? base_q : head_q[i].base) | address_t'(offset[i]);
      around_q[i] <= around(head_q[i].offset, size_q, none_q[i]);
      end_q[i] <= offset_q[i] + offset_t'(units_q);
      if (place_take_i && place_log_i == log_e'(i)) inside_q[i] <= end_q[i] < size_q;
      if (place_take_i ? place_log_i == log_e'(i) : go_on && over[i]) begin
        head_q[i].offset <= place_take_i ? end_q[i]
                                         : head_q[i].offset - size_q;
        if (take_segment) head_q[i].base <= base_q;
        none_q[i] <= 1'b0;
      end
    end
    if (take_segment) log_o <= place_take_i ? place_log_i : log_e'(over[1]);
    if (restart) begin
      asked_q <= 1'b0;
      placed_q <= 1'b0;
      place_ready_o <= 1'b0;
      settled_q <= 1'b0;
      none_q <= '1;
      inside_q <= '1;
      head_q <= '0;
      around_q <= '0;
    end
  end

  // What was told to be ready soon: for how many cycles.
  logic [1:0] told_q;

  always_ff @(posedge clk_i) begin
    if (rst_i || clear_i || !stays) told_q <= '0;
    else if (place_soon_o && told_q != '1) told_q <= told_q + 1'b1;
  end

  `WC_ASSERT(taken_when_ready, !place_take_i || (place_ready_o && place_valid_i))
  `WC_ASSERT(taken_or_left, !(place_take_i && place_leave_i))
  `WC_ASSERT(ready_when_soon, place_ready_o || told_q != '1)
  `WC_ASSERT(soon_stays, place_soon_o || told_q == '0)
  `WC_ASSERT(two_units, !place_take_i || units_q >= units_t'(2))
  `WC_ASSERT(units_stay, !asked_q || !place_valid_i || place_units_i == units_q)
  `WC_ASSERT(offer_is_there, !segment_taken_q || segment_valid_i)
  `WC_ASSERT(one_goes_on, over != '1)

endmodule

`default_nettype wire
