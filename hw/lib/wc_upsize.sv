// SPDX-License-Identifier: Apache-2.0
// Packs words into lines of Ratio words, the first word lowest; a line ends when it is full or with
// last_i. Words of a short line that keep_o does not name are undefined.
// Latency 1 after a line's last word; throughput one word per cycle, with no gap between lines.
// Cuts the forward path only: ready_o depends on ready_i.
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

  logic [Ratio-1:0] lane_q;  // one-hot: where the next word goes
  logic push;

  assign ready_o = !valid_o || ready_i;
  assign push = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    if (push) begin
      for (int unsigned i = 0; i < Ratio; i++) begin
        if (lane_q[i]) data_o[i*Width+:Width] <= data_i;
      end
      keep_o <= lane_q[0] ? lane_q : keep_o | lane_q;
      last_o <= last_i;
      lane_q <= last_i ? Ratio'(1) : {lane_q[Ratio-2:0], lane_q[Ratio-1]};
    end
    if (ready_o) valid_o <= valid_i && (last_i || lane_q[Ratio-1]);
    if (rst_i) begin
      lane_q <= Ratio'(1);
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, {keep_o, last_o, data_o})

endmodule

`default_nettype wire
