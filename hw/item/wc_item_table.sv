// SPDX-License-Identifier: Apache-2.0
// The table of buckets: has the line of each operation's bucket on the chip, tells of its slot, and
// gives places to new items. hw/item/README.md says what becomes of a slot.
// Latency 10 from look to looked when the line is on the chip, else that of memory and 9. An
// operation every 2 cycles, one that may change more than uses every 4, a SET too
// if the log has places in time. A stalled looked_o stalls look_i, never settle_i.
// Long because it is a list of parts that have many ports.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_item_table #(
  parameter int unsigned Entries   = 64,  // lines on the chip
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = wc_log_pkg::LineUnits,  // of the memory that has the lines
  parameter bit          Meta      = 1'b1,  // items have marks
  localparam int unsigned LineWidth = wc_log_pkg::LineWidth,
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(LineWidth)
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_i,
  input  wire wc_item_pkg::item_settings_t     settings_i,
  input  wire wc_log_pkg::units_t              largest_i,  // item
  input  wire logic [4:0]                      segment_bits_i,  // wc_log_pkg::log_settings_t
  input  wire logic                            period_i,  // wc_item_pkg::period_of, now
  input  wire logic                            clear_i,  // make every slot empty
  input  wire logic                            zeroed_i,  // clear_i: memory has zeros there
  output logic                                 clearing_o,
  input  wire logic                            look_valid_i,
  output logic                                 look_ready_o,
  input  wire wc_item_pkg::look_t              look_i,
  output logic                                 looked_valid_o,
  input  wire logic                            looked_ready_i,
  output wc_item_pkg::looked_t                 looked_o,
  input  wire logic                            settle_valid_i,
  output logic                                 settle_ready_o,
  input  wire wc_item_pkg::settle_t            settle_i,
  output logic                                 place_valid_o,
  output wc_log_pkg::units_t                   place_units_o,
  input  wire logic                            place_soon_i,  // place_i, 3 cycles later
  input  wire wc_log_pkg::address_t [1:0]      place_i,  // by log_e
  output logic                                 place_take_o,
  output wc_log_pkg::log_e                     place_log_o,
  output logic                                 place_leave_o,
  // the header of an item that grows
  output logic                                 header_valid_o,
  input  wire logic                            header_ready_i,
  output wc_log_pkg::address_t                 header_address_o,
  input  wire logic                            told_valid_i,
  input  wire wc_pkg::value_len_t              told_value_len_i,
  input  wire logic                            told_error_i,
  output logic                                 passed_o,
  output wc_log_pkg::units_t                   passed_units_o,
  input  wire logic                            written_i,
  output wc_item_pkg::item_table_events_t      events_o,
  output wc_item_pkg::change_t                 change_o,  // of a slot
  output wc_item_pkg::key_news_t               key_news_o,  // for wc_item_filter
  output wc_pkg::memory_error_t                error_o,
  output wc_pkg::bad_level_t                   retired_o,  // buckets that could not be written
  output axi_req_t                             m_axi_req_o,
  input  wire axi_resp_t                       m_axi_resp_i
);

  import wc_item_pkg::*;
  import wc_log_pkg::*;

  localparam int unsigned Waiting = 64;  // operations that wait for their lines
  localparam int unsigned Said = 32;  // that pass, or whose answer was not taken

  `WC_REQUIRE(entries, Entries >= 8 && Entries <= 64 && Entries == 2 ** $clog2(Entries),
              "wc_item_table: Entries must be a power of two of 8 to 64")
  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_item_table: AddrWidth must be 36 to 64")

  item_settings_t settings_q;
  always_ff @(posedge clk_i) settings_q <= settings_i;

  // ---- operations, and which buckets are on the chip --------------------------------------------
  logic look_valid, look_ready;
  look_t look;
  logic found_valid, found_ready, waiting_valid, waiting_ready;
  waiting_t found, waiting;
  logic fill_valid, fill_ready, filled, fill_line_valid, fill_line_ready, fill_line_bad;
  logic fill_unread;
  fill_t fill;
  entry_t fill_entry;
  bucket_line_t fill_line;
  line_t asked_line;
  logic asked_bad;
  logic leave;
  entry_t leave_entry;
  position_t leave_position;
  logic [Entries-1:0] claimed, locked, unwritten, back_busy;
  logic quiet, forget;

  wc_skid #(
    .data_t(look_t)
  ) u_look (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(look_valid_i),
    .ready_o(look_ready_o),
    .data_i (look_i),
    .valid_o(look_valid),
    .ready_i(look_ready),
    .data_o (look)
  );

  wc_item_lines #(
    .Entries(Entries)
  ) u_lines (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .base_line_i      (settings_q.base_line),
    .hold_i           (clearing_o),
    .quiet_o          (quiet),
    .forget_i         (forget),
    .look_valid_i     (look_valid),
    .look_ready_o     (look_ready),
    .look_i           (look),
    .waiting_valid_o  (found_valid),
    .waiting_ready_i  (found_ready),
    .waiting_o        (found),
    .fill_valid_o     (fill_valid),
    .fill_ready_i     (fill_ready),
    .fill_o           (fill),
    .line_o           (asked_line),
    .bad_i            (asked_bad),
    .drop_i           (filled && fill_line_bad),
    .drop_entry_i     (fill_entry),
    .passed_i         (leave),
    .passed_entry_i   (leave_entry),
    .passed_position_i(leave_position),
    .busy_i           (locked | unwritten | back_busy),
    .claimed_o        (claimed),
    .stall_o          (events_o.stall)
  );

  wc_fifo_wide #(
    .data_t(waiting_t),
    .Depth (Waiting)
  ) u_waiting (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(found_valid),
    .ready_o(found_ready),
    .data_i (found),
    .valid_o(waiting_valid),
    .ready_i(waiting_ready),
    .data_o (waiting),
    .level_o()
  );

  // ---- fills -----------------------------------------------------------------------------------
  logic fill_error;
  line_t fill_error_line;

  wc_item_fill #(
    .Entries  (Entries),
    .AddrWidth(AddrWidth)
  ) u_fill (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .fill_valid_i (fill_valid),
    .fill_ready_o (fill_ready),
    .fill_i       (fill),
    .line_valid_o (fill_line_valid),
    .line_ready_i (fill_line_ready),
    .line_o       (fill_line),
    .entry_o      (fill_entry),
    .bad_o        (fill_line_bad),
    .unread_o     (fill_unread),
    .error_o      (fill_error),
    .error_line_o (fill_error_line),
    .m_axi_araddr (m_axi_req_o.ar.addr),
    .m_axi_arvalid(m_axi_req_o.ar_valid),
    .m_axi_arready(m_axi_resp_i.ar_ready),
    .m_axi_rvalid (m_axi_resp_i.r_valid),
    .m_axi_rready (m_axi_req_o.r_ready),
    .m_axi_rdata  (m_axi_resp_i.r.data),
    .m_axi_rerror (m_axi_resp_i.r.resp[1])
  );

  assign filled = fill_line_valid && fill_line_ready;

  // ---- one after the other ---------------------------------------------------------------------
  logic settle_valid, settle_ready;
  settle_t settle;
  logic step_valid, lock, pass_quiet, room, job_room;
  step_t step;
  logic want, want_go, place_ok, wanted;
  units_t want_units;
  logic seen_valid, seen_item, said_valid, unlock;
  looked_t said;
  entry_t done_entry;
  address_t seen_address;
  logic read_want, read_free, read_try, read;
  entry_t read_entry;
  bucket_line_t read_line;

  wc_slice #(
    .data_t(settle_t)
  ) u_settle (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(settle_valid_i),
    .ready_o(settle_ready_o),
    .data_i (settle_i),
    .valid_o(settle_valid),
    .ready_i(settle_ready),
    .data_o (settle)
  );

  wc_item_issue #(
    .Entries(Entries)
  ) u_issue (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .waiting_valid_i(waiting_valid),
    .waiting_ready_o(waiting_ready),
    .waiting_i      (waiting),
    .settle_valid_i (settle_valid),
    .settle_ready_o (settle_ready),
    .settle_i       (settle),
    .filled_i       (filled),
    .locked_i       (locked),
    .unwritten_i    (unwritten),
    .quiet_i        (pass_quiet),
    .said_i         (said_valid),
    .said_held_i    (said.held),
    .said_place_i   (said.place),
    .unlock_i       (unlock),
    .unlock_entry_i (done_entry),
    .room_i         (room),
    .job_room_i     (job_room),
    .want_o         (want),
    .want_units_o   (want_units),
    .place_ok_i     (place_ok),
    .largest_i      (largest_i),
    .segment_bits_i (segment_bits_i),
    .seen_valid_i   (seen_valid),
    .seen_item_i    (seen_item),
    .seen_address_i (seen_address),
    .header_valid_o (header_valid_o),
    .header_ready_i (header_ready_i),
    .header_address_o(header_address_o),
    .told_valid_i   (told_valid_i),
    .told_value_len_i(told_value_len_i),
    .told_error_i   (told_error_i),
    .want_go_o      (want_go),
    .step_valid_o   (step_valid),
    .step_o         (step),
    .lock_o         (lock),
    .read_i         (read_want),
    .read_free_o    (read_free),
    .held_o         (events_o.held)
  );

  wc_item_place u_place (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .want_i       (want),
    .units_i      (want_units),
    .ok_o         (place_ok),
    .go_i         (want_go),
    .end_i        (wanted),
    .take_i       (place_take_o),
    .place_valid_o(place_valid_o),
    .place_units_o(place_units_o),
    .place_leave_o(place_leave_o),
    .place_soon_i (place_soon_i)
  );

  // ---- the pass --------------------------------------------------------------------------------
  logic ask, ask_unwritten, dirty, pass_unlock, settled, last_hold;
  entry_t ask_entry, take_entry;
  pass_keys_t keys, keys_q, keys_q2;
  job_t ask_job, next_job;

  wc_item_pass #(
    .Entries(Entries),
    .Meta   (Meta)
  ) u_pass (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .period_i        (period_i),
    .step_valid_i    (step_valid),
    .step_i          (step),
    .quiet_o         (pass_quiet),
    .read_i          (read_try),
    .read_entry_i    (read_entry),
    .read_line_o     (read_line),
    .fill_valid_i    (fill_line_valid),
    .fill_ready_o    (fill_line_ready),
    .fill_entry_i    (fill_entry),
    .fill_line_i     (fill_line),
    .fill_bad_i      (fill_line_bad),
    .fill_unread_i   (fill_unread),
    .ask_o           (ask),
    .ask_entry_o     (ask_entry),
    .unwritten_i     (ask_unwritten),
    .job_i           (ask_job),
    .next_job_i      (next_job),
    .place_i         (place_i),
    .wanted_o        (wanted),
    .take_o          (place_take_o),
    .take_log_o      (place_log_o),
    .take_entry_o    (take_entry),
    .looked_valid_o  (said_valid),
    .looked_o        (said),
    .seen_valid_o    (seen_valid),
    .seen_item_o     (seen_item),
    .seen_address_o  (seen_address),
    .passed_o        (passed_o),
    .passed_units_o  (passed_units_o),
    .leave_o         (leave),
    .leave_entry_o   (leave_entry),
    .leave_position_o(leave_position),
    .dirty_o         (dirty),
    .unlock_o        (pass_unlock),
    .settled_o       (settled),
    .done_entry_o    (done_entry),
    .evict_o         (events_o.evict_bucket),
    .ghost_o         (events_o.ghost_back),
    .change_o        (change_o),
    .keys_o          (keys)
  );

  // The entry keeps its bucket until the operation has left it, and longer. Operations that change
  // keys are four cycles apart: a key that is lost is told first, then the operation's own.
  wc_ram_sdp #(
    .Width($bits(bucket_t)),
    .Depth(Entries)
  ) u_buckets (
    .clk_i  (clk_i),
    .we_i   (fill_valid && fill_ready),
    .waddr_i(fill.entry[$clog2(Entries)-1:0]),
    .wdata_i(fill.bucket),
    .re_i   (keys.loses || keys.counted || keys.gains),
    .raddr_i(keys.entry[$clog2(Entries)-1:0]),
    .rdata_o(key_news_o.bucket)
  );

  always_ff @(posedge clk_i) begin
    keys_q <= keys;
    keys_q2 <= keys_q;
    if (rst_i) begin
      {keys_q.loses, keys_q.counted, keys_q.gains} <= '0;
      {keys_q2.loses, keys_q2.counted, keys_q2.gains} <= '0;
    end
  end

  assign key_news_o.loses = keys_q.loses;
  assign key_news_o.passed = keys_q2.counted;
  assign key_news_o.gains = keys_q2.gains;
  assign key_news_o.tag = keys_q.loses ? keys_q.lost : keys_q2.tag;
  `WC_ASSERT(keys_apart, !(keys_q.loses && (keys_q2.counted || keys_q2.gains)))

  // Others may hold the bucket when one of them is settled.
  assign unlock = pass_unlock && !(settled && !last_hold);

  wc_item_holds #(
    .Entries(Entries)
  ) u_holds (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .hold_i      (said_valid && said.held),
    .hold_entry_i(said.entry),
    .ask_i       (ask),
    .ask_entry_i (ask_entry),
    .last_o      (last_hold),
    .settled_i   (settled)
  );

  wc_item_flags #(
    .Entries(Entries)
  ) u_locked (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .set_i        (lock),
    .set_entry_i  (step.look.entry),
    .clear_i      (unlock),
    .clear_entry_i(done_entry),
    .flags_o      (locked)
  );

  wc_item_jobs #(
    .Entries(Entries)
  ) u_jobs (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .room_o        (job_room),
    .next_o        (next_job),
    .give_i        (place_take_o),
    .give_entry_i  (take_entry),
    .written_i     (written_i),
    .unwritten_o   (unwritten),
    .ask_i         (ask),
    .ask_entry_i   (ask_entry),
    .unwritten_of_o(ask_unwritten),
    .job_of_o      (ask_job)
  );

  wc_item_reserved #(
    .data_t(looked_t),
    .Depth (Said)
  ) u_looked (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (room),
    .room_soon_o(),
    .reserve_i(step_valid && !step.settles && !step.peeks),
    .valid_i    (said_valid),
    .data_i     (said),
    .valid_o    (looked_valid_o),
    .ready_i    (looked_ready_i),
    .data_o     (looked_o)
  );

  // ---- lines go back ---------------------------------------------------------------------------
  logic zero_valid, zero_ready, acked;
  line_t zero_line, bad_line;
  logic failed, bad_put, bad_busy, bad_done;

  wc_item_back #(
    .Entries  (Entries),
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits)
  ) u_back (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .place_i      (fill_valid && fill_ready),
    .place_line_i (fill),
    .dirty_i      (dirty),
    .dirty_entry_i(done_entry),
    .needed_i     (claimed | locked),
    .busy_o       (back_busy),
    .want_o       (read_want),
    .free_i       (read_free),
    .try_o        (read_try),
    .read_o       (read),
    .read_entry_o (read_entry),
    .line_i       (read_line),
    .zero_valid_i (zero_valid),
    .zero_ready_o (zero_ready),
    .zero_line_i  (zero_line),
    .acked_o      (acked),
    .failed_o     (failed),
    .bad_put_o    (bad_put),
    .bad_o        (bad_line),
    .bad_busy_i   (bad_busy),
    .bad_done_i   (bad_done),
    .bad_all_i    (retired_o.all),
    .m_axi_awaddr (m_axi_req_o.aw.addr),
    .m_axi_awvalid(m_axi_req_o.aw_valid),
    .m_axi_awready(m_axi_resp_i.aw_ready),
    .m_axi_wdata  (m_axi_req_o.w.data),
    .m_axi_wvalid (m_axi_req_o.w_valid),
    .m_axi_wready (m_axi_resp_i.w_ready),
    .m_axi_bvalid (m_axi_resp_i.b_valid),
    .m_axi_berror (m_axi_resp_i.b.resp[1]),
    .m_axi_bready (m_axi_req_o.b_ready)
  );

  assign m_axi_req_o.ar.len = '0;
  assign m_axi_req_o.aw.len = '0;
  assign m_axi_req_o.w.strb = '1;
  assign m_axi_req_o.w.last = 1'b1;

  wc_item_clear u_clear (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .settings_i  (settings_q),
    .clear_i     (clear_i),
    .zeroed_i    (zeroed_i),
    .clearing_o  (clearing_o),
    .quiet_i     (quiet),
    .begin_o     (forget),
    .zero_valid_o(zero_valid),
    .zero_ready_i(zero_ready),
    .zero_line_o (zero_line),
    .acked_i     (acked)
  );

  // What is in a bucket that could not be written does not count until the table is cleared.
  wc_bad_list #(
    .Width  ($bits(line_t)),
    .Entries(wc_pkg::BadPlaces)
  ) u_retired (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .clear_i(forget),
    .ask_i  (asked_line),
    .hit_o  (asked_bad),
    .put_i  (bad_put),
    .take_i (1'b0),
    .place_i(bad_line),
    .busy_o (bad_busy),
    .done_o (bad_done),
    .level_o(retired_o.level),
    .all_o  (retired_o.all)
  );

  always_ff @(posedge clk_i) begin
    error_o <= '{
        read: fill_error,
        read_line: 32'(fill_error_line),
        write: failed,
        write_line: 32'(bad_line)
    };
    if (rst_i) begin
      error_o.read <= 1'b0;
      error_o.write <= 1'b0;
    end
  end

  assign events_o.fill = filled;
  assign events_o.write_back = read;

endmodule

`default_nettype wire
