// SPDX-License-Identifier: Apache-2.0
#include "host/audit.h"

#include <vector>

namespace wirecache::host {
namespace {

// How often each block of a class that was ever given out has been found.
class Tally {
 public:
  explicit Tally(const BlockPool& pool) : region_(pool.region()), found_(pool.made()) {}

  // False when it is no block of these.
  bool Find(uint64_t line) {
    if (found_.empty() || line < region_.first_line) return false;
    const uint64_t offset = line - region_.first_line;
    const uint64_t number = offset / region_.block_lines;
    if (offset % region_.block_lines != 0 || number >= found_.size()) return false;
    if (found_[number] < 2) ++found_[number];
    return true;
  }

  uint64_t Count(unsigned times) const {
    uint64_t count = 0;
    for (const uint8_t found : found_) count += found == times;
    return count;
  }

 private:
  Region region_;
  std::vector<uint8_t> found_;  // 2: or more
};

}  // namespace

Audit::Audit(Driver& driver, const Memory& memory, const std::set<uint64_t>& unwritten) {
  const MemoryManager& manager = driver.memory_manager();
  const auto settled = driver.Settle();
  std::vector<Tally> tallies;
  for (unsigned c = 0; c < kClasses; ++c) tallies.emplace_back(manager.pool(c));
  const auto find = [&](uint32_t pointer, uint64_t Blocks::* place) {
    const unsigned size_class = ClassOf(pointer);
    if (size_class < kClasses && tallies[size_class].Find(LineOf(pointer))) {
      ++(classes_[size_class].*place);
    } else {
      ++unknown_;
    }
  };

  for (unsigned c = 0; c < kClasses; ++c) {
    const BlockPool& pool = manager.pool(c);
    for (const uint32_t pointer : manager.Queued(c, settled.queued[c])) {
      find(pointer, &Blocks::queued);
    }
    for (const uint64_t line : pool.returned()) find(PointerTo(c, line), &Blocks::pool);
    classes_[c].deleted = settled.deleted[c];
    classes_[c].pool -= settled.deleted[c];
    classes_[c].unused = pool.region().blocks - pool.made();
  }

  const MemoryState state = driver.ReadMemoryState();
  retired_ =
      state.all_buckets ? unwritten.size() > state.buckets : unwritten.size() == state.buckets;
  const Circuit& circuit = driver.circuit();
  for (uint64_t bucket = 0; bucket < uint64_t{1} << driver.layout().bucket_bits; ++bucket) {
    const uint64_t header = bucket * circuit.bucket_bytes() +
                            (circuit.bucket_lines - kHeaderLines) * circuit.line_bytes();
    const bool bad = state.all_buckets || unwritten.contains(bucket);
    for (unsigned slot = 0; slot < circuit.slots; ++slot) {
      const uint64_t stripe = memory(header + sizeof(stripe) * slot);
      if (stripe >> kValidBit & 1) {
        find(static_cast<uint32_t>(stripe >> kPointerBit),
             bad ? &Blocks::out_of_use : &Blocks::table);
      }
    }
  }

  for (unsigned c = 0; c < kClasses; ++c) {
    classes_[c].lost = tallies[c].Count(0);
    classes_[c].twice = tallies[c].Count(2);
  }
  driver.GoOn();
}

uint64_t Audit::lost() const {
  uint64_t sum = 0;
  for (const Blocks& blocks : classes_) sum += blocks.lost;
  return sum;
}

uint64_t Audit::twice() const {
  uint64_t sum = 0;
  for (const Blocks& blocks : classes_) sum += blocks.twice;
  return sum;
}

uint64_t Audit::out_of_use() const {
  uint64_t sum = 0;
  for (const Blocks& blocks : classes_) sum += blocks.out_of_use;
  return sum;
}

}  // namespace wirecache::host
