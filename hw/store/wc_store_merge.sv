// SPDX-License-Identifier: Apache-2.0
// Puts the values from memory and those from the ring into the order of their operations.
// A value that is not there yet holds back those behind it.
// Latency 1; one word per cycle, with no gap between values.
`include "wc_assert.svh"
`default_nettype none

module wc_store_merge
  import wc_pkg::*;
#(
  parameter int unsigned Depth = 64  // values that have not passed to their last word
) (
  input  wire logic  clk_i,
  input  wire logic  rst_i,
  // the next value is pushed, and comes from the ring or from memory
  input  wire logic  push_i,
  output logic       ready_o,
  input  wire logic  ring_i,
  input  wire logic  memory_valid_i,
  output logic       memory_ready_o,
  input  wire beat_t memory_i,
  input  wire logic  memory_error_i,  // memory_i was read in error
  input  wire logic  ring_valid_i,
  output logic       ring_ready_o,
  input  wire beat_t ring_value_i,
  output logic       value_valid_o,
  input  wire logic  value_ready_i,
  output beat_t      value_o,
  output logic       value_error_o
);

  logic order_valid, order_ready, order;
  logic ring_q, memory_q;  // where the value in work comes from
  logic valid, ready;
  beat_t beat;

  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Depth)
  ) u_order (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_i),
    .ready_o(ready_o),
    .data_i (ring_i),
    .valid_o(order_valid),
    .ready_i(order_ready),
    .data_o (order)
  );

  assign order_ready = !(ring_q || memory_q) || (valid && ready && beat.last);

  always_ff @(posedge clk_i) begin
    if (order_ready) begin
      ring_q <= order_valid && order;
      memory_q <= order_valid && !order;
    end
    if (rst_i) begin
      ring_q <= 1'b0;
      memory_q <= 1'b0;
    end
  end

  assign valid = (ring_q && ring_valid_i) || (memory_q && memory_valid_i);
  assign beat = ring_q ? ring_value_i : memory_i;
  assign memory_ready_o = ready && memory_q;
  assign ring_ready_o = ready && ring_q;

  wc_slice #(
    .data_t(logic [$bits(beat_t):0])
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid),
    .ready_o(ready),
    .data_i ({!ring_q && memory_error_i, beat}),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o ({value_error_o, value_o})
  );

  `WC_ASSERT(order_is_taken, !push_i || ready_o)

endmodule

`default_nettype wire
