// SPDX-License-Identifier: Apache-2.0
#include "sim/board.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <set>

namespace wirecache::sim {
namespace {

// What is not a request in flight, an ARP reply or the counters' sweep, takes less. The link, too,
// needs to be looked at for a while: after 512 cycles libslirp lost a first datagram that waited
// for an ARP reply.
constexpr uint64_t kQuietCycles = 4096;
constexpr uint64_t kStuckCycles = 65'536;

// For tests: cycles by which the host is late with each command.
constexpr const char* kDelayVariable = "WIRECACHE_COMMAND_DELAY";

}  // namespace

uint64_t Board::CommandDelay() {
  const char* text = std::getenv(kDelayVariable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}

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
  if (waiting_) {
    if (!registers_.done()) return;
    driver_.Done(registers_.TakeValue());
  }
  Interrupt();
  const auto access = driver_.Next();
  waiting_ = access.has_value();
  if (access) registers_.Start(*access);
}

// A host that is slow to answer commands, or dead, is late by command_delay_.
void Board::Interrupt() {
  if (!simulation_.irq()) {
    asked_.reset();
    return;
  }
  if (driver_.manages_memory()) driver_.memory_manager().Interrupt();
  if (!driver_.commands().asleep()) return;
  if (!asked_) asked_ = simulation_.now();
  if (simulation_.now() - *asked_ < command_delay_) return;
  asked_.reset();
  driver_.commands().Interrupt();
}

bool Board::asleep() const {
  return simulation_.quiet_cycles() > kQuietCycles && !simulation_.busy() &&
         !simulation_.in_flight() && !simulation_.irq();
}

bool Board::stuck() const {
  const uint64_t now = simulation_.now();
  const bool paused = now >= pause_begin_ && now < pause_end_;  // who waits for the host may wait
  return !paused && simulation_.quiet_cycles() > kStuckCycles &&
         (simulation_.busy() || simulation_.in_flight());
}

std::string Board::Unanswered() {
  std::string out;
  for (const auto& [name, count] : driver_.ReadInFlight()) {
    if (count == 0) continue;
    out += out.empty() ? "" : ", ";
    out += name + (" " + std::to_string(count));
  }
  return out;
}

void Board::FinishAccess() {
  if (!waiting_) return;
  simulation_.RunUntil(~uint64_t{0}, [this] { return registers_.done(); });
  driver_.Done(registers_.TakeValue());
  waiting_ = false;
}

host::Audit Board::Audit() {
  FinishAccess();
  // The circuit believes none of them again until the host clears the table, which it never does
  // here.
  std::set<uint64_t> unwritten;
  for (const auto& [bucket, emptied] : UnwrittenBuckets()) unwritten.insert(bucket);
  return host::Audit(driver_, IntendedMemory(), unwritten);
}

host::ItemAudit Board::ItemAudit() {
  FinishAccess();
  return host::ItemAudit(driver_, IntendedMemory(), UnwrittenBuckets());
}

// The 8 bytes at an address as the circuit has meant to write them.
std::function<uint64_t(uint64_t)> Board::IntendedMemory() const {
  const Memory& board = simulation_.memory();
  const SparseMemory& memory = board.errors().any() ? board.errors().intended() : board.contents();
  return [&memory](uint64_t address) {
    std::array<uint8_t, kLineBytes> line;
    memory.ReadLine(address / kLineBytes * kLineBytes, line.data());
    uint64_t word;
    std::memcpy(&word, line.data() + address % kLineBytes, sizeof(word));
    return word;
  };
}

std::map<uint64_t, bool> Board::UnwrittenBuckets() const {
  std::map<uint64_t, bool> buckets;
  const bool item = driver_.circuit().index == host::IndexKind::kItem;
  const uint64_t base = item ? driver_.item_layout().table_line * kLineBytes : 0;
  const uint64_t bytes = item ? kLineBytes : driver_.circuit().bucket_bytes();
  for (const auto& [address, emptied] : simulation_.memory().index().unwritten()) {
    const auto [place, first] = buckets.emplace((address - base) / bytes, emptied);
    if (!first) place->second = place->second && emptied;
  }
  return buckets;
}

}  // namespace wirecache::sim
