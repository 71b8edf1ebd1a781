// SPDX-License-Identifier: Apache-2.0
// The item index and its log: finds the item of each operation's key, writes those of SETs, and
// reads the values of GET hits, all in the order of the operations. It takes the place of index and
// store of TRETS'15 (wc_index, wc_store), and needs no host to hand out memory.
// Between the comparison and the values the results leave the module and come back, so that what
// sizes the answers can stand there. hw/item/README.md has the picture.
// Long because the module is wiring: two AXI masters and a dozen parts, port by port.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_item
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned Entries   = 64,  // buckets on the chip
  parameter int unsigned Lines     = 64,  // that a reader has on the way; twice as many units
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = LineUnits,  // of the log's readers and writer
  parameter bit          Meta      = 1'b1,  // there are meta commands
  parameter bit          HostReads = 1'b1,  // the host may read memory
  parameter int unsigned FilterCells = 0,  // of a slice of the filter; 0: there is none
  parameter int unsigned Ways      = 1,  // lines in which a key may be
  parameter int unsigned Moves     = wc_cuckoo_pkg::MostMoves,  // Ways > 1
  localparam int unsigned DataWidth = 8 * UnitBytes * BeatUnits,
  localparam type axi_req_t        = `WC_AXI_REQ(AddrWidth, DataWidth),
  localparam type axi_resp_t       = `WC_AXI_RESP(DataWidth)
) (
  input  wire logic           clk_i,
  input  wire logic           rst_i,
  input  wire seconds_t       time_i,
  input  wire value_len_t     most_bytes_i,  // of an item, as memcached counts them
  input  wire item_settings_t item_settings_i,
  input  wire log_settings_t  log_settings_i,
  input  wire clear_t         clear_i,  // forget everything: wc_item_restart
  output logic                clearing_o,
  output logic                moves_o,  // the sweeper read a line, met a record, or copied a unit;
                                        // or a word of a value came or went, also of one
                                        // that is not stored; or the filter is emptied
  // operations, with their keys; the values of SETs
  input  wire logic           hashed_valid_i,
  output logic                hashed_ready_o,
  input  wire hashed_t        hashed_i,
  input  wire logic           key_valid_i,
  output logic                key_ready_o,
  input  wire beat_t          key_i,
  input  wire logic           value_valid_i,
  output logic                value_ready_o,
  input  wire beat_t          value_i,
  // what became of them
  output logic                looked_up_valid_o,
  input  wire logic           looked_up_ready_i,
  output result_t             looked_up_o,
  output logic                key_valid_o,
  input  wire logic           key_ready_i,
  output beat_t               key_o,
  // the same results, on their way to the values
  input  wire logic           sized_valid_i,
  output logic                sized_ready_o,
  input  wire result_t        sized_i,
  output logic                done_valid_o,
  input  wire logic           done_ready_i,
  output result_t             done_o,
  output logic                value_valid_o,
  input  wire logic           value_ready_i,
  output beat_t               value_o,
  output logic                value_error_o,
  // the host's
  output index_events_t       index_events_o,
  output item_events_t        item_events_o,
  output item_state_t         state_o,
  input  wire host_ask_t      ask_i,
  output host_told_t          told_o,
  output memory_error_t       table_error_o,
  output memory_error_t       log_error_o,
  output bad_level_t          bad_buckets_o,  // that could not be written
  output bad_level_t          bad_lines_o,    // of the log, likewise
  // memory: buckets and items; values, the sweeper's reads, and what is written to the log
  output axi_req_t            m_axi_index_req_o,
  input  wire axi_resp_t      m_axi_index_resp_i,
  output axi_req_t            m_axi_log_req_o,
  input  wire axi_resp_t      m_axi_log_resp_i
);

  localparam int unsigned InTable = 128;  // operations from their entry to the dispatch, at most
  localparam int unsigned ShortLines = 512;
  localparam int unsigned AskLatency = 5;  // of wc_log_ring
  // A unit's place in a reader is taken for some 72 cycles where memory has a latency of 60: 32 of them
  // give a beat in 2.1 cycles, which feeds a word a cycle. With Past the first beat comes 3 of these
  // cycles sooner, for a look-up table a bit.
  localparam bit Past = BeatUnits == LineUnits;
  localparam int unsigned Beats = Past ? Lines : 2 * Lines;
  localparam int unsigned Reads = Beats > 64 ? Beats : 64;

  memory_error_t table_error, write_error;

  // ---- segments -------------------------------------------------------------------------------
  logic segment_valid, segment_ready, drop, give_valid;
  segment_t segment, give_segment;
  log_e segment_log, drop_log;
  link_t link;
  logic [1:0] oldest_valid;
  segment_t [1:0] oldest;
  logic restart;

  wc_log_pool u_pool (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (restart),
    .settings_i     (log_settings_i),
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready),
    .segment_o      (segment),
    .log_i          (segment_log),
    .link_o         (link),
    .free_o         (state_o.free),
    .count_o        (state_o.count),
    .oldest_valid_o (oldest_valid),
    .oldest_o       (oldest),
    .drop_i         (drop),
    .drop_log_i     (drop_log),
    .give_valid_i   (give_valid),
    .give_segment_i (give_segment)
  );

  logic place_valid, place_soon, place_take, place_leave;
  units_t place_units;
  address_t [1:0] place;
  log_e place_log;
  logic room_valid, room_ready, room_take, copy_room_valid, copy_room_ready, copy_room_take;
  room_t room_units;
  units_t copy_room_units, passed_units;
  logic passed, spare_valid, room_full;
  units_t spare_units;

  wc_log_place u_place (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .clear_i          (restart),
    .settings_i       (log_settings_i),
    .segment_valid_i  (segment_valid),
    .segment_ready_o  (segment_ready),
    .segment_i        (segment),
    .log_o            (segment_log),
    .free_i           (state_o.free),
    .place_valid_i    (place_valid),
    .place_units_i    (place_units),
    .place_soon_o     (place_soon),
    .place_ready_o    (),
    .place_o          (place),
    .place_take_i     (place_take),
    .place_log_i      (place_log),
    .place_leave_i    (place_leave),
    .room_valid_i     (room_valid),
    .room_units_i     (room_units),
    .room_ready_o     (room_ready),
    .room_full_o      (room_full),
    .room_take_i      (room_take),
    .copy_room_valid_i(copy_room_valid),
    .copy_room_units_i(copy_room_units),
    .copy_room_ready_o(copy_room_ready),
    .copy_room_full_o (),
    .copy_room_take_i (copy_room_take),
    .passed_i         (passed || spare_valid),
    .passed_units_i   (passed ? passed_units : spare_units)
  );

  // ---- restart --------------------------------------------------------------------------------
  logic sweep_busy, write_idle, table_clearing, filter_clearing, zeroed, message, hold;
  logic wiping;  // what wc_item_host_read knows of the table
  logic moving;  // items are on their way to another place of their keys
  logic enters, enters_user, enter_valid;
  logic [1:0] leave_valid;

  wc_item_restart u_restart (
    .clk_i             (clk_i),
    .rst_i             (rst_i),
    .clear_i           (clear_i),
    .segments_i        (log_settings_i.segments),
    .lost_i            (state_o.lost),
    .no_line_counts_i  (bad_lines_o.all),
    .no_bucket_counts_i(bad_buckets_o.all),
    .message_i         (message),
    .entered_i         (enters && enters_user),
    .done_i            (done_valid_o && done_ready_i),
    .enter_i           (enter_valid),
    .leave_i           (leave_valid),
    .sweeping_i        (sweep_busy),
    .moving_i          (moving),
    .write_idle_i      (write_idle),
    .table_clearing_i  (table_clearing || filter_clearing || wiping),
    .clearing_o        (clearing_o),
    .hold_o            (hold),
    .restart_o         (restart),
    .zeroed_o          (zeroed),
    .failed_o          (item_events_o.forgotten)
  );

  // ---- entry ----------------------------------------------------------------------------------
  logic met_valid, met_ready;
  met_t met;
  logic look_valid, look_ready, entry_room;
  look_t entry_look, bucket_look, look;
  logic [63:0] entry_hash;
  context_t entry_context, context_out;
  units_t entry_length, length;
  logic entry_key, entry_writer, entry_compare;
  logic entry_value, entry_value_joins, entry_value_words;
  logic context_room, length_room, goes_room, value_goes_room;
  logic context_valid, context_ready;
  logic table_valid, table_ready;
  bucket_t bucket;
  tag_t tag;

  assign entry_room = context_room && length_room && goes_room && value_goes_room;

  // What the sweeper meets is known late, and may wait.
  logic sweeps_valid, sweeps_ready;
  met_t sweeps;

  wc_slice_half #(
    .data_t(met_t)
  ) u_met (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(met_valid),
    .ready_o(met_ready),
    .data_i (met),
    .valid_o(sweeps_valid),
    .ready_i(sweeps_ready),
    .data_o (sweeps)
  );

  wc_item_entry #(
    .Meta(Meta)
  ) u_entry (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .settings_i    (log_settings_i),
    .hold_i        (hold),
    .message_o     (message),
    .hashed_valid_i(hashed_valid_i),
    .hashed_ready_o(hashed_ready_o),
    .hashed_i      (hashed_i),
    .met_valid_i   (sweeps_valid),
    .met_ready_o   (sweeps_ready),
    .met_i         (sweeps),
    .room_valid_o  (room_valid),
    .room_units_o  (room_units),
    .room_ready_i  (room_ready),
    .room_take_o   (room_take),
    .spare_valid_o (spare_valid),
    .spare_ready_i (!passed),
    .spare_units_o (spare_units),
    .look_valid_o  (look_valid),
    .look_ready_i  (look_ready),
    .look_o        (entry_look),
    .hash_o        (entry_hash),
    .enters_o      (enters),
    .room_i        (entry_room),
    .user_o        (enters_user),
    .context_o     (entry_context),
    .length_o      (entry_length),
    .key_o         (entry_key),
    .key_writer_o  (entry_writer),
    .key_compare_o (entry_compare),
    .value_o       (entry_value),
    .value_joins_o (entry_value_joins),
    .value_words_o (entry_value_words)
  );

  look_t keyed;
  logic bucket_valid, bucket_ready;
  key_news_t key_news;

  wc_item_bucket #(
    .Ways  (Ways),
    .data_t(look_t)
  ) u_bucket (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .settings_i(item_settings_i),
    .valid_i   (look_valid),
    .ready_o   (look_ready),
    .hash_i    (entry_hash),
    .data_i    (entry_look),
    .valid_o   (bucket_valid),
    .ready_i   (bucket_ready),
    .bucket_o  (bucket),
    .tag_o     (tag),
    .data_o    (bucket_look)
  );

  always_comb begin
    keyed = bucket_look;
    keyed.bucket = bucket;
    keyed.tag = tag;
  end

  if (FilterCells != 0) begin : gen_filter
    wc_item_filter #(
      .Cells(FilterCells),
      .Most (InTable)
    ) u_filter (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .clear_i     (restart),
      .clearing_o  (filter_clearing),
      .look_valid_i(bucket_valid),
      .look_ready_o(bucket_ready),
      .look_i      (keyed),
      .look_valid_o(table_valid),
      .look_ready_i(table_ready),
      .look_o      (look),
      .news_i      (key_news),
      .denied_o    (item_events_o.filter_denied),
      .full_o      (item_events_o.filter_full)
    );
  end else begin : gen_no_filter
    assign filter_clearing = 1'b0;
    assign {item_events_o.filter_denied, item_events_o.filter_full} = '0;
    assign table_valid = bucket_valid;
    assign bucket_ready = table_ready;
    assign look = keyed;

    logic unused_news;
    assign unused_news = ^key_news;
  end

  // Its words are wide, and there is time: the table takes longer than this queue.
  wc_fifo_wide #(
    .data_t(context_t),
    .Depth (InTable)
  ) u_contexts (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(enters && enters_user),
    .ready_o(context_room),
    .data_i (entry_context),
    .valid_o(context_valid),
    .ready_i(context_ready),
    .data_o (context_out),
    .level_o()
  );

  logic length_valid, looked_valid, looked_ready;
  looked_t looked;

  wc_fifo_wide #(
    .data_t(units_t),
    .Depth (InTable)
  ) u_lengths (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(enters),
    .ready_o(length_room),
    .data_i (entry_length),
    .valid_o(length_valid),
    .ready_i(looked_valid && looked_ready),
    .data_o (length),
    .level_o()
  );

  `WC_ASSERT(length_is_there, !looked_valid || length_valid)

  logic writer_key_valid, writer_key_ready, compare_key_valid, compare_key_ready;
  beat_t writer_key, compare_key;

  wc_item_keys u_keys (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .goes_valid_i   (enters && entry_key),
    .goes_room_o    (goes_room),
    .goes_writer_i  (entry_writer),
    .goes_compare_i (entry_compare),
    .key_valid_i    (key_valid_i),
    .key_ready_o    (key_ready_o),
    .key_i          (key_i),
    .writer_valid_o (writer_key_valid),
    .writer_ready_i (writer_key_ready),
    .writer_o       (writer_key),
    .compare_valid_o(compare_key_valid),
    .compare_ready_i(compare_key_ready),
    .compare_o      (compare_key)
  );

  // ---- table ----------------------------------------------------------------------------------
  logic settle_valid, settle_ready, written;
  change_t change;
  settle_t settle;
  logic header_valid, header_ready, told_valid, told_error;
  address_t header_address;
  value_len_t told_value_len;
  `WC_AXI_REQ(AddrWidth, LineWidth) table_line_req;
  `WC_AXI_RESP(LineWidth) table_line_resp;
  axi_req_t table_req, item_req, old_req, index_read_req;
  axi_resp_t table_resp, item_resp, old_resp;

  logic period_q;  // in which times of last use are written
  logic mover_passed;  // for models

  always_ff @(posedge clk_i) period_q <= period_of(time_i);

  logic unused_probe;
  assign unused_probe = mover_passed;

  wc_item_table #(
    .Entries  (Entries),
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .Meta     (Meta),
    .Ways     (Ways),
    .Moves    (Moves)
  ) u_table (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .settings_i    (item_settings_i),
    .largest_i     (log_settings_i.largest),
    .segment_bits_i(log_settings_i.segment_bits),
    .period_i      (period_q),
    .clear_i       (restart),
    .zeroed_i      (zeroed),
    .clearing_o    (table_clearing),
    .look_valid_i  (table_valid),
    .look_ready_o  (table_ready),
    .look_i        (look),
    .looked_valid_o(looked_valid),
    .looked_ready_i(looked_ready),
    .looked_o      (looked),
    .settle_valid_i(settle_valid),
    .settle_ready_o(settle_ready),
    .settle_i      (settle),
    .place_valid_o (place_valid),
    .place_units_o (place_units),
    .place_soon_i  (place_soon),
    .place_i       (place),
    .place_take_o  (place_take),
    .place_log_o   (place_log),
    .place_leave_o (place_leave),
    .header_valid_o(header_valid),
    .header_ready_i(header_ready),
    .header_address_o(header_address),
    .told_valid_i  (told_valid),
    .told_value_len_i(told_value_len),
    .told_error_i  (told_error),
    .passed_o      (passed),
    .passed_units_o(passed_units),
    .written_i     (written),
    .events_o      (item_events_o.in_table),
    .change_o      (change),
    .key_news_o    (key_news),
    .moved_o       (item_events_o.moved),
    .moving_o      (moving),
    .mover_passed_o(mover_passed),
    .error_o       (table_error),
    .retired_o     (bad_buckets_o),
    .m_axi_req_o   (table_line_req),
    .m_axi_resp_i  (table_line_resp)
  );

  // What the host is told of it.
  wc_item_live u_live (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .clear_i (restart),
    .change_i(change),
    .live_o  (state_o.live)
  );

  wc_log_ages u_ages (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .join_i        (segment_valid && segment_ready),
    .join_segment_i(segment),
    .drop_i        (drop),
    .drop_segment_i(give_segment),
    .drop_log_i    (drop_log),
    .ages_o        (state_o.ages)
  );

  always_ff @(posedge clk_i) begin
    item_events_o.room_wait <= room_full;
    if (rst_i) item_events_o.room_wait <= 1'b0;
  end

  // ---- dispatch and compare -------------------------------------------------------------------
  cas_t number, floor;
  flushes_t flushes;
  logic settled, early_draw, early_late, late_draw, late_decided;
  logic answer_valid, answer_ready, write_valid, write_ready;
  answer_t answer;
  write_t write;
  logic item_request_valid, item_request_ready;
  log_request_t item_request;
  logic work_valid, work_ready;
  segment_t enter_segment;
  compare_t work;
  segment_t [1:0] leave_segment;

  wc_item_dispatch #(
    .BeatUnits(BeatUnits)
  ) u_dispatch (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (time_i),
    .settings_i     (log_settings_i),
    .looked_valid_i (looked_valid),
    .looked_ready_o (looked_ready),
    .looked_i       (looked),
    .looked_length_i(length),
    .context_valid_i(context_valid),
    .context_ready_o(context_ready),
    .context_i      (context_out),
    .written_i      (written),
    .number_i       (number),
    .settled_i      (settled),
    .draw_o         (early_draw),
    .late_o         (early_late),
    .answer_valid_o (answer_valid),
    .answer_ready_i (answer_ready),
    .answer_o       (answer),
    .write_valid_o  (write_valid),
    .write_ready_i  (write_ready),
    .write_o        (write),
    .request_valid_o(item_request_valid),
    .request_ready_i(item_request_ready),
    .request_address_o(item_request.address),
    .request_beats_o(item_request.beats),
    .enter_valid_o  (enter_valid),
    .enter_segment_o(enter_segment),
    .work_valid_o   (work_valid),
    .work_ready_i   (work_ready),
    .work_o         (work)
  );

  wc_item_cas u_cas (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .number_o      (number),
    .settled_o     (settled),
    .early_draw_i  (early_draw),
    .early_late_i  (early_late),
    .late_decided_i(late_decided),
    .late_draw_i   (late_draw)
  );

  logic patched, bumped;
  logic item_beat_valid, item_beat_ready, item_beat_error;
  logic [DataWidth-1:0] item_beat;
  logic short_in_valid, short_room_q, short_valid, short_ready;
  upper_t short_in, short_line;
  logic verdict_valid, verdict_ready, number_valid, number_ready;
  beat_t number_word;
  verdict_t verdict;
  logic joined_valid, joined_ready, decided_leave;
  joined_t joined;
  segment_t decided_segment;
  logic bump_leave_valid, bump_leave_ready;
  segment_t bump_segment;

  wc_item_compare #(
    .BeatUnits(BeatUnits),
    .Meta     (Meta)
  ) u_compare (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (time_i),
    .most_bytes_i   (most_bytes_i),
    .work_valid_i   (work_valid),
    .work_ready_o   (work_ready),
    .work_i         (work),
    .key_valid_i    (compare_key_valid),
    .key_ready_o    (compare_key_ready),
    .key_i          (compare_key),
    .beat_valid_i   (item_beat_valid),
    .beat_ready_o   (item_beat_ready),
    .beat_i         (item_beat),
    .beat_error_i   (item_beat_error),
    .number_i       (number),
    .draw_o         (late_draw),
    .decided_o      (late_decided),
    .floor_o        (floor),
    .flushes_o      (flushes),
    .result_valid_o (looked_up_valid_o),
    .result_ready_i (looked_up_ready_i),
    .result_o       (looked_up_o),
    .key_valid_o    (key_valid_o),
    .key_ready_i    (key_ready_i),
    .key_o          (key_o),
    .short_room_i   (short_room_q),
    .short_valid_o  (short_in_valid),
    .short_o        (short_in),
    .verdict_valid_o(verdict_valid),
    .verdict_ready_i(verdict_ready),
    .verdict_o      (verdict),
    .number_valid_o (number_valid),
    .number_ready_i (number_ready),
    .number_o       (number_word),
    .joined_valid_o (joined_valid),
    .joined_ready_i (joined_ready),
    .joined_o       (joined),
    .patched_i      (patched),
    .bumped_i       (bumped),
    .settle_valid_o (settle_valid),
    .settle_ready_i (settle_ready),
    .settle_o       (settle),
    .leave_valid_o  (decided_leave),
    .leave_segment_o(decided_segment),
    .bump_leave_valid_o(bump_leave_valid),
    .bump_leave_ready_i(bump_leave_ready),
    .bump_leave_o   (bump_segment),
    .events_o       (index_events_o),
    .too_large_o    (item_events_o.too_large),
    .alias_o        (item_events_o.alias_met)
  );

  // Lines of short items wait here for the operations' turn behind the size stage. Without room an
  // item is read once more, so this queue never holds up anybody. The room is told a cycle late.
  // Where beats are units a value is always requested: so there is none.
  if (BeatUnits == LineUnits) begin : gen_short
    logic ready;
    logic [$clog2(ShortLines):0] level;

    wc_fifo_wide #(
      .data_t(upper_t),
      .Depth (ShortLines)
    ) u_short (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(short_in_valid),
      .ready_o(ready),
      .data_i (short_in),
      .valid_o(short_valid),
      .ready_i(short_ready),
      .data_o (short_line),
      .level_o(level)
    );

    always_ff @(posedge clk_i) begin
      short_room_q <= level < ($bits(level))'(ShortLines - 4);
      if (rst_i) short_room_q <= 1'b0;
    end

    `WC_ASSERT(short_has_room, !short_in_valid || ready)
  end else begin : gen_no_short
    logic unused;
    assign unused = ^{short_in_valid, short_in, short_ready};
    assign short_room_q = 1'b0;
    assign short_valid = 1'b0;
    assign short_line = '0;
  end

  // ---- the log: read --------------------------------------------------------------------------
  // Items for the comparison, and items to whose values others are joined, come by the index's memory
  // port; values, and what the sweeper reads, by the log's. The ring is asked for all but what is
  // swept, which is settled, so it is not in the ring. Values go first: their reader asks for a line in
  // eight cycles, as it gives out a word a cycle. Old values have every second cycle of the rest at most.
  localparam int unsigned Values = 0, Walk = 1, Copies = 2;  // streams of the log's reader
  localparam int unsigned LogStreams = 3;

  logic item_ask_valid, item_ask_ready, value_ask_valid, value_ask_ready;
  address_t item_ask_address, value_ask_address;
  logic value_asks;  // what comes of it at the ring
  address_t value_asks_address;
  logic ring_hit, ring_error;
  logic [DataWidth-1:0] ring_data;
  logic item_bad, old_bad, log_bad, item_drop, old_drop, log_drop;
  line_t item_bad_line, old_bad_line, log_bad_line;
  logic item_error, old_error, log_error;  // memory did not give this line:
  line_t item_error_line, old_error_line, log_error_line;
  logic old_ask_valid, old_ask_ready, old_turn_q;
  address_t old_ask_address, ask_address;
  logic old_request_valid, old_request_ready;
  log_request_t old_request;
  logic old_beat_valid, old_beat_ready, old_beat_error;
  logic [DataWidth-1:0] old_beat;
  logic [LogStreams-1:0] log_request_valid, log_request_ready;
  log_request_t [LogStreams-1:0] log_request;
  logic [LogStreams-1:0] log_beat_valid, log_beat_ready, log_beat_error;
  logic [LogStreams-1:0][DataWidth-1:0] log_beat;
  axi_req_t item_unchecked_req, old_unchecked_req, log_unchecked_req, log_read_req;
  axi_resp_t item_checked_resp, old_checked_resp, log_checked_resp, log_read_resp;

  assign item_request.skip = '0;
  assign value_ask_ready = 1'b1;
  assign item_ask_ready = !value_asks && !old_turn_q;
  assign old_ask_ready = !value_asks && old_turn_q;
  assign ask_address = value_asks ? value_asks_address :
                       old_turn_q ? old_ask_address : item_ask_address;

  // Where beats are units, wires are slow, so the ask comes a cycle later. Memory may have been asked a
  // cycle before the ring then, which does no harm: the ring forgets a line long after memory has it.
  if (BeatUnits == LineUnits) begin : gen_near
    assign value_asks = value_ask_valid;
    assign value_asks_address = value_ask_address;
  end else begin : gen_far
    always_ff @(posedge clk_i) begin
      value_asks <= value_ask_valid && !rst_i;
      value_asks_address <= value_ask_address;
    end
  end

  always_ff @(posedge clk_i) begin
    old_turn_q <= old_ask_valid && !old_ask_ready && !rst_i;
  end

  wc_log_read #(
    .BeatUnits (BeatUnits),
    .Beats     (Beats),
    .AddrWidth (AddrWidth),
    .AskLatency(AskLatency),
    .Past      (Past)
  ) u_item_read (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (log_settings_i),
    .link_i         (link),
    .request_valid_i(item_request_valid),
    .request_ready_o(item_request_ready),
    .request_i      (item_request),
    .ask_valid_o    (item_ask_valid),
    .ask_ready_i    (item_ask_ready),
    .ask_address_o  (item_ask_address),
    .hit_i          (ring_hit),
    .hit_error_i    (ring_error),
    .data_i         (ring_data),
    .beat_valid_o   (item_beat_valid),
    .beat_ready_i   (item_beat_ready),
    .beat_o         (item_beat),
    .beat_error_o   (item_beat_error),
    .drop_o         (item_drop),
    .m_axi_req_o    (item_unchecked_req),
    .m_axi_resp_i   (item_checked_resp)
  );

  wc_log_read_check #(
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .Reads    (Reads)
  ) u_item_check (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .bad_ask_line_o(item_bad_line),
    .bad_i         (item_bad),
    .error_o       (item_error),
    .error_line_o  (item_error_line),
    .drop_i        (item_drop),
    .s_axi_req_i   (item_unchecked_req),
    .s_axi_resp_o  (item_checked_resp),
    .m_axi_req_o   (item_req),
    .m_axi_resp_i  (item_resp)
  );

  wc_log_read #(
    .BeatUnits (BeatUnits),
    .Beats     (Beats),
    .AddrWidth (AddrWidth),
    .AskLatency(AskLatency)
  ) u_old_read (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (log_settings_i),
    .link_i         (link),
    .request_valid_i(old_request_valid),
    .request_ready_o(old_request_ready),
    .request_i      (old_request),
    .ask_valid_o    (old_ask_valid),
    .ask_ready_i    (old_ask_ready),
    .ask_address_o  (old_ask_address),
    .hit_i          (ring_hit),
    .hit_error_i    (ring_error),
    .data_i         (ring_data),
    .beat_valid_o   (old_beat_valid),
    .beat_ready_i   (old_beat_ready),
    .beat_o         (old_beat),
    .beat_error_o   (old_beat_error),
    .drop_o         (old_drop),
    .m_axi_req_o    (old_unchecked_req),
    .m_axi_resp_i   (old_checked_resp)
  );

  wc_log_read_check #(
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .Reads    (Reads)
  ) u_old_check (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .bad_ask_line_o(old_bad_line),
    .bad_i         (old_bad),
    .error_o       (old_error),
    .error_line_o  (old_error_line),
    .drop_i        (old_drop),
    .s_axi_req_i   (old_unchecked_req),
    .s_axi_resp_o  (old_checked_resp),
    .m_axi_req_o   (old_req),
    .m_axi_resp_i  (old_resp)
  );

  wc_log_read #(
    .Streams   (LogStreams),
    .BeatUnits (BeatUnits),
    .Beats     (Beats),
    .AddrWidth (AddrWidth),
    .AskLatency(AskLatency + 32'(BeatUnits != LineUnits))
  ) u_log_read (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (log_settings_i),
    .link_i         (link),
    .request_valid_i(log_request_valid),
    .request_ready_o(log_request_ready),
    .request_i      (log_request),
    .ask_valid_o    (value_ask_valid),
    .ask_ready_i    (value_ask_ready),
    .ask_address_o  (value_ask_address),
    .hit_i          (ring_hit),
    .hit_error_i    (ring_error),
    .data_i         (ring_data),
    .beat_valid_o   (log_beat_valid),
    .beat_ready_i   (log_beat_ready),
    .beat_o         (log_beat),
    .beat_error_o   (log_beat_error),
    .drop_o         (log_drop),
    .m_axi_req_o    (log_unchecked_req),
    .m_axi_resp_i   (log_checked_resp)
  );

  wc_log_read_check #(
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .Reads    (Reads)
  ) u_log_check (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .bad_ask_line_o(log_bad_line),
    .bad_i         (log_bad),
    .error_o       (log_error),
    .error_line_o  (log_error_line),
    .drop_i        (log_drop),
    .s_axi_req_i   (log_unchecked_req),
    .s_axi_resp_o  (log_checked_resp),
    .m_axi_req_o   (log_read_req),
    .m_axi_resp_i  (log_read_resp)
  );

  wc_item_values #(
    .BeatUnits(BeatUnits)
  ) u_values (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (log_settings_i),
    .result_valid_i (sized_valid_i),
    .result_ready_o (sized_ready_o),
    .result_i       (sized_i),
    .short_valid_i  (short_valid),
    .short_ready_o  (short_ready),
    .short_i        (short_line),
    .short_error_i  (1'b0),  // a line in error is a miss
    .request_valid_o(log_request_valid[Values]),
    .request_ready_i(log_request_ready[Values]),
    .request_address_o(log_request[Values].address),
    .request_skip_o (log_request[Values].skip),
    .request_beats_o(log_request[Values].beats),
    .beat_valid_i   (log_beat_valid[Values]),
    .beat_ready_o   (log_beat_ready[Values]),
    .beat_i         (log_beat[Values]),
    .beat_error_i   (log_beat_error[Values]),
    .result_valid_o (done_valid_o),
    .result_ready_i (done_ready_i),
    .result_o       (done_o),
    .value_valid_o  (value_valid_o),
    .value_ready_i  (value_ready_i),
    .value_o        (value_o),
    .value_error_o  (value_error_o),
    .leave_valid_o  (leave_valid[1]),
    .leave_segment_o(leave_segment[1])
  );

  // ---- values that are joined -----------------------------------------------------------------
  logic old_read_valid, old_read_ready, old_value_valid, old_value_ready, old_value_error;
  beat_t old_value, write_value;
  logic write_value_valid, write_value_ready, write_value_error;
  logic old_leave, old_leave_room, old_leave_valid;
  segment_t old_leave_segment, old_segment;

  wc_item_old #(
    .BeatUnits(BeatUnits)
  ) u_old (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .settings_i      (log_settings_i),
    .header_valid_i  (header_valid),
    .header_ready_o  (header_ready),
    .header_address_i(header_address),
    .told_valid_o    (told_valid),
    .told_value_len_o(told_value_len),
    .told_error_o    (told_error),
    .joined_valid_i  (old_read_valid),
    .joined_ready_o  (old_read_ready),
    .joined_i        (joined),
    .value_valid_o   (old_value_valid),
    .value_ready_i   (old_value_ready),
    .value_o         (old_value),
    .value_error_o   (old_value_error),
    .leave_valid_o   (old_leave),
    .leave_segment_o (old_leave_segment),
    .request_valid_o (old_request_valid),
    .request_ready_i (old_request_ready),
    .request_o       (old_request),
    .beat_valid_i    (old_beat_valid),
    .beat_ready_o    (old_beat_ready),
    .beat_i          (old_beat),
    .beat_error_i    (old_beat_error)
  );

  wc_item_join u_join (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .goes_valid_i  (enters && entry_value),
    .goes_room_o   (value_goes_room),
    .goes_joins_i  (entry_value_joins),
    .goes_words_i  (entry_value_words),
    .new_valid_i   (value_valid_i),
    .new_ready_o   (value_ready_o),
    .new_i         (value_i),
    .joined_valid_i(joined_valid),
    .joined_ready_o(joined_ready),
    .joined_i      (joined),
    .read_valid_o  (old_read_valid),
    .read_ready_i  (old_read_ready),
    .old_valid_i   (old_value_valid),
    .old_ready_o   (old_value_ready),
    .old_i         (old_value),
    .old_error_i   (old_value_error),
    .value_valid_o (write_value_valid),
    .value_ready_i (write_value_ready),
    .value_o       (write_value),
    .value_error_o (write_value_error)
  );

  // Operations are decided every second cycle at most: in the other one these may leave, and then
  // those that have written a time of last use.
  wc_fifo_shallow #(
    .data_t(segment_t),
    .Depth (16)  // as many as u_old has, and more
  ) u_old_leaves (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(old_leave),
    .ready_o(old_leave_room),
    .data_i (old_leave_segment),
    .valid_o(old_leave_valid),
    .ready_i(!decided_leave),
    .data_o (old_segment)
  );

  assign bump_leave_ready = !decided_leave && !old_leave_valid;
  assign leave_valid[0] = decided_leave || old_leave_valid || bump_leave_valid;
  assign leave_segment[0] = decided_leave ? decided_segment : old_leave_valid ? old_segment
                                                                              : bump_segment;

  `WC_ASSERT(leaves_have_room, !old_leave || old_leave_room)

  // ---- the log: write -------------------------------------------------------------------------
  logic copy_valid, copy_ready;
  logic [1:0] lines_begun, lines_acked;
  copy_unit_t copy_unit;
  axi_req_t write_req;
  axi_resp_t write_resp;

  wc_log_write #(
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits),
    .Readers  (3)
  ) u_write (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .clear_i        (restart),
    .settings_i     (log_settings_i),
    .link_i         (link),
    .write_valid_i  (write_valid),
    .write_ready_o  (write_ready),
    .write_i        (write),
    .verdict_valid_i(verdict_valid),
    .verdict_ready_o(verdict_ready),
    .verdict_i      (verdict),
    .key_valid_i    (writer_key_valid),
    .key_ready_o    (writer_key_ready),
    .key_i          (writer_key),
    .value_valid_i  (write_value_valid),
    .value_ready_o  (write_value_ready),
    .value_i        (write_value),
    .value_error_i  (write_value_error),
    .number_valid_i (number_valid),
    .number_ready_o (number_ready),
    .number_i       (number_word),
    .copy_valid_i   (copy_valid),
    .copy_ready_o   (copy_ready),
    .copy_i         (copy_unit),
    .written_o      (written),
    .idle_o         (write_idle),
    .begun_o        (lines_begun),
    .acked_o        (lines_acked),
    .patched_o      (patched),
    .bumped_o       (bumped),
    .ask_valid_i    (value_asks || (old_turn_q ? old_ask_valid : item_ask_valid)),
    .ask_address_i  (ask_address),
    .hit_valid_o    (),
    .hit_o          (ring_hit),
    .hit_error_o    (ring_error),
    .data_o         (ring_data),
    .bad_ask_line_i ({old_bad_line, log_bad_line, item_bad_line}),
    .bad_o          ({old_bad, log_bad, item_bad}),
    .bad_level_o    (bad_lines_o),
    .error_o        (write_error),
    .m_axi_req_o    (write_req),
    .m_axi_resp_i   (write_resp)
  );

  // ---- the log: sweep -------------------------------------------------------------------------
  logic ask_readers, idle_valid, idle;
  logic [1:0] settled_segment;
  segment_t readers_segment;

  assign log_request[Walk].skip = '0;
  assign log_request[Copies].skip = '0;

  wc_log_readers u_readers (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .ready_o        (),
    .enter_valid_i  (enter_valid),
    .enter_segment_i(enter_segment),
    .leave_valid_i  (leave_valid),
    .leave_segment_i(leave_segment),
    .ask_valid_i    (ask_readers),
    .ask_segment_i  (readers_segment),
    .idle_valid_o   (idle_valid),
    .idle_o         (idle)
  );

  // The table knows late that it takes a place. It counts a cycle later, which is before the log's
  // next segment does, as that is only taken then.
  logic placed_q;

  always_ff @(posedge clk_i) begin
    placed_q <= place_take;
    if (rst_i) placed_q <= 1'b0;
  end

  wc_log_settled u_settled (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .clear_i   (restart),
    .count_i   (state_o.count),
    .placed_i  (placed_q),
    .written_i (written),
    .begun_i   (lines_begun),
    .acked_i   (lines_acked),
    .drop_i    (drop),
    .drop_log_i(drop_log),
    .settled_o (settled_segment)
  );

  wc_log_sweep #(
    .BeatUnits(BeatUnits)
  ) u_sweep (
    .clk_i                (clk_i),
    .rst_i                (rst_i),
    .settings_i           (log_settings_i),
    .time_i               (time_i),
    .floor_i              (floor),
    .flushes_i            (flushes),
    .hold_i               (hold),
    .clear_i              (restart),
    .busy_o               (sweep_busy),
    .free_i               (state_o.free),
    .waits_i              (room_full),
    .count_i              (state_o.count),
    .oldest_valid_i       (oldest_valid),
    .oldest_i             (oldest),
    .settled_i            (settled_segment),
    .drop_o               (drop),
    .drop_log_o           (drop_log),
    .give_valid_o         (give_valid),
    .give_segment_o       (give_segment),
    .ask_valid_o          (ask_readers),
    .ask_segment_o        (readers_segment),
    .idle_valid_i         (idle_valid),
    .idle_i               (idle),
    .copy_room_valid_o    (copy_room_valid),
    .copy_room_units_o    (copy_room_units),
    .copy_room_ready_i    (copy_room_ready),
    .copy_room_take_o     (copy_room_take),
    .met_valid_o          (met_valid),
    .met_ready_i          (met_ready),
    .met_o                (met),
    .answer_valid_i       (answer_valid),
    .answer_ready_o       (answer_ready),
    .answer_i             (answer),
    .unit_valid_o         (copy_valid),
    .unit_ready_i         (copy_ready),
    .unit_o               (copy_unit),
    .walk_request_valid_o (log_request_valid[Walk]),
    .walk_request_ready_i (log_request_ready[Walk]),
    .walk_request_address_o(log_request[Walk].address),
    .walk_request_beats_o (log_request[Walk].beats),
    .walk_beat_valid_i    (log_beat_valid[Walk]),
    .walk_beat_ready_o    (log_beat_ready[Walk]),
    .walk_beat_i          (log_beat[Walk]),
    .walk_beat_error_i    (log_beat_error[Walk]),
    .copy_request_valid_o (log_request_valid[Copies]),
    .copy_request_ready_i (log_request_ready[Copies]),
    .copy_request_address_o(log_request[Copies].address),
    .copy_request_beats_o (log_request[Copies].beats),
    .copy_beat_valid_i    (log_beat_valid[Copies]),
    .copy_beat_ready_o    (log_beat_ready[Copies]),
    .copy_beat_i          (log_beat[Copies]),
    .copy_beat_error_i    (log_beat_error[Copies]),
    .events_o             (item_events_o.in_sweep),
    .lost_o               (state_o.lost)
  );

  always_ff @(posedge clk_i) begin
    moves_o <= (log_beat_valid[Walk] && log_beat_ready[Walk]) || (met_valid && met_ready)
               || (copy_valid && copy_ready)
               || (write_value_valid && write_value_ready) || (value_valid_i && value_ready_o)
               || filter_clearing;
  end

  // ---- errors of memory -------------------------------------------------------------------------
  always_comb begin
    table_error_o = table_error;
    if (item_error || old_error) begin
      table_error_o.read = 1'b1;
      table_error_o.read_line = 32'(item_error ? item_error_line : old_error_line);
    end
    log_error_o = write_error;
    log_error_o.read = log_error;
    log_error_o.read_line = 32'(log_error_line);
  end

  assign state_o.floor = floor;
  assign state_o.flushes = flushes;

  // ---- memory ---------------------------------------------------------------------------------
  // The table moves lines, however narrow memory is.
  wc_axi_fit #(
    .AddrWidth(AddrWidth),
    .LineWidth(LineWidth),
    .MemWidth (DataWidth)
  ) u_table_fit (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (table_line_req),
    .s_axi_resp_o(table_line_resp),
    .m_axi_req_o (table_req),
    .m_axi_resp_i(table_resp)
  );

  localparam int unsigned IndexReaders = HostReads ? 4 : 3;

  axi_req_t host_req;
  axi_req_t [3:0] index_readers;
  axi_resp_t [IndexReaders-1:0] index_read_resp;

  if (HostReads) begin : gen_host_reads
    wc_item_host_read #(
      .AddrWidth(AddrWidth),
      .BeatUnits(BeatUnits)
    ) u_host_read (
      .clk_i       (clk_i),
      .rst_i       (rst_i),
      .clear_i     (restart),
      .wiping_o    (wiping),
      .written_valid_i(table_line_req.aw_valid && table_line_resp.aw_ready && !table_clearing),
      .written_i   (line_t'(table_line_req.aw.addr >> $clog2(LineBytes))),
      .link_i      (link),
      .ask_i       (ask_i),
      .told_o      (told_o),
      .m_axi_req_o (host_req),
      .m_axi_resp_i(index_read_resp[IndexReaders-1])
    );
  end else begin : gen_no_host_reads
    assign {host_req, told_o, wiping} = '0;

    logic unused_ask;
    assign unused_ask = ^ask_i;
  end

  assign index_readers = {host_req, old_req, item_req, table_req};

  wc_axi_read_mux #(
    .Masters  (IndexReaders),
    .AddrWidth(AddrWidth),
    .DataWidth(DataWidth)
  ) u_index_reads (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .s_axi_req_i (index_readers[IndexReaders-1:0]),
    .s_axi_resp_o(index_read_resp),
    .m_axi_req_o (index_read_req),
    .m_axi_resp_i(m_axi_index_resp_i)
  );

  always_comb begin
    m_axi_index_req_o = table_req;
    m_axi_index_req_o.ar = index_read_req.ar;
    m_axi_index_req_o.ar_valid = index_read_req.ar_valid;
    m_axi_index_req_o.r_ready = index_read_req.r_ready;
    table_resp = m_axi_index_resp_i;
    table_resp.ar_ready = index_read_resp[0].ar_ready;
    table_resp.r = index_read_resp[0].r;
    table_resp.r_valid = index_read_resp[0].r_valid;
    item_resp = index_read_resp[1];
    old_resp = index_read_resp[2];
    m_axi_log_req_o = write_req;
    m_axi_log_req_o.ar = log_read_req.ar;
    m_axi_log_req_o.ar_valid = log_read_req.ar_valid;
    m_axi_log_req_o.r_ready = log_read_req.r_ready;
    log_read_resp = m_axi_log_resp_i;
    write_resp = m_axi_log_resp_i;
  end

endmodule

`default_nettype wire
