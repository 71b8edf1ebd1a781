// SPDX-License-Identifier: Apache-2.0
// Proof of wc_store_issue, and with it of wc_store_recent and wc_hazard as they work together.
// One block of four is followed, any one; each tag is that of two blocks. Values have up to three
// words; the ring keeps those of up to two.
// Rule 1: every result that enters leaves once, unchanged, in order.
// Rule 2: the work of every operation is given out once, in order, before its result leaves.
// Rule 3: a GET does not go to memory while a SET of its block is not acknowledged.
// Rule 4: a SET is not given out while a GET of its block that went to memory has not got its data.
// Rule 5: a GET goes to the ring only if the ring keeps the words of the newest SET of its block,
//         and names the place of these words.
// Rule 6: this place is not given to another SET before the ring has read it for the GET.
// Rule 7: the ring keeps the words of exactly the SETs that have at most KeepWords.
// Assumed of the other parts: one that is ready stays ready until the push; no work is done that
// was not pushed; the ring names the oldest GET that it has not read, which wc_store_ring_fv
// asserts. Assumed of the index: a GET that hits has the length of the newest SET of its block.
`include "wc_assert.svh"
`default_nettype none

module wc_store_issue_fv
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned Reads         = 2,
  parameter int unsigned HazardEntries = 4,
  parameter int unsigned RingWords     = 4,
  parameter int unsigned KeepWords     = 2
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic [1:0] block_i,  // free: the block that is followed
  input wire logic [4:0] pick_i,   // free: what is followed
  input wire logic       result_valid_i,
  input wire logic       get_i,
  input wire logic       ok_i,
  input wire logic [1:0] words_i,
  input wire logic [1:0] line_i,
  input wire logic       mark_i,   // stands for all that is only passed on
  input wire logic       result_ready_i,
  input wire logic       read_ready_i,
  input wire logic       write_ready_i,
  input wire logic       order_ready_i,
  input wire logic       read_done_i,
  input wire logic       write_done_i,
  input wire logic       ring_done_i,
  input wire logic       ring_behind_i
);

  localparam int unsigned PlaceWidth = $clog2(RingWords) + 1;
  localparam int unsigned EntryWidth = $clog2(HazardEntries);
  localparam int unsigned Most = 2 * Reads + 4;
  typedef logic [PlaceWidth-1:0] place_t;

  result_t result_in, result;
  run_t run;
  logic result_ready, result_valid;
  logic read_push, write_push, write_discard, write_keep, ring_push, order_push;
  logic ring_ready, hold;
  place_t ring_place;
  logic [$clog2(KeepWords+1)-1:0] ring_words;
  logic [EntryWidth-1:0] ring_first, hold_first;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // Lines 0, 1, 4096 and 4097: the first and the last have one tag, the others another.
  always_comb begin
    result_in = '0;
    result_in.op.op = get_i ? OpGet : OpSet;
    result_in.op.status = ok_i ? StOk : StNotFound;
    result_in.op.quiet = mark_i;
    result_in.value_len = value_len_t'({words_i, 3'b0});
    result_in.pointer.line = {17'b0, line_i[1], 11'b0, line_i[0]};
  end

  wc_store_issue #(
    .Reads        (Reads),
    .HazardEntries(HazardEntries),
    .RingWords    (RingWords),
    .KeepWords    (KeepWords)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .result_valid_i (result_valid_i),
    .result_ready_o (result_ready),
    .result_i       (result_in),
    .result_valid_o (result_valid),
    .result_ready_i (result_ready_i),
    .result_o       (result),
    .events_o       (),
    .block_o        (),
    .run_o          (run),
    .read_push_o    (read_push),
    .read_ready_i   (read_ready_i),
    .write_push_o   (write_push),
    .write_discard_o(write_discard),
    .write_keep_o   (write_keep),
    .write_ready_i  (write_ready_i),
    .ring_push_o    (ring_push),
    .ring_place_o   (ring_place),
    .ring_words_o   (ring_words),
    .ring_first_o   (ring_first),
    .ring_ready_i   (ring_ready),
    .order_push_o   (order_push),
    .order_ready_i  (order_ready_i),
    .read_done_i    (read_done_i),
    .write_done_i   (write_done_i),
    .ring_behind_i  (ring_behind_i),
    .hold_i         (hold),
    .hold_first_i   (hold_first)
  );

  // ---- the others -------------------------------------------------------------------------------
  logic [4:0] reads, writes, gets;

  `WC_ASSUME(read_stays, $past(rst_i) || $past(!read_ready_i || read_push) || read_ready_i)
  `WC_ASSUME(write_stays, $past(rst_i) || $past(!write_ready_i || write_push) || write_ready_i)
  `WC_ASSUME(order_stays, $past(rst_i) || $past(!order_ready_i || order_push) || order_ready_i)
  `WC_ASSUME(read_was_asked_for, !read_done_i || reads != '0)
  `WC_ASSUME(write_was_asked_for, !write_done_i || writes != '0)

  logic [3:0] stored_q;  // there was a SET of the block
  logic [3:0][1:0] length_q;

  always_ff @(posedge clk_i) begin
    if (result_valid_i && result_ready && !get_i && ok_i) begin
      stored_q[line_i] <= 1'b1;
      length_q[line_i] <= words_i;
    end
    if (rst_i) stored_q <= '0;
  end

  `WC_ASSUME(length_is, !(get_i && ok_i && stored_q[line_i]) || words_i == length_q[line_i])

  wc_fifo_shallow #(
    .data_t(logic [EntryWidth-1:0]),
    .Depth (Reads)
  ) u_ring (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(ring_push),
    .ready_o(ring_ready),
    .data_i (ring_first),
    .valid_o(hold),
    .ready_i(ring_done_i),
    .data_o (hold_first)
  );

  // ---- results and work -------------------------------------------------------------------------
  logic enter, leave, set, work, some_work;
  logic [3:0] results, works;
  logic [2:0] owed_q;  // results whose work is given out, and that have not left
  logic [1:0] words;   // of the operation whose work is given out

  assign enter = result_valid_i && result_ready;
  assign leave = result_valid && result_ready_i;
  assign set = write_push && !write_discard;
  assign work = read_push || ring_push || write_push;
  assign words = run.tail_words[1:0] + 2'd1;

  function automatic logic has_work(result_t of);
    return of.value_len != '0 && (of.op.op == OpSet || of.op.status == StOk);
  endfunction

  wc_order_fv #(
    .Width(7),
    .Most (Most)
  ) u_results (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[0]),
    .push_i     (enter),
    .push_data_i({mark_i, get_i, ok_i, words_i, line_i}),
    .pop_i      (leave),
    .pop_data_i ({result.op.quiet, result.op.op == OpGet, result.op.status == StOk,
                  result.value_len[4:3], result.pointer.line[12], result.pointer.line[0]}),
    .level_o    (results),
    .watching_o (),
    .ahead_o    (),
    .data_o     ()
  );

  wc_order_fv #(
    .Width(6),
    .Most (Most)
  ) u_work (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[1]),
    .push_i     (enter && has_work(result_in)),
    .push_data_i({get_i, ok_i, words_i, line_i}),
    .pop_i      (work),
    .pop_data_i ({!write_push, !(write_push && write_discard), words, run.line[12], run.line[0]}),
    .level_o    (works),
    .watching_o (),
    .ahead_o    (),
    .data_o     ()
  );

  always_ff @(posedge clk_i) begin
    owed_q <= owed_q + 3'(work) - 3'(leave && has_work(result));
    if (rst_i) owed_q <= '0;
  end

  `WC_ASSERT(work_comes_first, !(leave && has_work(result)) || owed_q != '0)
  `WC_ASSERT(none_left_over, results != '0 || (works == '0 && owed_q == '0))
  `WC_ASSERT(one_kind, 2'(read_push) + 2'(ring_push) + 2'(write_push) <= 2'd1)
  `WC_ASSERT(value_has_a_turn, order_push == (read_push || ring_push))
  `WC_ASSERT(one_line, !work || (run.lines == LinesWidth'(1) && run.tail_bytes == '0))

  // ---- the block --------------------------------------------------------------------------------
  logic [1:0] block_q;
  logic here;  // the work is of the block
  logic read_watched, write_watched, get_watched;
  logic newest_valid_q, newest_keep_q;
  place_t newest_q, alloc_q, place;

  assign here = {run.line[12], run.line[0]} == block_q;

  wc_order_fv #(
    .Width(1),
    .Most (15)
  ) u_reads (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[2] && here),
    .push_i     (read_push),
    .push_data_i(1'b0),
    .pop_i      (read_done_i),
    .pop_data_i (1'b0),
    .level_o    (reads),
    .watching_o (read_watched),
    .ahead_o    (),
    .data_o     ()
  );

  wc_order_fv #(
    .Width(1),
    .Most (15)
  ) u_writes (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[3] && here),
    .push_i     (set),
    .push_data_i(1'b0),
    .pop_i      (write_done_i),
    .pop_data_i (1'b0),
    .level_o    (writes),
    .watching_o (write_watched),
    .ahead_o    (),
    .data_o     ()
  );

  wc_order_fv #(
    .Width(PlaceWidth),
    .Most (15)
  ) u_gets (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[4] && here),
    .push_i     (ring_push),
    .push_data_i(ring_place),
    .pop_i      (hold && ring_done_i),
    .pop_data_i (place),
    .level_o    (gets),
    .watching_o (get_watched),
    .ahead_o    (),
    .data_o     (place)
  );

  always_ff @(posedge clk_i) begin
    block_q <= block_q;
    if (set && write_keep) alloc_q <= alloc_q + place_t'(words);
    if (set && here) begin
      newest_valid_q <= 1'b1;
      newest_keep_q <= write_keep;
      newest_q <= alloc_q;
    end
    if (rst_i) begin
      block_q <= block_i;
      alloc_q <= '0;
      newest_valid_q <= 1'b0;
    end
  end

  `WC_ASSERT(read_after_write, !(read_push && here) || !write_watched)
  `WC_ASSERT(write_after_read, !(set && here) || !read_watched)
  `WC_ASSERT(ring_has_it, !(ring_push && here) || (newest_valid_q && newest_keep_q))
  `WC_ASSERT(ring_is_newest, !(ring_push && here) || ring_place == newest_q)
  `WC_ASSERT(ring_gives_all, !ring_push || 32'(ring_words) == 32'(words))
  `WC_ASSERT(keeps_what_fits, !set || write_keep == (32'(words) <= KeepWords))
  `WC_ASSERT(not_overwritten, !get_watched || place_t'(alloc_q - place) <= place_t'(RingWords))
  `WC_ASSERT(there_as_asked, !(ring_push && here)
                             || place_t'(alloc_q - ring_place) <= place_t'(RingWords))
  `WC_ASSERT(levels_agree, gets == 5'(u_ring.level_q))

  `WC_COVER(forwarded, ring_push && here && gets != '0)
  `WC_COVER(waited, write_push && here && result_valid && alloc_q != '0 && reads != '0)
  `WC_COVER(from_memory, read_push && here && newest_valid_q && !write_watched && writes != '0)

endmodule

`default_nettype wire
