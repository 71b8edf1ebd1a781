// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3) and CRC-32C (Castagnoli) of words of 64 bits, bits reversed as the CRCs take
// them: both at once, the first in the lower half.
`default_nettype none

package wc_crc_pkg;

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

  // The states behind a word.
  function automatic logic [1:0][31:0] crcs(logic [1:0][31:0] states, logic [63:0] word);
    for (int unsigned half = 0; half < 2; half++) begin
      for (int unsigned i = 0; i < 32; i++) begin
        crcs[half][i] = ^(Sums[half][i] & {word[63:32], word[31:0] ^ states[half]});
      end
    end
  endfunction

endpackage

`default_nettype wire
