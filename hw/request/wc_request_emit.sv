// SPDX-License-Identifier: Apache-2.0
// Lets operations go, each when the next one or the end of the packet is known: the last of a
// packet, and the last key of a get command, must say that they are. A packet that made none gets
// one that says nothing. A packet of many operations becomes several messages: the command that
// brings a message to Operations ends it, so that nobody who waits for a message's end waits for
// more than that and a command (MostOperations of wc_pkg). A command of the host ends its message,
// too: its answer is a message of its own.
// A packet of TCP may have any length, and a get of it any number of keys. So its messages end by
// what they bring along, wherever that is: when the words of the keys, and one or five for each
// operation, come to TcpMessageWords (wc_pkg). And an operation with a value is a message of its own:
// the room that a message of several asks for in the log is measured by a datagram.
// Latency 1 from the event that settles an operation, through a register; one event per cycle; the
// queue behind it must take what comes.
`include "wc_assert.svh"
`default_nettype none

module wc_request_emit
  import wc_pkg::*;
  import wc_policy_pkg::*;
#(
  parameter int unsigned Operations = MessageOperations  // 3 or more
) (
  input  wire logic     clk_i,
  input  wire logic     rst_i,
  input  wire lane_t    lane_i,
  input  wire conn_t    conn_i,
  input  wire logic     tcp_i,      // of the packet: the same until it is closed
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

  // Operations of the message so far: enough, but for the one in request_q. A get command is never
  // torn apart, since an error in it takes back all its answers. (One of TCP is.)
  logic [$clog2(Operations)-1:0] count_q;
  logic full_q;

  // Of TCP: words of the message so far, those of request_q too.
  typedef logic [$clog2(MostTcpMessageWords+1)-1:0] words_t;
  words_t words_q;
  logic heavy;

  `WC_REQUIRE(operations, Operations >= 3, "wc_request_emit: Operations must be 3 or more")
  `WC_REQUIRE(tcp_operations, TcpMessageWords <= MostOperations
              && MostTcpMessageWords <= MostKeyWords && MostTcpMessageWords <= MostOpaqueWords,
              "wc_pkg: a message of TCP may bring more than one of UDP")
  `WC_REQUIRE(heavy_is_a_bit, TcpMessageWords == 2 ** ($bits(words_t) - 1),
              "wc_request_emit: TcpMessageWords must be the top bit of a count")

  request_t settled;
  logic emit, reads, ends_command, ends_message;

  assign emit = close_i || (put_i && pending_q);
  assign reads = effect_of(request_q.op.op).reads;
  assign ends_command = !reads || request_q.op.binary || request_q.op.meta || request_q.op.cmd_last;
  assign heavy = words_q[$high(words_q)] || effect_of(request_q.op.op).value
                 || (put_i && effect_of(request_i.op.op).value);
  assign ends_message = (tcp_i ? pending_q && heavy : full_q && ends_command)
                        || (pending_q && request_q.op.op == OpHost);

  // The words behind an operation that is put: of one that begins a message, and of one that goes on
  // with it. Which of both is known late, and so is the length of the key: so the sums are made side
  // by side, and what comes beside a key is added before it.
  words_t first, more;

  assign first = with_key(request_i.op.meta ? words_t'(TcpMetaWords) : words_t'(TcpOtherWords),
                          request_i.op.key_len);
  assign more = with_key(request_i.op.meta ? words_q + words_t'(TcpMetaWords)
                                           : words_q + words_t'(TcpOtherWords),
                         request_i.op.key_len);

  // Its words are rounded up by the carry.
  function automatic words_t with_key(words_t words, key_len_t len);
    return words_t'(({words, 1'b1} + {words_t'(len[7:3]), |len[2:0]}) >> 1);
  endfunction

  always_comb begin
    settled = request_q;
    if (!pending_q) begin
      settled = '0;
      settled.op.binary = binary_i;
      settled.op.op = OpNone;
      settled.op.say = SaySilent;
      settled.op.status = StOk;
    end
    settled.op.last = close_i || ends_message;
    settled.op.more = !close_i && ends_message;
    settled.op.lane = lane_i;
    settled.op.conn = conn_i;
    settled.op.tcp = tcp_i;
  end

  always_ff @(posedge clk_i) begin
    request_valid_o <= emit;
    request_o <= settled;
    if (put_i) begin
      pending_q <= 1'b1;
      request_q <= request_i;
      words_q <= close_i || !pending_q || settled.op.last ? first : more;
    end
    if (mark_last_i) request_q.op.cmd_last <= 1'b1;
    if (close_i) pending_q <= 1'b0;
    if (emit && settled.op.last) begin
      count_q <= '0;
      full_q <= 1'b0;
    end else if (emit && !full_q) begin
      count_q <= count_q + 1'b1;
      full_q <= count_q == ($bits(count_q))'(Operations - 2);
    end
    if (rst_i) begin
      request_valid_o <= 1'b0;
      pending_q <= 1'b0;
      count_q <= '0;
      full_q <= 1'b0;
    end
  end

  // What was there before the operation in request_q came is less than TcpMessageWords.
  `WC_ASSERT(tcp_is_bounded, !(tcp_i && pending_q) || 32'(words_q) <= MostTcpMessageWords)

endmodule

`default_nettype wire
