// SPDX-License-Identifier: Apache-2.0
#include "host/driver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "host/test/fake_board.h"
#include "sim/test/check.h"
#include "wc_counters.h"

namespace wirecache::host {
namespace {

TEST(layout_divides_memory_without_overlap) {
  for (const uint64_t megabytes : {16, 17, 64, 1000, 1024, 24 * 1024, 64 * 1024}) {
    const uint64_t lines = (megabytes << 20) / kLineBytes;
    const Layout layout = MakeLayout(megabytes << 20, kBlocks, kCircuit);
    const uint64_t table_lines = layout.table_bytes / kLineBytes;
    CHECK_EQ(table_lines, uint64_t{35} << layout.bucket_bits);
    CHECK(table_lines <= lines / 8 && table_lines * 2 > lines / 8);
    uint64_t line = table_lines;
    for (unsigned c = 0; c < kClasses; ++c) {
      const Region& region = layout.regions[c];
      CHECK(region.first_line >= line);
      CHECK_EQ(region.block_lines, kBlocks[c].bytes / kLineBytes);
      CHECK(region.blocks > 0);
      line = region.first_line + region.blocks * region.block_lines;
    }
    CHECK(line <= lines);
    CHECK(line > lines / 100 * 94 - 16384);
  }
}

TEST(layout_keeps_to_the_largest_table) {
  Circuit small = kCircuit;
  small.max_bucket_bits = 4;
  CHECK_EQ(MakeLayout(uint64_t{1} << 30, kBlocks, small).bucket_bits, 4u);
}

TEST(layout_follows_the_shape_of_buckets) {
  for (const unsigned slots : {4u, 8u, 16u}) {
    for (const unsigned lines : {11u, 24u, 35u}) {
      Circuit circuit = kCircuit;
      circuit.slots = slots;
      circuit.bucket_lines = lines;
      const Layout layout = MakeLayout(64 << 20, kBlocks, circuit);
      CHECK_EQ(layout.table_bytes, uint64_t{slots} * 8 * lines << layout.bucket_bits);
      CHECK(layout.table_bytes <= 8 << 20 && layout.table_bytes > 4 << 20);
      CHECK(layout.regions[0].first_line * kLineBytes >= layout.table_bytes);
    }
  }
}

TEST(layout_serves_one_two_or_three_classes) {
  const BlockClasses classes = {{64, 1}, {256, 2}, {4096, 7}};
  for (size_t count = 1; count <= 3; ++count) {
    const Layout layout = MakeLayout(
        1 << 30, {classes.begin(), classes.begin() + static_cast<long>(count)}, kCircuit);
    uint64_t shares = 0;
    for (size_t c = 0; c < count; ++c) shares += classes[c].share;
    const double lines = (1 << 24) - static_cast<double>(layout.table_bytes / kLineBytes);
    for (size_t c = 0; c < kClasses; ++c) {
      const Region& region = layout.regions[c];
      CHECK_EQ(region.block_lines, c < count ? classes[c].bytes / kLineBytes : 0);
      const auto held = static_cast<double>(region.blocks * region.block_lines);
      const double wanted =
          c < count ? lines * static_cast<double>(classes[c].share) / static_cast<double>(shares)
                    : 0;
      CHECK(held <= wanted + 256 && held >= wanted - 256);
    }
  }
}

TEST(layouts_that_make_no_sense_are_errors) {
  const auto fails = [](uint64_t memory, const BlockClasses& blocks) {
    CHECK_THROWS(MakeLayout(memory, blocks, kCircuit), std::invalid_argument);
  };
  constexpr uint64_t kEnough = uint64_t{1} << 30;
  fails(0, kBlocks);
  fails(1 << 20, kBlocks);
  fails(8 << 20, kBlocks);
  fails((uint64_t{64} << 30) + 64, kBlocks);
  fails(kEnough, {});
  fails(kEnough, {{64, 1}, {128, 1}, {256, 1}, {512, 1}});
  fails(kEnough, {{128, 1}, {128, 1}, {1 << 20, 1}});
  fails(kEnough, {{2048, 1}, {128, 1}});
  fails(kEnough, {{100, 1}});
  fails(kEnough, {{0, 1}});
  fails(kEnough, {{128, 0}, {2048, 1}});
  fails(kEnough, {{128, 1}, {2048, ~uint64_t{0}}});
  fails(kEnough, {{128, 1}, {1 << 22, 1}});
}

TEST(start_sets_up_clears_fills_and_enables) {
  FakeBoard board;
  const Driver driver(board, Wanted(uint64_t{1} << 30));
  CHECK(board.cleared);
  CHECK_EQ(board.clearing, 0u);
  CHECK_EQ(board.written[WC_ADDRESS(MAC_HIGH)], 0x0257u);
  CHECK_EQ(board.written[WC_ADDRESS(MAC_LOW)], 0x43000001u);
  CHECK_EQ(board.written[WC_ADDRESS(IP)], 0x0A00020Fu);
  CHECK_EQ(board.written[WC_ADDRESS(UDP_PORT)], 11211u);
  CHECK_EQ(board.written[WC_ADDRESS(CONTROL)], 3u);
  CHECK_EQ(board.written[WC_INDEX_ADDRESS_OF(CLASS_LINES, 2)], 16384u);
  for (const auto& queue : board.free) CHECK_EQ(queue.size(), kQueue);
  CHECK(!board.refused);
  CHECK_EQ(driver.memory_manager().pool(0).made(), kQueue);  // no more than was asked for
}

TEST(the_access_list_fills_every_entry) {
  const auto entry = [](FakeBoard& board, unsigned i) {
    return std::pair(board.written[WC_ADDRESS_OF(ALLOW_NETWORK, i)],
                     board.written[WC_ADDRESS_OF(ALLOW_MASK, i)]);
  };
  Settings settings = Wanted(uint64_t{1} << 30);
  FakeBoard everybody;
  everybody.written[WC_ADDRESS_OF(ALLOW_MASK, 7)] = 1;  // from before
  const Driver first(everybody, settings);
  for (unsigned i = 0; i < 8; ++i) CHECK(entry(everybody, i) == std::pair(0u, 0u));

  FakeBoard some;
  settings.allow = {{0x0A000000, 0xFF000000}, {0xC0A80101, 0xFFFFFFFF}, {0xAC100000, 0xFFF00000}};
  const Driver second(some, settings);
  for (unsigned i = 0; i < 8; ++i) {
    const AllowedNetwork& wanted = settings.allow[i % 3];
    CHECK(entry(some, i) == std::pair(wanted.address, wanted.mask));
  }

  FakeBoard board;
  settings.allow = {{0x0A000001, 0xFF000000}};
  CHECK_THROWS(Driver(board, settings), std::invalid_argument);
  settings.allow.assign(9, {0x0A000000, 0xFF000000});
  CHECK_THROWS(Driver(board, settings), std::invalid_argument);
}

TEST(the_version_goes_out_with_the_end_of_its_line) {
  Settings settings = Wanted(uint64_t{1} << 30);
  const auto line = [&settings](const std::string& text) {
    FakeBoard board;
    settings.version = text;
    const Driver driver(board, settings);
    std::string line;
    for (unsigned i = 0; i < 16; ++i) {
      line += static_cast<char>(board.written[WC_ADDRESS_OF(VERSION_LINE_0, i / 4)] >> i % 4 * 8);
    }
    CHECK_EQ(board.written[WC_ADDRESS(VERSION_BYTES)], text.size());
    return line.substr(0, line.find_last_not_of('\0') + 1);
  };
  for (const std::string text : {"1.6.18", "x", "abcdefghijklmn", "~!"}) {
    CHECK(line(text) == text + "\r\n");
  }
  for (const std::string text : {"", "abcdefghijklmno", "1 2", "1\n", "\x7f", "\xe4"}) {
    CHECK_THROWS(line(text), std::invalid_argument);
  }
}

TEST(a_table_that_the_board_refuses_is_an_error) {
  FakeBoard board;
  board.most_bits = 3;
  CHECK_THROWS(Driver(board, Wanted(uint64_t{1} << 30)), std::runtime_error);
}

TEST(a_board_of_another_kind_is_an_error) {
  struct Other final : Registers {
    uint32_t Read32(uint32_t) override { return 0; }
    void Write32(uint32_t, uint32_t) override {}
  } other;
  CHECK_THROWS(Driver(other, Wanted(uint64_t{1} << 30)), std::runtime_error);
}

// Its end is waited for, but not for ever: a board may be broken.
TEST(a_board_that_never_ends_clearing_is_an_error) {
  struct Broken final : Registers {
    FakeBoard board;
    uint64_t reads = 0;
    uint32_t Read32(uint32_t address) override {
      if (address != WC_ADDRESS(STATUS)) return board.Read32(address);
      CHECK(++reads < 10'000'000);
      return WC_REGS__STATUS__CLEARING_bm;
    }
    void Write32(uint32_t address, uint32_t value) override { board.Write32(address, value); }
  } broken;
  CHECK_THROWS(Driver(broken, Wanted(16 << 20)), std::runtime_error);
  const uint64_t small = std::exchange(broken.reads, 0);
  CHECK_THROWS(Driver(broken, Wanted(64 << 20)), std::runtime_error);
  CHECK(broken.reads > 3 * small);  // more buckets take longer
}

// The board begins before large queues are full; the suppliers go on.
TEST(start_fills_a_first_batch) {
  FakeBoard board(1 << 16);
  Driver driver(board, Wanted(uint64_t{1} << 30));
  for (unsigned c = 0; c < 2; ++c) {
    CHECK(board.free[c].size() >= 1024 && board.free[c].size() <= 1100);
  }
  CHECK_EQ(board.free[2].size(), driver.layout().regions[2].blocks);  // there are not so many
  driver.Service();
  for (unsigned c = 0; c < 2; ++c) CHECK_EQ(board.free[c].size(), size_t{1} << 16);
  CHECK(!board.irq());
}

TEST(interrupts_come_when_a_queue_is_low_and_once) {
  FakeBoard board;
  Driver driver(board, Wanted(uint64_t{1} << 30));
  driver.Service();
  CHECK(!board.irq());
  while (board.free[1].size() > kLow) board.free[1].pop_front();
  CHECK(!board.irq());
  board.free[1].pop_front();
  CHECK(board.irq());
  driver.Service();
  CHECK_EQ(board.free[1].size(), kQueue);
  CHECK(!board.irq());
  while (board.deleted.size() < kQueue / 4) {
    CHECK(!board.irq());
    board.deleted.push_back(static_cast<uint32_t>(board.deleted.size()));
  }
  CHECK(board.irq());
}

TEST(a_class_of_three_blocks_gets_each_back_at_once) {
  FakeBoard board;
  Settings settings = Wanted(16 << 20);
  settings.classes = {{128, 1}, {4'000'000, 7}};
  Driver driver(board, settings);
  driver.Service();
  CHECK_EQ(board.free[1].size(), 3u);
  const uint32_t pointer = board.free[1].front();
  board.free[1].pop_front();
  Interrupted(board, driver);
  CHECK(!board.irq());  // there is nothing to be had
  board.deleted.push_back(pointer);
  CHECK(board.irq());
  Interrupted(board, driver);
  CHECK_EQ(board.free[1].size(), 3u);
  CHECK_EQ(board.free[2].size(), 0u);
}

// However much there is to do for one, the others get on.
TEST(workers_take_turns) {
  FakeBoard board(1 << 12);
  Driver driver(board, Wanted(uint64_t{1} << 30));
  board.deleted.swap(board.free[0]);  // much is to be pushed, and much comes back
  MemoryManager& manager = driver.memory_manager();
  std::map<uint32_t, unsigned> accesses;
  for (unsigned i = 0; i < 1600; ++i) {
    manager.Interrupt();
    const auto access = manager.Next();
    CHECK(access.has_value());
    ++accesses[access->address];
    manager.Done(board.Carry(*access));
  }
  for (const uint32_t address :
       {WC_INDEX_ADDRESS_OF(FREE_PUSH, 0), WC_INDEX_ADDRESS_OF(FREE_PUSH, 1),
        WC_INDEX_ADDRESS(DELETED_POP)}) {
    CHECK(accesses[address] > 300);
  }
}

// Takes and gives back at random: every pointer is out once at most, all of memory gets used, and
// a class that is empty fills again.
class Exerciser {
 public:
  explicit Exerciser(unsigned seed) : random_(seed) {}

  void Round(FakeBoard& board, bool mostly_take) {
    for (unsigned c = 0; c < kClasses; ++c) {
      for (unsigned i = random_() % (mostly_take ? 60 : 20); i > 0 && !board.free[c].empty(); --i) {
        CHECK(held[c].insert(board.free[c].front()).second);
        board.free[c].pop_front();
      }
      for (unsigned i = random_() % (mostly_take ? 20 : 60); i > 0 && !held[c].empty(); --i) {
        board.deleted.push_back(*held[c].begin());
        held[c].erase(held[c].begin());
      }
      most[c] = std::max(most[c], held[c].size());
    }
  }

  std::array<std::set<uint32_t>, kClasses> held;
  std::array<size_t, kClasses> most = {};

 private:
  std::mt19937 random_;
};

TEST(pointers_are_given_out_once_and_used_again) {
  FakeBoard board;
  Driver driver(board, Wanted(16 << 20));
  Exerciser exerciser(3);
  for (unsigned round = 0; round < 3000; ++round) {
    exerciser.Round(board, round / 500 % 2 == 0);
    Interrupted(board, driver);
    CHECK(!board.refused);
    CHECK(board.deleted.size() < kQueue / 4);
    for (unsigned c = 0; c < kClasses; ++c) {
      const bool all = exerciser.held[c].size() + kLow > driver.layout().regions[c].blocks;
      CHECK(all || board.free[c].size() >= kLow);
    }
  }
  CHECK_EQ(exerciser.most[2], driver.layout().regions[2].blocks);
  CHECK_EQ(driver.bad_pointers(), 0u);
}

// The same workers with a system thread each. They run under one lock, which a thread lets go while
// its register access is carried out, and while its worker sleeps.
TEST(workers_run_on_threads) {
  FakeBoard board;
  Driver driver(board, Wanted(16 << 20));
  Exerciser exerciser(4);
  std::mutex lock, bus;
  std::condition_variable changed;
  bool ended = false;
  std::vector<std::thread> threads;
  for (Worker& worker : driver.memory_manager().workers()) {
    threads.emplace_back([&] {
      std::unique_lock hold(lock);
      while (!ended) {
        if (const auto access = worker.access()) {
          hold.unlock();
          uint32_t value;
          {
            const std::lock_guard one(bus);
            value = board.Carry(*access);
          }
          hold.lock();
          worker.Resume(value);
        } else if (worker.runnable()) {
          worker.Resume();
        } else {
          changed.wait_for(hold, std::chrono::milliseconds(1));
          continue;
        }
        changed.notify_all();
      }
    });
  }
  size_t given = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    bool irq;
    {
      const std::lock_guard one(bus);
      if (board.deleted.size() < kQueue) exerciser.Round(board, round / 200 % 2 == 0);
      irq = board.irq();
    }
    {
      const std::lock_guard hold(lock);
      if (irq) driver.memory_manager().Interrupt();
      ended = round == 1999;
    }
    changed.notify_all();
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  for (std::thread& thread : threads) thread.join();
  for (unsigned c = 0; c < kClasses; ++c) given += driver.memory_manager().pool(c).made();
  CHECK(given > 3 * kQueue);
  CHECK(!board.refused);
  CHECK_EQ(driver.bad_pointers(), 0u);
}

TEST(pointers_that_were_never_given_out_are_counted) {
  FakeBoard board;
  Driver driver(board, Wanted(uint64_t{1} << 30));
  const uint32_t first = board.free[0].front();
  board.deleted = {3u << 30, first + 1, first - 2, first + 2 * kQueue};
  driver.Settle();
  CHECK_EQ(driver.bad_pointers(), 4u);
}

TEST(a_clock_ahead_stays_at_its_ends) {
  CHECK_EQ(Driver::TimeAhead(100, 5), 105u);
  CHECK_EQ(Driver::TimeAhead(100, -200), 0u);
  CHECK_EQ(Driver::TimeAhead(100, int64_t{1} << 32), 0xFFFF'FFFFu);
}

TEST(counters_have_64_bits) {
  FakeBoard board;
  Driver driver(board, Wanted(uint64_t{1} << 30));
  uint32_t address = 0;
  for (const Counter& counter : kCounters) {
    if (std::string_view(counter.name) == "get") address = counter.address;
  }
  for (unsigned i = 1; i <= 5; ++i) {
    board.counts[address] += 0x3F0000000;  // more than 32 bits between two readings
    driver.ReadCounters();
    CHECK_EQ(driver.counter("get"), uint64_t{0x3F0000000} * i);
  }
  CHECK_EQ(driver.counter("set"), 0u);
}

}  // namespace
}  // namespace wirecache::host
