// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_pieces, of any byte and whatever came before.
// Rule 1: pieces that are in order and do not touch stay so.
// Rule 2: a byte is in a piece then if it was before, or is in the new one, but for what is
//         dropped.
// Rule 3: a new piece is dropped only if there are four which it does not touch; if the last one is
//         forgotten instead, all others stay.
// Rule 4: what is news has bytes that were in no piece, and the other way round.
// Assumed: pieces that come in are in order and do not touch, or have no bytes and are zero.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_pieces_fv #(
  parameter int unsigned Bits = 4,  // enough for four pieces and a new one in between
  localparam int unsigned Pieces = 4
) (
  input wire logic                        clk_i,
  input wire logic                        rst_i,
  input wire logic [Pieces-1:0][Bits-1:0] starts_i,
  input wire logic [Pieces-1:0][Bits-1:0] stops_i,
  input wire logic [Bits-1:0]             advance_i,
  input wire logic [Bits-1:0]             start_i,
  input wire logic [Bits-1:0]             stop_i,
  input wire logic                        forgets_i,
  input wire logic [Bits-1:0]             byte_i  // counted from behind `advance`
);

  typedef logic [Bits-1:0] offset_t;
  typedef logic [Bits:0] long_t;
  typedef offset_t [Pieces-1:0] offsets_t;

  offsets_t starts, stops;
  logic dropped, news;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_tcp_pieces #(
    .Bits(Bits)
  ) u_dut (
    .clk_i    (clk_i),
    .starts_i (starts_i),
    .stops_i  (stops_i),
    .advance_i(advance_i),
    .start_i  (start_i),
    .stop_i   (stop_i),
    .forgets_i(forgets_i),
    .starts_o (starts),
    .stops_o  (stops),
    .dropped_o(dropped),
    .news_o   (news)
  );

  function automatic logic has(offsets_t from, offsets_t to, long_t at);
    has = 1'b0;
    for (int unsigned i = 0; i < Pieces; i++) begin
      if (long_t'(from[i]) <= at && at < long_t'(to[i])) has = 1'b1;
    end
  endfunction

  function automatic logic sound(offsets_t from, offsets_t to);
    sound = 1'b1;
    for (int unsigned i = 0; i < Pieces; i++) begin
      if (to[i] == '0 && from[i] != '0) sound = 1'b0;
      if (to[i] != '0 && from[i] >= to[i]) sound = 1'b0;
      if (i > 0 && to[i] != '0
          && (to[i-1] == '0 || to[i-1] >= from[i])) sound = 1'b0;
    end
  endfunction

  `WC_ASSUME(in_order, sound(starts_i, stops_i))
  `WC_ASSUME(not_turned, start_i <= stop_i)

  // What went in, as it must come out five cycles later.
  typedef struct packed {
    logic    was;    // the byte was in a piece
    logic    in_new;
    logic    some;
    logic    covered;// one piece
    logic    room;   // fewer than four are left, or the new one touches one
    logic    forgets;
    offset_t at;
  } said_t;
  localparam int unsigned Latency = 5;
  said_t said, out;
  said_t [Latency-1:0] said_q;
  logic [Latency-1:0] since_q;  // cycles since reset, one-hot downwards
  logic valid;
  logic [2:0] left;
  logic touches;

  always_comb begin
    left = '0;
    touches = 1'b0;
    said.covered = 1'b0;
    for (int unsigned i = 0; i < Pieces; i++) begin
      if (stops_i[i] > advance_i) begin
        left += 1'b1;
        if (long_t'(starts_i[i]) <= long_t'(start_i) + long_t'(advance_i)
            && long_t'(stop_i) + long_t'(advance_i) <= long_t'(stops_i[i])) said.covered = 1'b1;
        if (long_t'(stop_i) + long_t'(advance_i) >= long_t'(starts_i[i])
            && long_t'(stops_i[i]) >= long_t'(start_i) + long_t'(advance_i)) touches = 1'b1;
      end
    end
    said.was = has(starts_i, stops_i, long_t'(byte_i) + long_t'(advance_i));
    said.in_new = start_i <= byte_i && byte_i < stop_i;
    said.some = start_i != stop_i;
    said.room = left < 3'd4 || touches;
    said.forgets = forgets_i;
    said.at = byte_i;
  end

  always_ff @(posedge clk_i) begin
    said_q <= {said_q[Latency-2:0], said};
    since_q <= {since_q[Latency-2:0], 1'b1};
    if (rst_i) since_q <= '0;
  end
  assign out = said_q[Latency-1];
  assign valid = since_q[Latency-1];

  logic kept, forgotten, now;
  assign now = has(starts, stops, long_t'(out.at));
  assign kept = out.was || (out.in_new && !(dropped && !out.forgets));
  assign forgotten = out.forgets && dropped;

  `WC_ASSERT(stays_sound, !valid || sound(starts, stops))
  `WC_ASSERT(dropped_is, !valid || dropped == (out.some && !out.room))
  `WC_ASSERT(nothing_made_up, !valid || !now || kept)
  `WC_ASSERT(nothing_lost, !valid || !kept || now || forgotten)
  // Of five the last one is forgotten: what is still there lies in front of it.
  `WC_ASSERT(others_stay, !valid || !forgotten || !kept || now || out.at >= stops[3])
  `WC_ASSERT(four_stay, !valid || !forgotten || stops[3] != '0)
  `WC_ASSERT(news_is, !valid || !(out.in_new && !out.was) || news
                      || (dropped && !out.forgets))
  `WC_ASSERT(no_news, !valid || !news
                      || (out.some && !out.covered && !(dropped && !out.forgets)))

  `WC_COVER(joins_all, valid && stops[0] != '0 && stops[1] == '0 && !out.was
                       && out.in_new)
  `WC_COVER(drops, valid && dropped)
  `WC_COVER(old, valid && out.some && !news && !dropped)

endmodule

`default_nettype wire
