// SPDX-License-Identifier: Apache-2.0
// The bucket index: finds the key of each operation in a bucket of Slots slots, reads or changes
// the header of the key's slot, and passes the operation on with what the header says.
// hw/index/README.md has the picture.
// A write (SET, DELETE, TOUCH or GAT) holds back writes of other keys of its bucket, and all
// operations behind those, until its lines are acknowledged. Stalled outputs stall the inputs.
// Latency: that of memory, 19 cycles, and one a key word. Throughput: an operation takes a cycle
// for each line it reads, which is 3 + ceil(key / 8); without a key 2.
// Long because the module is wiring: an AXI4 master and a dozen parts, port by port.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_index #(
  parameter int unsigned Slots         = 8,
  parameter int unsigned MaxKey        = wc_pkg::MaxKeyBytes,
  parameter int unsigned BucketLines   = wc_index_pkg::bucket_lines(MaxKey),  // or more
  parameter int unsigned MaxBucketBits = 24,
  parameter int unsigned InFlight      = 64,  // writes not yet acknowledged
  parameter int unsigned AddrWidth     = 40,
  localparam int unsigned LineWidth    = Slots * wc_pkg::WordWidth,
  localparam type axi_req_t            = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type axi_resp_t           = `WC_AXI_RESP(LineWidth)
) (
  input  wire logic                                    clk_i,
  input  wire logic                                    rst_i,
  input  wire wc_pkg::seconds_t                        time_i,
  input  wire wc_index_pkg::index_settings_t           settings_i,
  input  wire wc_pkg::clear_t                          clear_i,  // mark every slot free
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
  output wc_index_pkg::bucket_events_t                 bucket_events_o,
  output wc_pkg::memory_error_t                        error_o,
  output wc_pkg::bad_level_t                           retired_o,  // buckets
  output axi_req_t                                     m_axi_req_o,
  input  wire axi_resp_t                               m_axi_resp_i
);

  import wc_pkg::*;
  import wc_index_pkg::*;

  localparam int unsigned BusBytes = LineWidth / 8;
  localparam int unsigned LineSize = $clog2(BusBytes);
  localparam int unsigned Operations = 64;  // from the reads sent off to the result
  localparam int unsigned KeyWords = 512;  // key words that wait for their lines
  localparam int unsigned Results = 16;
  localparam int unsigned DecideWords = 64;  // key words that wait for the decision; a key fits
  // What may still come to a queue when its room falls.
  localparam int unsigned SentOff = 2;   // operations that the concurrency control unit lets go
  localparam int unsigned InReader = 6;  // key words
  localparam int unsigned InFinish = 2;  // results

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
  logic issue, probe_room, context_room;
  probe_t probe_in;
  context_t context_in;
  logic order_done, ccu_empty, stall, forward;
  logic passed_valid, passed_ready;
  beat_t passed;
  wc_index_pkg::line_t first_line, asked_bucket, bad_bucket;
  logic retired, bad_put, bad_busy, bad_done, bad_forget;

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
    .issue_ready_i (probe_room && context_room),
    .probe_o       (probe_in),
    .context_o     (context_in),
    .done_i        (order_done),
    .empty_o       (ccu_empty),
    .first_o       (first_line),
    .bucket_o      (asked_bucket),
    .retired_i     (retired),
    .stall_o       (stall),
    .forward_o     (forward)
  );

  wc_axi_burst #(
    .LineBytes    (BusBytes),
    .LineAddrWidth(AddrWidth - LineSize),
    .CountWidth   ($bits(count_t))
  ) u_read_burst (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(run_valid),
    .ready_o(run_ready),
    .line_i ((AddrWidth - LineSize)'(run_line)),
    .count_i(run_count),
    .valid_o(m_axi_req_o.ar_valid),
    .ready_i(m_axi_resp_i.ar_ready),
    .addr_o (m_axi_req_o.ar.addr),
    .len_o  (m_axi_req_o.ar.len),
    .last_o ()
  );

  // ---- operations and key words that wait for memory -------------------------------------------
  logic probe_valid, probe_ready;
  probe_t probe;
  logic context_valid, context_ready;
  context_t context_out;
  logic key_valid, key_ready;
  beat_t key;

  wc_credit_fifo #(
    .data_t(probe_t),
    .Depth (Operations),
    .Slack (SentOff)
  ) u_probes (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (probe_room),
    .valid_i(issue),
    .data_i (probe_in),
    .valid_o(probe_valid),
    .ready_i(probe_ready),
    .data_o (probe)
  );

  wc_credit_fifo #(
    .data_t(context_t),
    .Depth (Operations),
    .Slack (SentOff)
  ) u_contexts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (context_room),
    .valid_i(issue),
    .data_i (context_in),
    .valid_o(context_valid),
    .ready_i(context_ready),
    .data_o (context_out)
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
  logic word_in_valid, word_room;
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
    .word_room_i  (word_room),
    .line_valid_i (m_axi_resp_i.r_valid),
    .line_error_i (m_axi_resp_i.r.resp[1]),
    .line_ready_o (m_axi_req_o.r_ready),
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
      .line_i       (m_axi_resp_i.r.data[64*i+:64]),
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
  logic give_valid, give_room, give_full, reclaim;
  logic [Slots-1:0] give_slots, give_dead;
  pointer_t [Slots-1:0] give_pointers;
  index_events_t events;
  bucket_events_t bucket_events;

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
    .give_valid_o   (give_valid),
    .give_slots_o   (give_slots),
    .give_dead_o    (give_dead),
    .give_pointers_o(give_pointers),
    .give_room_i    (give_room),
    .give_full_i    (give_full),
    .verdict_valid_o(verdict_valid),
    .verdict_ready_i(verdict_ready),
    .verdict_o      (verdict),
    .events_o       (events),
    .bucket_events_o(bucket_events)
  );

  wc_index_give #(
    .Slots(Slots)
  ) u_give (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .room_o         (give_room),
    .full_o         (give_full),
    .valid_i        (give_valid),
    .slots_i        (give_slots),
    .dead_i         (give_dead),
    .pointers_i     (give_pointers),
    .deleted_valid_o(deleted_valid_o),
    .deleted_ready_i(deleted_ready_i),
    .deleted_o      (deleted_o),
    .reclaim_o      (reclaim)
  );

  // ---- carry out -------------------------------------------------------------------------------
  logic word_valid, word_ready;
  beat_t word;
  logic result_in_valid, result_room;
  result_t result_in;
  logic key_in_valid, key_in_ready;
  beat_t key_in;
  logic queued_key_valid, queued_key_ready;
  beat_t queued_key;
  logic finish_run_valid, write_run_ready;
  wc_index_pkg::line_t finish_run_line, finish_bucket, unread_line;
  logic unread;
  count_t finish_run_count;
  logic finish_line_valid, write_line_ready;
  word_t finish_line;
  logic [Slots-1:0] finish_slots, finish_zeros;
  logic finish_last;
  logic decided, decided_writes, done;

  wc_credit_fifo #(
    .data_t(beat_t),
    .Depth (DecideWords),
    .Slack (InReader)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (word_room),
    .valid_i(word_in_valid),
    .data_i (word_in),
    .valid_o(word_valid),
    .ready_i(word_ready),
    .data_o (word)
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
    .result_room_i   (result_room),
    .result_o        (result_in),
    .key_valid_o     (key_in_valid),
    .key_ready_i     (key_in_ready),
    .key_o           (key_in),
    .run_valid_o     (finish_run_valid),
    .run_ready_i     (write_run_ready),
    .run_line_o      (finish_run_line),
    .run_count_o     (finish_run_count),
    .run_bucket_o    (finish_bucket),
    .line_valid_o    (finish_line_valid),
    .line_ready_i    (write_line_ready),
    .line_o          (finish_line),
    .line_slots_o    (finish_slots),
    .line_zeros_o    (finish_zeros),
    .line_last_o     (finish_last),
    .decided_o       (decided),
    .decided_writes_o(decided_writes),
    .done_o          (done),
    .unread_o        (unread),
    .unread_line_o   (unread_line)
  );

  wc_credit_fifo #(
    .data_t(result_t),
    .Depth (Results),
    .Slack (InFinish)
  ) u_results (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .room_o (result_room),
    .valid_i(result_in_valid),
    .data_i (result_in),
    .valid_o(result_valid_o),
    .ready_i(result_ready_i),
    .data_o (result_o)
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
    .valid_o(queued_key_valid),
    .ready_i(queued_key_ready),
    .data_o (queued_key),
    .level_o()
  );

  wc_slice #(
    .data_t(beat_t)
  ) u_key (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(queued_key_valid),
    .ready_o(queued_key_ready),
    .data_i (queued_key),
    .valid_o(key_valid_o),
    .ready_i(key_ready_i),
    .data_o (key_o)
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
    .acked_i      (acked),
    .begin_o      (bad_forget)
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
    .run_bucket_i    (clear_writes ? clear_run_line : finish_bucket),
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
    .bad_put_o       (bad_put),
    .bad_o           (bad_bucket),
    .bad_busy_i      (bad_busy),
    .bad_done_i      (bad_done),
    .m_axi_awaddr    (m_axi_req_o.aw.addr),
    .m_axi_awlen     (m_axi_req_o.aw.len),
    .m_axi_awvalid   (m_axi_req_o.aw_valid),
    .m_axi_awready   (m_axi_resp_i.aw_ready),
    .m_axi_wdata     (m_axi_req_o.w.data),
    .m_axi_wstrb     (m_axi_req_o.w.strb),
    .m_axi_wlast     (m_axi_req_o.w.last),
    .m_axi_wvalid    (m_axi_req_o.w_valid),
    .m_axi_wready    (m_axi_resp_i.w_ready),
    .m_axi_bvalid    (m_axi_resp_i.b_valid),
    .m_axi_berror    (m_axi_resp_i.b.resp[1]),
    .m_axi_bready    (m_axi_req_o.b_ready)
  );

  // ---- buckets that could not be written --------------------------------------------------------
  // What is in such a bucket does not count until the table is cleared. The list is emptied when a
  // clear begins: nothing is in flight then.
  wc_bad_list #(
    .Width  ($bits(wc_index_pkg::line_t)),
    .Entries(BadPlaces)
  ) u_retired (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(bad_forget),
    .ask_i  (asked_bucket),
    .hit_o  (retired),
    .put_i  (bad_put),
    .take_i (1'b0),
    .place_i(bad_bucket),
    .busy_o (bad_busy),
    .done_o (bad_done),
    .level_o(retired_o.level),
    .all_o  (retired_o.all)
  );

  // In lines of 64 bytes.
  function automatic logic [31:0] memory_line(wc_index_pkg::line_t line);
    return 32'(Slots == 4 ? line >> 1 : Slots == 16 ? line << 1 : line);
  endfunction

  always_ff @(posedge clk_i) begin
    error_o <= '{
        read: unread,
        read_line: memory_line(unread_line),
        write: bad_put,
        write_line: memory_line(bad_bucket)
    };
    if (rst_i) begin
      error_o.read <= 1'b0;
      error_o.write <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    events_o <= events;
    bucket_events_o <= bucket_events;
    bucket_events_o.stall <= stall;
    bucket_events_o.forward <= forward;
    bucket_events_o.reclaim <= reclaim;
  end

endmodule

`default_nettype wire
