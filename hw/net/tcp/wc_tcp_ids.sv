// SPDX-License-Identifier: Apache-2.0
// The numbers of connections: which are free, and who gives way when few are. A number is taken
// when a connection opens, and comes back when nobody has anything of the connection any more.
// Those that wait for nothing but their end (TIME_WAIT) give way, the oldest first, one at a time,
// while fewer than Reserve numbers are free: then one is there at once when somebody wants it.
// An id is there 4 cycles behind the return of the last one.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_ids #(
  parameter int unsigned Connections = 1024,
  parameter int unsigned Reserve     = 8
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  output logic             ready_o,  // after reset; then it stays
  input  wire logic [16:0] most_i,   // connections at once; as many as there are numbers at most
  // Results of the engine.
  input  wire logic        result_valid_i,
  input  wire logic [15:0] result_id_i,
  input  wire logic        result_lingers_i,
  // Does a connection wait for its end? The answer is there in the next cycle.
  input  wire logic        look_valid_i,
  input  wire logic [15:0] look_id_i,
  output logic             lingers_o,
  // A free number, and its return.
  output logic             free_valid_o,
  input  wire logic        free_ready_i,
  output logic [15:0]      free_id_o,
  input  wire logic        back_valid_i,
  input  wire logic [15:0] back_id_i,
  // The connection with that number is to be ended; until it comes back, no other.
  output logic             recycle_valid_o,
  input  wire logic        recycle_ready_i,
  output logic [15:0]      recycle_id_o,
  output logic             recycles_o  // one is on its way back
);

  localparam int unsigned IdBits = $clog2(Connections);

  typedef logic [IdBits-1:0] id_t;

  `WC_REQUIRE(reserve, Reserve >= 1 && Reserve < Connections,
              "wc_tcp_ids: Reserve must be from 1 to Connections - 1")

  // ---- free ones: first those that were never used ----------------------------------------------
  logic [IdBits:0] fresh_q;
  logic [16:0] used_q;
  id_t freed_id;
  logic fresh, freed_valid, take, room;

  assign fresh = !fresh_q[IdBits];
  assign free_valid_o = (fresh || freed_valid) && used_q < most_i;
  assign free_id_o = fresh ? 16'(fresh_q[IdBits-1:0]) : 16'(freed_id);
  assign take = free_ready_i;  // it was there when it was asked for, whatever most_i says now

  wc_fifo #(
    .data_t(id_t),
    .Depth (Connections)
  ) u_freed (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(back_valid_i),
    .ready_o(room),  // always: each number is there once
    .data_i (id_t'(back_id_i)),
    .valid_o(freed_valid),
    .ready_i(take && !fresh),
    .data_o (freed_id),
    .level_o()
  );

  // ---- who waits for its end --------------------------------------------------------------------
  logic waits, look_mine, mine_q;
  logic [15:0] oldest_id;
  logic oldest_valid, oldest_take;

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_lingers (
    .clk_i  (clk_i),
    .we_i   (result_valid_i),
    .waddr_i(id_t'(result_id_i)),
    .wdata_i(result_lingers_i),
    .re_i   (look_valid_i || look_mine),
    .raddr_i(look_valid_i ? id_t'(look_id_i) : id_t'(oldest_id)),
    .rdata_o(waits)
  );

  assign lingers_o = waits;

  wc_tcp_queue #(
    .Connections(Connections)
  ) u_oldest (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (ready_o),
    .put_valid_i(result_valid_i && result_lingers_i),
    .put_id_i   (result_id_i),
    .valid_o    (oldest_valid),
    .ready_i    (oldest_take),
    .id_o       (oldest_id),
    .some_o     ()
  );

  // ---- one gives way ----------------------------------------------------------------------------
  // The oldest in the queue may have come to its end by itself, and is left out then.
  logic few_q, asks_q, gone_q;
  logic ends, ended_q;  // it has come to its end by itself since it was looked at, or while
  id_t id_q, looked_id;
  logic [1:0] apart_q;  // takes from the queue are four cycles apart

  assign look_mine = few_q && oldest_valid && !asks_q && !gone_q && !mine_q && apart_q == '0
                     && !look_valid_i;
  assign looked_id = look_mine ? id_t'(oldest_id) : id_q;
  assign ends = result_valid_i && !result_lingers_i && id_t'(result_id_i) == looked_id;
  assign oldest_take = mine_q;
  assign recycle_valid_o = asks_q;
  assign recycle_id_o = 16'(id_q);
  assign recycles_o = asks_q || gone_q;

  always_ff @(posedge clk_i) begin
    few_q <= used_q + 17'(Reserve) > most_i;
    mine_q <= look_mine;
    if (look_mine) id_q <= id_t'(oldest_id);
    ended_q <= look_mine && ends;
    if (mine_q) asks_q <= waits && !ended_q && !ends;
    else if (recycle_ready_i || ends) asks_q <= 1'b0;
    apart_q <= mine_q ? '1 : apart_q - 2'(apart_q != '0);
    if (recycle_valid_o && recycle_ready_i) gone_q <= 1'b1;
    else if (back_valid_i && id_t'(back_id_i) == id_q) gone_q <= 1'b0;
    if (take && fresh) fresh_q <= fresh_q + 1'b1;
    used_q <= used_q + 17'(take) - 17'(back_valid_i);
    if (rst_i) begin
      fresh_q <= '0;
      used_q <= '0;
      few_q <= 1'b0;
      mine_q <= 1'b0;
      asks_q <= 1'b0;
      gone_q <= 1'b0;
      apart_q <= '0;
    end
  end

  `WC_ASSERT(there, !free_ready_i || fresh || freed_valid)
  `WC_ASSERT(has_room, !back_valid_i || room)
  `WC_ASSERT(comes_back_once, !back_valid_i || used_q != '0)

endmodule

`default_nettype wire
