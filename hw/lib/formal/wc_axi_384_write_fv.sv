// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_384_write, with two bursts in flight and runs of up to four lines in a memory of
// 32. One quarter of a line is followed, any one, and the acknowledgements of any run.
// Rule 1: the bursts of a run are those that cover its lines, in order, each at a multiple of six
//         lines; runs keep their order.
// Rule 2: lines are taken only for runs that were asked for; a burst has eight beats, of which
//         wlast marks the last; no beat comes that was not announced.
// Rule 3: each quarter of a line goes to its place in its beat once, after it was taken, data and
//         strobes unchanged; there are no other strobes.
// Rule 4: a run is acknowledged with its last burst, once; no other burst's acknowledgement is. It is
//         in error when one of its bursts is, and no other.
// Rule 5: what is offered holds and is stable until taken. A burst is offered within three cycles
//         unless two are in flight; when all lines were taken and all bursts asked for, W offers
//         the beats that are left within two.
// Assumed: as many lines as a run has, the last one marked; acknowledgements hold until taken and
// come only for bursts whose address has gone.
// (The first and the last bit and strobe of the followed quarter are all that is not 0: the cell
// does not look at data.)
`include "wc_assert.svh"
`default_nettype none

module wc_axi_384_write_fv #(
  localparam int unsigned AddrWidth = 11,
  localparam int unsigned Bursts    = 2
) (
  input wire logic                 clk_i,
  input wire logic                 rst_i,
  input wire logic                 pick_i,       // free: follow a line of the run asked for:
  input wire logic [3:0]           pick_beat_i,  // the one of which a quarter is in this beat
  input wire logic [1:0]           pick_third_i, // in this place
  input wire logic                 pick_run_i,   // free: follow the run's acknowledgements
  input wire logic [AddrWidth-7:0] threes_i,     // the run's first line is six times this
  input wire logic [2:0]           first_i,      // and this
  input wire logic [1:0]           len_i,
  input wire logic                 awvalid_i,
  input wire logic                 awready_i,
  input wire logic                 wvalid_i,
  input wire logic                 wready_i,
  input wire logic                 bvalid_i,
  input wire logic                 berror_i,
  input wire logic                 bready_i
);

  localparam int unsigned LineWidth = AddrWidth - 6;
  localparam int unsigned Runs = Bursts + 3;  // with lines that have not been taken
  localparam logic [127:0] Mark = {1'b1, 126'b0, 1'b1};
  localparam logic [15:0] MarkStrobe = {1'b1, 14'b0, 1'b1};
  typedef logic [LineWidth+2:0] line_t;  // with room to see that it does not wrap
  typedef logic [6:0] count_t;  // of runs, beats or bursts in flight

  // A run whose lines have not all been taken.
  typedef struct packed {
    logic [2:0] left;  // lines; 0: none
    logic       mine;  // the followed one's
  } coming_t;

  line_t line;
  logic awready, awvalid, wready, wvalid, wlast, bvalid, berror, bready;
  logic [AddrWidth-1:0] awaddr;
  logic [3:0][127:0] line_data;
  logic [3:0][15:0] line_strobe;
  logic [2:0][127:0] wdata;
  logic [2:0][15:0] wstrb;
  coming_t [Runs-1:0] coming_q;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // Every line is 6 q + r with one q and one r below 6.
  assign line = (line_t'(threes_i) << 2) + (line_t'(threes_i) << 1) + line_t'(first_i);
  `WC_ASSUME(rest_below_6, first_i < 3'd6)
  `WC_ASSUME(run_in_memory, line + line_t'(len_i) + line_t'(6) < line_t'(2 ** LineWidth))

  wc_axi_384_write #(
    .AddrWidth(AddrWidth),
    .Bursts   (Bursts)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .s_axi_awaddr ({line[LineWidth-1:0], 6'b0}),
    .s_axi_awlen  ({6'b0, len_i}),
    .s_axi_awvalid(awvalid_i),
    .s_axi_awready(awready),
    .s_axi_wdata  (line_data),
    .s_axi_wstrb  (line_strobe),
    .s_axi_wlast  (coming_q[0].left == 3'd1),
    .s_axi_wvalid (wvalid_i),
    .s_axi_wready (wready),
    .s_axi_bvalid (bvalid),
    .s_axi_berror (berror),
    .s_axi_bready (bready_i),
    .m_axi_awaddr (awaddr),
    .m_axi_awvalid(awvalid),
    .m_axi_awready(awready_i),
    .m_axi_wdata  (wdata),
    .m_axi_wstrb  (wstrb),
    .m_axi_wlast  (wlast),
    .m_axi_wvalid (wvalid),
    .m_axi_wready (wready_i),
    .m_axi_bvalid (bvalid_i),
    .m_axi_berror (berror_i),
    .m_axi_bready (bready)
  );

  logic asks, burst, take, beat, answer, two;

  assign asks = awvalid_i && awready;
  assign burst = awvalid && awready_i;
  assign take = wvalid_i && wready;
  assign beat = wvalid && wready_i;
  assign answer = bvalid_i && bready;
  assign two = 4'(first_i) + 4'(len_i) > 4'd5;  // the run asked for has two bursts

  // ---- lines that come, and the followed one ----------------------------------------------------
  count_t bursts_q;      // of runs that were taken, not yet asked for
  count_t to_go_q;       // their beats, not yet out
  logic [2:0] at_q;      // place of the next beat in its burst
  logic [1:0] flight_q;  // bursts without an acknowledgement
  logic [1:0] busy_q;    // bursts whose beats are not all out
  logic [1:0] burst_wait_q, beat_wait_q;
  logic watch_q, here_q;
  logic [2:0] turn_q;    // lines left of the run when it is the line's turn
  count_t beat_ahead_q;  // beats before that of the quarter
  count_t burst_ahead_q; // bursts before its run's
  logic [1:0] bursts_left_q;  // its run's bursts
  line_t begin_q;        // where the next of these begins
  logic [1:0] third_q, quarter_q;
  logic [5:0] third;     // of its run's beats: four of them are a line
  logic [3:0] place, at; // the line's, from where its first burst begins, and in its run
  logic follow, mark, now;

  assign third = 6'(pick_beat_i) + {1'b0, pick_beat_i, 1'b0} + 6'(pick_third_i);
  assign place = third[5:2];
  assign at = place - 4'(first_i);
  assign follow = asks && pick_i && !watch_q && pick_third_i != 2'd3 && place >= 4'(first_i)
                  && at <= 4'(len_i);
  assign mark = coming_q[0].mine && coming_q[0].left == turn_q;
  assign now = watch_q && wvalid && beat_ahead_q == '0;

  for (genvar i = 0; i < 4; i++) begin : gen_quarter
    assign line_data[i] = mark && quarter_q == 2'(i) ? Mark : '0;
    assign line_strobe[i] = mark && quarter_q == 2'(i) ? MarkStrobe : '0;
  end

  coming_t [Runs-1:0] after;
  logic placed;

  always_comb begin
    after = coming_q;
    if (take) begin
      if (mark) after[0].mine = 1'b0;
      if (after[0].left == 3'd1) after = after >> $bits(coming_t);
      else after[0].left = after[0].left - 1'b1;
    end
    placed = !asks;
    for (int unsigned i = 0; i < Runs; i++) begin
      if (!placed && after[i].left == '0) begin
        after[i] = '{left: 3'(len_i) + 1'b1, mine: follow};
        placed = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    coming_q <= after;
    bursts_q <= bursts_q + (asks ? count_t'(two) + 1'b1 : '0) - count_t'(burst);
    to_go_q <= to_go_q + (asks ? count_t'({two, !two, 3'b0}) : '0) - count_t'(beat);
    if (beat) at_q <= at_q + 1'b1;
    flight_q <= flight_q + 2'(burst) - 2'(answer);
    busy_q <= busy_q + 2'(burst) - 2'(beat && wlast);
    burst_wait_q <= bursts_q != '0 && !awvalid && flight_q != 2'(Bursts) && busy_q != 2'(Bursts)
                    ? burst_wait_q + 1'b1 : '0;
    beat_wait_q <= coming_q == '0 && bursts_q == '0 && to_go_q != '0 && !wvalid
                   ? beat_wait_q + 1'b1 : '0;
    if (watch_q) begin
      if (take && mark) here_q <= 1'b1;
      if (beat) beat_ahead_q <= beat_ahead_q - 1'b1;
      if (now && beat) watch_q <= 1'b0;
      if (burst && burst_ahead_q != '0) burst_ahead_q <= burst_ahead_q - 1'b1;
      if (burst && burst_ahead_q == '0 && bursts_left_q != '0) begin
        bursts_left_q <= bursts_left_q - 1'b1;
        begin_q <= begin_q + line_t'(6);
      end
    end
    if (follow) begin
      watch_q <= 1'b1;
      here_q <= 1'b0;
      turn_q <= 3'(len_i) + 1'b1 - 3'(at);
      beat_ahead_q <= to_go_q - count_t'(beat) + count_t'(pick_beat_i);
      burst_ahead_q <= bursts_q - count_t'(burst);
      bursts_left_q <= {two, !two};
      begin_q <= line - line_t'(first_i);
      third_q <= pick_third_i;
      quarter_q <= third[1:0];
    end
    if (rst_i) begin
      coming_q <= '0;
      bursts_q <= '0;
      to_go_q <= '0;
      at_q <= '0;
      flight_q <= '0;
      busy_q <= '0;
      burst_wait_q <= '0;
      beat_wait_q <= '0;
      watch_q <= 1'b0;
    end
  end

  `WC_ASSERT(burst_has_run, !awvalid || bursts_q != '0)
  `WC_ASSERT(burst_is, !(watch_q && awvalid && burst_ahead_q == '0 && bursts_left_q != '0)
                       || awaddr == {begin_q[LineWidth-1:0], 6'b0})
  `WC_ASSERT(burst_offered, burst_wait_q != '1)
  `WC_ASSERT_STREAM(aw, awvalid, awready_i, awaddr)
  `WC_ASSERT(runs_bounded, !asks || coming_q[Runs-1].left == '0)
  `WC_ASSERT(line_has_run, !take || coming_q[0].left != '0)
  `WC_ASSERT(beat_was_announced, !wvalid || to_go_q != '0)
  `WC_ASSERT(wlast_is, !wvalid || wlast == (at_q == '1))
  `WC_ASSERT(was_taken, !now || here_q)
  for (genvar i = 0; i < 3; i++) begin : gen_third
    `WC_ASSERT(strobe_is, !wvalid
               || wstrb[i] == (now && third_q == 2'(i) ? MarkStrobe : '0))
    `WC_ASSERT(data_is, !(now && third_q == 2'(i)) || wdata[i] == Mark)
  end
  `WC_ASSERT(beat_offered, beat_wait_q < 2'd2)

  // ---- acknowledgements -------------------------------------------------------------------------
  count_t owed_q;        // bursts of runs that were taken, not yet acknowledged
  count_t open_q;        // runs that are not acknowledged
  logic run_watch_q;
  count_t run_ahead_q;   // bursts before the followed run's
  logic [1:0] run_left_q;  // bursts of it
  logic run_error_q;         // of one of them that went
  logic run_now;

  `WC_ASSUME(answer_is_due, !bvalid_i || flight_q != '0)
  `WC_ASSUME(answer_holds, $past(rst_i) || !$past(bvalid_i && !bready) ||
             (bvalid_i && berror_i == $past(berror_i)))

  assign run_now = run_watch_q && bvalid_i && run_ahead_q == '0;

  always_ff @(posedge clk_i) begin
    owed_q <= owed_q + (asks ? count_t'(two) + 1'b1 : '0) - count_t'(answer);
    open_q <= open_q + count_t'(asks) - count_t'(bvalid && bready_i);
    if (run_watch_q && answer) begin
      if (run_ahead_q != '0) run_ahead_q <= run_ahead_q - 1'b1;
      else run_left_q <= run_left_q - 1'b1;
      if (run_ahead_q == '0 && berror_i) run_error_q <= 1'b1;
      if (run_now && run_left_q == 2'd1) run_watch_q <= 1'b0;
    end else if (asks && pick_run_i && !run_watch_q) begin
      run_watch_q <= 1'b1;
      run_error_q <= 1'b0;
      run_ahead_q <= owed_q - count_t'(answer);
      run_left_q <= {two, !two};
    end
    if (rst_i) begin
      owed_q <= '0;
      open_q <= '0;
      run_watch_q <= 1'b0;
    end
  end

  `WC_ASSERT(answer_has_run, !bvalid || (open_q != '0 && bvalid_i))
  `WC_ASSERT(answer_is, !run_now || bvalid == (run_left_q == 2'd1))
  `WC_ASSERT(answer_goes, bready == (bready_i || !bvalid) || !bvalid_i)
  `WC_ASSERT(error_is, !(run_now && bvalid) || berror == (run_error_q || berror_i))
  `WC_ASSERT_STREAM(b, bvalid, bready_i, berror)

  `WC_COVER(in_two_beats, now && quarter_q == 2'd0 && third_q == 2'd1)
  `WC_COVER(second_burst, run_now && run_left_q == 2'd1 && bvalid && $past(run_now && !bvalid))
  `WC_COVER(no_gap, watch_q && burst_ahead_q == '0 && busy_q == 2'(Bursts) && beat)

endmodule

`default_nettype wire
