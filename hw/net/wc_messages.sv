// SPDX-License-Identifier: Apache-2.0
// Messages of the pipeline, and in between the parts of the host's answers. A part goes when nothing
// else has the wire or waits for it, so that a message waits for one part at most; or when MostAhead
// messages have gone ahead of it, so that it goes in the end.
// Latency none, throughput 1 per cycle. What has been offered stays until it is taken.
`include "wc_assert.svh"
`default_nettype none

module wc_messages #(
  parameter int unsigned MostAhead = 16  // a power of two
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

  `WC_REQUIRE(ahead, MostAhead == 2 ** $clog2(MostAhead) && MostAhead >= 2,
              "wc_messages: MostAhead must be a power of two, 2 or more")

  logic part, part_q;  // the host's is offered
  logic held_q;        // and was not taken: it stays
  logic [$clog2(MostAhead):0] ahead_q;  // messages that went while a part waited
  logic due_q;         // so many that the part goes

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
      ahead_q <= '0;
      due_q <= 1'b0;
    end else if (message_valid_i && message_ready_o && !due_q) begin
      ahead_q <= ahead_q + 1'b1;
      due_q <= ahead_q == ($bits(ahead_q))'(MostAhead - 1);
    end
    if (rst_i) begin
      held_q <= 1'b0;
      ahead_q <= '0;
      due_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(message, message_valid_o, message_ready_i, message_o)
  `WC_ASSERT(no_more_ahead, ahead_q <= ($bits(ahead_q))'(MostAhead))

endmodule

`default_nettype wire
