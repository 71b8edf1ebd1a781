// SPDX-License-Identifier: Apache-2.0
// Counts who reads in each segment: whoever is about to read an item enters the segment in which
// the item begins, and leaves it after the last line. Tells whether a segment has no reader.
// Enter: one a cycle, at any time. Leave: two ports, each one a cycle, at any time.
// Three counters of each segment, modulo 2**CountWidth: how many have entered, how many have left by
// either port. So nothing waits to be counted, and there are fewer readers than a counter tells.
// A question holds until it is dropped: idle_valid_o comes 8 cycles later. idle_o then tells of 3
// cycles before: as many had left as entered, and nobody did either in the 8 cycles before that. It
// rises at most 16 cycles after the last reader has left.
// After reset ready_o is low for as many cycles as there are segments.
`include "wc_assert.svh"
`default_nettype none

module wc_log_readers #(
  parameter int unsigned Segments   = wc_log_pkg::MaxSegments,
  parameter int unsigned CountWidth = 16
) (
  input  wire logic                             clk_i,
  input  wire logic                             rst_i,
  output logic                                  ready_o,
  input  wire logic                             enter_valid_i,
  input  wire logic [$clog2(Segments)-1:0]      enter_segment_i,
  input  wire logic [1:0]                       leave_valid_i,
  input  wire logic [1:0][$clog2(Segments)-1:0] leave_segment_i,
  input  wire logic                             ask_valid_i,
  input  wire logic [$clog2(Segments)-1:0]      ask_segment_i,    // holds while asked
  output logic                                  idle_valid_o,
  output logic                                  idle_o
);

  localparam int unsigned Window = 8;  // longer than a count takes to get into the RAM, and out

  typedef logic [$clog2(Segments)-1:0] segment_t;
  typedef logic [CountWidth-1:0] count_t;

  logic enter_q;
  segment_t enter_segment_q;
  logic [1:0] leave_q;
  segment_t [1:0] leave_segment_q;
  count_t entered;
  count_t [1:0] gone;

  always_ff @(posedge clk_i) begin
    enter_q <= enter_valid_i;
    enter_segment_q <= enter_segment_i;
    leave_q <= leave_valid_i;
    leave_segment_q <= leave_segment_i;
    if (rst_i) begin
      enter_q <= 1'b0;
      leave_q <= '0;
    end
  end

  wc_log_count #(
    .Segments(Segments),
    .Width   (CountWidth)
  ) u_entered (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .ready_o  (ready_o),
    .valid_i  (enter_q),
    .segment_i(enter_segment_q),
    .look_i   (ask_segment_i),
    .look_o   (entered)
  );

  for (genvar i = 0; i < 2; i++) begin : gen_leave
    wc_log_count #(
      .Segments(Segments),
      .Width   (CountWidth)
    ) u_left (
      .clk_i    (clk_i),
      .rst_i    (rst_i),
      .ready_o  (),
      .valid_i  (leave_q[i]),
      .segment_i(leave_segment_q[i]),
      .look_i   (ask_segment_i),
      .look_o   (gone[i])
    );
  end

  // ---- the question -----------------------------------------------------------------------------
  // Not idle while one of the segment's counters changes: the RAM is being written.
  logic asked_q, equal_q;
  logic [$clog2(Window)-1:0] quiet_q;  // cycles that nothing has changed, until it is enough
  logic [$clog2(Window):0] since_q;    // cycles since the question was asked, likewise
  logic touched_q;

  always_ff @(posedge clk_i) begin
    asked_q <= ask_valid_i;
    touched_q <= (enter_q && enter_segment_q == ask_segment_i)
                 || (leave_q[0] && leave_segment_q[0] == ask_segment_i)
                 || (leave_q[1] && leave_segment_q[1] == ask_segment_i);
    equal_q <= entered - gone[0] == gone[1];
    if (touched_q || !asked_q) quiet_q <= '0;
    else if (quiet_q != '1) quiet_q <= quiet_q + 1'b1;
    idle_o <= equal_q && quiet_q == '1 && !touched_q;
    if (!asked_q) since_q <= '0;
    else if (!since_q[$clog2(Window)]) since_q <= since_q + 1'b1;
    idle_valid_o <= ask_valid_i && asked_q && since_q[$clog2(Window)];
    if (rst_i) begin
      asked_q <= 1'b0;
      idle_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT(enters_when_ready, !enter_valid_i || ready_o)

endmodule

`default_nettype wire
