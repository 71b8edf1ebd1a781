// SPDX-License-Identifier: Apache-2.0
// Hands the pointers that one operation gives back, up to one a slot, to the deleted stream one
// after the other, the lowest slot first. room_o low: let no more operations begin; those already
// on their way to the decision, at most four of them, still find a place.
// Latency 3, a pointer a cycle. A stalled output takes room_o away.
`include "wc_assert.svh"
`default_nettype none

module wc_index_give #(
  parameter int unsigned Slots = 8
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  output logic                               room_o,
  input  wire logic                          valid_i,
  input  wire logic [Slots-1:0]              slots_i,  // whose pointers
  input  wire logic [Slots-1:0]              dead_i,   // those that had expired or were flushed
  input  wire wc_pkg::pointer_t [Slots-1:0]  pointers_i,
  output logic                               deleted_valid_o,
  input  wire logic                          deleted_ready_i,
  output wc_pkg::pointer_t                   deleted_o,
  output logic                               reclaim_o  // a pointer of dead_i leaves
);

  import wc_pkg::*;

  localparam int unsigned Depth = 8;
  localparam int unsigned LevelWidth = $clog2(Depth) + 1;

  typedef struct packed {
    logic [Slots-1:0] slots;
    logic [Slots-1:0] dead;
    logic last;  // there is one pointer only
    pointer_t [Slots-1:0] pointers;
  } gift_t;

  function automatic logic [Slots-1:0] lowest(logic [Slots-1:0] slots);
    return slots & (~slots + 1'b1);
  endfunction

  // ---- operations that wait --------------------------------------------------------------------
  logic ready, some, load;
  gift_t gift;
  logic [LevelWidth-1:0] level_q;

  wc_fifo_shallow #(
    .data_t(gift_t),
    .Depth (Depth)
  ) u_gifts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i ('{
        slots: slots_i,
        dead: dead_i,
        last: slots_i == lowest(slots_i),
        pointers: pointers_i
    }),
    .valid_o(some),
    .ready_i(load),
    .data_o (gift)
  );

  always_ff @(posedge clk_i) begin
    if (valid_i && !load) level_q <= level_q + 1'b1;
    if (load && !valid_i) level_q <= level_q - 1'b1;
    room_o <= level_q < LevelWidth'(Depth / 2);
    if (rst_i) begin
      level_q <= '0;
      room_o <= 1'b0;
    end
  end

  // ---- the one in work, slot by slot -----------------------------------------------------------
  logic [Slots-1:0] first_q, rest_q, dead_q;  // first_q: the next to leave
  pointer_t [Slots-1:0] pointers_q;
  pointer_t pointer;
  logic busy_q, last_q, out_ready, step;

  assign step = busy_q && out_ready;
  assign load = some && (!busy_q || (step && last_q));
  assign reclaim_o = step && |(first_q & dead_q);

  always_comb begin
    pointer = '0;
    for (int unsigned i = 0; i < Slots; i++) begin
      pointer |= {$bits(pointer_t){first_q[i]}} & pointers_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      busy_q <= 1'b1;
      first_q <= lowest(gift.slots);
      rest_q <= gift.slots & ~lowest(gift.slots);
      last_q <= gift.last;
      dead_q <= gift.dead;
      pointers_q <= gift.pointers;
    end else if (step) begin
      busy_q <= !last_q;
      first_q <= lowest(rest_q);
      rest_q <= rest_q & ~lowest(rest_q);
      last_q <= rest_q == lowest(rest_q);
    end
    if (rst_i) busy_q <= 1'b0;
  end

  wc_slice #(
    .data_t(pointer_t)
  ) u_out (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(busy_q),
    .ready_o(out_ready),
    .data_i (pointer),
    .valid_o(deleted_valid_o),
    .ready_i(deleted_ready_i),
    .data_o (deleted_o)
  );

  `WC_ASSERT(has_room, !valid_i || ready)
  `WC_ASSERT(not_empty, !valid_i || slots_i != '0)

endmodule

`default_nettype wire
