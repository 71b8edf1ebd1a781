// SPDX-License-Identifier: Apache-2.0
#include "host/driver.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>

#include "wc_counters.h"
#include "wc_regs.h"

// A field of a register, shifted down.
#define WC_FIELD(value, reg, field) \
  (((value) & WC_REGS__##reg##__##field##_bm) >> WC_REGS__##reg##__##field##_bp)

namespace wirecache::host {
namespace {

constexpr unsigned kLineBits = 30;  // of a pointer; the class is above
constexpr uint32_t kEmpty = ~uint32_t{0};

constexpr uint32_t At(size_t offset, unsigned index = 0) {
  return static_cast<uint32_t>(offset + sizeof(uint32_t) * index);
}

}  // namespace

Driver::Driver(Registers& registers, const Settings& settings)
    : registers_(registers),
      circuit_(Identify()),
      layout_(MakeLayout(settings.memory_bytes, settings.block_bytes, circuit_)),
      pools_{BlockPool(layout_.regions[0]), BlockPool(layout_.regions[1]),
             BlockPool(layout_.regions[2])},
      counters_(std::size(kCounters)) {
  WriteSettings(settings);
  ClearTable();
  for (unsigned c = 0; c < kClasses; ++c) FillFree(c);
  SetFrameHeader(settings.frame_header);
  ReadCounters();
}

Circuit Driver::Identify() {
  const uint32_t id = registers_.Read32(At(offsetof(wc_regs_t, ID)));
  if (id != WC_REGS__ID__MAGIC_reset) throw std::runtime_error("this is not a Wirecache board");
  const uint32_t config = registers_.Read32(At(offsetof(wc_regs_t, CONFIG)));
  Circuit circuit;
  circuit.bucket_lines = WC_FIELD(config, CONFIG, BUCKET_LINES);
  circuit.max_bucket_bits = WC_FIELD(config, CONFIG, MAX_BUCKET_BITS);
  circuit.queue_entries = 1u << WC_FIELD(config, CONFIG, QUEUE_BITS);
  if (circuit.bucket_lines == 0) throw std::runtime_error("the board says a bucket has no lines");
  return circuit;
}

void Driver::WriteSettings(const Settings& settings) {
  const auto write = [this](size_t offset, uint64_t value, unsigned index = 0) {
    registers_.Write32(At(offset, index), static_cast<uint32_t>(value));
  };
  write(offsetof(wc_regs_t, CONTROL), 0);
  write(offsetof(wc_regs_t, MAC_HIGH), settings.mac >> 32);
  write(offsetof(wc_regs_t, MAC_LOW), settings.mac);
  write(offsetof(wc_regs_t, IP), settings.ip);
  write(offsetof(wc_regs_t, UDP_PORT), settings.udp_port);
  write(offsetof(wc_regs_t, HASH_SEED), settings.hash_seed);
  write(offsetof(wc_regs_t, INDEX_BASE), 0);
  write(offsetof(wc_regs_t, BUCKET_BITS), layout_.bucket_bits);
  for (unsigned c = 0; c < kClasses; ++c) {
    write(offsetof(wc_regs_t, CLASS_LINES), layout_.regions[c].block_lines, c);
  }
  // Half full is early enough: the host comes back with a whole queue's worth.
  write(offsetof(wc_regs_t, FREE_LOW), circuit_.queue_entries / 2);
  write(offsetof(wc_regs_t, DELETED_HIGH), std::max(circuit_.queue_entries / 4, 1u));
}

void Driver::ClearTable() {
  registers_.Write32(At(offsetof(wc_regs_t, CONTROL)), WC_REGS__CONTROL__CLEAR_bm);
  while (registers_.Read32(At(offsetof(wc_regs_t, STATUS))) & WC_REGS__STATUS__CLEARING_bm) {
  }
}

bool Driver::Service() {
  // What comes back first, so that a class without blocks gets them at once.
  bool useful = DrainDeleted();
  for (unsigned c = 0; c < kClasses; ++c) useful |= FillFree(c);
  return useful;
}

bool Driver::DrainDeleted() {
  bool useful = false;
  for (;;) {
    const uint32_t pointer = registers_.Read32(At(offsetof(wc_regs_t, DELETED_POP)));
    if (pointer == kEmpty) return useful;
    useful = true;
    const unsigned size_class = pointer >> kLineBits;
    const uint64_t line = pointer & ((uint32_t{1} << kLineBits) - 1);
    if (size_class >= kClasses || !pools_[size_class].Give(line)) ++bad_pointers_;
  }
}

bool Driver::FillFree(unsigned size_class) {
  BlockPool& pool = pools_[size_class];
  if (pool.available() == 0) return false;
  const uint32_t level = registers_.Read32(At(offsetof(wc_regs_t, FREE_LEVEL), size_class));
  bool useful = false;
  for (uint32_t i = level; i < circuit_.queue_entries; ++i) {
    const auto line = pool.Take();
    if (!line) break;
    registers_.Write32(At(offsetof(wc_regs_t, FREE_PUSH), size_class),
                       (size_class << kLineBits) | static_cast<uint32_t>(*line));
    useful = true;
  }
  return useful;
}

void Driver::StartClock(uint32_t seconds, uint32_t second_cycles) {
  // The board counts from here: a second begins when SECOND is no longer 0.
  registers_.Write32(At(offsetof(wc_regs_t, SECOND)), 0);
  SetTime(seconds);
  registers_.Write32(At(offsetof(wc_regs_t, SECOND)), second_cycles);
}

void Driver::SetTime(uint32_t seconds) {
  registers_.Write32(At(offsetof(wc_regs_t, TIME)), seconds);
}

void Driver::SetFrameHeader(bool on) {
  uint32_t control = WC_REGS__CONTROL__ENABLE_bm;
  if (on) control |= WC_REGS__CONTROL__FRAME_HEADER_bm;
  registers_.Write32(At(offsetof(wc_regs_t, CONTROL)), control);
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
