// SPDX-License-Identifier: Apache-2.0
// The value store: writes the value of every stored SET to the block its pointer names, reads the
// value of every GET hit, and passes every result on unchanged, all in the order of the operations.
// Values of recent SETs stay in a ring on the chip as well; GETs of their blocks read them there.
// Either output may stall alone; hw/store/README.md says what stalls what.
// Latency of a result 5 for a GET, 6 for a SET; of a GET's first word 9 and that of memory, or 11
// from the ring. Throughput: an operation in max(3, value words) cycles, in 1 without a value.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_store
  import wc_pkg::*;
  import wc_store_pkg::*;
#(
  parameter int unsigned AddrWidth     = 40,
  parameter int unsigned Reads         = 32,  // GETs in flight
  parameter int unsigned HazardEntries = 32,  // SETs in flight or in the ring, and one more
  parameter int unsigned RingWords     = 1024,  // places in the ring, a word each
  parameter int unsigned KeepWords     = 176,   // words of the longest value that the ring keeps
  parameter int unsigned DataWidth     = 512,
  localparam type axi_req_t            = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t           = `WC_AXI_RESP(DataWidth)
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
  output logic                        value_error_o,  // memory did not give the word: it is wrong
  output store_events_t               events_o,
  output memory_error_t               error_o,
  output bad_level_t                  bad_o,  // blocks that could not be written
  // memory
  output axi_req_t                    m_axi_req_o,
  input  wire axi_resp_t              m_axi_resp_i
);

  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_store: AddrWidth must be 36 to 64")
  `WC_REQUIRE(data_width, DataWidth == 8 * LineBytes, "wc_store: DataWidth must be 512")

  localparam int unsigned EntryWidth = $clog2(HazardEntries);
  localparam int unsigned PlaceWidth = $clog2(RingWords) + 1;
  localparam int unsigned WordsWidth = $clog2(KeepWords + 1);

  wc_store_pkg::run_t run;
  logic [29:0] asked_block, bad_block, unread_block;
  logic bad, bad_put, bad_take, bad_busy, bad_done, unread;
  logic read_error, memory_error, merged_error;
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
  logic merged_valid, merged_ready;
  beat_t read_value, memory_value, ring_value, merged;

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
    .block_o        (asked_block),
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
    .bad_put_o    (bad_put),
    .bad_take_o   (bad_take),
    .bad_o        (bad_block),
    .bad_busy_i   (bad_busy),
    .bad_done_i   (bad_done),
    .value_valid_i(value_valid_i),
    .value_ready_o(value_ready_o),
    .value_i      (value_i),
    .ring_write_o (ring_write),
    .m_axi_awaddr (m_axi_req_o.aw.addr),
    .m_axi_awlen  (m_axi_req_o.aw.len),
    .m_axi_awvalid(m_axi_req_o.aw_valid),
    .m_axi_awready(m_axi_resp_i.aw_ready),
    .m_axi_wdata  (m_axi_req_o.w.data),
    .m_axi_wstrb  (m_axi_req_o.w.strb),
    .m_axi_wlast  (m_axi_req_o.w.last),
    .m_axi_wvalid (m_axi_req_o.w_valid),
    .m_axi_wready (m_axi_resp_i.w_ready),
    .m_axi_bvalid (m_axi_resp_i.b_valid),
    .m_axi_berror (m_axi_resp_i.b.resp[1]),
    .m_axi_bready (m_axi_req_o.b_ready)
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
    .bad_i        (bad),
    .done_o       (read_done),
    .unread_o     (unread),
    .unread_block_o(unread_block),
    .value_valid_o(read_valid),
    .value_ready_i(read_word_ready),
    .value_o      (read_value),
    .error_o      (read_error),
    .m_axi_araddr (m_axi_req_o.ar.addr),
    .m_axi_arlen  (m_axi_req_o.ar.len),
    .m_axi_arvalid(m_axi_req_o.ar_valid),
    .m_axi_arready(m_axi_resp_i.ar_ready),
    .m_axi_rdata  (m_axi_resp_i.r.data),
    .m_axi_rerror (m_axi_resp_i.r.resp[1]),
    .m_axi_rlast  (m_axi_resp_i.r.last),
    .m_axi_rvalid (m_axi_resp_i.r_valid),
    .m_axi_rready (m_axi_req_o.r_ready)
  );

  // The line buffer, wide as memory, and the stage that merges words lie far apart.
  wc_slice #(
    .data_t(logic [$bits(beat_t):0])
  ) u_memory_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(read_valid),
    .ready_o(read_word_ready),
    .data_i ({read_error, read_value}),
    .valid_o(memory_valid),
    .ready_i(memory_ready),
    .data_o ({memory_error, memory_value})
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
    .memory_error_i(memory_error),
    .ring_valid_i  (ring_valid),
    .ring_ready_o  (ring_value_ready),
    .ring_value_i  (ring_value),
    .value_valid_o (merged_valid),
    .value_ready_i (merged_ready),
    .value_o       (merged),
    .value_error_o (merged_error)
  );

  // The stage that merges words is far from the answer stage, which takes them.
  wc_slice #(
    .data_t(logic [$bits(beat_t):0])
  ) u_value_slice (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(merged_valid),
    .ready_o(merged_ready),
    .data_i ({merged_error, merged}),
    .valid_o(value_valid_o),
    .ready_i(value_ready_i),
    .data_o ({value_error_o, value_o})
  );

  // ---- blocks that could not be written ---------------------------------------------------------
  // A GET asks before it goes, in the cycle before at the latest. The answer comes in the cycle
  // after it has gone, which is early enough, as its words come later. All earlier SETs of its
  // block are done when it goes to memory: if one failed, the block is in the list by then.
  wc_bad_list #(
    .Width  (30),
    .Entries(BadPlaces)
  ) u_bad (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(1'b0),
    .ask_i  (asked_block),
    .hit_o  (bad),
    .put_i  (bad_put),
    .take_i (bad_take),
    .place_i(bad_block),
    .busy_o (bad_busy),
    .done_o (bad_done),
    .level_o(bad_o.level),
    .all_o  (bad_o.all)
  );

  always_ff @(posedge clk_i) begin
    error_o <= '{
        read: unread,
        read_line: 32'(unread_block),
        write: bad_put,
        write_line: 32'(bad_block)
    };
    if (rst_i) begin
      error_o.read <= 1'b0;
      error_o.write <= 1'b0;
    end
  end

endmodule

`default_nettype wire
