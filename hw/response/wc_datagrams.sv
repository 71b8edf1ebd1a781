// SPDX-License-Identifier: Apache-2.0
// Counts the datagrams of each message, by taking away a datagram's bytes again and again: one
// cycle a datagram, long before that many are sent. Latency 2 for a message of one datagram, and a
// message every 2 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_datagrams (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              valid_i,
  output logic                   ready_o,
  input  wire wc_pkg::message_t  message_i,  // without datagrams
  output logic                   valid_o,
  input  wire logic              ready_i,
  output wc_pkg::message_t       message_o
);

  import wc_pkg::*;

  logic [$bits(message_i.bytes)-1:0] left_q;
  logic counting_q, more;

  assign ready_o = !counting_q && (ready_i || !valid_o);
  assign more = left_q > ($bits(left_q))'(DatagramBytes);

  always_ff @(posedge clk_i) begin
    if (ready_o) begin
      message_o <= message_i;
      message_o.datagrams <= '0;
      left_q <= message_i.bytes;
      counting_q <= valid_i;
    end
    if (counting_q) begin
      message_o.datagrams <= message_o.datagrams + 16'(left_q != '0);
      left_q <= left_q - ($bits(left_q))'(DatagramBytes);
      counting_q <= more;
      valid_o <= !more;
    end else if (ready_i) begin
      valid_o <= 1'b0;
    end
    if (rst_i) begin
      counting_q <= 1'b0;
      valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(message, valid_o, ready_i, message_o)

endmodule

`default_nettype wire
