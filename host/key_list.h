// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_KEY_LIST_H_
#define WIRECACHE_HOST_KEY_LIST_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace wirecache::host {

// An item as a list of keys tells of it.
struct ListedItem {
  std::string key;       // as the item has it: bytes, whatever they came as
  bool encoded = false;  // it came in base64
  bool fetched = false;  // it was read since it was stored
  uint32_t expiry = 0;   // Unix seconds; 0: none
  uint32_t used = 0;     // when it was last used, likewise
  uint32_t flags = 0;
  uint64_t cas = 0;
  std::optional<uint32_t> flushes = {};  // a client gave that number when so many had been counted
  uint64_t value_bytes = 0;
};

// A list of keys, as a command asks for it. That of `me` has one item at most, which has this key.
struct KeyList {
  enum class Form { kMetadump, kMgdump, kCachedump, kMe };
  Form form = Form::kMetadump;
  uint64_t most = std::numeric_limits<uint64_t>::max();  // items
  std::optional<std::string> key = {};

  bool Wants(const ListedItem& item) const { return !key || item.key == *key; }
  // The line of an item, now.
  std::string Line(const ListedItem& item, uint32_t now) const;
  // Behind so many items.
  std::string End(uint64_t items) const;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_KEY_LIST_H_
