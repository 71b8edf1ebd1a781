// SPDX-License-Identifier: Apache-2.0
// Walks through a segment from record to record: reads each header, and tells what was met there.
// Where a record ends, the next one begins, unless the word there is zero or only a unit is left
// of the line: then it begins in the next line. A header says how long its record is, so all that
// the walk knows of its place rests on the headers before.
// A header that makes no sense, or a line that memory did not tell, leads astray: the walk waits
// for resume_i and looks for a record at the beginning of the next line.
// A record every 4 cycles when the lines are there; 1 more for each line behind the second that it
// ends in; 4 for a place that was skipped. Latency 5 from a line to its first record.
// A record that is not taken stops the walk.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_walk
  import wc_pkg::*;
  import wc_log_pkg::*;
#(
  parameter int unsigned Chunk = 16
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  input  wire seconds_t      time_i,
  input  wire cas_t          floor_i,
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
  output line_t              request_line_o,
  output logic [17:0]        request_lines_o,
  input  wire logic          line_valid_i,
  output logic               line_ready_o,
  input  wire data_t         line_i,
  input  wire logic          line_error_i
);

  typedef enum logic [2:0] {
    StRest,
    StBegin,
    StLook,    // for the line, and in it for the header
    StSize,    // of the record
    StCheck,   // whether it makes sense
    StStep,    // over it
    StAstray,
    StEnd      // drops what was read ahead
  } state_e;

  localparam int unsigned HeaderWidth = $bits(header_t);
  localparam int unsigned UnitWidth = 8 * UnitBytes;
  localparam int unsigned SizeWidth = $bits(units_t) + 1;  // a length that makes no sense too
  localparam int unsigned SlackBits = 5;  // of the largest length that count for nothing

  state_e state_q;
  index_t line_q;
  logic [1:0] unit_q;
  logic here, fetch_idle, step, stall, pop;
  logic over;

  // ---- the header, a step at a time -------------------------------------------------------------
  header_t header_q;
  logic error_q, zero_q, key_bad_q, long_q;
  logic [SizeWidth-1:0] units_q;
  logic [SizeWidth-1:0] size;
  logic [SizeWidth-1:0] sum;      // from the line's first unit to the record behind this one
  logic [SizeWidth-1:0] sum_q;
  logic [1:0] low;
  logic leaves;                   // it does not end in the line
  logic leaves_far;               // nor in the next one
  logic misplaced;
  logic bad_q, emit_q, more_q;
  logic expires_q, expired_q, flush_below_q, flush_high_q, flush_low_q, dead_q;

  assign over = (line_q & beyond_i) != '0;
  assign stall = emit_q && record_valid_o;
  assign step = state_q == StStep && !bad_q && !stall;

  // wc_log_pkg::item_units, and a bit more for lengths that no item has.
  always_comb begin
    logic [24:0] bytes;
    bytes = 25'({6'(header_q.key_len[7:3]) + 6'(|header_q.key_len[2:0]), 3'b0})
            + 25'(header_q.value_len) + 25'(8 * HeaderWords + UnitBytes - 1);
    size = bytes[24:4];
  end

  // A record has two units at least: none begins in a line's last one.
  assign low = unit_q + units_q[1:0];
  assign sum = SizeWidth'(unit_q) + units_q + SizeWidth'(low == 2'd3);
  assign leaves = long_q || units_q[4:2] != '0;
  assign leaves_far = long_q || units_q[4:3] != '0 || sum[4:3] != '0;
  assign misplaced = (units_q <= SizeWidth'(LineUnits))
                     && (units_q[2:0] + 3'(unit_q) > 3'(LineUnits));

  // The line in front is not needed any more: early, so that the next one is there in time.
  assign pop = (state_q == StCheck && leaves) || (step && more_q);

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
        else if (here) state_q <= StSize;
      end
      StSize: state_q <= StCheck;
      StCheck: state_q <= StStep;
      StStep: begin
        if (bad_q) begin
          state_q <= StAstray;
        end else if (!stall) begin
          line_q <= line_q + index_t'(sum_q[SizeWidth-1:2]);
          unit_q <= sum_q[1:0];
          state_q <= StLook;
        end
      end
      StAstray: if (astray_o && resume_i) state_q <= StStep;
      default: if (fetch_idle) state_q <= StRest;
    endcase
    if (rst_i) state_q <= StRest;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StLook) begin
      unique case (unit_q)
        2'd0: header_q <= line_i[0*UnitWidth+:HeaderWidth];
        2'd1: header_q <= line_i[1*UnitWidth+:HeaderWidth];
        default: header_q <= line_i[2*UnitWidth+:HeaderWidth];
      endcase
      error_q <= line_error_i;
    end
    // StSize
    units_q <= size;
    long_q <= header_q.value_len[23:7] != '0;  // 10 units or more; else it has less than 32
    zero_q <= header_q.key_len == '0;
    key_bad_q <= header_q.key_len > key_len_t'(MaxKeyBytes);
    expires_q <= header_q.expiry != '0;
    expired_q <= header_q.expiry <= time_i;
    flush_below_q <= header_q.cas[63:32] < floor_i[63:32];
    flush_high_q <= header_q.cas[63:32] == floor_i[63:32];
    flush_low_q <= header_q.cas[31:0] <= floor_i[31:0];
    // StCheck; what is astray goes on in the next line, and so does what was skipped.
    if (state_q == StCheck) begin
      sum_q <= zero_q ? SizeWidth'(LineUnits) : sum;
      bad_q <= error_q || (zero_q ? unit_q == '0 : key_bad_q || misplaced
               || units_q[SizeWidth-1:SlackBits] > {1'b0, settings_i.largest[19:SlackBits]});
      emit_q <= !zero_q;
      more_q <= !zero_q && leaves_far;
      dead_q <= (expires_q && expired_q) || flush_below_q || (flush_high_q && flush_low_q);
    end else if (state_q == StAstray) begin
      sum_q <= SizeWidth'(LineUnits);
      bad_q <= 1'b0;
      emit_q <= 1'b0;
      more_q <= 1'b0;
    end
  end

  // ---- the record -------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (record_ready_i) record_valid_o <= 1'b0;
    if (step && emit_q) begin
      record_valid_o <= 1'b1;
      record_o <= '{
          hash: header_q.hash,
          address: base_i | address_t'({line_q, unit_q}),
          span: units_q[SizeWidth-2:0],
          dead: dead_q,
          may_copy: !dead_q,
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
    .Chunk(Chunk)
  ) u_fetch (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .base_i         (line_t'(base_i >> 2)),
    .beyond_i       (beyond_i),
    .start_i        (state_q == StBegin),
    .look_i         (state_q == StLook),
    .pop_i          (pop),
    .step_i         (step),
    .delta_i        (sum_q[SizeWidth-1:2]),
    .flush_i        (state_q == StEnd),
    .line_i         (line_q),
    .here_o         (here),
    .idle_o         (fetch_idle),
    .request_valid_o(request_valid_o),
    .request_ready_i(request_ready_i),
    .request_line_o (request_line_o),
    .request_lines_o(request_lines_o),
    .line_valid_i   (line_valid_i),
    .line_ready_o   (line_ready_o)
  );

  `WC_ASSERT(never_in_last_unit, state_q != StLook || unit_q != 2'd3)
  `WC_ASSERT(starts_within, !start_i || (from_line_i & beyond_i) == '0)
  `WC_ASSERT(one_start, !start_i || !busy_o)
  `WC_ASSERT_STREAM(record, record_valid_o, record_ready_i, record_o)

endmodule

`default_nettype wire
