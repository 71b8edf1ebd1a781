// SPDX-License-Identifier: Apache-2.0
#include "host/base64.h"

#include <cstddef>
#include <cstdint>

namespace wirecache::host {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr size_t kGroup = 4;  // digits, of six bits each: three bytes

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += kGroup - 1) {
    const std::string_view part = bytes.substr(i, kGroup - 1);
    uint32_t three = 0;
    for (size_t j = 0; j < kGroup - 1; ++j) {
      three = three << 8 | (j < part.size() ? static_cast<uint8_t>(part[j]) : 0);
    }
    for (size_t j = 0; j < kGroup; ++j) {
      out += j <= part.size() ? kDigits[three >> (18 - 6 * j) & 63] : '=';
    }
  }
  return out;
}

std::optional<std::string> FromBase64(std::string_view text) {
  std::string digits;
  for (const char c : text) {
    if (c == '=' || kDigits.find(c) != kDigits.npos) digits += c;
  }
  if (digits.size() % kGroup != 0) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < digits.size(); i += kGroup) {
    uint32_t three = 0;
    size_t spare = 0;  // bytes of the group that are not there
    for (const char c : std::string_view(digits).substr(i, kGroup)) {
      three = three << 6 | (c == '=' ? 0 : static_cast<uint32_t>(kDigits.find(c)));
      spare += c == '=' ? 1 : 0;
    }
    if (spare >= kGroup - 1) return std::nullopt;
    for (size_t j = 0; j < kGroup - 1 - spare; ++j) out += static_cast<char>(three >> (16 - 8 * j));
    if (spare != 0) break;
  }
  if (out.empty()) return std::nullopt;
  return out;
}

}  // namespace wirecache::host
