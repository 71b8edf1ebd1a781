// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_H_
#define WIRECACHE_SIM_MEMORY_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "sim/memory_errors.h"
#include "sim/memory_port.h"
#include "sim/memory_timing.h"
#include "sim/sparse_memory.h"

namespace wirecache::sim {

// The board's memory: one array of bytes and one timing behind the circuit's two ports. They take
// turns in who comes first when there is room.
class Memory {
 public:
  Memory(uint64_t bytes, std::unique_ptr<MemoryTiming> timing, const MemoryErrors::Options& errors,
         const AxiSignals& index, const AxiSignals& store)
      : contents_(bytes),
        timing_(std::move(timing)),
        errors_(errors, bytes),
        index_(index, contents_, *timing_, errors_),
        store_(store, contents_, *timing_, errors_) {}

  bool Sample(uint64_t now) {
    const bool active = First(now).Sample(now);
    return Second(now).Sample(now) || active;
  }
  void Drive(uint64_t now) {
    timing_->Tick(now);
    First(now).Start(now);
    Second(now).Start(now);
    index_.Drive(now);
    store_.Drive(now);
  }

  // Memory for TCP's connections, behind all else.
  void Grow(uint64_t bytes) {
    errors_.intended().Grow(contents_.size() + bytes);
    contents_.Grow(contents_.size() + bytes);
  }

  bool busy() const { return index_.busy() || store_.busy(); }
  const SparseMemory& contents() const { return contents_; }
  MemoryErrors& errors() { return errors_; }
  const MemoryErrors& errors() const { return errors_; }
  const MemoryPort& index() const { return index_; }
  MemoryTiming& timing() { return *timing_; }
  const MemoryTiming& timing() const { return *timing_; }

 private:
  MemoryPort& First(uint64_t now) { return now % 2 ? index_ : store_; }
  MemoryPort& Second(uint64_t now) { return now % 2 ? store_ : index_; }

  SparseMemory contents_;
  std::unique_ptr<MemoryTiming> timing_;
  MemoryErrors errors_;
  MemoryPort index_;
  MemoryPort store_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_H_
