// SPDX-License-Identifier: Apache-2.0
// Messages of the pipeline and of the host's answers, in turns when both are there: a message waits
// for one of the other side at most.
// Latency none, throughput 1 per cycle. What has been offered stays until it is taken.
`include "wc_assert.svh"
`default_nettype none

module wc_messages (
  input  wire logic             clk_i,
  input  wire logic             rst_i,
  input  wire logic             message_valid_i,  // the pipeline's
  output logic                  message_ready_o,
  input  wire wc_pkg::message_t message_i,
  input  wire logic             aside_valid_i,    // the host's
  output logic                  aside_ready_o,
  input  wire wc_pkg::message_t aside_i,
  output logic                  message_valid_o,
  input  wire logic             message_ready_i,
  output wc_pkg::message_t      message_o
);

  logic aside, aside_q;  // the host's is offered
  logic held_q;          // and was not taken: it stays

  // The host's comes first when the pipeline's went last.
  assign aside = held_q ? aside_q : aside_valid_i && (!message_valid_i || !aside_q);
  assign message_valid_o = message_valid_i || aside_valid_i;
  assign message_o = aside ? aside_i : message_i;
  assign message_ready_o = message_ready_i && !aside;
  assign aside_ready_o = message_ready_i && aside;

  always_ff @(posedge clk_i) begin
    held_q <= message_valid_o && !message_ready_i;
    if (message_valid_o) aside_q <= aside;
    if (rst_i) begin
      held_q <= 1'b0;
      aside_q <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(message, message_valid_o, message_ready_i, message_o)

endmodule

`default_nettype wire
