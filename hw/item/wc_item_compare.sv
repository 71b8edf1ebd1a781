// SPDX-License-Identifier: Apache-2.0
// Compares each operation's key with the item that the table found for it, in the order of
// operations, and decides what becomes of the operation. hw/item/README.md says what goes where.
// Up to Operations wait in here for their beats. An operation begins when each output has room for
// what comes of it, so a stalled output stalls the operations, and nothing is dropped.
// Latency 5 from the last word and beat to the result. An operation takes a cycle for each word of
// its key, 2 at least; with an item that has no word of the key in its first beat a cycle more, 2 at
// least (wc_item_match).
// beat_i should come from a register: it goes through a multiplexer.
`include "wc_assert.svh"
`default_nettype none

module wc_item_compare
  import wc_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned BeatUnits  = wc_log_pkg::LineUnits,
  parameter int unsigned Operations = 128,  // that wait for their beats
  parameter bit          Meta       = 1'b1,  // items have marks
  localparam int unsigned BeatWidth = 8 * wc_log_pkg::UnitBytes * BeatUnits
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire seconds_t          time_i,
  input  wire value_len_t        most_bytes_i,  // of an item, as memcached counts them
  // from wc_item_dispatch
  input  wire logic              work_valid_i,
  output logic                   work_ready_o,
  input  wire compare_t          work_i,
  // words of the keys of all operations that have one, but plain SETs without key_words
  input  wire logic              key_valid_i,
  output logic                   key_ready_o,
  input  wire beat_t             key_i,
  // from wc_log_read
  input  wire logic              beat_valid_i,
  output logic                   beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic              beat_error_i,
  // CAS numbers
  input  wire cas_t              number_i,
  output logic                   draw_o,
  output logic                   decided_o,
  output cas_t                   floor_o,
  output wc_log_pkg::flushes_t   flushes_o,
  // to the response, and the words of the keys that it may show
  output logic                   result_valid_o,
  input  wire logic              result_ready_i,
  output result_t                result_o,
  output logic                   key_valid_o,
  input  wire logic              key_ready_i,
  output beat_t                  key_o,
  // the lines of short items, if a beat is a line; else nothing
  input  wire logic              short_room_i,  // for two lines more; else the value is read again
  output logic                   short_valid_o,
  output wc_log_pkg::upper_t     short_o,
  // to the log's writer, of the jobs that are late
  output logic                   verdict_valid_o,
  input  wire logic              verdict_ready_i,
  output wc_log_pkg::verdict_t   verdict_o,
  // and the values of those that are numbers
  output logic                   number_valid_o,
  input  wire logic              number_ready_i,
  output beat_t                  number_o,
  // each operation that joins
  output logic                   joined_valid_o,
  input  wire logic              joined_ready_i,
  output joined_t                joined_o,
  // to the table; of a touch once its item is patched
  input  wire logic              patched_i,
  input  wire logic              bumped_i,  // a time of last use is where it belongs
  output logic                   settle_valid_o,
  input  wire logic              settle_ready_i,
  output settle_t                settle_o,
  // an operation that entered a segment reads there no more; those that read a value leave behind it
  output logic                   leave_valid_o,
  output wc_log_pkg::segment_t   leave_segment_o,
  // likewise, once its item's time of last use is written, or is not to be
  output logic                   bump_leave_valid_o,
  input  wire logic              bump_leave_ready_i,
  output wc_log_pkg::segment_t   bump_leave_o,
  output index_events_t          events_o,
  output logic                   too_large_o,
  output logic                   alias_o
);

  // To the response. None begins while half of them are taken: the rest is for the one that has.
  localparam int unsigned KeyWords = 128;
  localparam int unsigned Results = 16;
  localparam int unsigned Verdicts = 8;
  localparam int unsigned Numbers = 8;
  localparam int unsigned Joined = 8;
  localparam int unsigned Settles = 32;  // those of touches wait for memory
  localparam int unsigned Bumps = 32;    // wait for memory
  typedef logic [$clog2(KeyWords):0] key_level_t;

  seconds_t time_q;
  always_ff @(posedge clk_i) time_q <= time_i;

  // ---- operations that wait ---------------------------------------------------------------------
  logic work_valid, done, begins, room_q;
  compare_t work;
  logic result_room, verdict_room, number_room, joined_room, settle_room, bump_room, keys_room;

  wc_fifo_wide #(
    .data_t(compare_t),
    .Depth (Operations)
  ) u_work (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(work_valid_i),
    .ready_o(work_ready_o),
    .data_i (work_i),
    .valid_o(work_valid),
    .ready_i(done),
    .data_o (work),
    .level_o()
  );

  // Room in all queues, whatever the operation needs: what comes late is one register.
  always_ff @(posedge clk_i) begin
    room_q <= result_room && verdict_room && number_room && joined_room && settle_room
              && bump_room && keys_room;
    if (rst_i) room_q <= 1'b0;
  end

  // ---- compare ----------------------------------------------------------------------------------
  logic key_valid, key_ready;
  key_level_t key_level;
  beat_t key;
  facts_t facts;
  logic error, same;
  logic value_valid, value_ready, value_end, is_counted;
  word_t value;
  wc_log_pkg::length_t value_len;
  count_t count;
  logic word_valid, finds, kept_error, kept_same, found, found_unread, stored;
  word_t item_word;
  facts_t kept_facts;
  wc_log_pkg::verdict_t verdict;

  wc_item_match #(
    .BeatUnits(BeatUnits)
  ) u_match (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .time_i      (time_q),
    .work_valid_i(work_valid),
    .work_i      (work),
    .room_i      (room_q),
    .begin_o     (begins),
    .done_o      (done),
    .key_valid_i (key_valid_i),
    .key_ready_o (key_ready_o),
    .key_i       (key_i),
    .beat_valid_i(beat_valid_i),
    .beat_ready_o(beat_ready_o),
    .beat_i      (beat_i),
    .beat_error_i(beat_error_i),
    .number_valid_o(value_valid),
    .number_ready_i(value_ready),
    .number_o    (value),
    .number_end_o(value_end),
    .value_len_o (value_len),
    .counted_i   (is_counted),
    .word_valid_o(word_valid),
    .finds_o     (finds),
    .item_o      (item_word),
    .kept_i      (kept_facts),
    .kept_error_i(kept_error),
    .key_valid_o (key_valid),
    .key_o       (key),
    .facts_o     (facts),
    .error_o     (error),
    .same_o      (same)
  );

  // ---- the item of the last operation that counted ------------------------------------------------
  wc_item_kept u_kept (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .time_i        (time_q),
    .word_valid_i  (word_valid),
    .word_i        (key_i),
    .finds_i       (finds),
    .item_i        (item_word),
    .same_o        (kept_same),
    .found_valid_i (found),
    .found_i       (facts),
    .unread_i      (found_unread),
    .stored_valid_i(stored),
    .stored_i      (verdict),
    .kept_o        (kept_facts),
    .unread_o      (kept_error)
  );

  // ---- numbers ----------------------------------------------------------------------------------
  // An operation that counts has all of it to itself until its number is there.
  wc_item_count u_count (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .start_i     (begins && work.counts),
    .item_i      (work.has_beats),
    .follows_i   (work.follows),
    .stored_i    (stored),
    .down_i      (work.op.op == OpDecr),
    .delta_i     (work.delta),
    .created_i   (work.start),
    .length_i    (value_len),
    .word_valid_i(value_valid),
    .word_ready_o(value_ready),
    .word_i      (value),
    .end_i       (value_end),
    .done_o      (is_counted),
    .count_o     (count)
  );

  // ---- lines of short items ---------------------------------------------------------------------
  // They go on as they are compared, whatever becomes of the operation: its result says that there is
  // one, and whoever reads values drops a line that is not wanted.
  // Of beats that are units those with header and key come only, so every value is requested.
  logic kept;

  if (BeatUnits == wc_log_pkg::LineUnits) begin : gen_short
    logic taken, kept_q;

    assign taken = beat_valid_i && beat_ready_o;
    assign short_valid_o = taken && work.one_line && short_room_i;
    assign short_o = beat_i[$bits(beat_i)-1-:$bits(short_o)];
    assign kept = taken ? short_valid_o : kept_q;

    always_ff @(posedge clk_i) begin
      kept_q <= kept && !done;
      if (rst_i) kept_q <= 1'b0;
    end
  end else begin : gen_no_short
    logic unused;

    assign short_valid_o = 1'b0;
    assign short_o = '0;
    assign kept = 1'b0;
    assign unused = short_room_i;

    `WC_ASSERT(nothing_is_short, !work_valid || !work.one_line)
  end

  // The words of an operation may wait here for the result that goes with them, so all words of a
  // key must fit. An operation begins only when they do: those of the one before it have come by then,
  // but for three that the level may not count yet.
  wc_fifo_wide #(
    .data_t(beat_t),
    .Depth (KeyWords)
  ) u_keys (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(key_valid),
    .ready_o(key_ready),
    .data_i (key),
    .valid_o(key_valid_o),
    .ready_i(key_ready_i),
    .data_o (key_o),
    .level_o(key_level)
  );

  assign keys_room = key_level < key_level_t'(KeyWords / 2);

  `WC_REQUIRE(keys_fit, KeyWords / 2 + 3 + (MaxKeyBytes + WordBytes - 1) / WordBytes <= KeyWords,
              "wc_item_compare: half of KeyWords must hold the longest key and 3 words")
  `WC_ASSERT(keys_find_room, !key_valid || key_ready)

  // ---- decide -----------------------------------------------------------------------------------
  typedef struct packed {
    logic    touches;
    settle_t settle;
  } held_t;

  logic result_valid, verdict_valid, settle_valid;
  result_t result;
  logic follows_q;  // the operation that is decided
  logic counted_valid, made_valid, made_ready, joined_valid;
  joined_t joined;
  counted_t counted, made;
  held_t held;
  logic bump_valid, bumps, bumping_q;
  wc_log_pkg::segment_t bump_segment;

  always_ff @(posedge clk_i) begin
    if (done) follows_q <= work.follows;
  end

  wc_item_decide #(
    .Meta(Meta)
  ) u_decide (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .time_i         (time_q),
    .most_bytes_i   (most_bytes_i),
    .done_i         (done),
    .work_i         (work),
    .facts_i        (facts),
    .error_i        (error),
    .same_i         (follows_q ? kept_same : same),
    .count_i        (count),
    .number_i       (number_i),
    .draw_o         (draw_o),
    .decided_o      (decided_o),
    .floor_o        (floor_o),
    .flushes_o      (flushes_o),
    .kept_i         (kept),
    .result_valid_o (result_valid),
    .result_o       (result),
    .verdict_valid_o(verdict_valid),
    .verdict_o      (verdict),
    .counted_valid_o(counted_valid),
    .counted_o      (counted),
    .joined_valid_o (joined_valid),
    .joined_o       (joined),
    .found_valid_o  (found),
    .unread_o       (found_unread),
    .stored_o       (stored),
    .settle_valid_o (settle_valid),
    .settle_o       (held.settle),
    .touches_o      (held.touches),
    .bump_valid_o   (bump_valid),
    .bumps_o        (bumps),
    .bump_segment_o (bump_segment),
    .leave_valid_o  (leave_valid_o),
    .leave_segment_o(leave_segment_o),
    .events_o       (events_o),
    .too_large_o    (too_large_o),
    .alias_o        (alias_o)
  );

  // ---- out --------------------------------------------------------------------------------------
  // Where beats are units, wires are slow.
  localparam bit Late = BeatUnits != wc_log_pkg::LineUnits;

  wc_item_reserved #(
    .data_t(result_t),
    .Depth (Results),
    .Late  (Late)
  ) u_results (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (),
    .room_soon_o(result_room),
    .reserve_i(begins),
    .valid_i    (result_valid),
    .data_i     (result),
    .valid_o    (result_valid_o),
    .ready_i    (result_ready_i),
    .data_o     (result_o)
  );

  // A second one of an operation takes its place a cycle later: then none begins.
  always_ff @(posedge clk_i) bumping_q <= begins && work.bumps && !rst_i;

  wc_item_reserved #(
    .data_t(wc_log_pkg::verdict_t),
    .Depth (Verdicts),
    .Each  (2),
    .Late  (Late)
  ) u_verdicts (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (),
    .room_soon_o(verdict_room),
    .reserve_i((begins && (work.late || work.patches)) || bumping_q),
    .valid_i    (verdict_valid),
    .data_i     (verdict),
    .valid_o    (verdict_valid_o),
    .ready_i    (verdict_ready_i),
    .data_o     (verdict_o)
  );

  wc_item_reserved #(
    .data_t(counted_t),
    .Depth (Numbers),
    .Late  (Late)
  ) u_numbers (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (),
    .room_soon_o(number_room),
    .reserve_i(begins && work.counts && work.late),
    .valid_i    (counted_valid),
    .data_i     (counted),
    .valid_o    (made_valid),
    .ready_i    (made_ready),
    .data_o     (made)
  );

  wc_item_reserved #(
    .data_t(joined_t),
    .Depth (Joined)
  ) u_joined (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (),
    .room_soon_o(joined_room),
    .reserve_i(begins && work.joins),
    .valid_i    (joined_valid),
    .data_i     (joined),
    .valid_o    (joined_valid_o),
    .ready_i    (joined_ready_i),
    .data_o     (joined_o)
  );

  logic digits_valid, digits_ready;
  beat_t digits;

  wc_item_digits u_digits (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .valid_i  (made_valid),
    .ready_o  (made_ready),
    .counted_i(made),
    .valid_o  (digits_valid),
    .ready_i  (digits_ready),
    .beat_o   (digits)
  );

  // Whether the writer takes a word is known late, and says whether the next number goes.
  wc_slice #(
    .data_t(beat_t)
  ) u_number (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(digits_valid),
    .ready_o(digits_ready),
    .data_i (digits),
    .valid_o(number_valid_o),
    .ready_i(number_ready_i),
    .data_o (number_o)
  );

  // Settles leave in order. Of a touch the bucket is held until ring and memory have the patch, so
  // nobody reads the old expiry, and the sweeper copies none.
  logic oldest_valid, oldest_ready;
  held_t oldest;
  logic [$clog2(Settles):0] patched_q;  // patches whose settle is still here
  logic patched_any_q, released, patch_leaves;

  wc_item_reserved #(
    .data_t(held_t),
    .Depth (Settles)
  ) u_settles (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .room_o     (),
    .room_soon_o(settle_room),
    .reserve_i(begins && work.held),
    .valid_i    (settle_valid),
    .data_i     (held),
    .valid_o    (oldest_valid),
    .ready_i    (oldest_ready),
    .data_o     (oldest)
  );

  assign released = !oldest.touches || patched_any_q;
  assign settle_valid_o = oldest_valid && released;
  assign settle_o = oldest.settle;
  assign oldest_ready = settle_ready_i && released;
  assign patch_leaves = settle_valid_o && settle_ready_i && oldest.touches;

  always_ff @(posedge clk_i) begin
    if (patched_i != patch_leaves) begin
      patched_q <= patched_i ? patched_q + 1'b1 : patched_q - 1'b1;
      patched_any_q <= patched_i || patched_q != ($bits(patched_q))'(1);
    end
    if (rst_i) begin
      patched_q <= '0;
      patched_any_q <= 1'b0;
    end
  end

  `WC_ASSERT(patches_are_few, patched_q <= ($bits(patched_q))'(Settles))

  wc_item_bumps #(
    .Depth(Bumps)
  ) u_bumps (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .room_soon_o  (bump_room),
    .reserve_i    (begins && work.bumps),
    .valid_i      (bump_valid),
    .stores_i     (bumps),
    .segment_i    (bump_segment),
    .bumped_i     (bumped_i),
    .leave_valid_o(bump_leave_valid_o),
    .leave_ready_i(bump_leave_ready_i),
    .leave_o      (bump_leave_o)
  );

endmodule

`default_nettype wire
