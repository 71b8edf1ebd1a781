// SPDX-License-Identifier: Apache-2.0
// The bytes that a segment takes along now, if any: first what was lost, then what is new, as far
// as both windows allow (RFC 9293, 3.8.6; RFC 6675, NextSeg); or a tail-loss probe (RFC 8985, 7).
// Inputs stay for four cycles, the answer is there in the last one.
`default_nettype none

module wc_tcp_chunk (
  input  wire logic                         clk_i,
  input  wire wc_tcp_engine_pkg::numbers_t  numbers_i,
  input  wire wc_tcp_engine_pkg::sender_t   sender_i,
  input  wire wc_tcp_engine_pkg::offset_t   has_i,      // bytes that the peer has behind gaps
  input  wire wc_tcp_engine_pkg::offset_t   missing_i,  // bytes that are to be sent again
  input  wire wc_tcp_engine_pkg::piece_t    first_i,    // the first of them
  output wc_tcp_engine_pkg::chunk_t         chunk_o
);

  import wc_tcp_engine_pkg::*;


  offset_t mss;
  assign mss = offset_t'(sender_i.mss);

  // ---- 1 ----------------------------------------------------------------------------------------
  logic again_q;
  offset_t stop_q, edge_q, tail_q;
  count_t gone_q;
  logic alone_q;  // the FIN alone is left

  always_ff @(posedge clk_i) begin
    again_q <= first_i.stop != '0;
    stop_q <= numbers_i.written + offset_t'(numbers_i.fin);
    gone_q <= count_t'({4'b0, has_i}) + count_t'({4'b0, missing_i})
              + count_t'({4'b0, sender_i.left});
    // Bytes go up to here. A FIN takes no room in the peer's window.
    edge_q <= first_i.stop != '0 ? first_i.stop : sender_i.window;
    alone_q <= first_i.stop == '0 && numbers_i.fin && numbers_i.written == numbers_i.flight;
    tail_q <= smaller(numbers_i.flight, numbers_i.written);
  end

  // ---- 2 ----------------------------------------------------------------------------------------
  offset_t at_q, limit_q, tail_q2;
  logic again_q2, unsent_q, limit_whole_q2;
  count_t pipe_q, budget_q;

  always_ff @(posedge clk_i) begin
    at_q <= again_q ? first_i.start : numbers_i.flight;
    limit_q <= smaller(edge_q, numbers_i.written);
    limit_whole_q2 <= edge_q >= stop_q || alone_q;
    again_q2 <= again_q;
    unsent_q <= again_q || numbers_i.flight != stop_q;
    pipe_q <= count_t'({4'b0, numbers_i.flight}) - gone_q;
    // Two ACKs that say nothing new let a new segment go each (RFC 3042).
    budget_q <= count_t'({4'b0, sender_i.cwnd});
    if (sender_i.phase == PhaseOpen && !numbers_i.sack) begin
      if (sender_i.duplicates == 2'd1) budget_q <= count_t'({4'b0, sender_i.cwnd})
                                                   + count_t'({4'b0, mss});
      if (sender_i.duplicates > 2'd1) budget_q <= count_t'({4'b0, sender_i.cwnd})
                                                  + count_t'({3'b0, mss, 1'b0});
    end
    tail_q2 <= tail_q;
  end

  // ---- 3 ----------------------------------------------------------------------------------------
  offset_t there_q, tail_q3;
  count_t pipe_q3;
  logic limit_whole_q;
  logic [10:0] last_q;

  always_ff @(posedge clk_i) begin
    there_q <= less(limit_q, at_q);
    limit_whole_q <= limit_whole_q2;
    pipe_q3 <= pipe_q;
    last_q <= tail_q2 < mss ? tail_q2[10:0] : sender_i.mss;
    tail_q3 <= tail_q2;
  end

  // ---- 4 ----------------------------------------------------------------------------------------
  always_comb begin
    chunk_o.at = at_q;
    chunk_o.bytes = there_q < mss ? there_q[10:0] : sender_i.mss;
    chunk_o.full = there_q >= mss;
    chunk_o.again = again_q2;
    chunk_o.whole = limit_whole_q;
    chunk_o.idle = pipe_q3 <= 0;
    chunk_o.pipe = pipe_q3;
    chunk_o.spare = budget_q - (pipe_q3 < 0 ? '0 : pipe_q3);
    chunk_o.unsent = unsent_q;
    chunk_o.last = last_q;
    chunk_o.last_at = tail_q3 - offset_t'(last_q);
    chunk_o.last_fin = numbers_i.fin && numbers_i.flight == stop_q;
  end

endmodule

`default_nettype wire
