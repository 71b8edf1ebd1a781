// SPDX-License-Identifier: Apache-2.0
// Proof of wc_pack.
// Rule 1: a word holds and is stable until taken.
// Rule 2: every byte of every fragment comes out once, unchanged and in order: a run's bytes fill
//         its words without a gap, the next run begins a new word, and nothing else comes out.
// Rule 3: bytes_o counts the bytes of a word, the unused ones are zero; last_o marks a word that a
//         run has ended in.
// Rule 4: nothing waits within: full words, and the last of a run, leave within 6 cycles, but for
//         those before, and then it is ready.
// Assumed: fragments come while ready_o is high; those that end a run have 8 bytes at most.
`include "wc_assert.svh"
`default_nettype none

module wc_pack_fv #(
  parameter int unsigned Depth = 8
) (
  input wire logic          clk_i,
  input wire logic          rst_i,
  input wire logic [6:0]    follow_i,  // free: the byte that is followed, counted in words out
  input wire logic          valid_i,
  input wire logic [7:0]    first_i,  // a bit a byte: the cell moves bytes whole
  input wire logic [3:0]    first_bytes_i,
  input wire logic [7:0]    second_i,
  input wire logic [3:0]    second_bytes_i,
  input wire logic          last_i,
  input wire logic          ready_i
);

  import wc_pkg::*;

  typedef logic [6:0] place_t;  // of a byte among the words that leave

  logic ready, valid, last;
  word_t data;
  logic [3:0] bytes;
  word_t first, second;

  always_comb begin
    first = '0;
    second = '0;
    for (int unsigned i = 0; i < WordBytes; i++) begin
      first[8*i] = first_i[i];
      second[8*i] = second_i[i];
    end
  end

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_pack #(
    .Depth(Depth)
  ) u_dut (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .valid_i       (valid_i),
    .ready_o       (ready),
    .first_i       (first),
    .first_bytes_i (first_bytes_i),
    .second_i      (second),
    .second_bytes_i(second_bytes_i),
    .last_i        (last_i),
    .error_i       (1'b0),
    .valid_o       (valid),
    .ready_i       (ready_i),
    .data_o        (data),
    .bytes_o       (bytes),
    .last_o        (last),
    .error_o       ()
  );

  `WC_ASSUME(sent_when_ready, !valid_i || ready)
  `WC_ASSUME(fragments, first_bytes_i <= 4'd8 && second_bytes_i <= 4'd8)
  `WC_ASSUME(end_alone, !last_i || 5'(first_bytes_i) + 5'(second_bytes_i) <= 5'd8)

  // ---- what comes in, by its place in what goes out ---------------------------------------------
  place_t follow_q, next_q;  // next_q: of the next byte
  logic known_q, pad_q, ends_q;  // the followed byte has come; it is none; its word ends a run
  logic [7:0] byte_q;
  place_t middle, behind, aligned, from_first, from_second;
  logic here;

  assign middle = next_q + place_t'(first_bytes_i);
  assign behind = middle + place_t'(second_bytes_i);
  assign aligned = last_i ? place_t'((behind + 7'd7) & ~7'd7) : behind;
  assign here = valid_i && follow_q >= next_q && follow_q < aligned;
  assign from_first = follow_q - next_q;
  assign from_second = follow_q - middle;

  always_ff @(posedge clk_i) begin
    follow_q <= follow_q;
    if (valid_i) next_q <= aligned;
    if (here) begin
      known_q <= 1'b1;
      pad_q <= follow_q >= behind;
      byte_q <= follow_q < middle ? first[8*from_first[2:0]+:8] :
                follow_q < behind ? second[8*from_second[2:0]+:8] : 8'd0;
    end
    // The run ends in the followed byte's word.
    if (valid_i && last_i && behind[2:0] != 3'd0 && behind[6:3] == follow_q[6:3]) ends_q <= 1'b1;
    if (rst_i) begin
      follow_q <= follow_i;
      next_q <= '0;
      known_q <= 1'b0;
      ends_q <= 1'b0;
    end
  end

  `WC_ASSUME(counted, next_q < 7'd32)

  // ---- what goes out ----------------------------------------------------------------------------
  logic [3:0] word_q;  // words that have left
  logic [4:0] waited_q;
  logic pop, mine;

  assign pop = valid && ready_i;
  assign mine = pop && word_q == follow_q[6:3];

  always_ff @(posedge clk_i) begin
    word_q <= word_q + 4'(pop);
    if (!ready_i || valid_i || pop) waited_q <= '0;
    else if (!(&waited_q)) waited_q <= waited_q + 1'b1;
    if (rst_i) begin
      word_q <= '0;
      waited_q <= '0;
    end
  end

  `WC_ASSERT(nothing_made_up, !pop || {word_q, 3'd0} < next_q)
  `WC_ASSERT(has_come, !mine || known_q)
  `WC_ASSERT(byte_is, !mine || data[8*follow_q[2:0]+:8] == byte_q)
  `WC_ASSERT(bytes_are, !mine || (4'(follow_q[2:0]) < bytes) == !pad_q)
  `WC_ASSERT(last_when_padded, !mine || !ends_q || last)
  `WC_ASSERT(not_last_within, !valid || !last || word_q < next_q[6:3])
  `WC_ASSERT(nothing_waits, waited_q < 5'd6 || (word_q == next_q[6:3] && ready))

  `WC_COVER(two_words, valid && !ready_i && next_q[6:3] - word_q == 4'd3)
  `WC_COVER(padded, mine && pad_q && last)
  `WC_COVER(run_after_run, mine && known_q && !pad_q && follow_q > 7'd16 && last)

endmodule

`default_nettype wire
