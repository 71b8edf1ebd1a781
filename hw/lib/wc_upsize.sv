// SPDX-License-Identifier: Apache-2.0
// Packs words into lines of Ratio words, the first word lowest; a line ends when it is full or with
// last_i. Words of a short line that keep_o does not name are undefined.
// Latency 1 after a line's last word, 2 for a line of one or two; throughput one word per cycle
// with no gap between lines that are taken in the cycle they come, but a line of one word behind
// one of two or fewer takes two cycles. Cuts every path: a line's first two words wait in registers
// of their own until the line before has gone, so that neither ready_o nor what is written depends
// on ready_i.
`include "wc_assert.svh"
`default_nettype none

module wc_upsize #(
  parameter int unsigned Width = 64,  // bits of a word
  parameter int unsigned Ratio = 8    // words in a line
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               valid_i,
  output logic                    ready_o,
  input  wire logic [Width-1:0]   data_i,
  input  wire logic               last_i,
  output logic                    valid_o,
  input  wire logic               ready_i,
  output logic [Ratio*Width-1:0]  data_o,
  output logic [Ratio-1:0]        keep_o,  // words of the line that were written
  output logic                    last_o   // the line ended with last_i
);

  `WC_REQUIRE(ratio, Ratio >= 2, "wc_upsize: Ratio must be 2 or more")

  localparam int unsigned Early = 2;  // words that wait beside the lanes

  logic [Ratio-1:0] lane_q;  // one-hot: where the next word goes
  logic [Early-1:0][Width-1:0] early_q;
  logic early;               // the next word goes there
  logic short_q, short_last_q;  // they are a whole line
  logic [Early-1:0] short_keep_q;
  logic push, line_end;

  assign early = |lane_q[Early-1:0];
  assign ready_o = !valid_o || (early && !short_q);
  assign push = valid_i && ready_o;
  assign line_end = last_i || lane_q[Ratio-1];

  // A lane is written whenever it is its turn; the word is there when the turn goes on.
  always_ff @(posedge clk_i) begin
    if (push) lane_q <= line_end ? Ratio'(1) : lane_q << 1;
    for (int unsigned i = 0; i < Early; i++) if (ready_o && lane_q[i]) early_q[i] <= data_i;
    if (!valid_o) begin
      data_o[Early*Width-1:0] <= early_q;
      for (int unsigned i = Early; i < Ratio; i++) begin
        if (lane_q[i]) data_o[i*Width+:Width] <= data_i;
      end
      keep_o <= short_q ? Ratio'(short_keep_q) : lane_q | (lane_q - 1'b1);
      last_o <= short_q ? short_last_q : last_i;
      valid_o <= short_q || (valid_i && !early && line_end);
      short_q <= 1'b0;
    end else if (ready_i) begin
      valid_o <= 1'b0;
    end
    if (push && early && line_end) begin
      short_q <= 1'b1;
      short_last_q <= last_i;
      short_keep_q <= {lane_q[1], 1'b1};
    end
    if (rst_i) begin
      lane_q <= Ratio'(1);
      valid_o <= 1'b0;
      short_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, {keep_o, last_o, data_o})

endmodule

`default_nettype wire
