// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_queue, of any connection.
// Rule 1: who was put and not taken since, or in that cycle, has its turn, before the queue has been empty for long.
// Rule 2: nobody has a turn who was not put since the last one.
// Assumed: puts come four cycles apart, and so do takes; none comes before the queue is ready.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_queue_fv (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        put_valid_i,
  input wire logic [15:0] put_id_i,
  input wire logic        ready_i,
  input wire logic [15:0] id_i  // any connection
);

  localparam int unsigned Connections = 4;

  logic ready, valid;
  logic [15:0] id;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_tcp_queue #(
    .Connections(Connections)
  ) u_dut (
    .clk_i      (clk_i),
    .rst_i      (rst_i),
    .ready_o    (ready),
    .put_valid_i(put_valid_i),
    .put_id_i   (put_id_i),
    .valid_o    (valid),
    .ready_i    (ready_i),
    .id_o       (id),
    .some_o     ()
  );

  logic [3:0] puts_q, takes_q;  // in the cycles before
  logic [15:0] id_q;
  logic took, owed_q;
  logic [3:0] empty_q;  // cycles in which nobody had a turn, and nobody was put
  assign took = valid && ready_i;

  always_ff @(posedge clk_i) begin
    puts_q <= {puts_q[2:0], put_valid_i};
    takes_q <= {takes_q[2:0], took};
    id_q <= id_i;
    if (put_valid_i && put_id_i == id_i) owed_q <= 1'b1;
    if (took && id == id_i) owed_q <= 1'b0;
    empty_q <= valid || put_valid_i ? '0 : empty_q == '1 ? empty_q : empty_q + 1'b1;
    if (rst_i) begin
      puts_q <= '0;
      takes_q <= '0;
      owed_q <= 1'b0;
      empty_q <= '0;
    end
  end

  `WC_ASSUME(puts_apart, !put_valid_i || puts_q[2:0] == '0)
  `WC_ASSUME(takes_apart, !took || takes_q[2:0] == '0)
  `WC_ASSUME(known, put_id_i < 16'(Connections) && id_i < 16'(Connections))
  `WC_ASSUME(after_reset, !put_valid_i || ready)
  `WC_ASSUME(any, $past(rst_i) || id_i == id_q)

  `WC_ASSERT(has_its_turn, !owed_q || empty_q < 4'd8)
  `WC_ASSERT(only_then, !took || id != id_i || owed_q)

  `WC_COVER(again, took && id == id_i && put_valid_i && put_id_i == id_i)
  `WC_COVER(all_wait, valid && owed_q && id != id_i && takes_q == '0)

endmodule

`default_nettype wire
