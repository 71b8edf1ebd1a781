// SPDX-License-Identifier: Apache-2.0
// Counts the datagrams that each message will take, as the first of them says how many there are:
// takes away a datagram's bytes again and again, one cycle a datagram, long before that many are
// sent. A part of a host's answer is one datagram, and says of how many.
// Latency 2 for a message of one datagram, and a message every 2 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_datagrams #(
  parameter int unsigned DatagramBytes = wc_net_pkg::DatagramBytes
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic                   message_valid_i,
  output logic                        message_ready_o,
  input  wire wc_pkg::message_t       message_i,
  input  wire wc_net_pkg::numbered_t  place_i,  // of a part
  output logic                        message_valid_o,
  input  wire logic                   message_ready_i,
  output wc_pkg::message_t            message_o,
  // Beside message_o: the number of its first datagram, and of how many. But for a part 0 and
  // ceil(bytes / DatagramBytes).
  output wc_net_pkg::numbered_t       place_o
);

  typedef logic [$bits(message_i.bytes)-1:0] bytes_t;

  bytes_t left_q;  // bytes not yet counted
  logic some_q;  // the message has any bytes, and they are to be counted
  logic counting_q, more;

  assign message_ready_o = !counting_q && (message_ready_i || !message_valid_o);
  assign more = left_q > bytes_t'(DatagramBytes);

  always_ff @(posedge clk_i) begin
    if (message_ready_o) begin
      message_o <= message_i;
      place_o <= message_i.aside ? place_i : '0;
      left_q <= message_i.bytes;
      some_q <= message_i.bytes != '0 && !message_i.aside;
      counting_q <= message_valid_i;
    end
    if (counting_q) begin
      place_o.of <= place_o.of + 16'(some_q);
      left_q <= left_q - bytes_t'(DatagramBytes);
      counting_q <= more;
      message_valid_o <= !more;
    end else if (message_ready_i) begin
      message_valid_o <= 1'b0;
    end
    if (rst_i) begin
      counting_q <= 1'b0;
      message_valid_o <= 1'b0;
    end
  end

  // memcached's header counts the datagrams of an answer in 16 bits.
  `WC_ASSERT(datagrams_fit, !(message_valid_i && message_ready_o)
             || message_i.bytes <= bytes_t'((2 ** $bits(place_o.of) - 1) * DatagramBytes))
  `WC_ASSERT(a_part_is_one, !(message_valid_i && message_ready_o && message_i.aside)
             || message_i.bytes <= bytes_t'(DatagramBytes))
  `WC_ASSERT_STREAM(message, message_valid_o, message_ready_i, {message_o, place_o})

endmodule

`default_nettype wire
