// SPDX-License-Identifier: Apache-2.0
// Reads of items to whose values others are joined: first the length, which stands in the header's
// first unit, then the value. Both are requests of one wc_log_read, whose beats come in the order of
// the requests, so a queue beside it keeps whose they are. A header goes first.
// A header waits for the values in front of it, which wait for the log's writer, which waits for no
// operation that has not passed the table.
// Latency 2 to the request, 1 from the beat to the length; of values see wc_item_values.
`include "wc_assert.svh"
`default_nettype none

module wc_item_old
  import wc_pkg::*;
  import wc_log_pkg::*;
  import wc_item_pkg::*;
#(
  parameter int unsigned BeatUnits  = LineUnits,
  localparam int unsigned BeatWidth = 8 * UnitBytes * BeatUnits
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire log_settings_t settings_i,
  // one header at a time
  input  wire logic          header_valid_i,
  output logic               header_ready_o,
  input  wire address_t      header_address_i,
  output logic               told_valid_o,
  output value_len_t         told_value_len_o,
  output logic               told_error_o,
  // values, in their order
  input  wire logic          joined_valid_i,
  output logic               joined_ready_o,
  input  wire joined_t       joined_i,
  output logic               value_valid_o,
  input  wire logic          value_ready_i,
  output beat_t              value_o,
  output logic               value_error_o,
  output logic               leave_valid_o,
  output segment_t           leave_segment_o,
  // to and from wc_log_read
  output logic               request_valid_o,
  input  wire logic          request_ready_i,
  output log_request_t       request_o,
  input  wire logic          beat_valid_i,
  output logic               beat_ready_o,
  input  wire logic [BeatWidth-1:0] beat_i,
  input  wire logic          beat_error_i
);

  localparam int unsigned Requests = 8;  // whose beats have not all come

  typedef struct packed {
    logic       header;
    logic [1:0] unit;   // header: its place in the beat
    beats_t     beats;
    logic       single;  // beats is 1
  } turn_t;

  // ---- values: each is read as the answer to a GET ------------------------------------------------
  result_t wanted;
  logic want_valid, want_ready, value_beat_valid, value_beat_ready;
  log_request_t want;

  always_comb begin
    wanted = '0;
    wanted.op.op = OpGet;
    wanted.op.key_len = joined_i.key_len;
    wanted.value_len = joined_i.old_len;
    wanted.pointer = pointer_t'(joined_i.address);
    wanted.hit = 1'b1;
  end

  wc_item_values #(
    .BeatUnits(BeatUnits),
    .Depth    (Requests)
  ) u_values (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .settings_i     (settings_i),
    .result_valid_i (joined_valid_i),
    .result_ready_o (joined_ready_o),
    .result_i       (wanted),
    .short_valid_i  (1'b0),
    .short_ready_o  (),
    .short_i        ('0),
    .short_error_i  (1'b0),
    .request_valid_o(want_valid),
    .request_ready_i(want_ready),
    .request_address_o(want.address),
    .request_skip_o (want.skip),
    .request_beats_o(want.beats),
    .beat_valid_i   (value_beat_valid),
    .beat_ready_o   (value_beat_ready),
    .beat_i         (beat_i),
    .beat_error_i   (beat_error_i),
    .result_valid_o (),
    .result_ready_i (1'b1),
    .result_o       (),
    .value_valid_o  (value_valid_o),
    .value_ready_i  (value_ready_i),
    .value_o        (value_o),
    .value_error_o  (value_error_o),
    .leave_valid_o  (leave_valid_o),
    .leave_segment_o(leave_segment_o)
  );

  // ---- requests -----------------------------------------------------------------------------------
  logic turns_room, turns_valid, turns_ready, turn_valid, turn_ends, load;
  turn_t turns, turn, next;

  assign load = turns_room && (!request_valid_o || request_ready_i);
  assign header_ready_o = load;
  assign want_ready = load && !header_valid_i;
  assign next = '{
      header: header_valid_i,
      unit: header_address_i[1:0] & 2'(BeatUnits - 1),
      single: header_valid_i || want.beats == beats_t'(1),
      beats: header_valid_i ? beats_t'(1) : want.beats
  };

  always_ff @(posedge clk_i) begin
    if (request_ready_i) request_valid_o <= 1'b0;
    if (load) begin
      request_valid_o <= header_valid_i || want_valid;
      request_o <= header_valid_i ? '{
          address: header_address_i & ~address_t'(BeatUnits - 1),
          skip: '0,
          beats: beats_t'(1)
      } : want;
    end
    if (rst_i) request_valid_o <= 1'b0;
  end

  wc_fifo_shallow #(
    .data_t(turn_t),
    .Depth (Requests)
  ) u_turns (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(load && (header_valid_i || want_valid)),
    .ready_o(turns_room),
    .data_i (next),
    .valid_o(turns_valid),
    .ready_i(turns_ready),
    .data_o (turns)
  );

  // It says whether a beat is taken, so it stands in a register.
  wc_slice #(
    .data_t(turn_t)
  ) u_turn (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(turns_valid),
    .ready_o(turns_ready),
    .data_i (turns),
    .valid_o(turn_valid),
    .ready_i(turn_ends),
    .data_o (turn)
  );

  // ---- beats --------------------------------------------------------------------------------------
  beats_t gone_q;  // of those of this turn
  logic begun_q;   // gone_q is not 0
  logic is_last, last_q;  // the next one is the last; it is, if it is not the first
  header_t header;

  assign is_last = begun_q ? last_q : turn.single;
  assign value_beat_valid = beat_valid_i && turn_valid && !turn.header;
  assign beat_ready_o = turn_valid && (turn.header || value_beat_ready);
  assign turn_ends = beat_valid_i && beat_ready_o && is_last;

  // Of the header only the first unit is looked at.
  always_comb begin
    header = '0;
    for (int unsigned i = 0; i < BeatUnits; i++) begin
      if (turn.unit == 2'(i)) header[8*UnitBytes-1:0] = beat_i[8*UnitBytes*i+:8*UnitBytes];
    end
  end

  always_ff @(posedge clk_i) begin
    if (beat_valid_i && beat_ready_o) begin
      gone_q <= is_last ? '0 : gone_q + 1'b1;
      begun_q <= !is_last;
      last_q <= gone_q + beats_t'(2) == turn.beats;
    end
    told_valid_o <= beat_valid_i && turn_valid && turn.header;
    told_value_len_o <= value_len_t'(header.value_len);
    told_error_o <= beat_error_i;
    if (rst_i) begin
      gone_q <= '0;
      begun_q <= 1'b0;
      told_valid_o <= 1'b0;
    end
  end

  logic unused;
  assign unused = ^{header, joined_i.placed, joined_i.stores, joined_i.front, joined_i.value_len};

  `WC_ASSERT_STREAM(request, request_valid_o, request_ready_i, request_o)
  `WC_ASSERT(stores, !joined_valid_i || joined_i.stores)

endmodule

`default_nettype wire
