// SPDX-License-Identifier: Apache-2.0
// Small queue whose places are reserved when the work begins that may fill them: what has a place
// is never held back. The reserved places are filled in order, each once.
// room_o is a register and tells of the places that were reserved two cycles ago: it is good for work
// that begins every other cycle, and reserves up to Each places, one a cycle, from that cycle on;
// room_soon_o is what it will be in the next cycle. Latency and
// throughput are those of wc_fifo_shallow, 1 and one a cycle. With Late what comes has a register
// before the queue, for where it is known late: a latency of 2.
`include "wc_assert.svh"
`default_nettype none

module wc_item_reserved #(
  parameter type         data_t = logic,
  parameter int unsigned Depth  = 8,
  parameter int unsigned Each   = 1,
  parameter bit          Late   = 1'b0
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  output logic       room_o,
  output logic       room_soon_o,
  input  wire logic  reserve_i,
  input  wire logic  valid_i,
  input  wire data_t data_i,
  output logic       valid_o,
  input  wire logic  ready_i,
  output data_t      data_o
);

  logic [$clog2(Depth):0] count_q;  // places that are reserved, or filled
  logic free, ready;

  assign free = valid_o && ready_i;
  assign room_soon_o = count_q < ($bits(count_q))'(Depth - Each);

  always_ff @(posedge clk_i) begin
    if (reserve_i != free) count_q <= reserve_i ? count_q + 1'b1 : count_q - 1'b1;
    room_o <= room_soon_o;
    if (rst_i) begin
      count_q <= '0;
      room_o <= 1'b0;
    end
  end

  logic comes_valid;
  data_t comes;

  if (Late) begin : gen_late
    always_ff @(posedge clk_i) begin
      comes_valid <= valid_i && !rst_i;
      comes <= data_i;
    end
  end else begin : gen_straight
    assign comes_valid = valid_i;
    assign comes = data_i;
  end

  wc_fifo_shallow #(
    .data_t(data_t),
    .Depth (Depth)
  ) u_fifo (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(comes_valid),
    .ready_o(ready),
    .data_i (comes),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (data_o)
  );

  logic [$clog2(Depth):0] due_q;  // places that are reserved and not filled

  always_ff @(posedge clk_i) begin
    due_q <= due_q + ($bits(due_q))'(reserve_i) - ($bits(due_q))'(valid_i);
    if (rst_i) due_q <= '0;
  end

  `WC_ASSERT(each_finds_its_place, !comes_valid || ready)
  `WC_ASSERT(each_has_a_place, !valid_i || due_q != '0)
  `WC_ASSERT(bounded, count_q <= ($bits(count_q))'(Depth))
  `WC_REQUIRE(each, Each inside {1, 2}, "wc_item_reserved: Each must be 1 or 2")
  `WC_ASSERT(room_is_kept, !reserve_i || room_o || (Each == 2 && $past(room_o)))

endmodule

`default_nettype wire
