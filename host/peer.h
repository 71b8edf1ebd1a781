// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_PEER_H_
#define WIRECACHE_HOST_PEER_H_

#include <cstdint>

#include "host/worker.h"

namespace wirecache::host {

// The peer of a connection of TCP.
struct Peer {
  bool open = false;  // requests may come of it
  uint32_t ip = 0;    // first byte in the top bits
  uint16_t port = 0;
  uint32_t age = 0;  // how long no byte has come of it, in units of 1,024 ms; goes round

  bool operator==(const Peer& other) const { return ip == other.ip && port == other.port; }
};

// Reads that of a connection, in some six accesses; of one that is not open less, unless `always`.
Worker ReadPeer(unsigned connection, bool always, Peer& peer);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_PEER_H_
