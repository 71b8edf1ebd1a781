// SPDX-License-Identifier: Apache-2.0
// Bytes of rings that were written a moment ago, so that who reads them at once need not wait for
// memory. It stands between a wc_tcp_ring_read and memory, and hears what a wc_tcp_ring_write writes.
//
// Of each of Blocks blocks of 256 bytes it keeps the bytes of one payload: from the first to the
// last, without a gap. A burst of which all wanted bytes are kept is given from here, if nothing is
// on its way from memory: so answers stay in order, and a reader that is busy reads as without it.
// Whatever is written to a block takes the place of what was kept of it, so nothing here is ever
// older than what memory has.
// Latency: AR to R 3 cycles for what is kept; AR to memory's AR 2 cycles for the rest.
// Throughput: a burst every 3 cycles, and a beat a cycle. R is never held up. While a block is
// given, what is written to its place is not kept.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_tcp_recent #(
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned RingBits  = 16,
  parameter int unsigned BeatBytes = 16,  // of the port: 16, 32 or 64
  parameter int unsigned Blocks    = 16,  // a power of two
  localparam int unsigned BeatBits = $clog2(BeatBytes),
  localparam type axi_req_t  = `WC_AXI_REQ(AddrWidth, 8 * BeatBytes),
  localparam type axi_resp_t = `WC_AXI_RESP(8 * BeatBytes)
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  // A beat that is written, as wc_tcp_ring_write tells.
  input  wire logic                     wrote_valid_i,
  input  wire wc_tcp_ring_pkg::wrote_t  wrote_i,
  input  wire logic [8*BeatBytes-1:0]   wrote_data_i,
  // Reads: AR with the wanted bytes of its block, and R. All else of the structs is not used.
  input  wire axi_req_t                 s_axi_req_i,
  input  wire wc_tcp_ring_pkg::wanted_t s_wanted_i,
  output axi_resp_t                     s_axi_resp_o,
  output axi_req_t                      m_axi_req_o,
  input  wire axi_resp_t                m_axi_resp_i
);

  localparam int unsigned BlockBits = 8;
  localparam int unsigned IndexBits = $clog2(Blocks);
  localparam int unsigned PlaceBits = BlockBits - BeatBits;

  `WC_REQUIRE(blocks, Blocks >= 2 && Blocks == 2 ** IndexBits,
              "wc_tcp_recent: Blocks must be a power of two of 2 or more")
  `WC_REQUIRE(address, AddrWidth >= RingBits + IndexBits && RingBits >= BlockBits + IndexBits,
              "wc_tcp_recent: RingBits must have room for Blocks, AddrWidth for as many rings")

  typedef logic [AddrWidth-BlockBits-1:0] block_t;
  typedef logic [AddrWidth-BeatBits-1:0] beat_t;
  typedef logic [IndexBits-1:0] index_t;
  typedef logic [PlaceBits-1:0] place_t;  // of a beat in its block

  // Blocks side by side lie apart, and so do those of rings side by side.
  function automatic index_t index_of(block_t block);
    return index_t'(block) ^ index_t'(block >> (RingBits - BlockBits));
  endfunction

  typedef struct packed {
    block_t                   block;
    wc_tcp_ring_pkg::wanted_t kept;
  } entry_t;

  typedef enum logic [1:0] {
    Idle,
    Look,    // what is kept of the block is read
    Decide,
    Give
  } state_e;

  state_e state_q;
  logic [Blocks-1:0] valid_q;

  // ---- what is written --------------------------------------------------------------------------
  logic goes_on_q;  // the last beat has its last byte, so the next one may go on from it
  beat_t next_q;  // that one
  logic [BlockBits-1:0] first_q, first;
  logic locked, goes_on, keeps;
  beat_t wrote_beat;
  block_t wrote_block;
  entry_t written;
  index_t wrote_index, index_q;
  place_t wrote_place;

  assign wrote_beat = wrote_i.first[AddrWidth-1:BeatBits];
  assign wrote_block = wrote_i.first[AddrWidth-1:BlockBits];
  assign wrote_place = wrote_i.first[BlockBits-1:BeatBits];
  assign wrote_index = index_of(wrote_block);
  assign locked = state_q == Give && wrote_index == index_q;
  assign keeps = wrote_valid_i && !locked;
  assign goes_on = goes_on_q && wrote_beat == next_q && wrote_i.first[BeatBits-1:0] == '0;
  assign written = '{block: wrote_block, kept: '{first: first, last: wrote_i.last}};
  assign first = goes_on ? first_q : wrote_i.first[BlockBits-1:0];

  always_ff @(posedge clk_i) begin
    if (wrote_valid_i) begin
      goes_on_q <= keeps && wrote_i.last[BeatBits-1:0] == '1 && wrote_place != '1;
      next_q <= wrote_beat + 1'b1;
      first_q <= first;
    end
    if (rst_i) goes_on_q <= 1'b0;
  end

  // ---- what is kept -----------------------------------------------------------------------------
  logic take;
  logic [AddrWidth-1:0] addr_q;  // of the AR that was taken
  logic [7:0] len_q;
  wc_tcp_ring_pkg::wanted_t wanted_q;
  entry_t entry;
  logic [8*BeatBytes-1:0] data;
  block_t asked_block, block;
  index_t asked_index;
  place_t place_q, place;
  logic [PlaceBits-1:0] left_q;  // beats to be given behind the one that is
  logic give;

  assign asked_block = s_axi_req_i.ar.addr[AddrWidth-1:BlockBits];
  assign asked_index = index_of(asked_block);
  assign block = addr_q[AddrWidth-1:BlockBits];
  assign take = state_q == Idle && s_axi_req_i.ar_valid;
  assign place = state_q == Give ? place_q : addr_q[BlockBits-1:BeatBits];

  wc_ram_sdp #(
    .Width($bits(entry_t)),
    .Depth(Blocks)
  ) u_entries (
    .clk_i  (clk_i),
    .we_i   (keeps),
    .waddr_i(wrote_index),
    .wdata_i(written),
    .re_i   (take),
    .raddr_i(asked_index),
    .rdata_o(entry)
  );

  wc_ram_sdp #(
    .Width(8 * BeatBytes),
    .Depth(Blocks * 2 ** PlaceBits)
  ) u_data (
    .clk_i  (clk_i),
    .we_i   (keeps),
    .waddr_i({wrote_index, wrote_place}),
    .wdata_i(wrote_data_i),
    .re_i   (1'b1),
    .raddr_i({index_q, place}),
    .rdata_o(data)
  );

  always_ff @(posedge clk_i) begin
    if (keeps) valid_q[wrote_index] <= 1'b1;
    // What is kept of the block that is given would be older than memory.
    if (wrote_valid_i && locked && wrote_block == block) valid_q[wrote_index] <= 1'b0;
    if (rst_i) valid_q <= '0;
  end

  // ---- reads ------------------------------------------------------------------------------------
  logic hit_q, touched_q, touched;  // touched: written since it was looked at
  logic [7:0] bursts_q;  // on their way from memory
  logic to_memory, from_memory;

  assign touched = wrote_valid_i && wrote_index == index_q;
  assign give = state_q == Decide && hit_q && !touched_q && !touched && bursts_q == '0;
  assign to_memory = m_axi_req_o.ar_valid && m_axi_resp_i.ar_ready;
  assign from_memory = m_axi_resp_i.r_valid && m_axi_resp_i.r.last;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: if (take) begin
        addr_q <= s_axi_req_i.ar.addr;
        len_q <= s_axi_req_i.ar.len;
        wanted_q <= s_wanted_i;
        index_q <= asked_index;
        touched_q <= wrote_valid_i && wrote_index == asked_index;
        state_q <= Look;
      end
      Look: begin
        hit_q <= valid_q[index_q] && entry.block == block && wanted_q.first >= entry.kept.first
                 && wanted_q.last <= entry.kept.last;
        touched_q <= touched_q || touched;
        state_q <= Decide;
      end
      Decide: if (give) begin
        state_q <= Give;
      end else begin
        hit_q <= 1'b0;  // offered to memory, and so until it takes it
        if (to_memory) state_q <= Idle;
      end
      Give: if (left_q == '0) state_q <= Idle;
    endcase
    place_q <= place + 1'b1;
    left_q <= state_q == Give ? left_q - 1'b1 : len_q[PlaceBits-1:0];
    bursts_q <= bursts_q + 8'(to_memory) - 8'(from_memory);
    if (rst_i) begin
      state_q <= Idle;
      bursts_q <= '0;
    end
  end

  always_comb begin
    m_axi_req_o = '0;
    m_axi_req_o.ar = '{addr: addr_q, len: len_q};
    m_axi_req_o.ar_valid = state_q == Decide && !give;
    m_axi_req_o.r_ready = 1'b1;
    s_axi_resp_o = '0;
    s_axi_resp_o.ar_ready = state_q == Idle;
    s_axi_resp_o.r_valid = m_axi_resp_i.r_valid || state_q == Give;
    s_axi_resp_o.r = m_axi_resp_i.r;
    if (state_q == Give) begin
      s_axi_resp_o.r = '{data: data, resp: `WC_AXI_OKAY, last: left_q == '0};
    end
  end

  // ---- rules ------------------------------------------------------------------------------------
  `WC_ASSERT_STREAM(ar, m_axi_req_o.ar_valid, m_axi_resp_i.ar_ready, m_axi_req_o.ar)
  `WC_ASSERT(r_is_taken, !s_axi_resp_o.r_valid || s_axi_req_i.r_ready)
  `WC_ASSERT(in_order, !m_axi_resp_i.r_valid || (state_q != Give && bursts_q != '0))
  `WC_ASSERT(bursts_are_counted, !to_memory || bursts_q != '1)
  `WC_ASSERT(burst_in_block, !s_axi_req_i.ar_valid
             || 32'(s_axi_req_i.ar.addr[BlockBits-1:BeatBits]) + 32'(s_axi_req_i.ar.len)
                < 2 ** PlaceBits)

endmodule

`default_nettype wire
