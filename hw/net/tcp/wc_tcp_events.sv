// SPDX-License-Identifier: Apache-2.0
// Who has the engine next. Besides segments and what the owner of the bytes says these are
// connections that have more to send, ACKs that have waited for something to carry them, and timers:
// all three follow from the engine's results, so nothing else need remember them.
//
// One event is offered a step. Every second one may be a segment, which comes at line rate; the
// others have turns. If the engine does not take an event, as its connection is busy, then the next
// step is another's; and until the one that waits is taken, no other event of its connection is
// offered that has not waited likewise. So each waits for a bounded number of steps
// from when it is offered first. Without room_i only segments, and what waits already, are offered.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_events #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned AckWait = 52  // of 256 cycles each
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_i,
  output logic                             ready_o,  // after reset; then it stays
  input  wire wc_tcp_engine_pkg::time_t    now_i,
  input  wire logic                        room_i,  // for what events send that are no segments
  input  wire logic                        coming_valid_i,  // a segment waits behind segment_i
  input  wire logic [15:0]                 coming_id_i,
  input  wire logic                        segment_valid_i,
  output logic                             segment_ready_o,
  output logic                             segment_dropped_o,  // with ready: nothing came of it
  input  wire logic                        segment_hurry_i,  // it had better be dropped than wait
  input  wire wc_tcp_engine_pkg::event_t   segment_i,
  input  wire logic                        owner_valid_i,  // taken, written, an end
  output logic                             owner_ready_o,
  input  wire wc_tcp_engine_pkg::event_t   owner_i,
  // The engine.
  input  wire logic                        step_i,  // the last cycle of a step
  output logic                             event_valid_o,
  input  wire logic                        event_ready_i,
  output wc_tcp_engine_pkg::event_t        event_o,
  input  wire logic                        result_valid_i,
  input  wire wc_tcp_engine_pkg::result_t  result_i,
  output logic                             busy_o,  // an event, or an ACK, waits
  output logic                             armed_o,  // a deadline is set: time matters,
  output logic [17:0]                      soonest_o  // from this millisecond on (low bits)
);

  import wc_tcp_engine_pkg::*;

  localparam int unsigned Sources = 5;
  typedef enum logic [2:0] {
    Segment = 3'd0,
    Owner   = 3'd1,
    Send    = 3'd2,
    Ack     = 3'd3,
    Tick    = 3'd4
  } source_e;

  typedef logic [Sources-1:0] sources_t;

  // ---- what follows from results ----------------------------------------------------------------
  sources_t valid, taken;
  logic [Sources-1:0][15:0] id;
  logic send_ready, ack_ready, tick_ready, waiting_ready;

  assign valid[Segment] = segment_valid_i;
  assign valid[Owner] = owner_valid_i;
  assign id[Segment] = segment_i.id;
  assign id[Owner] = owner_i.id;
  assign ready_o = send_ready && ack_ready && tick_ready && waiting_ready;

  logic acks, sends;

  always_ff @(posedge clk_i) begin
    busy_o <= acks || sends || segment_valid_i || owner_valid_i;
    if (rst_i) busy_o <= 1'b0;
  end

  wc_tcp_queue #(
    .Connections(Connections)
  ) u_send (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (send_ready),
    .put_valid_i(result_valid_i && result_i.more),
    .put_id_i   (result_i.id),
    .valid_o    (valid[Send]),
    .ready_i    (taken[Send]),
    .id_o       (id[Send]),
    .some_o     (sends)
  );

  wc_tcp_acks #(
    .Connections(Connections),
    .Wait       (AckWait)
  ) u_acks (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (ack_ready),
    .set_valid_i(result_valid_i),
    .set_id_i   (result_i.id),
    .set_due_i  (result_i.ack_due),
    .valid_o    (valid[Ack]),
    .ready_i    (taken[Ack]),
    .id_o       (id[Ack]),
    .some_o     (acks)
  );

  wc_tcp_timers #(
    .Connections(Connections)
  ) u_timers (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .ready_o       (tick_ready),
    .now_i         (now_i),
    .set_valid_i   (result_valid_i),
    .set_id_i      (result_i.id),
    .set_armed_i   (result_i.armed),
    .set_deadline_i(result_i.deadline),
    .valid_o       (valid[Tick]),
    .ready_i       (taken[Tick]),
    .id_o          (id[Tick]),
    .armed_o       (armed_o),
    .soonest_o     (soonest_o)
  );

  // ---- turns ------------------------------------------------------------------------------------
  sources_t pick_q;     // is offered in this step; one-hot, or none
  sources_t blocked_q;  // was offered, and not taken
  sources_t may, deferred, pick, blocked;
  logic [Sources-2:0] turn;
  logic segment_last_q;

  // Behind an event of the same connection that has waited, or behind its segments that wait. What
  // comes in the last cycle of a step is looked at in the next one.
  sources_t there_q, deferred_q;
  logic [Sources-2:0] waits;

  // It waits for these for so many steps only: whoever keeps a segment there all the time must not
  // hold up what is behind its event.
  localparam int unsigned Patience = 32;
  logic [Sources-1:1][5:0] held_q;

  wc_tcp_waiting #(
    .Connections(Connections)
  ) u_waiting (
    .clk_i     (clk_i),
    .rst_i     (rst_i),
    .ready_o   (waiting_ready),
    .comes_i   (coming_valid_i),
    .comes_id_i(coming_id_i),
    .taken_i   (segment_ready_o),
    .taken_id_i(segment_i.id),
    .id_i      (id[Sources-1:1]),
    .waits_o   (waits)
  );

  always_comb begin
    for (int unsigned i = 0; i < Sources; i++) begin
      deferred[i] = i != 32'(Segment) && waits[i-1] && !blocked_q[i] && 32'(held_q[i]) < Patience;
      for (int unsigned k = 0; k < Sources; k++) begin
        if (k != i && blocked_q[k] && !blocked_q[i] && id[k] == id[i]) deferred[i] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    there_q <= valid;
    deferred_q <= deferred;
    if (step_i) begin
      for (int unsigned i = 1; i < Sources; i++) begin
        if (!there_q[i] || taken[i]) held_q[i] <= '0;
        else if (32'(held_q[i]) < Patience) held_q[i] <= held_q[i] + 6'(waits[i-1]);
      end
    end
    if (rst_i) begin
      there_q <= '0;
      held_q <= '0;
    end
  end

  // One that may not wait is taken as well if its connection is busy, and nothing comes of it.
  assign taken = !step_i ? '0 : event_ready_i ? pick_q : pick_q & sources_t'(segment_hurry_i);
  assign segment_dropped_o = !event_ready_i;
  assign blocked = (blocked_q | (event_valid_o && !event_ready_i ? pick_q : '0)) & ~taken;

  // What is taken now has no next one yet: its turn is over.
  assign may = there_q & ~deferred_q & ~taken
               & (blocked_q | {{(Sources - 1){room_i}}, 1'b1});

  wc_arbiter #(
    .Masters(Sources - 1)
  ) u_turns (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .asks_i (may[Sources-1:1]),
    .take_i (step_i && !pick[Segment]),
    .grant_o(turn)
  );

  always_comb begin
    pick = {turn, 1'b0};
    if (may[Segment] && (!segment_last_q || turn == '0)) pick = sources_t'(1);
  end

  always_ff @(posedge clk_i) begin
    if (step_i) begin
      pick_q <= pick;
      blocked_q <= blocked;
      segment_last_q <= pick[Segment];
    end
    if (rst_i) begin
      pick_q <= '0;
      blocked_q <= '0;
      segment_last_q <= 1'b0;
    end
  end

  assign event_valid_o = (pick_q & valid) != '0;
  assign segment_ready_o = taken[Segment];
  assign owner_ready_o = taken[Owner];

  always_comb begin
    event_o = segment_i;
    if (!pick_q[Segment]) begin
      event_o.kind = pick_q[Owner] ? owner_i.kind
                     : pick_q[Send] ? EventSend : pick_q[Ack] ? EventAck : EventTick;
      event_o.opens = 1'b0;
      event_o.bytes = owner_i.bytes;
      event_o.grows = owner_i.grows;
      event_o.id = pick_q[Owner] ? id[Owner]
                   : pick_q[Send] ? id[Send] : pick_q[Ack] ? id[Ack] : id[Tick];
    end
  end

  // Its connection may be busy for ten steps before each event of the other sources and its own, whose
  // turns come every eight; and all wait for ten steps when the millisecond is another.
  localparam int unsigned MostSteps = Sources * (10 + 2 * (Sources - 1)) + 10;
  logic [Sources-1:0][7:0] steps_q;  // since it was offered first
  logic late;
  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Sources; i++) begin
      if (step_i) steps_q[i] <= blocked[i] ? steps_q[i] + 1'b1 : '0;
      if (rst_i) steps_q[i] <= '0;
    end
  end
  always_comb begin
    late = 1'b0;
    for (int unsigned i = 0; i < Sources; i++) late = late || 32'(steps_q[i]) > MostSteps;
  end
  `WC_ASSERT(in_time, !late)
  `WC_ASSERT(one, $onehot0(pick_q))
  `WC_ASSERT_STREAM(stays, event_valid_o, step_i, event_o.id)

endmodule

`default_nettype wire
