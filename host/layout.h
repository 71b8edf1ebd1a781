// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_LAYOUT_H_
#define WIRECACHE_HOST_LAYOUT_H_

#include <array>
#include <cstdint>

namespace wirecache::host {

inline constexpr uint64_t kLineBytes = 64;
inline constexpr unsigned kClasses = 3;
using ClassSizes = std::array<uint64_t, kClasses>;

// The part of memory that holds the value blocks of one class.
struct Region {
  uint64_t first_line = 0;
  uint64_t block_lines = 0;
  uint64_t blocks = 0;
};

// Who gets what of the board's memory: the table at the bottom, above it a region for each class.
struct Layout {
  unsigned bucket_bits = 0;
  uint64_t table_lines = 0;
  std::array<Region, kClasses> regions;
};

// What the circuit says about itself (register CONFIG).
struct Circuit {
  unsigned bucket_lines = 0;
  unsigned max_bucket_bits = 0;
  unsigned queue_entries = 0;
};

// Divides `memory_bytes`. Throws std::invalid_argument, with a message for the user, when a class
// would get no block, or when there is more memory than pointers reach.
Layout MakeLayout(uint64_t memory_bytes, const ClassSizes& block_bytes, const Circuit& circuit);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_LAYOUT_H_
