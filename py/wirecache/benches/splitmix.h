// SPDX-License-Identifier: Apache-2.0
// Random numbers of the benches in C++, the same from the same seed everywhere.
#ifndef WIRECACHE_BENCHES_SPLITMIX_H_
#define WIRECACHE_BENCHES_SPLITMIX_H_

#include <cstdint>

namespace wirecache {

// splitmix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t operator()() {
    uint64_t x = state_ += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }

 private:
  uint64_t state_;
};

}  // namespace wirecache

#endif  // WIRECACHE_BENCHES_SPLITMIX_H_
