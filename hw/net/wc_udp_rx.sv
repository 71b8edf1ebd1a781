// SPDX-License-Identifier: Apache-2.0
// Checks what an IPv4 packet carries: UDP with memcached's frame header, or ICMP. Cuts the packet
// to the length that its header states and hands on the payload (for ICMP the header too).
// Never stalls. Payload and context leave one cycle after their words were in aligned_i. The
// findings from a word are in the outputs one cycle after the word, sum_ok_o three cycles after.
`include "wc_assert.svh"
`default_nettype none

module wc_udp_rx (
  input  wire logic                  clk_i,
  input  wire logic                  rst_i,
  input  wire logic [15:0]           our_port_i,
  input  wire logic                  frame_header_i,
  input  wire wc_net_pkg::raw_t      raw_i,
  input  wire wc_net_pkg::aligned_t  aligned_i,
  input  wire logic [15:0]           length_i,      // of the IP packet without its header
  input  wire logic                  udp_i,
  input  wire logic                  icmp_i,
  input  wire wc_net_pkg::station_t  station_i,
  output logic                       udp_valid_o,   // payload_o is a word of a request
  output logic                       icmp_valid_o,  // payload_o is a word of an ICMP message
  output logic                       icmp_first_o,  // its header
  output wc_net_pkg::payload_t       payload_o,
  output logic                       context_valid_o,
  output wc_net_pkg::context_t       context_o,
  output logic                       icmp_bad_o,    // all but the checksum
  output logic                       port_bad_o,
  output logic                       length_bad_o,
  output logic                       header_bad_o,
  output logic                       source_bad_o,  // from a port that must not be answered; the
                                                    // other findings are there a cycle earlier
  output logic                       sum_given_o,
  output logic                       sum_ok_o
);

  import wc_net_pkg::*;

  localparam logic [15:0] HeaderBytes = 16'd8;  // UDP, and ICMP echo

  wc_pkg::word_t word;

  assign word = aligned_i.word;

  // ---- how much is left -------------------------------------------------------------------------
  // The payload ends where UDP's own length says, which may be before IP's end. Only as many bits
  // of the length are used as a frame's length has: a packet with a longer length, or with one that
  // is shorter than a header, is dropped, and its words with it. The registers hold what the next
  // word needs.
  `WC_REQUIRE(size, MaxFrameBytes < 2 ** $bits(length_t),
              "wc_udp_rx: length_t must hold the longest frame")
  length_t size;
  logic [7:0] words_q;           // whole words left
  logic [2:0] rest_q;            // bytes after them
  logic some_q, full_q, last_q;  // the word holds a byte, holds eight, and nothing comes after it

  assign size = length_t'(udp_i ? swap16(word[47:32]) : length_i);

  always_ff @(posedge clk_i) begin
    if (aligned_i.valid && aligned_i.first) begin
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

  // ---- payload, and words for the checksum ------------------------------------------------------
  // The pseudo header costs no cycle: the addresses are summed as words 3 and 4 of the frame pass
  // by, before any aligned word can come. The UDP length counts twice, once for the header and once
  // for the pseudo header. So the length is summed in the place of the destination port too, and
  // the port with word 4: its value is known, as datagrams to other ports are dropped.
  logic [7:0] mask;
  logic pseudo, sum_valid_q, sum_first_q;

  assign pseudo = raw_i.valid && (raw_i.at[3] || raw_i.at[4]);

  always_comb begin
    for (int unsigned i = 0; i < 8; i++) begin
      mask[i] = aligned_i.first || full_q || (32'(rest_q) > i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (aligned_i.valid) begin
      for (int unsigned i = 0; i < 8; i++) payload_o.word[8*i+:8] <= word[8*i+:8] & {8{mask[i]}};
      if (aligned_i.first && udp_i) payload_o.word[31:16] <= word[47:32];
    end else if (!udp_i) begin
      payload_o.word <= '0;
    end else if (raw_i.at[3]) begin
      payload_o.word <= {raw_i.word[63:16], ProtocolUdp, 8'd0};
    end else begin
      payload_o.word <= {32'd0, our_port_i, raw_i.word[15:0]};
    end
    payload_o.bytes <= full_q ? 4'd8 : {1'b0, rest_q};
    payload_o.last <= last_q;
    udp_valid_o <= aligned_i.valid && udp_i && !aligned_i.first && some_q
                   && !(aligned_i.second && frame_header_i);
    icmp_valid_o <= aligned_i.valid && icmp_i && (aligned_i.first || some_q);
    icmp_first_o <= aligned_i.first;
    sum_valid_q <= aligned_i.valid || pseudo;
    sum_first_q <= pseudo && raw_i.at[3];
    if (rst_i) begin
      udp_valid_o <= 1'b0;
      icmp_valid_o <= 1'b0;
    end
  end

  wc_checksum u_checksum (
    .clk_i  (clk_i),
    .valid_i(sum_valid_q),
    .first_i(sum_first_q),
    .word_i (payload_o.word),
    .ok_o   (sum_ok_o),
    .sum_o  ()
  );

  // ---- headers ----------------------------------------------------------------------------------
  wc_pkg::word_t header_q;  // of UDP: source port, destination port, length, checksum
  logic frame_header_bad_q;
  logic [15:0] udp_length, shortest;
  logic too_short;

  always_ff @(posedge clk_i) begin
    if (aligned_i.valid && aligned_i.first) header_q <= word;
    if (aligned_i.valid && aligned_i.second) begin
      // Request id, then sequence number 0 of 1 datagram; memcached ignores the last two bytes.
      frame_header_bad_q <= (word[31:16] != 16'd0) || (swap16(word[47:32]) != 16'd1);
    end
  end

  assign udp_length = swap16(header_q[47:32]);
  // At least one byte must be left for the parser.
  assign shortest = frame_header_i ? 16'd17 : 16'd9;
  assign too_short = length_i < HeaderBytes;

  assign icmp_bad_o = too_short || (header_q[15:0] != IcmpEcho);
  assign port_bad_o = !too_short && (header_q[31:16] != our_port_i);
  assign length_bad_o = too_short || (udp_length < shortest) || (udp_length > length_i);
  assign header_bad_o = frame_header_i && frame_header_bad_q;
  assign sum_given_o = header_q[63:48] != '0;

  always_ff @(posedge clk_i) begin
    context_valid_o <= aligned_i.valid && aligned_i.second && udp_i;
    context_o <= '{station: station_i, port: header_q[15:0], request_id: word[15:0]};
    // Port 0 is nobody's, and our own may be that of a board that would answer the answer.
    source_bad_o <= header_q[15:0] == '0 || header_q[15:0] == our_port_i;
    if (rst_i) context_valid_o <= 1'b0;
  end

endmodule

`default_nettype wire
