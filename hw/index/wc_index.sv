// SPDX-License-Identifier: Apache-2.0
// The bucket index: one operation after the other finds its key in a bucket of Slots slots, reads
// or changes the slot's header, and goes on with what it found. README.md has the picture.
// Latency: that of memory, 19 cycles and one a key word. Throughput: 3 + ceil(key / 8) cycles an
// operation, the lines it reads; 2 without a key. A SET or DELETE holds back SETs and DELETEs of
// other keys of its bucket, and all behind them, until its lines are acknowledged. Stalled outputs
// stall the inputs.
// Long because it is wiring: an AXI4 master and a dozen parts, port by port.
`include "wc_assert.svh"
`default_nettype none

module wc_index #(
  parameter int unsigned Slots         = 8,
  parameter int unsigned MaxKey        = wc_pkg::MaxKeyBytes,
  parameter int unsigned BucketLines   = wc_index_pkg::bucket_lines(MaxKey),  // or more
  parameter int unsigned MaxBucketBits = 24,
  parameter int unsigned InFlight      = 64,  // SETs and DELETEs not yet acknowledged
  parameter int unsigned AddrWidth     = 40,
  localparam int unsigned LineWidth    = Slots * wc_pkg::WordWidth
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_i,
  input  wire wc_pkg::seconds_t                        time_i,
  input  wire wc_pkg::index_settings_t                 settings_i,
  input  wire logic                                    clear_i,  // mark every slot free
  output logic                                         clearing_o,
  input  wire logic                                    hashed_valid_i,
  output logic                                         hashed_ready_o,
  input  wire wc_pkg::hashed_t                         hashed_i,
  input  wire logic                                    key_valid_i,
  output logic                                         key_ready_o,
  input  wire wc_pkg::beat_t                           key_i,
  output logic                                         result_valid_o,
  input  wire logic                                    result_ready_i,
  output wc_pkg::result_t                              result_o,
  output logic                                         key_valid_o,
  input  wire logic                                    key_ready_i,
  output wc_pkg::beat_t                                key_o,
  input  wire logic [wc_pkg::Classes-1:0]              free_valid_i,
  output logic [wc_pkg::Classes-1:0]                   free_ready_o,
  input  wire wc_pkg::pointer_t [wc_pkg::Classes-1:0]  free_i,
  output logic                                         deleted_valid_o,
  input  wire logic                                    deleted_ready_i,
  output wc_pkg::pointer_t                             deleted_o,
  output wc_pkg::index_events_t                        events_o,
  output logic [3:0]                                   m_axi_awid,
  output logic [AddrWidth-1:0]                         m_axi_awaddr,
  output logic [7:0]                                   m_axi_awlen,
  output logic [2:0]                                   m_axi_awsize,
  output logic [1:0]                                   m_axi_awburst,
  output logic                                         m_axi_awvalid,
  input  wire logic                                    m_axi_awready,
  output logic [LineWidth-1:0]                         m_axi_wdata,
  output logic [LineWidth/8-1:0]                       m_axi_wstrb,
  output logic                                         m_axi_wlast,
  output logic                                         m_axi_wvalid,
  input  wire logic                                    m_axi_wready,
  input  wire logic [3:0]                              m_axi_bid,
  input  wire logic [1:0]                              m_axi_bresp,
  input  wire logic                                    m_axi_bvalid,
  output logic                                         m_axi_bready,
  output logic [3:0]                                   m_axi_arid,
  output logic [AddrWidth-1:0]                         m_axi_araddr,
  output logic [7:0]                                   m_axi_arlen,
  output logic [2:0]                                   m_axi_arsize,
  output logic [1:0]                                   m_axi_arburst,
  output logic                                         m_axi_arvalid,
  input  wire logic                                    m_axi_arready,
  input  wire logic [3:0]                              m_axi_rid,
  input  wire logic [LineWidth-1:0]                    m_axi_rdata,
  input  wire logic [1:0]                              m_axi_rresp,
  input  wire logic                                    m_axi_rlast,
  input  wire logic                                    m_axi_rvalid,
  output logic                                         m_axi_rready
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned BusBytes = LineWidth / 8;
  localparam int unsigned LineSize = $clog2(BusBytes);
  localparam int unsigned InPage = 12 - LineSize;
  localparam int unsigned CountWidth = InPage < $bits(count_t) ? $bits(count_t) : InPage;
  localparam int unsigned Operations = 64;  // between the reads sent off and the result
  typedef logic [$clog2(Operations):0] level_t;
  localparam int unsigned KeyWords = 512;  // waiting for their lines
  localparam int unsigned Results = 16;
  localparam int unsigned LateWords = 64;  // waiting for the decision; holds the longest key

  `WC_REQUIRE(slots, Slots == 4 || Slots == 8 || Slots == 16, "wc_index: Slots must be 4, 8 or 16")
  `WC_REQUIRE(max_key, MaxKey >= 1 && MaxKey <= MaxKeyBytes, "wc_index: MaxKey must be 1 to 250")
  `WC_REQUIRE(bucket_lines, BucketLines >= (MaxKey + 7) / 8 + HeaderLines && BucketLines < 64,
              "wc_index: BucketLines must hold the largest key and three lines, and be below 64")
  `WC_REQUIRE(max_bucket_bits, MaxBucketBits >= 4 && MaxBucketBits <= 24,
              "wc_index: MaxBucketBits must be 4 to 24")
  `WC_REQUIRE(in_flight, InFlight >= 2 && InFlight <= 128 && InFlight == 2 ** $clog2(InFlight),
              "wc_index: InFlight must be a power of two of 2 to 128")
  `WC_REQUIRE(addr_width, AddrWidth >= 32 && AddrWidth <= 64,
              "wc_index: AddrWidth must be 32 to 64")

  seconds_t time_q;
  always_ff @(posedge clk_i) time_q <= time_i;

  // ---- hazards, and the reads sent off ---------------------------------------------------------
  logic run_valid, run_ready;
  wc_index_pkg::line_t run_line;
  count_t run_count;
  logic issue, probe_in_ready, context_in_ready, issue_room_q;
  level_t probe_level, context_level;
  probe_t probe_in;
  context_t context_in;
  logic order_done, ccu_empty, stall, forward;
  logic passed_valid, passed_ready;
  beat_t passed;
  wc_index_pkg::line_t first_line;

  wc_index_ccu #(
    .Slots        (Slots),
    .MaxKey       (MaxKey),
    .BucketLines  (BucketLines),
    .MaxBucketBits(MaxBucketBits),
    .InFlight     (InFlight)
  ) u_ccu (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .settings_i    (settings_i),
    .hold_i        (clearing_o),
    .hashed_valid_i(hashed_valid_i),
    .hashed_ready_o(hashed_ready_o),
    .hashed_i      (hashed_i),
    .key_valid_i   (key_valid_i),
    .key_ready_o   (key_ready_o),
    .key_i         (key_i),
    .word_valid_o  (passed_valid),
    .word_ready_i  (passed_ready),
    .word_o        (passed),
    .run_valid_o   (run_valid),
    .run_ready_i   (run_ready),
    .run_line_o    (run_line),
    .run_count_o   (run_count),
    .issue_o       (issue),
    .issue_ready_i (issue_room_q),
    .probe_o       (probe_in),
    .context_o     (context_in),
    .done_i        (order_done),
    .empty_o       (ccu_empty),
    .first_o       (first_line),
    .stall_o       (stall),
    .forward_o     (forward)
  );

  wc_axi_burst #(
    .LineBytes    (BusBytes),
    .LineAddrWidth(AddrWidth - LineSize),
    .CountWidth   (CountWidth)
  ) u_read_burst (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(run_valid),
    .ready_o(run_ready),
    .line_i ((AddrWidth - LineSize)'(run_line)),
    .count_i(CountWidth'(run_count)),
    .valid_o(m_axi_arvalid),
    .ready_i(m_axi_arready),
    .addr_o (m_axi_araddr),
    .len_o  (m_axi_arlen),
    .last_o ()
  );

  // ---- what waits for memory -------------------------------------------------------------------
  logic probe_valid, probe_ready;
  probe_t probe;
  logic context_valid, context_ready;
  context_t context_out;
  logic key_valid, key_ready;
  beat_t key;

  // Room for those that go before the levels show it.
  always_ff @(posedge clk_i) begin
    issue_room_q <= probe_level <= level_t'(Operations - 4) &&
                  context_level <= level_t'(Operations - 4);
    if (rst_i) issue_room_q <= 1'b0;
  end

  wc_fifo #(
    .data_t(probe_t),
    .Depth (Operations)
  ) u_probes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(issue),
    .ready_o(probe_in_ready),
    .data_i (probe_in),
    .valid_o(probe_valid),
    .ready_i(probe_ready),
    .data_o (probe),
    .level_o(probe_level)
  );

  wc_fifo #(
    .data_t(context_t),
    .Depth (Operations)
  ) u_contexts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(issue),
    .ready_o(context_in_ready),
    .data_i (context_in),
    .valid_o(context_valid),
    .ready_i(context_ready),
    .data_o (context_out),
    .level_o(context_level)
  );

  wc_fifo #(
    .data_t(beat_t),
    .Depth (KeyWords)
  ) u_keys (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(passed_valid),
    .ready_o(passed_ready),
    .data_i (passed),
    .valid_o(key_valid),
    .ready_i(key_ready),
    .data_o (key),
    .level_o()
  );

  // ---- compare ---------------------------------------------------------------------------------
  logic word_in_valid, word_in_ready, word_room_q;
  beat_t word_in;
  logic room, due;
  logic is_key, is_first, is_head, is_expiry, is_cas;
  word_t expected;
  logic ask_valid;
  ask_t ask;
  cas_t flush_floor;
  logic flushed, keep;
  logic [Slots-1:0] match, cas_equal, live;
  kept_t [Slots-1:0] kept;
  cas_t [Slots-1:0] cas;

  wc_index_reader u_reader (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .probe_valid_i(probe_valid),
    .probe_ready_o(probe_ready),
    .probe_i      (probe),
    .key_valid_i  (key_valid),
    .key_ready_o  (key_ready),
    .key_i        (key),
    .word_valid_o (word_in_valid),
    .word_o       (word_in),
    .word_room_i  (word_room_q),
    .line_valid_i (m_axi_rvalid),
    .line_ready_o (m_axi_rready),
    .room_i       (room),
    .due_i        (due),
    .key_o        (is_key),
    .first_o      (is_first),
    .head_o       (is_head),
    .expiry_o     (is_expiry),
    .cas_o        (is_cas),
    .expected_o   (expected),
    .ask_valid_o  (ask_valid),
    .ask_o        (ask)
  );

  for (genvar i = 0; i < Slots; i++) begin : gen_slot
    wc_index_slot u_slot (
      .clk_i        (clk_i),
      .line_i       (m_axi_rdata[64*i+:64]),
      .key_i        (is_key),
      .first_i      (is_first),
      .head_i       (is_head),
      .expiry_i     (is_expiry),
      .cas_i        (is_cas),
      .expected_i   (expected),
      .time_i       (time_q),
      .floor_i      (flush_floor),
      .flushed_i    (flushed),
      .keep_i       (keep),
      .match_o      (match[i]),
      .cas_equal_o  (cas_equal[i]),
      .live_o       (live[i]),
      .kept_o       (kept[i]),
      .cas_o        (cas[i])
    );
  end

  // ---- decide ----------------------------------------------------------------------------------
  logic verdict_valid, verdict_ready;
  verdict_t verdict;
  logic reclaim;
  index_events_t events;

  wc_index_decide #(
    .Slots   (Slots),
    .InFlight(InFlight)
  ) u_decide (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (time_q),
    .wish_valid_i   (probe_ready),
    .wish_i         (probe.wish),
    .ask_valid_i    (ask_valid),
    .ask_i          (ask),
    .when_i         (expected[31:0]),
    .due_o          (due),
    .room_o         (room),
    .floor_o        (flush_floor),
    .flushed_o      (flushed),
    .keep_o         (keep),
    .match_i        (match),
    .cas_equal_i    (cas_equal),
    .live_i         (live),
    .kept_i         (kept),
    .cas_i          (cas),
    .free_valid_i   (free_valid_i),
    .free_ready_o   (free_ready_o),
    .free_i         (free_i),
    .deleted_valid_o(deleted_valid_o),
    .deleted_ready_i(deleted_ready_i),
    .deleted_o      (deleted_o),
    .verdict_valid_o(verdict_valid),
    .verdict_ready_i(verdict_ready),
    .verdict_o      (verdict),
    .reclaim_o      (reclaim),
    .events_o       (events)
  );

  // ---- carry out -------------------------------------------------------------------------------
  logic word_valid, word_ready;
  beat_t word;
  logic result_in_valid, result_in_ready, result_room_q;
  result_t result_in;
  logic key_in_valid, key_in_ready;
  beat_t key_in;
  logic finish_run_valid, write_run_ready;
  wc_index_pkg::line_t finish_run_line;
  count_t finish_run_count;
  logic finish_line_valid, write_line_ready;
  word_t finish_line;
  logic [Slots-1:0] finish_slots, finish_zeros;
  logic finish_last;
  logic decided, decided_writes, done;
  logic [$clog2(LateWords):0] word_level;
  logic [$clog2(Results):0] result_level;

  // Room for those on their way, too.
  always_ff @(posedge clk_i) begin
    word_room_q <= word_level <= ($bits(word_level))'(LateWords - 8);
    result_room_q <= result_level <= ($bits(result_level))'(Results - 4);
    if (rst_i) begin
      word_room_q <= 1'b0;
      result_room_q <= 1'b0;
    end
  end

  wc_fifo #(
    .data_t(beat_t),
    .Depth (LateWords)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(word_in_valid),
    .ready_o(word_in_ready),
    .data_i (word_in),
    .valid_o(word_valid),
    .ready_i(word_ready),
    .data_o (word),
    .level_o(word_level)
  );

  wc_index_finish #(
    .Slots(Slots)
  ) u_finish (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .verdict_valid_i (verdict_valid),
    .verdict_ready_o (verdict_ready),
    .verdict_i       (verdict),
    .context_valid_i (context_valid),
    .context_ready_o (context_ready),
    .context_i       (context_out),
    .word_valid_i    (word_valid),
    .word_ready_o    (word_ready),
    .word_i          (word),
    .result_valid_o  (result_in_valid),
    .result_room_i   (result_room_q),
    .result_o        (result_in),
    .key_valid_o     (key_in_valid),
    .key_ready_i     (key_in_ready),
    .key_o           (key_in),
    .run_valid_o     (finish_run_valid),
    .run_ready_i     (write_run_ready),
    .run_line_o      (finish_run_line),
    .run_count_o     (finish_run_count),
    .line_valid_o    (finish_line_valid),
    .line_ready_i    (write_line_ready),
    .line_o          (finish_line),
    .line_slots_o    (finish_slots),
    .line_zeros_o    (finish_zeros),
    .line_last_o     (finish_last),
    .decided_o       (decided),
    .decided_writes_o(decided_writes),
    .done_o          (done)
  );

  wc_fifo #(
    .data_t(result_t),
    .Depth (Results)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(result_in_valid),
    .ready_o(result_in_ready),
    .data_i (result_in),
    .valid_o(result_valid_o),
    .ready_i(result_ready_i),
    .data_o (result_o),
    .level_o(result_level)
  );

  wc_fifo #(
    .data_t(beat_t),
    .Depth (64)
  ) u_result_keys (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(key_in_valid),
    .ready_o(key_in_ready),
    .data_i (key_in),
    .valid_o(key_valid_o),
    .ready_i(key_ready_i),
    .data_o (key_o),
    .level_o()
  );

  // ---- write -----------------------------------------------------------------------------------
  logic clear_run_valid, clear_writes, acked;
  wc_index_pkg::line_t clear_run_line;

  wc_index_clear #(
    .BucketLines  (BucketLines),
    .MaxBucketBits(MaxBucketBits),
    .Operations   (Operations)
  ) u_clear (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .clear_i      (clear_i),
    .clearing_o   (clearing_o),
    .writing_o    (clear_writes),
    .issue_i      (issue),
    .done_i       (done),
    .empty_i      (ccu_empty),
    .bucket_bits_i(settings_i.bucket_bits),
    .first_i      (first_line),
    .run_valid_o  (clear_run_valid),
    .run_ready_i  (write_run_ready),
    .run_line_o   (clear_run_line),
    .line_ready_i (write_line_ready),
    .acked_i      (acked)
  );

  wc_index_write #(
    .Slots    (Slots),
    .InFlight (InFlight),
    .AddrWidth(AddrWidth)
  ) u_write (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .run_valid_i     (finish_run_valid || clear_run_valid),
    .run_ready_o     (write_run_ready),
    .run_line_i      (clear_writes ? clear_run_line : finish_run_line),
    .run_count_i     (clear_writes ? count_t'(1) : finish_run_count),
    .line_valid_i    (finish_line_valid || (clear_run_valid && write_run_ready)),
    .line_ready_o    (write_line_ready),
    .line_i          (finish_line),
    .line_slots_i    (finish_slots),
    .line_zeros_i    (clear_writes ? '1 : finish_zeros),
    .line_last_i     (clear_writes || finish_last),
    .ordered_i       (!clear_writes),
    .decided_i       (decided),
    .decided_writes_i(decided_writes),
    .done_o          (order_done),
    .acked_o         (acked),
    .m_axi_awaddr    (m_axi_awaddr),
    .m_axi_awlen     (m_axi_awlen),
    .m_axi_awvalid   (m_axi_awvalid),
    .m_axi_awready   (m_axi_awready),
    .m_axi_wdata     (m_axi_wdata),
    .m_axi_wstrb     (m_axi_wstrb),
    .m_axi_wlast     (m_axi_wlast),
    .m_axi_wvalid    (m_axi_wvalid),
    .m_axi_wready    (m_axi_wready),
    .m_axi_bvalid    (m_axi_bvalid),
    .m_axi_bready    (m_axi_bready)
  );

  logic unused_last;
  assign unused_last = m_axi_rlast;  // the lines are counted

  assign m_axi_awid = '0;
  assign m_axi_awsize = 3'(LineSize);
  assign m_axi_awburst = 2'b01;
  assign m_axi_arid = '0;
  assign m_axi_arsize = 3'(LineSize);
  assign m_axi_arburst = 2'b01;

  always_ff @(posedge clk_i) begin
    events_o <= events;
    events_o.stall <= stall;
    events_o.forward <= forward;
    events_o.reclaim <= reclaim;
  end

  `WC_ASSERT(issue_has_room, !issue || (probe_in_ready && context_in_ready))
  `WC_ASSERT(word_has_room, !word_in_valid || word_in_ready)
  `WC_ASSERT(result_has_room, !result_in_valid || result_in_ready)
  `WC_ASSERT(read_ok, !m_axi_rvalid || (m_axi_rresp == '0 && m_axi_rid == '0))
  `WC_ASSERT(write_ok, !m_axi_bvalid || (m_axi_bresp == '0 && m_axi_bid == '0))

endmodule

`default_nettype wire
