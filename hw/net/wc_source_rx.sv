// SPDX-License-Identifier: Apache-2.0
// Says of the sender of a frame whether it may be answered at all, and whether it is on the access
// list. An answer to a group, to nobody or to ourselves would reach many stations, or come back to
// us as a request, for ever. The access list is a row of networks, compared all at a time.
// Never stalls. Two registers: what is found out about station_i is in the outputs 2 cycles later.
`default_nettype none

module wc_source_rx (
  input  wire logic                  clk_i,
  input  wire wc_net_pkg::station_t  us_i,
  input  wire wc_net_pkg::allow_t    allow_i,
  input  wire wc_net_pkg::station_t  station_i,  // whom an answer would go to
  input  wire logic                  arp_i,      // the frame is ARP's
  output logic                       bad_o,      // must not be answered
  output logic                       denied_o    // is on no entry of the access list
);

  import wc_net_pkg::*;
  import wc_pkg::AllowEntries;

  localparam logic [7:0] ThisNetwork = 8'd0;    // 0/8
  localparam logic [7:0] Loopback = 8'd127;     // 127/8
  localparam logic [7:0] Multicast = 8'd224;    // 224/4, and above it what is reserved: 240/4

  // ---- addresses that stand for no single host --------------------------------------------------
  // A byte at a time first, then all of them together.
  logic [5:0] mac_other_q, mac_some_q;  // bytes that are not ours, that are not zero
  logic [3:0] ip_other_q, ip_some_q;
  logic group_q, network_q, arp_q;
  logic [7:0] first;  // byte of the IPv4 address on the wire

  assign first = station_i.ip[7:0];

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < 6; i++) begin
      mac_other_q[i] <= station_i.mac[8*i+:8] != us_i.mac[8*i+:8];
      mac_some_q[i] <= station_i.mac[8*i+:8] != '0;
    end
    for (int unsigned i = 0; i < 4; i++) begin
      ip_other_q[i] <= station_i.ip[8*i+:8] != us_i.ip[8*i+:8];
      ip_some_q[i] <= station_i.ip[8*i+:8] != '0;
    end
    group_q <= station_i.mac[0];
    network_q <= first == ThisNetwork || first == Loopback || first >= Multicast;
    arp_q <= arp_i;
    // A station that looks whether an address is free asks by ARP from 0.0.0.0 (RFC 5227).
    bad_o <= group_q || mac_other_q == '0 || mac_some_q == '0 || ip_other_q == '0 ||
             (network_q && !(arp_q && ip_some_q == '0));
  end

  // ---- access list ------------------------------------------------------------------------------
  logic [AllowEntries-1:0][3:0] match_q;  // by entry and byte
  logic [AllowEntries-1:0] taken_in;

  for (genvar n = 0; n < AllowEntries; n++) begin : gen_entry
    always_ff @(posedge clk_i) begin
      for (int unsigned i = 0; i < 4; i++) begin
        match_q[n][i] <= (station_i.ip[8*i+:8] & allow_i.mask[n][8*i+:8])
                         == allow_i.network[n][8*i+:8];
      end
    end
    assign taken_in[n] = &match_q[n];
  end

  always_ff @(posedge clk_i) denied_o <= taken_in == '0;

endmodule

`default_nettype wire
