// SPDX-License-Identifier: Apache-2.0
#include "host/key_list.h"

#include <string_view>

#include "wc_layout.h"

namespace wirecache::host {
namespace {

// As in an URI: what is no letter, digit or one of four signs becomes % and two hex digits.
std::string UriEncoded(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != kPlain.npos) {
      out += c;
    } else {
      const auto byte = static_cast<uint8_t>(c);
      (out += '%') += kHex[byte >> 4];
      out += kHex[byte & 15];
    }
  }
  return out;
}

std::string Base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view part = bytes.substr(i, 3);
    uint32_t three = 0;
    for (size_t j = 0; j < 3; ++j) {
      three = three << 8 | (j < part.size() ? static_cast<uint8_t>(part[j]) : 0);
    }
    for (size_t j = 0; j < 4; ++j) {
      out += j <= part.size() ? kDigits[three >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

}  // namespace

std::string KeyList::Line(const ListedItem& item, uint32_t accessed) const {
  switch (form) {
    case Form::kMgdump:
      return "mg " + (item.encoded ? Base64(item.key) + " b" : item.key) + "\r\n";
    case Form::kCachedump:
      return "ITEM " + item.key + " [" + std::to_string(item.value_bytes) + " b; " +
             std::to_string(item.expiry) + " s]\r\n";
    case Form::kMetadump:
      break;
  }
  const uint64_t size =
      kItemBytes + item.key.size() + item.value_bytes + (item.flags != 0 ? kItemFlagBytes : 0);
  return "key=" + UriEncoded(item.key) +
         " exp=" + (item.expiry == 0 ? "-1" : std::to_string(item.expiry)) +
         " la=" + std::to_string(accessed) + " cas=" + std::to_string(item.cas) +
         " fetch=" + (item.fetched ? "yes" : "no") + " cls=1 size=" + std::to_string(size) + "\n";
}

}  // namespace wirecache::host
