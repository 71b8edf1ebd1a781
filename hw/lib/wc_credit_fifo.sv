// SPDX-License-Identifier: Apache-2.0
// Queue for a sender that learns late whether there is room, as registers stand between its decision
// and the queue. There is no ready: while room_o is high a word may come, and Slack words more after
// it has fallen, and each of them finds its place.
// room_o is a register and tells of the words that came two cycles ago. Latency and throughput are
// those of wc_fifo: 1 when empty, 4 through the RAM; one word a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_credit_fifo #(
  parameter type         data_t = logic,
  parameter int unsigned Depth  = 16,
  parameter int unsigned Slack  = 0  // words that may still come after room_o has fallen
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  output logic       room_o,
  input  wire logic  valid_i,
  input  wire data_t data_i,
  output logic       valid_o,
  input  wire logic  ready_i,
  output data_t      data_o
);

  // Words that the level does not count yet while room_o is still high: that of the cycle in which
  // the level is looked at, and that of the next one, which has the result.
  localparam int unsigned Uncounted = 2;

  `WC_REQUIRE(slack, Depth >= Slack + Uncounted,
              "wc_credit_fifo: Depth must be Slack + 2 or more")

  logic ready;
  logic [$clog2(Depth):0] level;

  wc_fifo #(
    .data_t(data_t),
    .Depth (Depth)
  ) u_fifo (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i (data_i),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (data_o),
    .level_o(level)
  );

  always_ff @(posedge clk_i) begin
    room_o <= level <= ($bits(level))'(Depth - Slack - Uncounted);
    if (rst_i) room_o <= 1'b0;
  end

  // What the sender promises, and what it gets for it.
  logic [$clog2(Slack+2)-1:0] late_q;  // words that came after room_o fell

  always_ff @(posedge clk_i) begin
    late_q <= room_o ? '0 : late_q + ($bits(late_q))'(valid_i);
    if (rst_i) late_q <= '0;
  end

  `WC_ASSERT(sender_keeps_to_slack, !valid_i || room_o || 32'(late_q) < Slack)
  `WC_ASSERT(each_finds_its_place, !valid_i || ready)

endmodule

`default_nettype wire
