// SPDX-License-Identifier: Apache-2.0
// Finds connections whose peer has said nothing for long (RFC 9293, 3.8.4): it tells of one that is to
// be asked, and each `interval` again, and, when `probes` had no answer, of one that is to be given
// up. The engine passes over those with bytes on their way, whose peer is asked by these, and gives
// up none that has not been asked, or has spoken since: so one may be told of again.
// Time is counted in units of 1,024 ms: a connection is told of between `idle` less one and `idle`
// units behind its peer's last segment. All are gone over when the first of those that were seen is
// due, or one may be that has been silent since, and each MostUnits at least: in three cycles each,
// and as long as one that is told of waits to be taken.
// After reset no connection is known, which takes Connections cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_keepalive #(
  parameter int unsigned Connections = 1024
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_i,
  input  wire wc_tcp_engine_pkg::time_t  now_i,  // milliseconds
  input  wire wc_tcp_pkg::keepalive_t    settings_i,
  // Each for a cycle, and none within four cycles of the last one of its kind.
  input  wire logic                      opened_valid_i,
  input  wire logic [15:0]               opened_id_i,
  input  wire logic                      heard_valid_i,   // a segment of its peer
  input  wire logic [15:0]               heard_id_i,
  input  wire logic                      closed_valid_i,  // not while it is told of
  input  wire logic [15:0]               closed_id_i,
  output logic                           ask_valid_o,
  input  wire logic                      ask_ready_i,
  output logic [15:0]                    ask_id_o,
  output logic                           ask_last_o,  // it is to be given up
  output logic                           busy_o,      // connections are gone over
  output wc_tcp_engine_pkg::soonest_t    soonest_o    // when they are the next time
);

  localparam int unsigned IdBits = $clog2(Connections);
  localparam int unsigned UnitBits = 10;  // of a millisecond
  localparam int unsigned MostUnits = 64;  // half of what soonest_o can tell of

  `WC_REQUIRE(connections, Connections >= 4 && Connections <= 65536
              && Connections == 2 ** IdBits,
              "wc_tcp_keepalive: Connections must be a power of two from 4 to 65,536")

  typedef logic [IdBits-1:0] id_t;
  typedef logic [15:0] unit_t;
  typedef logic [6:0] count_t;
  typedef struct packed {
    unit_t  at;     // when it is told of
    count_t asked;  // how often it was, since its peer said something
  } due_t;

  id_t at;
  unit_t now, unit_q, next_q, until_next;
  logic on, clearing, idle, reads, looks, tells, ends, ends_q, due, pending;

  assign now = now_i[UnitBits+:16];
  assign on = settings_i.idle != '0;
  assign until_next = next_q - now;

  wc_tcp_round #(
    .Connections(Connections)
  ) u_round (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .begin_i(on && !ends_q && (until_next == '0 || until_next[15])),
    .clear_o(clearing),
    .idle_o (idle),
    .at_o   (at),
    .read_o (reads),
    .hold_i (pending),
    .look_o (looks),
    .due_i  (due),
    .tell_o (tells),
    .take_i (ask_ready_i || !ask_valid_o),
    .ends_o (ends)
  );

  // ---- what happens to connections: each kind has its cycle of four ------------------------------
  typedef struct packed {
    id_t    id;
    count_t count;
  } asked_t;

  logic [1:0] phase_q;
  logic opened, heard, closed, opens, hears, closes, asks;
  id_t opened_id, heard_id, closed_id;
  asked_t asked;
  due_t read, read_q;
  logic open, open_q, last, taken;
  logic gone_q;    // since it was read it has closed, or its peer has spoken;
  logic spoken_q;  // while it is told of

  assign last = read_q.asked >= settings_i.probes;
  assign taken = ask_valid_o && ask_ready_i;

  always_ff @(posedge clk_i) begin
    phase_q <= phase_q + 1'b1;
    if (rst_i) phase_q <= '0;
  end

  wc_tcp_note #(
    .data_t(id_t)
  ) u_opened (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd0),
    .valid_i (opened_valid_i),
    .data_i  (id_t'(opened_id_i)),
    .forget_i(1'b0),
    .kept_o  (opened),
    .data_o  (opened_id),
    .write_o (opens)
  );

  wc_tcp_note #(
    .data_t(id_t)
  ) u_heard (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd1),
    .valid_i (heard_valid_i),
    .data_i  (id_t'(heard_id_i)),
    .forget_i(1'b0),
    .kept_o  (heard),
    .data_o  (heard_id),
    .write_o (hears)
  );

  wc_tcp_note #(
    .data_t(id_t)
  ) u_closed (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd2),
    .valid_i (closed_valid_i),
    .data_i  (id_t'(closed_id_i)),
    .forget_i(1'b0),
    .kept_o  (closed),
    .data_o  (closed_id),
    .write_o (closes)
  );

  // That one was asked counts no more when its peer speaks.
  wc_tcp_note #(
    .data_t(asked_t)
  ) u_asked (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd3),
    .valid_i (taken && !spoken_q && !(heard_valid_i && id_t'(heard_id_i) == at)),
    .data_i  ('{id: at, count: last ? read_q.asked : read_q.asked + 1'b1}),
    .forget_i(heard_valid_i && id_t'(heard_id_i) == asked.id),
    .kept_o  (),
    .data_o  (asked),
    .write_o (asks)
  );

  // What has happened is written before it is read; that one was asked is long before its next turn.
  assign pending = (opened && opened_id == at) || (heard && heard_id == at)
                   || (closed && closed_id == at);

  // ---- whether there is a connection, and when it is told of --------------------------------------
  due_t due_new;
  id_t open_id, due_id;

  assign open_id = clearing ? at : opens ? opened_id : closed_id;
  assign due_id = opens ? opened_id : hears ? heard_id : asked.id;
  assign due_new = asks ? '{at: now + unit_t'(settings_i.interval), asked: asked.count}
                        : '{at: now + unit_t'(settings_i.idle), asked: '0};

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_open (
    .clk_i  (clk_i),
    .we_i   (clearing || opens || closes),
    .waddr_i(open_id),
    .wdata_i(opens),
    .re_i   (reads && !pending),
    .raddr_i(at),
    .rdata_o(open)
  );

  wc_ram_sdp #(
    .Width($bits(due_t)),
    .Depth(Connections)
  ) u_due (
    .clk_i  (clk_i),
    .we_i   (opens || hears || asks),
    .waddr_i(due_id),
    .wdata_i(due_new),
    .re_i   (reads && !pending),
    .raddr_i(at),
    .rdata_o(read)
  );

  // ---- all of them -------------------------------------------------------------------------------
  unit_t left;  // until it is told of
  assign left = read_q.at - unit_q;
  assign due = open_q && (left == '0 || left[15]);

  always_ff @(posedge clk_i) begin
    open_q <= open;
    read_q <= read;
    if (idle) unit_q <= now;
    if (rst_i) unit_q <= '0;
  end

  // One that has closed since it was read is not told of: its number may be another's soon. Nor is one
  // whose peer has spoken. What comes while it is told of comes too late; but nothing is noted then.
  logic happens;
  assign happens = (heard_valid_i && id_t'(heard_id_i) == at)
                   || (closed_valid_i && id_t'(closed_id_i) == at);

  always_ff @(posedge clk_i) begin
    if (reads) {gone_q, spoken_q} <= '0;
    if (happens) {gone_q, spoken_q} <= {gone_q || !tells, spoken_q || tells};
    if (rst_i) {gone_q, spoken_q} <= '0;
  end

  assign ask_valid_o = tells && !gone_q;
  assign ask_id_o = 16'(at);
  assign ask_last_o = last;
  assign busy_o = !clearing && !idle;
  assign soonest_o = '{there: on, at: 18'({next_q, UnitBits'(0)})};

  // ---- when they are gone over again ---------------------------------------------------------------
  // When the first of those that were seen is due, or one of which something is noted from now on.
  unit_t soon, seen_q;

  always_comb begin
    soon = unit_t'(settings_i.idle);
    if (settings_i.interval < settings_i.idle) soon = unit_t'(settings_i.interval);
    if (soon > unit_t'(MostUnits)) soon = unit_t'(MostUnits);
    if (soon == '0) soon = unit_t'(1);
  end

  always_ff @(posedge clk_i) begin
    ends_q <= ends;
    if (idle) seen_q <= soon;
    else if (looks && open_q && !due && left < seen_q) seen_q <= left;
    if (ends_q) next_q <= unit_q + seen_q;
    if (!on || clearing) next_q <= now;
    if (rst_i) ends_q <= 1'b0;
  end

  // ---- rules ------------------------------------------------------------------------------------
  // One connection's inputs of a kind are 40 cycles apart, as its events are: of all kinds, there is
  // a cycle before long in which none of them waits to be written.
  localparam int unsigned MostHeld = 32;
  logic [$clog2(MostHeld):0] held_q;

  always_ff @(posedge clk_i) begin
    held_q <= reads && pending ? held_q + 1'b1 : '0;
    if (rst_i) held_q <= '0;
  end

  `WC_ASSERT(held_is_bounded, 32'(held_q) <= MostHeld)
  `WC_ASSERT(after_reset, !opened_valid_i || !clearing)
  `WC_ASSERT(not_while_told, !closed_valid_i || !ask_valid_o || id_t'(closed_id_i) != at)
  `WC_ASSERT_STREAM(ask, ask_valid_o, ask_ready_i, {ask_id_o, ask_last_o})

endmodule

`default_nettype wire
