// SPDX-License-Identifier: Apache-2.0
// Operations that write an item's time of last use leave its segment when ring and memory have the
// time, or when there is none to write: so the sweeper gives no segment away into which somebody
// still writes. They leave in their order, and Depth wait at most.
// Latency 1 from what is last to come, the decision or the write. A leave a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_item_bumps #(
  parameter int unsigned Depth = 32
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  output logic                       room_soon_o,  // wc_item_reserved
  input  wire logic                  reserve_i,
  // it is decided: whether there is a time to write
  input  wire logic                  valid_i,
  input  wire logic                  stores_i,
  input  wire wc_log_pkg::segment_t  segment_i,
  input  wire logic                  bumped_i,  // the oldest time that is still to be written is
  output logic                       leave_valid_o,
  input  wire logic                  leave_ready_i,
  output wc_log_pkg::segment_t       leave_o
);

  typedef struct packed {
    logic                 stores;
    wc_log_pkg::segment_t segment;
  } bump_t;
  typedef logic [$clog2(Depth):0] count_t;

  logic there, leaves, takes;
  bump_t oldest;
  count_t written_q;  // of those that are still here
  logic written_any_q;

  wc_item_reserved #(
    .data_t(bump_t),
    .Depth (Depth)
  ) u_bumps (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (),
    .room_soon_o(room_soon_o),
    .reserve_i  (reserve_i),
    .valid_i    (valid_i),
    .data_i     ('{stores: stores_i, segment: segment_i}),
    .valid_o    (there),
    .ready_i    (leaves),
    .data_o     (oldest)
  );

  assign leave_valid_o = there && (!oldest.stores || written_any_q);
  assign leave_o = oldest.segment;
  assign leaves = leave_valid_o && leave_ready_i;
  assign takes = leaves && oldest.stores;

  always_ff @(posedge clk_i) begin
    if (bumped_i != takes) begin
      written_q <= bumped_i ? written_q + 1'b1 : written_q - 1'b1;
      written_any_q <= bumped_i || written_q != count_t'(1);
    end
    if (rst_i) begin
      written_q <= '0;
      written_any_q <= 1'b0;
    end
  end

  `WC_ASSERT(bounded, written_q <= count_t'(Depth))
  `WC_ASSERT(counted, written_any_q == (written_q != '0))

endmodule

`default_nettype wire
