// SPDX-License-Identifier: Apache-2.0
// Connections that wait for their turn, in order, each at most once, like wc_tcp_queue, but with a
// put every cycle: arrivals, room, answers and turns each have a cycle of four. A turn is taken in
// phase 0. A put while the connection waits, or as its turn is taken, adds nothing: its turn looks
// at what there is three cycles later.
// Latency from put to valid_o 2 when nothing waits. After reset all are made to wait no more, for
// Connections cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_requests_ready
  import wc_tcp_requests_pkg::*;
#(
  parameter int unsigned Connections = 1024
) (
  input  wire logic   clk_i,
  input  wire logic   rst_i,
  output logic        ready_o,  // after reset; then it stays
  input  wire phase_t phase_i,
  input  wire logic   put_valid_i,
  input  wire id_t    put_id_i,
  output logic        valid_o,
  input  wire logic   ready_i,
  output id_t         id_o
);

  localparam int unsigned IdBits = $clog2(Connections);

  `WC_REQUIRE(connections, Connections >= 4 && Connections <= 65536
              && Connections == 2 ** IdBits,
              "wc_tcp_requests_ready: Connections must be a power of two from 4 to 65,536")

  typedef logic [IdBits-1:0] index_t;
  typedef struct packed {
    index_t id;
    logic   turn;
  } entry_t;

  // Two bits each, `put` and `taken`: the connection waits while they differ. Each has one writer.
  index_t clear_q, id_q;
  logic clearing_q, take, put, taken, put_q, served_q, same_q, sets, room;
  entry_t head;

  assign ready_o = !clearing_q;
  assign take = valid_o && ready_i;
  assign sets = put_q && put == taken && !served_q && !same_q;

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_put (
    .clk_i  (clk_i),
    .we_i   (clearing_q || sets),
    .waddr_i(clearing_q ? clear_q : id_q),
    .wdata_i(!clearing_q && !put),
    .re_i   (put_valid_i),
    .raddr_i(index_t'(put_id_i)),
    .rdata_o(put)
  );

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_taken (
    .clk_i  (clk_i),
    .we_i   (clearing_q || take),
    .waddr_i(clearing_q ? clear_q : head.id),
    .wdata_i(!clearing_q && head.turn),
    .re_i   (put_valid_i),
    .raddr_i(index_t'(put_id_i)),
    .rdata_o(taken)
  );

  always_ff @(posedge clk_i) begin
    if (clearing_q) clear_q <= clear_q + 1'b1;
    if (clear_q == '1) clearing_q <= 1'b0;
    put_q <= put_valid_i;
    id_q <= index_t'(put_id_i);
    served_q <= take && head.id == index_t'(put_id_i);
    same_q <= put_q && id_q == index_t'(put_id_i);
    if (rst_i) begin
      clear_q <= '0;
      clearing_q <= 1'b1;
      put_q <= 1'b0;
    end
  end

  // Worst case: all connections, each once.
  wc_fifo #(
    .data_t(entry_t),
    .Depth (Connections)
  ) u_fifo (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sets),
    .ready_o(room),
    .data_i ('{id: id_q, turn: !put}),
    .valid_o(valid_o),
    .ready_i(ready_i),
    .data_o (head),
    .level_o()
  );

  assign id_o = id_t'(head.id);

  `WC_ASSERT(has_room, !sets || room)
  `WC_ASSERT(after_reset, !put_valid_i || ready_o)
  `WC_ASSERT(taken_in_phase_0, !take || phase_i == '0)

endmodule

`default_nettype wire
