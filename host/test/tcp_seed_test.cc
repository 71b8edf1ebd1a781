// SPDX-License-Identifier: Apache-2.0
#include "host/tcp_seed.h"

#include <random>
#include <set>

#include "host/driver.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

// What the circuit makes of a peer, in front of what is not linear: the lowest 17 bits.
uint32_t Hash(const TcpSeed& seed, uint64_t peer) {
  const auto bit = [&seed](unsigned i) { return i < 96 ? seed[i / 32] >> i % 32 & 1 : 0; };
  uint32_t hash = 0;
  for (unsigned i = 0; i < 48; ++i) {
    if ((peer >> i & 1) == 0) continue;
    for (unsigned j = 0; j < 17; ++j) hash ^= bit(i + j) << j;
  }
  return hash;
}

TEST(a_seed_that_is_drawn_spreads_peers) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 50; ++turn) {
    const TcpSeed seed = DrawTcpSeed(random);
    CHECK(Spreads(seed));
    for (unsigned first = 0; first + 8 <= 48; ++first) {
      const uint64_t rest = (uint64_t{random()} << 32 | random()) & ~(uint64_t{255} << first);
      std::set<uint32_t> found;
      for (uint64_t n = 0; n < 256; ++n) found.insert(Hash(seed, rest | n << first));
      CHECK_EQ(found.size(), 256u);
    }
  }
}

TEST(a_seed_that_does_not_spread_peers) {
  std::mt19937 random(2);
  CHECK(!Spreads({0, 0, 0}));
  CHECK(!Spreads({~0u, ~0u, ~0u}));
  CHECK(!Spreads({0x55555555, 0x55555555, 0x55555555}));
  for (unsigned first = 0; first + 24 <= 64; ++first) {  // eight windows of zeros
    TcpSeed seed = DrawTcpSeed(random);
    for (unsigned i = first; i < first + 24; ++i) seed[i / 32] &= ~(1u << i % 32);
    CHECK(!Spreads(seed));
  }
}

TEST(the_seed_of_settings_spreads_peers) { CHECK(Spreads(Settings().tcp_seed)); }

}  // namespace
}  // namespace wirecache::host
