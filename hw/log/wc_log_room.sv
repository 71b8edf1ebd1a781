// SPDX-License-Identifier: Apache-2.0
// Reserves room for items whose place is not known yet: whatever log they go to, in whatever order,
// there will be segments for them.
// A reservation of some units counts with Waste more, which skipping may cost. If n units in all are
// reserved, the logs take n / size segments for them at most, and one more each, as neither need end
// where a segment does. A user's reservation leaves Reserve segments free besides, that of a copy
// one: so the sweeper can go on when users must wait.
// Latency 2 cycles from the request to the answer; a reservation in 3 cycles. Users and copies take
// turns: who is told that there is room takes it soon, as the other one waits meanwhile. While an
// item waits for its segments there is no answer.
`include "wc_assert.svh"
`default_nettype none

module wc_log_room
  import wc_log_pkg::*;
#(
  parameter int unsigned Reserve = 3
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          clear_i,
  input  wire log_settings_t settings_i,
  input  wire segments_t     free_i,
  input  wire logic          goes_on_i,  // an item waits for segments for its rest
  // users
  input  wire logic          room_valid_i,
  input  wire room_t         room_units_i,
  output logic               room_ready_o,
  output logic               room_full_o,  // not now, nor when what is reserved has passed
  input  wire logic          room_take_i,
  // copies
  input  wire logic          copy_room_valid_i,
  input  wire units_t        copy_room_units_i,
  output logic               copy_room_ready_o,
  output logic               copy_room_full_o,
  input  wire logic          copy_room_take_i,
  // The reservation of so many units ends, with its place taken or without; with the place or later.
  input  wire logic          passed_i,
  input  wire units_t        passed_units_i
);

  localparam int unsigned Waste = LineUnits - 1;
  localparam int unsigned CopyReserve = 1;
  localparam int unsigned Crossing = 2;  // one segment of each log
  localparam int unsigned SumWidth = $bits(address_t) + 1;
  localparam int unsigned Settle = 3;  // cycles until segments that are taken count in left_q
  typedef logic [SumWidth-1:0] sum_t;

  logic restart;

  assign restart = rst_i || clear_i;

  logic [1:0] valid, take;  // users, copies
  room_t [1:0] span;
  logic taken;

  assign valid = {copy_room_valid_i, room_valid_i};
  assign span = {room_t'(copy_room_units_i), room_units_i};
  assign take = {copy_room_take_i, room_take_i};
  assign taken = take != '0;

  // ---- what is reserved ------------------------------------------------------------------------
  room_t [1:0] item_q;  // those that are asked for
  room_t [1:0] passed_q;  // what ends, so late that the segments it took count already
  logic [1:0] passing_q;
  room_t ended, back_q;  // what ended, what of it is not yet taken off
  sum_t reserved_q;
  logic none_q;  // nothing is reserved

  assign ended = passing_q[1] ? passed_q[1] : '0;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 2; i++) item_q[i] <= span[i] + room_t'(Waste);
    passed_q <= {passed_q[0], room_t'(passed_units_i) + room_t'(Waste)};
    passing_q <= {passing_q[0], passed_i};
    // No two reservations are taken in a row, so no more than two that have ended wait here.
    back_q <= taken ? back_q + ended : ended;
    reserved_q <= taken ? reserved_q + sum_t'(item_q[take[1]]) : reserved_q - sum_t'(back_q);
    if (restart) begin
      passing_q <= '0;
      back_q <= '0;
      reserved_q <= '0;
    end
  end

  // ---- what is left ----------------------------------------------------------------------------
  segments_t [1:0] spare_q;  // segments that reservations may use up
  sum_t [1:0] capacity_q;
  logic [1:0][SumWidth:0] left_q;  // with a sign
  logic [1:0] settle_q;
  logic [1:0] asked_q;
  logic turn_q;  // who goes first if there is room for either
  logic [1:0] known, fits, ready_q, full_q;

  function automatic segments_t above(segments_t free, segments_t keep);
    return free > keep ? free - keep : '0;
  endfunction

  // A reservation fits if reserved + item < capacity: for at most (reserved + item) / size
  // segments, rounded down, and two.
  for (genvar i = 0; i < 2; i++) begin : gen_fits
    assign fits[i] = !left_q[i][SumWidth] && (left_q[i][SumWidth-1:$bits(room_t)] != '0
                                              || item_q[i] < left_q[i][$bits(room_t)-1:0]);
    assign known[i] = valid[i] && asked_q[i] && !taken && settle_q == '0;
  end

  always_ff @(posedge clk_i) begin
    spare_q[0] <= above(free_i, segments_t'(Crossing + Reserve - 1));
    spare_q[1] <= above(free_i, segments_t'(Crossing + CopyReserve - 1));
    for (int unsigned i = 0; i < 2; i++) begin
      capacity_q[i] <= sum_t'(spare_q[i]) << settings_i.segment_bits;
      left_q[i] <= {1'b0, capacity_q[i]} - {1'b0, reserved_q};
      asked_q[i] <= valid[i] && !taken;
      ready_q[i] <= known[i] && fits[i]
                    && (turn_q == 1'(i) || !(known[1-i] && fits[1-i]));
      full_q[i] <= known[i] && !fits[i] && (none_q || i != 0);
    end
    // What is reserved passes without anybody's help, and may have been more than it needs.
    none_q <= reserved_q == '0;
    if (taken) turn_q <= !take[1];
    settle_q <= goes_on_i ? 2'(Settle) : settle_q - 2'(settle_q != '0);
    if (restart) begin
      asked_q <= '0;
      ready_q <= '0;
      full_q <= '0;
      turn_q <= 1'b0;
      settle_q <= 2'(Settle);
    end
  end

  assign {copy_room_ready_o, room_ready_o} = ready_q;
  assign {copy_room_full_o, room_full_o} = full_q;

  `WC_ASSERT(were_ready, (take & ~(valid & ready_q)) == '0 && take != '1)
  `WC_ASSERT(user_stays, !asked_q[0] || !valid[0]
             || room_units_i + room_t'(Waste) == item_q[0])
  `WC_ASSERT(copy_stays, !asked_q[1] || !valid[1]
             || room_t'(copy_room_units_i) + room_t'(Waste) == item_q[1])
  `WC_ASSERT(ended_was_reserved, taken || sum_t'(back_q) <= reserved_q)

endmodule

`default_nettype wire
