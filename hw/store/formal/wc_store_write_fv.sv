// SPDX-License-Identifier: Apache-2.0
// Proof of wc_store_write, with runs of up to 16 words, which is two lines, and Runs of two. One
// run is followed, any one, and one of its words, any one.
// Rule 1: ready_o, once it stands, stands until the push.
// Rule 2: the bursts of a run that is not discarded cover exactly its lines, in order, each as far
//         as the page or the run goes; runs keep their order and discarded ones have no burst.
// Rule 3: such a run has as many W beats as lines, behind those of the runs before it; wlast marks
//         those that end a page or the run, which is where its bursts end.
// Rule 4: each of its words goes out once, in its lane of its line, after it was taken; strobes
//         stand for exactly its words. So words of a discarded run go nowhere.
// Rule 5: words are taken only for runs that were pushed, those of a run before those of the next;
//         ring_write_o stands exactly when one is taken whose run has keep_i.
// Rule 6: done_o stands once for each run that is not discarded, and for nothing else: in the cycle
//         after the B of its last burst, or if this B is an error, in the cycle after wc_bad_list
//         has the run's block.
// Rule 7: what is offered holds and is stable until taken. A word is taken within three cycles
//         unless W holds it up; when all have been taken, W offers them within three.
// Rule 8: for each B that is an error, the block of its run is put into wc_bad_list, once. A block
//         is taken off the list with the last B of each run of which no B is an error. No B is
//         taken while the list puts a block in. So when a run is done, the list has the block if
//         a burst of the run was not written, else not.
// Assumed: wc_bad_list has a block three cycles after it was put there (wc_bad_list_fv); it is busy
// meanwhile. A push comes only with ready_o, of a run with the lines that its words need. A value
// ends with its run. B comes only for bursts whose address has gone (in AXI it comes later still).
// (The followed word is the only one that is not 0: the cell does not look at data.)
`include "wc_assert.svh"
`default_nettype none

module wc_store_write_fv
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned AddrWidth = 14,
  parameter int unsigned Runs      = 2
) (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        pick_i,       // free: follow the run that is pushed
  input wire logic [3:0]  pick_word_i,  // free: and this word of it
  input wire logic        push_i,
  input wire logic [29:0] line_i,
  input wire logic [3:0]  words_i,      // of the run, - 1
  input wire logic        discard_i,
  input wire logic        keep_i,
  input wire logic        value_valid_i,
  input wire logic        awready_i,
  input wire logic        wready_i,
  input wire logic        bvalid_i,
  input wire logic        berror_i
);

  localparam int unsigned LineAddrWidth = AddrWidth - 6;
  typedef logic [LineAddrWidth-1:0] line_t;
  typedef logic [3:0] count_t;  // of runs or bursts in flight

  // A run whose words have not all been taken.
  typedef struct packed {
    logic [4:0] left;  // words; 0: none
    logic       keep;
    logic       mine;  // the followed one
  } coming_t;

  run_t run;
  logic ready, done, value_ready, ring_write;
  logic bad_put, bad_take;
  logic [29:0] bad;
  logic [2:0] list_q;  // cycles since a block was put into the list, one bit each
  logic [AddrWidth-1:0] awaddr;
  logic [7:0] awlen;
  logic awvalid, wlast, wvalid, bready;
  logic [8*LineBytes-1:0] wdata;
  logic [LineBytes-1:0] wstrb;
  coming_t [Runs:0] coming_q;
  logic mark;  // the word is the followed one

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  assign run = '{line: line_i, lines: LinesWidth'(words_i[3]) + 1'b1, tail_words: words_i[2:0],
                 tail_bytes: '0};

  wc_store_write #(
    .AddrWidth(AddrWidth),
    .Runs     (Runs)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .push_i       (push_i),
    .ready_o      (ready),
    .run_i        (run),
    .discard_i    (discard_i),
    .keep_i       (keep_i),
    .done_o       (done),
    .bad_put_o    (bad_put),
    .bad_take_o   (bad_take),
    .bad_o        (bad),
    .bad_busy_i   (list_q != '0),
    .bad_done_i   (list_q[2]),
    .value_valid_i(value_valid_i),
    .value_ready_o(value_ready),
    .value_i      ('{data: {63'b0, mark}, last: coming_q[0].left == 5'd1}),
    .ring_write_o (ring_write),
    .m_axi_awaddr (awaddr),
    .m_axi_awlen  (awlen),
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

  `WC_ASSUME(push_when_ready, !push_i || ready)

  logic set, take, burst, beat, answer;
  logic crosses;  // the run that is pushed goes from a page to the next

  assign set = push_i && !discard_i;
  assign take = value_valid_i && value_ready;
  assign burst = awvalid && awready_i;
  assign beat = wvalid && wready_i;
  assign answer = bvalid_i && bready;
  assign crosses = words_i[3] && line_i[5:0] == '1;

  `WC_ASSERT(ready_stays, $past(rst_i) || $past(!ready || push_i) || ready)

  // ---- bursts -----------------------------------------------------------------------------------
  line_t next_q;            // the next line that no burst has covered
  logic [1:0] left_q, most; // lines from there to the end of the run; to that of the page too
  logic [Runs-1:0] last_q;  // of the bursts without a B: the run's last; the oldest is bit 0
  logic [1:0] asked_q;      // such bursts
  logic [Runs-1:0][29:0] blocks_q;  // their blocks, likewise
  logic [29:0] block_q;     // of the run in work
  logic failed;             // a B is an error
  logic failed_q;           // an earlier B of its run was
  logic failed_last_q;      // the last such B was of the run's last burst
  logic done_next_q;
  count_t open_q;           // runs not discarded, not done

  assign most = next_q[5:0] == '1 ? 2'd1 : left_q;

  assign failed = answer && berror_i;

  always_ff @(posedge clk_i) begin
    if (set) begin
      block_q <= line_i;
      next_q <= line_t'(line_i);
      left_q <= {words_i[3], !words_i[3]};
    end else if (burst) begin
      next_q <= next_q + line_t'(most);
      left_q <= left_q - most;
    end
    if (answer) begin
      last_q <= last_q >> 1;
      blocks_q <= blocks_q >> 30;
      failed_q <= !last_q[0] && (failed_q || berror_i);
    end
    if (burst) begin
      last_q[1'(asked_q - 2'(answer))] <= most == left_q;
      blocks_q[1'(asked_q - 2'(answer))] <= block_q;
    end
    list_q <= {list_q[1:0], failed};
    if (failed) failed_last_q <= last_q[0];
    asked_q <= asked_q + 2'(burst) - 2'(answer);
    done_next_q <= (answer && last_q[0] && !berror_i) || (list_q[2] && failed_last_q);
    open_q <= open_q + count_t'(set) - count_t'(done);
    if (rst_i) begin
      left_q <= '0;
      asked_q <= '0;
      done_next_q <= 1'b0;
      failed_q <= 1'b0;
      list_q <= '0;
      open_q <= '0;
    end
  end

  `WC_ASSUME(answer_is_due, !bvalid_i || asked_q != '0)

  `WC_ASSERT(one_run, !ready || left_q == '0)
  `WC_ASSERT(burst_is, !awvalid || (left_q != '0 && awaddr == {next_q, 6'b0}
                                    && awlen == 8'(most) - 1'b1))
  `WC_ASSERT(bursts_bounded, asked_q <= 2'(Runs))
  `WC_ASSERT(burst_offered, awvalid || left_q == '0 || asked_q == 2'(Runs))
  `WC_ASSERT(takes_answers, bready == (list_q == '0))
  `WC_ASSERT(put_is, bad_put == failed)
  `WC_ASSERT(take_is, bad_take == (answer && last_q[0] && !berror_i && !failed_q))
  `WC_ASSERT(block_is, !(bad_put || bad_take) || bad == blocks_q[0])
  `WC_ASSERT(done_is, done == done_next_q)
  `WC_ASSERT(done_was_pushed, !done || open_q != '0)

  // ---- words that come --------------------------------------------------------------------------
  logic follow;  // the run that is pushed

  coming_t [Runs:0] after;
  logic placed;

  always_comb begin
    after = coming_q;
    if (take) begin
      if (after[0].left == 5'd1) after = after >> $bits(coming_t);
      else after[0].left = after[0].left - 1'b1;
    end
    placed = !push_i;
    for (int unsigned i = 0; i <= Runs; i++) begin
      if (!placed && after[i].left == '0) begin
        after[i] = '{left: 5'(words_i) + 1'b1, keep: keep_i, mine: follow};
        placed = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    coming_q <= after;
    if (rst_i) coming_q <= '0;
  end

  `WC_ASSERT(runs_bounded, !push_i || coming_q[Runs].left == '0)
  `WC_ASSERT(word_has_run, !take || coming_q[0].left != '0)
  `WC_ASSERT(ring_is, ring_write == (take && coming_q[0].keep))

  // ---- words that go: those of the followed run -------------------------------------------------
  logic watch_q;
  logic here_q, gone_q;   // the followed word was taken; its beat has gone
  logic [4:0] turn_q;     // words left of the run when it is taken
  count_t bursts_q;       // bursts of runs that were pushed, not all out on W
  count_t ahead_q;        // those of them before the followed run
  logic [1:0] beats_q;    // lines of the run not yet out
  logic page_q;           // its first line ends a page
  logic second_q;         // the followed word is in the second line
  logic [2:0] lane_q, tail_q;
  logic [3:0] pick;
  logic now, word_now;
  logic [LineWords-1:0] strobe, marks;

  assign follow = set && pick_i && !watch_q;
  assign pick = pick_word_i > words_i ? words_i : pick_word_i;
  assign mark = value_valid_i && coming_q[0].mine && coming_q[0].left == turn_q;
  assign now = watch_q && wvalid && ahead_q == '0;
  assign word_now = now && !gone_q && (beats_q == 2'd1 || !second_q);
  assign strobe = beats_q == 2'd1 ? ~(LineWords'(8'hfe) << tail_q) : '1;
  assign marks = word_now ? LineWords'(1) << lane_q : '0;

  always_ff @(posedge clk_i) begin
    bursts_q <= bursts_q + (set ? count_t'(crosses) + 1'b1 : '0) - count_t'(beat && wlast);
    if (take && mark) here_q <= 1'b1;
    if (watch_q && beat && wlast && ahead_q != '0) ahead_q <= ahead_q - 1'b1;
    if (now && wready_i) begin
      beats_q <= beats_q - 1'b1;
      page_q <= 1'b0;
      if (word_now) gone_q <= 1'b1;
      if (beats_q == 2'd1) watch_q <= 1'b0;
    end
    if (follow) begin
      watch_q <= 1'b1;
      here_q <= 1'b0;
      gone_q <= 1'b0;
      turn_q <= 5'(words_i) + 1'b1 - 5'(pick);
      ahead_q <= bursts_q - count_t'(beat && wlast);
      beats_q <= {words_i[3], !words_i[3]};
      page_q <= line_i[5:0] == '1;
      {second_q, lane_q} <= pick;
      tail_q <= words_i[2:0];
    end
    if (rst_i) begin
      watch_q <= 1'b0;
      bursts_q <= '0;
    end
  end

  `WC_ASSERT(beat_has_line, !wvalid || bursts_q != '0)
  `WC_ASSERT(wlast_is, !now || wlast == (beats_q == 2'd1 || page_q))
  `WC_ASSERT(word_was_taken, !word_now || here_q)
  for (genvar i = 0; i < LineWords; i++) begin : gen_lane
    `WC_ASSERT(strobe_is, !now || wstrb[8*i+:8] == {8{strobe[i]}})
    `WC_ASSERT(word_is, !wvalid || !wstrb[8*i] || wdata[64*i+:64] == 64'(marks[i]))
  end

  // ---- nothing waits for long -------------------------------------------------------------------
  logic [1:0] word_wait_q, beat_wait_q;

  always_ff @(posedge clk_i) begin
    word_wait_q <= '0;
    beat_wait_q <= '0;
    if (coming_q[0].left != '0 && !value_ready && !(wvalid && !wready_i)) begin
      word_wait_q <= word_wait_q + 1'b1;
    end
    if (bursts_q != '0 && coming_q[0].left == '0 && !wvalid) beat_wait_q <= beat_wait_q + 1'b1;
    if (rst_i) begin
      word_wait_q <= '0;
      beat_wait_q <= '0;
    end
  end

  `WC_ASSERT(word_taken_soon, word_wait_q != '1)
  `WC_ASSERT(beat_out_soon, beat_wait_q != '1)
  `WC_ASSERT_STREAM(w, wvalid, wready_i, {wstrb, wlast})

  `WC_COVER(over_the_page, word_now && second_q && beats_q == 2'd1 && $past(wlast && beat, 2))
  `WC_COVER(behind_a_discarded, now && bursts_q == count_t'(1) && $past(push_i && discard_i, 6)
                                && $past(take, 4) && $past(take, 3))
  `WC_COVER(last_failed, done && $past(list_q[2]) && failed_last_q)
  `WC_COVER(first_failed, answer && last_q[0] && !berror_i && failed_q)
  `WC_COVER(three_runs, coming_q[Runs].left != '0 && now && ahead_q == '0)

endmodule

`default_nettype wire
