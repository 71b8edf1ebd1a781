// SPDX-License-Identifier: Apache-2.0
// Types and constants that only the network stage knows. Header fields are kept in wire order: the
// first byte on the wire is the lowest. So fields are compared, summed and sent as they came. The
// swap functions turn round the few fields that are calculated with, and the settings.
`default_nettype none

package wc_net_pkg;

  localparam int unsigned MaxFrameBytes = 14 + 20 + 8 + wc_pkg::PacketBytes;  // without FCS: 1,514
  localparam int unsigned EthernetBytes = 14;
  localparam int unsigned ArpFrameBytes = 42;
  localparam int unsigned Ipv4FrameBytes = 34;  // the shortest that holds an IPv4 header

  // Bytes of an answer in one datagram, without memcached's header: 1,400 with it, as memcached has.
  localparam int unsigned DatagramBytes = 1392;

  // The same of a host's answer. What comes behind such a datagram waits for it: it has the wire for
  // 25 cycles, a long one for 184.
  localparam int unsigned HostDatagramBytes = 128;

  // A datagram of several: its number, from 0, and how many there are.
  typedef struct packed {
    logic [15:0] number;
    logic [15:0] of;
  } numbered_t;

  // The most that a frame leaves for a request (behind UDP's header, without memcached's), and for
  // an ICMP message with its header, in words.
  localparam int unsigned RequestWords = (MaxFrameBytes - Ipv4FrameBytes - 8 + 7) / 8;
  localparam int unsigned EchoWords = (MaxFrameBytes - Ipv4FrameBytes + 7) / 8;

  // Wire order.
  localparam logic [15:0] TypeIpv4 = 16'h0008;
  localparam logic [15:0] TypeArp = 16'h0608;
  localparam logic [15:0] ArpEthernet = 16'h0100;
  localparam logic [15:0] ArpLengths = 16'h0406;  // 6 bytes of hardware address, 4 of protocol's
  localparam logic [15:0] ArpRequest = 16'h0100;
  localparam logic [15:0] ArpReply = 16'h0200;
  localparam logic [15:0] IcmpEcho = 16'h0008;  // type 8, code 0
  localparam logic [7:0] ProtocolIcmp = 8'd1;
  localparam logic [7:0] ProtocolTcp = 8'd6;
  localparam logic [7:0] ProtocolUdp = 8'd17;

  typedef logic [10:0] length_t;  // bytes of anything that fits a frame

  // The frame as it comes in, a word after the other.
  typedef struct packed {
    logic           valid;
    logic [5:0]     at;    // which of the first six words this is, one-hot; none of them: 0
    wc_pkg::word_t  word;
  } raw_t;

  // What follows the IP header, starting at a word of its own.
  typedef struct packed {
    logic           valid;
    logic           first;
    logic           second;
    wc_pkg::word_t  word;   // bytes beyond the datagram are not yet masked
  } aligned_t;

  typedef struct packed {
    wc_pkg::word_t  word;   // unused bytes are zero
    logic [3:0]     bytes;  // 1 to 8
    logic           last;
  } payload_t;

  // Whom to answer, all in wire order.
  typedef struct packed {
    logic [47:0] mac;
    logic [31:0] ip;
  } station_t;
  typedef struct packed {
    station_t    station;
    logic [15:0] port;
    logic [15:0] request_id;
  } context_t;

  // The access list, in wire order.
  typedef struct packed {
    logic [wc_pkg::AllowEntries-1:0][31:0] network;
    logic [wc_pkg::AllowEntries-1:0][31:0] mask;
  } allow_t;

  // A reply that needs no request pipeline: to ARP, or to ICMP echo with words in the buffer.
  // Likewise a segment of TCP.
  typedef struct packed {
    logic     arp;
    station_t station;
    length_t  bytes;  // ICMP: after its 8-byte header; TCP: after the first 8 bytes of its own
  } reply_t;

  // An answer datagram that is whole in the buffer.
  typedef struct packed {
    station_t    station;
    logic [15:0] port;
    length_t     bytes;  // UDP payload
  } datagram_t;

  function automatic logic [15:0] swap16(input logic [15:0] x);
    return {x[7:0], x[15:8]};
  endfunction

  function automatic logic [31:0] swap32(input logic [31:0] x);
    return {swap16(x[15:0]), swap16(x[31:16])};
  endfunction

  function automatic logic [47:0] swap48(input logic [47:0] x);
    return {swap16(x[15:0]), swap16(x[31:16]), swap16(x[47:32])};
  endfunction

endpackage

`default_nettype wire
