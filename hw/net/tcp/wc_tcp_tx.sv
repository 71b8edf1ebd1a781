// SPDX-License-Identifier: Apache-2.0
// Makes segments of what is to be said and of the payload's bytes: for each a row of words, TCP's
// header with its checksum and the payload behind it, as wc_net_tx puts it into a frame. The
// checksum stands before what it covers, and a frame may not pause; so a segment is announced when
// it is whole in the buffer, which holds two of the longest: one fills while the other is sent.
// Latency 5 from the last payload word to the announcement, or from when the record of a segment
// without payload is taken. A segment takes 5 cycles and its payload words; with options 2 cycles
// more for time stamps, 1 for each other option and each block of SACK: less than its frame has on
// the wire. A late payload holds up the segments behind it, but none that is whole. A payload with
// an error makes no segment.
`include "wc_assert.svh"
`default_nettype none

module wc_tcp_tx #(
  parameter int unsigned Words     = 512,
  parameter int unsigned MostBytes = 1460,  // of options and payload
  parameter int unsigned Segments  = 16  // whole in the buffer; with more, the next one waits
) (
  input  wire logic               clk_i,
  input  wire logic               rst_i,
  input  wire logic [31:0]        our_ip_i,
  input  wire logic [15:0]        our_port_i,
  input  wire logic               header_valid_i,
  output logic                    header_ready_o,
  input  wire wc_tcp_pkg::out_t   header_i,
  // of each header with bytes, from when it is taken
  input  wire logic               payload_valid_i,
  output logic                    payload_ready_o,
  input  wire wc_pkg::beat_t      payload_i,
  input  wire logic               payload_error_i,  // with the last word: the segment is dropped
  // to wc_net_tx, as its replies: a segment's words are there from the cycle after it was taken
  output logic                    segment_valid_o,
  input  wire logic               segment_ready_i,
  output wc_net_pkg::reply_t      segment_o,
  output logic                    word_valid_o,
  input  wire logic               word_ready_i,
  output wc_pkg::word_t           word_o
);

  import wc_net_pkg::*;
  import wc_tcp_pkg::*;

  localparam int unsigned RowWords = (HeaderBytes + MostBytes + 7) / 8;  // of the longest
  localparam int unsigned OptionQuads = 10;

  typedef enum logic [2:0] {
    Addresses,  // pseudo header into the sum; where a header is waited for
    Ports,      // ports and sequence number
    Numbers,    // acknowledgement, flags and window
    Sum,        // the quad with the checksum
    Options,
    Payload,
    End
  } state_e;

  // Parts of the options: kind and length, with the value where it fits one quad; or two quads.
  typedef struct packed {
    logic [SentSackBlocks-1:0] sack;
    logic                      sack_kind;
    logic                      times;
    logic                      times_kind;
    logic                      sack_permitted;
    logic                      scale;
    logic                      mss;
  } parts_t;

  // ---- quads of the header and of the payload, one or two a cycle -------------------------------
  state_e state_q, state_d;
  parts_t asked;         // what the header has
  parts_t rest_q, next;  // what is still to come, and the first of it
  parts_t part_q;        // what comes now
  quads_t quads_q;       // of the header
  length_t length_q;     // of the segment
  reply_t segment_q;     // what is being made; stays until it is announced, 3 cycles behind its end
  logic short_q;         // of the last payload word only one quad counts
  logic bad_q;           // the payload is not what it should be
  logic begins, take_header, take_word, ends;
  logic room_q;          // in the buffer, for the longest segment
  logic queue_ready;

  always_comb begin
    asked = '{
      sack: {header_i.sacks == 2'd3, header_i.sacks[1], header_i.sacks != '0},
      sack_kind: header_i.sacks != '0,
      times: header_i.times_given,
      times_kind: header_i.times_given,
      sack_permitted: header_i.sack_permitted,
      scale: header_i.scale_given,
      mss: header_i.mss_given
    };
    next = rest_q & (~rest_q + 1'b1);
  end

  assign begins = state_q == Addresses && header_valid_i && room_q;
  assign take_header = (state_q == Sum || state_q == Options) && rest_q == '0;
  assign header_ready_o = take_header;
  assign payload_ready_o = state_q == Payload;
  assign take_word = payload_valid_i && payload_ready_o;
  assign ends = state_q == End && queue_ready;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Addresses:    if (begins) state_d = Ports;
      Ports:        state_d = Numbers;
      Numbers:      state_d = Sum;
      Sum, Options: begin
        if (!take_header) state_d = Options;
        else state_d = (header_i.bytes != '0) ? Payload : End;
      end
      Payload:      if (take_word && payload_i.last) state_d = End;
      End:          if (ends) state_d = Addresses;
      default:      state_d = Addresses;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (state_q == Addresses) begin
      rest_q <= asked;
      quads_q <= quads_t'(HeaderBytes / 4) + quads_t'(asked.mss) + quads_t'(asked.scale)
                 + quads_t'(asked.sack_permitted) + (asked.times ? 4'd3 : 4'd0)
                 + (asked.sack_kind ? {1'b0, header_i.sacks, 1'b1} : 4'd0);
    end else if (state_q == Sum || state_q == Options) begin
      rest_q <= rest_q & ~next;
    end
    part_q <= (state_q == Sum || state_q == Options) ? next : '0;
    length_q <= header_i.bytes + length_t'({quads_q, 2'b00});
    if (take_header) begin
      segment_q <= '{arp: 1'b0, station: header_i.station, bytes: length_q - length_t'(8)};
      short_q <= header_i.bytes[2:0] != '0 && header_i.bytes[2:0] <= 3'd4;
      bad_q <= 1'b0;
    end
    if (take_word && payload_i.last) bad_q <= payload_error_i;
    if (rst_i) state_q <= Addresses;
  end

  // The quads are the "or" of all that may come, each of which is 0 where it has nothing to say.
  // All is summed. The quad with the checksum is 0 yet, as is the urgent pointer in it; beside it
  // the protocol and length of the pseudo header come, which do not go into the row.
  logic [1:0][31:0] quad, quad_q;
  logic two;  // both count

  always_comb begin
    quad = '0;
    if (state_q == Addresses) quad |= {our_ip_i, header_i.station.ip};
    if (state_q == Ports) quad |= {swap32(header_i.seq), header_i.port, our_port_i};
    if (state_q == Numbers) begin
      quad |= {swap16(header_i.window), 2'd0, header_i.flags, quads_q, 4'd0, swap32(header_i.ack)};
    end
    if (state_q == Sum) quad[1] |= {ProtocolTcp, 8'd0, swap16(16'(length_q))};
    if (part_q.mss) quad[0] |= {swap16(header_i.mss), 8'd4, KindMss};
    if (part_q.scale) quad[0] |= {4'd0, header_i.scale, 8'd3, KindScale, KindNothing};
    if (part_q.sack_permitted) quad[0] |= {8'd2, KindSackPermitted, {2{KindNothing}}};
    if (part_q.times_kind) quad[0] |= {8'd10, KindTimes, {2{KindNothing}}};
    if (part_q.times) quad |= {swap32(header_i.time_echo), swap32(header_i.time_value)};
    if (part_q.sack_kind) quad[0] |= {3'd0, header_i.sacks, 3'd2, KindSack, {2{KindNothing}}};
    for (int unsigned i = 0; i < SentSackBlocks; i++) begin
      if (part_q.sack[i]) begin
        quad |= {swap32(header_i.sack[i].right), swap32(header_i.sack[i].left)};
      end
    end
    if (state_q == Payload) quad |= payload_i.data;
  end

  always_comb begin
    unique case (state_q)
      Sum, End: two = 1'b0;
      Options:  two = part_q.times || part_q.sack != '0;
      Payload:  two = !(payload_i.last && short_q);
      default:  two = 1'b1;
    endcase
  end

  // ---- words: quads two by two, and their sum ---------------------------------------------------
  logic sum_q, first_q;  // into the sum, and begins it
  logic row_q, two_q;    // into the row
  logic mark_q;          // it is the quad with the checksum
  logic end_q;           // the row ends: what is left over goes out
  logic odd_q;           // carry_q has a quad, the lower half of the next word
  logic carry_mark_q;    // … with the checksum
  logic [31:0] carry_q;
  logic push, word_ready;
  logic [$clog2(Words):0] level;

  typedef struct packed {
    logic          mark;  // the checksum goes into the first two bytes
    wc_pkg::word_t data;
  } marked_t;
  marked_t pushed, offered;

  assign push = (row_q && (two_q || odd_q)) || (end_q && odd_q);
  assign pushed = '{
    mark: odd_q && carry_mark_q,
    data: odd_q ? {quad_q[0], carry_q} : quad_q
  };

  always_ff @(posedge clk_i) begin
    quad_q <= quad;
    two_q <= two;
    sum_q <= begins || take_word || (state_q != Addresses && state_q != Payload);
    first_q <= begins;
    row_q <= take_word || (state_q != Addresses && state_q != Payload && state_q != End);
    mark_q <= state_q == Sum;
    end_q <= ends;
    if (row_q) begin
      odd_q <= odd_q ^ !two_q;
      carry_q <= two_q ? quad_q[1] : quad_q[0];
      carry_mark_q <= mark_q;
    end
    if (end_q) odd_q <= 1'b0;
    // Two words of the segment before may not have come into the level yet.
    room_q <= 32'(level) + RowWords + 3 <= Words;
    if (rst_i) begin
      sum_q <= 1'b0;
      row_q <= 1'b0;
      end_q <= 1'b0;
      odd_q <= 1'b0;
      room_q <= 1'b0;
    end
  end

  logic [15:0] sum, checksum_q;
  logic [3:2] ended_q;

  wc_checksum u_checksum (
    .clk_i  (clk_i),
    .valid_i(sum_q),
    .first_i(first_q),
    .word_i (quad_q),
    .ok_o   (),
    .sum_o  (sum)
  );

  always_ff @(posedge clk_i) begin
    ended_q <= {ended_q[2], end_q && !bad_q};
    checksum_q <= ~sum;
    if (rst_i) ended_q <= '0;
  end

  // ---- buffers ----------------------------------------------------------------------------------
  // What is in them is whole segments, and at most one more that has room: so they empty as the
  // MAC takes frames, whatever comes or does not come as payload.
  typedef struct packed {
    reply_t      segment;
    logic [15:0] checksum;
  } told_t;
  told_t told;

  wc_fifo_shallow #(
    .data_t(told_t),
    .Depth (Segments)
  ) u_segments (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(ended_q[3]),
    .ready_o(queue_ready),
    .data_i ('{segment: segment_q, checksum: checksum_q}),
    .valid_o(segment_valid_o),
    .ready_i(segment_ready_i),
    .data_o (told)
  );

  wc_fifo_commit #(
    .data_t (marked_t),
    .Depth  (Words),
    .Longest(RowWords)
  ) u_words (
    .clk_i   (clk_i),
    .rst_i   (rst_i),
    .valid_i (push),
    .ready_o (word_ready),
    .data_i  (pushed),
    .commit_i(end_q && !bad_q),
    .abort_i (end_q && bad_q),
    .valid_o (word_valid_o),
    .ready_i (word_ready_i),
    .data_o  (offered),
    .level_o (level)
  );

  logic [15:0] checksum_out_q;  // of the segment that is being sent

  assign segment_o = told.segment;

  always_ff @(posedge clk_i) begin
    if (segment_valid_o && segment_ready_i) checksum_out_q <= told.checksum;
  end

  always_comb begin
    word_o = offered.data;
    if (offered.mark) word_o[15:0] |= checksum_out_q;
  end

  // ---- what is promised -------------------------------------------------------------------------
  length_t left_q;  // payload still to come
  always_ff @(posedge clk_i) begin
    if (take_header) left_q <= header_i.bytes;
    else if (take_word) left_q <= left_q - length_t'(8);
  end

  `WC_REQUIRE(fits_frame, HeaderBytes + MostBytes <= MaxFrameBytes - Ipv4FrameBytes,
              "wc_tcp_tx: the longest segment must fit a frame: MostBytes 1,460 or less")
  `WC_REQUIRE(two_segments, Words >= 2 * RowWords + 3,
              "wc_tcp_tx: Words must hold two of the longest segments: 512 or more for 1,460 bytes")
  `WC_ASSERT_STREAM(header, header_valid_i, header_ready_o, header_i)
  `WC_ASSERT_STREAM(payload, payload_valid_i, payload_ready_o, payload_i)
  `WC_ASSERT_STREAM(segment, segment_valid_o, segment_ready_i, segment_o)
  `WC_ASSERT(header_stays, state_q == Addresses || state_q == Payload || state_q == End
             || header_valid_i)
  `WC_ASSERT(options_fit, state_q != Numbers
             || quads_q <= quads_t'(HeaderBytes / 4 + OptionQuads))
  `WC_ASSERT(bytes_fit, state_q != Sum || 32'(length_q) <= HeaderBytes + MostBytes)
  `WC_ASSERT(scale_fits, state_q != Ports || !header_i.scale_given
             || 8'(header_i.scale) <= MostScale)
  `WC_ASSERT(last_when_last, !take_word || payload_i.last == (left_q <= length_t'(8)))
  `WC_ASSERT(unused_bytes_zero, !take_word || !payload_i.last || left_q[2:0] == '0
             || (payload_i.data >> {left_q[2:0], 3'd0}) == '0)
  `WC_ASSERT(room, !push || word_ready)
  `WC_ASSERT(room_to_tell, !ended_q[3] || queue_ready)

endmodule

`default_nettype wire
