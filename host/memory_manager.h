// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_MEMORY_MANAGER_H_
#define WIRECACHE_HOST_MEMORY_MANAGER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/block_pool.h"
#include "host/layout.h"
#include "host/registers.h"
#include "host/worker.h"

namespace wirecache::host {

// The queues of block addresses that stretch from the host to the circuit (TRETS'15, Figure 8): a
// worker for each. A supplier moves the addresses of one class from their pool to the circuit, the
// collector distributes deleted ones to the pools, and the dispatcher wakes those whom an interrupt
// concerns. Workers wait for registers and for each other; this class runs them in turns, one
// register access each.
class MemoryManager {
 public:
  MemoryManager(const Layout& layout, unsigned queue_entries);
  MemoryManager(const MemoryManager&) = delete;  // the workers know where it is
  MemoryManager& operator=(const MemoryManager&) = delete;

  // irq_o is high.
  void Interrupt() { workers_[kDispatcher].Wake(); }
  // The next register access; none when all sleep. It must be carried out and Done before another.
  std::optional<Access> Next();
  void Done(uint32_t value) { workers_[turn_].Resume(value); }

  // Those who run workers otherwise find them here.
  std::span<Worker> workers() { return workers_; }

  // Nothing more is given out, what is in the deleted queue is still taken; until GoOn. For audits.
  void Stop();
  void GoOn();

  // Enough has been given out for the circuit to begin.
  bool primed() const;
  const BlockPool& pool(unsigned size_class) const { return pools_[size_class]; }
  // The pointers that a class's queue holds when its level is this: those that went there last.
  std::vector<uint32_t> Queued(unsigned size_class, uint64_t level) const;
  // Pointers to blocks of a class that were given out and have not come back.
  uint64_t out(unsigned size_class) const {
    return supplies_[size_class].pushed - supplies_[size_class].collected;
  }
  // Pointers to blocks of a class that have come back.
  uint64_t collected(unsigned size_class) const { return supplies_[size_class].collected; }
  // Pointers that came back but were never given out. Not zero is an error of the circuit.
  uint64_t bad_pointers() const { return bad_pointers_; }

 private:
  static constexpr unsigned kCollector = kClasses;
  static constexpr unsigned kDispatcher = kClasses + 1;
  static constexpr unsigned kWorkers = kClasses + 2;

  // One class's side of things.
  struct Supply {
    uint32_t entries = 0;         // wanted in its queue: a queue's worth, or all blocks
    uint32_t low = 0;             // fewer are too few
    bool starving = false;        // its supplier waits for the pool
    uint64_t pushed = 0;          // pointers given out
    uint64_t collected = 0;       // and come back
    std::vector<uint32_t> queue;  // a ring of the last of them
  };

  Worker Supplier(unsigned size_class);
  Worker Collector();
  Worker Dispatcher();
  void Take(uint32_t pointer);
  uint32_t DeletedThreshold() const;

  uint32_t queue_entries_;
  std::array<BlockPool, kClasses> pools_;
  std::array<Supply, kClasses> supplies_;
  uint64_t bad_pointers_ = 0;
  bool stopped_ = false;
  unsigned turn_ = 0;
  std::array<Worker, kWorkers> workers_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_MEMORY_MANAGER_H_
