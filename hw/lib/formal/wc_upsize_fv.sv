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
  count_t fill_q;         // words of the line that is being filled
  logic short_q, short_last_q;  // a line of one word or two waits behind the one that is out
  count_t short_words_q;
  logic done_q, last_q;   // the line that is out
  count_t words_q;
  logic [Width-1:0] fresh_q, watched_q;  // the word followed, of the line being filled and of that
  logic line_end;

  assign line_end = last_i || fill_q == count_t'(Ratio - 1);

  always_ff @(posedge clk_i) begin
    lane_q <= lane_q;
    if (ready_i) done_q <= 1'b0;
    if (!done_q && short_q) begin
      done_q <= 1'b1;
      words_q <= short_words_q;
      last_q <= short_last_q;
      watched_q <= fresh_q;
      short_q <= 1'b0;
    end
    if (push) begin
      fill_q <= line_end ? '0 : fill_q + 1'b1;
      if (fill_q == count_t'(lane_q)) fresh_q <= data_i;
      if (line_end && fill_q <= count_t'(1)) begin
        short_q <= 1'b1;
        short_words_q <= fill_q + 1'b1;
        short_last_q <= last_i;
      end else if (line_end) begin
        done_q <= 1'b1;
        words_q <= fill_q + 1'b1;
        last_q <= last_i;
        watched_q <= fill_q == count_t'(lane_q) ? data_i : fresh_q;
      end
    end
    if (rst_i) begin
      lane_q <= lane_i;
      fill_q <= '0;
      short_q <= 1'b0;
      done_q <= 1'b0;
    end
  end

  `WC_ASSERT(line_when_done, valid == done_q)
  `WC_ASSERT(words_are, !valid || !keep[lane_q] || line[lane_q] == watched_q)
  `WC_ASSERT(keep_is, !valid || keep == ~({Ratio{1'b1}} << words_q))
  `WC_ASSERT(last_is, !valid || last == last_q)
  `WC_ASSERT(ready_when_room, ready == (!valid || (fill_q <= count_t'(1) && !short_q)))

  // What ties the checker to the cell.
  `WC_ASSERT(lane_is, u_dut.lane_q == Ratio'(1) << fill_q)
  `WC_ASSERT(short_is, u_dut.short_q == short_q && (!short_q || (fill_q == '0
                       && u_dut.short_last_q == short_last_q
                       && u_dut.short_keep_q == {short_words_q == count_t'(2), 1'b1}
                       && short_words_q inside {count_t'(1), count_t'(2)})))
  `WC_ASSERT(fill_bounded, fill_q < count_t'(Ratio) && !(done_q && fill_q > count_t'(2)))
  `WC_ASSERT(words_bounded, !done_q || (words_q != '0 && words_q <= count_t'(Ratio)))
  `WC_ASSERT(lane_bounded, 32'(lane_q) < Ratio)
  `WC_ASSERT(early_held, 32'(lane_q) > 1 || (short_q ? short_words_q : fill_q) <= count_t'(lane_q)
                         || u_dut.early_q[lane_q[0]] == fresh_q)
  `WC_ASSERT(held, 32'(lane_q) <= 1 || fill_q <= count_t'(lane_q) || line[lane_q] == fresh_q)

  `WC_COVER(full_line, valid && &keep && !last)
  `WC_COVER(short_line, valid && last && !keep[Ratio-1])
  `WC_COVER(waits_behind, valid && short_q)

endmodule

`default_nettype wire
