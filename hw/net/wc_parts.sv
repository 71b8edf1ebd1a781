// SPDX-License-Identifier: Apache-2.0
// Cuts an answer of the host into parts, each a datagram of its own, but numbered together. They are
// short, so that a message of the pipeline that waits for one of them does not wait for long.
// A part is a message that says its number and of how many it is.
// Latency 1, a part a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_parts #(
  parameter int unsigned PartBytes = wc_net_pkg::HostDatagramBytes  // a power of two
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic              message_valid_i,
  output logic                   message_ready_o,
  input  wire wc_pkg::message_t  message_i,  // of 1 to CommandAnswerBytes
  output logic                   part_valid_o,
  input  wire logic              part_ready_i,
  output wc_pkg::message_t       part_o,
  output wc_net_pkg::numbered_t  place_o  // beside part_o
);

  import wc_net_pkg::*;

  localparam int unsigned Shift = $clog2(PartBytes);
  localparam int unsigned MostParts = (wc_pkg::CommandAnswerBytes + PartBytes - 1) / PartBytes;

  `WC_REQUIRE(part, PartBytes == 2 ** Shift && PartBytes >= wc_pkg::WordBytes
              && PartBytes <= DatagramBytes,
              "wc_parts: PartBytes must be a power of two of whole words, within a datagram")

  typedef logic [$clog2(wc_pkg::CommandAnswerBytes):0] bytes_t;
  typedef logic [$clog2(MostParts):0] count_t;

  wc_pkg::message_t message_q;
  bytes_t left_q;  // bytes in this part and behind it
  count_t number_q, of_q;
  logic busy_q, last;

  assign last = left_q <= bytes_t'(PartBytes);
  assign message_ready_o = !busy_q;
  assign part_valid_o = busy_q;

  always_comb begin
    part_o = message_q;
    part_o.bytes = 27'(last ? left_q : bytes_t'(PartBytes));
    place_o = '{number: 16'(number_q), of: 16'(of_q)};
  end

  always_ff @(posedge clk_i) begin
    if (!busy_q) begin
      message_q <= message_i;
      left_q <= bytes_t'(message_i.bytes);
      number_q <= '0;
      of_q <= count_t'((bytes_t'(message_i.bytes) + bytes_t'(PartBytes - 1)) >> Shift);
      busy_q <= message_valid_i;
    end else if (part_ready_i) begin
      left_q <= left_q - bytes_t'(PartBytes);
      number_q <= number_q + 1'b1;
      busy_q <= !last;
    end
    if (rst_i) busy_q <= 1'b0;
  end

  `WC_ASSERT(some_bytes, !message_valid_i || message_i.bytes != '0)
  `WC_ASSERT(fits, !message_valid_i || message_i.bytes <= 27'(wc_pkg::CommandAnswerBytes))
  `WC_ASSERT_STREAM(part, part_valid_o, part_ready_i, {part_o, place_o})

endmodule

`default_nettype wire
