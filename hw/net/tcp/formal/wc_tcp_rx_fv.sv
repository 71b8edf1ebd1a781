// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_rx, behind frames as wc_eth_rx and wc_ip_rx hand them on.
// Rule 1: each segment with a whole header has one record, in the order of the frames: in cycle 4
//         behind its end without options, else in cycle 6 at the latest, and one more for each two
//         quads of options behind the first. Nothing else has one.
// Rule 2: the record has the segment's sequence number, flags, sender and number of bytes.
// Rule 3: the payload's words have as many bytes together as the record says, each in its place; the
//         last one comes in cycle 2 or sooner. A segment without payload, and what is no segment,
//         has none.
// Assumed: five words or more of a frame come before the first aligned one; no frame is shorter
//          than its IP header says (the verdict drops such a frame; the bench has them).
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_rx_fv
  import wc_net_pkg::*;
  import wc_tcp_pkg::*;
#(
  parameter int unsigned MostBytes  = 36,  // of a segment
  parameter int unsigned LeastWords = 5    // of a frame, before those that are aligned
) (
  input wire logic        clk_i,
  input wire logic        rst_i,
  input wire logic        word_i,    // an aligned word comes
  input wire logic        end_i,     // and is the frame's last
  input wire logic [63:0] data_i,
  input wire logic        tcp_i,     // of the frame that begins
  input wire logic [15:0] length_i,
  input wire logic        ip_i,
  input wire logic [3:0]  pick_i     // follow this byte of the payload
);

  typedef logic [6:0] place_t;

  aligned_t aligned;
  raw_t raw;
  station_t station;
  logic payload_valid, segment_valid, ends;
  payload_t payload;
  segment_t segment;

  wc_reset_fv u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  // ---- frames -----------------------------------------------------------------------------------
  logic [3:0] since_q;  // cycles since a frame's end, or more
  place_t words_q;      // aligned words that have come
  logic tcp_q, ip_q;
  logic [15:0] length_q;
  logic [3:0] pick_q;

  assign ends = end_i && aligned.valid;

  always_ff @(posedge clk_i) begin
    since_q <= ends ? 4'd0 : since_q + 4'(since_q != '1);
    if (aligned.valid) words_q <= ends ? '0 : words_q + 1'b1;
    if (since_q == 4'd2 || (since_q == '1 && words_q == '0 && !aligned.valid)) begin
      tcp_q <= tcp_i;
      ip_q <= ip_i;
      length_q <= length_i;
    end
    if (rst_i) begin
      since_q <= '1;
      words_q <= '0;
      pick_q <= pick_i;
    end
  end

  always_comb begin
    aligned.valid = word_i && since_q >= 4'(LeastWords - 1);
    aligned.first = words_q == '0;
    aligned.second = words_q == 7'd1;
    aligned.word = data_i;
    raw = '0;
    station = '0;
    station.ip[0] = ip_q;
  end

  `WC_ASSUME(not_long, length_q <= 16'(MostBytes))
  `WC_ASSUME(not_cut, !ends || {words_q + 1'b1, 3'd0} >= 10'(length_q))
  `WC_ASSUME(bounded, 16'(words_q) <= 16'(MostBytes) / 8 + 1)

  wc_tcp_rx u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .our_port_i     ('0),
    .raw_i          (raw),
    .end_i          (ends),
    .aligned_i      (aligned),
    .length_i       (length_q),
    .tcp_i          (tcp_q),
    .station_i      (station),
    .payload_valid_o(payload_valid),
    .payload_o      (payload),
    .segment_valid_o(segment_valid),
    .segment_o      (segment),
    .short_bad_o    (),
    .port_bad_o     (),
    .source_bad_o   (),
    .sum_ok_o       ()
  );

  // ---- what a frame is --------------------------------------------------------------------------
  typedef struct packed {
    logic       valid;
    logic       ip;
    logic [1:0] seq;    // its lowest and its highest bit
    flags_t     flags;
    place_t     bytes;
    logic [3:0] latest; // the cycle in which its record comes at the latest
  } known_t;

  known_t now_q;
  logic [5:0] offset_q;         // bytes of its header
  logic [7:0] byte_q;           // the one that is followed
  logic [3:0] quads;

  assign quads = data_i[39:36];

  always_ff @(posedge clk_i) begin
    if (aligned.valid && words_q == '0) begin
      now_q.valid <= 1'b0;
      now_q.ip <= ip_q;
      now_q.seq <= {data_i[32], data_i[63]};
      offset_q <= '0;
    end
    if (aligned.valid && words_q == 7'd1) begin
      now_q.valid <= tcp_q && length_q >= 16'd20 && quads >= 4'd5
                     && length_q >= 16'({quads, 2'b0});
      now_q.flags <= data_i[45:40];
      now_q.bytes <= 7'(length_q) - 7'({quads, 2'b0});
      now_q.latest <= quads == 4'd5 ? 4'd4 : 4'd6 + ((quads - 4'd6) >> 1);
      offset_q <= {quads, 2'b0};
    end
    if (aligned.valid && words_q > 7'd1) begin
      for (int unsigned i = 0; i < 8; i++) begin
        if (10'({words_q, 3'd0}) + 10'(i) == 10'(offset_q) + 10'(pick_q)) begin
          byte_q <= data_i[8*i+:8];
        end
      end
    end
    if (rst_i) now_q.valid <= 1'b0;
  end

  // ---- records ----------------------------------------------------------------------------------
  known_t [10:1] owed_q;  // by the cycles since the frame's end
  known_t oldest;
  logic [10:1] rest;      // owed when the oldest has left

  // Cycle 1 of a frame is the first in which it is known what its last word says.
  known_t [10:1] owed;
  logic ended_q;

  always_comb begin
    owed = owed_q;
    owed[1] = now_q;
    owed[1].valid = now_q.valid && ended_q;
    oldest = '0;
    rest = '0;
    for (int unsigned i = 1; i <= 10; i++) rest[i] = owed[i].valid;
    for (int unsigned i = 1; i <= 10; i++) if (owed[i].valid) oldest = owed[i];
    for (int unsigned i = 1; i <= 10; i++) begin
      if (segment_valid && owed[i].valid && (rest >> i) == '0) rest[i] = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    ended_q <= ends;
    for (int unsigned i = 2; i <= 10; i++) begin
      owed_q[i] <= owed[i-1];
      owed_q[i].valid <= rest[i-1];
    end
    if (rst_i) begin
      ended_q <= 1'b0;
      owed_q <= '0;
    end
  end

  logic [10:4] old;
  logic seconds_q;  // a record has left
  always_ff @(posedge clk_i) seconds_q <= !rst_i && (seconds_q || segment_valid);

  always_comb begin
    for (int unsigned i = 4; i <= 10; i++) old[i] = owed[i].valid;
  end

  `WC_ASSERT(not_sooner, !segment_valid || old != '0)
  for (genvar i = 4; i <= 10; i++) begin : gen_cycle
    `WC_ASSERT(not_later, !rest[i] || 4'(i) < owed[i].latest)
  end
  `WC_ASSERT(sender, !segment_valid || segment.station.ip[0] == oldest.ip)
  `WC_ASSERT(seq, !segment_valid || {segment.seq[24], segment.seq[7]} == oldest.seq)
  `WC_ASSERT(flags, !segment_valid || segment.flags == oldest.flags)
  `WC_ASSERT(bytes, !segment_valid || segment.bytes == 11'(oldest.bytes))

  // ---- payload ----------------------------------------------------------------------------------
  place_t given_q;  // bytes of the frame that have left
  place_t given;

  assign given = given_q + place_t'(payload.bytes);

  always_ff @(posedge clk_i) begin
    if (aligned.valid && words_q == '0) given_q <= '0;
    else if (payload_valid) given_q <= given;
    if (rst_i) given_q <= '0;
  end

  `WC_ASSERT(of_a_segment, !payload_valid || now_q.valid)
  `WC_ASSERT(full_but_the_last, !payload_valid || payload.last || payload.bytes == 4'd8)
  `WC_ASSERT(some, !payload_valid || (payload.bytes != '0 && payload.bytes <= 4'd8))
  `WC_ASSERT(last_is_last, !payload_valid || payload.last == (given == now_q.bytes))
  `WC_ASSERT(no_more, !payload_valid || given <= now_q.bytes)
  `WC_ASSERT(all, !(now_q.valid && since_q == 4'd2 && words_q == '0) || given_q == now_q.bytes)

  for (genvar i = 0; i < 8; i++) begin : gen_byte
    `WC_ASSERT(in_its_place, !(payload_valid && given_q + place_t'(i) == place_t'(pick_q)
               && place_t'(pick_q) < now_q.bytes) || payload.word[8*i+:8] == byte_q)
    `WC_ASSERT(else_zero, !payload_valid || i < 32'(payload.bytes) || payload.word[8*i+:8] == '0)
  end

  `WC_COVER(with_options, segment_valid && old[7])
  `WC_COVER(soonest, segment_valid && old[4] && !segment.options.times_given)
  `WC_COVER(two, segment_valid && since_q == 4'd3 && seconds_q)
  `WC_COVER(left_over, payload_valid && payload.last && since_q == 4'd1 && payload.bytes == 4'd4)

endmodule

`default_nettype wire
