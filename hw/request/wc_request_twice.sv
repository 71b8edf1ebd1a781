// SPDX-License-Identifier: Apache-2.0
// An `mg` with both T and N touches the item that is there, and stores one where none is: two kinds
// of work, of which an operation has one. So it comes as one operation that touches and `creates`,
// and leaves as two: a touch that says nothing, and is no use of the item, and behind it what tells
// of the item or creates it (`touches`: to memcached's counters that is a touch, too). When `t` and N
// are in front of T (`stale`, which means nothing else here), the touch comes second. Both have the
// key.
// The touch has the time in the upper half of `delta`, the other one `expiry`: that of the last of T
// and N.
// All others pass at once. An operation's words are taken behind it and before the next one, or with
// the next one the last of them.
// Latency 0. The operation that is made two takes as long as two.
`include "wc_assert.svh"
`default_nettype none

module wc_request_twice
  import wc_pkg::*;
  import wc_policy_pkg::*;
(
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire logic     request_valid_i,
  output logic          request_ready_o,
  input  wire request_t request_i,
  input  wire logic     key_valid_i,
  output logic          key_ready_o,
  input  wire beat_t    key_i,
  output logic          request_valid_o,
  input  wire logic     request_ready_i,
  output request_t      request_o,
  output logic          key_valid_o,
  input  wire logic     key_ready_i,
  output beat_t         key_o
);

  // Messages are ended in front of this (wc_request_emit), so one may have twice as many of these.
  `WC_REQUIRE(operations, 2 * MessageOperations <= MostOperations,
              "wc_request_twice: a message of UDP may have more operations than MostOperations")
  `WC_REQUIRE(tcp_operations, 2 * MostTcpMessageWords <= MostOperations,
              "wc_request_twice: a message of TCP may have more operations than MostOperations")

  localparam int unsigned LongestKey = (MaxKeyBytes + WordBytes - 1) / WordBytes;

  // ---- operations -------------------------------------------------------------------------------
  logic twice, again_q;  // this one leaves twice; its first part has left
  logic touch;           // the part that leaves is the touch
  logic take;

  assign twice = request_i.op.meta && request_i.creates
                 && effect_of(request_i.op.op).change == ChangeExpiry;
  assign touch = again_q == request_i.stale;
  assign request_valid_o = request_valid_i;
  assign request_ready_o = request_ready_i && (!twice || again_q);
  assign take = request_valid_i && request_ready_i;

  always_comb begin
    request_o = request_i;
    if (twice && touch) begin
      request_o = '0;
      request_o.op.lane = request_i.op.lane;
      request_o.op.conn = request_i.op.conn;
      request_o.op.tcp = request_i.op.tcp;
      request_o.op.last = request_i.op.last;
      request_o.op.more = request_i.op.more;
      request_o.op.op = OpTouch;
      request_o.op.quiet = 1'b1;
      request_o.op.key_len = request_i.op.key_len;
      request_o.expiry = request_i.delta[63:32];
      request_o.idle = 1'b1;
    end else if (twice) begin
      request_o.op.op = effect_of(request_i.op.op).reads ? OpGet : OpLook;
      request_o.delta[63:32] = '0;
      {request_o.stale, request_o.renewed} = '0;
      request_o.touches = !request_i.stale;
    end
    if (twice && !again_q) {request_o.op.last, request_o.op.more} = '0;
  end

  always_ff @(posedge clk_i) begin
    if (take) again_q <= twice && !again_q;
    if (rst_i) again_q <= 1'b0;
  end

  // ---- words ------------------------------------------------------------------------------------
  // Each key is kept as it passes, in case that it is asked for once more.
  beat_t kept [LongestKey];
  logic [$clog2(LongestKey)-1:0] at_q;
  logic replay_q;  // the words come from here
  logic pass;

  assign key_valid_o = key_valid_i || replay_q;
  assign key_ready_o = key_ready_i && !replay_q;
  assign key_o = replay_q ? kept[at_q] : key_i;
  assign pass = key_valid_o && key_ready_i;

  always_ff @(posedge clk_i) begin
    if (pass && !replay_q) kept[at_q] <= key_i;
    if (pass) at_q <= key_o.last ? '0 : at_q + 1'b1;
    if (pass && key_o.last) replay_q <= 1'b0;
    if (take && twice && again_q) replay_q <= 1'b1;
    if (rst_i) begin
      at_q <= '0;
      replay_q <= 1'b0;
    end
  end

  `WC_ASSERT(both_have_a_key, !(take && twice) || request_i.op.key_len != '0)
  `WC_ASSERT(words_behind_their_operation, !(take && replay_q) || (pass && key_o.last))
  `WC_ASSERT(key_fits, !pass || key_o.last || 32'(at_q) != LongestKey - 1)

endmodule

`default_nettype wire
