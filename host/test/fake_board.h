// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_TEST_FAKE_BOARD_H_
#define WIRECACHE_HOST_TEST_FAKE_BOARD_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

#include "host/driver.h"
#include "host/register_map.h"
#include "sim/test/check.h"

namespace wirecache::host {

inline constexpr unsigned kQueue = 64;
inline constexpr unsigned kLow = kQueue - kQueue / 8;
inline const BlockClasses kBlocks = {{128, 35}, {2048, 55}, {1 << 20, 10}};
inline constexpr Circuit kCircuit = {
    .slots = 8, .bucket_lines = 35, .max_bucket_bits = 24, .queue_entries = kQueue};

// A board of which only the registers exist.
class FakeBoard final : public Registers {
 public:
  explicit FakeBoard(size_t entries = kQueue) : entries_(entries) {}

  std::map<uint32_t, uint32_t> written;
  std::array<std::deque<uint32_t>, kClasses> free;
  std::deque<uint32_t> deleted;
  std::map<uint32_t, uint64_t> counts;
  unsigned clearing = 0;
  bool cleared = false;
  bool refused = false;
  uint32_t bad_places = 0;
  unsigned most_bits = 24;  // of the table; INDEX_CONFIG says 24

  uint32_t Read32(uint32_t address) override {
    if (address == WC_ADDRESS(ID)) return 0x57434331;
    if (address == WC_ADDRESS(CONFIG)) return 1;
    if (address == WC_ADDRESS(ITEM_SIZE_MAX)) return 20 << WC_REGS__ITEM_SIZE_MAX__MOST_bp;
    if (address == WC_INDEX_ADDRESS(INDEX_CONFIG)) {
      return 8 | 35 << WC_INDEX_REGS__INDEX_CONFIG__BUCKET_LINES_bp |
             24 << WC_INDEX_REGS__INDEX_CONFIG__MAX_BUCKET_BITS_bp |
             static_cast<uint32_t>(std::bit_width(entries_ - 1))
                 << WC_INDEX_REGS__INDEX_CONFIG__QUEUE_BITS_bp;
    }
    if (address == WC_ADDRESS(STATUS)) return clearing > 0 ? clearing-- > 0 : 0;
    if (address == WC_INDEX_ADDRESS(INDEX_STATUS)) {
      return Status() | (written[WC_INDEX_ADDRESS(BUCKET_BITS)] > most_bits
                             ? WC_INDEX_REGS__INDEX_STATUS__REFUSED_bm
                             : 0u);
    }
    for (unsigned c = 0; c < kClasses; ++c) {
      if (address == WC_INDEX_ADDRESS_OF(FREE_LEVEL, c)) {
        return static_cast<uint32_t>(free[c].size());
      }
    }
    if (address == WC_INDEX_ADDRESS(DELETED_POP)) {
      if (deleted.empty()) return ~0u;
      const uint32_t pointer = deleted.front();
      deleted.pop_front();
      return pointer;
    }
    if (address == WC_ADDRESS(BAD_PLACES)) return bad_places;
    if (address == WC_ADDRESS(COUNT_HIGH) || address == WC_INDEX_ADDRESS(INDEX_COUNT_HIGH)) {
      return count_high_;
    }
    count_high_ = static_cast<uint32_t>(counts[address] >> 32);
    return static_cast<uint32_t>(counts[address]);
  }

  void Write32(uint32_t address, uint32_t value) override {
    for (unsigned c = 0; c < kClasses; ++c) {
      if (address != WC_INDEX_ADDRESS_OF(FREE_PUSH, c)) continue;
      CHECK_EQ(value >> 30, c);
      if (free[c].size() == entries_) refused = true;
      free[c].push_back(value);
    }
    if (address == WC_ADDRESS(CONTROL) && (value & 4)) {
      clearing = 3;
      cleared = true;
    }
    written[address] = value;
  }

  bool irq() { return Status() != 0; }

 private:
  uint32_t Status() {
    uint32_t status = 0;
    for (unsigned c = 0; c < kClasses; ++c) {
      status |= uint32_t{free[c].size() < written[WC_INDEX_ADDRESS_OF(FREE_LOW, c)]} << c;
    }
    const uint32_t high = written[WC_INDEX_ADDRESS(DELETED_HIGH)];
    return status | uint32_t{high != 0 && deleted.size() >= high} << 3;
  }

  size_t entries_;
  uint32_t count_high_ = 0;
};

// Serves it until it is content.
inline void Interrupted(FakeBoard& board, Driver& driver) {
  while (board.irq()) driver.Service();
}

inline Settings Wanted(uint64_t memory) {
  Settings settings;
  settings.mac = 0x025743000001;
  settings.ip = 0x0A00020F;
  settings.udp_port = 11211;
  settings.memory_bytes = memory;
  settings.classes = kBlocks;
  return settings;
}

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_TEST_FAKE_BOARD_H_
