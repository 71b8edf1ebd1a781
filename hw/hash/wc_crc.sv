// SPDX-License-Identifier: Apache-2.0
// One hash unit: CRC-32 (IEEE 802.3) of a key, zeros filled up to whole 64-bit words, and above it
// the CRC-32C of the same; the seed goes before both as the CRC of earlier data would, so seed 0
// gives the CRCs as everybody knows them.
// Latency 1 from the last word; 64 bits a cycle, and one more a key. A hash holds until taken.
`include "wc_assert.svh"
`default_nettype none

module wc_crc (
  input  wire logic              clk_i,
  input  wire logic              rst_i,
  input  wire logic [31:0]       seed_i,
  input  wire logic              length_valid_i,
  output logic                   length_ready_o,
  input  wire wc_pkg::key_len_t  length_i,
  input  wire logic              key_valid_i,
  output logic                   key_ready_o,
  input  wire wc_pkg::beat_t     key_i,
  output logic                   hash_valid_o,
  input  wire logic              hash_ready_i,
  output wc_pkg::hash_t          hash_o
);

  logic [1:0][31:0] state_q, state_d;
  logic inside_q;  // words of a key are through, but not its last
  logic take;

  assign length_ready_o = 1'b1;
  logic unused;
  assign unused = ^{length_valid_i, length_i};

  assign key_ready_o = !hash_valid_o;
  assign take = key_valid_i && key_ready_o;
  assign hash_o = ~state_q;

  assign state_d = wc_crc_pkg::crcs(state_q, key_i.data);

  always_ff @(posedge clk_i) begin
    if (hash_ready_i) hash_valid_o <= 1'b0;
    if (take) begin
      state_q <= state_d;
      inside_q <= !key_i.last;
      hash_valid_o <= key_i.last;
    end else if (!inside_q && (!hash_valid_o || hash_ready_i)) begin
      state_q <= ~{2{seed_i}};
    end
    if (rst_i) begin
      inside_q <= 1'b0;
      hash_valid_o <= 1'b0;
    end
  end

  `WC_ASSERT_STREAM(hash, hash_valid_o, hash_ready_i, hash_o)

endmodule

`default_nettype wire
