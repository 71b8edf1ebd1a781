// SPDX-License-Identifier: Apache-2.0
// Proof of wc_log_readers, and with it of wc_log_count: one segment is followed, any one, with a
// count of who is in it.
// Rule 1: idle is told of a segment only if nobody was in it 3 cycles before.
// Rule 2: when nobody has been in it for Settled cycles, and nobody entered or left any segment,
//         idle is told of it while it is asked for.
// Rule 3: a question is answered from the 10th cycle on, until it is dropped.
// Assumed: a question holds; nothing comes before ready; who leaves is in; there are at most Most
// in the segment.
`include "wc_assert.svh"
`default_nettype none

module wc_log_readers_fv #(
  parameter int unsigned Segments   = 2,
  parameter int unsigned CountWidth = 2
) (
  input wire logic                             clk_i,
  input wire logic                             rst_i,
  input wire logic                             enter_valid_i,
  input wire logic [$clog2(Segments)-1:0]      enter_segment_i,
  input wire logic [1:0]                       leave_valid_i,
  input wire logic [1:0][$clog2(Segments)-1:0] leave_segment_i,
  input wire logic                             ask_valid_i,
  input wire logic [$clog2(Segments)-1:0]      ask_segment_i,
  input wire logic [$clog2(Segments)-1:0]      any_i
);

  localparam int unsigned Most = 2 ** CountWidth - 1;  // fewer than a counter tells apart
  localparam int unsigned Settled = 12;

  logic ready, idle_valid, idle;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_log_readers #(
    .Segments  (Segments),
    .CountWidth(CountWidth)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .ready_o        (ready),
    .enter_valid_i  (enter_valid_i),
    .enter_segment_i(enter_segment_i),
    .leave_valid_i  (leave_valid_i),
    .leave_segment_i(leave_segment_i),
    .ask_valid_i    (ask_valid_i),
    .ask_segment_i  (ask_segment_i),
    .idle_valid_o   (idle_valid),
    .idle_o         (idle)
  );

  // ---- the segment that is followed -------------------------------------------------------------
  logic [$clog2(Segments)-1:0] followed_q;
  logic [CountWidth-1:0] in_q, in_q2, in_q3;  // who is in it
  logic entering;
  logic [1:0] leaving;

  assign entering = enter_valid_i && enter_segment_i == followed_q;
  for (genvar i = 0; i < 2; i++) begin : gen_leaving
    assign leaving[i] = leave_valid_i[i] && leave_segment_i[i] == followed_q;
  end

  always_ff @(posedge clk_i) begin
    if (rst_i) followed_q <= any_i;
    in_q <= in_q + CountWidth'(entering) - CountWidth'(leaving[0]) - CountWidth'(leaving[1]);
    in_q2 <= in_q;
    in_q3 <= in_q2;
    if (rst_i) begin
      in_q <= '0;
      in_q2 <= '0;
      in_q3 <= '0;
    end
  end

  `WC_ASSUME(nothing_before_ready, ready || !(enter_valid_i || leave_valid_i != '0))
  `WC_ASSUME(who_leaves_is_in, 32'(leaving[0]) + 32'(leaving[1]) <= 32'(in_q))

  `WC_ASSUME(few, 32'(in_q) + 32'(entering) <= Most)

  // ---- the question -----------------------------------------------------------------------------
  logic asked_q;
  logic [3:0] since_q;
  logic [$clog2(Settled+1)-1:0] still_q;
  logic about;  // the question is, and was, about the followed segment

  assign about = asked_q && ask_valid_i && ask_segment_i == followed_q;
  `WC_ASSUME(question_holds, !asked_q || !ask_valid_i || ask_segment_i == $past(ask_segment_i))

  always_ff @(posedge clk_i) begin
    asked_q <= ask_valid_i;
    if (!ask_valid_i) since_q <= '0;
    else if (since_q != '1) since_q <= since_q + 1'b1;
    if (enter_valid_i || leave_valid_i != '0 || in_q != '0 || !ready) still_q <= '0;
    else if (32'(still_q) != Settled) still_q <= still_q + 1'b1;
    if (rst_i) begin
      asked_q <= 1'b0;
      since_q <= '0;
      still_q <= '0;
    end
  end

  `WC_ASSERT(never_with_a_reader, !(idle_valid && idle && about) || in_q3 == '0)
  `WC_ASSERT(told, !(idle_valid && about) || 32'(still_q) != Settled || idle)
  `WC_ASSERT(answered, 32'(since_q) < 10 || idle_valid)
  `WC_ASSERT(dropped, asked_q || !idle_valid)

  `WC_COVER(idle_again, idle_valid && idle && about && 32'(still_q) == Settled)
  `WC_COVER(not_idle, idle_valid && !idle && about && in_q == 2)

endmodule

`default_nettype wire
