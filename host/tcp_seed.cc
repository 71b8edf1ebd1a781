// SPDX-License-Identifier: Apache-2.0
#include "host/tcp_seed.h"

#include <algorithm>

namespace wirecache::host {
namespace {

constexpr unsigned kPeerBits = 48;
constexpr unsigned kRows = 8;
constexpr unsigned kColumns = 17;

// Bit i of the peer turns round those bits of the hash that are set here (Toeplitz).
uint32_t Row(const TcpSeed& seed, unsigned i) {
  const uint64_t low = seed[i / 32];
  const uint64_t high = i / 32 + 1 < seed.size() ? seed[i / 32 + 1] : 0;
  return static_cast<uint32_t>((low | high << 32) >> i % 32) & ((1u << kColumns) - 1);
}

// None of the rows is the sum of others.
bool Independent(std::array<uint32_t, kRows> rows) {
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    if (*row == 0) return false;
    const uint32_t lowest = *row & -*row;
    std::for_each(row + 1, rows.end(), [row, lowest](uint32_t& other) {
      if ((other & lowest) != 0) other ^= *row;
    });
  }
  return true;
}

}  // namespace

bool Spreads(const TcpSeed& seed) {
  for (unsigned first = 0; first + kRows <= kPeerBits; ++first) {
    std::array<uint32_t, kRows> rows;
    for (unsigned i = 0; i < kRows; ++i) rows[i] = Row(seed, first + i);
    if (!Independent(rows)) return false;
  }
  return true;
}

TcpSeed DrawTcpSeed(const std::function<uint32_t()>& random) {
  TcpSeed seed;
  do {
    for (uint32_t& word : seed) word = random();
  } while (!Spreads(seed));
  return seed;
}

}  // namespace wirecache::host
