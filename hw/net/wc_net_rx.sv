// SPDX-License-Identifier: Apache-2.0
// Receive: frames in, requests, local replies and segments of TCP out. Never stalls; every frame
// ends in one event.
// A packet leaves 7 cycles after its frame's last word came in; one word per cycle.
`default_nettype none

module wc_net_rx #(
  parameter int unsigned RxWords  = 2048,
  parameter int unsigned Contexts = 256,
  parameter bit          Tcp      = 1'b0  // without it TCP is a protocol that is not known
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire wc_net_pkg::station_t  us_i,
  input  wire logic [15:0]           our_port_i,
  input  wire logic [15:0]           our_tcp_port_i,  // 0: none
  input  wire wc_net_pkg::allow_t    allow_i,
  input  wire logic                  frame_header_i,
  input  wire logic                  enable_i,
  input  wire logic [63:0]           s_axis_tdata,
  input  wire logic [7:0]            s_axis_tkeep,
  input  wire logic                  s_axis_tvalid,
  output logic                       s_axis_tready,
  input  wire logic                  s_axis_tlast,
  input  wire logic                  s_axis_tuser,
  // requests, and whom to answer, in the same order
  output logic                       packet_valid_o,
  input  wire logic                  packet_ready_i,
  output wc_pkg::packet_t            packet_o,
  output logic                       context_valid_o,
  input  wire logic                  context_ready_i,
  output wc_net_pkg::context_t       context_o,
  // replies to ARP and ICMP, and the words of the latter
  output logic                       reply_valid_o,
  input  wire logic                  reply_ready_i,
  output wc_net_pkg::reply_t         reply_o,
  output logic                       reply_word_valid_o,
  input  wire logic                  reply_word_ready_i,
  output wc_pkg::word_t              reply_word_o,
  // segments of TCP: payload and record while the frame comes in, then what becomes of both
  output logic                       tcp_begin_o,
  output logic                       tcp_payload_valid_o,
  output wc_net_pkg::payload_t       tcp_payload_o,
  output logic                       tcp_record_valid_o,
  output wc_tcp_pkg::segment_t       tcp_record_o,
  output logic                       tcp_commit_o,
  output logic                       tcp_abort_o,
  input  wire logic                  tcp_overflow_i,  // something of the frame found no room
  output wc_pkg::net_events_t        events_o
);

  import wc_net_pkg::*;

  raw_t raw;
  aligned_t aligned;
  station_t station;
  logic frame_end;
  logic [11:0] frame_length;
  logic bad, ipv4, arp, mac_bad, arp_bad;
  logic [15:0] ip_length;
  logic [16:0] ip_needed;
  logic ip_header_bad, ip_sum_ok, ip_address_bad, ip_fragment, udp, icmp, tcp, ip_tcp;
  logic payload_valid, icmp_valid, icmp_first;
  payload_t payload;
  logic context_valid;
  context_t new_context;
  logic icmp_bad, udp_port_bad, udp_length_bad, udp_header_bad, sum_given, udp_sum_ok;
  logic tcp_header_bad, tcp_port_bad, tcp_source_bad, tcp_sum_ok;
  logic source_bad, source_port_bad, source_denied;
  logic overflow, local_overflow;

  assign s_axis_tready = 1'b1;

  wc_eth_rx u_eth (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .us_i         (us_i),
    .s_axis_tdata (s_axis_tdata),
    .s_axis_tkeep (s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tlast (s_axis_tlast),
    .s_axis_tuser (s_axis_tuser),
    .raw_o        (raw),
    .end_o        (frame_end),
    .length_o     (frame_length),
    .bad_o        (bad),
    .ipv4_o       (ipv4),
    .arp_o        (arp),
    .mac_bad_o    (mac_bad),
    .arp_bad_o    (arp_bad),
    .station_o    (station)
  );

  wc_ip_rx u_ip (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .our_ip_i     (us_i.ip),
    .raw_i        (raw),
    .end_i        (frame_end),
    .ipv4_i       (ipv4),
    .aligned_o    (aligned),
    .length_o     (ip_length),
    .needed_o     (ip_needed),
    .header_bad_o (ip_header_bad),
    .sum_ok_o     (ip_sum_ok),
    .address_bad_o(ip_address_bad),
    .fragment_o   (ip_fragment),
    .udp_o        (udp),
    .icmp_o       (icmp),
    .tcp_o        (ip_tcp)
  );

  wc_udp_rx u_udp (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .our_port_i     (our_port_i),
    .frame_header_i (frame_header_i),
    .raw_i          (raw),
    .aligned_i      (aligned),
    .length_i       (ip_length),
    .udp_i          (udp),
    .icmp_i         (icmp),
    .station_i      (station),
    .udp_valid_o    (payload_valid),
    .icmp_valid_o   (icmp_valid),
    .icmp_first_o   (icmp_first),
    .payload_o      (payload),
    .context_valid_o(context_valid),
    .context_o      (new_context),
    .icmp_bad_o     (icmp_bad),
    .port_bad_o     (udp_port_bad),
    .length_bad_o   (udp_length_bad),
    .header_bad_o   (udp_header_bad),
    .source_bad_o   (source_port_bad),
    .sum_given_o    (sum_given),
    .sum_ok_o       (udp_sum_ok)
  );

  assign tcp = Tcp && ip_tcp;

  if (Tcp) begin : gen_tcp
    logic other_port;

    wc_tcp_rx u_tcp (
      .clk_i          (clk_i),
      .rst_i          (rst_i),
      .our_port_i     (our_tcp_port_i),
      .raw_i          (raw),
      .end_i          (frame_end),
      .aligned_i      (aligned),
      .length_i       (ip_length),
      .tcp_i          (tcp),
      .station_i      (station),
      .payload_valid_o(tcp_payload_valid_o),
      .payload_o      (tcp_payload_o),
      .segment_valid_o(tcp_record_valid_o),
      .segment_o      (tcp_record_o),
      .short_bad_o    (tcp_header_bad),
      .port_bad_o     (other_port),
      .source_bad_o   (tcp_source_bad),
      .sum_ok_o       (tcp_sum_ok)
    );

    assign tcp_port_bad = other_port || our_tcp_port_i == '0;
  end else begin : gen_no_tcp
    assign tcp_payload_valid_o = 1'b0;
    assign tcp_payload_o = '0;
    assign tcp_record_valid_o = 1'b0;
    assign tcp_record_o = '0;
    assign {tcp_header_bad, tcp_port_bad, tcp_source_bad, tcp_sum_ok} = '0;

    logic unused_tcp;
    assign unused_tcp = ^{our_tcp_port_i, tcp_overflow_i, ip_tcp};
  end

  wc_source_rx u_source (
    .clk_i    (clk_i),
    .us_i     (us_i),
    .allow_i  (allow_i),
    .station_i(station),
    .arp_i    (arp),
    .bad_o    (source_bad),
    .denied_o (source_denied)
  );

  // ---- verdict ----------------------------------------------------------------------------------
  // Each finding is read when it is known and before the next frame can change it. What comes from
  // words 0 and 1 is read in the cycle of the frame's end (early), the rest one or two cycles after
  // (middle, late). A frame that is too short for a field has drop_runt, drop_udp_length or
  // drop_tcp_header as its cause, which comes before any cause that depends on the field. The last
  // word of a segment may leave a cycle later than that of a request. So whether there was room
  // for it is known in cycle 3, with the checksum.
  logic ipv4_q, arp_q;  // a cycle after the end
  logic late_ipv4_q, late_arp_q, late_udp_q, late_icmp_q, late_tcp_q;  // two
  logic last_tcp_q;  // three
  wc_pkg::net_events_t early, middle, late, if_sum_bad;
  logic is_request, is_reply, not_request, not_reply;

  always_ff @(posedge clk_i) begin
    {ipv4_q, arp_q} <= {ipv4, arp};
    {late_ipv4_q, late_arp_q} <= {ipv4_q, arp_q};
    {late_udp_q, late_icmp_q} <= {udp && ipv4_q, icmp && ipv4_q};
    {last_tcp_q, late_tcp_q} <= {late_tcp_q, tcp && ipv4_q};
  end

  always_comb begin
    early = '0;
    early.drop_disabled = !enable_i;
    early.drop_bad_frame = bad || (frame_length > 12'(MaxFrameBytes));
    early.drop_runt = (frame_length < 12'(EthernetBytes))
                      || (arp && frame_length < 12'(ArpFrameBytes))
                      || (ipv4 && (frame_length < 12'(Ipv4FrameBytes)
                                   || 17'(frame_length) < ip_needed));
    early.drop_mac = mac_bad;
    early.drop_ethertype = !ipv4 && !arp;
    early.drop_arp = arp && arp_bad;
    early.drop_ip_header = ipv4 && ip_header_bad;
    early.drop_ip_address = ipv4 && ip_address_bad;
    early.drop_ip_fragment = ipv4 && ip_fragment;

    middle = '0;
    middle.drop_ip_protocol = ipv4_q && !udp && !icmp && !tcp;
    middle.drop_icmp = ipv4_q && icmp && icmp_bad;
    middle.drop_udp_port = ipv4_q && udp && udp_port_bad;
    middle.drop_udp_length = ipv4_q && udp && udp_length_bad;
    middle.drop_udp_header = ipv4_q && udp && udp_header_bad;
    middle.drop_tcp_header = ipv4_q && tcp && tcp_header_bad;
    middle.drop_tcp_port = ipv4_q && tcp && tcp_port_bad;

    late = '0;
    late.drop_ip_header = late_ipv4_q && !ip_sum_ok;
    late.drop_source = ((late_ipv4_q || late_arp_q) && source_bad)
                       || (late_udp_q && source_port_bad) || (late_tcp_q && tcp_source_bad);
    late.drop_denied = late_ipv4_q && source_denied;
    late.drop_overflow = late_udp_q && overflow;
    late.drop_local = (late_arp_q || late_icmp_q) && local_overflow;

    if_sum_bad = '0;
    if_sum_bad.drop_icmp = late_icmp_q;
    if_sum_bad.drop_udp_checksum = late_udp_q && sum_given;
    if_sum_bad.drop_tcp_checksum = late_tcp_q;
  end

  wc_verdict u_verdict (
    .clk_i       (clk_i),
    .rst_i       (rst_i),
    .end_i       (frame_end),
    .early_i     (early),
    .middle_i    (middle),
    .arp_i       (arp_q),
    .icmp_i      (ipv4_q && icmp),
    .tcp_i       (ipv4_q && tcp),
    .late_i      (late),
    .if_sum_bad_i(if_sum_bad),
    .sum_ok_i    (last_tcp_q ? tcp_sum_ok : udp_sum_ok),
    .lost_i      (last_tcp_q && tcp_overflow_i),
    .request_o   (is_request),
    .reply_o     (is_reply),
    .segment_o   (tcp_commit_o),
    .not_request_o(not_request),
    .not_reply_o (not_reply),
    .not_segment_o(tcp_abort_o),
    .events_o    (events_o)
  );

  // ---- buffers ----------------------------------------------------------------------------------
  // The soonest that a frame can write here is word 5, which is after the verdict on the frame
  // before.
  logic begins;
  logic reply_valid_q;
  reply_t new_reply;

  assign begins = raw.valid && raw.at[3];
  assign tcp_begin_o = begins;
  assign new_reply = '{
    arp: arp,
    station: station,
    bytes: arp ? '0 : length_t'(ip_length) - length_t'(8)
  };

  always_ff @(posedge clk_i) begin
    // The whole reply is known once word 5 has come, and every request for a reply has a word 5.
    reply_valid_q <= raw.valid && raw.at[5] && (arp || (ipv4 && icmp));
    if (rst_i) reply_valid_q <= 1'b0;
  end

  wc_rx_buffer #(
    .Words   (RxWords),
    .Contexts(Contexts)
  ) u_buffer (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .begin_i        (begins),
    .payload_valid_i(payload_valid),
    .payload_i      (payload),
    .context_valid_i(context_valid),
    .context_i      (new_context),
    .commit_i       (is_request),
    .abort_i        (not_request),
    .overflow_o     (overflow),
    .packet_valid_o (packet_valid_o),
    .packet_ready_i (packet_ready_i),
    .packet_o       (packet_o),
    .context_valid_o(context_valid_o),
    .context_ready_i(context_ready_i),
    .context_o      (context_o)
  );

  wc_local u_local (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .begin_i      (begins),
    .reply_valid_i(reply_valid_q),
    .reply_i      (new_reply),
    .word_valid_i (icmp_valid),
    .word_first_i (icmp_first),
    .word_i       (payload.word),
    .commit_i     (is_reply),
    .abort_i      (not_reply),
    .overflow_o   (local_overflow),
    .reply_valid_o(reply_valid_o),
    .reply_ready_i(reply_ready_i),
    .reply_o      (reply_o),
    .word_valid_o (reply_word_valid_o),
    .word_ready_i (reply_word_ready_i),
    .word_o       (reply_word_o)
  );

endmodule

`default_nettype wire
