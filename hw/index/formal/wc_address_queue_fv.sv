// SPDX-License-Identifier: Apache-2.0
// Proof of wc_address_queue: what the host pushes is what the index gets, and the other way round.
// Rule 1: valid_o holds and pointer_o is stable until taken.
// Rule 2: every pointer that was taken in comes out once, unchanged, in order; nothing else does.
// Rule 3: the level is the number of pointers that were inside a cycle ago, in every cycle.
// Rule 4: a push is refused only with Depth pointers inside or more, never with fewer, and always
//         with Depth + 4.
// Rule 5: a pointer inside is offered within four cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_address_queue_fv #(
  parameter int unsigned Depth = 2
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       pick_i,
  input wire logic       valid_i,
  input wire logic [1:0] pointer_i,  // its first bit and its last: none of them is looked at
  input wire logic       ready_i
);

  import wc_pkg::*;

  localparam int unsigned Most = Depth + 4;
  localparam int unsigned CountWidth = $clog2(Most + 1) + 1;
  typedef logic [CountWidth-1:0] count_t;

  logic ready, valid, watching;
  pointer_t pointer;
  logic [1:0] watched;
  logic [16:0] counted;
  count_t level, ahead;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_address_queue #(
    .Depth(Depth)
  ) u_dut (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .valid_i  (valid_i),
    .ready_o  (ready),
    .pointer_i({pointer_i[1], 30'b0, pointer_i[0]}),
    .valid_o  (valid),
    .ready_i  (ready_i),
    .pointer_o(pointer),
    .level_o  (counted)
  );

  wc_order_fv #(
    .Width(2),
    .Most (Most)
  ) u_order (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i),
    .push_i     (valid_i && ready),
    .push_data_i(pointer_i),
    .pop_i      (valid && ready_i),
    .pop_data_i ({pointer[31], pointer[0]}),
    .level_o    (level),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (watched)
  );

  logic [2:0] waited_q;
  count_t level_q;
  always_ff @(posedge clk_i) begin
    level_q <= level;
    waited_q <= level != '0 && !valid ? waited_q + 1'b1 : '0;
    if (rst_i) begin
      waited_q <= '0;
      level_q <= '0;
    end
  end

  `WC_ASSERT(level_is, counted == 17'(level_q))
  `WC_ASSERT(refused_when_full, ready || level >= count_t'(Depth))
  `WC_ASSERT(never_too_many, !ready || level < count_t'(Most))
  `WC_ASSERT(offered, waited_q < 3'd4)

  `WC_COVER(full, !ready && level == count_t'(Most))
  `WC_COVER(refused, valid_i && !ready && watching)

endmodule

`default_nettype wire
