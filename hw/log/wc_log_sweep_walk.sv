// SPDX-License-Identifier: Apache-2.0
// Walks through a segment from record to record: reads each header, and tells what was met there.
// Where a record ends, the next one begins, unless the word there is zero: then it begins in the next
// line. A header says how long its record is, so all that the walk knows of its place rests on the
// headers before.
// A header that makes no sense, or a beat of it that memory did not tell, leads astray: the walk
// waits for resume_i and looks for a record at the beginning of the next line, behind all that was
// taken of the header.
// A header is in two beats where a beat is a unit, or where it begins in a line's last unit: in the
// first are words 0 and 1, from which all follows; in the second are words 2 and 3, with the hash.
// Lines: a record every 4 cycles when they are there; 1 more for each line behind the second that it
// ends in; 4 for a place that was skipped. Latency 4 from a
// line to its first record.
// Units: a record every 3 cycles when they are there, 1 more for each unit behind the third, so the
// pace of a memory that gives a unit a cycle; 3 for a place that was skipped, 1 more for the unit
// behind the second. Latency 2 from a header's second unit to its record.
// A record that is not taken stops the walk.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_walk
  import wc_pkg::*;
  import wc_log_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  parameter int unsigned Chunk      = 64 / BeatUnits,  // beats of a request, at most
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire seconds_t      time_i,
  input  wire cas_t          floor_i,
  input  wire flushes_t      flushes_i,
  // The segment: these hold until done.
  input  wire logic          start_i,
  input  wire address_t      base_i,      // its first address
  input  wire index_t        beyond_i,    // bits that are set only in an index behind its end
  input  wire index_t        from_line_i, // where its first record may begin: within it
  input  wire logic [1:0]    from_unit_i,
  output logic               busy_o,      // walks, or a record is not taken
  output logic               walks_o,
  output index_t             line_o,      // not walks_o: where the next record begins
  output logic [1:0]         unit_o,
  output logic               astray_o,    // high until resume_i, when no record is on its way here
  input  wire logic          resume_i,
  // Records. may_copy: it lives.
  output logic               record_valid_o,
  input  wire logic          record_ready_i,
  output met_t               record_o,
  // Memory.
  output logic               request_valid_o,
  input  wire logic          request_ready_i,
  output address_t           request_address_o,
  output beats_t             request_beats_o,
  input  wire logic          beat_valid_i,
  output logic               beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic          beat_error_i
);

  typedef enum logic [2:0] {
    StRest,
    StBegin,
    StLook,    // for the beat, and in it for the header
    StSize,    // of the record; units: told with StLook
    StCheck,   // whether it makes sense; units: with the header's second beat
    StStep,    // over it; lines: with the header's second beat, if it has one
    StAstray,
    StEnd      // drops what was read ahead
  } state_e;

  localparam int unsigned UnitWidth = 8 * UnitBytes;
  localparam int unsigned UnitBits = $clog2(BeatUnits);
  localparam bit Units = BeatUnits == 1;
  localparam int unsigned SizeWidth = $bits(units_t) + 1;  // a length that makes no sense too
  localparam int unsigned LowBits = LeastSegmentBits - $clog2(LineUnits);  // of a line in a segment
  localparam int unsigned SlackBits = 5;  // of the largest length that count for nothing

  `WC_REQUIRE(beat_units, BeatUnits == 1 || BeatUnits == LineUnits,
              "wc_log_sweep_walk: BeatUnits must be 1 or 4")

  typedef logic [$bits(index_t)+$clog2(LineUnits)-1:0] place_t;  // a unit of the segment

  state_e state_q;
  index_t line_q;
  logic [1:0] unit_q;
  logic here, fetch_idle, step, stall, pop;
  logic over;

  // ---- the header, a step at a time -------------------------------------------------------------
  header_t header;
  logic [31:0] hash, cas_high;    // of the record, until it is stepped over
  origin_t origin;                // likewise
  logic head;                     // the header's words 0 and 1 are there
  logic head_error;
  logic zero_q, senseless_q, long_q;
  logic [SizeWidth-1:0] units_q;
  logic [SizeWidth-1:0] size;
  place_t place, next;            // of this record; of the one behind it
  logic [SizeWidth-1:UnitBits] delta; // beats from this one to that one, at least
  logic [SizeWidth-1:0] line_end; // units to it
  logic leaves;                   // it does not end in the line
  logic more;                     // a beat behind the second is not needed for it
  logic last_unit_q;              // of its line
  logic last_line_q;              // of the segment
  logic alone;                    // no header goes on behind the unit
  logic misplaced;
  logic misses;                   // lines: the header's second beat is not there,
  logic unread;                   // memory did not tell it
  logic bad_q, large_q, emit_q, more_q;
  logic bad;                      // nothing that it says can be trusted
  logic expires_q, expired_q, low_flushed_q, dead;

  assign place = {line_q, unit_q};
  assign over = (line_q[$bits(index_t)-1:LowBits] & beyond_i[$bits(index_t)-1:LowBits]) != '0;
  assign stall = emit_q && record_valid_o;
  assign bad = bad_q || large_q || unread;
  assign step = state_q == StStep && !bad && !misses && !stall;

  if (Units) begin : gen_units
    // The units themselves, as they are in front.
    logic [31:0] hash_q, cas_high_q;
    origin_t origin_q;
    logic tail;                      // the header's words 2 and 3 are there

    assign header = header_t'({beat_i, beat_i});
    assign tail = state_q == StCheck && beat_valid_i;
    assign hash = hash_q;
    assign origin = origin_q;
    assign cas_high = cas_high_q;
    assign head = state_q == StLook;
    assign head_error = beat_error_i;
    assign misses = 1'b0;
    assign unread = 1'b0;

    always_ff @(posedge clk_i) begin
      if (head) cas_high_q <= header.cas[63:32];
      if (tail) begin
        hash_q <= header.hash;
        origin_q <= header.origin;
      end
    end

    // units_q is the way to the next line, if the walk goes on there.
    assign more = long_q || units_q[4:2] != '0 || units_q[0];  // three or more
    assign next = place + $bits(place_t)'(units_q);
    assign delta = units_q;
  end else begin : gen_line
    // The one of the line, which may be left when the size is known.
    localparam int unsigned HeaderWidth = $bits(header_t);
    header_t header_q;
    logic error_q;
    logic parted_q;  // its words 2 and 3 are in the beat in front
    logic [SizeWidth-1:0] sum;  // from the line's first unit to the record behind this one
    logic [SizeWidth-1:0] sum_q;

    assign header = header_q;
    assign hash = parted_q ? beat_i[WordWidth-1-:$bits(header_q.hash)] : header_q.hash;
    assign origin = parted_q ? beat_i[2*WordWidth-1-:$bits(origin)] : header_q.origin;
    assign misses = parted_q && !beat_valid_i;
    assign unread = parted_q && beat_valid_i && beat_error_i;
    assign cas_high = header_q.cas[63:32];
    assign head = 1'b1;
    assign head_error = error_q;

    always_ff @(posedge clk_i) begin
      if (state_q == StLook) begin
        error_q <= beat_error_i;
        unique case (unit_q)
          2'd0: header_q <= beat_i[0*UnitWidth+:HeaderWidth];
          2'd1: header_q <= beat_i[1*UnitWidth+:HeaderWidth];
          2'd2: header_q <= beat_i[2*UnitWidth+:HeaderWidth];
          default: header_q <= HeaderWidth'(beat_i[3*UnitWidth+:UnitWidth]);
        endcase
      end
      if (state_q == StCheck) begin
        sum_q <= zero_q ? SizeWidth'(LineUnits) : sum;
        parted_q <= last_unit_q && !alone && leaves;
      end else if (state_q == StAstray) begin
        sum_q <= SizeWidth'(LineUnits);
        parted_q <= 1'b0;
      end
    end

    assign sum = SizeWidth'(unit_q) + units_q;
    assign more = long_q || units_q[4:3] != '0 || sum[4:3] != '0;  // it leaves the next line too
    assign next = {line_q + index_t'(delta), sum_q[1:0]};
    assign delta = sum_q[SizeWidth-1:UnitBits];
  end

  assign size = record_units(header.key_len, room_length(header.number, header.value_len));

  // None begins in a segment's last unit; what is zero is none.
  assign alone = last_unit_q && (last_line_q || zero_q);
  // Units: of a header from a line's last unit on one of the next line is taken.
  assign line_end = (last_unit_q && !alone ? SizeWidth'(2 * LineUnits) : SizeWidth'(LineUnits))
                    - SizeWidth'(unit_q);
  assign leaves = long_q || units_q[4:2] != '0;
  assign misplaced = !long_q && units_q[4:3] == '0
                     && ((units_q[2:0] == 3'd4 && unit_q != '0)
                         || (units_q[2:0] == 3'd3 && unit_q[1]));

  // The beat in front is not needed any more: early, so that the next one is there in time.
  assign pop = (state_q == StCheck && (Units ? !alone : leaves)) || (step && more_q);

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StRest: begin
        if (start_i) begin
          line_q <= from_line_i;
          unit_q <= from_unit_i;
          state_q <= StBegin;
        end
      end
      StBegin: state_q <= StLook;
      StLook: begin
        if (over) state_q <= StEnd;
        else if (here) state_q <= Units ? StCheck : StSize;
      end
      StSize: state_q <= StCheck;
      StCheck: if (!Units || beat_valid_i || alone) state_q <= StStep;
      StStep: begin
        if (bad) begin
          state_q <= StAstray;
        end else if (step) begin
          {line_q, unit_q} <= next;
          state_q <= StLook;
        end
      end
      StAstray: if (astray_o && resume_i) state_q <= StStep;
      default: if (fetch_idle) state_q <= StRest;
    endcase
    if (rst_i) state_q <= StRest;
  end

  always_ff @(posedge clk_i) begin
    last_unit_q <= unit_q == 2'd3;
    last_line_q <= ((line_q + 1'b1) & beyond_i) != '0;
    if (head) begin
      units_q <= size;
      // 10 units or more; else it has less than 32
      long_q <= header.value_len[$high(header.value_len):7] != '0;
      zero_q <= header.key_len == '0;
      senseless_q <= head_error || (header.key_len == '0 && unit_q == '0)
                     || header.key_len > key_len_t'(MaxKeyBytes);
      expires_q <= header.expiry != '0;
      expired_q <= header.expiry <= time_i;
      low_flushed_q <= header.cas[31:0] <= floor_i[31:0];
    end
    // StCheck; what is astray goes on in the next line, and so does what was skipped.
    if (state_q == StCheck) begin
      if (Units && zero_q) units_q <= line_end;
      bad_q <= senseless_q || (Units && !alone && beat_error_i)
               || (!zero_q && (misplaced || (last_unit_q && last_line_q)));
      large_q <= !zero_q
                 && units_q[SizeWidth-1:SlackBits] > {1'b0, settings_i.largest[19:SlackBits]};
      emit_q <= !zero_q;
      more_q <= !zero_q && more;
    end else if (state_q == StAstray) begin
      if (Units) units_q <= line_end;
      bad_q <= 1'b0;
      large_q <= 1'b0;
      emit_q <= 1'b0;
      more_q <= 1'b0;
    end
  end

  // It is flushed if its CAS number is not above the floor: in two steps, the lower half first. With a
  // number of a client, if there was a flush since.
  assign dead = (expires_q && expired_q)
                || (origin.given ? origin.flushes != flushes_i
                                 : {cas_high, !low_flushed_q} < {floor_i[63:32], 1'b1});

  // ---- the record -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (record_ready_i) record_valid_o <= 1'b0;
    if (step && emit_q) begin
      record_valid_o <= 1'b1;
      record_o <= '{
          hash: hash,
          address: {base_i[$bits(address_t)-1:LeastSegmentBits], LeastSegmentBits'(0)}
                   | address_t'(place),
          span: units_q[SizeWidth-2:0],
          dead: dead,
          may_copy: !dead,
          turn: '0  // wc_log_sweep says it
      };
    end
    if (rst_i) record_valid_o <= 1'b0;
  end

  assign walks_o = state_q != StRest;
  assign busy_o = walks_o || record_valid_o;
  assign line_o = line_q;
  assign unit_o = unit_q;
  assign astray_o = state_q == StAstray && !record_valid_o;

  wc_log_sweep_lines #(
    .BeatUnits(BeatUnits),
    .Chunk    (Chunk)
  ) u_fetch (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (base_i),
    .beyond_i       (beyond_i),
    .start_i        (state_q == StBegin),
    .look_i         (state_q == StLook),
    .pop_i          (pop),
    .step_i         (step),
    .delta_i        (delta),
    .flush_i        (state_q == StEnd),
    .place_i        (place[$bits(place)-1:UnitBits]),
    .here_o         (here),
    .idle_o         (fetch_idle),
    .request_valid_o(request_valid_o),
    .request_ready_i(request_ready_i),
    .request_address_o(request_address_o),
    .request_beats_o  (request_beats_o),
    .beat_valid_i   (beat_valid_i),
    .beat_ready_o   (beat_ready_o)
  );

  // Of units, the header's two are of one segment: who is asked for them asks for no more.
  `WC_ASSERT(never_in_last_unit, !(step && emit_q) || !last_unit_q || !last_line_q)
  `WC_ASSERT(goes_on_in_next_line, !step || emit_q || next == {line_q + 1'b1, 2'b0}
             || (Units && last_unit_q && next == {line_q + index_t'(2), 2'b0}))
  `WC_ASSERT(starts_within, !start_i || (from_line_i & beyond_i) == '0)
  `WC_ASSERT(one_start, !start_i || !busy_o)
  `WC_ASSERT_STREAM(record, record_valid_o, record_ready_i, record_o)

endmodule

`default_nettype wire
