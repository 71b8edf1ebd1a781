// SPDX-License-Identifier: Apache-2.0
#include "host/uri.h"

#include <cstdint>

namespace wirecache::host {

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

}  // namespace wirecache::host
