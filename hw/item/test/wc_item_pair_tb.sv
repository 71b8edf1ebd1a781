// SPDX-License-Identifier: Apache-2.0
// wc_item_dispatch, wc_item_compare and the CAS numbers that they share, as they work together.
`include "wc_assert.svh"
`default_nettype none

module wc_item_pair_tb
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Operations = 128,
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire seconds_t      time_i,
  input  wire value_len_t    most_bytes_i,
  input  wire log_settings_t settings_i,
  input  wire logic          looked_valid_i,
  output logic               looked_ready_o,
  input  wire logic [$bits(looked_t)+$bits(units_t)-1:0] looked_i,  // and the length below
  input  wire logic          context_valid_i,
  output logic               context_ready_o,
  input  wire context_t      context_i,
  input  wire logic          written_i,
  output logic               answer_valid_o,
  input  wire logic          answer_ready_i,
  output answer_t            answer_o,
  output logic               write_valid_o,
  input  wire logic          write_ready_i,
  output write_t             write_o,
  output logic               request_valid_o,
  input  wire logic          request_ready_i,
  output logic [$bits(address_t)+$bits(beats_t)-1:0] request_o,  // address, how many beats
  output logic               enter_valid_o,
  output segment_t           enter_segment_o,
  input  wire logic          key_valid_i,
  output logic               key_ready_o,
  input  wire beat_t         key_i,
  input  wire logic          beat_valid_i,
  output logic               beat_ready_o,
  input  wire logic [BeatWidth:0] beat_i,  // error above
  output cas_t               floor_o,
  output wc_log_pkg::flushes_t flushes_o,
  output logic               result_valid_o,
  input  wire logic          result_ready_i,
  output result_t            result_o,
  output logic               key_valid_o,
  input  wire logic          key_ready_i,
  output beat_t              key_o,
  input  wire logic          short_room_i,
  output logic               short_valid_o,
  input  wire logic          short_ready_i,
  output upper_t             short_o,
  output logic               verdict_valid_o,
  input  wire logic          verdict_ready_i,
  output verdict_t           verdict_o,
  output logic               number_valid_o,
  input  wire logic          number_ready_i,
  output wc_pkg::beat_t      number_o,
  output logic               joined_valid_o,
  input  wire logic          joined_ready_i,
  output joined_t            joined_o,
  input  wire logic          patched_i,
  input  wire logic          bumped_i,
  output logic               settle_valid_o,
  input  wire logic          settle_ready_i,
  output settle_t            settle_o,
  output logic               leave_valid_o,
  output segment_t           leave_segment_o,
  output logic               bump_leave_valid_o,
  input  wire logic          bump_leave_ready_i,
  output segment_t           bump_leave_o,
  output index_events_t      events_o,
  output logic               alias_o
);

  cas_t number;
  logic settled, early_draw, early_late, late_draw, decided;
  logic work_valid, work_ready;
  compare_t work;

  wc_item_cas #(
    .Most(2 * Operations)
  ) u_cas (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .number_o      (number),
    .settled_o     (settled),
    .early_draw_i  (early_draw),
    .early_late_i  (early_late),
    .late_decided_i(decided),
    .late_draw_i   (late_draw)
  );

  wc_item_dispatch #(
    .BeatUnits(BeatUnits)
  ) u_dispatch (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (time_i),
    .settings_i     (settings_i),
    .looked_valid_i (looked_valid_i),
    .looked_ready_o (looked_ready_o),
    .looked_i       (looked_i[$bits(looked_t)+$bits(units_t)-1:$bits(units_t)]),
    .looked_length_i(looked_i[$bits(units_t)-1:0]),
    .context_valid_i(context_valid_i),
    .context_ready_o(context_ready_o),
    .context_i      (context_i),
    .written_i      (written_i),
    .number_i       (number),
    .settled_i      (settled),
    .draw_o         (early_draw),
    .late_o         (early_late),
    .answer_valid_o (answer_valid_o),
    .answer_ready_i (answer_ready_i),
    .answer_o       (answer_o),
    .write_valid_o  (write_valid_o),
    .write_ready_i  (write_ready_i),
    .write_o        (write_o),
    .request_valid_o(request_valid_o),
    .request_ready_i(request_ready_i),
    .request_address_o(request_o[$bits(address_t)+$bits(beats_t)-1:$bits(beats_t)]),
    .request_beats_o(request_o[$bits(beats_t)-1:0]),
    .enter_valid_o  (enter_valid_o),
    .enter_segment_o(enter_segment_o),
    .work_valid_o   (work_valid),
    .work_ready_i   (work_ready),
    .work_o         (work)
  );

  logic short_valid, short_ready;
  upper_t short_line;

  wc_item_compare #(
    .BeatUnits (BeatUnits),
    .Operations(Operations)
  ) u_compare (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (time_i),
    .most_bytes_i   (most_bytes_i),
    .work_valid_i   (work_valid),
    .work_ready_o   (work_ready),
    .work_i         (work),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready_o),
    .key_i          (key_i),
    .beat_valid_i   (beat_valid_i),
    .beat_ready_o   (beat_ready_o),
    .beat_i         (beat_i[BeatWidth-1:0]),
    .beat_error_i   (beat_i[BeatWidth]),
    .number_i       (number),
    .draw_o         (late_draw),
    .decided_o      (decided),
    .floor_o        (floor_o),
    .flushes_o      (flushes_o),
    .result_valid_o (result_valid_o),
    .result_ready_i (result_ready_i),
    .result_o       (result_o),
    .key_valid_o    (key_valid_o),
    .key_ready_i    (key_ready_i),
    .key_o          (key_o),
    .short_room_i   (short_room_i),
    .short_valid_o  (short_valid),
    .short_o        (short_line),
    .verdict_valid_o(verdict_valid_o),
    .verdict_ready_i(verdict_ready_i),
    .verdict_o      (verdict_o),
    .number_valid_o (number_valid_o),
    .number_ready_i (number_ready_i),
    .number_o       (number_o),
    .joined_valid_o (joined_valid_o),
    .joined_ready_i (joined_ready_i),
    .joined_o       (joined_o),
    .patched_i      (patched_i),
    .bumped_i       (bumped_i),
    .settle_valid_o (settle_valid_o),
    .settle_ready_i (settle_ready_i),
    .settle_o       (settle_o),
    .leave_valid_o  (leave_valid_o),
    .leave_segment_o(leave_segment_o),
    .bump_leave_valid_o(bump_leave_valid_o),
    .bump_leave_ready_i(bump_leave_ready_i),
    .bump_leave_o   (bump_leave_o),
    .events_o       (events_o),
    .too_large_o    (),
    .alias_o        (alias_o)
  );

  // As in wc_item: the comparison never waits for who takes the lines of short items.
  wc_fifo_wide #(
    .data_t(upper_t),
    .Depth (512)
  ) u_short (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(short_valid),
    .ready_o(short_ready),
    .data_i (short_line),
    .valid_o(short_valid_o),
    .ready_i(short_ready_i),
    .data_o (short_o),
    .level_o()
  );

  `WC_ASSERT(short_has_room, !short_valid || short_ready)

endmodule

`default_nettype wire
