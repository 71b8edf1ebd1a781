// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: of those that ask one is granted, and those behind the one that went last come
// first. So who keeps on asking is granted after Masters - 1 others at most.
// grant_o is worked out from asks_i in the same cycle; take_i says that it was used.
`include "wc_assert.svh"
`default_nettype none

module wc_arbiter #(
  parameter int unsigned Masters = 2
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic [Masters-1:0] asks_i,
  input  wire logic               take_i,
  output logic [Masters-1:0]      grant_o  // one bit, or none when nobody asks
);

  typedef logic [Masters-1:0] mask_t;

  `WC_REQUIRE(masters, Masters >= 1 && Masters <= 8, "wc_arbiter: Masters must be 1 to 8")

  // The lowest bit that is set, alone.
  function automatic mask_t lowest(mask_t bits);
    mask_t one;
    logic none;
    none = 1'b1;
    for (int unsigned i = 0; i < Masters; i++) begin
      one[i] = bits[i] && none;
      none = none && !bits[i];
    end
    return one;
  endfunction

  mask_t later_q;  // behind the one that went last

  assign grant_o = lowest((asks_i & later_q) != '0 ? asks_i & later_q : asks_i);

  always_ff @(posedge clk_i) begin
    if (take_i && asks_i != '0) later_q <= ~(grant_o | (grant_o - 1'b1));
    if (rst_i) later_q <= '0;
  end

  `WC_ASSERT(one_grant, $onehot0(grant_o) && (grant_o & ~asks_i) == '0)

endmodule

`default_nettype wire
