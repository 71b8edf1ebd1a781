// SPDX-License-Identifier: Apache-2.0
// A queue of value block pointers between host and index, in either direction.
// Latency 1 when empty, 4 through the RAM; throughput 1 a cycle; holds Depth + 4 at most. The level
// is exact, and late by a cycle: an entry counts until it has been taken. The queue's own level
// would leave out what is in the registers behind its RAM.
`include "wc_assert.svh"
`default_nettype none

module wc_address_queue #(
  parameter int unsigned Depth = 1024
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic               valid_i,
  output logic                    ready_o,
  input  wire wc_pkg::pointer_t   pointer_i,
  output logic                    valid_o,
  input  wire logic               ready_i,
  output wc_pkg::pointer_t        pointer_o,
  output logic [16:0]             level_o
);

  import wc_pkg::*;

  logic came_q, went_q;

  `WC_REQUIRE(depth, Depth <= 65536, "wc_address_queue: Depth must be 65536 or less")

  wc_fifo #(
    .data_t(pointer_t),
    .Depth (Depth)
  ) u_queue (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready_o),
    .data_i (pointer_i),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (pointer_o),
    .level_o()
  );

  always_ff @(posedge clk_i) begin
    came_q <= valid_i && ready_o;
    went_q <= valid_o && ready_i;
    if (came_q && !went_q) level_o <= level_o + 1'b1;
    else if (went_q && !came_q) level_o <= level_o - 1'b1;
    if (rst_i) begin
      came_q <= 1'b0;
      went_q <= 1'b0;
      level_o <= '0;
    end
  end

endmodule

`default_nettype wire
