// SPDX-License-Identifier: Apache-2.0
#include "host/key_list.h"

#include "host/base64.h"
#include "host/uri.h"
#include "wc_layout.h"

namespace wirecache::host {
namespace {

// What the longest lines tell of an item, with these times.
std::string Facts(const ListedItem& item, int64_t expiry, int64_t used) {
  const uint64_t size =
      kItemBytes + item.key.size() + item.value_bytes + (item.flags != 0 ? kItemFlagBytes : 0);
  return " exp=" + std::to_string(expiry) + " la=" + std::to_string(used) +
         " cas=" + std::to_string(item.cas) + " fetch=" + (item.fetched ? "yes" : "no") +
         " cls=1 size=" + std::to_string(size);
}

}  // namespace

std::string KeyList::Line(const ListedItem& item, uint32_t now) const {
  constexpr int64_t kNever = -1;
  const std::string key = item.encoded ? Base64(item.key) : item.key;
  switch (form) {
    case Form::kMgdump:
      return "mg " + key + (item.encoded ? " b" : "") + "\r\n";
    case Form::kCachedump:
      return "ITEM " + item.key + " [" + std::to_string(item.value_bytes) + " b; " +
             std::to_string(item.expiry) + " s]\r\n";
    case Form::kMe:  // in seconds from now, what is to come with a minus sign
      return "ME " + key +
             Facts(item, item.expiry == 0 ? kNever : int64_t{now} - item.expiry,
                   int64_t{now} - item.used) +
             "\r\n";
    case Form::kMetadump:
      break;
  }
  return "key=" + UriEncoded(item.key) +
         Facts(item, item.expiry == 0 ? kNever : int64_t{item.expiry}, item.used) + "\n";
}

std::string KeyList::End(uint64_t items) const {
  if (form == Form::kMe) return items == 0 ? "EN\r\n" : "";
  return form == Form::kMgdump ? "EN\r\n" : "END\r\n";
}

}  // namespace wirecache::host
