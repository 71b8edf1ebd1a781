// SPDX-License-Identifier: Apache-2.0
// When each connection is to be looked at: a deadline each, gone over once a millisecond. One that
// is due is told of until its deadline is set again, once in each turn; so a turn that is missed does
// no harm.
// A turn takes three cycles a connection, and as long as those that are due wait to be taken; the
// next one begins behind it, when the millisecond is another. After reset no deadline is set, which
// takes Connections cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_timers #(
  parameter int unsigned Connections = 1024
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_i,
  output logic                            ready_o,      // after reset; then it stays
  input  wire wc_tcp_engine_pkg::time_t   now_i,        // milliseconds
  input  wire logic                       set_valid_i,
  input  wire logic [15:0]                set_id_i,
  input  wire logic                       set_armed_i,
  input  wire logic [17:0]                set_deadline_i,  // low bits; no further than 2^17 ahead
  output logic                            valid_o,
  input  wire logic                       ready_i,
  output logic [15:0]                     id_o,
  // Nothing here is due before: the soonest deadline of the last turn, or one set since.
  output logic                            armed_o,
  output logic [17:0]                     soonest_o
);

  import wc_tcp_engine_pkg::soonest_t;
  import wc_tcp_engine_pkg::sooner;

  localparam int unsigned IdBits = $clog2(Connections);

  `WC_REQUIRE(connections, Connections >= 4 && Connections <= 65536
              && Connections == 2 ** IdBits,
              "wc_tcp_timers: Connections must be a power of two from 4 to 65,536")

  typedef logic [IdBits-1:0] id_t;
  typedef struct packed {
    logic        armed;
    logic [17:0] deadline;
  } entry_t;

  id_t at;
  entry_t read, entry_q;
  logic [17:0] now_q, overdue;
  logic clearing, idle, reads, looks, due, ends;

  assign ready_o = !clearing;
  assign overdue = now_q - entry_q.deadline;
  assign due = entry_q.armed && !overdue[17];

  wc_tcp_round #(
    .Connections(Connections)
  ) u_round (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .begin_i(now_q != now_i[17:0]),
    .clear_o(clearing),
    .idle_o (idle),
    .at_o   (at),
    .read_o (reads),
    .hold_i (1'b0),
    .look_o (looks),
    .due_i  (due),
    .tell_o (valid_o),
    .take_i (ready_i),
    .ends_o (ends)
  );

  assign id_o = 16'(at);

  always_ff @(posedge clk_i) begin
    entry_q <= read;
    if (idle) now_q <= now_i[17:0];
  end

  wc_ram_sdp #(
    .Width($bits(entry_t)),
    .Depth(Connections)
  ) u_deadlines (
    .clk_i  (clk_i),
    .we_i   (clearing || set_valid_i),
    .waddr_i(clearing ? at : id_t'(set_id_i)),
    .wdata_i(clearing ? '0 : {set_armed_i, set_deadline_i}),
    .re_i   (reads),
    .raddr_i(at),
    .rdata_o(read)
  );

  // ---- the soonest deadline ---------------------------------------------------------------------
  // Of those that a turn has seen, and of those that were set meanwhile. One that is set anew and
  // later leaves the soonest where it is, until the next turn ends.
  soonest_t seen_q, set_q, fresh_q, told_q;
  logic ends_q;  // a turn has ended

  always_ff @(posedge clk_i) begin
    ends_q <= ends;
    set_q <= '{there: set_valid_i && set_armed_i, at: set_deadline_i};
    if (looks) seen_q <= sooner(seen_q, '{there: entry_q.armed,
                                                            at: entry_q.deadline});
    fresh_q <= sooner(fresh_q, set_q);
    if (idle) {seen_q.there, fresh_q.there} <= '0;
    told_q <= sooner(ends_q ? sooner(seen_q, fresh_q) : told_q, set_q);
    if (rst_i) begin
      ends_q <= 1'b0;
      set_q.there <= 1'b0;
      seen_q.there <= 1'b0;
      fresh_q.there <= 1'b0;
      told_q.there <= 1'b0;
    end
  end

  assign armed_o = told_q.there;
  assign soonest_o = told_q.at;

  `WC_ASSERT(after_reset, !set_valid_i || ready_o)

endmodule

`default_nettype wire
