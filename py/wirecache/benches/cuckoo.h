// SPDX-License-Identifier: Apache-2.0
// Where a key may be in a cuckoo table: Cho and Choi, "An FPGA Implementation of High-Throughput
// Key-Value Store Using Bloom Filter", section 3 and Figure 5. What an entry keeps of its key, the
// signature, tells the key's next place. The rule is that of py/wirecache/model/cuckoo.py.
#ifndef WIRECACHE_BENCHES_CUCKOO_H_
#define WIRECACHE_BENCHES_CUCKOO_H_

#include <array>
#include <cstdint>

namespace wirecache {

constexpr unsigned kMostWays = 4, kMostSlots = 8;

struct Candidate {
  uint64_t place;
  uint32_t signature;
};

struct Shape {
  unsigned place_bits, ways, slots, signature_bits;

  [[nodiscard]] uint64_t entries() const { return uint64_t{slots} << place_bits; }

  [[nodiscard]] Candidate First(uint64_t hash) const {
    const unsigned tail_bits = signature_bits - place_bits;
    const uint64_t mask = (uint64_t{1} << place_bits) - 1;
    const uint64_t tail = tail_bits == 0 ? 0 : hash >> (64 - tail_bits);
    uint64_t step = 0;
    if (ways > 1) {
      step = (hash >> 32 & mask) | 1;
      if (ways == 4) step &= ~uint64_t{2};
    }
    const uint64_t place = hash & mask;
    return {.place = place,
            .signature = static_cast<uint32_t>(tail << place_bits | (place ^ step))};
  }

  [[nodiscard]] Candidate Next(const Candidate& at) const {
    const uint64_t to = at.signature & ((uint64_t{1} << place_bits) - 1);
    uint64_t step = at.place ^ to;
    if (ways == 4) step = Exchanged(step);
    return {.place = to, .signature = static_cast<uint32_t>(at.signature ^ step)};
  }

  // The first `ways` are those of the key.
  [[nodiscard]] std::array<Candidate, kMostWays> Candidates(uint64_t hash) const {
    std::array<Candidate, kMostWays> candidates{First(hash)};
    for (unsigned i = 1; i < ways; i++) candidates[i] = Next(candidates[i - 1]);
    return candidates;
  }

 private:
  [[nodiscard]] uint64_t Exchanged(uint64_t step) const {
    const uint64_t pairs = (uint64_t{1} << (place_bits & ~1u)) - 1, lower = pairs / 3;
    return (step & lower) << 1 | (step >> 1 & lower) | (step & ~pairs);
  }
};

}  // namespace wirecache

#endif  // WIRECACHE_BENCHES_CUCKOO_H_
