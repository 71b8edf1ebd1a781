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

  // Bits reversed, as the CRC takes them.
  localparam logic [31:0] Ieee = 32'hEDB8_8320;
  localparam logic [31:0] Castagnoli = 32'h82F6_3B78;

  // Which bits of a word, the state already added to its lower half, make up each bit of the next
  // state. Written out as sums, so that no tool has to find them in 64 shifts.
  typedef logic [31:0][63:0] sums_t;

  function automatic sums_t sums(logic [31:0] polynomial);
    sums_t result;
    logic [31:0] state;
    for (int unsigned bit_in = 0; bit_in < 64; bit_in++) begin
      state = bit_in < 32 ? 32'd1 << bit_in : '0;
      for (int unsigned i = 0; i < 64; i++) begin
        state = {1'b0, state[31:1]} ^ (state[0] ^ (bit_in >= 32 && i == bit_in) ? polynomial : '0);
      end
      for (int unsigned i = 0; i < 32; i++) result[i][bit_in] = state[i];
    end
    return result;
  endfunction

  localparam sums_t [1:0] Sums = {sums(Castagnoli), sums(Ieee)};

  logic [1:0][31:0] state_q, state_d;
  logic inside_q;  // words of a key are through, but not its last
  logic take;

  assign length_ready_o = 1'b1;
  logic unused;
  assign unused = ^{length_valid_i, length_i};

  assign key_ready_o = !hash_valid_o;
  assign take = key_valid_i && key_ready_o;
  assign hash_o = ~state_q;

  always_comb begin
    for (int unsigned half = 0; half < 2; half++) begin
      for (int unsigned i = 0; i < 32; i++) begin
        state_d[half][i] = ^(Sums[half][i] &
                             {key_i.data[63:32], key_i.data[31:0] ^ state_q[half]});
      end
    end
  end

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
