// SPDX-License-Identifier: Apache-2.0
// Cuts answer messages into datagrams, puts memcached's frame header in front of each and works out
// their checksums. A datagram is announced 2 cycles after its last word came, when that word is in
// the buffer. The checksum follows 3 cycles later: in time for wc_net_tx, which needs the checksum
// 5 words into the frame. A datagram with a word that counts for nothing is not sent: its words are
// taken back, and dropped_o tells. Such words are known when they come, and nothing was announced yet.
// A part of a host's answer, a message with `aside`, is one datagram, and has a context and words of its
// own. Of a message behind which a command for the host comes the context goes to the host port, too.
// Per datagram 2 cycles, 1 for the frame header, and 1 a word; 1 more a message.
`include "wc_assert.svh"
`default_nettype none

module wc_udp_tx #(
  parameter wc_pkg::lane_t Lane     = '0,
  parameter int unsigned   Words    = 512,
  parameter int unsigned   Contexts = 256,
  parameter int unsigned   DatagramBytes = wc_net_pkg::DatagramBytes
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic [31:0]           our_ip_i,
  input  wire logic [15:0]           our_port_i,
  input  wire logic                  frame_header_i,
  input  wire logic                  message_valid_i,
  output logic                       message_ready_o,
  input  wire wc_pkg::message_t      message_i,
  input  wire wc_net_pkg::numbered_t place_i,  // of its first datagram: 0 but of a part
  input  wire logic                  word_valid_i,
  output logic                       word_ready_o,
  input  wire wc_pkg::word_t         word_i,
  input  wire logic                  word_error_i,  // the word counts for nothing
  input  wire logic                  context_valid_i,
  output logic                       context_ready_o,
  input  wire wc_net_pkg::context_t  context_i,
  output logic                       host_valid_o,     // a command for the host, from this one
  output wc_net_pkg::context_t       host_context_o,
  input  wire wc_net_pkg::context_t  aside_context_i,  // of the message with `aside`
  input  wire logic                  aside_valid_i,    // and its words
  output logic                       aside_ready_o,
  input  wire wc_pkg::word_t         aside_word_i,
  output logic                       aside_done_o,     // all of the last part are taken
  output logic                       datagram_valid_o,
  input  wire logic                  datagram_ready_i,
  output wc_net_pkg::datagram_t      datagram_o,
  output logic                       sum_valid_o,  // UDP checksum of each datagram
  input  wire logic                  sum_ready_i,
  output logic [15:0]                sum_o,
  output logic                       payload_valid_o,
  input  wire logic                  payload_ready_i,
  output wc_pkg::word_t              payload_o,
  output logic                       message_done_o,  // all words of a message are taken,
  output logic                       answered_o,      // and it was its request's last message
  output logic                       dropped_o        // a datagram that is not sent
);

  import wc_net_pkg::*;

  localparam int unsigned Datagrams = 16;  // whole in the buffer; with more, the next word waits
  localparam int unsigned HeaderBytes = 8;  // memcached's
  localparam int unsigned DatagramWords = DatagramBytes / wc_pkg::WordBytes;
  localparam logic [26:0] Full = 27'(DatagramBytes);

  `WC_REQUIRE(whole_words, DatagramBytes % wc_pkg::WordBytes == 0,
              "wc_udp_tx: DatagramBytes must be whole words")
  `WC_REQUIRE(fits_frame, Ipv4FrameBytes + 8 + HeaderBytes + DatagramBytes <= MaxFrameBytes,
              "wc_udp_tx: a datagram must fit a frame")
  // One datagram fills while the one before it is sent; a datagram is told of only when it is whole
  // in the buffer, so one that does not fit would wait for ever.
  `WC_REQUIRE(count, DatagramWords < 256,
              "wc_udp_tx: words_q, of 8 bits, must count the words of a datagram")
  `WC_REQUIRE(words, Words >= 2 * (DatagramWords + HeaderBytes / wc_pkg::WordBytes),
              "wc_udp_tx: Words must hold two datagrams: 512 or more")

  typedef enum logic [2:0] {
    Idle,
    Addresses,  // pseudo header into the sum
    Ports,      // UDP header and the rest of the pseudo header into the sum
    Header,     // memcached's
    Payload
  } state_e;

  state_e state_q, state_d;
  context_t context_q;
  logic [26:0] left_q;     // bytes of the message not yet in a datagram
  numbered_t place_q;      // of the datagram
  logic ends_q;            // of a part: it is the last
  logic final_q;           // last datagram of its message
  logic more_q;            // another message of the same request follows
  logic aside_q;           // the message is the host's
  length_t bytes_q;        // of this datagram, without the frame header
  logic [7:0] words_q;     // of this datagram, still to come: 174 at most
  logic one_q;             // words_q is 1
  logic take_message, take_word, last;
  logic spoilt, spoilt_q;  // the datagram has a word that counts for nothing
  wc_pkg::word_t word, word_q;  // into buffer and sum
  logic push_q;            // word_q goes into the buffer
  logic sum_q, first_q;    // … into the sum, and begins it
  logic told_q;            // … is its datagram's last
  logic datagram_ready, payload_ready;
  logic room_q;            // in the buffer, for word_q and another
  logic [$clog2(Words):0] level;
  datagram_t datagram;

  assign take_message = (state_q == Idle) && message_valid_i
                        && (context_valid_i || message_i.aside);
  assign message_ready_o = (state_q == Idle) && (context_valid_i || message_i.aside);
  // The context stays while more messages of its request are to come.
  assign context_ready_o = (state_q == Idle) && message_valid_i && !message_i.more
                           && !message_i.aside;
  assign word_ready_o = (state_q == Payload) && room_q && datagram_ready && !aside_q;
  assign aside_ready_o = (state_q == Payload) && room_q && datagram_ready && aside_q;
  assign take_word = (word_valid_i && word_ready_o) || (aside_valid_i && aside_ready_o);
  assign last = take_word && one_q;
  assign spoilt = spoilt_q || (word_error_i && !aside_q);

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      Idle:      if (take_message && message_i.bytes != '0) state_d = Addresses;
      Addresses: state_d = Ports;
      Ports:     state_d = frame_header_i ? Header : Payload;
      Header:    if (room_q) state_d = Payload;
      Payload:    if (last) state_d = final_q ? Idle : Addresses;
      default:   state_d = Idle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    state_q <= state_d;
    if (state_q == Idle) begin
      context_q <= message_i.aside ? aside_context_i : context_i;
      aside_q <= message_i.aside;
      left_q <= message_i.bytes;
      place_q <= place_i;
      ends_q <= place_i.number + 1'b1 == place_i.of;
      more_q <= message_i.more;
    end
    if (state_q == Addresses) begin
      final_q <= left_q <= Full;
      bytes_q <= (left_q <= Full) ? length_t'(left_q) : length_t'(Full);
      left_q <= left_q - Full;
    end
    if (state_q == Ports) begin
      words_q <= 8'((bytes_q + length_t'(7)) >> 3);
      one_q <= bytes_q <= length_t'(8);
    end
    if (take_word) begin
      words_q <= words_q - 1'b1;
      one_q <= words_q == 8'd2;
    end
    if (last) place_q.number <= place_q.number + 1'b1;
    if (take_word) spoilt_q <= !last && spoilt;
    message_done_o <= (take_message && message_i.bytes == '0) || (last && final_q && !aside_q);
    answered_o <= (take_message && message_i.bytes == '0 && !message_i.more) ||
                  (last && final_q && !more_q && !aside_q);
    aside_done_o <= last && ends_q && aside_q;
    host_valid_o <= take_message && message_i.host;
    if (rst_i) begin
      state_q <= Idle;
      spoilt_q <= 1'b0;
      message_done_o <= 1'b0;
      answered_o <= 1'b0;
      aside_done_o <= 1'b0;
      host_valid_o <= 1'b0;
    end
  end

  assign host_context_o = context_q;

  // ---- words, and their sum ---------------------------------------------------------------------
  // The length of the datagram stands in the header and in the pseudo header, so both parts of the
  // length count twice: bytes_q, and the headers' 8 or 16 bytes, which are added to the protocol.
  logic [7:0] protocol_and_headers;
  assign protocol_and_headers = ProtocolUdp + (frame_header_i ? 8'd32 : 8'd16);

  always_comb begin
    unique case (state_q)
      Addresses: word = {our_ip_i, context_q.station.ip};
      Ports: begin
        word = {
          protocol_and_headers, 8'd0, swap16({4'd0, bytes_q, 1'b0}), context_q.port, our_port_i
        };
      end
      Header:  word = {16'd0, swap16(place_q.of), swap16(place_q.number), context_q.request_id};
      default: word = aside_q ? aside_word_i : word_i;
    endcase
  end

  // A register stands between word_i and the buffer, as word_i comes late in its cycle and the
  // buffer is far away. So room_q, which is a cycle old, must leave room for three words that the
  // level does not count yet: the one in this register, and those taken in two cycles.
  localparam int unsigned UnderWay = 3;

  always_ff @(posedge clk_i) begin
    word_q <= word;
    push_q <= take_word || (state_q == Header && room_q);
    sum_q <= take_word || state_q == Addresses || state_q == Ports ||
             (state_q == Header && room_q);
    first_q <= state_q == Addresses;
    told_q <= last && !spoilt;
    dropped_o <= last && spoilt;
    room_q <= level <= ($bits(level))'(Words - UnderWay);
    if (rst_i) begin
      push_q <= 1'b0;
      told_q <= 1'b0;
      dropped_o <= 1'b0;
      room_q <= 1'b0;
    end
  end

  `WC_ASSERT(room, !push_q || payload_ready)
  `WC_ASSERT(room_to_tell, !told_q || datagram_ready)

  logic [15:0] sum, checksum_q;
  logic sum_all_ones;
  logic [3:1] last_q;

  wc_checksum u_checksum (
    .clk_i  (clk_i),
    .valid_i(sum_q),
    .first_i(first_q),
    .word_i (word_q),
    .ok_o   (sum_all_ones),
    .sum_o  (sum)
  );

  always_ff @(posedge clk_i) begin
    last_q <= {last_q[2:1], told_q};
    // Zero would mean that there is no checksum: all ones stand for it.
    checksum_q <= sum_all_ones ? '1 : ~sum;
    if (rst_i) last_q <= '0;
  end

  // Sums never find this queue full. They belong to the datagrams that wait in u_datagrams and to
  // the one that is being sent, which keeps its sum until word 5 of its frame.
  logic sum_ready;
  `WC_ASSERT(room_for_sum, !last_q[3] || sum_ready)

  wc_fifo_shallow #(
    .data_t(logic [15:0]),
    .Depth (2 * Datagrams)
  ) u_sums (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(last_q[3]),
    .ready_o(sum_ready),
    .data_i (checksum_q),
    .valid_o(sum_valid_o),
    .ready_i(sum_ready_i),
    .data_o (sum_o)
  );

  // ---- buffers ----------------------------------------------------------------------------------
  // Both stop the words when they are full. What is in them is whole datagrams, and the beginning
  // of at most one more, for which there is room: so they empty as the MAC takes frames, whatever
  // comes or does not come from the pipeline.
  assign datagram = '{
    station: context_q.station,
    port: context_q.port,
    bytes: bytes_q + (frame_header_i ? length_t'(8) : length_t'(0))
  };

  wc_fifo_shallow #(
    .data_t(datagram_t),
    .Depth (Datagrams)
  ) u_datagrams (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(told_q),
    .ready_o(datagram_ready),
    .data_i (datagram),
    .valid_o(datagram_valid_o),
    .ready_i(datagram_ready_i),
    .data_o (datagram_o)
  );

  wc_fifo_commit #(
    .data_t (wc_pkg::word_t),
    .Depth  (Words),
    .Longest(DatagramWords + HeaderBytes / wc_pkg::WordBytes)
  ) u_words (
    .clk_i  (clk_i),
    .rst_i  (rst_i),
    .valid_i(push_q),
    .ready_o(payload_ready),
    .data_i (word_q),
    .commit_i(told_q),
    .abort_i(dropped_o),
    .valid_o(payload_valid_o),
    .ready_i(payload_ready_i),
    .data_o (payload_o),
    .level_o(level)
  );

  // ---- what the response promises ---------------------------------------------------------------
  logic [$clog2(Contexts)-1:0] conn_q;
  always_ff @(posedge clk_i) begin
    if (take_message && !message_i.more && !message_i.aside) conn_q <= conn_q + 1'b1;
    if (rst_i) conn_q <= '0;
  end
  `WC_ASSERT(as_many_as_counted, !(last && final_q) || aside_q
             || place_q.number + 1'b1 == place_q.of)
  `WC_ASSERT(aside_is_one, !take_message || !message_i.aside
             || (message_i.bytes != '0 && message_i.bytes <= Full && place_i.number < place_i.of))
  `WC_ASSERT(message_in_order, !take_message || message_i.aside
             || message_i.conn == wc_pkg::conn_t'(conn_q))
  `WC_ASSERT(message_of_lane, !take_message || message_i.lane == Lane)
  `WC_ASSERT(unused_bytes_zero, !(last && final_q && bytes_q[2:0] != '0)
             || (word >> {bytes_q[2:0], 3'd0}) == '0)

endmodule

`default_nettype wire
