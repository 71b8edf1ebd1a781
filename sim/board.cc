// SPDX-License-Identifier: Apache-2.0
#include "sim/board.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wirecache::sim {
namespace {

// Longer than anything in the circuit waits without moving a word at one of its edges.
constexpr uint64_t kQuietCycles = 4096;
constexpr uint64_t kStuckCycles = 16 * kQuietCycles;

}  // namespace

void Board::Run(uint64_t cycles) {
  const uint64_t end = simulation_.now() + cycles;
  while (simulation_.now() < end) {
    const uint64_t now = simulation_.now();
    if (now >= pause_begin_ && now < pause_end_) {
      simulation_.RunUntil(std::min(end, pause_end_), [] { return false; });
      continue;
    }
    const uint64_t until = now < pause_begin_ ? std::min(end, pause_begin_) : end;
    ServeHost();
    if (waiting_) {
      simulation_.RunUntil(until, [this] { return registers_.done(); });
    } else {
      simulation_.RunUntil(until, [this] { return simulation_.irq(); });
    }
  }
}

// A worker's access ends and the next one's begins.
void Board::ServeHost() {
  host::MemoryManager& manager = driver_.memory_manager();
  if (waiting_) {
    if (!registers_.done()) return;
    manager.Done(registers_.TakeValue());
  }
  if (simulation_.irq()) manager.Interrupt();
  const auto access = manager.Next();
  waiting_ = access.has_value();
  if (access) registers_.Start(*access);
}

bool Board::asleep() const {
  return simulation_.quiet_cycles() > kQuietCycles && !simulation_.busy() && !simulation_.irq();
}

bool Board::stuck() const {
  return simulation_.quiet_cycles() > kStuckCycles && simulation_.busy();
}

host::Audit Board::Audit() {
  if (waiting_) {
    simulation_.RunUntil(~uint64_t{0}, [this] { return registers_.done(); });
    driver_.memory_manager().Done(registers_.TakeValue());
    waiting_ = false;
  }
  const SparseMemory& memory = simulation_.memory().contents();
  return host::Audit(driver_, [&memory](uint64_t address) {
    std::array<uint8_t, kLineBytes> line;
    memory.ReadLine(address / kLineBytes * kLineBytes, line.data());
    uint64_t word;
    std::memcpy(&word, line.data() + address % kLineBytes, sizeof(word));
    return word;
  });
}

}  // namespace wirecache::sim
