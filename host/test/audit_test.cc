// SPDX-License-Identifier: Apache-2.0
#include "host/audit.h"

#include <cstdint>
#include <map>

#include "host/test/fake_board.h"

namespace wirecache::host {
namespace {

// A board with what a circuit would have made of its pointers.
class World {
 public:
  World() : driver_(board, Wanted(uint64_t{64} << 20)) {
    // Of each class: ten in the table, four deleted and taken back, three deleted.
    for (unsigned c = 0; c < kClasses - 1; ++c) {
      for (unsigned i = 0; i < 10; ++i) Store(c * 16 + i, 7 * i % 8, Take(c));
      for (unsigned i = 0; i < 4; ++i) board.deleted.push_back(Take(c));
    }
    driver_.Settle();
    driver_.GoOn();
    driver_.Service();
    for (unsigned c = 0; c < kClasses - 1; ++c) {
      for (unsigned i = 0; i < 3; ++i) board.deleted.push_back(Take(c));
    }
  }

  uint32_t Take(unsigned c) {
    const uint32_t pointer = board.free[c].front();
    board.free[c].pop_front();
    return pointer;
  }
  void Store(uint64_t bucket, unsigned slot, uint32_t pointer) {
    memory[(bucket * 35 + 32) * 64 + slot * 8] = uint64_t{1} << 63 | pointer;
  }
  Audit Find() {
    return Audit(driver_, [this](uint64_t address) { return memory[address]; }, unwritten);
  }

  void Service() { driver_.Service(); }

  FakeBoard board;
  std::map<uint64_t, uint64_t> memory;
  std::set<uint64_t> unwritten;

 private:
  Driver driver_;
};

TEST(audit_knows_what_is_out_of_use) {
  World world;
  world.unwritten = {0, 5};
  CHECK(!world.Find().passed());  // the circuit knows of none
  world.board.bad_places = 2;
  const Audit audit = world.Find();
  CHECK(audit.passed());
  CHECK(audit.out_of_use() > 0);
  uint64_t table = 0;
  for (const Audit::Blocks& blocks : audit.classes()) table += blocks.table + blocks.out_of_use;
  CHECK_EQ(table, 20u);
  world.Store(5, 6, 12345);  // no block
  CHECK_EQ(world.Find().unknown(), 1u);
}

TEST(audit_finds_all_blocks) {
  World world;
  const Audit audit = world.Find();
  CHECK(audit.passed());
  for (unsigned c = 0; c < kClasses - 1; ++c) {
    const Audit::Blocks& blocks = audit.classes()[c];
    CHECK_EQ(blocks.table, 10u);
    CHECK_EQ(blocks.deleted, 3u);
    CHECK_EQ(blocks.queued, world.board.free[c].size());
    CHECK_EQ(blocks.table + blocks.deleted + blocks.queued + blocks.pool + blocks.unused,
             MakeLayout(uint64_t{64} << 20, kBlocks, kCircuit).regions[c].blocks);
  }
  CHECK(world.Find().passed());  // it has changed nothing
}

TEST(the_host_goes_on_behind_an_audit) {
  World world;
  world.Find();
  const size_t before = world.board.free[0].size();
  while (world.board.free[0].size() >= kLow) world.Take(0);
  CHECK(world.board.irq());
  world.Service();
  CHECK(before > kLow && world.board.free[0].size() >= before);
}

TEST(audit_misses_a_deleted_pointer_that_was_dropped) {
  World world;
  world.board.deleted.pop_front();
  const Audit audit = world.Find();
  CHECK(!audit.passed());
  CHECK_EQ(audit.lost(), 1u);
  CHECK_EQ(audit.classes()[0].lost, 1u);
  CHECK_EQ(audit.twice() + audit.unknown(), 0u);
}

TEST(audit_misses_a_slot_that_was_overwritten) {
  World world;
  world.Store(16, 0, world.board.free[0].front());
  const Audit audit = world.Find();
  CHECK_EQ(audit.classes()[1].lost, 1u);  // whose slot it was
  CHECK_EQ(audit.classes()[0].twice, 1u);
}

TEST(audit_sees_a_block_in_two_slots) {
  World world;
  const uint32_t pointer = world.Take(1);
  world.Store(100, 1, pointer);
  CHECK(world.Find().passed());
  world.Store(100, 2, pointer);
  const Audit audit = world.Find();
  CHECK_EQ(audit.classes()[1].twice, 1u);
  CHECK_EQ(audit.lost(), 0u);
}

TEST(audit_sees_a_block_in_the_table_that_was_deleted_too) {
  World world;
  const uint32_t pointer = world.Take(0);
  world.Store(100, 1, pointer);
  world.board.deleted.push_back(pointer);
  CHECK_EQ(world.Find().twice(), 1u);
}

TEST(audit_sees_a_pointer_to_no_block) {
  World world;
  world.Store(200, 3, world.board.free[0].front() + 1);
  world.Store(200, 4, ~uint32_t{0});
  CHECK_EQ(world.Find().unknown(), 2u);
}

TEST(audit_misses_a_pointer_that_a_queue_has_lost) {
  World world;
  world.Take(1);
  CHECK_EQ(world.Find().lost(), 1u);
}

}  // namespace
}  // namespace wirecache::host
