// SPDX-License-Identifier: Apache-2.0
// Lets operations go, each when the next one or the end of the packet is known: the last of a
// packet, and the last key of a get command, must say that they are. A packet that made none gets
// one that says nothing.
// Latency 1 from the event that settles an operation, through a register; one event per cycle; the
// queue behind it must take what comes.
`default_nettype none

module wc_request_emit
  import wc_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire lane_t    lane_i,
  input  wire conn_t    conn_i,
  input  wire logic     binary_i,
  input  wire logic     put_i,
  input  wire logic     mark_last_i,
  input  wire logic     close_i,
  input  wire request_t request_i,
  output logic          request_valid_o,
  output request_t      request_o
);

  logic pending_q;
  request_t request_q;

  request_t settled;

  always_comb begin
    settled = request_q;
    if (!pending_q) begin
      settled = '0;
      settled.op.binary = binary_i;
      settled.op.op = OpNone;
      settled.op.say = SaySilent;
      settled.op.status = StOk;
    end
    settled.op.last = close_i;
    settled.op.lane = lane_i;
    settled.op.conn = conn_i;
  end

  always_ff @(posedge clk_i) begin
    request_valid_o <= close_i || (put_i && pending_q);
    request_o <= settled;
    if (put_i) begin
      pending_q <= 1'b1;
      request_q <= request_i;
    end
    if (mark_last_i) request_q.op.cmd_last <= 1'b1;
    if (close_i) pending_q <= 1'b0;
    if (rst_i) begin
      request_valid_o <= 1'b0;
      pending_q <= 1'b0;
    end
  end

endmodule

`default_nettype wire
