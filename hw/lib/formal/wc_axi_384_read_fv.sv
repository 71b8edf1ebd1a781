// SPDX-License-Identifier: Apache-2.0
// Proof of wc_axi_384_read, with two bursts in flight and runs of up to four lines in a memory of
// 32. One quarter of a line is followed, any one.
// Rule 1: the bursts of a run are those that cover its lines, in order, each at a multiple of six
//         lines; runs keep their order.
// Rule 2: the lines asked for come out once, in order, after the beats that hold them, no
//         others.
// Rule 3: each quarter of a line is what its beat had in its place. A line is in error when the beat
//         of one of its quarters is, and no other.
// Rule 4: rlast marks exactly the last line of its run.
// Rule 5: what is offered holds and is stable until taken; R is held back only while a line is
//         offered; when all beats have arrived no line is left inside. A burst is offered within
//         three cycles unless two are in flight.
// Assumed: a burst that was asked for has eight beats, the last one marked.
// (The first and the last bit of the followed quarter are all that is not 0: the cell does not look
// at data.)
`include "wc_assert.svh"
`default_nettype none

module wc_axi_384_read_fv #(
  localparam int unsigned AddrWidth = 11,
  localparam int unsigned Bursts    = 2
) (
  input wire logic                 clk_i,
  input wire logic                 rst_i,
  input wire logic                 pick_i,       // free: follow a line of the run asked for:
  input wire logic [3:0]           pick_beat_i,  // the one of which a quarter is in this beat
  input wire logic [1:0]           pick_third_i, // in this place
  input wire logic [AddrWidth-7:0] threes_i,     // the run's first line is six times this
  input wire logic [2:0]           first_i,      // and this
  input wire logic [1:0]           len_i,
  input wire logic                 arvalid_i,
  input wire logic                 arready_i,
  input wire logic                 rvalid_i,
  input wire logic                 rerror_i,
  input wire logic                 rready_i
);

  localparam int unsigned LineWidth = AddrWidth - 6;
  localparam logic [127:0] Mark = {1'b1, 126'b0, 1'b1};
  typedef logic [LineWidth+2:0] line_t;  // with room to see that it does not wrap
  typedef logic [6:0] count_t;  // of lines, beats or bursts in flight

  line_t line;
  logic arready, arvalid, rvalid, rlast, rerror, rready;
  logic [AddrWidth-1:0] araddr;
  logic [511:0] rdata;
  logic [2:0][127:0] beat_data;

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

  count_t beats_q;  // asked for, not arrived
  logic [2:0] at_q; // place of the next in its burst

  wc_axi_384_read #(
    .AddrWidth(AddrWidth),
    .Bursts   (Bursts)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .s_axi_araddr ({line[LineWidth-1:0], 6'b0}),
    .s_axi_arlen  ({6'b0, len_i}),
    .s_axi_arvalid(arvalid_i),
    .s_axi_arready(arready),
    .s_axi_rdata  (rdata),
    .s_axi_rerror (rerror),
    .s_axi_rlast  (rlast),
    .s_axi_rvalid (rvalid),
    .s_axi_rready (rready_i),
    .m_axi_araddr (araddr),
    .m_axi_arvalid(arvalid),
    .m_axi_arready(arready_i),
    .m_axi_rdata  (beat_data),
    .m_axi_rerror (rerror_i),
    .m_axi_rlast  (at_q == '1),
    .m_axi_rvalid (rvalid_i),
    .m_axi_rready (rready)
  );

  logic asks, burst, beat, take, two;

  assign asks = arvalid_i && arready;
  assign burst = arvalid && arready_i;
  assign beat = rvalid_i && rready;
  assign take = rvalid && rready_i;
  assign two = 4'(first_i) + 4'(len_i) > 4'd5;  // the run asked for has two bursts

  `WC_ASSUME(beat_is_due, !rvalid_i || beats_q != '0)

  // ---- the followed line ------------------------------------------------------------------------
  count_t lines_q;       // of runs that were asked for, not yet out
  count_t bursts_q;      // of them, not yet asked for
  count_t to_come_q;     // their beats, not yet here
  logic [1:0] wait_q;
  logic watch_q, here_q;
  count_t line_ahead_q;  // lines before it
  count_t beat_ahead_q;  // beats before that of the quarter
  count_t burst_ahead_q; // bursts before its run's
  logic [1:0] bursts_left_q;  // its run's bursts
  line_t begin_q;        // where the next of these begins
  logic [1:0] third_q, quarter_q;
  logic last_q;          // it is its run's last
  logic before_error_q;  // the beat before was in error
  logic error_q;         // of the line's beats so far, of which there are two
  logic owes_q;          // its second beat is the next
  logic [5:0] third;     // of its run's beats: four of them are a line
  logic [3:0] place, at; // the line's, from where its first burst begins, and in its run
  logic follow, mark, now;

  assign third = 6'(pick_beat_i) + {1'b0, pick_beat_i, 1'b0} + 6'(pick_third_i);
  assign place = third[5:2];
  assign at = place - 4'(first_i);
  assign follow = asks && pick_i && !watch_q && pick_third_i != 2'd3 && place >= 4'(first_i)
                  && at <= 4'(len_i);
  assign mark = watch_q && !here_q && beat_ahead_q == '0;
  assign now = watch_q && rvalid && line_ahead_q == '0;

  for (genvar i = 0; i < 3; i++) begin : gen_third
    assign beat_data[i] = mark && third_q == 2'(i) ? Mark : '0;
  end

  always_ff @(posedge clk_i) begin
    beats_q <= beats_q + (burst ? count_t'(8) : '0) - count_t'(beat);
    if (beat) at_q <= at_q + 1'b1;
    if (beat) before_error_q <= rerror_i;
    lines_q <= lines_q + (asks ? count_t'(len_i) + 1'b1 : '0) - count_t'(take);
    bursts_q <= bursts_q + (asks ? count_t'(two) + 1'b1 : '0) - count_t'(burst);
    to_come_q <= to_come_q + (asks ? count_t'({two, !two, 3'b0}) : '0) - count_t'(beat);
    wait_q <= bursts_q != '0 && !arvalid && beats_q <= count_t'(8) ? wait_q + 1'b1 : '0;
    if (watch_q) begin
      if (take) line_ahead_q <= line_ahead_q - 1'b1;
      if (now && take) watch_q <= 1'b0;
      if (beat && !here_q) beat_ahead_q <= beat_ahead_q - 1'b1;
      if (beat && mark) here_q <= 1'b1;
      if (beat && mark) begin
        error_q <= rerror_i || (third_q < quarter_q && before_error_q);
        owes_q <= third_q >= quarter_q;
      end else if (beat && owes_q) begin
        error_q <= error_q || rerror_i;
        owes_q <= 1'b0;
      end
      if (burst && burst_ahead_q != '0) burst_ahead_q <= burst_ahead_q - 1'b1;
      if (burst && burst_ahead_q == '0 && bursts_left_q != '0) begin
        bursts_left_q <= bursts_left_q - 1'b1;
        begin_q <= begin_q + line_t'(6);
      end
    end
    if (follow) begin
      watch_q <= 1'b1;
      here_q <= 1'b0;
      owes_q <= 1'b0;
      line_ahead_q <= lines_q - count_t'(take) + count_t'(at);
      beat_ahead_q <= to_come_q - count_t'(beat) + count_t'(pick_beat_i);
      burst_ahead_q <= bursts_q - count_t'(burst);
      bursts_left_q <= {two, !two};
      begin_q <= line - line_t'(first_i);
      third_q <= pick_third_i;
      quarter_q <= third[1:0];
      last_q <= at == 4'(len_i);
    end
    if (rst_i) begin
      beats_q <= '0;
      at_q <= '0;
      lines_q <= '0;
      bursts_q <= '0;
      to_come_q <= '0;
      wait_q <= '0;
      watch_q <= 1'b0;
    end
  end

  `WC_ASSERT(burst_has_run, !arvalid || bursts_q != '0)
  `WC_ASSERT(burst_is, !(watch_q && arvalid && burst_ahead_q == '0 && bursts_left_q != '0)
                       || araddr == {begin_q[LineWidth-1:0], 6'b0})
  `WC_ASSERT(burst_offered, wait_q != '1)
  `WC_ASSERT_STREAM(ar, arvalid, arready_i, araddr)
  `WC_ASSERT(line_was_asked_for, !rvalid || lines_q != '0)
  `WC_ASSERT(line_is, !now || (here_q && rlast == last_q && !owes_q && rerror == error_q))
  for (genvar i = 0; i < 4; i++) begin : gen_quarter
    `WC_ASSERT(quarter_is, !rvalid
               || rdata[128*i+:128] == (now && quarter_q == 2'(i) ? Mark : '0))
  end
  `WC_ASSERT(held_back, rready || rvalid)
  `WC_ASSERT(all_lines, !(to_come_q == '0 && lines_q != '0) || rvalid)

  `WC_COVER(from_two_beats, now && quarter_q == 2'd2 && !last_q && $past(now))
  `WC_COVER(two_bursts, watch_q && bursts_left_q == '0 && beats_q == count_t'(16))
  `WC_COVER(late, now && last_q && $past(beat, 1) && at_q == 3'd0)

endmodule

`default_nettype wire
