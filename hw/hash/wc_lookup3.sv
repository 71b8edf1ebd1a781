// SPDX-License-Identifier: Apache-2.0
// One hash unit: lookup3, as Jenkins' hashlittle2 gives it for a key, its length and the seed:
// c, which is hashlittle, is the lower half, b the upper.
// Takes one length, then the words it stands for; a hash holds until taken. Another hash function
// needs only these ports. Latency from the length 13 to 15 cycles for a key of up to 12 bytes, and
// one such key every 9 cycles; 6 more for each further 12 bytes.
`include "wc_assert.svh"
`default_nettype none

module wc_lookup3 (
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

  logic [31:0] start_q, init_q;
  logic chunk_valid, chunk_ready, chunk_first, chunk_last;
  logic [2:0][31:0] chunk;
  logic state_valid, state_ready;
  logic [2:0][31:0] state;

  always_ff @(posedge clk_i) begin
    start_q <= seed_i + 32'hDEAD_BEEF;
    if (length_ready_o) init_q <= start_q + 32'(length_i);
  end

  wc_lookup3_chunk u_chunk (
    .clk_i         (clk_i),
    .rst_i         (rst_i),
    .length_valid_i(length_valid_i),
    .length_ready_o(length_ready_o),
    .length_i      (length_i),
    .key_valid_i   (key_valid_i),
    .key_ready_o   (key_ready_o),
    .key_i         (key_i),
    .chunk_valid_o (chunk_valid),
    .chunk_ready_i (chunk_ready),
    .chunk_o       (chunk),
    .chunk_first_o (chunk_first),
    .chunk_last_o  (chunk_last)
  );

  wc_lookup3_mix u_mix (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .init_i       (init_q),
    .chunk_valid_i(chunk_valid),
    .chunk_ready_o(chunk_ready),
    .chunk_i      (chunk),
    .chunk_first_i(chunk_first),
    .chunk_last_i (chunk_last),
    .state_valid_o(state_valid),
    .state_ready_i(state_ready),
    .state_o      (state)
  );

  wc_lookup3_final u_final (
    .clk_i        (clk_i),
    .rst_i        (rst_i),
    .state_valid_i(state_valid),
    .state_ready_o(state_ready),
    .state_i      (state),
    .hash_valid_o (hash_valid_o),
    .hash_ready_i (hash_ready_i),
    .hash_o       (hash_o)
  );

  `WC_ASSERT_STREAM(hash, hash_valid_o, hash_ready_i, hash_o)
  `WC_ASSERT(length_not_zero, !length_valid_i || length_i != '0)

endmodule

`default_nettype wire
