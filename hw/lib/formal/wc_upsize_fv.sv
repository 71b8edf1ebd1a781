// SPDX-License-Identifier: Apache-2.0
// Proof of wc_upsize.
// Rule 1: a line holds and is stable until taken.
// Rule 2: a line's words are those that came since the line before, the first one lowest.
// Rule 3: keep_o names exactly the words of the line; a line is full or ends with last_i.
// Rule 4: last_o says that the line ended with last_i.
// Rule 5: no word is lost: as many come in as keep_o names on the lines that go out.
`include "wc_assert.svh"
`default_nettype none

module wc_upsize_fv #(
  parameter int unsigned Width = 2,
  parameter int unsigned Ratio = 4
) (
  input wire logic                     clk_i,
  input wire logic                     rst_i,
  input wire logic [$clog2(Ratio)-1:0] lane_i,  // free: follow the words that go there
  input wire logic                     valid_i,
  input wire logic [Width-1:0]         data_i,
  input wire logic                     last_i,
  input wire logic                     ready_i
);

  typedef logic [$clog2(Ratio + 1)-1:0] count_t;

  logic ready, valid, last, push;
  logic [Ratio-1:0][Width-1:0] line;
  logic [Ratio-1:0] keep;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_upsize #(
    .Width(Width),
    .Ratio(Ratio)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i (data_i),
    .last_i (last_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .data_o (line),
    .keep_o (keep),
    .last_o (last)
  );

  assign push = valid_i && ready;

  logic [$clog2(Ratio)-1:0] lane_q;  // the one that is followed
  count_t words_q;  // of the line that is being filled, or is done and still there
  logic done_q, last_q;
  logic [Width-1:0] watched_q;

  always_ff @(posedge clk_i) begin
    lane_q <= lane_q;
    if (push) begin
      words_q <= done_q ? count_t'(1) : words_q + 1'b1;
      done_q <= last_i || (done_q ? count_t'(1) : words_q + 1'b1) == count_t'(Ratio);
      last_q <= last_i;
      if ((done_q ? '0 : words_q) == count_t'(lane_q)) watched_q <= data_i;
    end else if (done_q && ready_i) begin
      words_q <= '0;
      done_q <= 1'b0;
    end
    if (rst_i) begin
      lane_q <= lane_i;
      words_q <= '0;
      done_q <= 1'b0;
    end
  end

  `WC_ASSERT(line_when_done, valid == done_q)
  `WC_ASSERT(words_are, !valid || !keep[lane_q] || line[lane_q] == watched_q)
  `WC_ASSERT(keep_is, !valid || keep == ~({Ratio{1'b1}} << words_q))
  `WC_ASSERT(last_is, !valid || last == last_q)
  `WC_ASSERT(ready_when_room, ready == (!valid || ready_i))

  // What ties the checker to the cell.
  logic [Ratio-1:0] next_lane;
  assign next_lane = Ratio'(1) << (done_q ? '0 : words_q);

  `WC_ASSERT(lane_is, u_dut.lane_q == next_lane)
  `WC_ASSERT(words_bounded, words_q <= count_t'(Ratio) && (done_q || words_q < count_t'(Ratio)))
  `WC_ASSERT(lane_bounded, 32'(lane_q) < Ratio)
  `WC_ASSERT(kept, done_q || words_q == '0 || keep == ~({Ratio{1'b1}} << words_q))
  `WC_ASSERT(held, done_q || words_q <= count_t'(lane_q) || line[lane_q] == watched_q)
  `WC_ASSERT(done_has_words, !done_q || words_q != '0)

  `WC_COVER(full_line, valid && &keep && !last)
  `WC_COVER(short_line, valid && last && !keep[Ratio-1])

endmodule

`default_nettype wire
