// SPDX-License-Identifier: Apache-2.0
// The value store: writes the value of every stored SET to the block its pointer names, reads that
// of every GET hit, and passes every result on unchanged; all of it in the order of the operations.
// Values of late stay in a ring as well, and GETs of their blocks read them there.
// Latency 5 for a GET's result, 6 for a SET's; 8 and that of memory for a GET's first word, 10 from
// the ring.
// One operation per max(3, value words) cycles, one per cycle without a value.
// Both outputs stall apart; what stalls one is told in hw/store/README.md.
`include "wc_assert.svh"
`default_nettype none

module wc_store
  import wc_pkg::*;
#(
  parameter int unsigned AddrWidth     = 40,
  parameter int unsigned Reads         = 32,  // GETs in flight
  parameter int unsigned HazardEntries = 32,  // SETs in flight or in the ring, and one more
  parameter int unsigned RingWords     = 1024,  // words of late SETs
  parameter int unsigned KeepWords     = 176,   // words of the longest value that is kept there
  parameter int unsigned DataWidth     = 512
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_i,
  // from the index, by way of the size stage; words of SETs from the request stage
  input  wire logic                   result_valid_i,
  output logic                        result_ready_o,
  input  wire result_t                result_i,
  input  wire logic                   value_valid_i,
  output logic                        value_ready_o,
  input  wire beat_t                  value_i,
  // to the answer; words of GET hits
  output logic                        result_valid_o,
  input  wire logic                   result_ready_i,
  output result_t                     result_o,
  output logic                        value_valid_o,
  input  wire logic                   value_ready_i,
  output beat_t                       value_o,
  output store_events_t               events_o,
  // memory
  output logic [3:0]                  m_axi_awid,
  output logic [AddrWidth-1:0]        m_axi_awaddr,
  output logic [7:0]                  m_axi_awlen,
  output logic [2:0]                  m_axi_awsize,
  output logic [1:0]                  m_axi_awburst,
  output logic                        m_axi_awvalid,
  input  wire logic                   m_axi_awready,
  output logic [DataWidth-1:0]        m_axi_wdata,
  output logic [DataWidth/8-1:0]      m_axi_wstrb,
  output logic                        m_axi_wlast,
  output logic                        m_axi_wvalid,
  input  wire logic                   m_axi_wready,
  input  wire logic [3:0]             m_axi_bid,
  input  wire logic [1:0]             m_axi_bresp,
  input  wire logic                   m_axi_bvalid,
  output logic                        m_axi_bready,
  output logic [3:0]                  m_axi_arid,
  output logic [AddrWidth-1:0]        m_axi_araddr,
  output logic [7:0]                  m_axi_arlen,
  output logic [2:0]                  m_axi_arsize,
  output logic [1:0]                  m_axi_arburst,
  output logic                        m_axi_arvalid,
  input  wire logic                   m_axi_arready,
  input  wire logic [3:0]             m_axi_rid,
  input  wire logic [DataWidth-1:0]   m_axi_rdata,
  input  wire logic [1:0]             m_axi_rresp,
  input  wire logic                   m_axi_rlast,
  input  wire logic                   m_axi_rvalid,
  output logic                        m_axi_rready
);

  localparam logic [1:0] BurstIncr = 2'b01;
  localparam logic [2:0] SizeLine = 3'd6;  // 64 bytes a beat
  localparam logic [1:0] RespOkay = 2'b00;

  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_store: AddrWidth must be 36 to 64")
  `WC_REQUIRE(data_width, DataWidth == 8 * LineBytes, "wc_store: DataWidth must be 512")

  localparam int unsigned EntryWidth = $clog2(HazardEntries);
  localparam int unsigned PlaceWidth = $clog2(RingWords) + 1;
  localparam int unsigned WordsWidth = $clog2(KeepWords + 1);

  wc_store_pkg::run_t run;
  logic read_push, read_ready, read_done;
  logic write_push, write_discard, write_keep, write_ready, write_done;
  logic ring_push, ring_ready, ring_write, ring_behind;
  logic [PlaceWidth-1:0] ring_place;
  logic [WordsWidth-1:0] ring_words;
  logic [EntryWidth-1:0] ring_first, hold_first;
  logic hold;
  logic order_push, order_ready;
  logic memory_valid, memory_ready, ring_valid, ring_value_ready;
  logic read_valid, read_word_ready;
  beat_t read_value, memory_value, ring_value;

  assign m_axi_awid = '0;
  assign m_axi_awsize = SizeLine;
  assign m_axi_awburst = BurstIncr;
  assign m_axi_arid = '0;
  assign m_axi_arsize = SizeLine;
  assign m_axi_arburst = BurstIncr;

  wc_store_issue #(
    .Reads        (Reads),
    .HazardEntries(HazardEntries),
    .RingWords    (RingWords),
    .KeepWords    (KeepWords)
  ) u_issue (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .result_valid_i (result_valid_i),
    .result_ready_o (result_ready_o),
    .result_i       (result_i),
    .result_valid_o (result_valid_o),
    .result_ready_i (result_ready_i),
    .result_o       (result_o),
    .events_o       (events_o),
    .run_o          (run),
    .read_push_o    (read_push),
    .read_ready_i   (read_ready),
    .write_push_o   (write_push),
    .write_discard_o(write_discard),
    .write_keep_o   (write_keep),
    .write_ready_i  (write_ready),
    .ring_push_o    (ring_push),
    .ring_place_o   (ring_place),
    .ring_words_o   (ring_words),
    .ring_first_o   (ring_first),
    .ring_ready_i   (ring_ready),
    .order_push_o   (order_push),
    .order_ready_i  (order_ready),
    .read_done_i    (read_done),
    .write_done_i   (write_done),
    .ring_behind_i  (ring_behind),
    .hold_i         (hold),
    .hold_first_i   (hold_first)
  );

  wc_store_write #(
    .AddrWidth(AddrWidth),
    .Runs     (HazardEntries)
  ) u_write (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .push_i       (write_push),
    .ready_o      (write_ready),
    .run_i        (run),
    .discard_i    (write_discard),
    .keep_i       (write_keep),
    .done_o       (write_done),
    .value_valid_i(value_valid_i),
    .value_ready_o(value_ready_o),
    .value_i      (value_i),
    .ring_write_o (ring_write),
    .m_axi_awaddr (m_axi_awaddr),
    .m_axi_awlen  (m_axi_awlen),
    .m_axi_awvalid(m_axi_awvalid),
    .m_axi_awready(m_axi_awready),
    .m_axi_wdata  (m_axi_wdata),
    .m_axi_wstrb  (m_axi_wstrb),
    .m_axi_wlast  (m_axi_wlast),
    .m_axi_wvalid (m_axi_wvalid),
    .m_axi_wready (m_axi_wready),
    .m_axi_bvalid (m_axi_bvalid),
    .m_axi_bready (m_axi_bready)
  );

  wc_store_read #(
    .AddrWidth(AddrWidth),
    .Bursts   (Reads)
  ) u_read (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .push_i       (read_push),
    .ready_o      (read_ready),
    .run_i        (run),
    .done_o       (read_done),
    .value_valid_o(read_valid),
    .value_ready_i(read_word_ready),
    .value_o      (read_value),
    .m_axi_araddr (m_axi_araddr),
    .m_axi_arlen  (m_axi_arlen),
    .m_axi_arvalid(m_axi_arvalid),
    .m_axi_arready(m_axi_arready),
    .m_axi_rdata  (m_axi_rdata),
    .m_axi_rlast  (m_axi_rlast),
    .m_axi_rvalid (m_axi_rvalid),
    .m_axi_rready (m_axi_rready)
  );

  // The line buffer, wide as memory, and what merges words lie far apart.
  wc_slice #(
    .data_t(beat_t)
  ) u_memory_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(read_valid),
    .ready_o(read_word_ready),
    .data_i (read_value),
    .valid_o(memory_valid),
    .ready_i(memory_ready),
    .data_o (memory_value)
  );

  wc_store_ring #(
    .Jobs     (Reads),
    .Entries  (HazardEntries),
    .RingWords(RingWords),
    .KeepWords(KeepWords)
  ) u_ring (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .write_i      (ring_write),
    .data_i       (value_i.data),
    .push_i       (ring_push),
    .ready_o      (ring_ready),
    .place_i      (ring_place),
    .words_i      (ring_words),
    .first_i      (ring_first),
    .behind_o     (ring_behind),
    .hold_o       (hold),
    .hold_first_o (hold_first),
    .value_valid_o(ring_valid),
    .value_ready_i(ring_value_ready),
    .value_o      (ring_value)
  );

  wc_store_merge #(
    .Depth(2 * Reads)
  ) u_merge (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .push_i        (order_push),
    .ready_o       (order_ready),
    .ring_i        (ring_push),
    .memory_valid_i(memory_valid),
    .memory_ready_o(memory_ready),
    .memory_i      (memory_value),
    .ring_valid_i  (ring_valid),
    .ring_ready_o  (ring_value_ready),
    .ring_value_i  (ring_value),
    .value_valid_o (value_valid_o),
    .value_ready_i (value_ready_i),
    .value_o       (value_o)
  );

  // One id, so beats and acknowledgements come in the order they were asked for. Memory has no
  // errors that an answer could speak of.
  `WC_ASSERT(read_answer, !m_axi_rvalid || (m_axi_rid == '0 && m_axi_rresp == RespOkay))
  `WC_ASSERT(write_answer, !m_axi_bvalid || (m_axi_bid == '0 && m_axi_bresp == RespOkay))

endmodule

`default_nettype wire
