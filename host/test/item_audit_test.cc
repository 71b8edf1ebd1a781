// SPDX-License-Identifier: Apache-2.0
#include "host/item_audit.h"

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

#include "host/driver.h"
#include "host/item_layout.h"
#include "host/register_map.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kMemory = 2 << 20;

// A board with the item index of which only the registers exist.
class ItemBoard final : public Registers {
 public:
  uint32_t items = 0;
  uint32_t free = 0;
  uint32_t unread = 0;  // lines of copies
  bool refuses = false;
  std::map<uint32_t, uint32_t> written;

  uint32_t Read32(uint32_t address) override {
    if (address == WC_ADDRESS(ID)) return 0x57434331;
    if (address == WC_ADDRESS(CONFIG)) return 1 | 8 << 4 | 35 << 10 | 1u << 28;
    if (address == WC_ITEM_ADDRESS(ITEM_STATUS)) return refuses;
    if (address == WC_ITEM_ADDRESS(ITEMS)) return items;
    if (address == WC_ITEM_ADDRESS(SEGMENTS_FREE)) return free;
    for (const Counter& counter : kCounters) {
      if (counter.name == std::string_view("unread") && address == counter.address) return unread;
    }
    return 0;
  }
  void Write32(uint32_t address, uint32_t value) override { written[address] = value; }
};

Settings Wanted() {
  Settings settings;
  settings.memory_bytes = kMemory;
  return settings;
}

// Two items of 16-byte keys and 8-byte values, in slots of their buckets.
class World {
 public:
  World() : driver_(board, Wanted()), layout_(driver_.item_layout()) {
    board.free = layout_.segments;
    Put(0x10000000, 0, 5, 1);
    Put(0x80000000, 4, 6, 0);
  }

  std::map<uint64_t, uint64_t> memory;
  std::set<uint64_t> unwritten;
  ItemBoard board;

  // An item of this hash at this unit, with a slot that says so.
  void Put(uint32_t hash, uint64_t unit, uint64_t tag, unsigned slot) {
    memory[16 * unit] = 16 | 8 << 8;
    memory[16 * unit + 8] = uint64_t{hash} << 32;
    memory[Slot(hash, slot)] = uint64_t{3} << 62 | tag << 40 | uint64_t{3} << 32 | unit;
    ++board.items;
  }
  uint64_t Slot(uint32_t hash, unsigned slot) const {
    return (layout_.table_line + layout_.BucketOf(hash)) * kLineBytes + 8 * slot;
  }
  ItemAudit Find() {
    return ItemAudit(driver_, [this](uint64_t address) { return memory[address]; }, unwritten);
  }

 private:
  Driver driver_;
  ItemLayout layout_;
};

TEST(item_layouts_fill_memory) {
  for (unsigned bits = 21; bits <= 36; ++bits) {
    const uint64_t memory = uint64_t{1} << bits;
    const ItemLayout layout = MakeItemLayout(memory, 100);
    CHECK(layout.segments >= 32 && layout.segments <= 256);
    CHECK(layout.factor >= 8 && layout.factor < 16 && layout.shift <= 21);
    CHECK_EQ((layout.table_line + layout.buckets()) * kLineBytes, memory);
    const uint64_t table_begin = layout.table_line * kLineBytes;
    CHECK(layout.log_bytes() <= table_begin);
    CHECK(table_begin - layout.log_bytes() < layout.segment_bytes());
    CHECK(layout.largest_units * kUnitBytes <= layout.log_bytes() / 8);
    if (bits >= 24) CHECK(layout.largest_units * kUnitBytes >= (1 << 20) + 24 + 256);
    // Half of the slots for items of 100 bytes, give or take the rounding of the factor.
    const double full = static_cast<double>(layout.log_bytes()) / 100 /
                        static_cast<double>(kSlots * layout.buckets());
    // Beyond 8 GiB the table is as large as it may be, 2^28 slots, give or take the rounding.
    CHECK(full > 0.45 && (full < 0.57 || kSlots * layout.buckets() == uint64_t{15} << 24));
  }
}

TEST(too_little_or_too_much_memory_is_refused) {
  CHECK_THROWS(MakeItemLayout(1 << 20, 100), std::invalid_argument);
  CHECK_THROWS(MakeItemLayout((uint64_t{64} << 30) + 1, 100), std::invalid_argument);
  CHECK_THROWS(MakeItemLayout(kMemory, 31), std::invalid_argument);
}

TEST(a_board_that_refuses_its_settings_is_an_error) {
  ItemBoard board;
  board.refuses = true;
  CHECK_THROWS(Driver(board, Wanted()), std::runtime_error);
}

TEST(the_item_index_needs_no_memory_manager) {
  ItemBoard board;
  Driver driver(board, Wanted());
  CHECK(!driver.manages_memory());
  driver.Service();  // which does nothing
  CHECK_EQ(driver.bad_pointers(), 0u);
  CHECK_EQ(board.written.count(WC_ADDRESS_OF(FREE_PUSH, 0)), 0u);
  CHECK_EQ(board.written[WC_ITEM_ADDRESS(TABLE_BASE)], driver.item_layout().table_line);
}

TEST(item_audit_finds_all_items) {
  World world;
  const ItemAudit audit = world.Find();
  CHECK(audit.passed());
  CHECK_EQ(audit.items(), 2u);
  CHECK_EQ(audit.bytes(), 96u);
}

TEST(item_audit_sees_a_slot_that_points_nowhere) {
  World world;
  world.memory[world.Slot(0x10000000, 1)] |= 0xFFFFFFFF;
  CHECK_EQ(world.Find().outside(), 1u);
}

TEST(item_audit_sees_a_slot_without_an_item) {
  World world;
  world.memory[0] = 0;
  CHECK_EQ(world.Find().strange(), 1u);
}

TEST(item_audit_leaves_out_items_that_memory_did_not_tell) {
  World world;
  world.memory[0] = 0;
  world.board.unread = 1;
  CHECK(world.Find().passed());
  world.memory[16 * 4] = 0;  // one more than that
  CHECK(!world.Find().passed());
}

TEST(item_audit_sees_a_slot_of_another_length) {
  World world;
  world.memory[0] = 16 | 80 << 8;
  CHECK_EQ(world.Find().strange(), 1u);
}

TEST(item_audit_sees_an_item_of_another_bucket) {
  World world;
  world.memory[8] = uint64_t{0x90000000} << 32;
  CHECK_EQ(world.Find().elsewhere(), 1u);
}

TEST(item_audit_sees_items_over_one_another) {
  World world;
  world.Put(0x20000000, 1, 5, 0);
  CHECK_EQ(world.Find().overlaps(), 1u);
}

TEST(item_audit_sees_a_tag_twice) {
  World world;
  world.Put(0x10000000, 8, 5, 3);
  CHECK_EQ(world.Find().twice(), 1u);
}

TEST(item_audit_sees_a_wrong_count) {
  World world;
  ++world.board.items;
  CHECK(!world.Find().counted());
  CHECK(!world.Find().passed());
}

TEST(item_audit_sees_a_segment_too_many) {
  World world;
  ++world.board.free;
  CHECK(!world.Find().segments_add_up());
}

TEST(item_audit_leaves_out_buckets_that_were_not_written) {
  World world;
  world.memory[0] = 0;
  world.unwritten = {MakeItemLayout(kMemory, 100).BucketOf(0x10000000)};
  CHECK(world.Find().passed());
}

}  // namespace
}  // namespace wirecache::host
