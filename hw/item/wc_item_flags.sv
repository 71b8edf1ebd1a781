// SPDX-License-Identifier: Apache-2.0
// A flag for each bucket on the chip. When one is set and cleared in the same cycle, it is set.
// Latency 1.
`default_nettype none

module wc_item_flags #(
  parameter int unsigned Entries = 64
) (
  input  wire logic                clk_i,
  input  wire logic                rst_i,
  input  wire logic                set_i,
  input  wire wc_item_pkg::entry_t set_entry_i,
  input  wire logic                clear_i,
  input  wire wc_item_pkg::entry_t clear_entry_i,
  output logic [Entries-1:0]       flags_o
);

  import wc_item_pkg::*;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Entries; i++) begin
      if (set_i && set_entry_i == entry_t'(i)) flags_o[i] <= 1'b1;
      else if (clear_i && clear_entry_i == entry_t'(i)) flags_o[i] <= 1'b0;
    end
    if (rst_i) flags_o <= '0;
  end

endmodule

`default_nettype wire
