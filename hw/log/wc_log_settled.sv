// SPDX-License-Identifier: Apache-2.0
// Tells of each log's oldest segment whether memory has all of it, and all of the records that begin
// in it. The writer may be many jobs behind the places, and memory behind the writer.
// All segments of a log but the youngest are full: no place in them is given out any more. So this
// counts them, waits until the jobs that were placed then are written, and then until memory has
// acknowledged the log's lines that had words then. From there on these segments are settled. It
// does so again and again, for one log and the other in turns, and takes off what is dropped.
// It waits for the writer and for memory, never for the sweeper. Latency: what they take, and 6
// cycles. After drop_i what is told is right 2 cycles later.
`include "wc_assert.svh"
`default_nettype none

module wc_log_settled
  import wc_log_pkg::*;
#(
  parameter int unsigned Lines = 512  // begun and not acknowledged, of each log, at most
) (
  input  wire logic            clk_i,
  input  wire logic            rst_i,
  input  wire logic            clear_i,
  input  wire segments_t [1:0] count_i,    // of each log, 2 cycles after the place that took it
  input  wire logic            placed_i,   // a job has its place
  input  wire logic            written_i,  // the oldest of them is done: its words are in lines
  input  wire logic [1:0]      begun_i,    // a line of the log has words that memory has not
  input  wire logic [1:0]      acked_i,    // the oldest of them is in memory
  input  wire logic            drop_i,     // the oldest segment leaves its log
  input  wire log_e            drop_log_i,
  output logic [1:0]           settled_o
);

  localparam int unsigned LeftWidth = $clog2(Lines + 1);
  typedef logic [$clog2(MostJobs):0] jobs_t;
  typedef logic [LeftWidth-1:0] left_t;

  `WC_REQUIRE(lines, Lines >= MostJobs, "wc_log_settled: Lines must be MostJobs or more")

  logic restart;

  assign restart = rst_i || clear_i;

  // ---- what is on its way -----------------------------------------------------------------------
  jobs_t jobs_q, jobs;
  left_t [1:0] lines_q, lines;

  assign jobs = jobs_q + jobs_t'(placed_i) - jobs_t'(written_i);

  always_ff @(posedge clk_i) begin
    jobs_q <= jobs;
    lines_q <= lines;
    if (restart) begin
      jobs_q <= '0;
      lines_q <= '0;
    end
  end

  for (genvar i = 0; i < 2; i++) begin : gen_lines
    assign lines[i] = lines_q[i] + left_t'(begun_i[i]) - left_t'(acked_i[i]);
  end

  // ---- of the one log and of the other ----------------------------------------------------------
  typedef enum logic [1:0] {
    StCount,
    StJobs,   // left_q of them
    StLines,  // likewise
    StTell
  } state_e;

  state_e state_q;
  log_e log_q;
  left_t left_q;
  segments_t full_q;           // segments of log_q that will be settled
  segments_t [1:0] settled_q;  // segments that are
  segments_t [1:0] count_q;    // count_i comes from far away: a cycle old
  logic drops, behind;
  logic drop_q;                // count_q does not know of it

  assign drops = drop_i && drop_log_i == log_q;
  assign behind = left_q != '0;

  always_ff @(posedge clk_i) begin
    count_q <= count_i;
    drop_q <= drop_i;
    if (drops) full_q <= full_q - 1'b1;
    for (int unsigned i = 0; i < 2; i++) begin
      if (drop_i && drop_log_i == log_e'(i)) settled_q[i] <= settled_q[i] - 1'b1;
      settled_o[i] <= settled_q[i] != '0 && !drop_i;
    end
    unique case (state_q)
      StCount: begin
        full_q <= count_q[log_q] - 1'b1;
        left_q <= left_t'(jobs);
        if (!drop_i && !drop_q && count_q[log_q] != '0) state_q <= StJobs;
        else log_q <= log_e'(!log_q);
      end
      StJobs: begin
        left_q <= behind ? left_q - left_t'(written_i) : lines[log_q];
        if (!behind) state_q <= StLines;
      end
      StLines: begin
        if (behind) left_q <= left_q - left_t'(acked_i[log_q]);
        else state_q <= StTell;
      end
      default: begin
        if (!drop_i) begin
          settled_q[log_q] <= full_q;
          log_q <= log_e'(!log_q);
          state_q <= StCount;
        end
      end
    endcase
    if (restart) begin
      state_q <= StCount;
      log_q <= LogNew;
      count_q <= '0;
      settled_q <= '0;
      settled_o <= '0;
    end
  end

  `WC_ASSERT(jobs_bounded, jobs_q <= jobs_t'(MostJobs))
  `WC_ASSERT(written_was_placed, !written_i || jobs_q != '0)
  `WC_ASSERT(lines_bounded, 32'(lines_q[0]) <= Lines && 32'(lines_q[1]) <= Lines)
  `WC_ASSERT(acked_was_begun, !(acked_i[0] && lines_q[0] == '0)
             && !(acked_i[1] && lines_q[1] == '0))
  `WC_ASSERT(cleared_when_idle, !clear_i || (jobs_q == '0 && lines_q == '0))
  `WC_ASSERT(dropped_was_settled, !drop_i || settled_q[drop_log_i] != '0)
  `WC_ASSERT(full_is_not_less, state_q == StCount || full_q >= settled_q[log_q])
  `WC_ASSERT(youngest_is_not, (settled_q[0] == '0 || settled_q[0] < count_i[0])
             && (settled_q[1] == '0 || settled_q[1] < count_i[1]))

endmodule

`default_nettype wire
