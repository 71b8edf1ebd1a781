// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_LAYOUT_H_
#define WIRECACHE_HOST_LAYOUT_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "wc_layout.h"

namespace wirecache::host {

// What the user wants of a class of value blocks.
struct BlockClass {
  uint64_t bytes = 0;
  uint64_t share = 1;  // of the memory for values, in proportion to the others
};
using BlockClasses = std::vector<BlockClass>;  // 1 to kClasses, the smallest first

// The part of memory that holds the value blocks of one class. A class that is not used has none.
struct Region {
  uint64_t first_line = 0;
  uint64_t block_lines = 0;
  uint64_t blocks = 0;
};

// Who gets what of the board's memory: the table at the bottom, so that its lines and bursts are
// aligned whatever their size, above it a region for each class.
struct Layout {
  unsigned bucket_bits = 0;
  uint64_t table_bytes = 0;
  std::array<Region, kClasses> regions;
};

// The parts of a pointer to a value block.
constexpr uint32_t PointerTo(unsigned size_class, uint64_t line) {
  return size_class << kClassBit | static_cast<uint32_t>(line) << kLineBit;
}
constexpr unsigned ClassOf(uint32_t pointer) {
  return pointer >> kClassBit & ((1u << kClassBits) - 1);
}
constexpr uint64_t LineOf(uint32_t pointer) {
  return pointer >> kLineBit & ((uint32_t{1} << kLineBits) - 1);
}

// Where items stand (wc_pkg::index_e).
enum class IndexKind : unsigned { kBucket = 0, kItem = 1 };

// What hashes the keys (wc_pkg::hash_e).
enum class HashKind : unsigned { kLookup3 = 0, kMultiplicative = 1, kCrc = 2 };

// What the circuit says about itself (register CONFIG). What follows hash is of the bucket index
// (INDEX_CONFIG).
struct Circuit {
  IndexKind index = IndexKind::kBucket;
  HashKind hash = HashKind::kLookup3;
  unsigned item_bits = 20;  // the largest item has 2^item_bits bytes at most (ITEM_SIZE_MAX)
  unsigned ways = 1;        // buckets in which a key of the item index may be
  unsigned slots = 0;
  unsigned bucket_lines = 0;  // of 8 bytes a slot
  unsigned max_bucket_bits = 0;
  unsigned queue_entries = 0;
  bool tcp = false;
  unsigned connections = 0;  // of TCP
  unsigned beat_units = 0;   // that the host may read of memory at a time; 0: none
  unsigned ring_bits = 0;    // a connection has 2^ring_bits bytes of memory each way

  uint64_t ring_bytes() const { return uint64_t{1} << ring_bits; }
  // Where the rings begin, behind so much memory: at a multiple of a ring and of 1 MiB.
  uint64_t tcp_base(uint64_t memory_bytes) const {
    const uint64_t step = std::max(ring_bytes(), uint64_t{1} << 20);
    return (memory_bytes + step - 1) / step * step;
  }
  // What TCP takes behind `memory_bytes`.
  uint64_t tcp_memory_bytes(uint64_t memory_bytes) const {
    return tcp ? tcp_base(memory_bytes) - memory_bytes + 2 * connections * ring_bytes() : 0;
  }
  uint64_t line_bytes() const { return uint64_t{8} * slots; }
  uint64_t bucket_bytes() const { return line_bytes() * bucket_lines; }
};

// Divides `memory_bytes`. Throws std::invalid_argument, with a message for the user, when classes
// make no sense, when one would get no block, or when there is more memory than pointers reach.
Layout MakeLayout(uint64_t memory_bytes, const BlockClasses& classes, const Circuit& circuit);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_LAYOUT_H_
