// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_TIMING_H_
#define WIRECACHE_SIM_MEMORY_TIMING_H_

#include <cstdint>

namespace wirecache::sim {

inline constexpr uint64_t kNotYet = ~uint64_t{0};

// One line on its way to or from the memory.
struct MemoryAccess {
  uint64_t address = 0;
  bool write = false;
  uint64_t ready = kNotYet;  // cycle from which on it is done: data may be given, write answered
};

// Decides when accesses are done. Ports hand in every line as they accept it and keep the access
// in place until it is done; `ready` may be set at once or in a later Tick, in any order.
class MemoryTiming {
 public:
  virtual ~MemoryTiming() = default;
  virtual void Start(MemoryAccess& access, uint64_t now) = 0;
  // Once every cycle, before the ports look at what is ready.
  virtual void Tick(uint64_t now) = 0;
};

// Every access takes the same time, however many there are.
class FixedLatency final : public MemoryTiming {
 public:
  explicit FixedLatency(unsigned cycles) : cycles_(cycles) {}
  void Start(MemoryAccess& access, uint64_t now) override { access.ready = now + cycles_; }
  void Tick(uint64_t) override {}

 private:
  unsigned cycles_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_TIMING_H_
