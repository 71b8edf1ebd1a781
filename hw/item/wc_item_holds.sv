// SPDX-License-Identifier: Apache-2.0
// Whether a bucket is still held when an operation on it is settled: others may hold it too, which have
// followed (wc_item_chain). Operations that hold a bucket are settled in the order in which they have
// passed, so both are counted, and of each bucket the number of the last one is kept.
// last_o is there 1 cycle after ask_i, until the next ask_i, and counts those of which hold_i told 2
// cycles before ask_i.
`include "wc_assert.svh"
`default_nettype none

module wc_item_holds
  import wc_item_pkg::*;
#(
  parameter int unsigned Entries = 64,
  parameter int unsigned Most    = 255  // operations that have passed and are not settled
) (
  input  wire logic   clk_i,
  input  wire logic   rst_i,
  input  wire logic   hold_i,    // an operation holds this bucket
  input  wire entry_t hold_entry_i,
  input  wire logic   ask_i,     // is the one that is settled next the last of this bucket?
  input  wire entry_t ask_entry_i,
  output logic        last_o,
  input  wire logic   settled_i  // it is settled
);

  localparam int unsigned EntryWidth = $clog2(Entries);
  typedef logic [$clog2(Most+1)-1:0] number_t;

  logic hold_q;
  entry_t hold_entry_q;
  number_t held_q, settled_q;  // numbers of the next one that holds, that is settled
  number_t last;

  wc_ram_sdp #(
    .Width($bits(number_t)),
    .Depth(Entries)
  ) u_last (
    .clk_i  (clk_i),
    .we_i   (hold_q),
    .waddr_i(hold_entry_q[EntryWidth-1:0]),
    .wdata_i(held_q),
    .re_i   (ask_i),
    .raddr_i(ask_entry_i[EntryWidth-1:0]),
    .rdata_o(last)
  );

  assign last_o = last == settled_q;

  always_ff @(posedge clk_i) begin
    hold_q <= hold_i;
    hold_entry_q <= hold_entry_i;
    if (hold_q) held_q <= held_q + 1'b1;
    if (settled_i) settled_q <= settled_q + 1'b1;
    if (rst_i) begin
      hold_q <= 1'b0;
      held_q <= '0;
      settled_q <= '0;
    end
  end

  number_t holding;
  assign holding = held_q - settled_q;

  `WC_ASSERT(bounded, !hold_q || 32'(holding) < Most)
  `WC_ASSERT(settled_once, !settled_i || holding != '0)
  `WC_ASSERT(not_held_and_asked, !(ask_i && hold_q && hold_entry_q == ask_entry_i))

endmodule

`default_nettype wire
