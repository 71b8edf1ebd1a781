// SPDX-License-Identifier: Apache-2.0
// wc_log_place with the pool that it takes its segments from.
`default_nettype none

module wc_log_place_tb
  import wc_log_pkg::*;
(
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          clear_i,
  input  wire log_settings_t settings_i,
  output link_t              link_o,
  output segments_t          free_o,
  output segments_t [1:0]    count_o,
  output logic [1:0]         oldest_valid_o,
  output segment_t [1:0]     oldest_o,
  input  wire logic          drop_i,
  input  wire log_e          drop_log_i,
  input  wire logic          give_valid_i,
  input  wire segment_t      give_segment_i,
  input  wire logic          place_valid_i,
  input  wire units_t        place_units_i,
  output logic               place_ready_o,
  output address_t [1:0]     place_o,
  input  wire logic          place_take_i,
  input  wire log_e          place_log_i,
  input  wire logic          place_leave_i,
  input  wire logic          room_valid_i,
  input  wire room_t         room_units_i,
  output logic               room_ready_o,
  output logic               room_full_o,
  input  wire logic          room_take_i,
  input  wire logic          copy_room_valid_i,
  input  wire units_t        copy_room_units_i,
  output logic               copy_room_ready_o,
  output logic               copy_room_full_o,
  input  wire logic          copy_room_take_i,
  input  wire logic          passed_i,
  input  wire units_t        passed_units_i
);

  logic segment_valid, segment_ready;
  segment_t segment;
  log_e log;

  wc_log_pool u_pool (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (clear_i),
    .settings_i     (settings_i),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready),
    .segment_o      (segment),
    .log_i          (log),
    .link_o         (link_o),
    .free_o         (free_o),
    .count_o        (count_o),
    .oldest_valid_o (oldest_valid_o),
    .oldest_o       (oldest_o),
    .drop_i         (drop_i),
    .drop_log_i     (drop_log_i),
    .give_valid_i   (give_valid_i),
    .give_segment_i (give_segment_i)
  );

  wc_log_place u_place (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .clear_i          (clear_i),
    .settings_i       (settings_i),
    .segment_valid_i  (segment_valid),
    .segment_ready_o  (segment_ready),
    .segment_i        (segment),
    .log_o            (log),
    .free_i           (free_o),
    .place_valid_i    (place_valid_i),
    .place_units_i    (place_units_i),
    .place_soon_o     (),
    .place_ready_o    (place_ready_o),
    .place_o          (place_o),
    .place_take_i     (place_take_i && place_ready_o && place_valid_i),
    .place_log_i      (place_log_i),
    .place_leave_i    (place_leave_i && !(place_take_i && place_ready_o)),
    .room_valid_i     (room_valid_i),
    .room_units_i     (room_units_i),
    .room_ready_o     (room_ready_o),
    .room_full_o      (room_full_o),
    .room_take_i      (room_take_i && room_ready_o && room_valid_i),
    .copy_room_valid_i(copy_room_valid_i),
    .copy_room_units_i(copy_room_units_i),
    .copy_room_ready_o(copy_room_ready_o),
    .copy_room_full_o (copy_room_full_o),
    .copy_room_take_i (copy_room_take_i && copy_room_ready_o && copy_room_valid_i),
    .passed_i         (passed_i),
    .passed_units_i   (passed_units_i)
  );

endmodule

`default_nettype wire
