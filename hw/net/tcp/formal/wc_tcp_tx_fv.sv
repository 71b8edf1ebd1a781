// SPDX-License-Identifier: Apache-2.0
// Proof of wc_tcp_tx, with segments of up to 12 bytes of payload.
// Rule 1: segments and words hold and are stable until taken.
// Rule 2: each record, when its payload is there, becomes one segment, in the order of the records,
//         to the station that it names, with the length that its options and its bytes ask for;
//         and there is no other segment.
// Rule 3: a segment has just the words of its length. Ports and sequence number stand in their
//         place, and so does each quad of the payload; behind the payload there are zeros.
// Rule 4: from the cycle after a segment was taken its words are offered, as fast as they are
//         taken.
// Rule 5: nothing waits within: as long as there is anything to do, something goes on every Quiet
//         cycles, but for payload that has not come, and for whoever takes segments.
// So a record whose payload comes is sent: what goes on is one of finitely many steps toward that.
// Assumed: records and payload hold until taken, and as much payload comes as the record says; who
//          takes a segment takes its words within Pace cycles each, before it takes the next
//          segment (wc_net_tx_fv has it wait for 4 cycles before).
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_tx_fv #(
  parameter int unsigned Pace = 2
) (
  input wire logic       clk_i,
  input wire logic       rst_i,
  input wire logic       pick_i,  // free: follow the segment whose record is taken now
  input wire logic       header_valid_i,
  input wire logic       to_i,  // a bit of the address
  input wire logic       seq_i,
  input wire logic [4:0] bytes_i,
  input wire logic       mss_i,
  input wire logic       times_i,
  input wire logic       payload_valid_i,
  input wire logic [1:0] payload_i,  // a bit of each quad
  input wire logic       segment_ready_i,
  input wire logic       word_ready_i
);

  import wc_net_pkg::*;

  localparam int unsigned MaxBytes = 12;
  localparam int unsigned Quiet = 8;

  logic header_ready, payload_ready, segment_valid, word_valid;
  wc_tcp_pkg::out_t header;
  wc_pkg::beat_t payload;
  wc_pkg::word_t word;
  reply_t segment;
  logic [4:0] left_q;  // bytes of payload still to come

  always_comb begin
    header = '0;
    header.station.mac[0] = to_i;
    header.seq[0] = seq_i;
    header.bytes = length_t'(bytes_i);
    header.mss_given = mss_i;
    header.times_given = times_i;
  end

  assign payload = '{
    data: {31'd0, payload_i[1] && (left_q > 5'd4), 31'd0, payload_i[0]},
    last: left_q <= 5'd8
  };

  wc_reset_fv #(
    .Once(1'b1)
  ) u_reset (
    .clk_i(clk_i),
    .rst_i(rst_i)
  );

  wc_tcp_tx #(
    .Words    (16),
    .MostBytes(28),
    .Segments (2)
  ) u_dut (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .our_ip_i       ('0),
    .our_port_i     ('0),
    .header_valid_i (header_valid_i),
    .header_ready_o (header_ready),
    .header_i       (header),
    .payload_valid_i(payload_valid_i),
    .payload_ready_o(payload_ready),
    .payload_i      (payload),
    .payload_error_i(1'b0),  // such a segment is none
    .segment_valid_o(segment_valid),
    .segment_ready_i(segment_ready_i),
    .segment_o      (segment),
    .word_valid_o   (word_valid),
    .word_ready_i   (word_ready_i),
    .word_o         (word)
  );

  logic take_header, take_payload, take_segment, take_word;

  assign take_header = header_valid_i && header_ready;
  assign take_payload = payload_valid_i && payload_ready;
  assign take_segment = segment_valid && segment_ready_i;
  assign take_word = word_valid && word_ready_i;

  always_ff @(posedge clk_i) begin
    if (take_header) left_q <= bytes_i;
    else if (take_payload) left_q <= left_q > 5'd8 ? left_q - 5'd8 : '0;
    if (rst_i) left_q <= '0;
  end

  `WC_ASSUME(payload_size, bytes_i <= 5'(MaxBytes))
  `WC_ASSUME(header_holds, $past(rst_i) || !$past(header_valid_i && !header_ready) ||
             (header_valid_i && $past({to_i, seq_i, bytes_i, mss_i, times_i})
             == {to_i, seq_i, bytes_i, mss_i, times_i}))
  `WC_ASSUME(payload_holds, $past(rst_i) || !$past(payload_valid_i && !payload_ready) ||
             (payload_valid_i && $past(payload_i) == payload_i))
  `WC_ASSUME(payload_behind_header, !payload_valid_i || left_q != '0)
  `WC_ASSERT(payload_of_header, !payload_ready || left_q != '0)

  // ---- who takes segments: one after the other, each with its words -----------------------------
  logic [3:0] words_q;  // of the segment that was taken, still to come
  logic [1:0] slow_q;

  always_ff @(posedge clk_i) begin
    if (take_segment) words_q <= 4'((segment.bytes + length_t'(15)) >> 3);
    else if (take_word) words_q <= words_q - 1'b1;
    slow_q <= words_q != '0 && !take_word ? slow_q + 1'b1 : '0;
    if (rst_i) begin
      words_q <= '0;
      slow_q <= '0;
    end
  end

  `WC_ASSUME(one_segment, !segment_ready_i || words_q == '0 || (words_q == 4'd1 && word_ready_i))
  `WC_ASSUME(own_words, !word_ready_i || words_q != '0)
  `WC_ASSUME(words_soon, words_q == '0 || slow_q < 2'(Pace - 1) || word_ready_i)
  `WC_ASSERT(words_in_time, words_q == '0 || word_valid)
  `WC_ASSERT_STREAM(word, word_valid, word_ready_i || words_q == '0, word)

  // ---- one segment, any one ---------------------------------------------------------------------
  logic [3:0] inside_q;   // segments whose record was taken and that were not
  logic [3:0] before_q;   // of these, those before the one followed
  logic follow_q;         // there is one, and it was not taken
  logic filling_q;        // its payload comes
  logic to_q, seq_q;
  logic [4:0] bytes_q;
  logic [3:0] quads_q;    // of its header
  logic [3:0] quads_q2;   // of its payload that have a bit in data_q
  logic [3:0] data_q;     // a bit of each quad of its payload
  logic mine, mine_q;     // it is taken now; its words come
  logic [3:0] at_q;       // quads of it that have come

  assign mine = take_segment && follow_q && before_q == '0;

  always_ff @(posedge clk_i) begin
    inside_q <= inside_q + 4'(take_header) - 4'(take_segment);
    if (follow_q && take_segment) begin
      before_q <= before_q - 1'b1;
      if (before_q == '0) follow_q <= 1'b0;
    end
    if (take_header) filling_q <= 1'b0;
    if (filling_q && take_payload) begin
      data_q[quads_q2[1:0]] <= payload.data[0];
      data_q[quads_q2[1:0] + 2'd1] <= payload.data[32];
      quads_q2 <= quads_q2 + 4'd2;
    end
    if (!follow_q && !mine_q && pick_i && take_header) begin
      follow_q <= 1'b1;
      filling_q <= 1'b1;
      before_q <= inside_q - 4'(take_segment);
      to_q <= to_i;
      seq_q <= seq_i;
      bytes_q <= bytes_i;
      quads_q <= 4'd5 + 4'(mss_i) + (times_i ? 4'd3 : 4'd0);
      quads_q2 <= '0;
      data_q <= '0;
    end
    if (take_segment) begin
      mine_q <= mine;
      at_q <= '0;
    end else if (take_word) begin
      at_q <= at_q + 4'd2;
      if (words_q == 4'd1) mine_q <= 1'b0;
    end
    if (rst_i) begin
      inside_q <= '0;
      follow_q <= 1'b0;
      filling_q <= 1'b0;
      mine_q <= 1'b0;
    end
  end

  // Is it a quad of the followed segment: its ports, which are 0, its sequence number, its payload.
  function automatic logic right(input logic [3:0] at, input logic [31:0] quad);
    logic [3:0] place;
    place = at - quads_q;
    if (at == 4'd0) return quad == '0;
    if (at == 4'd1) return quad == {7'd0, seq_q, 24'd0};
    if (at < quads_q) return 1'b1;
    return quad == {31'd0, place < 4'd4 && data_q[place[1:0]]};
  endfunction

  `WC_ASSERT(no_segment_made_up, !segment_valid || inside_q != '0)
  `WC_ASSERT(not_without_payload, !mine || {quads_q2, 2'b00} >= 6'(bytes_q))
  `WC_ASSERT(whom_to, !mine || (segment.station.mac[0] == to_q && !segment.arp))
  `WC_ASSERT(how_long, !mine || segment.bytes == length_t'(bytes_q) + length_t'({quads_q, 2'b00})
             - length_t'(8))
  `WC_ASSERT(first_quad, !(mine_q && take_word) || right(at_q, word[31:0]))
  `WC_ASSERT(second_quad, !(mine_q && take_word) || right(at_q + 4'd1, word[63:32]))

  // ---- nothing waits within ---------------------------------------------------------------------
  logic [3:0] quiet_q;
  logic work, excused, step;

  assign work = inside_q != '0 || header_valid_i || words_q != '0;
  assign step = take_header || take_payload || take_segment || take_word;
  assign excused = (payload_ready && !payload_valid_i) ||
                   (segment_valid && !segment_ready_i && words_q == '0);

  always_ff @(posedge clk_i) begin
    quiet_q <= work && !step && !excused ? quiet_q + 4'(quiet_q != '1) : '0;
    if (rst_i) quiet_q <= '0;
  end

  `WC_ASSERT(goes_on, quiet_q < 4'(Quiet))

  `WC_COVER(odd_header, mine && quads_q == 4'd5 && bytes_q == 5'd11)
  `WC_COVER(even_header, mine && quads_q == 4'd8 && bytes_q == 5'd12)
  `WC_COVER(second, mine_q && take_word && segment_valid)

endmodule

`default_nettype wire
