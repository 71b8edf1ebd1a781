// SPDX-License-Identifier: Apache-2.0
// Makes frames of answer datagrams and of local replies, in turn when both wait. Behind the 34
// bytes of Ethernet and IP header a frame is a row of words that is shifted by 2 bytes. For ICMP
// and TCP the whole row comes from a stream; for UDP the header is made here, and the rest comes
// from a stream.
// When nothing else is being sent, the first word of a frame leaves in the cycle after its
// descriptor came. A frame takes as many cycles as it has words, and these leave without a gap as
// long as the MAC takes them.
`include "wc_assert.svh"
`default_nettype none

module wc_net_tx (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire wc_net_pkg::station_t  us_i,
  input  wire logic [15:0]           our_port_i,
  // answers: every datagram is whole in the payload stream, its sum comes within 4 cycles
  input  wire logic                  datagram_valid_i,
  output logic                       datagram_ready_o,
  input  wire wc_net_pkg::datagram_t datagram_i,
  input  wire logic                  sum_valid_i,
  output logic                       sum_ready_o,
  input  wire logic [15:0]           sum_i,
  input  wire logic                  payload_valid_i,
  output logic                       payload_ready_o,
  input  wire wc_pkg::word_t         payload_i,
  // replies to ARP and ICMP, with the words of the latter; likewise segments of TCP
  input  wire logic                  reply_valid_i,
  output logic                       reply_ready_o,
  input  wire wc_net_pkg::reply_t    reply_i,
  input  wire logic                  reply_tcp_i,  // it is a segment
  input  wire logic                  reply_word_valid_i,
  output logic                       reply_word_ready_o,
  input  wire wc_pkg::word_t         reply_word_i,
  output logic [63:0]                m_axis_tdata,
  output logic [7:0]                 m_axis_tkeep,
  output logic                       m_axis_tvalid,
  input  wire logic                  m_axis_tready,
  output logic                       m_axis_tlast,
  output logic [3:0]                 payload_bytes_o,  // of answers, that left in a cycle
  output logic                       frame_out_o
);

  import wc_net_pkg::*;

  localparam logic [15:0] VersionAndTos = 16'h0045;
  localparam logic [15:0] DontFragment = 16'h0040;
  localparam logic [7:0] Ttl = 8'd64;

  typedef enum logic [1:0] {
    KindUdp,
    KindIcmp,  // and TCP
    KindArp
  } kind_e;

  logic busy_q;
  station_t us_q;  // our own addresses; a register, as the setting comes from far away
  kind_e kind_q;
  logic tcp_q;
  station_t station_q;
  logic [15:0] port_q;
  length_t bytes_q;  // after 8 bytes: ARP's, ICMP's or UDP's header, the first word of TCP's

  // ---- which comes next -------------------------------------------------------------------------
  logic take;         // the output register is free for another word
  logic load;         // a new frame begins in the next cycle
  logic early;        // … or in this one, as nothing is being sent
  logic pick_reply;
  logic reply_last_q; // the frame before was a reply
  logic last;         // the current word is the last of its frame

  assign take = !m_axis_tvalid || m_axis_tready;
  assign load = !busy_q || (take && last);
  assign early = !busy_q && take && (datagram_valid_i || reply_valid_i);
  assign pick_reply = reply_valid_i && !(datagram_valid_i && reply_last_q);
  assign reply_ready_o = load && pick_reply;
  assign datagram_ready_o = load && !pick_reply;

  always_ff @(posedge clk_i) begin
    if (load) begin
      busy_q <= datagram_valid_i || reply_valid_i;
      if (datagram_valid_i || reply_valid_i) reply_last_q <= pick_reply;
      if (pick_reply) begin
        kind_q <= reply_i.arp ? KindArp : KindIcmp;
        tcp_q <= reply_tcp_i;
        station_q <= reply_i.station;
        bytes_q <= reply_i.bytes;
      end else begin
        kind_q <= KindUdp;
        station_q <= datagram_i.station;
        bytes_q <= datagram_i.bytes;
      end
      port_q <= datagram_i.port;
    end
    if (rst_i) begin
      busy_q <= 1'b0;
      reply_last_q <= 1'b0;
    end
  end

  // ---- where in the frame we are ----------------------------------------------------------------
  logic [5:0] at_q;        // the first six words, one-hot; 0 beyond
  length_t span_q;         // bytes after byte 40, less one, with the padding to a 60-byte frame
  logic [7:0] left_q;      // words after the current one, from word 5 on
  logic last_q;
  logic [7:0] payload_q;   // words of the stream still to be taken, from word 5 on
  logic [7:0] payload_words_q;
  logic want_payload_q;    // the current word takes one from the stream of the datagrams
  logic want_reply_q;      // … of the replies
  logic want_sum_q;
  logic udp_header_q;      // … begins with UDP's header
  logic arp_end_q;         // … ends ARP's
  logic carry_on_q;        // … begins with the last bytes of the word before
  length_t span;
  logic more;              // the next word takes one from a stream too

  assign span = bytes_q + length_t'(1);
  assign last = last_q;
  assign more = at_q[4] ? payload_words_q != '0 : payload_q > 8'd1;

  always_ff @(posedge clk_i) begin
    span_q <= (span < length_t'(19)) ? length_t'(19) : span;
    payload_words_q <= 8'((bytes_q + length_t'(7)) >> 3);
    if (load) begin
      at_q <= early ? 6'd2 : 6'd1;
    end else if (take) begin
      at_q <= at_q << 1;
      if (at_q[4]) begin
        left_q <= span_q[10:3];
        payload_q <= payload_words_q;
      end else begin
        left_q <= left_q - 1'b1;
        payload_q <= payload_q - 8'(payload_q != '0);
      end
    end
    if (load) begin
      want_payload_q <= 1'b0;
      want_reply_q <= 1'b0;
      want_sum_q <= 1'b0;
      udp_header_q <= 1'b0;
      arp_end_q <= 1'b0;
      carry_on_q <= 1'b0;
    end else if (take) begin
      want_payload_q <= kind_q == KindUdp && at_q[3:0] == '0 && more;
      want_reply_q <= kind_q == KindIcmp && (at_q[3] || (at_q[3:0] == '0 && more));
      want_sum_q <= kind_q == KindUdp && at_q[4];
      udp_header_q <= kind_q == KindUdp && at_q[3];
      arp_end_q <= kind_q == KindArp && at_q[3];
      carry_on_q <= at_q[2:0] == '0 && !(kind_q == KindArp && at_q[3]);
    end
    if (load) last_q <= 1'b0;
    else if (take) last_q <= (at_q == '0 || at_q[5]) && left_q == 8'd1;
    if (rst_i) begin
      last_q <= 1'b0;
      want_payload_q <= 1'b0;
      want_reply_q <= 1'b0;
      want_sum_q <= 1'b0;
      udp_header_q <= 1'b0;
      arp_end_q <= 1'b0;
      carry_on_q <= 1'b0;
    end
  end

  // ---- IP header checksum -----------------------------------------------------------------------
  // Ready for word 3: two registers, which follow station_q and bytes_q.
  logic [18:0] fixed_q;
  logic [16:0] fixed_fold_q;
  logic [16:0] address_q;
  logic [17:0] length_sum_q;
  logic [18:0] all_q;
  logic [16:0] round;
  logic [15:0] header_sum;
  logic [15:0] total, total_q;  // length of the packet
  logic [15:0] udp_length_q;    // without the IP header
  logic [7:0] protocol;

  assign protocol = (kind_q != KindIcmp) ? ProtocolUdp : tcp_q ? ProtocolTcp : ProtocolIcmp;
  assign total = swap16(16'(bytes_q) + 16'd28);

  always_ff @(posedge clk_i) begin
    total_q <= total;
    udp_length_q <= swap16(16'(bytes_q) + 16'd8);
    us_q <= us_i;
    fixed_q <= 19'(us_q.ip[15:0]) + 19'(us_q.ip[31:16])
               + 19'(VersionAndTos) + 19'(DontFragment) + 19'({8'd0, Ttl});
    fixed_fold_q <= 17'(fixed_q[15:0]) + 17'(fixed_q[18:16]);
    address_q <= 17'(station_q.ip[15:0]) + 17'(station_q.ip[31:16]);
    length_sum_q <= 18'(fixed_fold_q) + 18'(total);
    all_q <= 19'(address_q) + 19'(length_sum_q) + 19'({protocol, 8'd0});
  end

  assign round = 17'(all_q[15:0]) + 17'(all_q[18:16]);
  assign header_sum = ~{round[15:2], round[1:0] + 2'(round[16])};  // as in wc_checksum

  // ---- words ------------------------------------------------------------------------------------
  wc_pkg::word_t layer4;   // the row of words after the IP header
  wc_pkg::word_t word;
  logic [47:0] next_mac;   // of a frame that begins early
  logic [15:0] carry_q;    // the last two bytes of the word before
  logic arp;

  assign arp = kind_q == KindArp;
  assign next_mac = pick_reply ? reply_i.station.mac : datagram_i.station.mac;

  // A word is the "or" of its parts, each of which is 0 where it has nothing to say. So the row of
  // words does not begin before word 4. UDP's header leaves out the checksum: its place is two
  // bytes on, at the beginning of word 5.
  always_comb begin
    layer4 = '0;
    if (want_reply_q) layer4 |= reply_word_i;
    if (want_payload_q) layer4 |= payload_i;
    if (udp_header_q) layer4 |= {16'd0, udp_length_q, port_q, our_port_i};
  end

  always_comb begin
    word = {layer4[47:0], 16'd0};
    if (at_q[0]) word |= {us_q.mac[15:0], station_q.mac};
    if (at_q[1]) begin
      word[31:0] |= us_q.mac[47:16];
      word[63:32] |= arp ? {ArpEthernet, TypeArp} : {VersionAndTos, TypeIpv4};
    end
    if (at_q[2]) begin
      word |= arp ? {us_q.mac[15:0], ArpReply, ArpLengths, TypeIpv4}
                  : {protocol, Ttl, DontFragment, 16'd0, total_q};
    end
    if (at_q[3]) begin
      word |= arp ? {us_q.ip, us_q.mac[47:16]} : {station_q.ip[15:0], us_q.ip, header_sum};
    end
    if (arp_end_q) word |= {station_q.ip[15:0], station_q.mac};
    if (carry_on_q) word[15:0] |= carry_q;
    if (want_sum_q) word[15:0] |= sum_i;
  end

  assign payload_ready_o = take && want_payload_q;
  assign reply_word_ready_o = take && want_reply_q;
  assign sum_ready_o = take && want_sum_q;

  always_ff @(posedge clk_i) begin
    if (take) begin
      m_axis_tvalid <= busy_q || early;
      m_axis_tdata <= busy_q ? word : {us_q.mac[15:0], next_mac};
      m_axis_tlast <= last;
      for (int unsigned i = 0; i < 8; i++) m_axis_tkeep[i] <= !last || (32'(span_q[2:0]) >= i);
      carry_q <= (at_q[3] || arp_end_q) ? station_q.ip[31:16] : layer4[63:48];
    end
    frame_out_o <= m_axis_tvalid && m_axis_tready && m_axis_tlast;
    // The last word of a datagram has its last bytes alone.
    if (!payload_ready_o) payload_bytes_o <= '0;
    else if (payload_q == 8'd1) payload_bytes_o <= {bytes_q[2:0] == '0, bytes_q[2:0]};
    else payload_bytes_o <= 4'd8;
    if (rst_i) begin
      m_axis_tvalid <= 1'b0;
      payload_bytes_o <= '0;
      frame_out_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(frame, m_axis_tvalid, m_axis_tready, {m_axis_tdata, m_axis_tkeep, m_axis_tlast})
  // The counters of a frame's words hold the longest frame that the MAC takes.
  localparam int unsigned MaxSpan = MaxFrameBytes - 42;
  `WC_REQUIRE(longest_frame, MaxFrameBytes / 8 < 2 ** $bits(left_q) && MaxSpan < 2 ** $bits(span_q),
              "wc_net_tx: the counters must hold the longest frame")
  `WC_ASSERT(datagram_fits, !(datagram_valid_i && datagram_ready_o)
             || 32'(datagram_i.bytes) <= MaxSpan)
  `WC_ASSERT(reply_fits, !(reply_valid_i && reply_ready_o) || 32'(reply_i.bytes) <= MaxSpan)
  `WC_ASSERT(payload_in_time, !payload_ready_o || payload_valid_i)
  `WC_ASSERT(sum_in_time, !sum_ready_o || sum_valid_i)
  `WC_ASSERT(reply_word_in_time, !reply_word_ready_o || reply_word_valid_i)

endmodule

`default_nettype wire
