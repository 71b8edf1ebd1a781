// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_ITEM_RECORD_H_
#define WIRECACHE_HOST_ITEM_RECORD_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "wc_layout.h"

namespace wirecache::host {

// Slots of the item index and items, as they stand in memory, in words of 8 bytes.

inline uint64_t FieldOf(uint64_t word, BitField field) {
  return word >> field.low & ~uint64_t{0} >> (64 - field.bits);
}

// The words in front of an item's key.
class ItemHeader {
 public:
  static constexpr size_t kWords = kHeaderBytes / 8;

  explicit ItemHeader(const std::array<uint64_t, kWords>& words) : words_(words) {}

  uint64_t key_bytes() const { return Get(kHeaderKeyLen); }
  uint64_t value_bytes() const { return Get(kHeaderValueLen); }
  uint32_t hash() const { return static_cast<uint32_t>(Get(kHeaderHash)); }  // finds its bucket
  uint32_t flags() const { return static_cast<uint32_t>(Get(kHeaderFlags)); }
  uint32_t expiry() const { return static_cast<uint32_t>(Get(kHeaderExpiry)); }
  uint32_t used() const { return static_cast<uint32_t>(Get(kHeaderUsed)); }  // when, at last
  uint64_t cas() const { return Get(kHeaderCas); }
  // Whether a client has given it this number, and how many flushes there had been then.
  bool given() const { return Get(kHeaderGiven) != 0; }
  uint32_t flushes() const { return static_cast<uint32_t>(Get(kHeaderFlushes)); }
  bool encoded() const { return Get(kHeaderEncoded) != 0; }  // its key came in base64
  // All of the item, with the room that a number has.
  uint64_t units() const {
    const uint64_t room = Get(kHeaderNumber) != 0 ? kNumberBytes : value_bytes();
    const uint64_t bytes = kHeaderBytes + (key_bytes() + 7) / 8 * 8 + room;
    return (bytes + kUnitBytes - 1) / kUnitBytes;
  }

 private:
  // The field that begins at this bit, the words behind one another.
  uint64_t Get(BitField field) const {
    return FieldOf(words_[field.low / 64], {field.low % 64, field.bits});
  }

  std::array<uint64_t, kWords> words_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_ITEM_RECORD_H_
