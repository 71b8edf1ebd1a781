// SPDX-License-Identifier: Apache-2.0
#include "host/conn_listing.h"

#include "host/register_map.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kAgeUnit = 1024;  // milliseconds

}  // namespace

Worker ConnListing::WritePart(std::string& answer) {
  if (!begun_) answer += StatLines(PortsStats(facts_));
  begun_ = true;
  unsigned accesses = 0;
  for (; next_ < connections_ && !Full(answer, accesses); ++next_) {
    co_await Write{WC_TCP_ADDRESS(TCP_PEER), next_};
    uint32_t state = WC_TCP_REGS__TCP_PEER_STATE__BUSY_bm;
    while (WC_TCP_FIELD(state, TCP_PEER_STATE, BUSY) != 0) {
      state = co_await Read{WC_TCP_ADDRESS(TCP_PEER_STATE)};
      ++accesses;
    }
    Conn conn;
    conn.number = next_;
    conn.asks = asker_ == next_;  // its peer may have ended behind the command
    if (WC_TCP_FIELD(state, TCP_PEER_STATE, OPEN) == 0 && !conn.asks) continue;
    conn.ip = co_await Read{WC_TCP_ADDRESS(TCP_PEER_IP)};
    conn.port = static_cast<uint16_t>(co_await Read{WC_TCP_ADDRESS(TCP_PEER_PORT)});
    conn.age_ms = uint64_t{WC_TCP_FIELD(state, TCP_PEER_STATE, AGE)} * kAgeUnit;
    answer += StatLines(ConnStats(facts_, conn));
    accesses += 3;
  }
  if (ended()) answer += "END\r\n";
}

}  // namespace wirecache::host
