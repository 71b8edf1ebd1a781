// SPDX-License-Identifier: Apache-2.0
// Reads records and hands their units on, from the header's first to the last, in the order in which
// they come. A unit that memory did not tell is handed on as one in error.
// Latency 5 to the request, 1 from a beat to its first unit; a unit a cycle, with no gap between
// records. Whoever has the units waits: then the beats wait, and the requests. valid_i finds room
// always: there are at most Depth records here, until their done_o. A beat waits where it came from
// until its last unit is taken. A slice cuts all paths.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_copy
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Depth      = 32,
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       valid_i,
  input  wire address_t   address_i,
  input  wire units_t     units_i,
  output logic            done_o,    // all beats of the oldest record are read
  output logic            unread_o,  // a beat that memory did not tell
  output logic            request_valid_o,
  input  wire logic       request_ready_i,
  output address_t        request_address_o,
  output beats_t          request_beats_o,
  input  wire logic       beat_valid_i,
  output logic            beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic       beat_error_i,
  output logic            unit_valid_o,
  input  wire logic       unit_ready_i,
  output copy_unit_t      unit_o
);

  localparam int unsigned Ahead = 8;  // records whose beats are asked for

  typedef struct packed {
    address_t address;
    units_t   size;
  } job_t;
  typedef struct packed {
    logic [1:0] unit;   // lines: where it begins in its first one
    units_t     size;
  } turn_t;

  localparam bit Units = BeatUnits == 1;
  localparam int unsigned UnitBits = $clog2(BeatUnits);

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_log_sweep_copy: BeatUnits must be 1 or 4")

  // ---- requests ---------------------------------------------------------------------------------
  job_t job;
  logic jobs_ready, job_valid, turns_ready, load;

  wc_fifo_wide #(
    .data_t(job_t),
    .Depth (Depth)
  ) u_jobs (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(jobs_ready),
    .data_i ('{address: address_i, size: units_i}),
    .valid_o(job_valid),
    .ready_i(load),
    .data_o (job),
    .level_o()
  );

  assign load = turns_ready && (!request_valid_o || request_ready_i);

  always_ff @(posedge clk_i) begin
    if (request_ready_i) request_valid_o <= 1'b0;
    if (load) begin
      request_valid_o <= job_valid;
      request_address_o <= job.address >> UnitBits << UnitBits;
      request_beats_o <= beats_t'((21'(job.size) + 21'(job.address % BeatUnits)
                                   + 21'(BeatUnits - 1)) >> UnitBits);
    end
    if (rst_i) request_valid_o <= 1'b0;
  end

  // ---- records, unit by unit --------------------------------------------------------------------
  turn_t turn;
  logic turn_valid, begins, step, unread;
  logic busy_q, last_q;  // units are left; one is
  units_t left_q;        // how many

  wc_fifo_shallow #(
    .data_t(turn_t),
    .Depth (Ahead)
  ) u_turns (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(job_valid && load),
    .ready_o(turns_ready),
    .data_i ('{unit: Units ? '0 : job.address[1:0], size: job.size}),
    .valid_o(turn_valid),
    .ready_i(begins),
    .data_o (turn)
  );

  assign begins = !busy_q || (step && last_q);

  always_ff @(posedge clk_i) begin
    if (begins) begin
      busy_q <= turn_valid;
      left_q <= turn.size;
      last_q <= 1'b0;  // a record has two units at least
    end else if (step) begin
      left_q <= left_q - 1'b1;
      last_q <= left_q == units_t'(2);
    end
    done_o <= step && last_q;
    unread_o <= unread;
    if (rst_i) begin
      busy_q <= 1'b0;
      done_o <= 1'b0;
      unread_o <= 1'b0;
    end
  end

  // ---- units ------------------------------------------------------------------------------------
  logic unit_ready;
  copy_unit_t unit;
  logic [1:0] number_q;  // of the unit in its line
  logic ends;            // the beat

  if (Units) begin : gen_unit
    assign ends = 1'b1;
    assign unit = '{error: beat_error_i, data: beat_i};
  end else begin : gen_line
    assign ends = last_q || number_q == '1;
    assign unit = '{error: beat_error_i, data: beat_i[$bits(unit_t)*number_q+:$bits(unit_t)]};
  end

  assign step = busy_q && beat_valid_i && unit_ready;
  assign beat_ready_o = busy_q && unit_ready && ends;
  assign unread = beat_valid_i && beat_ready_o && beat_error_i;

  always_ff @(posedge clk_i) begin
    if (begins) number_q <= turn.unit;
    else if (step) number_q <= number_q + 1'b1;
  end

  wc_slice #(
    .data_t(copy_unit_t)
  ) u_unit (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(busy_q && beat_valid_i),
    .ready_o(unit_ready),
    .data_i (unit),
    .valid_o(unit_valid_o),
    .ready_i(unit_ready_i),
    .data_o (unit_o)
  );

  `WC_ASSERT(finds_room, !valid_i || jobs_ready)
  `WC_ASSERT(has_units, !valid_i || units_i >= units_t'(2))
  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, {request_address_o, request_beats_o})
  `WC_ASSERT_STREAM(unit, unit_valid_o, unit_ready_i, unit_o)

endmodule

`default_nettype wire
