// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_ITEM_LAYOUT_H_
#define WIRECACHE_HOST_ITEM_LAYOUT_H_

#include <cstdint>
#include <vector>

namespace wirecache::host {

// Where a slot of a key may be, and the tag that it has there.
struct ItemPlace {
  uint64_t bucket, tag;
};

// Who gets what of the memory of a board with the item index: the segments of the log at the
// bottom, the table at the end.
struct ItemLayout {
  uint64_t table_line = 0;  // where the table starts, in lines
  unsigned factor = 0;      // the table has factor << shift buckets, a line each
  unsigned shift = 0;
  unsigned segment_bits = 0;  // a segment has 2^segment_bits units
  unsigned segments = 0;
  unsigned most_new = 0;       // segments of the new log before it gives way
  uint64_t largest_units = 0;  // of an item with its header and key
  unsigned ways = 1;           // buckets in which a key may be

  uint64_t buckets() const { return uint64_t{factor} << shift; }
  uint64_t segment_bytes() const;
  uint64_t log_bytes() const { return segments * segment_bytes(); }
  // The places of a key with this hash (wc_cuckoo_pkg). Its lower half is enough for the buckets.
  std::vector<ItemPlace> PlacesOf(uint64_t hash) const;
  // One of them is in this bucket.
  bool Leads(uint32_t hash, uint64_t bucket) const;
};

// Divides `memory_bytes` so that half of the slots or more are in use when the log is full of items
// of `usual_item_bytes`, header and key included. Throws std::invalid_argument, with a message for
// the user, when there is too little memory or more than addresses reach.
ItemLayout MakeItemLayout(uint64_t memory_bytes, uint64_t usual_item_bytes);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_ITEM_LAYOUT_H_
