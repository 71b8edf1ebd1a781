// SPDX-License-Identifier: Apache-2.0
#include "host/memory_manager.h"

#include <algorithm>
#include <cstddef>

#include "host/register_map.h"

namespace wirecache::host {
namespace {

constexpr uint32_t kEmpty = ~uint32_t{0};
constexpr uint32_t kFirstBatch = 1024;  // of each class, before the circuit begins

}  // namespace

MemoryManager::MemoryManager(const Layout& layout, unsigned queue_entries)
    : queue_entries_(queue_entries),
      pools_{BlockPool(layout.regions[0]), BlockPool(layout.regions[1]),
             BlockPool(layout.regions[2])} {
  for (unsigned c = 0; c < kClasses; ++c) {
    Supply& supply = supplies_[c];
    supply.entries =
        static_cast<uint32_t>(std::min<uint64_t>(queue_entries, layout.regions[c].blocks));
    // A pause of the host begins with at least so many.
    supply.low = supply.entries - supply.entries / 8;
    supply.queue.resize(supply.entries);
    workers_[c] = Supplier(c);
  }
  workers_[kCollector] = Collector();
  workers_[kDispatcher] = Dispatcher();
}

std::optional<Access> MemoryManager::Next() {
  for (unsigned tried = 0; tried < kWorkers; ++tried) {
    turn_ = (turn_ + 1) % kWorkers;
    Worker& worker = workers_[turn_];
    if (worker.runnable()) worker.Resume();
    if (worker.access()) return worker.access();
  }
  return std::nullopt;
}

void MemoryManager::Stop() {
  stopped_ = true;
  workers_[kCollector].Wake();
}

void MemoryManager::GoOn() {
  stopped_ = false;
  for (unsigned c = 0; c < kClasses; ++c) {
    if (supplies_[c].starving) workers_[c].Wake();
  }
}

bool MemoryManager::primed() const {
  return std::ranges::all_of(supplies_, [](const Supply& supply) {
    return supply.pushed >= std::min(supply.entries, kFirstBatch);
  });
}

std::vector<uint32_t> MemoryManager::Queued(unsigned size_class, uint64_t level) const {
  const Supply& supply = supplies_[size_class];
  std::vector<uint32_t> pointers;
  for (uint64_t i = supply.pushed - std::min(level, supply.pushed); i < supply.pushed; ++i) {
    pointers.push_back(supply.queue[i % supply.queue.size()]);
  }
  return pointers;
}

// Its threshold is set only while it sleeps on it: irq_o is never high for one that is at work.
Worker MemoryManager::Supplier(unsigned size_class) {
  const uint32_t threshold = WC_INDEX_ADDRESS_OF(FREE_LOW, size_class);
  Supply& supply = supplies_[size_class];
  BlockPool& pool = pools_[size_class];
  for (;;) {
    const uint32_t level = co_await Read{WC_INDEX_ADDRESS_OF(FREE_LEVEL, size_class)};
    if (level >= supply.low) {
      co_await Write{threshold, supply.low};
      co_await Sleep{};
      co_await Write{threshold, 0};
      continue;
    }
    for (uint32_t room = supply.entries - level; room > 0; --room) {
      while (stopped_ || pool.available() == 0) {
        supply.starving = true;
        workers_[kCollector].Wake();
        co_await Sleep{};
      }
      supply.starving = false;
      const uint32_t pointer = PointerTo(size_class, *pool.Take());
      co_await Write{WC_INDEX_ADDRESS_OF(FREE_PUSH, size_class), pointer};
      supply.queue[supply.pushed++ % supply.queue.size()] = pointer;
    }
  }
}

Worker MemoryManager::Collector() {
  const uint32_t threshold = WC_INDEX_ADDRESS(DELETED_HIGH);
  for (;;) {
    co_await Write{threshold, 0};
    for (;;) {
      const uint32_t pointer = co_await Read{WC_INDEX_ADDRESS(DELETED_POP)};
      if (pointer == kEmpty) break;
      Take(pointer);
    }
    const uint32_t wanted = DeletedThreshold();
    co_await Write{threshold, wanted};
    // Unless a supplier has begun to starve meanwhile.
    if (wanted == DeletedThreshold()) co_await Sleep{};
  }
}

Worker MemoryManager::Dispatcher() {
  for (;;) {
    co_await Sleep{};
    const uint32_t status = co_await Read{WC_INDEX_ADDRESS(INDEX_STATUS)};
    for (unsigned c = 0; c < kClasses; ++c) {
      if (WC_INDEX_FIELD(status, INDEX_STATUS, FREE_LOW) >> c & 1) workers_[c].Wake();
    }
    if (WC_INDEX_FIELD(status, INDEX_STATUS, DELETED_HIGH)) workers_[kCollector].Wake();
  }
}

void MemoryManager::Take(uint32_t pointer) {
  const unsigned size_class = ClassOf(pointer);
  if (size_class >= kClasses || !pools_[size_class].Give(LineOf(pointer))) {
    ++bad_pointers_;
    return;
  }
  Supply& supply = supplies_[size_class];
  ++supply.collected;
  if (supply.starving) workers_[size_class].Wake();
}

// A class without blocks gets back what is deleted at once.
uint32_t MemoryManager::DeletedThreshold() const {
  const bool starving =
      std::ranges::any_of(supplies_, [](const Supply& supply) { return supply.starving; });
  return starving ? 1 : queue_entries_ / 4;
}

}  // namespace wirecache::host
