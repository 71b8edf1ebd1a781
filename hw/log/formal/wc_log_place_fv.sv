// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_place and wc_log_pool as they work together, with segments of two lines. Nothing is
// swept: that a segment is not offered again before it is given back is proved by wc_log_pool_fv.
// One unit of memory is followed, any one. Three reservations at a time, of users and copies, of
// items of four lengths; each gets its place in any log, or leaves it, and ends at any time then.
// Rule 1: an item's units lie in segments that its log took from the pool: so a head is never in a
//         segment that the pool counts as free.
// Rule 2: no place overlaps an earlier one.
// Rule 3: an item of 4 units or fewer lies in one line, the first two units of another in one segment.
// Rule 4: a segment that comes to a chain is linked to the one that came before it.
// Rule 5: there is a free segment whenever an item needs one, a place is there within Wait cycles,
//         and one segment stays free; with reservations of users alone, Reserve of them do.
// Assumed of the table: room is reserved for every item, its place is not asked for before, and the
// reservation does not end before the place is taken.
`include "wc_assert.svh"
`default_nettype none

module wc_log_place_fv
  import wc_log_pkg::*;
#(
  parameter int unsigned Segments = 5,
  parameter int unsigned Reserve  = 3,
  parameter int unsigned Wait     = 18
) (
  input wire logic       clk_i,
  input wire logic [2:0] segment_i,  // free: the unit that is followed
  input wire logic [2:0] unit_i,
  input wire logic       room_valid_i,
  input wire logic [1:0] room_kind_i,
  input wire logic       room_take_i,
  input wire logic       copy_room_valid_i,
  input wire logic [1:0] copy_room_kind_i,
  input wire logic       copy_room_take_i,
  input wire logic       ask_i,   // for the place of slot pick_i
  input wire logic [1:0] pick_i,
  input wire logic       take_i,
  input wire log_e       log_i,
  input wire logic       leave_i,
  input wire logic       end_i,   // the reservation of slot ends_i ends
  input wire logic [1:0] ends_i
);

  localparam int unsigned Bits = 3;
  localparam int unsigned Size = 2 ** Bits;
  localparam int unsigned Slots = 3;  // reservations

  log_settings_t settings;
  logic segment_valid, segment_ready;
  segment_t segment;
  log_e log;
  link_t link;
  segments_t free;
  logic place_ready, room_ready, copy_room_ready;
  address_t [1:0] place;
  logic place_valid_q, place_take, place_leave, room_take, copy_room_take, passed;

  // One cycle of reset, made here: the search then knows the registers' values behind it, and goes
  // deeper than with a reset that is assumed (wc_reset_fv).
  logic awake_q, rst_i;

  initial awake_q = 1'b0;
  always_ff @(posedge clk_i) awake_q <= 1'b1;
  assign rst_i = !awake_q;

  assign settings = '{segment_bits: 5'(Bits), segments: segments_t'(Segments), default: '0};

  // ---- the table: reservations -----------------------------------------------------------------
  typedef enum logic [1:0] {
    SlotNone     = 2'd0,
    SlotReserved = 2'd1,
    SlotPlaced   = 2'd2
  } slot_e;
  slot_e slot_q[Slots];
  logic [3:0] units_q[Slots];
  logic [1:0] vacant, asks_q;
  logic [3:0] room_units, copy_room_units;
  logic full;

  // Lengths of each kind: two that share a line, or do not; from a line into the next; two segments.
  function automatic logic [3:0] units_of(logic [1:0] kind);
    return kind == 2'd0 ? 4'd2 : kind == 2'd1 ? 4'd3 : kind == 2'd2 ? 4'd5 : 4'd12;
  endfunction

  assign room_units = units_of(room_kind_i);
  assign copy_room_units = units_of(copy_room_kind_i);
  assign vacant = slot_q[0] == SlotNone ? 2'd0 : slot_q[1] == SlotNone ? 2'd1 : 2'd2;
  assign full = slot_q[0] != SlotNone && slot_q[1] != SlotNone && slot_q[2] != SlotNone;
  assign room_take = room_take_i && room_valid_i && room_ready && !full;
  assign copy_room_take = copy_room_take_i && copy_room_valid_i && copy_room_ready && !full;
  assign place_take = take_i && place_valid_q && place_ready;
  assign place_leave = leave_i && place_valid_q && !place_take;
  assign passed = end_i && 32'(ends_i) < Slots
                  && (slot_q[ends_i] == SlotPlaced || (place_take && ends_i == asks_q)
                      || (slot_q[ends_i] == SlotReserved && !(place_valid_q && asks_q == ends_i)));

  `WC_ASSUME(room_stays, $past(rst_i || !room_valid_i || room_take)
             || !room_valid_i || room_kind_i == $past(room_kind_i))
  `WC_ASSUME(copy_room_stays, $past(rst_i || !copy_room_valid_i || copy_room_take)
             || !copy_room_valid_i || copy_room_kind_i == $past(copy_room_kind_i))

  always_ff @(posedge clk_i) begin
    if (place_take) slot_q[asks_q] <= SlotPlaced;
    if (place_take || place_leave || !place_valid_q) begin
      place_valid_q <= ask_i && 32'(pick_i) < Slots && slot_q[pick_i] == SlotReserved
                       && !(passed && ends_i == pick_i) && !(place_take && asks_q == pick_i);
      asks_q <= pick_i;
    end
    if (passed) slot_q[ends_i] <= SlotNone;
    if (room_take || copy_room_take) begin
      slot_q[vacant] <= SlotReserved;
      units_q[vacant] <= room_take ? room_units : copy_room_units;
    end
    if (rst_i) begin
      place_valid_q <= 1'b0;
      for (int unsigned i = 0; i < Slots; i++) slot_q[i] <= SlotNone;
    end
  end

  wc_log_pool #(
    .Segments(8),
    .Quiet   (1)
  ) u_pool (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (1'b0),
    .settings_i     (settings),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready),
    .segment_o      (segment),
    .log_i          (log),
    .link_o         (link),
    .free_o         (free),
    .count_o        (),
    .oldest_valid_o (),
    .oldest_o       (),
    .drop_i         (1'b0),
    .drop_log_i     (LogNew),
    .give_valid_i   (1'b0),
    .give_segment_i ('0)
  );

  wc_log_place #(
    .Reserve(Reserve)
  ) u_dut (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .clear_i          (1'b0),
    .settings_i       (settings),
    .segment_valid_i  (segment_valid),
    .segment_ready_o  (segment_ready),
    .segment_i        (segment),
    .log_o            (log),
    .free_i           (free),
    .place_valid_i    (place_valid_q),
    .place_units_i    (units_t'(units_q[asks_q])),
    .place_soon_o     (),
    .place_ready_o    (place_ready),
    .place_o          (place),
    .place_take_i     (place_take),
    .place_log_i      (log_i),
    .place_leave_i    (place_leave),
    .room_valid_i     (room_valid_i),
    .room_units_i     (room_t'(room_units)),
    .room_ready_o     (room_ready),
    .room_full_o      (),
    .room_take_i      (room_take),
    .copy_room_valid_i(copy_room_valid_i),
    .copy_room_units_i(units_t'(copy_room_units)),
    .copy_room_ready_o(copy_room_ready),
    .copy_room_full_o (),
    .copy_room_take_i (copy_room_take),
    .passed_i         (passed),
    .passed_units_i   (place_take && ends_i == asks_q ? units_t'(units_q[asks_q])
                                                      : units_t'(units_q[ends_i]))
  );

  // ---- where items lie -------------------------------------------------------------------------
  logic [1:0][7:0] owner_q;  // segments that a log took
  logic start_q;             // a place begins in a segment that is to be taken,
  log_e start_log_q;
  segment_t start_segment_q;
  logic [1:0][4:0] rest_q;   // units of a log's last item that lie in segments to be taken
  logic used_q;              // an item has the unit that is followed
  logic [1:0] begun_q;
  logic [1:0][2:0] youngest_q;
  logic take_segment;
  address_t at;
  logic [4:0] ends;    // where the item does, if its segment did not,
  logic [4:0] behind;  // and how many of its units are behind its first segment
  logic [3:0] length;
  logic first_covers, rest_covers, link_valid_q;
  logic [2:0] link_from_q, link_to_q;
  logic copied_q;
  logic [4:0] wait_q;

  assign take_segment = segment_valid && segment_ready;
  assign at = place[log_i];
  assign length = units_q[asks_q];
  assign ends = 5'(at[Bits-1:0]) + 5'(length);
  assign behind = ends > 5'(Size) ? ends - 5'(Size) : '0;
  assign first_covers = place_take && 3'(at >> Bits) == segment_i && unit_i >= at[Bits-1:0]
                        && 5'(unit_i) < ends;
  assign rest_covers = take_segment && !start_q && 3'(segment) == segment_i
                       && 5'(unit_i) < rest_q[log];

  always_ff @(posedge clk_i) begin
    if (place_take) begin
      start_q <= at[Bits-1:0] == '0;
      start_log_q <= log_i;
      start_segment_q <= segment_t'(at >> Bits);
      rest_q[log_i] <= behind;
    end
    link_valid_q <= 1'b0;
    if (take_segment) begin
      owner_q[log][3'(segment)] <= 1'b1;
      start_q <= 1'b0;
      if (!start_q) rest_q[log] <= rest_q[log] > 5'(Size) ? rest_q[log] - 5'(Size) : '0;
      begun_q[log] <= 1'b1;
      youngest_q[log] <= 3'(segment);
      link_valid_q <= begun_q[log];
      link_from_q <= youngest_q[log];
      link_to_q <= 3'(segment);
    end
    if (first_covers || rest_covers) used_q <= 1'b1;
    if (copy_room_take) copied_q <= 1'b1;
    wait_q <= place_valid_q && !place_ready && !place_leave ? wait_q + 1'b1 : '0;
    if (rst_i) begin
      owner_q <= '0;
      start_q <= 1'b0;
      rest_q <= '0;
      used_q <= 1'b0;
      begun_q <= '0;
      link_valid_q <= 1'b0;
      copied_q <= 1'b0;
      wait_q <= '0;
    end
  end

  // The unit that is followed stays the same.
  `WC_ASSUME(followed, $past(rst_i) || (segment_i == $past(segment_i) && unit_i == $past(unit_i)))

  // ---- the rules -------------------------------------------------------------------------------
  `WC_ASSERT(rule_1_place, !place_take || at[Bits-1:0] == '0 || owner_q[log_i][3'(at >> Bits)])
  `WC_ASSERT(rule_1_start, !start_q || (take_segment && log == start_log_q
                                        && segment == start_segment_q))
  `WC_ASSERT(rule_1_take, !take_segment || start_q || rest_q[log] != '0)
  `WC_ASSERT(rule_1_all, !place_take || (rest_q == '0 && !start_q))
  `WC_ASSERT(rule_2, !(first_covers || rest_covers) || !used_q)
  `WC_ASSERT(rule_3_short, !place_take || length > 4 || 3'(at[1:0]) + 3'(length) <= 3'd4)
  `WC_ASSERT(rule_3_long, !place_take || length <= 4 || at[Bits-1:0] != '1)
  `WC_ASSERT(rule_4, link.valid == link_valid_q
             && (!link.valid || (3'(link.segment) == link_from_q && 3'(link.next) == link_to_q)))
  `WC_ASSERT(rule_5_rest, rest_q == '0 || free != '0)
  `WC_ASSERT(rule_5_wait, 32'(wait_q) < Wait)
  `WC_ASSERT(rule_5_one, free != '0)
  `WC_ASSERT(rule_5_reserve, copied_q || 32'(free) >= Reserve)

  `WC_COVER(crosses, place_take && behind >= 5'(Size / 2))
  `WC_COVER(both_logs, begun_q == '1)
  `WC_COVER(three, full)

endmodule

`default_nettype wire
