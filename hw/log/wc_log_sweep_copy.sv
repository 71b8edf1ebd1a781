// SPDX-License-Identifier: Apache-2.0
// Reads records and hands their words on, from the header's first to the end of the last unit, in
// the order in which they come. A word that memory did not tell is handed on as one in error.
// Latency 5 to the request, 1 from a beat to its first word, 2 where a beat is a unit; a word a cycle,
// with no gap between records. Whoever has the words waits: then the beats wait, and the requests. valid_i finds room
// always: there are at most Depth records here, until their done_o.
// A line waits where it came from until its last word is taken. A unit is taken at once, into a
// register, so that its reader looks for the next meanwhile. A slice cuts all paths.
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
  output logic            word_valid_o,
  input  wire logic       word_ready_i,
  output copy_word_t      word_o
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
  localparam int unsigned StepBits = Units ? 0 : $clog2(UnitWords);
  typedef logic [$bits(units_t)+StepBits-1:0] left_t;

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

  // ---- records, in steps: a word of a line, the words of a unit ----------------------------------
  turn_t turn;
  logic turn_valid, begins, step, unread;
  logic busy_q, last_q;  // steps are left; one is
  left_t left_q;         // how many

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
      left_q <= left_t'(turn.size) << StepBits;
      last_q <= 1'b0;  // a record has two units at least
    end else if (step) begin
      left_q <= left_q - 1'b1;
      last_q <= left_q == left_t'(2);
    end
    done_o <= step && last_q;
    unread_o <= unread;
    if (rst_i) begin
      busy_q <= 1'b0;
      done_o <= 1'b0;
      unread_o <= 1'b0;
    end
  end

  // ---- words ------------------------------------------------------------------------------------
  logic word_valid, word_ready;
  copy_word_t word;

  if (Units) begin : gen_units
    logic full_q, second_q;  // a unit is there; its second word is next
    logic error_q;
    logic [BeatWidth-1:0] unit_q;

    assign step = full_q && second_q && word_ready;
    assign beat_ready_o = !full_q || step;
    assign unread = step && error_q;

    always_ff @(posedge clk_i) begin
      full_q <= beat_ready_o ? beat_valid_i : 1'b1;
      second_q <= full_q && second_q != word_ready;
      if (beat_ready_o) {error_q, unit_q} <= {beat_error_i, beat_i};
      if (rst_i) full_q <= 1'b0;
    end

    assign word_valid = full_q;
    // A record is asked for when its turn is known, and the turn is there before its units.
    `WC_ASSERT(record_is_known, !full_q || busy_q)

    assign word.error = error_q;
    assign word.word = second_q ? unit_q[BeatWidth-1-:wc_pkg::WordWidth]
                                : unit_q[wc_pkg::WordWidth-1:0];
  end else begin : gen_line
    logic [2:0] word_q;  // of the line

    assign step = busy_q && beat_valid_i && word_ready;
    assign beat_ready_o = busy_q && word_ready && (last_q || word_q == '1);
    assign unread = beat_valid_i && beat_ready_o && beat_error_i;
    assign word_valid = busy_q && beat_valid_i;
    assign word = '{error: beat_error_i, word: beat_i[word_q*wc_pkg::WordWidth+:wc_pkg::WordWidth]};

    always_ff @(posedge clk_i) begin
      if (begins) word_q <= {turn.unit, 1'b0};
      else if (step) word_q <= word_q + 1'b1;
    end
  end

  wc_slice #(
    .data_t(copy_word_t)
  ) u_word (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(word_valid),
    .ready_o(word_ready),
    .data_i (word),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o)
  );

  `WC_ASSERT(finds_room, !valid_i || jobs_ready)
  `WC_ASSERT(has_units, !valid_i || units_i >= units_t'(2))
  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, {request_address_o, request_beats_o})
  `WC_ASSERT_STREAM(word, word_valid_o, word_ready_i, word_o)

endmodule

`default_nettype wire
