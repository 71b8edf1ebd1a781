// SPDX-License-Identifier: Apache-2.0
// Proof of wc_parts.
// Rule 1: the parts of a message have its bytes together; all but the last have PartBytes.
// Rule 2: they are numbered from 0, and say how many there are.
// Rule 3: they are as the message else; no other message is taken before the last has left.
// Rule 4: a part is offered from the cycle after the message was taken on, and stays until taken.
// Assumed: a message has some bytes, and no more than a host's answer (asserted in the cell).
`include "wc_assert.svh"
`default_nettype none

module wc_parts_fv
  import wc_pkg::*;
#(
  parameter int unsigned PartBytes = wc_net_pkg::HostDatagramBytes
) (
  input wire logic     clk_i,
  input wire logic     rst_i,
  input wire logic     valid_i,
  input wire message_t message_i,
  input wire logic     ready_i
);

  localparam int unsigned Shift = $clog2(PartBytes);

  typedef logic [14:0] bytes_t;

  logic ready, valid;
  message_t part;
  wc_net_pkg::numbered_t place;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_parts #(
    .PartBytes(PartBytes)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .message_valid_i(valid_i),
    .message_ready_o(ready),
    .message_i      (message_i),
    .part_valid_o   (valid),
    .part_ready_i   (ready_i),
    .part_o         (part),
    .place_o        (place)
  );

  `WC_ASSUME(an_answer, message_i.bytes != '0 && message_i.bytes <= 27'(CommandAnswerBytes))

  logic take, pop;
  assign take = valid_i && ready;
  assign pop = valid && ready_i;

  logic inside_q;
  message_t message_q, same;
  bytes_t sent_q;        // bytes of the parts that have left
  logic [15:0] count_q;  // and how many these are

  always_comb begin
    same = message_q;
    same.bytes = part.bytes;
  end

  logic last;
  assign last = bytes_t'(part.bytes) + sent_q == bytes_t'(message_q.bytes);

  always_ff @(posedge clk_i) begin
    if (take) begin
      message_q <= message_i;
      sent_q <= '0;
      count_q <= '0;
    end else if (pop) begin
      sent_q <= sent_q + bytes_t'(part.bytes);
      count_q <= count_q + 1'b1;
    end
    inside_q <= take || (inside_q && !(pop && last));
    if (rst_i) inside_q <= 1'b0;
  end

  `WC_ASSERT(offered, valid == inside_q)
  `WC_ASSERT(one_message, ready == !inside_q)
  `WC_ASSERT(full_but_the_last, !valid || last || part.bytes == 27'(PartBytes))
  `WC_ASSERT(some, !valid || (part.bytes != '0 && part.bytes <= 27'(PartBytes)))
  `WC_ASSERT(together, !valid || bytes_t'(part.bytes) + sent_q <= bytes_t'(message_q.bytes))
  `WC_ASSERT(as_the_message, !valid || part == same)
  `WC_ASSERT(numbered, !valid || place.number == count_q)
  `WC_ASSERT(says_how_many, !valid || last == (place.number + 1'b1 == place.of))

  // ---- what makes the induction hold ------------------------------------------------------------
  `WC_ASSERT(is_an_answer, !inside_q || (message_q.bytes != '0
             && message_q.bytes <= 27'(CommandAnswerBytes)))
  `WC_ASSERT(rest, !inside_q
             || sent_q + bytes_t'(u_dut.left_q) == bytes_t'(message_q.bytes))
  `WC_ASSERT(whole_parts, !inside_q || sent_q == bytes_t'(count_q) << Shift)
  `WC_ASSERT(some_left, !inside_q || u_dut.left_q != '0)
  `WC_ASSERT(few, !inside_q || count_q < 16'd8192)
  `WC_ASSERT(of, !inside_q || 16'(u_dut.of_q)
             == 16'((message_q.bytes + 27'(PartBytes - 1)) >> Shift))

  `WC_COVER(three, pop && last && place.of == 16'd3)
  `WC_COVER(one_byte, pop && message_q.bytes == 27'd1)

endmodule

`default_nettype wire
