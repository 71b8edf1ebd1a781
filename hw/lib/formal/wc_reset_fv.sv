// SPDX-License-Identifier: Apache-2.0
// For proofs: every run begins with a cycle of reset. What comes later is free, another reset too,
// unless Once: a reset in the midst of a bounded search would only make it shorter.
`default_nettype none

module wc_reset_fv #(
  parameter bit Once = 1'b0
) (
  input wire logic clk_i,
  input wire logic rst_i
);

  logic begun_q;

  initial begun_q = 1'b0;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    if (!begun_q) assume (rst_i);
    if (begun_q && Once) assume (!rst_i);
  end

endmodule

`default_nettype wire
