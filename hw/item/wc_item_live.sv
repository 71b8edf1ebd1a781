// SPDX-License-Identifier: Apache-2.0
// How many items there are, and how much of the log they take: kept from what becomes of slots.
// A change counts 3 cycles later; one every other cycle at most.
`default_nettype none

module wc_item_live
  import wc_item_pkg::*;
(
  input  wire logic    clk_i,
  input  wire logic    rst_i,
  input  wire logic    clear_i,  // the table is empty
  input  wire change_t change_i,
  output live_t        live_o
);

  logic gains_q, loses_q;
  wc_log_pkg::units_t gained_q, lost_q;
  logic [1:0] items_q;   // -1, 0, 1
  logic [20:0] span_q;   // with its sign

  always_ff @(posedge clk_i) begin
    gains_q <= change_i.gains;
    loses_q <= change_i.loses;
    gained_q <= change_i.gains ? long_units(change_i.gained) : '0;
    lost_q <= change_i.loses ? long_units(change_i.lost) : '0;
    items_q <= 2'(gains_q) - 2'(loses_q);
    span_q <= 21'(gained_q) - 21'(lost_q);
    live_o.items <= live_o.items + 29'(signed'(items_q));
    live_o.span <= live_o.span + 32'(signed'(span_q));
    if (rst_i || clear_i) begin
      gains_q <= 1'b0;
      loses_q <= 1'b0;
      gained_q <= '0;
      lost_q <= '0;
      items_q <= '0;
      span_q <= '0;
      live_o <= '0;
    end
  end

endmodule

`default_nettype wire
