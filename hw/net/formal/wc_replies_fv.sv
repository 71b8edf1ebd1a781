// SPDX-License-Identifier: Apache-2.0
// Proof of wc_replies.
// Rule 1: what is taken of either side leaves in that cycle, unchanged and told apart, and nothing
//         else does.
// Rule 2: what is offered holds and is stable until taken.
// Rule 3: words are those of the side whose frame was taken last, and are taken of it alone.
// Rule 4: what waits lets one frame of the other side ahead at most.
// Rule 5: when something waits, something is offered, one cycle later at the latest.
// So nothing waits for ever, as long as frames are taken.
// Assumed: either side holds what it offers.
`include "wc_assert.svh"
`default_nettype none

module wc_replies_fv
  import wc_net_pkg::*;
(
  input wire logic          clk_i,
  input wire logic          rst_i,
  input wire logic          local_valid_i,
  input wire reply_t        local_i,
  input wire logic          local_word_valid_i,
  input wire wc_pkg::word_t local_word_i,
  input wire logic          segment_valid_i,
  input wire reply_t        segment_i,
  input wire logic          segment_word_valid_i,
  input wire wc_pkg::word_t segment_word_i,
  input wire logic          reply_ready_i,
  input wire logic          word_ready_i
);

  logic local_ready, local_word_ready, segment_ready, segment_word_ready;
  logic valid, tcp, word_valid;
  reply_t reply;
  wc_pkg::word_t word;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_replies u_dut (
    .clk_i               (clk_i),
    .rst_i               (rst_i),
    .local_valid_i       (local_valid_i),
    .local_ready_o       (local_ready),
    .local_i             (local_i),
    .local_word_valid_i  (local_word_valid_i),
    .local_word_ready_o  (local_word_ready),
    .local_word_i        (local_word_i),
    .segment_valid_i     (segment_valid_i),
    .segment_ready_o     (segment_ready),
    .segment_i           (segment_i),
    .segment_word_valid_i(segment_word_valid_i),
    .segment_word_ready_o(segment_word_ready),
    .segment_word_i      (segment_word_i),
    .reply_valid_o       (valid),
    .reply_ready_i       (reply_ready_i),
    .reply_o             (reply),
    .reply_tcp_o         (tcp),
    .word_valid_o        (word_valid),
    .word_ready_i        (word_ready_i),
    .word_o              (word)
  );

  `WC_ASSUME(local_holds, $past(rst_i) || !$past(local_valid_i && !local_ready) ||
             (local_valid_i && $past(local_i) == local_i))
  `WC_ASSUME(segment_holds, $past(rst_i) || !$past(segment_valid_i && !segment_ready) ||
             (segment_valid_i && $past(segment_i) == segment_i))

  logic take_local, take_segment;

  assign take_local = local_valid_i && local_ready;
  assign take_segment = segment_valid_i && segment_ready;

  `WC_ASSERT(one_for_one, (valid && reply_ready_i) == (take_local || take_segment))
  `WC_ASSERT(one_at_a_time, !(take_local && take_segment))
  `WC_ASSERT(local_unchanged, !take_local || (reply == local_i && !tcp))
  `WC_ASSERT(segment_unchanged, !take_segment || (reply == segment_i && tcp))
  `WC_ASSERT(offered, $past(rst_i) || valid || !$past(local_valid_i || segment_valid_i)
             || $past(valid && reply_ready_i))
  `WC_ASSERT(holds, $past(rst_i) || !$past(valid && !reply_ready_i)
             || (valid && $past({reply, tcp}) == {reply, tcp}))

  // ---- words ------------------------------------------------------------------------------------
  logic of_segment_q;  // the frame that was taken last

  always_ff @(posedge clk_i) begin
    if (take_local) of_segment_q <= 1'b0;
    if (take_segment) of_segment_q <= 1'b1;
    if (rst_i) of_segment_q <= 1'b0;
  end

  `WC_ASSERT(own_words, word_valid == (of_segment_q ? segment_word_valid_i : local_word_valid_i)
             && word == (of_segment_q ? segment_word_i : local_word_i))
  `WC_ASSERT(own_takes, segment_word_ready == (of_segment_q && word_ready_i)
             && local_word_ready == (!of_segment_q && word_ready_i))

  // ---- how long each waits ----------------------------------------------------------------------
  logic [1:0] segments_q;  // that went ahead of the local reply that waits
  logic [1:0] locals_q;    // that went ahead of the segment that waits

  always_ff @(posedge clk_i) begin
    if (!local_valid_i || take_local) segments_q <= '0;
    else segments_q <= segments_q + 2'(take_segment);
    if (!segment_valid_i || take_segment) locals_q <= '0;
    else locals_q <= locals_q + 2'(take_local);
    if (rst_i) begin
      segments_q <= '0;
      locals_q <= '0;
    end
  end

  `WC_ASSERT(one_segment_ahead, segments_q <= 2'd1)
  `WC_ASSERT(one_local_ahead, locals_q <= 2'd1)

  // ---- what makes the induction hold ------------------------------------------------------------
  `WC_ASSERT(words_of, u_dut.words_tcp_q == of_segment_q)
  `WC_ASSERT(local_is_next, segments_q == '0 || (local_valid_i && !tcp))
  `WC_ASSERT(segment_is_next, locals_q == '0 || (segment_valid_i && tcp))

  `WC_COVER(local_behind_a_segment, take_local && segments_q != '0 && segment_valid_i)
  `WC_COVER(segment_behind_a_local, take_segment && locals_q != '0 && local_valid_i)

endmodule

`default_nettype wire
