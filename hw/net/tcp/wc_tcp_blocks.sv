// SPDX-License-Identifier: Apache-2.0
// The blocks of a SACK option that goes out: what has come behind gaps, the piece that came last in
// front, then the others in order (RFC 2018, 4). Inputs stay for four cycles, the answer is there in
// the last one.
`default_nettype none

module wc_tcp_blocks (
  input  wire logic                                    clk_i,
  input  wire wc_tcp_engine_pkg::order_t               order_i,
  input  wire logic [31:0]                             next_i,
  output logic [1:0]                                   sacks_o,
  output wc_tcp_pkg::sack_t [wc_tcp_engine_pkg::SackBlocks-1:0] sack_o  // the first is number 0
);

  import wc_tcp_engine_pkg::*;

  // A piece without a gap before it is what came last in order.
  logic in_order;
  logic [31:0] base_q;
  pieces_t behind, behind_q;
  logic [Pieces-1:0] recent_q;
  offset_t recent_at_q;

  assign in_order = order_i.pieces[0].start == '0;

  always_comb begin
    behind = order_i.pieces;
    if (in_order) behind = pieces_t'(order_i.pieces >> $bits(piece_t));
  end

  always_ff @(posedge clk_i) begin
    base_q <= next_i - 32'(order_i.pending);
    behind_q <= behind;
    recent_at_q <= order_i.recent;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pieces; i++) begin
      recent_q[i] <= behind_q[i].start <= recent_at_q && recent_at_q < behind_q[i].stop;
    end
  end

  // The k-th of those in order, or the one before if the one that came last is taken out of them.
  piece_t [SackBlocks-1:0] chosen_q;
  logic [1:0] count_q;

  always_ff @(posedge clk_i) begin
    count_q <= behind_q[2].stop != '0 ? 2'd3 : behind_q[1].stop != '0 ? 2'd2
               : behind_q[0].stop != '0 ? 2'd1 : 2'd0;
    chosen_q[0] <= recent_q[3] ? behind_q[3] : recent_q[2] ? behind_q[2]
                   : recent_q[1] ? behind_q[1] : behind_q[0];
    chosen_q[1] <= recent_q[3] || recent_q[2] || recent_q[1] ? behind_q[0] : behind_q[1];
    chosen_q[2] <= recent_q[3] || recent_q[2] ? behind_q[1] : behind_q[2];
  end

  assign sacks_o = count_q;
  always_comb begin
    for (int unsigned i = 0; i < SackBlocks; i++) begin
      sack_o[i].left = base_q + 32'(chosen_q[i].start);
      sack_o[i].right = base_q + 32'(chosen_q[i].stop);
    end
  end

endmodule

`default_nettype wire
