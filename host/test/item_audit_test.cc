// SPDX-License-Identifier: Apache-2.0
#include "host/item_audit.h"

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "host/driver.h"
#include "host/item_layout.h"
#include "host/lookup3.h"
#include "host/register_map.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kMemory = 2 << 20;
constexpr uint64_t kHash = kHeaderHash.low / 64 * 8;  // of a header: the word with the hash on top

// A board with the item index of which only the registers exist.
class ItemBoard final : public Registers {
 public:
  explicit ItemBoard(uint32_t hash = 0) : hash_(hash) {}

  uint32_t items = 0;
  uint32_t used = 0;  // segments of the main log
  uint32_t free = 0;
  uint32_t unread = 0;  // lines of copies
  uint32_t bad_buckets = 0;
  bool all_buckets = false;
  uint32_t bad_lines = 0;
  bool clearing = false;
  bool refuses = false;
  std::map<uint32_t, uint32_t> written;

  uint32_t Read32(uint32_t address) override {
    if (address == WC_ADDRESS(ID)) return 0x57434331;
    if (address == WC_ADDRESS(ITEM_SIZE_MAX)) return 20 << WC_REGS__ITEM_SIZE_MAX__MOST_bp;
    if (address == WC_ADDRESS(CONFIG)) {
      return 1 | 1 << WC_REGS__CONFIG__INDEX_bp | hash_ << WC_REGS__CONFIG__HASH_bp;
    }
    if (address == WC_ITEM_ADDRESS(ITEM_STATUS)) {
      return refuses | 1 << WC_ITEM_REGS__ITEM_STATUS__WAYS_bp;
    }
    if (address == WC_ITEM_ADDRESS(ITEMS)) return items;
    if (address == WC_ITEM_ADDRESS(SEGMENTS_FREE)) return free;
    if (address == WC_ITEM_ADDRESS(SEGMENTS_MAIN)) return used;
    if (address == WC_ADDRESS(STATUS)) return clearing ? WC_REGS__STATUS__CLEARING_bm : 0;
    if (address == WC_ADDRESS(BAD_PLACES)) {
      return bad_buckets << WC_REGS__BAD_PLACES__BUCKETS_bp |
             (all_buckets ? WC_REGS__BAD_PLACES__ALL_BUCKETS_bm : 0) |
             bad_lines << WC_REGS__BAD_PLACES__BLOCKS_bp;
    }
    for (const Counter& counter : kCounters) {
      if (counter.name == std::string_view("unread") && address == counter.address) return unread;
    }
    return 0;
  }
  void Write32(uint32_t address, uint32_t value) override { written[address] = value; }

 private:
  uint32_t hash_;
};

Settings Wanted() {
  Settings settings;
  settings.memory_bytes = kMemory;
  return settings;
}

struct Key {
  std::string text;
  uint32_t seed = 0;

  uint64_t hash() const {
    return HashLittle2({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, seed);
  }
  uint32_t low() const { return static_cast<uint32_t>(hash()); }
  uint64_t tag() const { return hash() >> (64 - kSlotTag.bits); }
};

const Key kFirst = {"the key of one.."};
const Key kSecond = {"another's key..."};
const Key kThird = {"a third one's..."};

// Two items of 16-byte keys and 8-byte values, in slots of their buckets.
class World {
 public:
  explicit World(const Settings& settings = Wanted(), uint32_t hash = 0)
      : board(hash), driver_(board, settings), layout_(driver_.item_layout()) {
    board.used = 1;
    board.free = layout_.segments - 1;
    Put(kFirst, 0, 1);
    Put(kSecond, 4, 0);
  }

  std::map<uint64_t, uint64_t> memory;
  ItemAudit::Unwritten unwritten;
  ItemBoard board;

  // An item of this key at this unit, with a slot that says so.
  void Put(const Key& key, uint64_t unit, unsigned slot) {
    const uint64_t units = (kHeaderBytes + (key.text.size() + 7) / 8 * 8 + 8 + 15) / 16;
    memory[16 * unit] = key.text.size() | 8 << 8;
    memory[16 * unit + kHash] = uint64_t{key.low()} << 32;
    for (size_t i = 0; i < key.text.size(); ++i) {
      memory[16 * unit + kHeaderBytes + i / 8 * 8] |= uint64_t{static_cast<uint8_t>(key.text[i])}
                                                      << 8 * (i % 8);
    }
    memory[Slot(key, slot)] = uint64_t{kAccessEven} << kSlotAccess.low | key.tag() << kSlotTag.low |
                              units << kSlotSpan.low | unit;
    ++board.items;
  }
  uint64_t Slot(const Key& key, unsigned slot) const {
    return (layout_.table_line + Bucket(key)) * kLineBytes + 8 * slot;
  }
  uint64_t Bucket(const Key& key) const { return layout_.PlacesOf(key.low())[0].bucket; }
  uint64_t segment_units() const { return uint64_t{1} << layout_.segment_bits; }
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
    if (bits >= 24) CHECK(layout.largest_units * kUnitBytes >= (1 << 20) + kHeaderBytes + 256);
    // Half of the slots for items of 100 bytes, or more, as the factor is rounded down.
    const double full = static_cast<double>(layout.log_bytes()) / 100 /
                        static_cast<double>(kSlots * layout.buckets());
    // Beyond 8 GiB the table is as large as it may be, 2^28 slots, give or take the rounding.
    CHECK(full > 0.49 && (full < 0.57 || kSlots * layout.buckets() == uint64_t{15} << 24));
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
  driver.Service();  // nobody wants anything
  CHECK_EQ(driver.bad_pointers(), 0u);
  CHECK_EQ(board.written.count(WC_INDEX_ADDRESS_OF(FREE_PUSH, 0)), 0u);
  CHECK_EQ(board.written[WC_ITEM_ADDRESS(TABLE_BASE)], driver.item_layout().table_line);
}

TEST(item_audit_finds_all_items) {
  World world;
  const ItemAudit audit = world.Find();
  CHECK(audit.passed());
  CHECK_EQ(audit.items(), 2u);
  CHECK_EQ(audit.bytes(), 128u);
}

TEST(item_audit_sees_a_slot_that_points_nowhere) {
  World world;
  world.memory[world.Slot(kFirst, 1)] |= 0xFFFFFFFF;
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
  world.board.unread = 3;
  world.board.bad_lines = 1;
  CHECK(world.Find().passed());
  world.board.unread = 0;
  CHECK(!world.Find().passed());
}

TEST(item_audit_leaves_out_no_more_items_than_lines_have) {
  World world;
  world.memory[0] = 0;
  world.board.unread = 3;  // all that was forgotten since
  CHECK(!world.Find().passed());
}

TEST(item_audit_sees_a_slot_of_another_length) {
  World world;
  world.memory[0] = 16 | 80 << 8;
  CHECK_EQ(world.Find().strange(), 1u);
}

TEST(item_audit_sees_an_item_of_another_bucket) {
  World world;
  world.memory[kHash] = uint64_t{kFirst.low() ^ 0x80000000} << 32;
  CHECK_EQ(world.Find().elsewhere(), 1u);
}

TEST(item_audit_sees_a_slot_of_another_tag) {
  World world;
  world.memory[world.Slot(kFirst, 1)] ^= uint64_t{1} << kSlotTag.low;
  CHECK_EQ(world.Find().mismatched(), 1u);
  CHECK(!world.Find().passed());
}

TEST(item_audit_sees_an_item_of_another_key) {
  World world;
  world.memory[32] ^= 1;
  CHECK_EQ(world.Find().mismatched(), 1u);
}

TEST(item_audit_sees_another_hash_of_the_same_bucket) {
  World world;
  world.memory[kHash] ^= uint64_t{1} << 32;
  const ItemAudit audit = world.Find();
  CHECK_EQ(audit.elsewhere(), 0u);
  CHECK_EQ(audit.mismatched(), 1u);
}

TEST(item_audit_knows_the_seed) {
  Settings settings = Wanted();
  settings.hash_seed = 5;
  World world(settings);
  CHECK_EQ(world.Find().mismatched(), 2u);
  World other(settings);
  other.memory.clear();
  other.board.items = 0;
  other.Put({kFirst.text, 5}, 0, 1);
  CHECK(other.Find().passed());
  CHECK_EQ(other.Find().unchecked(), 0u);
}

TEST(item_audit_leaves_out_tags_of_other_hash_functions) {
  World world(Wanted(), 2);
  world.memory[world.Slot(kFirst, 1)] ^= uint64_t{1} << kSlotTag.low;
  CHECK(world.Find().passed());
  CHECK_EQ(world.Find().unchecked(), 2u);
}

TEST(item_audit_leaves_out_keys_that_go_on_elsewhere) {
  World world;
  constexpr uint64_t kUnits = (kHeaderBytes + 160) / kUnitBytes;
  world.Put({std::string(160, 'x')}, world.segment_units() - kUnits,
            2);  // header and key: all there
  CHECK(world.Find().passed());
  CHECK_EQ(world.Find().unchecked(), 0u);
  const Key beyond = {std::string(161, 'y')};
  world.Put(beyond, 2 * world.segment_units() - kUnits, 2);
  world.board.used = 2;
  --world.board.free;
  world.memory[2 * 16 * world.segment_units()] = 0x123456;  // another's
  CHECK(world.Find().passed());
  CHECK_EQ(world.Find().unchecked(), 1u);
}

TEST(item_audit_sees_items_over_one_another) {
  World world;
  world.Put(kThird, 2, 3);
  CHECK_EQ(world.Find().overlaps(), 1u);
}

TEST(item_audit_sees_a_tag_twice) {
  World world;
  world.Put(kFirst, 8, 3);
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

TEST(item_audit_sees_items_in_more_segments_than_are_in_use) {
  World world;
  world.Put(kThird, world.segment_units(), 3);
  const ItemAudit audit = world.Find();
  CHECK(audit.segments_add_up());
  CHECK(!audit.segments_suffice());
  CHECK(!audit.passed());
  world.board.used = 2;
  --world.board.free;
  CHECK(world.Find().passed());
}

TEST(item_audit_leaves_out_buckets_that_were_not_written) {
  World world;
  world.memory[0] = 0;
  world.unwritten = {{world.Bucket(kFirst), false}};
  world.board.bad_buckets = 1;
  CHECK(world.Find().passed());
  CHECK_EQ(world.Find().items(), 1u);
  ++world.board.items;  // which the circuit has counted all the same
  CHECK(!world.Find().counted());
}

TEST(item_audit_looks_at_buckets_that_were_made_empty_since) {
  World world;
  world.unwritten = {{world.Bucket(kFirst), true}};
  CHECK_EQ(world.Find().items(), 2u);
  world.memory[0] = 0;
  CHECK(!world.Find().passed());
  world.board.bad_buckets = 1;  // the circuit has it in its list still
  CHECK(world.Find().passed());
}

TEST(item_audit_sees_an_unwritten_bucket_that_the_circuit_does_not_know) {
  World world;
  world.unwritten = {{world.Bucket(kFirst), false}};
  CHECK(!world.Find().retired());
  CHECK(!world.Find().passed());
  world.board.bad_buckets = 2;  // nor is there another one that it may know
  CHECK(!world.Find().retired());
}

TEST(item_audit_believes_no_bucket_when_the_list_is_full) {
  World world;
  world.memory[0] = 0;
  world.unwritten = {{world.Bucket(kFirst), false}};
  world.board.bad_buckets = 8;
  world.board.all_buckets = true;
  CHECK(world.Find().passed());
  CHECK_EQ(world.Find().items(), 0u);
}

TEST(a_full_list_of_buckets_is_out_of_use_once_cleared) {
  ItemBoard board;
  Driver driver(board, Wanted());
  CHECK(!driver.OutOfUse());
  board.all_buckets = true;
  CHECK(driver.OutOfUse());
  board.clearing = true;
  CHECK(!driver.OutOfUse());
}

}  // namespace
}  // namespace wirecache::host
