// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_acks, of any connection.
// Rule 1: who is owed an ACK for long has its turn, be there others or not.
// Rule 2: nobody has a turn who was not owed one for Wait steps just before.
// Rule 3: it says that somebody is owed one.
// Assumed: results come four cycles apart, none before the module is ready; a turn is taken within
// two cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_acks_fv (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        set_valid_i,
  input wire logic [15:0] set_id_i,
  input wire logic        set_due_i,
  input wire logic        ready_i,
  input wire logic [15:0] id_i  // any connection
);

  localparam int unsigned Connections = 4;
  localparam int unsigned Wait = 1;
  localparam int unsigned StepBits = 2;
  localparam int unsigned Step = 2 ** StepBits;
  // The time, to come by, and the turns of the others meanwhile.
  localparam int unsigned Most = (Wait + 1) * Step + 2 * Connections
                                  + 4 * (Connections - 1) + 4;

  logic ready, valid, some;
  logic [15:0] id;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_tcp_acks #(
    .Connections(Connections),
    .Wait       (Wait),
    .StepBits   (StepBits)
  ) u_dut (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (ready),
    .set_valid_i(set_valid_i),
    .set_id_i   (set_id_i),
    .set_due_i  (set_due_i),
    .valid_o    (valid),
    .ready_i    (ready_i),
    .id_o       (id),
    .some_o     (some)
  );

  logic [2:0] sets_q;  // in the cycles before
  logic [15:0] id_q;
  logic due_q, took, sets, turn_q;
  logic [5:0] owed_q;    // cycles since a result said so first, or since the last turn
  logic [5:0] length_q;  // likewise, of all turns
  logic [5:0] was_q;     // as many before it was no more, three cycles ago at most
  logic [1:0] since_q;
  logic held_q;          // a turn was not taken

  assign took = valid && ready_i;
  assign sets = set_valid_i && set_id_i == id_i;

  always_ff @(posedge clk_i) begin
    sets_q <= {sets_q[1:0], set_valid_i};
    id_q <= id_i;
    if (sets) due_q <= set_due_i;
    turn_q <= valid;
    owed_q <= !due_q || (took && id == id_i) ? '0 : owed_q == '1 ? owed_q : owed_q + 1'b1;
    length_q <= !due_q ? '0 : length_q == '1 ? length_q : length_q + 1'b1;
    since_q <= due_q ? '0 : since_q == '1 ? since_q : since_q + 1'b1;
    if (due_q) was_q <= length_q;
    else if (since_q == '1) was_q <= '0;
    held_q <= valid && !ready_i;
    if (rst_i) begin
      sets_q <= '0;
      due_q <= 1'b0;
      owed_q <= '0;
      length_q <= '0;
      was_q <= '0;
      since_q <= '1;
      held_q <= 1'b0;
      turn_q <= 1'b0;
    end
  end

  `WC_ASSUME(sets_apart, !set_valid_i || sets_q == '0)
  `WC_ASSUME(known, set_id_i < 16'(Connections) && id_i < 16'(Connections))
  `WC_ASSUME(after_reset, !set_valid_i || ready)
  `WC_ASSUME(any, $past(rst_i) || id_i == id_q)
  `WC_ASSUME(is_taken, !held_q || ready_i)

  `WC_ASSERT(has_its_turn, 32'(owed_q) <= Most)
  `WC_ASSERT(only_then, !valid || turn_q || id != id_i || 32'(was_q) + 1 >= Wait * Step)
  `WC_ASSERT(says_so, !due_q || some || $past(!due_q) || $past($past(!due_q)))

  `WC_COVER(turn, took && id == id_i && owed_q > 6'd8)
  `WC_COVER(another, took && id != id_i && due_q)

endmodule

`default_nettype wire
