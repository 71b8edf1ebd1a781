// SPDX-License-Identifier: Apache-2.0
// Counts bytes by eights, for a counter of events: an event for each eight that have come, and what
// is left waits for more. So eight times the events are the bytes, but for the last seven at most.
// Latency 2 cycles; up to eight bytes every cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_net_bytes (
  input  wire logic       clk_i,
  input  wire logic       rst_i,
  input  wire logic [3:0] bytes_i,  // that come in this cycle: 0 to 8
  output logic            eight_o
);

  logic [3:0] bytes_q;  // a register, as they are known late
  logic [2:0] rest_q;

  always_ff @(posedge clk_i) begin
    bytes_q <= bytes_i;
    {eight_o, rest_q} <= 4'(rest_q) + bytes_q;
    if (rst_i) begin
      bytes_q <= '0;
      eight_o <= 1'b0;
      rest_q <= '0;
    end
  end

  `WC_ASSERT(one_word, bytes_i <= 4'd8)

endmodule

`default_nettype wire
