// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_ITEM_WALK_H_
#define WIRECACHE_HOST_ITEM_WALK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/item_layout.h"
#include "host/key_list.h"
#include "wc_layout.h"

namespace wirecache::host {

// Goes over the items of a board with the item index, those of all buckets or those in which a key
// may be, bucket by bucket, while the board is at work.
// It says which unit of memory it wants to see next and is given it, so it knows nothing of
// registers. What is stored or forgotten meanwhile may be met or not; what stays is met once, but
// for items that are moved to another bucket meanwhile.
//
// An item whose place was given to others while it was read is left out: whatever the header has,
// it must lead to this bucket, and CAS number, hash and length of the key must be the same when the
// key has been read. (A CAS number alone does not tell: clients may give several items one.)
class ItemWalk {
 public:
  // The board reads so many units at a time, a beat.
  ItemWalk(const ItemLayout& layout, unsigned beat_units)
      : ItemWalk(layout, beat_units, layout.buckets(), {{.bucket = 0, .tag = 0}}) {}
  // Those of the buckets of a key with this hash.
  ItemWalk(const ItemLayout& layout, unsigned beat_units, uint32_t hash)
      : ItemWalk(layout, beat_units, 1, layout.PlacesOf(hash)) {}

  // All of these buckets have been looked at.
  bool ended() const { return between_items() && table_unit_ == table_end_ && places_.empty(); }
  // It is not within an item.
  bool between_items() const { return !item_; }

  // What it wants to know: if there is a segment, the one behind it; else a unit of memory.
  std::optional<uint32_t> segment() const;
  uint64_t unit() const;
  // From there on so many beats may be passed over while they are zero; so few that a read is
  // short.
  uint32_t run() const;

  // What was read, when so many beats had been passed; `zeros`: all of the beat is zero.
  struct Unit {
    std::array<uint64_t, kUnitBytes / 8> words{};
    uint32_t passed = 0;
    bool zeros = false;
    bool error = false;  // memory did not tell
  };
  void Take(const Unit& unit);
  void TakeNext(uint32_t segment);

  // The item that ended with the last unit.
  std::optional<ListedItem> TakeItem();

 private:
  static constexpr uint64_t kBucketUnits = kLineBytes / kUnitBytes;

  struct Item {
    uint64_t address = 0;  // its first unit
    bool fetched = false;
    std::vector<uint64_t> words;           // that have been read
    uint64_t units = 2;                    // of header and key, as far as is known
    std::optional<uint64_t> next_segment;  // first unit of the one in which it goes on
  };

  // So many buckets from each place on.
  ItemWalk(const ItemLayout& layout, unsigned beat_units, uint64_t buckets,
           std::vector<ItemPlace> places)
      : layout_(layout), beat_units_(beat_units), buckets_(buckets), places_(std::move(places)) {
    NextPlace();
  }

  void TakeSlots(const Unit& unit);
  void TakeHeader();  // of item_, when it has been read
  void List();        // item_, when its header has been read again
  void NextPlace();
  void NextItem();  // of those that were found
  uint64_t SegmentEnd() const;
  uint64_t NextUnit() const;  // of item_, as if its segments lay one behind the other

  ItemLayout layout_;
  unsigned beat_units_;
  uint64_t buckets_;
  std::vector<ItemPlace> places_;  // that are still to come, the next one last
  uint64_t table_unit_ = 0;        // of the table, that is read next
  uint64_t table_end_ = 0;         // behind the last one
  uint64_t bucket_ = 0;            // of the items that were found
  std::vector<Item> found_;
  std::optional<Item> item_;  // that is read
  std::optional<ListedItem> listed_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_ITEM_WALK_H_
