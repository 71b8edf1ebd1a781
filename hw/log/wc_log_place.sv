// SPDX-License-Identifier: Apache-2.0
// Heads of both logs: where the next item goes (wc_log_head), and the room for it (wc_log_room).
// Room is reserved before an item's place is asked for, so a place never waits for a free segment.
// Latency 3 cycles to a place, 2 to room; a place in 4 cycles, room in 3.
`include "wc_assert.svh"
`default_nettype none

module wc_log_place
  import wc_log_pkg::*;
#(
  parameter int unsigned Reserve = 3  // segments that users leave to copies
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          clear_i,  // with the pool; nothing is in flight
  input  wire log_settings_t settings_i,
  // the pool's free segments
  input  wire logic          segment_valid_i,
  output logic               segment_ready_o,
  input  wire segment_t      segment_i,
  output log_e               log_o,
  input  wire segments_t     free_i,
  // places: index LogNew, LogMain
  input  wire logic          place_valid_i,
  input  wire units_t        place_units_i,
  output logic               place_soon_o,
  output logic               place_ready_o,
  output address_t [1:0]     place_o,
  input  wire logic          place_take_i,
  input  wire log_e          place_log_i,
  input  wire logic          place_leave_i,
  // room for what users store
  input  wire logic          room_valid_i,
  input  wire room_t         room_units_i,
  output logic               room_ready_o,
  output logic               room_full_o,
  input  wire logic          room_take_i,
  // room for copies
  input  wire logic          copy_room_valid_i,
  input  wire units_t        copy_room_units_i,
  output logic               copy_room_ready_o,
  output logic               copy_room_full_o,
  input  wire logic          copy_room_take_i,
  // the end of a reservation
  input  wire logic          passed_i,
  input  wire units_t        passed_units_i
);

  logic goes_on;

  wc_log_head u_head (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (clear_i),
    .settings_i     (settings_i),
    .segment_valid_i(segment_valid_i),
    .segment_ready_o(segment_ready_o),
    .segment_i      (segment_i),
    .log_o          (log_o),
    .place_valid_i  (place_valid_i),
    .place_units_i  (place_units_i),
    .place_soon_o   (place_soon_o),
    .place_ready_o  (place_ready_o),
    .place_o        (place_o),
    .place_take_i   (place_take_i),
    .place_log_i    (place_log_i),
    .place_leave_i  (place_leave_i),
    .goes_on_o      (goes_on)
  );

  wc_log_room #(
    .Reserve(Reserve)
  ) u_room (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .clear_i          (clear_i),
    .settings_i       (settings_i),
    .free_i           (free_i),
    .goes_on_i        (goes_on),
    .room_valid_i     (room_valid_i),
    .room_units_i     (room_units_i),
    .room_ready_o     (room_ready_o),
    .room_full_o      (room_full_o),
    .room_take_i      (room_take_i),
    .copy_room_valid_i(copy_room_valid_i),
    .copy_room_units_i(copy_room_units_i),
    .copy_room_ready_o(copy_room_ready_o),
    .copy_room_full_o (copy_room_full_o),
    .copy_room_take_i (copy_room_take_i),
    .passed_i         (passed_i),
    .passed_units_i   (passed_units_i)
  );

  // Room that was reserved is there: the offer may be on its way, but there is a segment.
  `WC_ASSERT(rest_has_segment, !goes_on || free_i != '0 || segment_ready_o)

endmodule

`default_nettype wire
