// SPDX-License-Identifier: Apache-2.0
#include "host/driver.h"

#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

#include "host/register_map.h"
#include "wc_counters.h"

namespace wirecache::host {

Driver::Driver(Registers& registers, const Settings& settings)
    : registers_(registers),
      circuit_(Identify()),
      layout_(MakeLayout(settings.memory_bytes, settings.classes, circuit_)),
      manager_(layout_, circuit_.queue_entries),
      counters_(std::size(kCounters)) {
  WriteSettings(settings);
  ClearTable();
  // The rest of the queues is filled while the board is at work.
  while (!manager_.primed()) {
    const auto access = manager_.Next();
    if (!access) throw std::logic_error("the memory manager sleeps before it has begun");
    manager_.Done(registers_.Carry(*access));
  }
  SetFrameHeader(settings.frame_header);
  ReadCounters();
}

Circuit Driver::Identify() {
  const uint32_t id = registers_.Read32(WC_ADDRESS(ID));
  if (id != WC_REGS__ID__MAGIC_reset) throw std::runtime_error("this is not a Wirecache board");
  const uint32_t config = registers_.Read32(WC_ADDRESS(CONFIG));
  Circuit circuit;
  circuit.slots = WC_FIELD(config, CONFIG, SLOTS);
  circuit.bucket_lines = WC_FIELD(config, CONFIG, BUCKET_LINES);
  circuit.max_bucket_bits = WC_FIELD(config, CONFIG, MAX_BUCKET_BITS);
  circuit.queue_entries = 1u << WC_FIELD(config, CONFIG, QUEUE_BITS);
  if (circuit.bucket_bytes() == 0) throw std::runtime_error("the board says a bucket is nothing");
  return circuit;
}

void Driver::WriteSettings(const Settings& settings) {
  const auto write = [this](uint32_t address, uint64_t value) {
    registers_.Write32(address, static_cast<uint32_t>(value));
  };
  write(WC_ADDRESS(CONTROL), 0);
  write(WC_ADDRESS(MAC_HIGH), settings.mac >> 32);
  write(WC_ADDRESS(MAC_LOW), settings.mac);
  write(WC_ADDRESS(IP), settings.ip);
  write(WC_ADDRESS(UDP_PORT), settings.udp_port);
  write(WC_ADDRESS(HASH_SEED), settings.hash_seed);
  write(WC_ADDRESS(INDEX_BASE), 0);
  write(WC_ADDRESS(BUCKET_BITS), layout_.bucket_bits);
  for (unsigned c = 0; c < kClasses; ++c) {
    write(WC_ADDRESS_OF(CLASS_LINES, c), layout_.regions[c].block_lines);
    write(WC_ADDRESS_OF(FREE_LOW, c), 0);  // until the worker sleeps
  }
  write(WC_ADDRESS(DELETED_HIGH), 0);
}

void Driver::ClearTable() {
  registers_.Write32(WC_ADDRESS(CONTROL), WC_REGS__CONTROL__CLEAR_bm);
  while (registers_.Read32(WC_ADDRESS(STATUS)) & WC_REGS__STATUS__CLEARING_bm) {
  }
}

void Driver::Service() {
  manager_.Interrupt();
  while (const auto access = manager_.Next()) manager_.Done(registers_.Carry(*access));
}

Driver::Settled Driver::Settle() {
  Settled settled;
  for (unsigned c = 0; c < kClasses; ++c) settled.deleted[c] = manager_.collected(c);
  manager_.Stop();
  while (const auto access = manager_.Next()) manager_.Done(registers_.Carry(*access));
  for (unsigned c = 0; c < kClasses; ++c) {
    settled.deleted[c] = manager_.collected(c) - settled.deleted[c];
    settled.queued[c] = registers_.Read32(WC_ADDRESS_OF(FREE_LEVEL, c));
  }
  return settled;
}

void Driver::StartClock(uint32_t seconds, uint32_t second_cycles) {
  // The board counts from here: a second begins when SECOND is no longer 0.
  registers_.Write32(WC_ADDRESS(SECOND), 0);
  SetTime(seconds);
  registers_.Write32(WC_ADDRESS(SECOND), second_cycles);
}

void Driver::SetTime(uint32_t seconds) { registers_.Write32(WC_ADDRESS(TIME), seconds); }

void Driver::SetFrameHeader(bool on) {
  uint32_t control = WC_REGS__CONTROL__ENABLE_bm;
  if (on) control |= WC_REGS__CONTROL__FRAME_HEADER_bm;
  registers_.Write32(WC_ADDRESS(CONTROL), control);
}

void Driver::ReadCounters() {
  for (size_t i = 0; i < counters_.size(); ++i) {
    const uint32_t now = registers_.Read32(kCounters[i].address);
    counters_[i] += static_cast<uint32_t>(now - static_cast<uint32_t>(counters_[i]));
  }
}

uint64_t Driver::counter(std::string_view name) const {
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (name == kCounters[i].name) return counters_[i];
  }
  throw std::logic_error("no counter " + std::string(name));
}

}  // namespace wirecache::host
