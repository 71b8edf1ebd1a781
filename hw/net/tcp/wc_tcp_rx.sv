// SPDX-License-Identifier: Apache-2.0
// Takes a TCP segment apart: checks its header, sums it, reads its options, and hands on its
// payload, moved to word boundaries and cut to the length that IP states, and a record of the rest.
// Never stalls. Cycle 0 is that of end_i, behind a frame's last word in raw_i; the next frame may
// begin in it.
// * Payload: a word leaves one cycle after its last byte was in aligned_i; what is left over of a
//   frame's last word one later. So the last one leaves in cycle 1 or 2.
// * Record: one for each frame whose TCP header is whole, in the order of the frames, for one
//   cycle: in cycle 4, or when the options are read, which is in cycle 10 at the latest.
// * Findings: in cycle 1, the checksum's in cycle 3. They hold until the next frame's fields come.
// A frame that is shorter than IP says may leave words without a last one, or no record; the
// verdict drops such a frame by its length.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_rx (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic [15:0]           our_port_i,
  input  wire wc_net_pkg::raw_t      raw_i,
  input  wire logic                  end_i,
  input  wire wc_net_pkg::aligned_t  aligned_i,
  input  wire logic [15:0]           length_i,   // of the IP packet without its header
  input  wire logic                  tcp_i,
  input  wire wc_net_pkg::station_t  station_i,
  output logic                       payload_valid_o,
  output wc_net_pkg::payload_t       payload_o,
  output logic                       segment_valid_o,
  output wc_tcp_pkg::segment_t       segment_o,
  output logic                       short_bad_o,   // no whole header, or a wrong data offset
  output logic                       port_bad_o,    // header present, other port
  output logic                       source_bad_o,  // from port 0, which is nobody's
  output logic                       sum_ok_o
);

  import wc_net_pkg::*;
  import wc_tcp_pkg::*;

  localparam quads_t HeaderQuads = quads_t'(HeaderBytes / 4);

  wc_pkg::word_t word;
  logic begins, second, later;  // the word in aligned_i

  assign word = aligned_i.word;
  assign begins = aligned_i.valid && aligned_i.first;
  assign second = aligned_i.valid && aligned_i.second;
  assign later = aligned_i.valid && !aligned_i.first && !aligned_i.second;

  // ---- how much is left -------------------------------------------------------------------------
  // IP says where the segment ends. Only as many bits of the length are used as a frame's length
  // has, as in wc_udp_rx.
  `WC_REQUIRE(size, MaxFrameBytes < 2 ** $bits(length_t),
              "wc_tcp_rx: length_t must hold the longest frame")
  length_t size;
  logic [7:0] words_q;           // whole words left
  logic [2:0] rest_q;            // bytes after them
  logic some_q, full_q, last_q;  // the word holds a byte, holds eight, and nothing comes after it
  logic half;                    // it holds four at most

  assign size = length_t'(length_i);
  assign half = !full_q && rest_q <= 3'd4;

  always_ff @(posedge clk_i) begin
    if (begins) begin
      words_q <= size[10:3] - 8'd1;
      rest_q <= size[2:0];
      some_q <= size[10:4] != '0 || size[2:0] != '0;
      full_q <= size[10:4] != '0;
      last_q <= size[10:4] == '0 || size == length_t'(16);
    end else if (aligned_i.valid) begin
      words_q <= words_q - 8'(full_q);
      if (!full_q) rest_q <= '0;
      some_q <= full_q && (words_q != 8'd1 || rest_q != '0);
      full_q <= words_q > 8'd1;
      last_q <= words_q <= 8'd1 || (words_q == 8'd2 && rest_q == '0);
    end
  end

  // ---- header -----------------------------------------------------------------------------------
  station_t station_q;
  logic [15:0] port_q, window_q;
  sequence_t seq_q, ack_q;
  flags_t flags_q;
  length_t bytes_q;
  quads_t quads, options_q;         // of the header, and of its options
  logic too_short_q;                // for a header
  logic offset_bad_q, negative_q;   // the header states less than it has, or more than there is
  logic odd_q;                      // the payload begins in the midst of a word
  logic none_q;                     // no options
  logic [2:0] header_left_q;        // words of the header behind the second, yet to come
  logic body_q;                     // the header has passed
  logic third_q;                    // the word to come is the third
  logic good;

  assign quads = word[39:36];
  assign good = tcp_i && !too_short_q && !offset_bad_q && !negative_q;

  always_ff @(posedge clk_i) begin
    if (begins) begin
      station_q <= station_i;
      port_q <= word[15:0];
      source_bad_o <= word[15:0] == '0;
      port_bad_o <= word[31:16] != our_port_i && length_i >= 16'(HeaderBytes);
      seq_q <= swap32(word[63:32]);
      too_short_q <= length_i < 16'(HeaderBytes);
      offset_bad_q <= 1'b1;  // unless a second word says otherwise
    end
    if (second) begin
      ack_q <= swap32(word[31:0]);
      offset_bad_q <= quads < HeaderQuads;
      flags_q <= flags_t'(word[45:40]);
      window_q <= swap16(word[63:48]);
      bytes_q <= length_t'(length_i - 16'({quads, 2'b0}));
      negative_q <= length_i < 16'({quads, 2'b0});
      odd_q <= quads[0];
      options_q <= quads - HeaderQuads;
      none_q <= quads == HeaderQuads;
    end
  end

  assign short_bad_o = too_short_q || offset_bad_q || negative_q;

  always_ff @(posedge clk_i) begin
    if (begins) begin
      header_left_q <= '0;
      body_q <= 1'b0;
    end else if (second) begin
      header_left_q <= 3'((5'(quads) + 5'd1) >> 1) - 3'd2;
      third_q <= 1'b1;
    end else if (later) begin
      third_q <= 1'b0;
      if (header_left_q != '0) header_left_q <= header_left_q - 1'b1;
      if (header_left_q == 3'd1) body_q <= good;
    end
    if (rst_i) begin
      header_left_q <= '0;
      body_q <= 1'b0;
    end
  end

  // ---- payload, and words for the checksum ------------------------------------------------------
  // The pseudo header costs no cycle, as in wc_udp_rx: addresses, protocol and length are summed as
  // words 3 and 4 of the frame pass by. The word that was summed last is kept: behind a header of
  // an odd number of quads, a word of the payload is its upper half and the lower half of the next.
  logic [7:0] mask;
  wc_pkg::word_t masked, sum_q;
  logic pseudo, sum_valid_q, sum_first_q;
  logic over_q;             // what is left is in the upper half of the last word:
  logic [2:0] over_bytes_q;  // 1 to 4 bytes

  assign pseudo = raw_i.valid && (raw_i.at[3] || raw_i.at[4]);

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      mask[i] = begins || full_q || (32'(rest_q) > i);
      masked[8*i+:8] = word[8*i+:8] & {8{mask[i]}};
    end
  end

  always_ff @(posedge clk_i) begin
    if (aligned_i.valid) begin
      sum_q <= masked;
    end else if (pseudo) begin
      sum_q <= raw_i.at[3] ? {raw_i.word[63:16], ProtocolTcp, 8'd0}
                           : {32'd0, swap16(length_i), raw_i.word[15:0]};
    end
    sum_valid_q <= aligned_i.valid || pseudo;
    sum_first_q <= pseudo && raw_i.at[3];
  end

  always_ff @(posedge clk_i) begin
    over_q <= later && (body_q || (header_left_q == 3'd1 && good)) && odd_q && last_q && !half;
    over_bytes_q <= full_q ? 3'd4 : {1'b0, rest_q[1:0]};
    payload_valid_o <= over_q || (later && body_q && some_q);
    payload_o.word <= odd_q ? {masked[31:0], sum_q[63:32]} : masked;
    if (over_q) begin
      payload_o.bytes <= {1'b0, over_bytes_q};
      payload_o.last <= 1'b1;
    end else if (odd_q) begin
      payload_o.bytes <= half && rest_q != 3'd4 ? {2'b01, rest_q[1:0]} : 4'd8;
      payload_o.last <= half;
    end else begin
      payload_o.bytes <= full_q ? 4'd8 : {1'b0, rest_q};
      payload_o.last <= last_q;
    end
    if (rst_i) begin
      over_q <= 1'b0;
      payload_valid_o <= 1'b0;
    end
  end

  wc_checksum u_checksum (
    .clk_i  (clk_i),
    .valid_i(sum_valid_q),
    .first_i(sum_first_q),
    .word_i (sum_q),
    .ok_o   (sum_ok_o),
    .sum_o  ()
  );

  // ---- options ----------------------------------------------------------------------------------
  logic read_done;
  options_t options;

  wc_tcp_options u_options (
    .clk_i    (clk_i),
    .rst_i    (rst_i),
    .valid_i  (later && header_left_q != '0 && good && !none_q),
    .first_i  (third_q),
    .quads_i  (options_q),
    .word_i   (word),
    .done_o   (read_done),
    .options_o(options)
  );

  // ---- record -----------------------------------------------------------------------------------
  // The next frame overwrites what is known of this one, so it is copied before the record leaves.
  // Options stay where they were read.
  logic whole_q;         // the header's last word has come
  logic [3:1] ended_q;   // cycles 1 to 3
  logic waits_q;         // a record has yet to leave
  logic without_q;       // options
  segment_t segment_q;
  options_t shown;

  always_ff @(posedge clk_i) begin
    ended_q <= {ended_q[2], ended_q[1] && whole_q, end_i};
    if (ended_q[1]) whole_q <= 1'b0;
    if (later && header_left_q == 3'd1 && good) whole_q <= 1'b1;
    waits_q <= ended_q[3] || (waits_q && !segment_valid_o);
    if (ended_q[3]) begin
      segment_q <= '{station: station_q, port: port_q, seq: seq_q, ack: ack_q, flags: flags_q,
                     window: window_q, bytes: bytes_q, options: '0};
      without_q <= none_q;
    end
    if (rst_i) begin
      ended_q <= '0;
      whole_q <= 1'b0;
      waits_q <= 1'b0;
    end
  end

  // Some options belong to a connection's first segments, SACK to all others.
  always_comb begin
    shown = options;
    shown.mss_given = options.mss_given && !without_q && segment_q.flags.syn;
    shown.scale_given = options.scale_given && !without_q && segment_q.flags.syn;
    shown.sack_permitted = options.sack_permitted && !without_q && segment_q.flags.syn;
    shown.times_given = options.times_given && !without_q;
    if (without_q || segment_q.flags.syn) shown.sacks = '0;
    segment_o = segment_q;
    segment_o.options = shown;
  end

  assign segment_valid_o = waits_q && (without_q || read_done);

  `WC_ASSERT(one_at_a_time, !(ended_q[3] && waits_q && !segment_valid_o))

  // Cycle 10 at the latest.
  logic [2:0] waited_q;

  always_ff @(posedge clk_i) waited_q <= waits_q ? waited_q + 1'b1 : '0;

  `WC_ASSERT(in_time, !waits_q || waited_q < 3'd6 || segment_valid_o)

endmodule

`default_nettype wire
