// SPDX-License-Identifier: Apache-2.0
// Queue of the addresses of operations in flight, every one compared with a newcomer's (TRETS'15,
// Figure 7). Only TagWidth bits are compared: a false match costs a stall, never correctness.
// match_o answers the tag_i of two cycles before, against the entries of that cycle: whoever pushes
// holds the next tag_i still for three cycles before it believes match_o. An entry that was popped
// meanwhile may still be reported, never one missed.
// Pops are in order. Holds Entries; push only when ready_o.
`include "wc_assert.svh"
`default_nettype none

module wc_hazard #(
  parameter int unsigned Entries  = 32,
  parameter int unsigned TagWidth = 16
) (
  input  wire logic                clk_i,
  input  wire logic                rst_i,
  input  wire logic [TagWidth-1:0] tag_i,
  output logic                     match_o,  // registered
  input  wire logic                push_i,   // tag_i becomes the youngest entry
  output logic                     ready_o,
  input  wire logic                pop_i,    // the oldest entry is done
  output logic                     empty_o
);

  localparam int unsigned IndexWidth = $clog2(Entries);

  `WC_REQUIRE(entries, Entries >= 2 && Entries == 2 ** IndexWidth,
              "wc_hazard: Entries must be a power of two of 2 or more")

  logic [TagWidth-1:0] tag_q[Entries];
  logic [Entries-1:0] used_q;
  logic [Entries-1:0] hit_q;
  logic [IndexWidth-1:0] push_q, pop_q;

  assign ready_o = !used_q[push_q];
  assign empty_o = used_q == '0;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) hit_q[i] <= used_q[i] && (tag_q[i] == tag_i);
    match_o <= |hit_q;
    if (push_i) begin
      tag_q[push_q] <= tag_i;
      used_q[push_q] <= 1'b1;
      push_q <= push_q + 1'b1;
    end
    if (pop_i) begin
      used_q[pop_q] <= 1'b0;
      pop_q <= pop_q + 1'b1;
    end
    if (rst_i) begin
      used_q <= '0;
      push_q <= '0;
      pop_q <= '0;
      hit_q <= '0;
      match_o <= 1'b0;
    end
  end

  `WC_ASSERT(push_has_room, !push_i || ready_o)
  `WC_ASSERT(pop_has_entry, !pop_i || used_q[pop_q])

endmodule

`default_nettype wire
