// SPDX-License-Identifier: Apache-2.0
// Proof of wc_text_number: a set waits for its numbers, so they must end. Tokens have any number
// of pieces, of any bytes.
// Rule 1: full_o, which holds up the next piece of a token, is low again within 10 cycles.
// Rule 2: busy_o, which holds up the verdict on a line, is low within 18 + Settle cycles after the
//         last piece of the token: two pieces of eight characters, and the way to value_o.
// Rule 3: busy_o is high from the cycle after a first piece on until then.
// Assumed: the pieces of a token as wc_request_ascii gives them: the next one when full_o was low
// in the cycle before, and not right after one that is neither the first nor the last. That each
// token has a last one is asserted in the cell (number_ends).
`include "wc_assert.svh"
`default_nettype none

module wc_text_number_fv #(
  parameter int unsigned Settle = 4
) (
  input wire logic          clk_i,
  input wire logic          rst_i,
  input wire logic          valid_i,
  input wire logic          start_i,
  input wire logic          end_i,
  input wire logic [63:0]   data_i,
  input wire logic [3:0]    bytes_i
);

  localparam logic [5:0] FullCycles = 6'd10;
  localparam logic [5:0] BusyCycles = 6'd18 + 6'(Settle);

  logic full, busy;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_text_number #(
    .Settle(Settle)
  ) u_dut (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .valid_i      (valid_i),
    .full_o       (full),
    .start_i      (start_i),
    .end_i        (end_i),
    .data_i       (data_i),
    .bytes_i      (bytes_i),
    .busy_o       (busy),
    .value_o      (),
    .signed_ok_o  (),
    .unsigned_ok_o()
  );

  logic inside_q;        // a token has begun, and not ended
  logic full_before_q, middle_q;
  logic begun_q;         // a first piece has come since reset
  logic due_q;           // the last piece has come; how long ago
  logic [5:0] due_cycles_q, full_cycles_q;

  `WC_ASSUME(bytes, bytes_i <= 4'd8)
  `WC_ASSUME(in_order, !valid_i || start_i != inside_q)
  `WC_ASSUME(when_room, !valid_i || start_i || (!full_before_q && !middle_q))

  always_ff @(posedge clk_i) begin
    full_before_q <= full;
    middle_q <= valid_i && !start_i && !end_i;
    full_cycles_q <= full ? full_cycles_q + 6'd1 : '0;
    if (due_cycles_q != '1) due_cycles_q <= due_cycles_q + 6'd1;
    if (valid_i) begin
      inside_q <= !end_i;
      begun_q <= 1'b1;
      due_q <= end_i;
      due_cycles_q <= '0;
    end
    if (rst_i) begin
      inside_q <= 1'b0;
      full_before_q <= 1'b0;
      middle_q <= 1'b0;
      full_cycles_q <= '0;
      begun_q <= 1'b0;
      due_q <= 1'b0;
    end
  end

  `WC_ASSERT(room_soon, full_cycles_q < FullCycles)
  `WC_ASSERT(done_soon, !busy || !due_q || due_cycles_q < BusyCycles)
  `WC_ASSERT(busy_till_done, !begun_q || busy || (due_q && due_cycles_q >= 6'(Settle)))

  `WC_COVER(two_pieces, due_q && !busy && $past(busy) && due_cycles_q > 6'd12)
  `WC_COVER(full_for_long, full_cycles_q == 6'd7)
  `WC_COVER(short_one, begun_q && due_q && !busy && $past(busy) && due_cycles_q < 6'd8)

endmodule

`default_nettype wire
