// SPDX-License-Identifier: Apache-2.0
// Proof of wc_store_read, with runs of up to 16 words, which is two lines, two bursts in flight and
// a buffer of two lines. One run is followed, any one, and one of its bytes, any one.
// Rule 1: ready_o, once it stands, stands until the push.
// Rule 2: the bursts of a run cover exactly its lines, in order, each as far as the page or the run
//         goes; runs keep their order.
// Rule 3: a run's words come out once, in order, behind those of the runs before it, exactly as
//         many as it has, the last one marked; none before its line has arrived, no others.
// Rule 4: each byte comes out in its place; those behind the value's end are 0, whatever is in
//         memory.
// Rule 5: done_o stands once for each run, in the cycle after its last beat arrived.
// Rule 6: what is offered holds and is stable until taken; R is held back only while a word is
//         offered; when all beats have arrived, the words that are left are offered within three
//         cycles.
// Rule 7: error_o stands with exactly the words of a line that was read in error, and with all
//         words of a run that bad_i names. unread_o stands with done_o of exactly the runs that
//         have a line read in error, and names the run's block.
// Assumed: a push only with ready_o, of a run with the lines that its words need; as many beats as
// were asked for, the last of a burst marked.
// (The followed byte and what lies behind the end are all that is not 0: the cell does not look at
// data.)
`include "wc_assert.svh"
`default_nettype none

module wc_store_read_fv
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned AddrWidth   = 14,
  parameter int unsigned Bursts      = 2,
  parameter int unsigned BufferLines = 2
) (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        pick_i,       // free: follow the run that is pushed
  input wire logic [6:0]  pick_byte_i,  // free: and this byte of its lines, if it has it
  input wire logic        dirty_i,      // free: what memory holds behind the end
  input wire logic        push_i,
  input wire logic [29:0] line_i,
  input wire logic [3:0]  words_i,      // of the run, - 1
  input wire logic [2:0]  bytes_i,      // of its last word; 0: all
  input wire logic        arready_i,
  input wire logic        rvalid_i,
  input wire logic        rerror_i,
  input wire logic        bad_i,        // the run pushed a cycle before is of a bad block
  input wire logic        value_ready_i
);

  localparam int unsigned LineAddrWidth = AddrWidth - 6;
  typedef logic [LineAddrWidth-1:0] line_t;
  typedef logic [3:0] count_t;  // of runs in flight

  // A burst that was asked for and has not arrived.
  typedef struct packed {
    logic [1:0] left;  // beats; 0: none
    logic       last;  // of its run
    logic       mine;  // of the followed one
  } burst_t;

  run_t run;
  logic ready, done, valid, error, unread;
  logic [29:0] unread_block;
  beat_t value;
  logic [AddrWidth-1:0] araddr;
  logic [7:0] arlen;
  logic arvalid, rready;
  logic [LineBytes-1:0] stored;  // a bit for each byte of the beat
  logic [8*LineBytes-1:0] rdata;
  burst_t [Bursts-1:0] asked_q;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  assign run = '{line: line_i, lines: LinesWidth'(words_i[3]) + 1'b1, tail_words: words_i[2:0],
                 tail_bytes: bytes_i};

  for (genvar i = 0; i < LineBytes; i++) begin : gen_stored
    assign rdata[8*i+:8] = {7'b0, stored[i]};
  end

  wc_store_read #(
    .AddrWidth  (AddrWidth),
    .Bursts     (Bursts),
    .BufferLines(BufferLines)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .push_i       (push_i),
    .ready_o      (ready),
    .run_i        (run),
    .bad_i        (bad_i),
    .done_o       (done),
    .unread_o     (unread),
    .unread_block_o(unread_block),
    .value_valid_o(valid),
    .value_ready_i(value_ready_i),
    .value_o      (value),
    .error_o      (error),
    .m_axi_araddr (araddr),
    .m_axi_arlen  (arlen),
    .m_axi_arvalid(arvalid),
    .m_axi_arready(arready_i),
    .m_axi_rdata  (rdata),
    .m_axi_rerror (rerror_i),
    .m_axi_rlast  (asked_q[0].left == 2'd1),
    .m_axi_rvalid (rvalid_i),
    .m_axi_rready (rready)
  );

  `WC_ASSUME(push_when_ready, !push_i || ready)
  `WC_ASSUME(beat_is_due, !rvalid_i || asked_q[0].left != '0)

  logic burst, arrive, take, follow;

  assign burst = arvalid && arready_i;
  assign arrive = rvalid_i && rready;
  assign take = valid && value_ready_i;

  `WC_ASSERT(ready_stays, $past(rst_i) || $past(!ready || push_i) || ready)

  // ---- bursts -----------------------------------------------------------------------------------
  line_t next_q;             // the next line that no burst has covered
  logic [1:0] left_q, most;  // lines from there to the end of the run; to that of the page too
  logic mine_q;              // the run is the followed one
  logic done_next_q;
  logic unread_next_q;       // the run that is done next has a line in error
  logic error_q;             // an earlier line of the run that arrives is in error
  count_t reads_q;           // runs that are not done

  assign most = next_q[5:0] == '1 ? 2'd1 : left_q;

  burst_t [Bursts-1:0] after;
  logic placed;

  always_comb begin
    after = asked_q;
    if (arrive) begin
      if (after[0].left == 2'd1) after = after >> $bits(burst_t);
      else after[0].left = after[0].left - 1'b1;
    end
    placed = !burst;
    for (int unsigned i = 0; i < Bursts; i++) begin
      if (!placed && after[i].left == '0) begin
        after[i] = '{left: most, last: most == left_q, mine: mine_q};
        placed = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    asked_q <= after;
    if (push_i) begin
      next_q <= line_t'(line_i);
      left_q <= {words_i[3], !words_i[3]};
      mine_q <= follow;
    end else if (burst) begin
      next_q <= next_q + line_t'(most);
      left_q <= left_q - most;
    end
    done_next_q <= arrive && asked_q[0].left == 2'd1 && asked_q[0].last;
    unread_next_q <= arrive && asked_q[0].left == 2'd1 && asked_q[0].last && (error_q || rerror_i);
    if (arrive) begin
      error_q <= !(asked_q[0].left == 2'd1 && asked_q[0].last) && (error_q || rerror_i);
    end
    reads_q <= reads_q + count_t'(push_i) - count_t'(done);
    if (rst_i) begin
      asked_q <= '0;
      left_q <= '0;
      done_next_q <= 1'b0;
      unread_next_q <= 1'b0;
      error_q <= 1'b0;
      reads_q <= '0;
    end
  end

  `WC_ASSERT(one_run, !ready || left_q == '0)
  `WC_ASSERT(burst_is, !arvalid || (left_q != '0 && araddr == {next_q, 6'b0}
                                    && arlen == 8'(most) - 1'b1))
  `WC_ASSERT(bursts_bounded, !burst || asked_q[Bursts-1].left == '0)
  `WC_ASSERT(burst_offered, arvalid || left_q == '0 || asked_q[Bursts-1].left != '0)
  `WC_ASSERT(done_is, done == done_next_q)
  `WC_ASSERT(unread_is, unread == unread_next_q)
  `WC_ASSERT(done_was_pushed, !done || reads_q != '0)

  // ---- the followed run -------------------------------------------------------------------------
  logic watch_q;
  logic [1:0] came_q;      // its lines that have arrived
  count_t open_q;          // runs that were pushed, not all out
  count_t ahead_q;         // those of them before it
  logic [3:0] word_q;      // words of it that are out
  logic [3:0] end_q;       // its last word
  logic [2:0] bytes_q;     // bytes of that one
  logic [6:0] byte_q;      // the followed one
  logic [29:0] block_q;    // its block
  logic [1:0] errors_q;    // its lines that were read in error
  logic follow_q;          // it was pushed in the cycle before
  logic bad_q;             // it is of a bad block
  logic done_here_q;       // its last line arrived in the cycle before
  logic now, here;
  logic [LineBytes-1:0] marks, behind;
  logic [WordBytes-1:0] expected;
  word_t spread;
  logic [7:0] length;      // of its value, in bytes

  assign follow = push_i && pick_i && !watch_q;
  assign now = watch_q && valid && ahead_q == '0;
  assign here = asked_q[0].mine && asked_q[0].left != '0;
  assign length = {1'b0, end_q, 3'b0} + (bytes_q == '0 ? 8'd8 : 8'(bytes_q));

  for (genvar i = 0; i < LineBytes; i++) begin : gen_byte
    assign marks[i] = {came_q[0], 6'(i)} == byte_q;
    assign behind[i] = {1'b0, came_q[0], 6'(i)} >= length;
  end

  for (genvar i = 0; i < WordBytes; i++) begin : gen_expected
    assign spread[8*i+:8] = {7'b0, expected[i]};
  end

  assign stored = !here ? '0 : (marks & ~behind) | (behind & {LineBytes{dirty_i}});
  assign expected = now && 8'(byte_q) < length && word_q == byte_q[6:3]
                    ? WordBytes'(1) << byte_q[2:0] : '0;

  always_ff @(posedge clk_i) begin
    open_q <= open_q + count_t'(push_i) - count_t'(take && value.last);
    follow_q <= follow;
    if (follow_q) bad_q <= bad_i;
    done_here_q <= arrive && here && asked_q[0].left == 2'd1 && asked_q[0].last;
    if (arrive && here) came_q <= came_q + 1'b1;
    if (arrive && here) errors_q[came_q[0]] <= rerror_i;
    if (watch_q && take && value.last && ahead_q != '0) ahead_q <= ahead_q - 1'b1;
    if (now && take) begin
      word_q <= word_q + 1'b1;
      if (word_q == end_q) watch_q <= 1'b0;
    end
    if (follow) begin
      watch_q <= 1'b1;
      came_q <= '0;
      block_q <= line_i;
      ahead_q <= open_q - count_t'(take && value.last);
      word_q <= '0;
      end_q <= words_i;
      bytes_q <= bytes_i;
      byte_q <= pick_byte_i;
    end
    if (rst_i) begin
      watch_q <= 1'b0;
      open_q <= '0;
      follow_q <= 1'b0;
      done_here_q <= 1'b0;
    end
  end

  `WC_ASSERT(word_has_run, !valid || open_q != '0)
  `WC_ASSERT(last_is, !now || value.last == (word_q == end_q))
  `WC_ASSERT(has_arrived, !now || came_q > 2'(word_q[3]))
  `WC_ASSERT(error_is, !now || error == (bad_q || errors_q[word_q[3]]))
  `WC_ASSERT(unread_block_is, !(unread && done_here_q) || unread_block == block_q)
  `WC_ASSERT(word_is, !valid || value.data == spread)

  // ---- nothing waits for long -------------------------------------------------------------------
  logic [1:0] wait_q;

  always_ff @(posedge clk_i) begin
    wait_q <= '0;
    if (open_q != '0 && left_q == '0 && asked_q == '0 && !valid) wait_q <= wait_q + 1'b1;
    if (rst_i) wait_q <= '0;
  end

  `WC_ASSERT(held_back, rready || valid)
  `WC_ASSERT(word_out_soon, wait_q != '1)
  `WC_ASSERT_STREAM(value, valid, value_ready_i, {value, error})

  `WC_COVER(over_the_page, now && value.last && word_q[3] && bytes_q == 3'd3 && next_q[5:0] == '0)
  `WC_COVER(second_line_unread, now && error && word_q[3] && !errors_q[0] && !bad_q)
  `WC_COVER(bad_run, now && error && errors_q == '0 && bad_q)
  `WC_COVER(full, !rready && ahead_q == count_t'(2) && watch_q)
  `WC_COVER(three_runs, now && open_q == count_t'(4) && arrive)

endmodule

`default_nettype wire
