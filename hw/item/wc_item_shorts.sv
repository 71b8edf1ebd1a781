// SPDX-License-Identifier: Apache-2.0
// Lines of GETs of short items, from when they were compared until it is decided whether their
// values are read: then they go out, or are dropped.
// Latency 1 from the later of both, a line a cycle. ready_o low stops the next GET of a short item.
`include "wc_assert.svh"
`default_nettype none

module wc_item_shorts #(
  parameter int unsigned Depth = 16  // lines
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  output logic                   ready_o,  // there is room for one more line
  input  wire logic              line_valid_i,
  input  wire wc_log_pkg::data_t line_i,
  input  wire logic              decided_i,  // of the oldest line for which it is not
  input  wire logic              keep_i,     // it goes out
  output logic                   short_valid_o,
  input  wire logic              short_ready_i,
  output wc_log_pkg::data_t      short_o
);

  logic line_valid, keep_valid, keep, take, keep_ready;

  assign short_valid_o = line_valid && keep_valid && keep;
  assign take = line_valid && keep_valid && (short_ready_i || !keep);

  wc_fifo_shallow #(
    .data_t(wc_log_pkg::data_t),
    .Depth (Depth)
  ) u_lines (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(line_valid_i),
    .ready_o(ready_o),
    .data_i (line_i),
    .valid_o(line_valid),
    .ready_i(take),
    .data_o (short_o)
  );

  // A decision needs a line, so there are no more of them.
  wc_fifo_shallow #(
    .data_t(logic),
    .Depth (Depth)
  ) u_decisions (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(decided_i),
    .ready_o(keep_ready),
    .data_i (keep_i),
    .valid_o(keep_valid),
    .ready_i(take),
    .data_o (keep)
  );

  `WC_ASSERT(line_has_room, !line_valid_i || ready_o)
  `WC_ASSERT(decision_has_room, !decided_i || keep_ready)
  `WC_ASSERT(line_comes_first, !keep_valid || line_valid)
  `WC_ASSERT_STREAM(short, short_valid_o, short_ready_i, short_o)

endmodule

`default_nettype wire
