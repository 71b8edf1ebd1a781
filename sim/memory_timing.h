// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_TIMING_H_
#define WIRECACHE_SIM_MEMORY_TIMING_H_

#include <cstdint>
#include <memory>
#include <string>

#include "sim/json.h"
#include "sim/sparse_memory.h"

namespace wirecache::sim {

inline constexpr uint64_t kNotYet = ~uint64_t{0};

// Neighbouring bytes on their way to or from the memory.
struct MemoryAccess {
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t asked = 0;  // cycle in which the circuit handed it over
  bool write = false;
  uint64_t ready = kNotYet;  // cycle from which on it is done: data may be given, write answered
};

// Decides when accesses are done. Ports cut what they are asked for into accesses that lie within
// one burst of the memory, hand them in, and keep each in place until it is done; `ready` may be
// set at once or in a later Tick, in any order.
class MemoryTiming {
 public:
  virtual ~MemoryTiming() = default;

  // No access crosses a multiple of this.
  virtual unsigned burst_bytes() const = 0;
  // False if there is no room for it now: the port asks again in the next cycle.
  virtual bool Start(MemoryAccess& access, uint64_t now) = 0;
  // Once every cycle, before the ports look at what is ready.
  virtual void Tick(uint64_t now) = 0;

  // What has happened since the last ResetStatistics.
  virtual JsonObject Statistics() const = 0;
  virtual void ResetStatistics() = 0;
};

// Every access takes the same time, however many there are.
class FixedLatency final : public MemoryTiming {
 public:
  explicit FixedLatency(unsigned cycles) : cycles_(cycles) {}

  unsigned burst_bytes() const override { return kLineBytes; }
  bool Start(MemoryAccess& access, uint64_t now) override {
    ++(access.write ? writes_ : reads_);
    access.ready = now + cycles_;
    return true;
  }
  void Tick(uint64_t) override {}

  JsonObject Statistics() const override {
    JsonObject json;
    json.Add("reads", reads_);
    json.Add("writes", writes_);
    return json;
  }
  void ResetStatistics() override { reads_ = writes_ = 0; }

 private:
  unsigned cycles_;
  uint64_t reads_ = 0;
  uint64_t writes_ = 0;
};

// `fixed`: FixedLatency of so many cycles. Else a Dram, by the name of its device; its controller's
// latency is in nanoseconds.
std::unique_ptr<MemoryTiming> MakeMemoryTiming(const std::string& name, unsigned fixed_cycles,
                                               unsigned cycle_ps, unsigned controller_ns);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_TIMING_H_
