// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_TCP_SEED_H_
#define WIRECACHE_HOST_TCP_SEED_H_

#include <array>
#include <cstdint>
#include <functional>

namespace wirecache::host {

// Of the hash of the table of connections (wc_tcp_lookup): 80 bits, the lowest ones first.
using TcpSeed = std::array<uint32_t, 3>;

// Whether any eight neighbouring bits of a peer's address and port make 256 different hashes, in
// the 17 bits of the smallest table. So clients whose ports count up do not meet in a few buckets.
bool Spreads(const TcpSeed& seed);

// Draws until one does: one in a hundred does not.
TcpSeed DrawTcpSeed(const std::function<uint32_t()>& random);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_TCP_SEED_H_
