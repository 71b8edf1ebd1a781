// SPDX-License-Identifier: Apache-2.0
#include "host/item_audit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "host/item_record.h"
#include "host/lookup3.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kLineItems = 3;  // that have part of a line of the log, at most

ItemHeader ReadHeader(const ItemAudit::Memory& memory, uint64_t address) {
  std::array<uint64_t, ItemHeader::kWords> words;
  for (size_t i = 0; i < words.size(); ++i) words[i] = memory(address + 8 * i);
  return ItemHeader(words);
}

// A length as a slot has it (wc_item_pkg::short_units).
uint64_t ShortUnits(uint64_t units) {
  if (units < 128) return units;
  const auto power = static_cast<unsigned>(std::bit_width(units)) - 1;
  return 128 + (power - 7) * 8 + (units >> (power - 3) & 7);
}

// The hash of the key that begins at this address.
uint64_t HashOf(const ItemAudit::Memory& memory, uint64_t address, uint64_t bytes, uint32_t seed) {
  std::array<uint8_t, (kMostKeyBytes + 7) / 8 * 8> key;
  for (uint64_t i = 0; i < bytes; i += 8) {
    const uint64_t word = memory(address + i);
    for (unsigned j = 0; j < 8; ++j) key[i + j] = static_cast<uint8_t>(word >> 8 * j);
  }
  return HashLittle2(std::span(key).first(bytes), seed);
}

}  // namespace

struct ItemAudit::Walk {
  const Driver& driver;
  const ItemLayout& layout;
  const Memory& memory;
  std::vector<std::pair<uint64_t, uint64_t>> places;  // of items: first unit, and behind the last
};

ItemAudit::ItemAudit(Driver& driver, const Memory& memory, const Unwritten& unwritten) {
  const ItemLayout& layout = driver.item_layout();
  const ItemState state = driver.ReadItemState();
  const MemoryState errors = driver.ReadMemoryState();
  driver.ReadCounters();

  // The circuit's list keeps a bucket until the table is cleared. Zeros are what a clear writes,
  // but also what a bucket has that was on the chip still when its items were deleted. So the list
  // has all that got no zeros, and it may have others. If it has no others, these are known.
  const auto surely = static_cast<uint64_t>(std::count_if(
      unwritten.begin(), unwritten.end(), [](const auto& bucket) { return !bucket.second; }));
  retired_ = errors.all_buckets || (surely <= errors.buckets && errors.buckets <= unwritten.size());
  const bool known = surely == errors.buckets;
  // A line of the log that memory did not take, or was given a word in error by a copy, is in a
  // list until it is written again or all is forgotten. Three items at most have part of a line.
  forgiven_ = std::min(driver.counter("unread"), kLineItems * errors.blocks);

  // An operation that meets an error of memory, or a bucket of the list, changes no slot. So the
  // circuit's count is right whatever memory does, and has the items in buckets of the list, too.
  Walk walk = {driver, layout, memory, {}};
  uint64_t all_items = 0;
  for (uint64_t bucket = 0; bucket < layout.buckets(); ++bucket) {
    const auto bad = unwritten.find(bucket);
    const bool listed = bad != unwritten.end() && !(known && bad->second);
    all_items += Look(walk, bucket, !errors.all_buckets && !listed);
  }
  counted_ = all_items == state.items;
  ComparePlaces(walk);

  // The host reads how many segments are free, not which. So this sees that items begin in more
  // segments than are in use. It does not see a free one with items while one that is in use has
  // none; nor one into which an item only goes on, as the chain is not known here.
  const unsigned used = state.count_new + state.count_main + state.lost;
  segments_suffice_ = begun_ <= used;
  segments_add_up_ = state.free + used == layout.segments;
}

uint64_t ItemAudit::Look(Walk& walk, uint64_t bucket, bool believed) {
  const uint64_t line = walk.layout.table_line + bucket;
  uint64_t items = 0;
  std::vector<uint64_t> tags;
  for (unsigned i = 0; i < kSlots; ++i) {
    const uint64_t slot = walk.memory(line * kLineBytes + 8 * i);
    if (slot == 0) continue;
    const bool item = FieldOf(slot, kSlotAccess) != kAccessNone;
    items += item;
    if (!believed) continue;
    tags.push_back(FieldOf(slot, kSlotTag));
    if (item) {
      LookAtItem(walk, bucket, slot);
    } else {
      ++ghosts_;
    }
  }
  std::sort(tags.begin(), tags.end());
  twice_ += static_cast<uint64_t>(tags.end() - std::unique(tags.begin(), tags.end()));
  return items;
}

void ItemAudit::LookAtItem(Walk& walk, uint64_t bucket, uint64_t slot) {
  const ItemLayout& layout = walk.layout;
  ++items_;
  const uint64_t unit = FieldOf(slot, kSlotAddress);
  if (unit >> layout.segment_bits >= layout.segments) {
    ++outside_;
    return;
  }
  const ItemHeader header = ReadHeader(walk.memory, unit * kUnitBytes);
  const uint64_t units = header.units();
  bytes_ += units * kUnitBytes;
  if (header.key_bytes() == 0 || header.key_bytes() > kMostKeyBytes ||
      units > layout.largest_units || ShortUnits(units) != FieldOf(slot, kSlotSpan)) {
    ++strange_;
    return;
  }
  const uint64_t segment = unit >> layout.segment_bits;
  const uint64_t end = (segment + 1) << layout.segment_bits;  // it may go on elsewhere
  walk.places.emplace_back(unit, std::min(unit + units, end));
  if (!layout.Leads(header.hash(), bucket)) {
    ++elsewhere_;
    return;
  }
  const uint64_t key = unit * kUnitBytes + kHeaderBytes;
  if (walk.driver.circuit().hash != HashKind::kLookup3 ||
      key + header.key_bytes() > end * kUnitBytes) {
    ++unchecked_;
  } else {
    const uint64_t hash = HashOf(walk.memory, key, header.key_bytes(), walk.driver.hash_seed());
    const auto places = layout.PlacesOf(hash);
    const auto right = [&](const ItemPlace& place) {
      return place.bucket == bucket && place.tag == FieldOf(slot, kSlotTag);
    };
    mismatched_ += static_cast<uint32_t>(hash) != header.hash() ||
                   std::none_of(places.begin(), places.end(), right);
  }
}

void ItemAudit::ComparePlaces(Walk& walk) {
  const unsigned segment_bits = walk.layout.segment_bits;
  auto& places = walk.places;
  std::sort(places.begin(), places.end());
  for (size_t i = 0; i < places.size(); ++i) {
    const uint64_t unit = places[i].first;
    overlaps_ += i > 0 && unit < places[i - 1].second;
    begun_ += i == 0 || unit >> segment_bits != places[i - 1].first >> segment_bits;
  }
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
  if (strange_ + elsewhere_ + mismatched_ > forgiven_) {
    add(strange_, "that point to no item:");
    add(elsewhere_, "to an item of another bucket:");
    add(mismatched_, "to an item whose key has another tag or hash:");
  }
  add(overlaps_, "items over one another:");
  add(twice_, "tags that a bucket has twice:");
  add(!counted_, "the circuit has not counted all items:");
  add(!segments_add_up_, "segments do not add up:");
  if (!segments_suffice_) add(begun_, "more segments than are in use have items:");
  add(!retired_, "the circuit has not kept all buckets that memory did not write:");
  return out;
}

}  // namespace wirecache::host
