// SPDX-License-Identifier: Apache-2.0
// wc_tcp_rx behind the two blocks that stand before it in wc_net_rx.
`default_nettype none

module wc_tcp_rx_tb (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire wc_net_pkg::station_t  us_i,
  input  wire logic [15:0]           our_port_i,
  input  wire logic [63:0]           s_axis_tdata,
  input  wire logic [7:0]            s_axis_tkeep,
  input  wire logic                  s_axis_tvalid,
  input  wire logic                  s_axis_tlast,
  output logic                       end_o,
  output logic                       tcp_o,
  output logic                       payload_valid_o,
  output wc_net_pkg::payload_t       payload_o,
  output logic                       segment_valid_o,
  output wc_tcp_pkg::segment_t       segment_o,
  output logic                       short_bad_o,
  output logic                       port_bad_o,
  output logic                       source_bad_o,
  output logic                       sum_ok_o
);

  import wc_net_pkg::*;

  raw_t raw;
  aligned_t aligned;
  station_t station;
  logic ipv4;
  logic [15:0] length;

  wc_eth_rx u_eth (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .us_i         (us_i),
    .s_axis_tdata (s_axis_tdata),
    .s_axis_tkeep (s_axis_tkeep),
    .s_axis_tvalid(s_axis_tvalid),
    .s_axis_tlast (s_axis_tlast),
    .s_axis_tuser (1'b0),
    .raw_o        (raw),
    .end_o        (end_o),
    .length_o     (),
    .bad_o        (),
    .ipv4_o       (ipv4),
    .arp_o        (),
    .mac_bad_o    (),
    .arp_bad_o    (),
    .station_o    (station)
  );

  wc_ip_rx u_ip (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .our_ip_i     (us_i.ip),
    .raw_i        (raw),
    .end_i        (end_o),
    .ipv4_i       (ipv4),
    .aligned_o    (aligned),
    .length_o     (length),
    .needed_o     (),
    .header_bad_o (),
    .sum_ok_o     (),
    .address_bad_o(),
    .fragment_o   (),
    .udp_o        (),
    .icmp_o       (),
    .tcp_o        (tcp_o)
  );

  wc_tcp_rx u_tcp (
    .clk_i          (clk_i),
    .rst_i          (rst_i),
    .our_port_i     (our_port_i),
    .raw_i          (raw),
    .end_i          (end_o),
    .aligned_i      (aligned),
    .length_i       (length),
    .tcp_i          (tcp_o),
    .station_i      (station),
    .payload_valid_o(payload_valid_o),
    .payload_o      (payload_o),
    .segment_valid_o(segment_valid_o),
    .segment_o      (segment_o),
    .short_bad_o    (short_bad_o),
    .port_bad_o     (port_bad_o),
    .source_bad_o   (source_bad_o),
    .sum_ok_o       (sum_ok_o)
  );

endmodule

`default_nettype wire
