// SPDX-License-Identifier: Apache-2.0
#include "host/item_walk.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "host/item_layout.h"
#include "host/item_record.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kTwoMebibytes = 2 << 20;

void Put(uint64_t& word, BitField field, uint64_t value) { word |= value << field.low % 64; }

// Memory of a board, and what it reads for a walk.
class World {
 public:
  explicit World(unsigned beat_units)
      : layout_(MakeItemLayout(kTwoMebibytes, 100)), beat_units_(beat_units) {}

  const ItemLayout& layout() const { return layout_; }
  uint64_t segment_units() const { return uint64_t{1} << layout_.segment_bits; }

  // An item in a slot of a bucket; it goes on in `next`, as the links say.
  void Store(const std::string& key, uint64_t bucket, unsigned slot, uint64_t unit,
             uint64_t cas = 1, std::optional<uint32_t> flushes = {}) {
    std::vector<uint64_t> words(ItemHeader::kWords + (key.size() + 7) / 8);
    Put(words[kHeaderKeyLen.low / 64], kHeaderKeyLen, key.size());
    Put(words[kHeaderValueLen.low / 64], kHeaderValueLen, 5);
    Put(words[kHeaderExpiry.low / 64], kHeaderExpiry, 77);
    Put(words[kHeaderCas.low / 64], kHeaderCas, cas);
    Put(words[kHeaderFlags.low / 64], kHeaderFlags, 9);
    Put(words[kHeaderUsed.low / 64], kHeaderUsed, 55);
    Put(words[kHeaderGiven.low / 64], kHeaderGiven, flushes.has_value());
    Put(words[kHeaderFlushes.low / 64], kHeaderFlushes, flushes.value_or(0));
    // A hash that finds the bucket, as it is worked out of it; another one for another key.
    const uint64_t least = ((bucket << 32) + layout_.buckets() - 1) / layout_.buckets();
    const uint64_t hash = least + static_cast<uint8_t>(key.front());
    Put(words[kHeaderHash.low / 64], kHeaderHash, hash);
    for (size_t i = 0; i < key.size(); ++i) {
      words[ItemHeader::kWords + i / 8] |= uint64_t{static_cast<uint8_t>(key[i])} << 8 * (i % 8);
    }
    for (size_t i = 0; i < words.size(); ++i) {
      uint64_t at = unit + i / 2;
      const uint64_t end = (unit / segment_units() + 1) * segment_units();
      if (at >= end) at = links[unit / segment_units()] * segment_units() + (at - end);
      memory[2 * at + i % 2] = words[i];
    }
    uint64_t& entry = memory[8 * (layout_.table_line + bucket) + slot];
    entry = uint64_t{slot % 2 == 1 ? kAccessEven : kAccessStored} << kSlotAccess.low |
            uint64_t{1} << kSlotMain.low | unit << kSlotAddress.low;
  }

  // The keys that a walk finds, each once. Its reads are counted.
  std::set<std::string> Walk() { return Walk(ItemWalk(layout_, beat_units_)); }
  std::set<std::string> Walk(ItemWalk walk) {
    std::set<std::string> keys;
    reads = 0;
    while (!walk.ended()) {
      if (const auto segment = walk.segment()) {
        walk.TakeNext(links[*segment]);
        continue;
      }
      CHECK(++reads < 100'000);
      walk.Take(Read(walk.unit(), walk.run()));
      if (after_read) after_read(reads);
      if (const auto item = walk.TakeItem()) {
        CHECK(keys.insert(item->key).second);
        items.push_back(*item);
      }
    }
    return keys;
  }

  std::map<uint64_t, uint64_t> memory;  // words
  std::map<uint64_t, uint32_t> links;   // of segments
  std::set<uint64_t> unreadable;        // beats
  std::function<void(uint64_t)> after_read;
  std::vector<ListedItem> items;
  uint64_t reads = 0;

 private:
  ItemWalk::Unit Read(uint64_t unit, uint32_t run) {
    ItemWalk::Unit out;
    const auto beat_is_zero = [this](uint64_t beat) {
      for (uint64_t i = 0; i < 2 * beat_units_; ++i) {
        if (memory[2 * beat_units_ * beat + i] != 0) return false;
      }
      return true;
    };
    uint64_t beat = unit / beat_units_;
    while (out.passed < run && beat_is_zero(beat) && !unreadable.contains(beat)) {
      ++beat;
      ++out.passed;
    }
    out.zeros = beat_is_zero(beat);
    out.error = unreadable.contains(beat);
    const uint64_t at = beat * beat_units_ + unit % beat_units_;
    for (size_t i = 0; i < out.words.size(); ++i) {
      out.words[i] = out.error ? ~uint64_t{0} : memory[2 * at + i];
    }
    return out;
  }

  ItemLayout layout_;
  unsigned beat_units_;
};

using Keys = std::set<std::string>;

TEST(item_walk_finds_all_items) {
  for (const unsigned beat_units : {1u, 4u}) {
    World world(beat_units);
    CHECK(world.Walk().empty());
    const uint64_t beats = world.layout().buckets() * (kLineBytes / kUnitBytes) / beat_units;
    CHECK_EQ(world.reads, (beats + 2047) / 2048);  // as many as a read may pass
    const uint64_t last = world.layout().buckets() - 1;
    Keys wanted;
    uint64_t unit = 0;
    for (const uint64_t bucket : {uint64_t{0}, uint64_t{1}, uint64_t{7}, last - 1, last}) {
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        const std::string key(1 + (bucket * 31 + slot * 37) % kMostKeyBytes, 'a' + slot % 26);
        const std::string name = key.substr(0, key.size() - 1) + static_cast<char>(unit % 251 + 1);
        world.Store(name, bucket, slot, unit);
        wanted.insert(name);
        unit += 20;
      }
    }
    CHECK(wanted.size() > 30);
    CHECK(world.Walk() == wanted);
    for (const ListedItem& item : world.items) {
      CHECK_EQ(item.expiry, 77u);
      CHECK_EQ(item.flags, 9u);
      CHECK_EQ(item.cas, 1u);
      CHECK_EQ(item.value_bytes, 5u);
      CHECK(!item.encoded);
      CHECK(!item.flushes);
    }
    const auto fetched = std::count_if(world.items.begin(), world.items.end(),
                                       [](const ListedItem& item) { return item.fetched; });
    CHECK_EQ(static_cast<size_t>(fetched), world.items.size() / 2);
  }
}

TEST(item_walk_tells_where_numbers_come_from) {
  World world(4);
  const uint32_t most = (1u << kHeaderFlushes.bits) - 1;
  world.Store("drawn", 1, 0, 0, 77);
  world.Store("given", 2, 0, 20, ~uint64_t{0}, most);
  world.Store("0", 3, 0, 40, 0, 0);
  CHECK(world.Walk() == (Keys{"drawn", "given", "0"}));
  for (const ListedItem& item : world.items) {
    CHECK_EQ(item.cas, item.key == "drawn" ? 77 : item.key == "given" ? ~uint64_t{0} : 0);
    CHECK(item.flushes == (item.key == "drawn"   ? std::nullopt
                           : item.key == "given" ? std::optional(most)
                                                 : std::optional(0u)));
    CHECK(!item.encoded);
    CHECK_EQ(item.used, 55u);
  }
}

TEST(item_walk_of_one_bucket) {
  for (const unsigned beat_units : {1u, 4u}) {
    World world(beat_units);
    const uint64_t last = world.layout().buckets() - 1;
    for (const uint64_t bucket : {uint64_t{0}, uint64_t{5}, uint64_t{6}, last}) {
      world.Store("in " + std::to_string(bucket), bucket, 3, 20 * bucket % 1000);
    }
    const auto of = [&](uint64_t bucket) {  // by a hash that finds it
      const uint64_t hash = ((bucket << 32) + last) / (last + 1);
      return world.Walk(ItemWalk(world.layout(), beat_units, static_cast<uint32_t>(hash)));
    };
    for (const uint64_t bucket : {uint64_t{0}, uint64_t{5}, uint64_t{6}, last}) {
      CHECK(of(bucket) == Keys{"in " + std::to_string(bucket)});
      CHECK(world.reads < 10);
    }
    CHECK(of(7).empty() && of(last - 1).empty());
    CHECK_EQ(world.reads, 1u);  // a bucket of zeros is passed over
  }
}

TEST(item_walk_follows_an_item_into_the_next_segment) {
  World world(4);
  const std::string key(250, 'k');
  world.links[3] = 9;
  world.links[9] = 1;
  world.Store(key, 5, 0, 4 * world.segment_units() - 2);  // header and a word of the key
  world.Store("in the next one", 5, 1, 9 * world.segment_units() + 16);
  CHECK(world.Walk() == (Keys{key, "in the next one"}));
  world.links[3] = world.layout().segments;  // it was told nothing
  CHECK(world.Walk() == Keys{"in the next one"});
}

TEST(item_walk_leaves_out_what_is_no_item) {
  World world(4);
  world.Store("a", 5, 0, 0);
  world.Store("of another bucket", 6, 1, 10);
  uint64_t& slot = world.memory[8 * (world.layout().table_line + 5) + 3];
  slot = uint64_t{kAccessStored} << kSlotAccess.low | 10;
  uint64_t& outside = world.memory[8 * (world.layout().table_line + 5) + 4];
  outside = uint64_t{kAccessStored} << kSlotAccess.low | 0xFFFFFFFF;
  uint64_t& nothing = world.memory[8 * (world.layout().table_line + 5) + 5];
  nothing = uint64_t{kAccessStored} << kSlotAccess.low | 500;  // zeros
  uint64_t& ghost = world.memory[8 * (world.layout().table_line + 5) + 6];
  ghost = uint64_t{1} << kSlotMain.low;
  CHECK(world.Walk() == (Keys{"a", "of another bucket"}));
}

TEST(item_walk_leaves_out_an_item_that_changes_while_it_is_read) {
  // The place of the second one is given to another item of the bucket behind each of the reads,
  // one with a number of its own or with the number that a client gave both.
  const Keys known{"the first one", "the second one, of some length",
                   "another key that is as long, I"};
  for (const uint64_t cas : {uint64_t{2}, uint64_t{3}}) {
    for (uint64_t at = 1; at < 14; ++at) {
      World world(4);
      world.Store("the first one", 5, 0, 0, 1);
      world.Store("the second one, of some length", 5, 1, 100, 2, 7);
      world.after_read = [&](uint64_t reads) {
        if (reads != at) return;
        for (uint64_t word = 200; word < 220; ++word) world.memory.erase(word);
        world.Store("another key that is as long, I", 5, 1, 100, cas, 7);
      };
      for (const std::string& key : world.Walk()) CHECK(known.contains(key));
    }
  }
}

TEST(item_walk_lists_an_item_that_is_used_while_it_is_read) {
  for (uint64_t at = 1; at < 10; ++at) {
    World world(4);
    world.Store("a key of three units", 5, 0, 100);
    world.after_read = [&](uint64_t reads) {
      if (reads == at) Put(world.memory[200 + kHeaderUsed.low / 64], kHeaderUsed, 1 << 9);
    };
    CHECK(world.Walk() == Keys{"a key of three units"});
    CHECK(world.items.front().used == 55u || world.items.front().used == (55u | 1 << 9));
  }
}

TEST(item_walk_goes_past_what_memory_does_not_tell) {
  for (const unsigned beat_units : {1u, 4u}) {
    World world(beat_units);
    world.Store("bucket", 5, 0, 0);
    world.Store("item", 6, 0, 40);
    world.Store("sound", 7, 0, 80);
    world.unreadable.insert((world.layout().table_line + 5) * 4 / beat_units);
    world.unreadable.insert(40 / beat_units);
    CHECK(world.Walk() == Keys{"sound"});
  }
}

}  // namespace
}  // namespace wirecache::host
