// SPDX-License-Identifier: Apache-2.0
// Connections whose peer is owed an ACK that nothing has carried for a while: each has a turn then.
// A time stands for each connection since when it is owed one; all are gone over, one every cycle
// or two, as long as any is. So who is acknowledged along with an answer in time has no turn, and
// begins anew.
// A turn comes Wait to Wait + 1 steps of 256 cycles behind, and up to 2 * Connections cycles that it
// takes to come by, if no other turn is waited for. It stays until it is taken, though meanwhile
// there may be nothing to acknowledge any more.
// Results come four cycles apart or more. After reset nobody is owed anything, which takes
// Connections cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_acks #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned Wait = 52,
  parameter int unsigned StepBits = 8  // of a step's cycles
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  output logic             ready_o,      // after reset; then it stays
  input  wire logic        set_valid_i,  // an event has ended:
  input  wire logic [15:0] set_id_i,
  input  wire logic        set_due_i,    // its peer is owed an ACK
  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [15:0]      id_o,
  output logic             some_o        // are owed one, or have a turn
);

  localparam int unsigned IdBits = $clog2(Connections);
  localparam int unsigned AgeBits = 16;

  `WC_REQUIRE(wait, Wait < 2 ** (AgeBits - 1), "wc_tcp_acks: Wait must be below 32,768")
  `WC_REQUIRE(connections, Connections >= 4 && Connections <= 65536
              && Connections == 2 ** IdBits,
              "wc_tcp_acks: Connections must be a power of two from 4 to 65,536")

  typedef logic [IdBits-1:0] id_t;
  typedef logic [AgeBits-1:0] age_t;
  typedef struct packed {
    logic due;
    age_t since;
  } owed_t;

  age_t now_q;
  logic [StepBits-1:0] cycle_q;

  always_ff @(posedge clk_i) begin
    cycle_q <= cycle_q + 1'b1;
    if (cycle_q == '1) now_q <= now_q + 1'b1;
    if (rst_i) begin
      cycle_q <= '0;
      now_q <= '0;
    end
  end

  // ---- since when -------------------------------------------------------------------------------
  // Read for a result and written behind it, else read for who is gone over.
  logic clearing_q, set_q, set_due_q, we, look, hit;
  id_t at_q, set_id_q;
  owed_t owed, said;
  logic looked_q;
  id_t looked_id_q;
  logic [IdBits:0] count_q;  // that are owed one

  assign ready_o = !clearing_q;
  assign said = '{due: !clearing_q && set_due_q, since: now_q};
  assign we = set_q && owed.due != set_due_q;
  assign look = count_q != '0 && !set_valid_i && !set_q && !valid_o;

  wc_ram_sdp #(
    .Width($bits(owed_t)),
    .Depth(Connections)
  ) u_owed (
    .clk_i  (clk_i),
    .we_i   (clearing_q || we),
    .waddr_i(clearing_q ? at_q : set_id_q),
    .wdata_i(said),
    .re_i   (set_valid_i || look),
    .raddr_i(set_valid_i ? id_t'(set_id_i) : at_q),
    .rdata_o(owed)
  );

  always_ff @(posedge clk_i) begin
    set_q <= set_valid_i;
    set_id_q <= id_t'(set_id_i);
    set_due_q <= set_due_i;
    if (we) count_q <= count_q + (set_due_q ? (IdBits + 1)'(1) : '1);
    if (hit) at_q <= looked_id_q + 1'b1;
    else if (clearing_q || look) at_q <= at_q + 1'b1;
    if (at_q == '1) clearing_q <= 1'b0;
    if (rst_i) begin
      set_q <= 1'b0;
      count_q <= '0;
      at_q <= '0;
      clearing_q <= 1'b1;
    end
  end

  // ---- whose turn it is -------------------------------------------------------------------------
  assign hit = looked_q && !valid_o && owed.due && age_t'(now_q - owed.since) > age_t'(Wait);

  always_ff @(posedge clk_i) begin
    looked_q <= look;
    looked_id_q <= at_q;
    if (hit) begin
      valid_o <= 1'b1;
      id_o <= 16'(looked_id_q);
    end
    if (valid_o && ready_i) valid_o <= 1'b0;
    some_o <= set_valid_i || set_q || count_q != '0 || valid_o;
    if (rst_i) begin
      looked_q <= 1'b0;
      valid_o <= 1'b0;
      some_o <= 1'b0;
    end
  end

  `WC_ASSERT(sets_apart, !set_valid_i || !set_q)
  `WC_ASSERT(after_reset, !set_valid_i || ready_o)
  `WC_ASSERT(counted, 32'(count_q) <= Connections)
  `WC_ASSERT_STREAM(turn, valid_o, ready_i, id_o)

endmodule

`default_nettype wire
