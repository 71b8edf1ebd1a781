// SPDX-License-Identifier: Apache-2.0
#include "host/item_walk.h"

#include <algorithm>
#include <utility>

#include "host/item_record.h"

namespace wirecache::host {
namespace {

constexpr size_t kUnitWords = kUnitBytes / 8;
constexpr uint64_t kHeaderUnits = kHeaderBytes / kUnitBytes;
constexpr uint64_t kMostRun = 2048;  // beats, of up to 10 cycles each if they must be read

ItemHeader HeaderOf(const std::vector<uint64_t>& words, size_t first_word = 0) {
  std::array<uint64_t, ItemHeader::kWords> header;
  std::copy_n(words.begin() + first_word, header.size(), header.begin());
  return ItemHeader(header);
}

// As far as a touch or the like leaves it.
bool IsSame(const ItemHeader& before, const ItemHeader& now) {
  return now.cas() == before.cas() && now.key_bytes() == before.key_bytes() &&
         now.hash() == before.hash();
}

}  // namespace

uint64_t ItemWalk::SegmentEnd() const {
  return ((item_->address >> layout_.segment_bits) + 1) << layout_.segment_bits;
}

uint64_t ItemWalk::NextUnit() const {
  const uint64_t done = item_->words.size() / kUnitWords;
  return item_->address + (done < item_->units ? done : done - item_->units);
}

uint64_t ItemWalk::unit() const {
  if (!item_) return layout_.table_line * kBucketUnits + table_unit_;
  const uint64_t unit = NextUnit();
  return unit < SegmentEnd() ? unit : *item_->next_segment + (unit - SegmentEnd());
}

uint32_t ItemWalk::run() const {
  if (item_ || table_unit_ % beat_units_ != 0) return 0;
  const uint64_t beats = (table_end_ - table_unit_) / beat_units_;
  return static_cast<uint32_t>(std::min(beats - 1, kMostRun));
}

std::optional<uint32_t> ItemWalk::segment() const {
  if (!item_ || item_->next_segment || NextUnit() < SegmentEnd()) return std::nullopt;
  return static_cast<uint32_t>(item_->address >> layout_.segment_bits);
}

void ItemWalk::TakeNext(uint32_t segment) {
  item_->next_segment = uint64_t{segment} << layout_.segment_bits;
  if (segment >= layout_.segments) NextItem();  // it was no more what it had been
}

void ItemWalk::Take(const Unit& unit) {
  if (!item_) return TakeSlots(unit);
  if (unit.error) return NextItem();
  std::vector<uint64_t>& words = item_->words;
  words.insert(words.end(), unit.words.begin(), unit.words.end());
  if (words.size() == kHeaderUnits * kUnitWords) return TakeHeader();
  if (words.size() < (item_->units + kHeaderUnits) * kUnitWords) return;
  if (IsSame(HeaderOf(words), HeaderOf(words, item_->units * kUnitWords))) List();
  NextItem();
}

void ItemWalk::TakeSlots(const Unit& unit) {
  table_unit_ += uint64_t{unit.passed} * beat_units_;
  bucket_ = table_unit_ / kBucketUnits;
  table_unit_ += unit.zeros ? beat_units_ - table_unit_ % beat_units_ : 1;
  if (table_unit_ == table_end_) NextPlace();
  if (unit.error) return;
  for (const uint64_t slot : unit.words) {
    const uint64_t access = FieldOf(slot, kSlotAccess);
    const uint64_t address = FieldOf(slot, kSlotAddress);
    if (access == kAccessNone) continue;
    if (address >> layout_.segment_bits >= layout_.segments) continue;
    Item& item = found_.emplace_back();
    item.address = address;
    item.fetched = access >= kAccessEven;
  }
  NextItem();
}

void ItemWalk::TakeHeader() {
  const ItemHeader header = HeaderOf(item_->words);
  const uint64_t key_bytes = header.key_bytes();
  if (key_bytes == 0 || key_bytes > kMostKeyBytes || header.units() > layout_.largest_units ||
      !layout_.Leads(header.hash(), bucket_)) {
    return NextItem();
  }
  item_->units = (kHeaderBytes + key_bytes + kUnitBytes - 1) / kUnitBytes;
}

void ItemWalk::List() {
  const ItemHeader header = HeaderOf(item_->words, item_->units * kUnitWords);
  ListedItem& out = listed_.emplace();
  for (uint64_t i = 0; i < header.key_bytes(); ++i) {
    out.key += static_cast<char>(item_->words[ItemHeader::kWords + i / 8] >> 8 * (i % 8));
  }
  out.encoded = header.encoded();
  out.fetched = item_->fetched;
  out.expiry = header.expiry();
  out.used = header.used();
  out.flags = header.flags();
  out.cas = header.cas();
  if (header.given()) out.flushes = header.flushes();
  out.value_bytes = header.value_bytes();
}

std::optional<ListedItem> ItemWalk::TakeItem() { return std::exchange(listed_, std::nullopt); }

void ItemWalk::NextPlace() {
  if (places_.empty()) return;
  table_unit_ = places_.back().bucket * kBucketUnits;
  table_end_ = table_unit_ + buckets_ * kBucketUnits;
  places_.pop_back();
}

void ItemWalk::NextItem() {
  item_.reset();
  if (found_.empty()) return;
  item_ = std::move(found_.back());
  found_.pop_back();
}

}  // namespace wirecache::host
