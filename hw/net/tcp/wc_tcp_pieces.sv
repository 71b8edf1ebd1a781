// SPDX-License-Identifier: Apache-2.0
// Keeps the account of up to four pieces of a stream. First the stream goes on by `advance`, and
// what lies before it is forgotten; then a new piece comes, and joins those that it overlaps or
// touches. If it would be a fifth, either it is refused, or the last of the five is forgotten.
// Latency 5, one each cycle; nothing waits.
`default_nettype none

module wc_tcp_pieces #(
  // Of an offset: bytes from where the stream is.
  parameter int unsigned Bits = wc_tcp_engine_pkg::OffsetBits,
  localparam int unsigned Pieces = 4
) (
  input  wire logic                        clk_i,
  // Pieces that there are come first, in the order of their bytes; none touches another. The others
  // are zero. A piece goes from its first byte to behind its last one.
  input  wire logic [Pieces-1:0][Bits-1:0] starts_i,
  input  wire logic [Pieces-1:0][Bits-1:0] stops_i,
  input  wire logic [Bits-1:0]             advance_i,
  input  wire logic [Bits-1:0]             start_i,   // of the new one, counted from behind
  input  wire logic [Bits-1:0]             stop_i,    // `advance`; it may have no bytes
  input  wire logic                        forgets_i,  // the last of five; or refuses the new one
  output logic [Pieces-1:0][Bits-1:0]      starts_o,
  output logic [Pieces-1:0][Bits-1:0]      stops_o,
  output logic                             dropped_o,  // the new one, or the last of five
  output logic                             news_o      // it has bytes that were not there
);

  typedef logic [Bits-1:0] offset_t;
  typedef struct packed {
    offset_t start;
    offset_t stop;
  } piece_t;
  typedef piece_t [Pieces-1:0] pieces_t;
  typedef logic [Pieces-1:0] each_t;

  // ---- 1: the stream goes on --------------------------------------------------------------------
  each_t gone_q;      // also of a place without a piece
  pieces_t less_q;
  piece_t new_q, new_q2, new_q3, joined_q;
  logic [2:0] forgets_q;  // of stages 2 to 4

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pieces; i++) begin
      gone_q[i] <= stops_i[i] <= advance_i;
      less_q[i].stop <= stops_i[i] - advance_i;
      less_q[i].start <= starts_i[i] > advance_i ? starts_i[i] - advance_i : '0;
    end
    new_q <= '{start: start_i, stop: stop_i};
    forgets_q <= {forgets_q[1:0], forgets_i};
  end

  // ---- 2: those that are left come first --------------------------------------------------------
  pieces_t moved, moved_q, moved_q2, moved_q3;
  logic leads;  // all before the k-th are gone

  always_comb begin
    moved = '0;
    leads = 1'b1;
    for (int unsigned k = 0; k < Pieces; k++) begin
      if (leads && !gone_q[k]) begin
        for (int unsigned i = 0; i + k < Pieces; i++) if (!gone_q[i+k]) moved[i] = less_q[i+k];
      end
      leads = leads && gone_q[k];
    end
  end

  always_ff @(posedge clk_i) begin
    moved_q <= moved;
    new_q2 <= new_q;
  end

  // ---- 3: where the new piece is ----------------------------------------------------------------
  each_t there_q;
  each_t under_q, over_q;    // of each piece: it ends before the new one, or begins behind that
  each_t first_q, last_q;    // it has a byte before the new one, or behind
  each_t starts_q, stops_q;  // it begins no later than the new one; it ends no sooner
  logic some_q;              // the new one has bytes

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pieces; i++) begin
      there_q[i] <= moved_q[i].stop != '0;
      under_q[i] <= moved_q[i].stop < new_q2.start;
      over_q[i] <= new_q2.stop < moved_q[i].start;
      first_q[i] <= moved_q[i].start < new_q2.start;
      last_q[i] <= moved_q[i].stop > new_q2.stop;
      starts_q[i] <= moved_q[i].start <= new_q2.start;
      stops_q[i] <= moved_q[i].stop >= new_q2.stop;
    end
    some_q <= new_q2.start != new_q2.stop;
    moved_q2 <= moved_q;
    new_q3 <= new_q2;
  end

  // ---- 4: what it joins -------------------------------------------------------------------------
  // Pieces do not touch: so at most one that it joins begins before it, and one ends behind it.
  each_t joins, before_q;
  piece_t joined;
  logic none_q;                    // it joins none
  logic [Pieces-1:0] count_q;      // or so many, one-hot, from one on
  logic full, full_q, adds_q, covered, news_q;

  assign joins = there_q & ~under_q & ~over_q;
  assign full = some_q && there_q == '1 && joins == '0;
  assign covered = |(there_q & starts_q & stops_q);

  always_comb begin
    joined = '0;
    if ((joins & first_q) == '0) joined.start = new_q3.start;
    if ((joins & last_q) == '0) joined.stop = new_q3.stop;
    for (int unsigned i = 0; i < Pieces; i++) begin
      if (joins[i] && first_q[i]) joined.start |= moved_q2[i].start;
      if (joins[i] && last_q[i]) joined.stop |= moved_q2[i].stop;
    end
  end

  always_ff @(posedge clk_i) begin
    before_q <= there_q & under_q;
    none_q <= joins == '0;
    for (int unsigned n = 0; n < Pieces; n++) count_q[n] <= 32'($countones(joins)) == n + 1;
    full_q <= full;
    adds_q <= some_q && !(full && !forgets_q[2]);
    news_q <= some_q && !covered && !(full && !forgets_q[2]);
    joined_q <= joined;
    moved_q3 <= moved_q2;
  end

  // ---- 5: together ------------------------------------------------------------------------------
  // Those before it stay in their places. Those behind it move up by one if it joins none, and down
  // if it joins more than one.
  pieces_t next;

  always_comb begin
    for (int unsigned i = 0; i < Pieces; i++) begin
      next[i] = '0;
      if (!adds_q || before_q[i]) begin
        next[i] = moved_q3[i];
      end else if (i == 0 || before_q[i == 0 ? 0 : i-1]) begin
        next[i] = joined_q;
      end else begin
        if (i != 0 && none_q) next[i] = moved_q3[i == 0 ? 0 : i-1];
        for (int unsigned n = 0; n < Pieces && i + n < Pieces; n++) begin
          if (count_q[n]) next[i] = moved_q3[i+n];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Pieces; i++) begin
      starts_o[i] <= next[i].start;
      stops_o[i] <= next[i].stop;
    end
    dropped_o <= full_q;
    news_o <= news_q;
  end

endmodule

`default_nettype wire
