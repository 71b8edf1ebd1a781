// SPDX-License-Identifier: Apache-2.0
// Empties the oldest segment of a log when few segments are free: tells the table of each record in
// it, and writes those that the table keeps to the main log. One segment at a time.
// A record that crosses the segment's end belongs to the segment it begins in: where it ended is
// remembered, as the next segment of the log has its first record there.
// A record every 4 cycles that is not copied; a unit of a copied one in each cycle. A segment costs
// the latency of memory and table once, until its last record is answered.
// Memory may fail, so records may be lost from sight: `astray`. Slots may point to them for ever,
// so their segment does not come back: `lost`. The walk goes on, trying each line's beginning,
// until the table finds a slot with the address of something it met: that is a record, and from
// there on all is well. A segment in which the walk was not sure of its place from the beginning is
// lost too. So is one with a record of which memory did not tell the bucket: a slot may point to it.
// All that is waited for is bounded, if readers end, and the table, the writer and memory answer.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Target     = 7,   // sweep when fewer segments are free, or an item waits
  // Records between met and answer: 64 are kept in block RAM, where look-up tables are dear.
  parameter int unsigned Pending    = BeatUnits == 1 ? 64 : 32,
  parameter int unsigned Records    = 64,  // records between met and the end of their copy
  parameter int unsigned Chunk      = 64 / BeatUnits,  // beats of a walk's request; 2 ahead
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire log_settings_t     settings_i,
  input  wire wc_pkg::seconds_t  time_i,
  input  wire wc_pkg::cas_t      floor_i,          // items with such a CAS number are flushed,
  input  wire flushes_t          flushes_i,        // or with another count than this one
  // While hold_i is high, no other segment is begun. When busy_o is low then, all logs may be
  // emptied, and clear_i says so.
  input  wire logic              hold_i,
  input  wire logic              clear_i,
  output logic                   busy_o,
  // The segments. What is told here has changed 8 cycles after drop.
  input  wire segments_t         free_i,
  input  wire logic              waits_i,          // an item needs more segments than are free
  input  wire segments_t [1:0]   count_i,          // of each log
  input  wire logic [1:0]        oldest_valid_i,
  input  wire segment_t [1:0]    oldest_i,
  input  wire logic [1:0]        settled_i,        // memory has all of the oldest segment's records
  output logic                   drop_o,           // the oldest segment leaves its log
  output log_e                   drop_log_o,
  output logic                   give_valid_o,     // it is free, a cycle after drop_o
  output segment_t               give_segment_o,
  // Readers: is none in this segment?
  output logic                   ask_valid_o,
  output segment_t               ask_segment_o,
  input  wire logic              idle_valid_i,
  input  wire logic              idle_i,
  // Room for a copy in the main log: taken with ready. Valid may fall without.
  output logic                   copy_room_valid_o,
  output units_t                 copy_room_units_o,
  input  wire logic              copy_room_ready_i,
  output logic                   copy_room_take_o,
  // The table. Who was told of an item before it answers has entered with the readers.
  output logic                   met_valid_o,
  input  wire logic              met_ready_i,
  output met_t                   met_o,
  input  wire logic              answer_valid_i,
  output logic                   answer_ready_o,
  input  wire answer_t           answer_i,
  // Units of the records that were placed.
  output logic                   unit_valid_o,
  input  wire logic              unit_ready_i,
  output copy_unit_t             unit_o,
  // Memory, through the readers of the log: for the walk, for copies.
  output logic                   walk_request_valid_o,
  input  wire logic              walk_request_ready_i,
  output address_t               walk_request_address_o,
  output beats_t                 walk_request_beats_o,
  input  wire logic              walk_beat_valid_i,
  output logic                   walk_beat_ready_o,
  input  wire logic [BeatWidth-1:0] walk_beat_i,
  input  wire logic              walk_beat_error_i,
  output logic                   copy_request_valid_o,
  input  wire logic              copy_request_ready_i,
  output address_t               copy_request_address_o,
  output beats_t                 copy_request_beats_o,
  input  wire logic              copy_beat_valid_i,
  output logic                   copy_beat_ready_o,
  input  wire logic [BeatWidth-1:0] copy_beat_i,
  input  wire logic              copy_beat_error_i,
  output sweep_events_t          events_o,
  output segments_t              lost_o            // segments that are lost
);

  localparam int unsigned Youngest = 2;  // segments that are left to a log
  localparam int unsigned Settling = 8;  // cycles after drop and give

  typedef enum logic [2:0] {
    StRest,
    StChoose,  // a log
    StBegin,   // its oldest segment, when it is settled: does a record begin in it
    StWalk,
    StDrain,   // until all is answered and copied
    StReaders, // until they have left
    StGive,
    StSettle
  } state_e;

  state_e state_q;
  log_e log_q;
  segment_t segment_q;
  address_t base_q, size_q;      // of the segment: first address, units
  index_t beyond_q;              // bits that are set only in the index of a line behind its end
  logic lost_q;                  // the segment must not come back
  logic [2:0] settle_q;

  // ---- which log --------------------------------------------------------------------------------
  logic short_q, new_over_q;
  logic [1:0] may_q;             // be swept

  always_ff @(posedge clk_i) begin
    short_q <= free_i < segments_t'(Target) || waits_i;
    new_over_q <= count_i[LogNew] > settings_i.most_new;
    for (int unsigned i = 0; i < 2; i++) begin
      may_q[i] <= oldest_valid_i[i] && count_i[i] > segments_t'(Youngest);
    end
    // A bit of a size, and all that are behind it.
    size_q <= '0;
    beyond_q <= '0;
    for (int unsigned i = LeastSegmentBits; i <= MostSegmentBits; i++) begin
      size_q[i] <= settings_i.segment_bits == 5'(i);
      beyond_q[i-$clog2(LineUnits)] <= settings_i.segment_bits <= 5'(i);
    end
    base_q <= address_t'(segment_q) << settings_i.segment_bits;
  end

  // ---- where the first record of each log's oldest segment begins -------------------------------
  typedef struct packed {
    index_t     line;  // counted from the segment's begin; may be behind its end
    logic [1:0] unit;
  } place_t;

  place_t [1:0] from_q;
  logic [1:0] sure_q;            // it does begin there: what the walk has met since is records
  place_t from;
  logic whole;                   // a record covers the segment: none begins in it
  logic begin_now, walk_start, walk_busy, walks, astray, resume, found, unsure, meet_busy, quiet;
  index_t walk_line, left_line;
  logic [1:0] walk_unit;

  met_t record;
  logic record_valid, record_ready;
  logic copy_valid, copy_done, unread;
  address_t copy_address;
  units_t copy_units;
  met_t met;
  sweep_events_t met_events;
  logic astray_q;

  assign from = from_q[log_q];
  assign whole = (from.line & beyond_q) != '0;
  assign begin_now = state_q == StBegin && settle_q == '1 && settled_i[log_q];
  assign quiet = !walk_busy && !meet_busy;
  assign resume = astray && !meet_busy;
  // Behind the segment's end, counted from the next one's begin.
  assign left_line = (state_q == StBegin ? from.line : walk_line) - index_t'(size_q >> 2);

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StRest: if (short_q && !hold_i) state_q <= StChoose;
      StChoose: begin
        log_q <= (new_over_q ? may_q[LogNew] : !may_q[LogMain]) ? LogNew : LogMain;
        state_q <= may_q != '0 && short_q && !hold_i ? StBegin : StRest;
      end
      StBegin: begin
        // Until what depends on log_q and segment_q is there.
        if (settle_q != '1 || begin_now) settle_q <= settle_q + 1'b1;
        segment_q <= oldest_i[log_q];
        lost_q <= !sure_q[log_q];
        if (begin_now) begin
          state_q <= whole ? StReaders : StWalk;
          if (whole) from_q[log_q].line <= left_line;
        end
      end
      StWalk: begin
        if (astray) lost_q <= 1'b1;
        if (!walks && !walk_start) state_q <= StDrain;
      end
      StDrain: begin
        if (quiet) begin
          from_q[log_q] <= sure_q[log_q] ? '{line: left_line, unit: walk_unit} : '0;
          state_q <= StReaders;
        end
      end
      StReaders: if (idle_valid_i && idle_i) state_q <= StGive;
      StGive: state_q <= StSettle;
      default: begin
        settle_q <= settle_q + 1'b1;
        if (settle_q == 3'(Settling - 1)) state_q <= StRest;
      end
    endcase
    // A slot that memory did not tell may stay, so what it points to must: this segment, and the next
    // if the record may reach into it.
    if (unsure) lost_q <= 1'b1;
    if (found) sure_q[log_q] <= 1'b1;
    else if (resume || unsure) sure_q[log_q] <= 1'b0;
    if (rst_i || clear_i) begin
      from_q <= '0;
      sure_q <= '1;
    end
    if (rst_i) begin
      state_q <= StRest;
      settle_q <= '0;
    end
  end

  always_ff @(posedge clk_i) begin
    walk_start <= begin_now && !whole;
    drop_o <= state_q == StGive;
    give_valid_o <= drop_o && !lost_q;
    ask_valid_o <= state_q == StReaders && !(idle_valid_i && idle_i);
    if (state_q == StGive && lost_q) lost_o <= lost_o + 1'b1;
    if (rst_i) begin
      walk_start <= 1'b0;
      drop_o <= 1'b0;
      give_valid_o <= 1'b0;
      ask_valid_o <= 1'b0;
    end
    if (rst_i || clear_i) lost_o <= '0;
  end

  // ---- turns ------------------------------------------------------------------------------------
  // No record is on its way when a segment is given back, so a segment's have one turn.
  turn_t turn_q;
  segments_t turn_left_q;  // segments of the new log to be swept before the next one

  always_ff @(posedge clk_i) begin
    if (state_q == StGive && log_q == LogNew) begin
      turn_left_q <= turn_left_q - 1'b1;
      if (turn_left_q <= segments_t'(1)) begin
        turn_left_q <= settings_i.most_new;
        turn_q <= turn_q + 1'b1;
      end
    end
    if (rst_i || clear_i) begin
      turn_q <= '0;
      turn_left_q <= '0;
    end
  end

  always_comb begin
    met_o = met;
    met_o.turn = turn_q;
  end

  assign busy_o = state_q != StRest;
  assign drop_log_o = log_q;
  assign give_segment_o = segment_q;
  assign ask_segment_o = segment_q;

  // ---- the parts --------------------------------------------------------------------------------
  wc_log_sweep_walk #(
    .BeatUnits(BeatUnits),
    .Chunk    (Chunk)
  ) u_walk (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .time_i         (time_i),
    .floor_i        (floor_i),
    .flushes_i      (flushes_i),
    .start_i        (walk_start),
    .base_i         (base_q),
    .beyond_i       (beyond_q),
    .from_line_i    (from.line),
    .from_unit_i    (from.unit),
    .busy_o         (walk_busy),
    .walks_o        (walks),
    .line_o         (walk_line),
    .unit_o         (walk_unit),
    .astray_o       (astray),
    .resume_i       (resume),
    .record_valid_o (record_valid),
    .record_ready_i (record_ready),
    .record_o       (record),
    .request_valid_o(walk_request_valid_o),
    .request_ready_i(walk_request_ready_i),
    .request_address_o (walk_request_address_o),
    .request_beats_o(walk_request_beats_o),
    .beat_valid_i   (walk_beat_valid_i),
    .beat_ready_o   (walk_beat_ready_o),
    .beat_i         (walk_beat_i),
    .beat_error_i   (walk_beat_error_i)
  );

  wc_log_sweep_meet #(
    .Pending(Pending),
    .Records(Records)
  ) u_meet (
    .clk_i            (clk_i),
    .rst_i            (rst_i),
    .start_i          (walk_start),
    .log_i            (log_q),
    .size_i           (size_q),
    .busy_o           (meet_busy),
    .record_valid_i   (record_valid),
    .record_ready_o   (record_ready),
    .record_i         (record),
    .copy_room_valid_o(copy_room_valid_o),
    .copy_room_units_o(copy_room_units_o),
    .copy_room_ready_i(copy_room_ready_i),
    .copy_room_take_o (copy_room_take_o),
    .met_valid_o      (met_valid_o),
    .met_ready_i      (met_ready_i),
    .met_o            (met),
    .answer_valid_i   (answer_valid_i),
    .answer_ready_o   (answer_ready_o),
    .answer_i         (answer_i),
    .copy_valid_o     (copy_valid),
    .copy_address_o   (copy_address),
    .copy_units_o     (copy_units),
    .copy_done_i      (copy_done),
    .found_o          (found),
    .unsure_o         (unsure),
    .events_o         (met_events)
  );

  wc_log_sweep_copy #(
    .BeatUnits(BeatUnits),
    .Depth(Records)
  ) u_copy (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .valid_i        (copy_valid),
    .address_i      (copy_address),
    .units_i        (copy_units),
    .done_o         (copy_done),
    .unread_o       (unread),
    .request_valid_o(copy_request_valid_o),
    .request_ready_i(copy_request_ready_i),
    .request_address_o (copy_request_address_o),
    .request_beats_o(copy_request_beats_o),
    .beat_valid_i   (copy_beat_valid_i),
    .beat_ready_o   (copy_beat_ready_o),
    .beat_i         (copy_beat_i),
    .beat_error_i   (copy_beat_error_i),
    .unit_valid_o   (unit_valid_o),
    .unit_ready_i   (unit_ready_i),
    .unit_o         (unit_o)
  );

  always_ff @(posedge clk_i) begin
    astray_q <= astray;
    events_o <= met_events;
    events_o.sweep_new <= state_q == StGive && log_q == LogNew;
    events_o.sweep_main <= state_q == StGive && log_q == LogMain;
    events_o.lost <= state_q == StGive && lost_q;
    events_o.astray <= astray && !astray_q;
    events_o.unread <= unread;
    if (rst_i) events_o <= '0;
  end

  `WC_ASSERT(cleared_at_rest, !clear_i || (hold_i && !busy_o))
  `WC_ASSERT(within_log, !drop_o || count_i[drop_log_o] > segments_t'(Youngest))
  `WC_ASSERT(oldest_stays, state_q == StRest || state_q == StChoose || state_q == StSettle
             || (state_q == StBegin && settle_q == '0) || drop_o
             || segment_q == oldest_i[log_q])
  `WC_ASSERT(settings_fit, state_q == StRest || (settings_i.segment_bits >= 5'(LeastSegmentBits)
             && settings_i.segment_bits <= 5'(MostSegmentBits)))

endmodule

`default_nettype wire
