// SPDX-License-Identifier: Apache-2.0
#include "sim/memory_timing.h"

#include "sim/dram.h"
#include "sim/dram_devices.h"

namespace wirecache::sim {

std::unique_ptr<MemoryTiming> MakeMemoryTiming(const std::string& name, unsigned fixed_cycles,
                                               unsigned cycle_ps, unsigned controller_ns) {
  if (name == "fixed") return std::make_unique<FixedLatency>(fixed_cycles);
  return std::make_unique<Dram>(FindDramDevice(name), cycle_ps, controller_ns);
}

}  // namespace wirecache::sim
