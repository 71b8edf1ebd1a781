// SPDX-License-Identifier: Apache-2.0
// The table of buckets: has the line of each operation's bucket on the chip, tells of its slot, and
// gives places to new items. hw/item/README.md says what becomes of a slot.
// With several ways a key may be in a bucket of each (wc_cuckoo_pkg): an operation has all these
// lines on the chip, and each way has lines of its own, which are read and written beside the others'.
// Latency 10 from look to looked when the line is on the chip, else that of memory and 9. An
// operation every 2 cycles, one that may change more than uses every 4, a SET too
// if the log has places in time. A stalled looked_o stalls look_i, never settle_i.
// Long because it is a list of parts that have many ports.
`include "wc_assert.svh"
`include "wc_axi.svh"
`default_nettype none

module wc_item_table
  import wc_item_pkg::*;
  import wc_log_pkg::*;
  import wc_cuckoo_pkg::*;
#(
  parameter int unsigned Entries   = 64,  // lines on the chip, of each way
  parameter int unsigned AddrWidth = 40,
  parameter int unsigned BeatUnits = wc_log_pkg::LineUnits,  // of the memory that has the lines
  parameter bit          Meta      = 1'b1,  // items have marks
  parameter int unsigned Ways      = 1,
  parameter int unsigned Stash     = Entries / StashShare,  // Ways > 1
  parameter int unsigned Moves     = MostMoves,     // Ways > 1; 0: the least used item gives way
  localparam type axi_req_t         = `WC_AXI_REQ(AddrWidth, LineWidth),
  localparam type axi_resp_t        = `WC_AXI_RESP(LineWidth)
) (
  input  wire logic                            clk_i,
  input  wire logic                            rst_i,
  input  wire wc_item_pkg::item_settings_t     settings_i,
  input  wire wc_log_pkg::units_t              largest_i,  // item
  input  wire logic [4:0]                      segment_bits_i,  // wc_log_pkg::log_settings_t
  input  wire logic                            period_i,  // wc_item_pkg::period_of, now
  input  wire logic                            clear_i,  // make all slots empty, if nothing moves
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
  output logic                                 moved_o,   // an item was put out of its slot
  output logic                                 moving_o,  // items are on their way to another one
  output logic                                 mover_passed_o,  // for a model: a mover's operation,
                                                   // whose entry looked_o.slot has, in the order of looked_o
  output wc_pkg::memory_error_t                error_o,
  output wc_pkg::bad_level_t                   retired_o,  // buckets that could not be written
  output axi_req_t                             m_axi_req_o,
  input  wire axi_resp_t                       m_axi_resp_i
);

  localparam int unsigned Others = Ways > 1 ? Ways - 1 : 1;
  localparam int unsigned EntryWidth = $clog2(Entries);
  localparam int unsigned Waiting = 64;  // operations that wait for their lines
  localparam int unsigned Said = 32;  // that pass, or whose answer was not taken

  `WC_REQUIRE(entries, Entries >= 8 && Entries <= 64 && Entries == 2 ** $clog2(Entries),
              "wc_item_table: Entries must be a power of two of 8 to 64")
  `WC_REQUIRE(addr_width, AddrWidth >= 36 && AddrWidth <= 64,
              "wc_item_table: AddrWidth must be 36 to 64")

  `WC_REQUIRE(ways, Ways == 1 || Ways == 2 || Ways == 4, "wc_item_table: Ways must be 1, 2 or 4")

  item_settings_t settings_q;
  walk_t walk_q;  // Ways > 1

  always_ff @(posedge clk_i) begin
    settings_q <= settings_i;
    walk_q <= Ways > 1 ? walk_of(settings_q.shift) : '0;
  end

  // ---- operations, and which buckets are on the chip --------------------------------------------
  logic look_valid, look_ready;
  look_t look, first_look;
  logic first_valid, first_ready, mover_valid, mover_ready;
  look_t mover;
  logic found_valid, found_ready, waiting_valid, waiting_ready;
  logic [Ways-1:0] can_go, lines_ready, stall;
  waiting_t found, waiting;
  other_t [Others-1:0] found_others, waiting_others;
  logic [Ways-1:0] there;  // what an operation has in the ways behind is found
  logic [Ways-1:0] fill_valid, fill_ready, filled, fill_line_valid, fill_line_bad, fill_unread;
  logic fill_line_ready;
  fill_t [Ways-1:0] fill;
  entry_t [Ways-1:0] fill_entry;
  bucket_line_t [Ways-1:0] fill_line;
  line_t [Ways-1:0] asked_line;
  logic [Ways-1:0] asked_bad;
  logic leave;
  entry_t [Ways-1:0] leave_entry;
  position_t leave_position;
  logic [Ways-1:0][Entries-1:0] claimed, locked, busy, needed, back_busy;
  logic [Entries-1:0] unwritten;
  logic [Ways-1:0] quiet;
  logic forget;

  // A mover's operation goes before those that wait.
  assign first_valid = look_valid_i || mover_valid;
  assign first_look = mover_valid ? mover : look_i;
  assign look_ready_o = first_ready && !mover_valid;
  assign mover_ready = first_ready;

  wc_skid #(
    .data_t(look_t)
  ) u_look (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(first_valid),
    .ready_o(first_ready),
    .data_i (first_look),
    .valid_o(look_valid),
    .ready_i(look_ready),
    .data_o (look)
  );

  // All ways take an operation together, and look for its bucket in the same cycle; how long each then
  // takes is its own matter.
  assign look_ready = lines_ready[0];
  `WC_ASSERT(ways_in_step, lines_ready == {Ways{lines_ready[0]}})

  for (genvar w = 0; w < Ways; w++) begin : gen_lines
    look_t own;  // what it is in this way
    waiting_t own_found;
    logic own_valid, own_ready;

    always_comb begin
      own = look;
      if (w > 0) begin
        own = '{looks: look.looks, bucket: look.bucket, tag: look.tag, default: '0};
        {own.bucket, own.tag} = in_way(Ways, walk_q, way_t'(w),
                                       '{bucket: look.bucket, tag: look.tag});
      end
    end

    wc_item_lines #(
      .Entries(Entries)
    ) u_lines (
      .clk_i            (clk_i),
      .rst_i            (rst_i),
      .base_line_i      (settings_q.base_line),
      .hold_i           (clearing_o),
      .quiet_o          (quiet[w]),
      .forget_i         (forget),
      .can_go_o         (can_go[w]),
      .go_i             (can_go == '1),
      .look_valid_i     (look_valid),
      .look_ready_o     (lines_ready[w]),
      .look_i           (own),
      .waiting_valid_o  (own_valid),
      .waiting_ready_i  (own_ready),
      .waiting_o        (own_found),
      .fill_valid_o     (fill_valid[w]),
      .fill_ready_i     (fill_ready[w]),
      .fill_o           (fill[w]),
      .line_o           (asked_line[w]),
      .bad_i            (asked_bad[w]),
      .drop_i           (filled[w] && fill_line_bad[w]),
      .drop_entry_i     (fill_entry[w]),
      .passed_i         (leave),
      .passed_entry_i   (leave_entry[w]),
      .passed_position_i(leave_position),
      .busy_i           (busy[w]),
      .claimed_o        (claimed[w]),
      .stall_o          (stall[w])
    );

    if (w == 0) begin : gen_first
      assign own_ready = found_ready && there == '1;
      assign found_valid = own_valid && there == '1;
      assign there[w] = 1'b1;
      assign found = own_found;
      assign busy[w] = locked[w] | unwritten | back_busy[w];
    end else begin : gen_other
      logic other_valid;

      // It waits here if the first way has not found its line yet.
      wc_skid #(
        .data_t(other_t)
      ) u_found (
        .clk_i  (clk_i),
        .rst_i  (rst_i),
        .valid_i(own_valid),
        .ready_o(own_ready),
        .data_i ('{entry: own_found.entry, fills: own_found.fills, tag: own_found.tag}),
        .valid_o(other_valid),
        .ready_i(found_valid && found_ready),
        .data_o (found_others[w-1])
      );

      assign there[w] = other_valid;
      assign busy[w] = locked[w] | back_busy[w];
    end
  end

  assign events_o.stall = stall != '0;

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

  if (Ways > 1) begin : gen_others
    wc_fifo_wide #(
      .data_t(other_t [Others-1:0]),
      .Depth (Waiting)
    ) u_waiting (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .valid_i(found_valid),
      .ready_o(),
      .data_i (found_others),
      .valid_o(),
      .ready_i(waiting_ready),
      .data_o (waiting_others),
      .level_o()
    );
  end else begin : gen_no_others
    assign found_others = '0;
    assign waiting_others = '0;

    logic unused;
    assign unused = ^found_others;
  end

  // ---- one after the other ---------------------------------------------------------------------
  logic settle_valid, settle_ready, settle_there, settle_take;
  settle_t settle;
  other_t [Others-1:0] settle_others, step_others;
  logic step_valid, lock, pass_quiet, room, job_room;
  step_t step;
  logic want, want_go, place_ok, wanted;
  units_t want_units;
  logic seen_valid, seen_item, said_valid, answer_valid, unlock;
  looked_t said;
  entry_t [Ways-1:0] done_entry;
  address_t seen_address;
  logic [Ways-1:0] read_want, read_try, read;
  logic read_free;
  entry_t [Ways-1:0] read_entry;
  bucket_line_t [Ways-1:0] read_line;

  wc_slice #(
    .data_t(settle_t)
  ) u_settle (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(settle_valid_i),
    .ready_o(settle_ready_o),
    .data_i (settle_i),
    .valid_o(settle_there),
    .ready_i(settle_take),
    .data_o (settle)
  );

  // What is settled names the first of its entries. The others were noted when they were locked.
  if (Ways > 1) begin : gen_settle
    logic known_q;

    wc_ram_sdp #(
      .Width($bits(other_t) * Others),
      .Depth(Entries)
    ) u_others (
      .clk_i  (clk_i),
      .we_i   (lock),
      .waddr_i(step.look.entry[EntryWidth-1:0]),
      .wdata_i(step_others),
      .re_i   (1'b1),
      .raddr_i(settle.entry[EntryWidth-1:0]),
      .rdata_o(settle_others)
    );

    always_ff @(posedge clk_i) known_q <= settle_there && !settle_take && !rst_i;
    assign settle_valid = settle_there && known_q;
    assign settle_take = settle_valid && settle_ready;
  end else begin : gen_no_settle
    assign settle_valid = settle_there;
    assign settle_take = settle_ready;
    assign settle_others = '0;
  end

  wc_item_issue #(
    .Entries(Entries),
    .Ways   (Ways)
  ) u_issue (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .waiting_valid_i(waiting_valid),
    .waiting_ready_o(waiting_ready),
    .waiting_i      (waiting),
    .waiting_others_i(waiting_others),
    .settle_valid_i (settle_valid),
    .settle_ready_o (settle_ready),
    .settle_i       (settle),
    .settle_others_i(settle_others),
    .filled_i       (filled),
    .locked_i       (locked),
    .unwritten_i    (unwritten),
    .quiet_i        (pass_quiet),
    .said_i         (said_valid),
    .said_held_i    (said.held),
    .said_place_i   (said.place),
    .unlock_i       (unlock),
    .unlock_entry_i (done_entry[0]),
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
    .step_others_o  (step_others),
    .lock_o         (lock),
    .read_i         (read_want != '0),
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
  logic ask, ask_unwritten, pass_unlock, settled, last_hold;
  logic [Ways-1:0] dirty;
  entry_t [Ways-1:0] ask_entry;
  entry_t take_entry;
  bucket_t [Ways-1:0] ask_bucket;
  pass_keys_t keys, keys_q, keys_q2;
  job_t ask_job, next_job;

  wc_item_pass #(
    .Entries(Entries),
    .Meta   (Meta),
    .Ways   (Ways),
    .Stash  (Stash),
    .Moves  (Moves)
  ) u_pass (
    .clk_i           (clk_i),
    .rst_i           (rst_i),
    .period_i        (period_i),
    .walk_i          (walk_q),
    .forget_i        (forget),
    .step_valid_i    (step_valid),
    .step_i          (step),
    .others_i        (step_others),
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
    .bucket_i        (ask_bucket),
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
    .moved_o         (moved_o),
    .change_o        (change_o),
    .keys_o          (keys),
    .mover_valid_o   (mover_valid),
    .mover_ready_i   (mover_ready),
    .mover_o         (mover),
    .moving_o        (moving_o)
  );

  // The entry keeps its bucket until the operation has left it, and longer.
  for (genvar w = 0; w < Ways; w++) begin : gen_buckets
    wc_ram_sdp #(
      .Width($bits(bucket_t)),
      .Depth(Entries)
    ) u_buckets (
      .clk_i  (clk_i),
      .we_i   (fill_valid[w] && fill_ready[w]),
      .waddr_i(fill[w].entry[EntryWidth-1:0]),
      .wdata_i(fill[w].bucket),
      .re_i   (ask),
      .raddr_i(ask_entry[w][EntryWidth-1:0]),
      .rdata_o(ask_bucket[w])
    );
  end

  // Operations that change keys are four cycles apart: a key that is lost is told first, then the
  // operation's own.
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
  assign key_news_o.bucket = keys_q.loses ? keys_q.lost_bucket : keys_q2.bucket;
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
    .ask_entry_i (ask_entry[0]),
    .last_o      (last_hold),
    .settled_i   (settled)
  );

  for (genvar w = 0; w < Ways; w++) begin : gen_locked
    entry_t lock_entry;

    if (w == 0) begin : gen_first
      assign lock_entry = step.look.entry;
    end else begin : gen_other
      assign lock_entry = step_others[w-1].entry;
    end

    wc_item_flags #(
      .Entries(Entries)
    ) u_locked (
      .clk_i        (clk_i),
      .rst_i        (rst_i),
      .set_i        (lock),
      .set_entry_i  (lock_entry),
      .clear_i      (unlock),
      .clear_entry_i(done_entry[w]),
      .flags_o      (locked[w])
    );
  end

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
    .ask_entry_i   (ask_entry[0]),
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
    .reserve_i  (step_valid && !step.settles && !step.peeks),
    .valid_i    (said_valid),
    .data_i     (said),
    .valid_o    (answer_valid),
    .ready_i    (looked_ready_i || mover_passed_o),
    .data_o     (looked_o)
  );

  // A mover's operation has its turn among the others, and nobody waits for an answer.
  assign mover_passed_o = Ways > 1 && answer_valid && looked_o.moves;
  assign looked_valid_o = answer_valid && !mover_passed_o;

  // ---- memory ------------------------------------------------------------------------------------
  always_comb begin
    for (int unsigned w = 0; w < Ways; w++) needed[w] = claimed[w] | locked[w];
  end

  wc_item_memory #(
    .Entries  (Entries),
    .Ways     (Ways),
    .AddrWidth(AddrWidth),
    .BeatUnits(BeatUnits)
  ) u_memory (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .settings_i   (settings_q),
    .clear_i      (clear_i),
    .zeroed_i     (zeroed_i),
    .clearing_o   (clearing_o),
    .quiet_i      (quiet == '1),
    .forget_o     (forget),
    .fill_valid_i (fill_valid),
    .fill_ready_o (fill_ready),
    .fill_i       (fill),
    .asked_line_i (asked_line),
    .asked_bad_o  (asked_bad),
    .line_valid_o (fill_line_valid),
    .line_ready_i (fill_line_ready),
    .line_o       (fill_line),
    .line_entry_o (fill_entry),
    .line_bad_o   (fill_line_bad),
    .line_unread_o(fill_unread),
    .dirty_i      (dirty),
    .dirty_entry_i(done_entry),
    .needed_i     (needed),
    .busy_o       (back_busy),
    .read_want_o  (read_want),
    .read_free_i  (read_free),
    .read_try_o   (read_try),
    .read_o       (read),
    .read_entry_o (read_entry),
    .read_line_i  (read_line),
    .error_o      (error_o),
    .retired_o    (retired_o),
    .m_axi_req_o  (m_axi_req_o),
    .m_axi_resp_i (m_axi_resp_i)
  );

  assign filled = fill_line_valid & {Ways{fill_line_ready}};
  assign events_o.fill = filled != '0;
  assign events_o.write_back = read != '0;

endmodule

`default_nettype wire
