// SPDX-License-Identifier: Apache-2.0
// Queue of the addresses of operations in flight, every one compared with a newcomer's (TRETS'15,
// Figure 7). Only TagWidth bits are compared: a false match costs a stall, never correctness.
// match_o answers the tag_i of two cycles before, against the entries of that cycle: whoever pushes
// holds the next tag_i still for three cycles before it believes match_o. An entry that was popped
// meanwhile may still be reported, never one missed.
// Nothing is compared while nothing has changed: a tag_i that is another than in the cycle before
// comes with fresh_i. Where it does not, match_o means nothing, and it is not pushed.
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
  input  wire logic                fresh_i,  // another tag_i
  output logic                     match_o,  // registered
  input  wire logic                push_i,   // tag_i becomes the youngest entry
  output logic                     ready_o,
  input  wire logic                pop_i,    // the oldest entry is done
  output logic                     empty_o
);

  localparam int unsigned LevelWidth = $clog2(Entries) + 1;

  `WC_REQUIRE(entries, Entries >= 2, "wc_hazard: Entries must be 2 or more")

  logic [TagWidth-1:0] tag_q[Entries];
  logic [Entries-1:0] used_q;
  logic [Entries-1:0] hit_q;
  logic [Entries-1:0] youngest_q, oldest_q;  // one-hot, which keeps push_i and pop_i fast
  logic [LevelWidth-1:0] level_q;
  logic full_q;
  logic moved_q;  // the entries have changed

  assign ready_o = !full_q;
  assign empty_o = level_q == '0;

  always_ff @(posedge clk_i) begin
    if (fresh_i || moved_q) begin
      for (int unsigned i = 0; i < Entries; i++) begin
        hit_q[i] <= used_q[i] && (tag_q[i] == tag_i);
        // The place behind the youngest is filled in before anybody says push.
        if (youngest_q[i] && !used_q[i]) tag_q[i] <= tag_i;
      end
    end
    // A push and a pop at once are of different entries: else it would be full, or empty.
    used_q <= (used_q & ~(pop_i ? oldest_q : '0)) | (push_i ? youngest_q : '0);
    moved_q <= push_i || pop_i;
    match_o <= |hit_q;
    if (push_i) youngest_q <= {youngest_q[Entries-2:0], youngest_q[Entries-1]};
    if (pop_i) oldest_q <= {oldest_q[Entries-2:0], oldest_q[Entries-1]};
    if (push_i && !pop_i) begin
      level_q <= level_q + 1'b1;
      full_q <= level_q == LevelWidth'(Entries - 1);
    end else if (pop_i && !push_i) begin
      level_q <= level_q - 1'b1;
      full_q <= 1'b0;
    end
    if (rst_i) begin
      used_q <= '0;
      youngest_q <= Entries'(1);
      oldest_q <= Entries'(1);
      level_q <= '0;
      full_q <= 1'b0;
      hit_q <= '0;
      moved_q <= 1'b1;
      match_o <= 1'b0;
    end
  end

  `WC_ASSERT(push_has_room, !push_i || ready_o)
  `WC_ASSERT(pop_has_entry, !pop_i || !empty_o)

endmodule

`default_nettype wire
