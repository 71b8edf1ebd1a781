// SPDX-License-Identifier: Apache-2.0
#include "host/item_audit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

namespace wirecache::host {
namespace {

uint64_t Field(uint64_t word, BitField field) {
  return word >> field.low & ((uint64_t{1} << field.bits) - 1);
}

// What an item's header says of its place and length.
struct Header {
  uint64_t key_bytes;
  uint64_t value_bytes;
  uint32_t hash;  // the half that finds the bucket

  uint64_t units() const {
    const uint64_t bytes = kHeaderBytes + (key_bytes + 7) / 8 * 8 + value_bytes;
    return (bytes + kUnitBytes - 1) / kUnitBytes;
  }
};

// The field that begins at this bit of the header, whose words lie behind one another.
uint64_t HeaderField(const std::array<uint64_t, 3>& words, BitField field) {
  return Field(words[field.low / 64], {field.low % 64, field.bits});
}

Header ReadHeader(const ItemAudit::Memory& memory, uint64_t address) {
  std::array<uint64_t, 3> words;
  for (size_t i = 0; i < words.size(); ++i) words[i] = memory(address + 8 * i);
  return {.key_bytes = HeaderField(words, kHeaderKeyLen),
          .value_bytes = HeaderField(words, kHeaderValueLen),
          .hash = static_cast<uint32_t>(HeaderField(words, kHeaderHash))};
}

// A length as a slot has it (wc_item_pkg::short_units).
uint64_t ShortUnits(uint64_t units) {
  if (units < 128) return units;
  const auto power = static_cast<unsigned>(std::bit_width(units)) - 1;
  return 128 + (power - 7) * 8 + (units >> (power - 3) & 7);
}

}  // namespace

ItemAudit::ItemAudit(Driver& driver, const Memory& memory, const std::set<uint64_t>& unwritten) {
  const ItemLayout& layout = driver.item_layout();
  const ItemState state = driver.ReadItemState();
  const MemoryState errors = driver.ReadMemoryState();
  const uint64_t log_units = uint64_t{layout.segments} << layout.segment_bits;
  const uint64_t segment_units = uint64_t{1} << layout.segment_bits;
  driver.ReadCounters();
  unread_ = driver.counter("unread");
  std::vector<std::pair<uint64_t, uint64_t>> places;  // of items: first unit, and behind the last

  for (uint64_t bucket = 0; bucket < layout.buckets() && !errors.all_buckets; ++bucket) {
    if (unwritten.contains(bucket)) continue;
    std::vector<uint64_t> tags;
    for (unsigned i = 0; i < kSlots; ++i) {
      const uint64_t slot = memory((layout.table_line + bucket) * kLineBytes + 8 * i);
      const uint64_t slot_state = Field(slot, kSlotState);
      if (slot_state == kSlotEmpty) continue;
      tags.push_back(Field(slot, kSlotTag));
      if (slot_state == kSlotGhost) {
        ++ghosts_;
        continue;
      }
      ++items_;
      const uint64_t unit = Field(slot, kSlotAddress);
      if (unit >= log_units) {
        ++outside_;
        continue;
      }
      const Header header = ReadHeader(memory, unit * kUnitBytes);
      const uint64_t units = header.units();
      bytes_ += units * kUnitBytes;
      if (header.key_bytes == 0 || header.key_bytes > kMostKeyBytes ||
          units > layout.largest_units || ShortUnits(units) != Field(slot, kSlotSpan)) {
        ++strange_;
        continue;
      }
      if (layout.BucketOf(header.hash) != bucket) ++elsewhere_;
      const uint64_t end = (unit / segment_units + 1) * segment_units;  // it may go on elsewhere
      places.emplace_back(unit, std::min(unit + units, end));
    }
    std::sort(tags.begin(), tags.end());
    twice_ += static_cast<uint64_t>(tags.end() - std::unique(tags.begin(), tags.end()));
  }

  std::sort(places.begin(), places.end());
  for (size_t i = 1; i < places.size(); ++i) {
    overlaps_ += places[i].first < places[i - 1].second;
  }
  // With buckets that the circuit has lost it cannot know what was in them.
  counted_ = !unwritten.empty() || errors.any() || items_ == state.items;
  segments_add_up_ =
      state.free + state.count_new + state.count_main + state.lost == layout.segments;
}

bool ItemAudit::passed() const { return Complaint().empty(); }

std::string ItemAudit::Complaint() const {
  std::string out;
  const auto add = [&out](uint64_t count, const char* what) {
    if (count == 0) return;
    if (!out.empty()) out += ", ";
    out += what;
    out += " " + std::to_string(count);
  };
  add(outside_, "slots that point to no segment:");
  if (strange_ + elsewhere_ > unread_) {
    add(strange_, "that point to no item:");
    add(elsewhere_, "to an item of another bucket:");
  }
  add(overlaps_, "items over one another:");
  add(twice_, "tags that a bucket has twice:");
  add(!counted_, "the circuit has not counted all items:");
  add(!segments_add_up_, "segments do not add up:");
  return out;
}

}  // namespace wirecache::host
