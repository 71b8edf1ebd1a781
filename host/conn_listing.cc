// SPDX-License-Identifier: Apache-2.0
#include "host/conn_listing.h"

#include "host/peer.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kAgeUnit = 1024;  // milliseconds

}  // namespace

Worker ConnListing::WritePart(std::string& answer) {
  if (!begun_) answer += StatLines(PortsStats(facts_));
  begun_ = true;
  unsigned accesses = 0;
  for (; next_ < connections_ && !Full(answer, accesses); ++next_) {
    Conn conn;
    conn.number = next_;
    conn.asks = asker_ == next_;  // its peer may have ended behind the command
    Peer peer;
    Worker read = ReadPeer(next_, conn.asks, peer);
    for (read.Resume(); read.access();) {
      read.Resume(co_await *read.access());
      ++accesses;
    }
    if (!peer.open && !conn.asks) continue;
    conn.ip = peer.ip;
    conn.port = peer.port;
    conn.age_ms = uint64_t{peer.age} * kAgeUnit;
    answer += StatLines(ConnStats(facts_, conn));
  }
  if (ended()) answer += "END\r\n";
}

}  // namespace wirecache::host
