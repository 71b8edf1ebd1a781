// SPDX-License-Identifier: Apache-2.0
#include "host/item_layout.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "wc_layout.h"

namespace wirecache::host {
namespace {

// What the registers of the circuit take (hw/item/regs).
constexpr uint64_t kMostBytes = uint64_t{64} << 30;
constexpr unsigned kFactorBits = 4;
constexpr unsigned kLeastFactor = 1u << (kFactorBits - 1);
constexpr unsigned kMostShift = 21;
constexpr unsigned kLeastSegmentBits = 11;
constexpr unsigned kMostSegmentBits = 24;
constexpr unsigned kLeastSegments = 32;

constexpr unsigned kUsualSegments = 128;  // at least, and fewer than twice as many
constexpr unsigned kNewShare = 10;        // the new log has this part of all segments
constexpr unsigned kLargestShare = 8;     // an item is at most this part of all segments
constexpr uint64_t kMostItemUnits = (uint64_t{1} << 20) - 1;
constexpr uint64_t kLeastUsualBytes = 32;

// The number of buckets has four bits and zeros behind them: what is wanted is rounded down.
void SizeTable(ItemLayout& layout, uint64_t memory_bytes, uint64_t usual_item_bytes) {
  const uint64_t slot_bytes = kLineBytes / kSlots;
  const uint64_t wanted = 2 * memory_bytes / (usual_item_bytes + 2 * slot_bytes) / kSlots;
  const auto bits = static_cast<unsigned>(std::bit_width(wanted));
  layout.shift = bits > kFactorBits ? bits - kFactorBits : 0;
  layout.factor = std::max(kLeastFactor, static_cast<unsigned>(wanted >> layout.shift));
  if (layout.shift > kMostShift) {
    layout.shift = kMostShift;
    layout.factor = (1u << kFactorBits) - 1;
  }
}

void SizeLog(ItemLayout& layout, uint64_t bytes) {
  const uint64_t units = bytes / kUnitBytes;
  const auto bits = static_cast<unsigned>(std::bit_width(units / kUsualSegments));
  layout.segment_bits = std::clamp(bits == 0 ? 0 : bits - 1, kLeastSegmentBits, kMostSegmentBits);
  layout.segments =
      static_cast<unsigned>(std::min<uint64_t>(units >> layout.segment_bits, 2 * kUsualSegments));
  layout.most_new = (layout.segments + kNewShare / 2) / kNewShare;
  const uint64_t all_units = uint64_t{layout.segments} << layout.segment_bits;
  layout.largest_units = std::min(all_units / kLargestShare, kMostItemUnits);
}

}  // namespace

uint64_t ItemLayout::segment_bytes() const { return kUnitBytes << segment_bits; }

bool ItemLayout::Leads(uint32_t hash, uint64_t bucket) const {
  const auto places = PlacesOf(hash);
  return std::any_of(places.begin(), places.end(),
                     [bucket](const ItemPlace& place) { return place.bucket == bucket; });
}

std::vector<ItemPlace> ItemLayout::PlacesOf(uint64_t hash) const {
  ItemPlace place = {(hash & UINT32_MAX) * buckets() >> 32, hash >> (64 - kSlotTag.bits)};
  if (ways == 1) return {place};
  const uint64_t walk = (uint64_t{1} << (std::min(shift, kWalkBits) & ~1u)) - 1;
  const uint64_t lower = walk / 3;  // of each two bits
  place.bucket &= ~uint64_t{ways - 1};
  place.tag = hash >> (64 - kSlotTag.bits + kWalkBits) << kWalkBits |
              (hash & ((uint64_t{1} << kWalkBits) - 1));
  place.tag = (place.tag & ~uint64_t{ways - 1}) | 1;
  std::vector<ItemPlace> places;
  for (unsigned i = 0; i < ways; ++i) {
    places.push_back(place);
    const uint64_t step = (place.bucket ^ place.tag) & walk;
    place.bucket = (place.bucket & ~walk) | (place.tag & walk);
    place.tag ^= ways == 4 ? (step & lower) << 1 | (step >> 1 & lower) : step;
  }
  return places;
}

ItemLayout MakeItemLayout(uint64_t memory_bytes, uint64_t usual_item_bytes) {
  if (memory_bytes > kMostBytes) {
    throw std::invalid_argument("memory must not be more than 64G, which is what addresses reach");
  }
  if (usual_item_bytes < kLeastUsualBytes) {
    throw std::invalid_argument("the usual size of items is 32 bytes at least");
  }
  ItemLayout layout;
  SizeTable(layout, memory_bytes, usual_item_bytes);
  const uint64_t lines = memory_bytes / kLineBytes;
  if (layout.buckets() < lines) {
    layout.table_line = lines - layout.buckets();
    SizeLog(layout, layout.table_line * kLineBytes);
  }
  if (layout.segments < kLeastSegments) {
    throw std::invalid_argument("memory is too small for 32 segments of 32 KiB and a table, 2M do");
  }
  return layout;
}

}  // namespace wirecache::host
