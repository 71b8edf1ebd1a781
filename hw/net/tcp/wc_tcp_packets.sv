// SPDX-License-Identifier: Apache-2.0
// Brings the packets of UDP and those of TCP connections together for the parser, one whole packet
// after the other, in turn where both have one. Of each TCP packet the response stage is told what
// room its answers have (`turn`). A command of the host whose answer may find no room is not given to
// the parser: the connection is told to come again (`back`).
// A packet of UDP passes in no time, one of TCP a cycle behind its head. A word a cycle. Waits for the
// parser; a packet of TCP also for its words, and for room for its turn.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_packets
  import wc_tcp_requests_pkg::*;
#(
  parameter int unsigned RingBits = 16,
  parameter int unsigned Turns    = 256  // packets of TCP between here and the response stage
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic                 udp_valid_i,
  output logic                      udp_ready_o,
  input  wire wc_pkg::packet_t      udp_i,
  input  wire logic                 head_valid_i,  // a packet of TCP,
  output logic                      head_ready_o,
  input  wire head_t                head_i,
  input  wire logic                 word_valid_i,  // and its words
  output logic                      word_ready_o,
  input  wire packet_word_t         word_i,
  output logic                      packet_valid_o,
  input  wire logic                 packet_ready_i,
  output wc_pkg::packet_t           packet_o,
  output logic                      turn_valid_o,  // there with the packet's first word; behind
                                                   // turns that have waited, up to 2 cycles later
  input  wire logic                 turn_ready_i,
  output wc_pkg::tcp_turn_t         turn_o,
  output logic                      taken_o,       // a packet of TCP goes to the parser
  output logic                      back_valid_o,  // a command that waits for HostRoom,
  input  wire logic                 back_ready_i,
  output id_t                       back_id_o,     // of this connection,
  output logic                      back_again_o   // which was answered in part before
);

  import wc_tcp_answers_pkg::HostRoom;

  `WC_REQUIRE(ring, 2 ** RingBits >= HostRoom,
              "wc_tcp_packets: a ring must hold the longest answer of the host")

  typedef enum logic [1:0] {
    Free,
    Udp,
    Tcp,
    Back
  } state_e;

  state_e state_q;
  logic turns_ready, begins, tcp_next_q;
  logic passes, last;
  head_t head_q;

  // What was offered stays: a head that comes meanwhile waits.
  assign begins = state_q == Free && head_valid_i && turns_ready && (tcp_next_q || !udp_valid_i);
  assign passes = state_q == Udp || (state_q == Free && !begins);
  assign head_ready_o = begins;

  always_comb begin
    packet_o = udp_i;
    packet_valid_o = udp_valid_i && passes;
    udp_ready_o = packet_ready_i && passes;
    word_ready_o = state_q == Back && (back_ready_i || !word_i.last);
    if (state_q == Tcp) begin
      packet_o = '{conn: head_q.id, tcp: 1'b1, binary: head_q.binary, data: word_i.data,
                   bytes: word_i.bytes, last: word_i.last};
      packet_valid_o = word_valid_i;
      word_ready_o = packet_ready_i;
    end
    last = state_q == Back ? word_valid_i && word_i.last
                           : packet_valid_o && packet_ready_i && packet_o.last;
  end

  always_ff @(posedge clk_i) begin
    if (begins) head_q <= head_i;
    unique case (state_q)
      Free: begin
        if (begins) begin
          state_q <= head_i.kind == OfHost && head_i.room < HostRoom ? Back : Tcp;
          tcp_next_q <= 1'b0;
        end else if (udp_valid_i) begin
          state_q <= last ? Free : Udp;  // it is offered: nothing else is now
          tcp_next_q <= 1'b1;
        end
      end
      default: if (last && (state_q != Back || back_ready_i)) state_q <= Free;
    endcase
    if (rst_i) begin
      state_q <= Free;
      tcp_next_q <= 1'b0;
    end
  end

  assign taken_o = begins && !(head_i.kind == OfHost && head_i.room < HostRoom);
  assign back_valid_o = state_q == Back && last;
  assign back_id_o = head_q.id;
  assign back_again_o = head_q.skip != '0;

  wc_fifo #(
    .data_t(wc_pkg::tcp_turn_t),
    .Depth (Turns)
  ) u_turns (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(taken_o),
    .ready_o(turns_ready),
    .data_i ('{reads: head_i.kind == OfReads, whole: head_i.room == bytes_t'(2 ** RingBits),
               room: head_i.room, skip: head_i.skip}),
    .valid_o(turn_valid_o),
    .ready_i(turn_ready_i),
    .data_o (turn_o),
    .level_o()
  );

  `WC_ASSERT_STREAM(packet, packet_valid_o, packet_ready_i, packet_o)

endmodule

`default_nettype wire
