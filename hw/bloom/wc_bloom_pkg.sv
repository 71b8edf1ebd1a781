// SPDX-License-Identifier: Apache-2.0
// What is asked of a Bloom filter, and the hashes of its slices.
`default_nettype none

package wc_bloom_pkg;

  typedef enum logic [1:0] {
    BloomAsk,    // may the key be there?
    BloomAdd,
    BloomRemove  // a key that was added, as often as it was at most
  } op_e;

  // The hash of a slice is the sum, without carries, of the lower half of the key's hash and twice
  // the upper one, each turned up by a number of bits of the slice's own. Sums of two halves as
  // Kirsch and Mitzenmacher make them (h1 + i * h2) tell too many keys together in small filters
  // (README.md).
  localparam int unsigned MostSlices = 32;

  function automatic logic [31:0] turned(logic [31:0] half, int unsigned bits);
    return half << (bits % 32) | half >> ((32 - bits % 32) % 32);
  endfunction

  function automatic logic [31:0] slice_hash(wc_pkg::hash_t hash, int unsigned slice);
    return turned(hash[31:0], 7 * slice) ^ turned(hash[63:32], 11 * slice + 5)
           ^ turned(hash[63:32], 13 * slice + 17);
  endfunction

endpackage

`default_nettype wire
