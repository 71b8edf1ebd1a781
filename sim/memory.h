// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_H_
#define WIRECACHE_SIM_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/memory_port.h"
#include "sim/memory_timing.h"
#include "sim/sparse_memory.h"

namespace wirecache::sim {

// The board's memory: one array of bytes and one timing behind the circuit's two ports.
class Memory {
 public:
  Memory(uint64_t bytes, std::unique_ptr<MemoryTiming> timing, const AxiSignals& index,
         const AxiSignals& store)
      : contents_(bytes),
        timing_(std::move(timing)),
        index_(index, contents_, *timing_),
        store_(store, contents_, *timing_) {}

  bool Sample(uint64_t now) {
    const bool index_active = index_.Sample(now);
    return store_.Sample(now) || index_active;
  }
  void Drive(uint64_t now) {
    timing_->Tick(now);
    index_.Drive(now);
    store_.Drive(now);
  }

  bool busy() const { return index_.busy() || store_.busy(); }
  const SparseMemory& contents() const { return contents_; }

 private:
  SparseMemory contents_;
  std::unique_ptr<MemoryTiming> timing_;
  MemoryPort index_;
  MemoryPort store_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_H_
