// SPDX-License-Identifier: Apache-2.0
// Proof that nothing stays in wc_request: the whole parser, from packets' words to operations.
// Rule 1: where the queues' takers take all that is offered, and no number is being read, a packet
//         leads within Latency + 2 * bytes cycles after its last word, and after the last operation
//         of the packet before it, to an operation with `last`: no byte takes more than two cycles,
//         as each may be a line of its own, which is one piece and one verdict.
// Rule 2: there are as many operations with `last` as packets, never one before its packet's end.
// Assumed: packets of one word of at most Bytes bytes, so that some lie within the search.
`include "wc_assert.svh"
`default_nettype none

module wc_request_fv
  import wc_pkg::*;
#(
  parameter int unsigned Bytes   = 2,
  parameter int unsigned Latency = 12
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       valid_i,
  input wire word_t      data_i,
  input wire logic [3:0] bytes_i,
  input wire logic       line_room_i
);

  typedef logic [3:0] count_t;

  packet_t packet;
  request_t request;
  logic ready, request_valid, enters, leaves, reading;

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  always_comb begin
    packet = '0;
    packet.data = data_i;
    packet.bytes = bytes_i;
    packet.last = 1'b1;
  end

  wc_request #(
    .KeyWords  (128),
    .ValueWords(16),
    .Requests  (8)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         ('0),
    .most_bytes_i   (value_len_t'(MaxValueBytes)),
    .watch_i        (1'b0),
    .packet_valid_i (valid_i),
    .packet_ready_o (ready),
    .packet_i       (packet),
    .request_valid_o(request_valid),
    .request_ready_i(1'b1),
    .request_o      (request),
    .key_valid_o    (),
    .key_ready_i    (1'b1),
    .key_o          (),
    .value_valid_o  (),
    .value_ready_i  (1'b1),
    .value_o        (),
    .opaque_valid_o (),
    .opaque_ready_i (1'b1),
    .opaque_o       (),
    .line_o         (),
    .line_room_i    (line_room_i)
  );

  assign enters = valid_i && ready;
  assign leaves = request_valid && request.op.last;
  assign reading = |u_dut.u_ascii.u_numbers.busy;

  `WC_ASSUME(stays, $past(rst_i) || !$past(valid_i) || $past(ready)
                    || (valid_i && {data_i, bytes_i} == $past({data_i, bytes_i})))
  `WC_ASSUME(short, bytes_i != '0 && bytes_i <= 4'(Bytes))

  count_t inside_q;  // packets
  logic [7:0] wait_q;
  logic more_q;        // the last operation to leave was not the last of its packet
  logic left_ascii_q;  // an ASCII packet has left

  always_ff @(posedge clk_i) begin
    inside_q <= inside_q + count_t'(enters) - count_t'(leaves);
    wait_q <= wait_q + 8'd1;
    if (inside_q == '0 || leaves || reading) wait_q <= '0;
    if (request_valid) more_q <= !request.op.last;
    if (leaves && !request.op.binary) left_ascii_q <= 1'b1;
    if (rst_i) begin
      inside_q <= '0;
      wait_q <= '0;
      more_q <= 1'b0;
      left_ascii_q <= 1'b0;
    end
  end

  `WC_ASSERT(none_made_up, !leaves || inside_q != '0)
  `WC_ASSERT(all_leave, wait_q < 8'(Latency + 2 * Bytes))

  `WC_COVER(two_operations, leaves && more_q)
  `WC_COVER(two_protocols, leaves && request.op.binary && inside_q == count_t'(1) && left_ascii_q)

endmodule

`default_nettype wire
