// SPDX-License-Identifier: Apache-2.0
#include "sim/board.h"

#include <algorithm>

namespace wirecache::sim {
namespace {

// irq_o stays high when a class has no block left. Then the host looks again only so often.
constexpr uint64_t kServiceInterval = 512;
// Longer than anything in the circuit waits without moving a word at one of its edges.
constexpr uint64_t kQuietCycles = 4096;
constexpr uint64_t kStuckCycles = 16 * kQuietCycles;

}  // namespace

void Board::Run(uint64_t cycles) {
  const uint64_t end = simulation_.now() + cycles;
  while (simulation_.now() < end) {
    const uint64_t now = simulation_.now();
    if (now < service_at_) {
      simulation_.Run(std::min(end, service_at_) - now, false);
    } else if (simulation_.irq()) {
      service_useful_ = driver_.Service();
      if (!service_useful_) service_at_ = simulation_.now() + kServiceInterval;
    } else {
      simulation_.Run(end - now, true);
    }
  }
}

bool Board::asleep() const {
  return simulation_.quiet_cycles() > kQuietCycles && !simulation_.busy() &&
         (!simulation_.irq() || !service_useful_);
}

bool Board::stuck() const {
  return simulation_.quiet_cycles() > kStuckCycles && simulation_.busy();
}

}  // namespace wirecache::sim
