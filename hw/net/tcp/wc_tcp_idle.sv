// SPDX-License-Identifier: Apache-2.0
// Ends connections of which no request has come for a while, as memcached's idle_timeout does: it
// tells the request side that the peer sends nothing more. So what was asked is answered first, and
// a connection whose answers nobody reads stays, as it does there.
// Time is counted in units of 1,024 ms. In each unit all connections are gone over once, in three
// cycles each, and as long as one that is to end waits to be taken. A connection ends between `limit`
// less one and `limit` units after its last bytes, and once.
// After reset no connection is known, which takes Connections cycles.
// The host may ask for one, of which it is told whether it may be ended and how long it is silent.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_idle #(
  parameter int unsigned Connections = 1024
) (
  input  wire logic                      clk_i,
  input  wire logic                      rst_i,
  input  wire wc_tcp_engine_pkg::time_t  now_i,    // milliseconds
  input  wire logic [15:0]               limit_i,  // units; 0: no connection is ended
  // Each for a cycle, and none within four cycles of the last one of its kind.
  input  wire logic                      opened_valid_i,
  input  wire logic [15:0]               opened_id_i,
  input  wire logic                      heard_valid_i,
  input  wire wc_tcp_engine_pkg::arrived_t heard_i,         // bytes, an end: also one from here
  input  wire logic                      shut_valid_i,    // nothing more will be written
  input  wire logic [15:0]               shut_id_i,
  input  wire logic                      closed_valid_i,
  input  wire logic [15:0]               closed_id_i,
  output logic                           ends_valid_o,    // falls when its connection has closed
  input  wire logic                      ends_ready_i,
  output logic [15:0]                    ends_id_o,
  output logic                           busy_o,          // connections are gone over
  output wc_tcp_engine_pkg::soonest_t    soonest_o,       // when they are the next time
  input  wire logic                      about_valid_i,   // the host asks, for a cycle
  input  wire logic [15:0]               about_id_i,      // for this one: stays until it is read
  output logic                           about_busy_o,    // it is not read yet
  output logic                           about_open_o,    // it may be ended
  output logic [15:0]                    about_age_o      // units since its last bytes; go round
);

  localparam int unsigned IdBits = $clog2(Connections);
  localparam int unsigned UnitBits = 10;  // of a millisecond

  `WC_REQUIRE(connections, Connections >= 4 && Connections <= 65536
              && Connections == 2 ** IdBits,
              "wc_tcp_idle: Connections must be a power of two from 4 to 65,536")

  typedef logic [IdBits-1:0] id_t;
  typedef logic [15:0] unit_t;

  id_t at;
  unit_t now, unit_q;
  logic clearing, idle, reads, tells, due, pending;

  assign now = now_i[UnitBits+:16];

  wc_tcp_round #(
    .Connections(Connections)
  ) u_round (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .begin_i(unit_q != now && limit_i != '0),
    .clear_o(clearing),
    .idle_o (idle),
    .at_o   (at),
    .read_o (reads),
    .hold_i (pending),
    .look_o (),
    .due_i  (due),
    .tell_o (tells),
    .take_i (ends_ready_i || !ends_valid_o),
    .ends_o ()
  );

  // ---- what happens to connections: each kind has its cycle of four ------------------------------
  typedef struct packed {
    id_t  id;
    logic bytes;
    logic ended;
  } heard_t;

  logic [1:0] phase_q;
  logic opened, said, shut, closed, opens, hears, shuts, closes;
  id_t opened_id, shut_id, closed_id;
  heard_t heard;

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
    .data_t(heard_t)
  ) u_heard (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd1),
    .valid_i (heard_valid_i),
    .data_i  ('{id: id_t'(heard_i.id), bytes: heard_i.bytes != '0, ended: heard_i.ended}),
    .forget_i(1'b0),
    .kept_o  (said),
    .data_o  (heard),
    .write_o (hears)
  );

  wc_tcp_note #(
    .data_t(id_t)
  ) u_shut (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd2),
    .valid_i (shut_valid_i),
    .data_i  (id_t'(shut_id_i)),
    .forget_i(1'b0),
    .kept_o  (shut),
    .data_o  (shut_id),
    .write_o (shuts)
  );

  wc_tcp_note #(
    .data_t(id_t)
  ) u_closed (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .turn_i  (phase_q == 2'd3),
    .valid_i (closed_valid_i),
    .data_i  (id_t'(closed_id_i)),
    .forget_i(1'b0),
    .kept_o  (closed),
    .data_o  (closed_id),
    .write_o (closes)
  );

  // ---- when its last bytes came, and whether it may be ended --------------------------------------
  unit_t since, since_q;
  logic open, open_q, open_we, since_we;
  id_t open_id, since_id;

  assign open_we = clearing || opens || (hears && heard.ended) || shuts || closes;
  assign open_id = clearing ? at : opens ? opened_id : hears ? heard.id
                   : shuts ? shut_id : closed_id;
  assign since_we = opens || (hears && heard.bytes);
  assign since_id = opens ? opened_id : heard.id;

  // What has happened is written before it is read.
  function automatic logic happened(id_t id);
    return (opened && opened_id == id) || (said && heard.id == id) || (shut && shut_id == id)
           || (closed && closed_id == id);
  endfunction

  assign pending = happened(at);

  // The host's turn is when none is read of those that are gone over: two of three cycles.
  logic about_q, about_reads, about_read_q;
  id_t read_id;

  assign about_reads = about_q && !reads && !clearing && !happened(id_t'(about_id_i));
  assign read_id = reads ? at : id_t'(about_id_i);
  assign about_busy_o = about_q || about_read_q;

  always_ff @(posedge clk_i) begin
    about_q <= about_valid_i || (about_q && !about_reads);
    about_read_q <= about_reads;
    if (about_read_q) begin
      about_open_o <= open;
      about_age_o <= now - since;
    end
    if (rst_i) begin
      about_q <= 1'b0;
      about_read_q <= 1'b0;
    end
  end

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_open (
    .clk_i  (clk_i),
    .we_i   (open_we),
    .waddr_i(open_id),
    .wdata_i(opens),
    .re_i   ((reads && !pending) || about_reads),
    .raddr_i(read_id),
    .rdata_o(open)
  );

  wc_ram_sdp #(
    .Width($bits(unit_t)),
    .Depth(Connections)
  ) u_since (
    .clk_i  (clk_i),
    .we_i   (since_we),
    .waddr_i(since_id),
    .wdata_i(now),
    .re_i   ((reads && !pending) || about_reads),
    .raddr_i(read_id),
    .rdata_o(since)
  );

  // ---- all of them, once a unit -----------------------------------------------------------------
  // Of the unit that is, not of the one in which this round began: a round is longer than a unit when
  // nobody takes who is to end, and bytes of a later unit than the round's are no old ones.
  assign due = open_q && unit_t'(now - since_q) >= limit_i;

  always_ff @(posedge clk_i) begin
    open_q <= open;
    since_q <= since;
    if (idle) unit_q <= now;
    if (rst_i) unit_q <= '0;
  end

  // One that has closed since it was read is not told of: its number may be another's soon.
  logic gone_q;

  always_ff @(posedge clk_i) begin
    if (reads) gone_q <= 1'b0;
    if (closed_valid_i && id_t'(closed_id_i) == at) gone_q <= 1'b1;
    if (rst_i) gone_q <= 1'b0;
  end

  assign ends_valid_o = tells && !gone_q;
  assign ends_id_o = 16'(at);
  assign busy_o = !clearing && !idle;
  assign soonest_o = '{there: limit_i != '0, at: 18'({unit_q + 1'b1, UnitBits'(0)})};

  // ---- rules ------------------------------------------------------------------------------------
  // One connection's inputs of a kind are 40 cycles apart, as its events are: of all kinds, there is
  // a cycle before long in which none of them waits to be written.
  localparam int unsigned MostHeld = 32;
  logic [$clog2(MostHeld):0] held_q;
  logic [$clog2(2*MostHeld):0] about_held_q;  // the host's, behind one of these and by its own

  always_ff @(posedge clk_i) begin
    held_q <= reads && pending ? held_q + 1'b1 : '0;
    about_held_q <= about_q && !about_reads && !clearing ? about_held_q + 1'b1 : '0;
    if (rst_i) begin
      held_q <= '0;
      about_held_q <= '0;
    end
  end

  `WC_ASSERT(held_is_bounded, 32'(held_q) <= MostHeld)
  `WC_ASSERT(about_is_bounded, 32'(about_held_q) <= 2 * MostHeld)
  `WC_ASSERT(after_reset, !opened_valid_i || !clearing)

endmodule

`default_nettype wire
