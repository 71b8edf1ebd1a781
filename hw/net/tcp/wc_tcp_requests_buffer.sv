// SPDX-License-Identifier: Apache-2.0
// Words of packets on their way to the parser. They are written before it is known where the packet
// ends, and what is behind its end is forgotten; or the end is known, and they go through.
// Latency from a packet's announcement, or from a word that goes through, to head_valid_o 1, from
// the taken head to the first word 3. Throughput a word a cycle, 2 cycles more a packet.
// A packet that nobody takes stays; then room_o goes low. Nothing else stalls it.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests_buffer
  import wc_tcp_requests_pkg::*;
#(
  parameter int unsigned Connections = 1024,
  parameter int unsigned RingBits = 16,
  parameter int unsigned Longest  = 257,  // words before it is known where a packet ends
  parameter int unsigned Words    = 1024,
  parameter int unsigned Packets  = 16,
  localparam type place_t = logic [RingBits:0]
) (
  input  wire logic         clk_i,
  input  wire logic         rst_i,
  output logic              room_o,       // for the longest; it stays until something is written
  output logic              full_o,
  input  wire logic         write_i,
  input  wire logic [63:0]  data_i,
  input  wire logic         through_i,    // what is written may be read at once
  input  wire logic         keep_valid_i, // what was not kept yet: of that
  input  wire logic [$clog2(Longest+1)-1:0] keep_i,  // so many words, the rest is forgotten
  input  wire logic         packet_valid_i,  // what is kept, or goes through, begins a packet
  output logic              packet_ready_o,
  input  wire head_t        packet_i,
  input  wire place_t       bytes_i,

  output logic              head_valid_o,
  input  wire logic         head_ready_i,
  output head_t             head_o,
  output logic              word_valid_o,
  input  wire logic         word_ready_i,
  output packet_word_t      word_o
);

  localparam int unsigned AddrBits = $clog2(Words);
  typedef logic [AddrBits:0] spot_t;
  typedef struct packed {  // a head_t of the bits that are used
    logic [$clog2(Connections)-1:0] id;
    logic                binary;
    class_e              kind;
    place_t              room;
    logic [RingBits-1:0] skip;
    place_t              bytes;
  } packet_t;

  `WC_REQUIRE(words, Words == 2 ** AddrBits && Words > Longest,
              "wc_tcp_requests_buffer: Words must be a power of two, more than Longest")

  // ---- written ---------------------------------------------------------------------------------
  spot_t write_q, keep_q, read_q, used, write_d;
  logic fetch;
  logic [63:0] fetched;

  assign used = write_q - read_q;
  assign write_d = keep_q + spot_t'(keep_i);

  wc_ram_sdp #(
    .Width(64),
    .Depth(Words)
  ) u_ram (
    .clk_i  (clk_i),
    .we_i   (write_i),
    .waddr_i(write_q[AddrBits-1:0]),
    .wdata_i(data_i),
    .re_i   (fetch),
    .raddr_i(read_q[AddrBits-1:0]),
    .rdata_o(fetched)
  );

  always_ff @(posedge clk_i) begin
    if (write_i) write_q <= write_q + 1'b1;
    if (write_i && through_i) keep_q <= write_q + 1'b1;
    if (keep_valid_i) begin
      write_q <= write_d;
      keep_q <= write_d;
    end
    room_o <= used <= spot_t'(Words - Longest);
    full_o <= used >= spot_t'(Words - 2);
    if (rst_i) begin
      write_q <= '0;
      keep_q <= '0;
      room_o <= 1'b0;
      full_o <= 1'b1;
    end
  end

  // ---- packets ---------------------------------------------------------------------------------
  packet_t packet;
  logic packet_valid, take;

  // Worst case: Packets; then what announces them waits.
  wc_fifo_shallow #(
    .data_t(packet_t),
    .Depth (Packets)
  ) u_packets (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(packet_valid_i),
    .ready_o(packet_ready_o),
    .data_i ('{id: packet_i.id[$clog2(Connections)-1:0], binary: packet_i.binary,
               kind: packet_i.kind, room: place_t'(packet_i.room),
               skip: packet_i.skip[RingBits-1:0], bytes: bytes_i}),
    .valid_o(packet_valid),
    .ready_i(take),
    .data_o (packet)
  );

  logic words_q;  // the words of a packet, else its head
  logic fetched_q, move, last;
  place_t left_q;   // bytes behind those that have moved on
  place_t ahead_q;  // likewise, that were fetched; not below 0
  logic wanted_q;
  logic [3:0] bytes;

  assign head_valid_o = packet_valid && !words_q;
  assign head_o = '{id: id_t'(packet.id), binary: packet.binary, kind: packet.kind,
                    room: bytes_t'(packet.room), skip: bytes_t'(packet.skip)};
  assign take = head_valid_o && head_ready_i;
  assign last = left_q[RingBits:3] == '0 || left_q == place_t'(8);
  assign bytes = last && left_q != place_t'(8) ? {1'b0, left_q[2:0]} : 4'd8;
  assign move = fetched_q && (!word_valid_o || word_ready_i);
  assign fetch = wanted_q && read_q != keep_q && (!fetched_q || move);

  always_ff @(posedge clk_i) begin
    if (take) begin
      words_q <= 1'b1;
      left_q <= packet.bytes;
      ahead_q <= packet.bytes;
      wanted_q <= 1'b1;
    end
    if (fetch) begin
      read_q <= read_q + 1'b1;
      ahead_q <= ahead_q - place_t'(8);
      if (ahead_q <= place_t'(8)) wanted_q <= 1'b0;
    end
    fetched_q <= fetch || (fetched_q && !move);
    if (move) begin
      left_q <= left_q - place_t'(8);
      word_o.bytes <= bytes;
      word_o.last <= last;
      for (int unsigned i = 0; i < 8; i++) begin
        word_o.data[8*i+:8] <= 4'(i) < bytes ? fetched[8*i+:8] : '0;
      end
    end
    word_valid_o <= move || (word_valid_o && !word_ready_i);
    if (word_valid_o && word_ready_i && word_o.last) words_q <= 1'b0;
    if (rst_i) begin
      words_q <= 1'b0;
      wanted_q <= 1'b0;
      fetched_q <= 1'b0;
      word_valid_o <= 1'b0;
      read_q <= '0;
    end
  end

  // ---- rules -----------------------------------------------------------------------------------
  `WC_ASSERT_STREAM(head, head_valid_o, head_ready_i, head_o)
  `WC_ASSERT_STREAM(word, word_valid_o, word_ready_i, word_o)
  `WC_ASSERT(has_bytes, !packet_valid_i || bytes_i != '0)
  `WC_ASSERT(bounded, used <= spot_t'(Words))
  `WC_ASSERT(fits, !write_i || used != spot_t'(Words))
  `WC_ASSERT(keeps_what_there_is, !keep_valid_i || spot_t'(keep_i) <= spot_t'(write_q - keep_q))

endmodule

`default_nettype wire
