// SPDX-License-Identifier: Apache-2.0
// Takes frames from the MAC, tells where in its frame each word stands, and checks the Ethernet
// header and ARP. Never stalls. A word is in raw_o one cycle after the word came; the findings from
// a word are in the outputs one cycle after that.
// end_o is high in the cycle after a frame's last word was in raw_o. In that cycle all outputs
// speak of that frame. raw_o may hold the first word of the next frame by then, which changes the
// outputs in the cycle after.
`include "wc_assert.svh"
`default_nettype none

module wc_eth_rx (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire wc_net_pkg::station_t  us_i,
  input  wire logic [63:0]           s_axis_tdata,
  input  wire logic [7:0]            s_axis_tkeep,
  input  wire logic                  s_axis_tvalid,
  input  wire logic                  s_axis_tlast,
  input  wire logic                  s_axis_tuser,
  output wc_net_pkg::raw_t           raw_o,
  output logic                       end_o,
  output logic [11:0]                length_o,   // of the frame, in bytes
  output logic                       bad_o,      // says the MAC
  output logic                       ipv4_o,
  output logic                       arp_o,
  output logic                       mac_bad_o,  // not for us; there is a gate behind the register
  output logic                       arp_bad_o,  // not a request for our address
  output wc_net_pkg::station_t       station_o   // who sent it
);

  import wc_net_pkg::*;

  logic [5:0] at_q;  // of the word to come
  logic [7:0] index_q, raw_index_q;

  // A frame may be of any length: the count of its words stays at its end, where the length that it
  // gives is one that is dropped.
  `WC_REQUIRE(too_long_is_seen, 8 * (2 ** $bits(index_q) - 1) > MaxFrameBytes,
              "wc_eth_rx: index_q must count beyond the longest frame")
  logic [7:0] raw_keep_q;
  logic raw_last_q, raw_bad_q;
  logic [3:0] raw_bytes;
  wc_pkg::word_t word;

  assign word = raw_o.word;

  always_ff @(posedge clk_i) begin
    raw_o.valid <= s_axis_tvalid;
    if (s_axis_tvalid) begin
      raw_o.word <= s_axis_tdata;
      raw_o.at <= at_q;
      raw_keep_q <= s_axis_tkeep;
      raw_last_q <= s_axis_tlast;
      raw_bad_q <= s_axis_tuser;
      raw_index_q <= index_q;
      at_q <= s_axis_tlast ? 6'd1 : at_q << 1;
      // Stays at the end of the count, far beyond the longest frame.
      index_q <= s_axis_tlast ? '0 : index_q + 8'(index_q != '1);
    end
    if (rst_i) begin
      raw_o.valid <= 1'b0;
      at_q <= 6'd1;
      index_q <= '0;
    end
  end

  logic [5:0] other_q, single_q;  // bytes of the destination that are not ours, not a broadcast's

  assign mac_bad_o = other_q != '0 && single_q != '0;

  // tkeep has no holes.
  always_comb begin
    raw_bytes = '0;
    for (int unsigned i = 0; i < 8; i++) if (raw_keep_q[i]) raw_bytes = 4'(i + 1);
  end

  always_ff @(posedge clk_i) begin
    end_o <= raw_o.valid && raw_last_q;
    length_o <= {1'b0, raw_index_q, 3'b0} + 12'(raw_bytes);
    bad_o <= raw_bad_q;
    if (rst_i) end_o <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (raw_o.valid && raw_o.at[0]) begin
      for (int unsigned i = 0; i < 6; i++) begin
        other_q[i] <= word[8*i+:8] != us_i.mac[8*i+:8];
        single_q[i] <= word[8*i+:8] != '1;
      end
      station_o.mac[15:0] <= word[63:48];
    end
    if (raw_o.valid && raw_o.at[1]) begin
      station_o.mac[47:16] <= word[31:0];
      ipv4_o <= word[47:32] == TypeIpv4;
      arp_o <= word[47:32] == TypeArp;
      arp_bad_o <= word[63:48] != ArpEthernet;
    end
    if (raw_o.valid && raw_o.at[2]) begin
      // ARP is answered to the hardware address that the request names. That address comes in the
      // same lanes as the frame's source.
      if (arp_o) station_o.mac[15:0] <= word[63:48];
      if (word[47:0] != {ArpRequest, ArpLengths, TypeIpv4}) arp_bad_o <= 1'b1;
    end
    if (raw_o.valid && raw_o.at[3]) begin
      if (arp_o) station_o.mac[47:16] <= word[31:0];
      station_o.ip <= arp_o ? word[63:32] : word[47:16];
    end
    if (raw_o.valid && raw_o.at[4] && word[63:48] != us_i.ip[15:0]) arp_bad_o <= 1'b1;
    if (raw_o.valid && raw_o.at[5] && word[15:0] != us_i.ip[31:16]) arp_bad_o <= 1'b1;
  end

endmodule

`default_nettype wire
