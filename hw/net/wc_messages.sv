// SPDX-License-Identifier: Apache-2.0
// Messages of the pipeline, and in between the parts of the host's answers. A part goes when nothing
// else has the wire or waits for it, so that a message waits for one part at most; or when it has
// waited for MostCycles, so that it goes in the end, however long messages are.
// Latency none, throughput 1 per cycle. What has been offered stays until it is taken.
`include "wc_assert.svh"
`default_nettype none

module wc_messages #(
  parameter int unsigned MostCycles = 1024  // a power of two
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  input  wire logic                   quiet_i,          // nothing has the wire, or waits for it
  input  wire logic                   message_valid_i,  // the pipeline's
  output logic                        message_ready_o,
  input  wire wc_pkg::message_t       message_i,
  input  wire logic                   part_valid_i,     // the host's
  output logic                        part_ready_o,
  input  wire wc_pkg::message_t       part_i,
  input  wire wc_net_pkg::numbered_t  part_place_i,
  output logic                        message_valid_o,
  input  wire logic                   message_ready_i,
  output wc_pkg::message_t            message_o,
  output wc_net_pkg::numbered_t       place_o           // of a part
);

  `WC_REQUIRE(cycles, MostCycles == 2 ** $clog2(MostCycles) && MostCycles >= 2,
              "wc_messages: MostCycles must be a power of two, 2 or more")

  typedef logic [$clog2(MostCycles)-1:0] cycles_t;

  logic part, part_q;  // the host's is offered
  logic held_q;        // and was not taken: it stays
  cycles_t waited_q;   // how long the part has waited
  logic due_q;         // so long that it goes

  assign part = held_q ? part_q : part_valid_i && (due_q || (quiet_i && !message_valid_i));
  assign message_valid_o = message_valid_i || part;
  assign message_o = part ? part_i : message_i;
  assign place_o = part_place_i;
  assign message_ready_o = message_ready_i && !part;
  assign part_ready_o = message_ready_i && part;

  always_ff @(posedge clk_i) begin
    held_q <= message_valid_o && !message_ready_i;
    part_q <= part;
    if (!part_valid_i || part_ready_o) begin
      waited_q <= '0;
      due_q <= 1'b0;
    end else begin
      waited_q <= waited_q + 1'b1;
      due_q <= due_q || waited_q == '1;
    end
    if (rst_i) begin
      held_q <= 1'b0;
      waited_q <= '0;
      due_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(message, message_valid_o, message_ready_i, message_o)

endmodule

`default_nettype wire
