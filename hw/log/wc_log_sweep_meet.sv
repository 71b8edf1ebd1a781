// SPDX-License-Identifier: Apache-2.0
// Takes the sweeper's records to the table and the table's answers to the copies.
// A record that may be copied needs room in the main log, which is reserved before the table sees
// it. Of a main segment, no more than 15/16 of its units are copied. A record waits for room while
// answers are on their way that may give some back, and Patience cycles more. Then it goes to the
// table without.
// A record every 3 cycles if room is there in the cycle after it is asked for; latency 3. Answers
// are taken in every cycle, from 3 cycles behind their records on. At most Pending + 2 records wait for
// their answer (the queue has two registers more), and at most Records for that or for the end of
// their copy.
`include "wc_assert.svh"
`default_nettype none

module wc_log_sweep_meet
  import wc_log_pkg::*;
#(
  parameter int unsigned Pending  = 16,
  parameter int unsigned Records  = 32,
  parameter int unsigned Patience = 8
) (
  input  wire logic          clk_i,
  input  wire logic          rst_i,
  input  wire logic          start_i,  // a segment begins
  input  wire log_e          log_i,    // its log
  input  wire address_t      size_i,   // its units
  output logic               busy_o,   // there are records here, or copies behind
  input  wire logic          record_valid_i,
  output logic               record_ready_o,
  input  wire met_t          record_i,
  // Room for a copy in the main log: take it with ready. Valid may fall without.
  output logic               copy_room_valid_o,
  output units_t             copy_room_units_o,
  input  wire logic          copy_room_ready_i,
  output logic               copy_room_take_o,
  // The table.
  output logic               met_valid_o,
  input  wire logic          met_ready_i,
  output met_t               met_o,
  input  wire logic          answer_valid_i,  // 3 cycles behind its record, or later
  output logic               answer_ready_o,
  input  wire answer_t       answer_i,
  // Copies, at most Records on the way.
  output logic               copy_valid_o,
  output address_t           copy_address_o,
  output units_t             copy_units_o,
  input  wire logic          copy_done_i,  // all its lines are read
  output logic               found_o,      // a slot had the record's address
  output logic               unsure_o,     // a slot may have it, and nobody can tell
  output sweep_events_t      events_o
);

  localparam int unsigned LevelWidth = $clog2(Records) + 1;
  localparam int unsigned PatienceWidth = $clog2(Patience) + 1;
  localparam int unsigned MostReserved = Pending + 3;  // those that wait, and the next one
  localparam int unsigned PendingWidth = $clog2(MostReserved + 1);

  `WC_REQUIRE(records, Records >= Pending, "wc_log_sweep_meet: Records must be Pending or more")
  `WC_REQUIRE(patience, Patience >= 7, "wc_log_sweep_meet: Patience must be 7 or more")

  typedef enum logic [1:0] {
    StRest,
    StWeigh,  // is there enough left of the 15/16
    StAsk,    // for room
    StSend
  } state_e;

  typedef struct packed {
    address_t address;
    units_t   size;
    logic     dead;
    logic     reserved;
  } pending_t;

  state_e state_q;
  met_t record_q;
  pending_t pending;
  logic pending_valid, pending_ready;
  logic met, answered, returned;
  logic credit_q;
  logic [LevelWidth-1:0] level_q;            // records on their way, and their copies
  logic [PendingWidth-1:0] reserved_q;       // of them, those with room that may come back
  logic [PatienceWidth-1:0] patience_q;
  logic none_q, fits_q, patience_out, give_up;

  // ---- to the table -----------------------------------------------------------------------------
  assign record_ready_o = state_q == StRest || met;
  assign copy_room_valid_o = (state_q == StWeigh && record_q.may_copy)
                             || (state_q == StAsk && fits_q);
  assign copy_room_units_o = record_q.span;
  assign copy_room_take_o = state_q == StAsk && fits_q && copy_room_ready_i;
  assign met_valid_o = state_q == StSend && credit_q && pending_ready;
  assign met_o = record_q;
  assign met = met_valid_o && met_ready_i;

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      StWeigh: state_q <= record_q.may_copy ? StAsk : StSend;
      StAsk: begin
        if (copy_room_take_o) begin
          state_q <= StSend;
        end else if (give_up) begin
          state_q <= StSend;
          record_q.may_copy <= 1'b0;
        end
      end
      default: begin
        if (record_ready_o) begin
          record_q <= record_i;
          state_q <= record_valid_i ? StWeigh : StRest;
        end
      end
    endcase
    if (rst_i) state_q <= StRest;
  end

  // Nothing that is on its way gives room back; for how long that has been so.
  always_ff @(posedge clk_i) begin
    none_q <= reserved_q == '0;
    if (!none_q || state_q != StAsk) patience_q <= '0;
    else if (!patience_out) patience_q <= patience_q + 1'b1;
    if (copy_room_take_o && !(answered && pending.reserved)) reserved_q <= reserved_q + 1'b1;
    else if (!copy_room_take_o && answered && pending.reserved) reserved_q <= reserved_q - 1'b1;
    if (rst_i) reserved_q <= '0;
  end

  assign patience_out = patience_q == PatienceWidth'(Patience);
  // What a last answer gave back is in fits_q by then.
  assign give_up = none_q && (patience_out || (!fits_q && patience_q[2]));

  // ---- what may be copied -----------------------------------------------------------------------
  logic limited_q;
  address_t left_q;               // units that may still be copied
  logic signed [20:0] change_q;   // of left_q

  always_ff @(posedge clk_i) begin
    fits_q <= !limited_q || left_q >= address_t'(record_q.span);
    change_q <= (returned ? 21'(pending.size) : '0)
                - (copy_room_take_o ? 21'(record_q.span) : '0);
    left_q <= left_q + address_t'(change_q);
    if (start_i) begin
      limited_q <= log_i == LogMain;
      left_q <= size_i - (size_i >> 4);
    end
    if (rst_i) begin
      change_q <= '0;
      limited_q <= 1'b0;
    end
  end

  // ---- the table's answers ----------------------------------------------------------------------
  assign answer_ready_o = 1'b1;
  assign answered = answer_valid_i;
  assign returned = answered && pending.reserved && !answer_i.placed;

  wc_fifo_wide #(
    .data_t(pending_t),
    .Depth (Pending)
  ) u_pending (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(met),
    .ready_o(pending_ready),
    .data_i ('{
        address: record_q.address,
        size: record_q.span,
        dead: record_q.dead,
        reserved: record_q.may_copy
    }),
    .valid_o(pending_valid),
    .ready_i(answered),
    .data_o (pending),
    .level_o()
  );

  // A record leaves with its answer, or at the end of its copy.
  logic gone_q, done_q;

  always_ff @(posedge clk_i) begin
    gone_q <= answered && !answer_i.placed;
    done_q <= copy_done_i;
    level_q <= level_q + LevelWidth'(met) - LevelWidth'(gone_q) - LevelWidth'(done_q);
    credit_q <= level_q < LevelWidth'(Records);
    copy_valid_o <= answered && answer_i.placed;
    copy_address_o <= pending.address;
    copy_units_o <= pending.size;
    found_o <= answered && answer_i.found;
    unsure_o <= answered && answer_i.unread;
    events_o <= '0;
    if (answered) begin
      events_o.promote <= answer_i.placed && log_i == LogNew;
      events_o.copy <= answer_i.placed && log_i == LogMain;
      events_o.dead <= answer_i.found && !answer_i.placed && pending.dead;
      events_o.evict_new <= answer_i.found && !answer_i.placed && !pending.dead && log_i == LogNew;
      events_o.evict_main <= answer_i.found && !answer_i.placed && !pending.dead
                             && log_i == LogMain;
    end
    if (rst_i) begin
      gone_q <= 1'b0;
      done_q <= 1'b0;
      level_q <= '0;
      credit_q <= 1'b0;
      copy_valid_o <= 1'b0;
      found_o <= 1'b0;
      unsure_o <= 1'b0;
      events_o <= '0;
    end
  end

  assign busy_o = state_q != StRest || level_q != '0;

  `WC_ASSERT(asked_for, !answer_valid_i || pending_valid)
  `WC_ASSERT(placed_where_it_may, !answered || !answer_i.placed
             || (answer_i.found && pending.reserved && !pending.dead))
  `WC_ASSERT(room_for_reserved, reserved_q <= PendingWidth'(MostReserved))
  `WC_ASSERT(left_is_no_more, !limited_q || left_q <= size_i)
  `WC_ASSERT(bounded, level_q <= LevelWidth'(Records))
  `WC_ASSERT_STREAM(met, met_valid_o, met_ready_i, met_o)

endmodule

`default_nettype wire
