// SPDX-License-Identifier: Apache-2.0
// Cuts lines of up to Ratio words into words, the lowest first.
// Latency 1; throughput one word per cycle, with no gap between lines.
// Cuts the forward path only: ready_o depends on ready_i, for the rest on registers.
`include "wc_assert.svh"
`default_nettype none

module wc_downsize #(
  parameter int unsigned Width = 64,  // bits of a word
  parameter int unsigned Ratio = 8    // words in a full line
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  input  wire logic                     valid_i,
  output logic                          ready_o,
  input  wire logic [Ratio*Width-1:0]   data_i,
  input  wire logic [$clog2(Ratio)-1:0] final_i,  // the line's last word: 0 to Ratio-1
  output logic                          valid_o,
  input  wire logic                     ready_i,
  output logic [Width-1:0]              data_o,
  output logic                          final_o   // the word is its line's last
);

  localparam int unsigned CountWidth = $clog2(Ratio);

  `WC_REQUIRE(ratio, Ratio >= 2, "wc_downsize: Ratio must be 2 or more")

  logic [Ratio*Width-1:0] line_q;  // moves down a word at a time
  logic [CountWidth-1:0] left_q;   // words behind the one on the output
  logic take;

  assign take = ready_i || !valid_o;
  assign ready_o = take && final_o;
  assign data_o = line_q[Width-1:0];

  // final_o also stands while there is no word: what comes next then is a line.
  always_ff @(posedge clk_i) begin
    if (take) begin
      // The last word stays where it is: nobody reads it there a second time.
      line_q <= final_o ? data_i : {line_q[(Ratio-1)*Width+:Width], line_q[Ratio*Width-1:Width]};
      if (final_o) begin
        valid_o <= valid_i;
        left_q <= final_i;
        final_o <= !valid_i || final_i == '0;
      end else begin
        left_q <= left_q - 1'b1;
        final_o <= left_q == CountWidth'(1);
      end
    end
    if (rst_i) begin
      valid_o <= 1'b0;
      final_o <= 1'b1;
    end
  end

  `WC_ASSERT_STREAM(out, valid_o, ready_i, {data_o, final_o})
  `WC_ASSERT(final_fits, !valid_i || 32'(final_i) < Ratio)

endmodule

`default_nettype wire
