// SPDX-License-Identifier: Apache-2.0
#include "host/driver.h"

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "sim/test/check.h"
#include "wc_counters.h"
#include "wc_regs.h"

namespace wirecache::host {
namespace {

constexpr unsigned kQueue = 64;
constexpr ClassSizes kBlocks = {128, 2048, 1 << 20};
constexpr Circuit kCircuit = {.bucket_lines = 35, .max_bucket_bits = 24, .queue_entries = kQueue};

uint32_t At(size_t offset) { return static_cast<uint32_t>(offset); }

// A board of which only the registers exist.
class FakeBoard final : public Registers {
 public:
  std::map<uint32_t, uint32_t> written;
  std::array<std::deque<uint32_t>, kClasses> free;
  std::deque<uint32_t> deleted;
  std::map<uint32_t, uint32_t> counts;
  unsigned clearing = 0;
  bool cleared = false;
  bool refused = false;

  uint32_t Read32(uint32_t address) override {
    if (address == At(offsetof(wc_regs_t, ID))) return 0x57434331;
    if (address == At(offsetof(wc_regs_t, CONFIG))) {
      return 1 | 8 << 4 | 35 << 10 | 24 << 18 | 6 << 23;
    }
    if (address == At(offsetof(wc_regs_t, STATUS))) return clearing > 0 ? clearing-- > 0 : 0;
    for (unsigned c = 0; c < kClasses; ++c) {
      if (address == At(offsetof(wc_regs_t, FREE_LEVEL)) + 4 * c) {
        return static_cast<uint32_t>(free[c].size());
      }
    }
    if (address == At(offsetof(wc_regs_t, DELETED_POP))) {
      if (deleted.empty()) return ~0u;
      const uint32_t pointer = deleted.front();
      deleted.pop_front();
      return pointer;
    }
    return counts[address];
  }

  void Write32(uint32_t address, uint32_t value) override {
    for (unsigned c = 0; c < kClasses; ++c) {
      if (address != At(offsetof(wc_regs_t, FREE_PUSH)) + 4 * c) continue;
      CHECK_EQ(value >> 30, c);
      if (free[c].size() == kQueue) refused = true;
      free[c].push_back(value);
    }
    if (address == At(offsetof(wc_regs_t, CONTROL)) && (value & 4)) {
      clearing = 3;
      cleared = true;
    }
    written[address] = value;
  }
};

Settings Wanted(uint64_t memory) {
  Settings settings;
  settings.mac = 0x025743000001;
  settings.ip = 0x0A00020F;
  settings.udp_port = 11211;
  settings.memory_bytes = memory;
  settings.block_bytes = kBlocks;
  return settings;
}

TEST(layout_divides_memory_without_overlap) {
  for (const uint64_t megabytes : {16, 17, 64, 1000, 1024, 24 * 1024, 64 * 1024}) {
    const uint64_t lines = (megabytes << 20) / kLineBytes;
    const Layout layout = MakeLayout(megabytes << 20, kBlocks, kCircuit);
    CHECK_EQ(layout.table_lines, uint64_t{35} << layout.bucket_bits);
    CHECK(layout.table_lines <= lines / 8 && layout.table_lines * 2 > lines / 8);
    uint64_t line = layout.table_lines;
    for (unsigned c = 0; c < kClasses; ++c) {
      const Region& region = layout.regions[c];
      CHECK(region.first_line >= line);
      CHECK_EQ(region.block_lines, kBlocks[c] / kLineBytes);
      CHECK(region.blocks > 0);
      line = region.first_line + region.blocks * region.block_lines;
    }
    CHECK(line <= lines);
    CHECK(line > lines / 100 * 94 - 16384);
  }
}

TEST(layout_keeps_to_the_largest_table) {
  const Circuit small = {.bucket_lines = 35, .max_bucket_bits = 4, .queue_entries = kQueue};
  CHECK_EQ(MakeLayout(uint64_t{1} << 30, kBlocks, small).bucket_bits, 4u);
}

TEST(layouts_that_make_no_sense_are_errors) {
  const auto fails = [](uint64_t memory, const ClassSizes& blocks) {
    CHECK_THROWS(MakeLayout(memory, blocks, kCircuit), std::invalid_argument);
  };
  fails(0, kBlocks);
  fails(1 << 20, kBlocks);
  fails(8 << 20, kBlocks);
  fails((uint64_t{64} << 30) + 64, kBlocks);
  fails(uint64_t{1} << 30, {128, 128, 1 << 20});
  fails(uint64_t{1} << 30, {100, 2048, 1 << 20});
  fails(uint64_t{1} << 30, {0, 2048, 1 << 20});
  fails(uint64_t{1} << 30, {128, 2048, 1 << 22});
}

TEST(start_sets_up_clears_fills_and_enables) {
  FakeBoard board;
  const Driver driver(board, Wanted(uint64_t{1} << 30));
  CHECK(board.cleared);
  CHECK_EQ(board.clearing, 0u);
  CHECK_EQ(board.written[At(offsetof(wc_regs_t, MAC_HIGH))], 0x0257u);
  CHECK_EQ(board.written[At(offsetof(wc_regs_t, MAC_LOW))], 0x43000001u);
  CHECK_EQ(board.written[At(offsetof(wc_regs_t, IP))], 0x0A00020Fu);
  CHECK_EQ(board.written[At(offsetof(wc_regs_t, UDP_PORT))], 11211u);
  CHECK_EQ(board.written[At(offsetof(wc_regs_t, CONTROL))], 3u);
  CHECK_EQ(board.written[At(offsetof(wc_regs_t, CLASS_LINES)) + 8], 16384u);
  for (const auto& queue : board.free) CHECK_EQ(queue.size(), kQueue);
  CHECK(!board.refused);
  CHECK_EQ(driver.blocks_made(0), kQueue);  // no more than was asked for
}

TEST(a_board_of_another_kind_is_an_error) {
  struct Other final : Registers {
    uint32_t Read32(uint32_t) override { return 0; }
    void Write32(uint32_t, uint32_t) override {}
  } other;
  CHECK_THROWS(Driver(other, Wanted(uint64_t{1} << 30)), std::runtime_error);
}

TEST(service_without_work_says_so) {
  FakeBoard board;
  Driver driver(board, Wanted(uint64_t{1} << 30));
  CHECK(!driver.Service());
  board.free[1].pop_front();
  CHECK(driver.Service());
  CHECK_EQ(board.free[1].size(), kQueue);
  CHECK(!driver.Service());
}

// Takes and gives back at random: every pointer is out once at most, all of memory gets used, and
// a class that is empty fills again.
TEST(pointers_are_given_out_once_and_used_again) {
  FakeBoard board;
  Driver driver(board, Wanted(16 << 20));
  std::mt19937 random(3);
  std::array<std::set<uint32_t>, kClasses> held;
  std::array<size_t, kClasses> most = {};
  for (unsigned round = 0; round < 3000; ++round) {
    const bool mostly_take = round / 500 % 2 == 0;
    for (unsigned c = 0; c < kClasses; ++c) {
      for (unsigned i = random() % (mostly_take ? 60 : 20); i > 0 && !board.free[c].empty(); --i) {
        CHECK(held[c].insert(board.free[c].front()).second);
        board.free[c].pop_front();
      }
      for (unsigned i = random() % (mostly_take ? 20 : 60); i > 0 && !held[c].empty(); --i) {
        board.deleted.push_back(*held[c].begin());
        held[c].erase(held[c].begin());
      }
      most[c] = std::max(most[c], held[c].size());
    }
    driver.Service();
    CHECK(!board.refused);
    CHECK(board.deleted.empty());
  }
  CHECK_EQ(most[2], driver.layout().regions[2].blocks);
  CHECK_EQ(driver.bad_pointers(), 0u);
}

TEST(pointers_that_were_never_given_out_are_counted) {
  FakeBoard board;
  Driver driver(board, Wanted(uint64_t{1} << 30));
  const uint32_t first = board.free[0].front();
  board.deleted = {3u << 30, first + 1, first - 2, first + 2 * kQueue};
  driver.Service();
  CHECK_EQ(driver.bad_pointers(), 4u);
}

TEST(counters_go_on_beyond_32_bits) {
  FakeBoard board;
  Driver driver(board, Wanted(uint64_t{1} << 30));
  uint32_t address = 0;
  for (const Counter& counter : kCounters) {
    if (std::string_view(counter.name) == "get") address = counter.address;
  }
  for (unsigned i = 1; i <= 5; ++i) {
    board.counts[address] += 0xF0000000;
    driver.ReadCounters();
    CHECK_EQ(driver.counter("get"), uint64_t{0xF0000000} * i);
  }
  CHECK_EQ(driver.counter("set"), 0u);
}

}  // namespace
}  // namespace wirecache::host
