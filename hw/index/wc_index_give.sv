// SPDX-License-Identifier: Apache-2.0
// Gives blocks back: takes the pointers that one operation gives back, up to one a slot, and hands
// them to the deleted stream one after the other, the lowest slot first.
// While room_o is low, no more operations may begin; those on their way to the decision, four at
// most, still find a place. room_o is low only while pointers leave, one a cycle.
// When nobody takes pointers, room_o stays high, and full_o rises when the places are used up: an
// operation may then give no block back, and goes on without.
// Latency 3; a pointer a cycle.
`include "wc_assert.svh"
`default_nettype none

module wc_index_give #(
  parameter int unsigned Slots = 8,
  parameter int unsigned Depth = 8  // operations whose blocks wait: twice those on their way
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_i,
  output logic                               room_o,
  output logic                               full_o,
  input  wire logic                          valid_i,
  input  wire logic [Slots-1:0]              slots_i,  // slots whose pointers go back
  input  wire logic [Slots-1:0]              dead_i,   // slots that had expired or were flushed
  input  wire wc_pkg::pointer_t [Slots-1:0]  pointers_i,
  output logic                               deleted_valid_o,
  input  wire logic                          deleted_ready_i,
  output wc_pkg::pointer_t                   deleted_o,
  output logic                               reclaim_o  // the pointer of a dead slot leaves
);

  import wc_pkg::*;

  localparam int unsigned LevelWidth = $clog2(Depth) + 1;

  // The blocks that one operation gives back.
  typedef struct packed {
    logic [Slots-1:0] slots;
    logic [Slots-1:0] dead;
    logic last;  // there is one block only
    pointer_t [Slots-1:0] pointers;
  } blocks_t;

  function automatic logic [Slots-1:0] first_of(logic [Slots-1:0] slots);
    return Slots'(lowest(16'(slots)));
  endfunction

  // ---- blocks that wait, by operation ----------------------------------------------------------
  logic ready, some, load;
  blocks_t blocks;
  logic [LevelWidth-1:0] level_q;
  logic held_q;  // nobody took the pointer that was offered

  wc_fifo_shallow #(
    .data_t(blocks_t),
    .Depth (Depth)
  ) u_blocks (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(valid_i),
    .ready_o(ready),
    .data_i ('{
        slots: slots_i,
        dead: dead_i,
        last: slots_i == first_of(slots_i),
        pointers: pointers_i
    }),
    .valid_o(some),
    .ready_i(load),
    .data_o (blocks)
  );

  always_ff @(posedge clk_i) begin
    if (valid_i && !load) level_q <= level_q + 1'b1;
    if (load && !valid_i) level_q <= level_q - 1'b1;
    held_q <= deleted_valid_o && !deleted_ready_i;
    room_o <= level_q < LevelWidth'(Depth / 2) || held_q;
    if (rst_i) begin
      level_q <= '0;
      held_q <= 1'b0;
      room_o <= 1'b0;
    end
  end

  assign full_o = !ready;

  // ---- the operation in work, slot by slot -----------------------------------------------------
  logic [Slots-1:0] first_q, rest_q, dead_q;  // first_q: the slot whose pointer leaves next
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
      first_q <= first_of(blocks.slots);
      rest_q <= blocks.slots & ~first_of(blocks.slots);
      last_q <= blocks.last;
      dead_q <= blocks.dead;
      pointers_q <= blocks.pointers;
    end else if (step) begin
      busy_q <= !last_q;
      first_q <= first_of(rest_q);
      rest_q <= rest_q & ~first_of(rest_q);
      last_q <= rest_q == first_of(rest_q);
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
