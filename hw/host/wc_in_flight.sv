// SPDX-License-Identifier: Apache-2.0
// What is in flight in each stage, for whoever wants to know that nothing is, or what stands still:
// a level a stage, up by what enters the stage and down by what leaves it.
// When nothing moves for Patience cycles though something is in flight, stuck_o pulses, and again
// after each Patience cycles more. Levels are a cycle late.
`include "wc_assert.svh"
`default_nettype none

module wc_in_flight #(
  parameter int unsigned Stages   = 7,
  parameter int unsigned Width    = 16,     // bits of a level
  parameter int unsigned Patience = 65536   // cycles, a power of two
) (
  input  wire logic clk_i,
  input  wire logic rst_i,
  input  wire logic [Stages-1:0] enter_i,
  input  wire logic [Stages-1:0] leave_i,
  input  wire logic moves_i,  // something else goes on that the stages may have to wait for
  output logic [Stages-1:0][Width-1:0] level_o,
  output logic any_o,
  output logic stuck_o
);

  `WC_REQUIRE(patience, Patience >= 2 && Patience == 2 ** $clog2(Patience),
              "wc_in_flight: Patience must be a power of two")

  logic [Stages-1:0] enter_q, leave_q;
  logic [Stages-1:0] some_q;  // level_o is not 0
  logic moved_q;
  logic rests_q;  // nothing has moved, and something is in flight: of the cycle before
  logic [$clog2(Patience)-1:0] still_q;  // cycles in which nothing moved

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    always_ff @(posedge clk_i) begin
      if (enter_q[s] != leave_q[s]) begin  // up by 1, or by all ones, which is down by 1
        level_o[s] <= level_o[s] + {{Width - 1{leave_q[s]}}, 1'b1};
        some_q[s] <= enter_q[s] || level_o[s] != Width'(1);
      end
      if (rst_i) begin
        level_o[s] <= '0;
        some_q[s] <= 1'b0;
      end
    end

    `WC_ASSERT(never_below_zero, !(leave_q[s] && !enter_q[s]) || some_q[s])
    `WC_ASSERT(never_too_many, !(enter_q[s] && !leave_q[s]) || level_o[s] != '1)
    `WC_ASSERT(some_is_level, some_q[s] == (level_o[s] != '0))
  end

  assign any_o = some_q != '0;

  always_ff @(posedge clk_i) begin
    enter_q <= enter_i;
    leave_q <= leave_i;
    moved_q <= moves_i || enter_q != '0 || leave_q != '0;
    rests_q <= !moved_q && any_o;
    stuck_o <= rests_q && still_q == '1;
    still_q <= rests_q ? still_q + 1'b1 : '0;
    if (rst_i) begin
      enter_q <= '0;
      leave_q <= '0;
      moved_q <= 1'b0;
      rests_q <= 1'b0;
      stuck_o <= 1'b0;
      still_q <= '0;
    end
  end

endmodule

`default_nettype wire
