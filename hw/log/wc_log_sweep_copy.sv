// SPDX-License-Identifier: Apache-2.0
// Reads records and hands their words on, from the header's first to the end of the last unit, in
// the order in which they come. A word that memory did not tell is handed on as one in error.
// Latency 5 to the request, 1 from a line to its first word; a word a cycle, with no gap between
// records. Whoever has the words waits: then the lines wait, and the requests. valid_i finds room
// always: there are at most Depth records here, until their done_o.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_copy
  import wc_log_pkg::*;
#(
  parameter int unsigned Depth = 32
) (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic       valid_i,
  input  wire address_t   address_i,
  input  wire units_t     units_i,
  output logic            done_o,    // all lines of the oldest record are read
  output logic            unread_o,  // a line that memory did not tell
  output logic            request_valid_o,
  input  wire logic       request_ready_i,
  output line_t           request_line_o,
  output logic [17:0]     request_lines_o,
  input  wire logic       line_valid_i,
  output logic            line_ready_o,
  input  wire data_t      line_i,
  input  wire logic       line_error_i,
  output logic            word_valid_o,
  input  wire logic       word_ready_i,
  output copy_word_t      word_o
);

  localparam int unsigned Ahead = 8;  // records whose lines are asked for

  typedef struct packed {
    address_t address;
    units_t   size;
  } job_t;
  typedef struct packed {
    logic [1:0] unit;   // where it begins in its first line
    units_t     size;
  } turn_t;

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
      request_line_o <= line_t'(job.address >> 2);
      request_lines_o <= 18'((21'(job.size) + 21'(job.address[1:0]) + 21'd3) >> 2);
    end
    if (rst_i) request_valid_o <= 1'b0;
  end

  // ---- words ------------------------------------------------------------------------------------
  turn_t turn;
  logic turn_valid, begins;
  logic busy_q, last_q;      // words are left; one is
  logic [20:0] left_q;       // how many
  logic [2:0] word_q;        // of the line
  logic slice_ready, give;

  wc_fifo_shallow #(
    .data_t(turn_t),
    .Depth (Ahead)
  ) u_turns (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(job_valid && load),
    .ready_o(turns_ready),
    .data_i ('{unit: job.address[1:0], size: job.size}),
    .valid_o(turn_valid),
    .ready_i(begins),
    .data_o (turn)
  );

  assign give = busy_q && line_valid_i && slice_ready;
  assign line_ready_o = busy_q && slice_ready && (last_q || word_q == '1);
  assign begins = !busy_q || (give && last_q);

  always_ff @(posedge clk_i) begin
    if (begins) begin
      busy_q <= turn_valid;
      left_q <= {turn.size, 1'b0};
      last_q <= 1'b0;  // a unit is two words
      word_q <= {turn.unit, 1'b0};
    end else if (give) begin
      left_q <= left_q - 1'b1;
      last_q <= left_q == 21'd2;
      word_q <= word_q + 1'b1;
    end
    done_o <= give && last_q;
    unread_o <= line_valid_i && line_ready_o && line_error_i;
    if (rst_i) begin
      busy_q <= 1'b0;
      done_o <= 1'b0;
      unread_o <= 1'b0;
    end
  end

  wc_slice #(
    .data_t(copy_word_t)
  ) u_word (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(busy_q && line_valid_i),
    .ready_o(slice_ready),
    .data_i ('{error: line_error_i, word: line_i[word_q*wc_pkg::WordWidth+:wc_pkg::WordWidth]}),
    .valid_o(word_valid_o),
    .ready_i(word_ready_i),
    .data_o (word_o)
  );

  `WC_ASSERT(finds_room, !valid_i || jobs_ready)
  `WC_ASSERT(has_units, !valid_i || units_i != '0)
  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, {request_line_o, request_lines_o})
  `WC_ASSERT_STREAM(word, word_valid_o, word_ready_i, word_o)

endmodule

`default_nettype wire
