// SPDX-License-Identifier: Apache-2.0
// Proof of wc_store_merge.
// Rule 1: a word holds and is stable until taken.
// Rule 2: every word that is taken comes out once, unchanged, in order, those of memory that are in
//         error marked; nothing else does.
// Rule 3: an operation is refused only with Depth values or more whose last word was not taken.
// Rule 4: a word is taken from the source that the oldest value whose last word was not taken is to
//         come from, and from no other; so values come out in the order of their operations.
`include "wc_assert.svh"
`default_nettype none

module wc_store_merge_fv
  import wc_pkg::*;
#(
  parameter int unsigned Depth = 4
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic [1:0] pick_i,
  input wire logic       push_i,
  input wire logic       ring_i,
  input wire logic       memory_valid_i,
  input wire logic [1:0] memory_i,  // a bit of the word, and last
  input wire logic       memory_error_i,
  input wire logic       ring_valid_i,
  input wire logic [1:0] ring_value_i,
  input wire logic       value_ready_i
);

  logic ready, memory_ready, ring_ready, value_valid;
  logic memory_take, ring_take, ring, watching;
  logic [$clog2(Depth + 2):0] values, ahead;
  beat_t value;
  logic value_error;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_store_merge #(
    .Depth(Depth)
  ) u_dut (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .push_i        (push_i),
    .ready_o       (ready),
    .ring_i        (ring_i),
    .memory_valid_i(memory_valid_i),
    .memory_ready_o(memory_ready),
    .memory_i      ('{data: {63'b0, memory_i[1]}, last: memory_i[0]}),
    .memory_error_i(memory_error_i),
    .ring_valid_i  (ring_valid_i),
    .ring_ready_o  (ring_ready),
    .ring_value_i  ('{data: {63'b0, ring_value_i[1]}, last: ring_value_i[0]}),
    .value_valid_o (value_valid),
    .value_ready_i (value_ready_i),
    .value_o       (value),
    .value_error_o (value_error)
  );

  `WC_ASSUME(push_when_room, !push_i || ready)

  assign memory_take = memory_valid_i && memory_ready;
  assign ring_take = ring_valid_i && ring_ready;

  wc_order_fv #(
    .Width(3),
    .Most (2)
  ) u_words (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[0]),
    .push_i     (memory_take || ring_take),
    .push_data_i(ring_take ? {1'b0, ring_value_i} : {memory_error_i, memory_i}),
    .pop_i      (value_valid && value_ready_i),
    .pop_data_i ({value_error, value.data[0], value.last}),
    .level_o    (),
    .watching_o (),
    .ahead_o    (),
    .data_o     ()
  );

  wc_order_fv #(
    .Width(1),
    .Most (Depth + 1)
  ) u_values (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .pick_i     (pick_i[1]),
    .push_i     (push_i),
    .push_data_i(ring_i),
    .pop_i      ((memory_take && memory_i[0]) || (ring_take && ring_value_i[0])),
    .pop_data_i (ring_take),
    .level_o    (values),
    .watching_o (watching),
    .ahead_o    (ahead),
    .data_o     (ring)
  );

  `WC_ASSERT(one_source, !(memory_take && ring_take))
  `WC_ASSERT(its_source, !(watching && ahead == '0) || !(ring ? memory_take : ring_take))
  `WC_ASSERT(in_turn, !(memory_take || ring_take) || values != '0)
  `WC_ASSERT(ready_when_room, ready || values >= ($clog2(Depth + 2) + 1)'(Depth))

  `WC_COVER(full, values == ($clog2(Depth + 2) + 1)'(Depth + 1) && watching)
  `WC_COVER(change, value_valid && ring_take && $past(memory_take))

endmodule

`default_nettype wire
