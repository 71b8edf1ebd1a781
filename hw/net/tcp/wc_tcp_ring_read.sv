// SPDX-License-Identifier: Apache-2.0
// Reads bytes of the connections' rings in memory: words of the payloads of segments.
// A burst is what is wanted of 256 bytes of memory, so none crosses a page or a ring's end. It is
// asked for when there is room for it in the buffer, so R is never held up.
// Latency: from the descriptor to AR 1; from R to its first word 4, or 5 if the bytes begin within
// a word of memory.
// Throughput: a word a cycle, and a cycle for each descriptor whose bytes begin within a word of
// memory, if R comes within 8 * (Lines - 4) - 60 cycles; a descriptor every 2 cycles, a burst each.
// Words wait until they are taken; then the buffer fills, and descriptors wait.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_ring_read
  import wc_tcp_ring_pkg::*;
#(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned RingBits  = 16,
  parameter int unsigned BeatBytes = 16,  // of the port: 16, 32 or 64
  parameter int unsigned MostBytes = 2047,  // of a descriptor
  parameter int unsigned Lines     = 32,    // of 64 bytes in the buffer
  parameter int unsigned Reads     = 16,    // descriptors of which a word is still to come
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_i,
  input  wire logic [AddrWidth-1:0] base_i,  // of ring 0, a multiple of the ring
  input  wire logic                 read_valid_i,
  output logic                      read_ready_o,
  input  wire read_t                read_i,
  output logic                      word_valid_o,
  input  wire logic                 word_ready_i,
  output word_t                     word_o,
  output wanted_t                   wanted_o,  // of AR's burst, for wc_tcp_recent
  output axi_req_t                  m_axi_req_o,
  input  wire axi_resp_t            m_axi_resp_i
);

  localparam int unsigned Lanes = BeatBytes / 8;  // words of a beat
  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned BeatBits = LaneBits + 3;
  localparam int unsigned BlockBits = 8;  // a burst stays within a block of 256 bytes
  localparam int unsigned BlockBeats = 2 ** BlockBits / BeatBytes;
  localparam int unsigned Beats = Lines * 64 / BeatBytes;
  localparam int unsigned SizeBits = $clog2(MostBytes + 1);

  typedef logic [AddrWidth-RingBits-1:0] ring_t;
  typedef logic [RingBits-BlockBits-1:0] block_t;  // in the ring
  typedef logic [BlockBits-BeatBits-1:0] beat_t;   // in the block
  typedef logic [SizeBits-1:0] size_t;
  typedef logic [SizeBits-3:0] lanes_t;
  typedef logic [$clog2(Beats):0] room_t;

  `WC_REQUIRE(ring, RingBits >= 12 && RingBits <= wc_pkg::MostRingBits,
              "wc_tcp_ring_read: RingBits must be 12 to 23")
  `WC_REQUIRE(beat, BeatBytes inside {16, 32, 64},
              "wc_tcp_ring_read: BeatBytes must be 16, 32 or 64")
  `WC_REQUIRE(address, AddrWidth > RingBits && AddrWidth <= 64,
              "wc_tcp_ring_read: AddrWidth must be more than RingBits and at most 64")
  `WC_REQUIRE(most, MostBytes >= 256 && MostBytes <= 65535 && MostBytes <= 2 ** RingBits,
              "wc_tcp_ring_read: MostBytes must be 256 to 65535, and a ring at most")
  `WC_REQUIRE(lines, Lines >= 8 && Lines == 2 ** $clog2(Lines),
              "wc_tcp_ring_read: Lines must be a power of two of 8 or more")

  // ---- to memory -------------------------------------------------------------------------------
  logic asks_q;  // bursts are left to be asked for
  logic take_read, jobs_ready, ask, some_room;
  ring_t ring_q;
  block_t block_q;
  beat_t begin_q, end_q, ask_end;  // the first beat of the burst, the last one of the last
  logic [BeatBits-1:0] begin_byte_q, end_byte_q;  // in these
  logic [SizeBits-BlockBits:0] blocks_q;  // behind the one in work
  logic [SizeBits:0] block_reach;
  room_t room_q;  // beats of the buffer that nobody has asked for
  logic give;  // a beat leaves the buffer

  assign read_ready_o = !asks_q && jobs_ready;
  assign take_read = read_valid_i && read_ready_o;
  // The last byte, counted from the block's beginning.
  assign block_reach = (SizeBits + 1)'(read_i.seq[BlockBits-1:0])
                       + (SizeBits + 1)'(read_i.bytes) - (SizeBits + 1)'(1);
  assign some_room = (room_q >> $clog2(BlockBeats)) != '0;
  assign ask_end = blocks_q == '0 ? end_q : '1;
  assign ask = m_axi_req_o.ar_valid && m_axi_resp_i.ar_ready;

  always_ff @(posedge clk_i) begin
    if (take_read) begin
      asks_q <= 1'b1;
      ring_q <= base_i[AddrWidth-1:RingBits] + ring_t'(read_i.id);
      block_q <= read_i.seq[RingBits-1:BlockBits];
      begin_q <= read_i.seq[BlockBits-1:BeatBits];
      end_q <= block_reach[BlockBits-1:BeatBits];
      begin_byte_q <= read_i.seq[BeatBits-1:0];
      end_byte_q <= block_reach[BeatBits-1:0];
      blocks_q <= block_reach[SizeBits:BlockBits];
    end else if (ask) begin
      asks_q <= blocks_q != '0;
      block_q <= block_q + 1'b1;
      begin_q <= '0;
      begin_byte_q <= '0;
      blocks_q <= blocks_q - 1'b1;
    end
    room_q <= room_q - (ask ? room_t'(m_axi_req_o.ar.len) + room_t'(1) : '0) + room_t'(give);
    if (rst_i) begin
      asks_q <= 1'b0;
      room_q <= room_t'(Beats);
    end
  end

  assign wanted_o.first = {begin_q, begin_byte_q};
  assign wanted_o.last = blocks_q == '0 ? {end_q, end_byte_q} : '1;
  assign m_axi_req_o.ar.addr = {ring_q, block_q, begin_q, BeatBits'(0)};
  assign m_axi_req_o.ar.len = 8'(beat_t'(ask_end - begin_q));
  assign m_axi_req_o.ar_valid = asks_q && some_room;
  assign m_axi_req_o.r_ready = 1'b1;
  assign m_axi_req_o.aw = '0;
  assign m_axi_req_o.aw_valid = 1'b0;
  assign m_axi_req_o.w = '0;
  assign m_axi_req_o.w_valid = 1'b0;
  assign m_axi_req_o.b_ready = 1'b0;

  // ---- what waits for memory -------------------------------------------------------------------
  typedef struct packed {
    tag_t                tag;
    logic [BeatBits-1:0] offset;  // of the first byte in its beat
    size_t               bytes;
  } wait_t;

  typedef struct packed {
    logic                 error;
    logic [BeatBytes*8-1:0] data;
  } read_beat_t;

  wait_t waits;
  read_beat_t beat;
  logic waits_valid, load, beat_valid, buffer_ready;

  // Worst case: Reads. A byte every 10 cycles, with 150 cycles from descriptor to word, are 15.
  wc_fifo_shallow #(
    .data_t(wait_t),
    .Depth (Reads)
  ) u_waits (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(read_valid_i && !asks_q),
    .ready_o(jobs_ready),
    .data_i ('{tag: read_i.tag, offset: read_i.seq[BeatBits-1:0], bytes: size_t'(read_i.bytes)}),
    .valid_o(waits_valid),
    .ready_i(load),
    .data_o (waits)
  );

  // Worst case: all beats that were asked for, which room_q has counted.
  wc_fifo_wide #(
    .data_t(read_beat_t),
    .Depth (Beats)
  ) u_buffer (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(m_axi_resp_i.r_valid),
    .ready_o(buffer_ready),
    .data_i ('{error: m_axi_resp_i.r.resp[1], data: m_axi_resp_i.r.data}),
    .valid_o(beat_valid),
    .ready_i(give),
    .data_o (beat),
    .level_o()
  );

  // ---- beats to words --------------------------------------------------------------------------
  logic job_q;
  tag_t tag_q;
  logic error_q;
  logic [LaneBits-1:0] lane_q;
  lanes_t lanes_q;       // of this job behind the lane in work
  logic [2:0] turn_q;    // bytes of a lane move down by so many
  logic [2:0] final_q;   // last byte of the last word
  logic straight_q;      // turn_q is 0
  logic first_q;         // the first lane's bytes do not make a word yet
  logic tail_q;          // behind the last lane there is a word of what is left of it
  logic flush_q;         // and it is its turn
  logic room, go, last_lane, word_last, job_ends, error;
  logic [SizeBits:0] reach;  // the last byte, counted from the first lane's beginning
  logic [7:0][7:0] lane, turned1, turned2, turned, carry_q, data;

  assign reach = (SizeBits + 1)'(waits.offset[2:0]) + (SizeBits + 1)'(waits.bytes)
                 - (SizeBits + 1)'(1);
  assign load = !job_q || job_ends;
  assign room = !word_valid_o || word_ready_i;
  assign go = job_q && room && (flush_q || beat_valid);
  assign last_lane = lanes_q == '0;
  assign give = go && !flush_q && (last_lane || lane_q == '1);
  assign word_last = flush_q || (last_lane && !tail_q);
  assign job_ends = go && word_last;
  assign error = error_q || (beat.error && !flush_q);
  assign lane = beat.data[64*lane_q+:64];

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      turned1[i] = turn_q[0] ? lane[(i+1)%8] : lane[i];
    end
    for (int unsigned i = 0; i < 8; i++) begin
      turned2[i] = turn_q[1] ? turned1[(i+2)%8] : turned1[i];
    end
    for (int unsigned i = 0; i < 8; i++) begin
      turned[i] = turn_q[2] ? turned2[(i+4)%8] : turned2[i];
    end
    for (int unsigned i = 0; i < 8; i++) begin
      data[i] = !straight_q && 4'(i) + 4'(turn_q) < 4'd8 ? carry_q[i] : turned[i];
      if (word_last && 3'(i) > final_q) data[i] = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
      carry_q <= turned;
      lane_q <= lane_q + 1'b1;
      lanes_q <= lanes_q - 1'b1;
      first_q <= 1'b0;
      flush_q <= last_lane && tail_q;
      error_q <= error;
    end
    if (load) begin
      job_q <= waits_valid;
      tag_q <= waits.tag;
      error_q <= 1'b0;
      lane_q <= waits.offset[BeatBits-1:3];
      lanes_q <= reach[SizeBits:3];
      turn_q <= waits.offset[2:0];
      final_q <= waits.bytes[2:0] - 3'd1;
      straight_q <= waits.offset[2:0] == '0;
      first_q <= waits.offset[2:0] != '0;
      tail_q <= waits.offset[2:0] != '0 && reach[2:0] >= waits.offset[2:0];
      flush_q <= 1'b0;
    end
    if (room) begin
      word_valid_o <= go && !(first_q && !flush_q);
      word_o <= '{tag: tag_q, error: error && word_last, last: word_last, data: data};
    end
    if (rst_i) begin
      job_q <= 1'b0;
      word_valid_o <= 1'b0;
    end
  end

  // ---- rules -----------------------------------------------------------------------------------
  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT_STREAM(word, word_valid_o, word_ready_i, word_o)
  `WC_ASSERT(base_is_aligned, base_i[RingBits-1:0] == '0)
  `WC_ASSERT(size_is_legal, !read_valid_i || (read_i.bytes != '0 && 32'(read_i.bytes) <= MostBytes))
  `WC_ASSERT(beat_has_room, !m_axi_resp_i.r_valid || buffer_ready)
  `WC_ASSERT(beat_was_asked_for, !m_axi_resp_i.r_valid || room_q != room_t'(Beats))
  `WC_ASSERT(room_is_bounded, room_q <= room_t'(Beats))
  // Nothing stands still but for memory, and for who takes words.
  `WC_ASSERT(beats_come, !job_q || flush_q || beat_valid || asks_q || room_q != room_t'(Beats))
  `WC_ASSERT(room_comes, !asks_q || some_room || job_q)

endmodule

`default_nettype wire
