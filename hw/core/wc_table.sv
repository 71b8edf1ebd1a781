// SPDX-License-Identifier: Apache-2.0
// The table and the values: operations are hashed, looked up in the index, and their values read or
// written, each part in the order of the operations. User.index says which index: that of TRETS'15
// with its store (hw/index, hw/store), or items in a log (hw/item, hw/log).
// Between index and values the results leave the module and come back, so that what sizes the
// answers can stand there. Both memory ports are as wide as the memory. Latency and throughput are
// those of hash, index and store, one after another.
`include "wc_axi.svh"
`default_nettype none

module wc_table #(
  parameter wc_config_pkg::user_t User = wc_config_pkg::Default,
  localparam wc_config_pkg::config_t Cfg = wc_config_pkg::build(User),
  localparam int unsigned AddrWidth = User.addr_width,
  localparam int unsigned MemWidth  = User.mem_width,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, MemWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(MemWidth)
) (
  input  wire logic                     clk_i,
  input  wire logic                     rst_i,
  // from the host
  input  wire wc_pkg::seconds_t         time_i,
  input  wire wc_pkg::value_len_t       most_bytes_i,  // of an item, as memcached counts them
  input  wire logic [31:0]              hash_seed_i,
  input  wire wc_pkg::reg_req_t         reg_req_i,   // to registers of the index's own
  output wc_pkg::reg_resp_t             reg_resp_o,
  output logic                          irq_o,       // it asks for the host
  input  wire wc_pkg::clear_t           clear_i,
  output logic                          clearing_o,
  output logic                          moves_o,  // it does what operations may have to wait for
  // to the host
  output wc_pkg::index_events_t         index_events_o,
  output wc_pkg::memory_error_t         index_error_o,
  output wc_pkg::memory_error_t         store_error_o,
  output wc_pkg::bad_level_t            bad_buckets_o,
  output wc_pkg::bad_level_t            bad_blocks_o,
  output logic                          hashed_o,  // an operation passes from hash to index
  // operations
  input  wire logic                     request_valid_i,
  output logic                          request_ready_o,
  input  wire wc_pkg::request_t         request_i,
  input  wire logic                     key_valid_i,
  output logic                          key_ready_o,
  input  wire wc_pkg::beat_t            key_i,
  input  wire logic                     value_valid_i,  // of SETs
  output logic                          value_ready_o,
  input  wire wc_pkg::beat_t            value_i,
  // what the index made of them
  output logic                          looked_up_valid_o,
  input  wire logic                     looked_up_ready_i,
  output wc_pkg::result_t               looked_up_o,
  output logic                          key_valid_o,
  input  wire logic                     key_ready_i,
  output wc_pkg::beat_t                 key_o,
  // the same results, on their way to the store
  input  wire logic                     sized_valid_i,
  output logic                          sized_ready_o,
  input  wire wc_pkg::result_t          sized_i,
  output logic                          done_valid_o,
  input  wire logic                     done_ready_i,
  output wc_pkg::result_t               done_o,
  output logic                          value_valid_o,  // of GETs
  input  wire logic                     value_ready_i,
  output wc_pkg::beat_t                 value_o,
  output logic                          value_error_o,
  // memory
  output axi_req_t                      m_axi_index_req_o,
  input  wire axi_resp_t                m_axi_index_resp_i,
  output axi_req_t                      m_axi_store_req_o,
  input  wire axi_resp_t                m_axi_store_resp_i
);

  import wc_pkg::*;

  // The item index reads units where memory is as narrow, else lines.
  localparam int unsigned BeatUnits =
      MemWidth == 8 * wc_log_pkg::UnitBytes ? 1 : wc_log_pkg::LineUnits;
  localparam int unsigned BeatWidth = 8 * wc_log_pkg::UnitBytes * BeatUnits;
  localparam int unsigned IndexWidth = User.index == IndexItem ? BeatWidth : Cfg.line_width;
  localparam int unsigned StoreWidth = User.index == IndexItem ? BeatWidth : 8 * LineBytes;

  logic hashed_valid, hashed_ready;
  hashed_t hashed;
  logic hashed_key_valid, hashed_key_ready;
  beat_t hashed_key;
  `WC_AXI_REQ(AddrWidth, IndexWidth) index_req;
  `WC_AXI_RESP(IndexWidth) index_resp;
  `WC_AXI_REQ(AddrWidth, StoreWidth) store_req;
  `WC_AXI_RESP(StoreWidth) store_resp;

  assign hashed_o = hashed_valid && hashed_ready;

  // It makes room, or a line of its table was emptied: not only says that it clears.
  logic sweeps;

  always_ff @(posedge clk_i) begin
    moves_o <= sweeps || (clearing_o && index_req.b_ready && index_resp.b_valid);
  end

  wc_hash #(
    .Function(User.hash_function),
    .Units   (User.hash_units)
  ) u_hash (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .seed_i         (hash_seed_i),
    .request_valid_i(request_valid_i),
    .request_ready_o(request_ready_o),
    .request_i      (request_i),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready_o),
    .key_i          (key_i),
    .hashed_valid_o (hashed_valid),
    .hashed_ready_i (hashed_ready),
    .hashed_o       (hashed),
    .key_valid_o    (hashed_key_valid),
    .key_ready_i    (hashed_key_ready),
    .key_o          (hashed_key)
  );

  if (User.index == IndexBucket) begin : gen_bucket
    wc_index_pkg::index_settings_t settings;
    wc_index_pkg::bucket_events_t bucket_events;
    wc_store_pkg::store_events_t store_events;
    logic unused_most_bytes;  // no value grows here
    assign unused_most_bytes = ^most_bytes_i;
    logic [Classes-1:0] free_valid, free_ready;
    pointer_t [Classes-1:0] free;
    logic deleted_valid, deleted_ready;
    pointer_t deleted;

    assign sweeps = 1'b0;

    wc_index_host #(
      .QueueDepth   (User.queue_depth),
      .Slots        (User.slots),
      .BucketLines  (Cfg.bucket_lines),
      .MaxBucketBits(User.max_bucket_bits)
    ) u_index_host (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .reg_req_i      (reg_req_i),
      .reg_resp_o     (reg_resp_o),
      .irq_o          (irq_o),
      .settings_o     (settings),
      .free_valid_o   (free_valid),
      .free_ready_i   (free_ready),
      .free_o         (free),
      .deleted_valid_i(deleted_valid),
      .deleted_ready_o(deleted_ready),
      .deleted_i      (deleted),
      .bucket_events_i(bucket_events),
      .store_events_i (store_events)
    );

    wc_index #(
      .Slots        (User.slots),
      .MaxKey       (User.max_key),
      .BucketLines  (Cfg.bucket_lines),
      .MaxBucketBits(User.max_bucket_bits),
      .InFlight     (User.in_flight),
      .AddrWidth    (AddrWidth)
    ) u_index (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .time_i         (time_i),
      .settings_i     (settings),
      .clear_i        (clear_i),
      .clearing_o     (clearing_o),
      .hashed_valid_i (hashed_valid),
      .hashed_ready_o (hashed_ready),
      .hashed_i       (hashed),
      .key_valid_i    (hashed_key_valid),
      .key_ready_o    (hashed_key_ready),
      .key_i          (hashed_key),
      .result_valid_o (looked_up_valid_o),
      .result_ready_i (looked_up_ready_i),
      .result_o       (looked_up_o),
      .key_valid_o    (key_valid_o),
      .key_ready_i    (key_ready_i),
      .key_o          (key_o),
      .free_valid_i   (free_valid),
      .free_ready_o   (free_ready),
      .free_i         (free),
      .deleted_valid_o(deleted_valid),
      .deleted_ready_i(deleted_ready),
      .deleted_o      (deleted),
      .events_o       (index_events_o),
      .bucket_events_o(bucket_events),
      .error_o        (index_error_o),
      .retired_o      (bad_buckets_o),
      .m_axi_req_o    (index_req),
      .m_axi_resp_i   (index_resp)
    );

    wc_store #(
      .AddrWidth(AddrWidth),
      .DataWidth(StoreWidth)
    ) u_store (
      .clk_i         (clk_i),
      .rst_i         (rst_i),
      .result_valid_i(sized_valid_i),
      .result_ready_o(sized_ready_o),
      .result_i      (sized_i),
      .value_valid_i (value_valid_i),
      .value_ready_o (value_ready_o),
      .value_i       (value_i),
      .result_valid_o(done_valid_o),
      .result_ready_i(done_ready_i),
      .result_o      (done_o),
      .value_valid_o (value_valid_o),
      .value_ready_i (value_ready_i),
      .value_o       (value_o),
      .value_error_o (value_error_o),
      .events_o      (store_events),
      .error_o       (store_error_o),
      .bad_o         (bad_blocks_o),
      .m_axi_req_o   (store_req),
      .m_axi_resp_i  (store_resp)
    );
  end else begin : gen_item
    wc_item_pkg::item_settings_t item_settings;
    wc_log_pkg::log_settings_t log_settings;
    wc_item_pkg::item_state_t state;
    wc_item_pkg::host_ask_t ask;
    wc_item_pkg::host_told_t told;
    wc_item_pkg::item_events_t item_events;

    localparam int unsigned MostEntries = 2 ** $bits(wc_item_pkg::entry_t);

    assign irq_o = 1'b0;  // it needs no host

    wc_item_host #(
      .ReadUnits(User.dumps != 0 ? BeatUnits : 0),
      .Ways     (User.ways)
    ) u_item_host (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .reg_req_i      (reg_req_i),
      .reg_resp_o     (reg_resp_o),
      .item_settings_o(item_settings),
      .log_settings_o (log_settings),
      .ask_o          (ask),
      .told_i         (told),
      .state_i        (state),
      .events_i       (item_events)
    );

    wc_item #(
      .Entries  (User.in_flight > MostEntries ? MostEntries : User.in_flight),
      .Lines    (User.in_flight),
      .AddrWidth(AddrWidth),
      .BeatUnits(BeatUnits),
      .Meta     (Cfg.meta),
      .HostReads(User.dumps != 0),
      .FilterCells(User.filter_cells),
      .Ways     (User.ways),
      .Moves    (User.moves)
    ) u_item (
      .clk_i             (clk_i),
      .rst_i             (rst_i),
      .time_i            (time_i),
      .most_bytes_i      (most_bytes_i),
      .item_settings_i   (item_settings),
      .log_settings_i    (log_settings),
      .clear_i           (clear_i),
      .clearing_o        (clearing_o),
      .moves_o           (sweeps),
      .hashed_valid_i    (hashed_valid),
      .hashed_ready_o    (hashed_ready),
      .hashed_i          (hashed),
      .key_valid_i       (hashed_key_valid),
      .key_ready_o       (hashed_key_ready),
      .key_i             (hashed_key),
      .value_valid_i     (value_valid_i),
      .value_ready_o     (value_ready_o),
      .value_i           (value_i),
      .looked_up_valid_o (looked_up_valid_o),
      .looked_up_ready_i (looked_up_ready_i),
      .looked_up_o       (looked_up_o),
      .key_valid_o       (key_valid_o),
      .key_ready_i       (key_ready_i),
      .key_o             (key_o),
      .sized_valid_i     (sized_valid_i),
      .sized_ready_o     (sized_ready_o),
      .sized_i           (sized_i),
      .done_valid_o      (done_valid_o),
      .done_ready_i      (done_ready_i),
      .done_o            (done_o),
      .value_valid_o     (value_valid_o),
      .value_ready_i     (value_ready_i),
      .value_o           (value_o),
      .value_error_o     (value_error_o),
      .index_events_o    (index_events_o),
      .item_events_o     (item_events),
      .state_o           (state),
      .ask_i             (ask),
      .told_o            (told),
      .table_error_o     (index_error_o),
      .log_error_o       (store_error_o),
      .bad_buckets_o     (bad_buckets_o),
      .bad_lines_o       (bad_blocks_o),
      .m_axi_index_req_o (index_req),
      .m_axi_index_resp_i(index_resp),
      .m_axi_log_req_o   (store_req),
      .m_axi_log_resp_i  (store_resp)
    );
  end

  wc_axi_fit #(
    .AddrWidth(AddrWidth),
    .LineWidth(IndexWidth),
    .MemWidth (MemWidth)
  ) u_index_fit (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (index_req),
    .s_axi_resp_o(index_resp),
    .m_axi_req_o (m_axi_index_req_o),
    .m_axi_resp_i(m_axi_index_resp_i)
  );

  wc_axi_fit #(
    .AddrWidth(AddrWidth),
    .LineWidth(StoreWidth),
    .MemWidth (MemWidth)
  ) u_store_fit (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (store_req),
    .s_axi_resp_o(store_resp),
    .m_axi_req_o (m_axi_store_req_o),
    .m_axi_resp_i(m_axi_store_resp_i)
  );

endmodule

`default_nettype wire
