// SPDX-License-Identifier: Apache-2.0
// Remainder of a number divided by 3, exactly: its digits to base 4 are added modulo 3, as 4 is 1
// modulo 3. Latency 2 steps, one number a step; enable_i takes a step.
`include "wc_assert.svh"
`default_nettype none

module wc_mod3 #(
  parameter int unsigned Width = 34
) (
  input  wire logic             clk_i,
  input  wire logic             enable_i,
  input  wire logic [Width-1:0] value_i,
  output logic      [1:0]       remainder_o
);

  localparam int unsigned Group = 8;   // digits that one step adds: three levels of pairs
  localparam int unsigned Groups = 4;  // that the second adds

  `WC_REQUIRE(width, Width <= 2 * Group * Groups, "wc_mod3: Width must be 64 or less")

  function automatic logic [1:0] sum(logic [1:0] a, logic [1:0] b);
    unique case (3'(a) + 3'(b))
      3'd0, 3'd3, 3'd6: return 2'd0;
      3'd1, 3'd4: return 2'd1;
      default: return 2'd2;
    endcase
  endfunction

  logic [Groups-1:0][Group-1:0][1:0] digits;
  logic [Groups-1:0][1:0] part_q;

  assign digits = (2 * Group * Groups)'(value_i);

  always_ff @(posedge clk_i) begin
    if (enable_i) begin
      for (int unsigned i = 0; i < Groups; i++) begin
        part_q[i] <= sum(sum(sum(digits[i][0], digits[i][1]), sum(digits[i][2], digits[i][3])),
                         sum(sum(digits[i][4], digits[i][5]), sum(digits[i][6], digits[i][7])));
      end
      remainder_o <= sum(sum(part_q[0], part_q[1]), sum(part_q[2], part_q[3]));
    end
  end

endmodule

`default_nettype wire
