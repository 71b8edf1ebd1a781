// SPDX-License-Identifier: Apache-2.0
// What of the bytes that were sent is lost and was not sent again: how much, and where it begins
// (RFC 6675, as py/wirecache/model/tcp/sender.py has it). Inputs stay for four cycles, the answer
// is there in the last one.
`default_nettype none

module wc_tcp_flight (
  input  wire logic                        clk_i,
  input  wire wc_tcp_engine_pkg::pieces_t  pieces_i,
  input  wire wc_tcp_engine_pkg::offset_t  flight_i,
  input  wire wc_tcp_engine_pkg::offset_t  again_i,
  input  wire wc_tcp_engine_pkg::offset_t  lost_i,
  output wc_tcp_engine_pkg::offset_t       missing_o,  // bytes that are to be sent again
  output wc_tcp_engine_pkg::piece_t        first_o     // the first of them without a gap, or zero
);

  import wc_tcp_engine_pkg::*;

  localparam int unsigned Gaps = Pieces + 1;

  // ---- 1: gaps between pieces, cut to what is lost and was not sent again -----------------------
  piece_t [Gaps-1:0] gap_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Gaps; i++) begin
      gap_q[i].start <= larger(i == 0 ? '0 : pieces_i[i == 0 ? 0 : i-1].stop, again_i);
      gap_q[i].stop <= smaller(
          i == Pieces || pieces_i[i == Pieces ? 0 : i].stop == '0
              ? flight_i : pieces_i[i == Pieces ? 0 : i].start,
          lost_i);
    end
  end

  // ---- 2: those that have bytes -----------------------------------------------------------------
  // A place without a piece has no gap behind it: its stop is zero, so the gap would be the last
  // one once more.
  piece_t [Gaps-1:0] gap_q2;
  offset_t [Gaps-1:0] length_q;
  logic [Gaps-1:0] some_q;
  logic [Gaps-1:0] real_;

  always_comb begin
    real_[0] = 1'b1;
    for (int unsigned i = 1; i < Gaps; i++) real_[i] = pieces_i[i-1].stop != '0;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Gaps; i++) begin
      length_q[i] <= real_[i] ? less(gap_q[i].stop, gap_q[i].start) : '0;
      some_q[i] <= real_[i] && gap_q[i].stop > gap_q[i].start;
    end
    gap_q2 <= gap_q;
  end

  // ---- 3, 4 -------------------------------------------------------------------------------------
  offset_t [2:0] sum_q;
  piece_t first, first_q;
  logic found;

  always_comb begin
    first = '0;
    found = 1'b0;
    for (int unsigned i = 0; i < Gaps; i++) begin
      if (!found && some_q[i]) first = gap_q2[i];
      found = found || some_q[i];
    end
  end

  always_ff @(posedge clk_i) begin
    sum_q <= {length_q[4], length_q[3] + length_q[2], length_q[1] + length_q[0]};
    first_q <= first;
  end

  assign missing_o = sum_q[0] + sum_q[1] + sum_q[2];
  assign first_o = first_q;

endmodule

`default_nettype wire
