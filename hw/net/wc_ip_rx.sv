// SPDX-License-Identifier: Apache-2.0
// Checks the IPv4 header and moves the header's payload to word boundaries. Behind 14 bytes of
// Ethernet and 20 + 4k of IPv4 the payload starts at byte 2 (k even) or 6 (k odd) of a word,
// whatever the options are.
// Never stalls. An aligned word needs bytes of two words of the frame, and leaves when the second
// of them is in raw_i; the last one of a frame leaves in end_i, so no cycle is lost when the next
// frame follows at once. The other outputs change one cycle after the word that they come from.
`default_nettype none

module wc_ip_rx (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic [31:0]           our_ip_i,
  input  wire wc_net_pkg::raw_t      raw_i,
  input  wire logic                  end_i,
  input  wire logic                  ipv4_i,
  output wc_net_pkg::aligned_t       aligned_o,
  output logic [15:0]                length_o,    // bytes after the header; two cycles after word 2
  output logic [16:0]                needed_o,    // frame length that the header promises
  output logic                       header_bad_o,  // all but the checksum
  output logic                       sum_ok_o,    // 2 cycles after the last word of the header
  output logic                       address_bad_o,
  output logic                       fragment_o,
  output logic                       udp_o,
  output logic                       icmp_o,
  output logic                       tcp_o
);

  import wc_net_pkg::*;

  wc_pkg::word_t word;
  logic [3:0] ihl_q;
  logic [2:0] skip_q;  // whole words of options yet to come: 5 at most, of 40 bytes
  logic version_bad_q;
  logic odd_q;         // starts at byte 6 of its word, not 2
  logic [15:0] total_q;
  logic length_negative_q;
  logic past;          // raw_i is word 4 or a later one
  logic past_q;
  logic begins_q;      // the header ends in the word behind the last valid one
  logic inside_q;      // behind the header
  logic first_q, second_q;
  logic [63:16] previous_q;

  assign word = raw_i.word;

  // ---- fields --------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (raw_i.valid && raw_i.at[1]) begin
      ihl_q <= word[51:48];
      version_bad_q <= (word[55:52] != 4'd4) || (word[51:48] < 4'd5);
      odd_q <= !word[48];
    end
    if (raw_i.valid && raw_i.at[2]) begin
      total_q <= swap16(word[15:0]);
      needed_o <= 17'(swap16(word[15:0])) + 17'(EthernetBytes);
      fragment_o <= word[37] || (word[36:32] != '0) || (word[47:40] != '0);  // MF, offset
      udp_o <= ipv4_i && (word[63:56] == ProtocolUdp);
      icmp_o <= ipv4_i && (word[63:56] == ProtocolIcmp);
      tcp_o <= ipv4_i && (word[63:56] == ProtocolTcp);
    end
    {length_negative_q, length_o} <= 17'(total_q) - 17'({ihl_q, 2'b0});
    if (raw_i.valid && raw_i.at[3]) address_bad_o <= word[63:48] != our_ip_i[15:0];
    if (raw_i.valid && raw_i.at[4] && word[15:0] != our_ip_i[31:16]) address_bad_o <= 1'b1;
  end

  assign header_bad_o = version_bad_q || length_negative_q;

  // ---- where the header ends -------------------------------------------------------------------
  assign past = raw_i.at[4] || past_q;

  // Worked out with the word before, as the checksum hangs on it.
  always_ff @(posedge clk_i) begin
    if (end_i) begin
      begins_q <= 1'b0;
    end else if (raw_i.valid) begin
      begins_q <= raw_i.at[3] ? skip_q == '0 : past && skip_q == 3'd1;
    end
    if (rst_i) begins_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (end_i) past_q <= 1'b0;
    else if (raw_i.valid) past_q <= past;
    if (raw_i.valid) begin
      if (raw_i.at[1]) skip_q <= 3'((word[51:48] - 4'd5) >> 1);
      else if (past && skip_q != '0) skip_q <= skip_q - 1'b1;
      previous_q <= word[63:16];
    end
    if (end_i) begin
      inside_q <= 1'b0;
    end else if (raw_i.valid && begins_q && ipv4_i) begin
      inside_q <= 1'b1;
      first_q <= 1'b1;
      second_q <= 1'b0;
    end
    if (aligned_o.valid) begin
      first_q <= 1'b0;
      second_q <= first_q;
    end
    if (rst_i) begin
      past_q <= 1'b0;
      inside_q <= 1'b0;
    end
  end

  assign aligned_o.valid = inside_q && (raw_i.valid || end_i);
  assign aligned_o.first = first_q;
  assign aligned_o.second = second_q;
  assign aligned_o.word = odd_q ? {word[47:0], previous_q[63:48]} : {word[15:0], previous_q[63:16]};

  // ---- checksum --------------------------------------------------------------------------------
  logic [3:0] lanes;  // 16-bit fields of raw_i that belong to the header
  wc_pkg::word_t masked;

  always_comb begin
    lanes = '1;
    if (raw_i.at[1]) lanes = 4'b1000;
    else if (begins_q) lanes = odd_q ? 4'b0111 : 4'b0001;
    for (int unsigned i = 0; i < 4; i++) masked[16*i+:16] = word[16*i+:16] & {16{lanes[i]}};
  end

  wc_checksum u_checksum (
    .clk_i  (clk_i),
    .valid_i(raw_i.valid && !raw_i.at[0] && !inside_q),
    .first_i(raw_i.at[1]),
    .word_i (masked),
    .ok_o   (sum_ok_o),
    .sum_o  ()
  );

endmodule

`default_nettype wire
