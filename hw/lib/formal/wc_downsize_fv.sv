// SPDX-License-Identifier: Apache-2.0
// Proof of wc_downsize.
// Rule 1: a word holds and is stable until taken.
// Rule 2: a line's words come out lowest first, up to the one that final_i names, and no others.
// Rule 3: final_o marks exactly the last one.
// Rule 4: there is no gap: a line inside always offers a word, and the next line is taken with the
//         last word of the one before.
`include "wc_assert.svh"
`default_nettype none

module wc_downsize_fv #(
  parameter int unsigned Width = 2,
  parameter int unsigned Ratio = 4
) (
  input wire logic                        clk_i,
  input wire logic                        rst_i,
  input wire logic [$clog2(Ratio)-1:0]    lane_i,  // free: follow the words that come from there
  input wire logic                        valid_i,
  input wire logic [Ratio-1:0][Width-1:0] data_i,
  input wire logic [$clog2(Ratio)-1:0]    final_i,
  input wire logic                        ready_i
);

  typedef logic [$clog2(Ratio)-1:0] lane_t;

  logic ready, valid, is_final;
  logic [Width-1:0] word;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_downsize #(
    .Width(Width),
    .Ratio(Ratio)
  ) u_dut (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i (data_i),
    .final_i(final_i),
    .valid_o(valid),
    .ready_i(ready_i),
    .data_o (word),
    .final_o(is_final)
  );

  `WC_ASSUME(final_in_line, 32'(final_i) < Ratio)

  lane_t lane_q;  // the one that is followed
  lane_t at_q, final_q;  // the word on the output, the line's last
  logic inside_q;
  logic [Width-1:0] watched_q;

  always_ff @(posedge clk_i) begin
    lane_q <= lane_q;
    if (valid_i && ready) begin
      inside_q <= 1'b1;
      at_q <= '0;
      final_q <= final_i;
      watched_q <= data_i[lane_q];
    end else if (inside_q && ready_i) begin
      inside_q <= at_q != final_q;
      at_q <= at_q + 1'b1;
    end
    if (rst_i) begin
      lane_q <= lane_i;
      inside_q <= 1'b0;
    end
  end

  `WC_ASSERT(word_when_line, valid == inside_q)
  `WC_ASSERT(words_are, !valid || at_q != lane_q || word == watched_q)
  `WC_ASSERT(final_is, !valid || is_final == (at_q == final_q))
  `WC_ASSERT(ready_when_room, ready == (!inside_q || (ready_i && at_q == final_q)))

  // What ties the checker to the cell.
  lane_t below;
  logic [Width-1:0] place;
  assign below = lane_q - at_q;
  assign place = u_dut.line_q[below*Width+:Width];

  `WC_ASSERT(place_is, !inside_q || at_q > lane_q || watched_q == place)
  `WC_ASSERT(left_is, !inside_q || is_final || u_dut.left_q == final_q - at_q)
  `WC_ASSERT(idle_final, inside_q || is_final)
  `WC_ASSERT(bounded, !inside_q || (at_q <= final_q && 32'(final_q) < Ratio))
  `WC_ASSERT(lane_bounded, 32'(lane_q) < Ratio)

  `WC_COVER(full_line, valid && is_final && at_q == lane_t'(Ratio - 1))
  `WC_COVER(one_word, valid && is_final && at_q == '0 && ready)

endmodule

`default_nettype wire
