// SPDX-License-Identifier: Apache-2.0
// Fetches the places for the next operation that may need one: shows its units to the log until
// the operation has passed, and keeps them shown while the operation passes. The places are wanted in
// the fourth cycle of the pass, so it may begin when they come 3 cycles later.
// Latency 1 to the units; of two that follow each other at once, the second one's units show in the
// cycle after the first has taken its place or left it: so an operation every 4 cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_item_place (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  // the operation that is next: it stays until go_i
  input  wire logic               want_i,
  input  wire wc_log_pkg::units_t units_i,
  output logic                    ok_o,     // the places for it are there when it needs them
  input  wire logic               go_i,
  // the one that went: it needs them no more
  input  wire logic               end_i,
  input  wire logic               take_i,   // it took one of them
  output logic                    place_valid_o,
  output wc_log_pkg::units_t      place_units_o,
  output logic                    place_leave_o,  // none of them is taken
  input  wire logic               place_soon_i  // or there already; they stay until taken or left
);

  logic gone_q;

  assign place_leave_o = end_i && !take_i;
  assign ok_o = place_valid_o && place_soon_i && !gone_q;

  always_ff @(posedge clk_i) begin
    if (!place_valid_o || end_i) begin
      place_valid_o <= want_i;
      place_units_o <= units_i;
    end
    if (go_i) gone_q <= 1'b1;
    else if (end_i) gone_q <= 1'b0;
    if (rst_i) begin
      place_valid_o <= 1'b0;
      gone_q <= 1'b0;
    end
  end

  `WC_ASSERT(goes_with_places, !go_i || (want_i && ok_o && place_units_o == units_i))
  `WC_ASSERT(ends_once, !end_i || gone_q)
  `WC_ASSERT(stay_until_taken, !gone_q || place_soon_i)

endmodule

`default_nettype wire
