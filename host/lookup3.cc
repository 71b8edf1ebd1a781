// SPDX-License-Identifier: Apache-2.0
#include "host/lookup3.h"

#include <array>
#include <bit>
#include <cstddef>

namespace wirecache::host {
namespace {

constexpr size_t kChunkBytes = 12;

struct State {
  uint32_t a, b, c;

  // Adds up to 12 bytes, first one lowest.
  void Add(std::span<const uint8_t> chunk) {
    std::array<uint32_t, 3> words = {};
    for (size_t i = 0; i < chunk.size(); ++i) words[i / 4] |= uint32_t{chunk[i]} << 8 * (i % 4);
    a += words[0];
    b += words[1];
    c += words[2];
  }

  void Mix() {
    Step(a, c, b, 4);
    Step(b, a, c, 6);
    Step(c, b, a, 8);
    Step(a, c, b, 16);
    Step(b, a, c, 19);
    Step(c, b, a, 4);
  }

  void Final() {
    Last(c, b, 14);
    Last(a, c, 11);
    Last(b, a, 25);
    Last(c, b, 16);
    Last(a, c, 4);
    Last(b, a, 14);
    Last(c, b, 24);
  }

 private:
  static void Step(uint32_t& x, uint32_t& y, uint32_t z, int bits) {
    x = (x - y) ^ std::rotl(y, bits);
    y += z;
  }
  static void Last(uint32_t& x, uint32_t y, int bits) { x = (x ^ y) - std::rotl(y, bits); }
};

}  // namespace

uint64_t HashLittle2(std::span<const uint8_t> key, uint32_t seed) {
  const uint32_t start = 0xDEADBEEF + static_cast<uint32_t>(key.size()) + seed;
  State state = {start, start, start};
  if (!key.empty()) {
    for (; key.size() > kChunkBytes; key = key.subspan(kChunkBytes)) {
      state.Add(key.first(kChunkBytes));
      state.Mix();
    }
    state.Add(key);
    state.Final();
  }
  return uint64_t{state.b} << 32 | state.c;
}

}  // namespace wirecache::host
