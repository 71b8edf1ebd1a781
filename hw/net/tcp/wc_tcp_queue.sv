// SPDX-License-Identifier: Apache-2.0
// Connections that wait for their turn, in order, each at most once: one that is put while it waits
// has its turn already. None is ever refused.
// Puts come four cycles apart or more, and so do takes. From put to valid_o 4 cycles when nothing
// waits. After reset all are made to wait no more, for Connections cycles.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_queue #(
  parameter int unsigned Connections = 1024
) (
  input  wire logic        clk_i,
  input  wire logic        rst_i,
  output logic             ready_o,      // after reset; then it stays
  input  wire logic        put_valid_i,
  input  wire logic [15:0] put_id_i,
  output logic             valid_o,
  input  wire logic        ready_i,
  output logic [15:0]      id_o,
  output logic             some_o        // some wait, or have been put
);

  localparam int unsigned IdBits = $clog2(Connections);

  `WC_REQUIRE(connections, Connections >= 4 && Connections <= 65536
              && Connections == 2 ** IdBits,
              "wc_tcp_queue: Connections must be a power of two from 4 to 65,536")

  typedef logic [IdBits-1:0] id_t;

  // ---- who waits: a bit each --------------------------------------------------------------------
  // One bit is written a cycle: what is taken goes first, a put waits for it. A turn that is taken
  // with the put, or behind it, serves for the put.
  id_t clear_q, put_id_q;
  logic clearing_q, waits, take;
  logic reads_q, holds_q;  // the bit of the put is there now; it was, and waits to be written
  logic served_q;          // its connection was taken in the same cycle
  logic sets, waiting_q;
  id_t head;

  assign ready_o = !clearing_q;

  assign take = valid_o && ready_i;
  assign sets = (reads_q || holds_q) && !take
                && !(reads_q ? waits || served_q : waiting_q);

  logic [IdBits:0] count_q;  // that wait
  logic put_q;               // it shows in count_q in three cycles
  logic [1:0] puts_q;

  assign put_q = |puts_q || reads_q || holds_q;

  always_ff @(posedge clk_i) begin
    puts_q <= {puts_q[0], put_valid_i};
    if (sets != take) count_q <= count_q + (take ? '1 : (IdBits+1)'(1));
    some_o <= put_q || put_valid_i || sets || count_q != '0;
    if (rst_i) begin
      puts_q <= '0;
      count_q <= '0;
      some_o <= 1'b0;
    end
  end

  wc_ram_sdp #(
    .Width(1),
    .Depth(Connections)
  ) u_waits (
    .clk_i  (clk_i),
    .we_i   (clearing_q || take || sets),
    .waddr_i(clearing_q ? clear_q : take ? head : put_id_q),
    .wdata_i(!clearing_q && !take),
    .re_i   (put_valid_i),
    .raddr_i(id_t'(put_id_i)),
    .rdata_o(waits)
  );

  always_ff @(posedge clk_i) begin
    if (clearing_q) clear_q <= clear_q + 1'b1;
    if (clear_q == '1) clearing_q <= 1'b0;
    reads_q <= put_valid_i;
    if (put_valid_i) put_id_q <= id_t'(put_id_i);
    if (reads_q) waiting_q <= waits || served_q;
    holds_q <= (reads_q || holds_q) && take;
    served_q <= take && head == id_t'(put_id_i);
    if (rst_i) begin
      clear_q <= '0;
      clearing_q <= 1'b1;
      reads_q <= 1'b0;
      holds_q <= 1'b0;
    end
  end

  // ---- in order ---------------------------------------------------------------------------------
  logic room;  // always: each waits at most once

  wc_fifo #(
    .data_t(id_t),
    .Depth (Connections)
  ) u_fifo (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(sets),
    .ready_o(room),
    .data_i (put_id_q),
    .valid_o(valid_o),
    .ready_i(take),
    .data_o (head),
    .level_o()
  );

  assign id_o = 16'(head);

  `WC_ASSERT(has_room, !sets || room)
  `WC_ASSERT(after_reset, !put_valid_i || ready_o)
  `WC_ASSERT(puts_apart, !put_valid_i || !(reads_q || holds_q))

endmodule

`default_nettype wire
