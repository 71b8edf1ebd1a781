// SPDX-License-Identifier: Apache-2.0
// Proof of wc_messages.
// Rule 1: what is taken of either side leaves in that cycle, unchanged, and nothing else does.
// Rule 2: what is offered holds and is stable until taken.
// Rule 3: a message that waits lets one part ahead at most.
// Rule 4: a part that has waited for MostCycles lets one message ahead at most: what was offered.
// Rule 5: something is offered whenever a message is there, or a part and the wire is quiet.
// So nothing waits for ever, as long as messages are taken.
// Assumed: either side holds what it offers.
`include "wc_assert.svh"
`default_nettype none

module wc_messages_fv
  import wc_pkg::*;
#(
  parameter int unsigned MostCycles = 4
) (
  input wire logic                  clk_i,
  input wire logic                  rst_i,
  input wire logic                  quiet_i,
  input wire logic                  message_valid_i,
  input wire message_t              message_i,
  input wire logic                  part_valid_i,
  input wire message_t              part_i,
  input wire wc_net_pkg::numbered_t place_i,
  input wire logic                  ready_i
);

  logic message_ready, part_ready, valid;
  message_t message;
  wc_net_pkg::numbered_t place;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_messages #(
    .MostCycles(MostCycles)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .quiet_i        (quiet_i),
    .message_valid_i(message_valid_i),
    .message_ready_o(message_ready),
    .message_i      (message_i),
    .part_valid_i   (part_valid_i),
    .part_ready_o   (part_ready),
    .part_i         (part_i),
    .part_place_i   (place_i),
    .message_valid_o(valid),
    .message_ready_i(ready_i),
    .message_o      (message),
    .place_o        (place)
  );

  `WC_ASSUME(message_holds, $past(rst_i) || !$past(message_valid_i && !message_ready) ||
             (message_valid_i && $past(message_i) == message_i))
  `WC_ASSUME(part_holds, $past(rst_i) || !$past(part_valid_i && !part_ready) ||
             (part_valid_i && $past({part_i, place_i}) == {part_i, place_i}))

  logic take_message, take_part;

  assign take_message = message_valid_i && message_ready;
  assign take_part = part_valid_i && part_ready;

  `WC_ASSERT(one_for_one, (valid && ready_i) == (take_message || take_part))
  `WC_ASSERT(one_at_a_time, !(take_message && take_part))
  `WC_ASSERT(message_unchanged, !take_message || message == message_i)
  `WC_ASSERT(part_unchanged, !take_part || {message, place} == {part_i, place_i})
  `WC_ASSERT(offered, valid || !(message_valid_i || (part_valid_i && quiet_i)))

  // ---- how long each waits ----------------------------------------------------------------------
  logic [1:0] parts_q;  // that went ahead of the message
  logic [2:0] waited_q;   // cycles of the part, up to MostCycles
  logic [1:0] late_q;     // messages that went ahead of it since

  always_ff @(posedge clk_i) begin
    if (!message_valid_i || take_message) parts_q <= '0;
    else if (take_part) parts_q <= parts_q + 1'b1;
    if (!part_valid_i || take_part) begin
      waited_q <= '0;
      late_q <= '0;
    end else begin
      waited_q <= waited_q + 3'(waited_q != 3'(MostCycles));
      late_q <= late_q + 2'(take_message && waited_q == 3'(MostCycles));
    end
    if (rst_i) begin
      parts_q <= '0;
      waited_q <= '0;
      late_q <= '0;
    end
  end

  `WC_ASSERT(one_part_ahead, parts_q <= 2'd1)
  `WC_ASSERT(one_message_late, late_q <= 2'd1)

  // ---- what makes the induction hold ------------------------------------------------------------
  `WC_ASSERT(held_is_there, !u_dut.held_q || (u_dut.part_q ? part_valid_i : message_valid_i))
  `WC_ASSERT(due_at, u_dut.due_q == (waited_q == 3'(MostCycles)))
  `WC_ASSERT(counted, u_dut.due_q || 3'(u_dut.waited_q) == waited_q)
  `WC_ASSERT(no_second_message, late_q == '0
             || (u_dut.due_q && !(u_dut.held_q && !u_dut.part_q)))
  `WC_ASSERT(no_second_part, parts_q == '0
             || (u_dut.held_q ? !u_dut.part_q : !u_dut.due_q))

  `WC_COVER(part_in_a_gap, take_part && waited_q == 3'd2 && late_q == '0)
  `WC_COVER(part_that_waited, take_part && message_valid_i && late_q == 2'd1)
  `WC_COVER(message_behind_a_part, take_message && parts_q != '0)

endmodule

`default_nettype wire
