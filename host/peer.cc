// SPDX-License-Identifier: Apache-2.0
#include "host/peer.h"

#include "host/register_map.h"

namespace wirecache::host {

Worker ReadPeer(unsigned connection, bool always, Peer& peer) {
  co_await Write{WC_TCP_ADDRESS(TCP_PEER), connection};
  uint32_t state = WC_TCP_REGS__TCP_PEER_STATE__BUSY_bm;
  while (WC_TCP_FIELD(state, TCP_PEER_STATE, BUSY) != 0) {
    state = co_await Read{WC_TCP_ADDRESS(TCP_PEER_STATE)};
  }
  peer.open = WC_TCP_FIELD(state, TCP_PEER_STATE, OPEN) != 0;
  peer.age = WC_TCP_FIELD(state, TCP_PEER_STATE, AGE);
  if (!peer.open && !always) co_return;
  peer.ip = co_await Read{WC_TCP_ADDRESS(TCP_PEER_IP)};
  peer.port = static_cast<uint16_t>(co_await Read{WC_TCP_ADDRESS(TCP_PEER_PORT)});
}

}  // namespace wirecache::host
