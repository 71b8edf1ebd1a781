// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_TEST_TCP_PEER_ON_TUN_H_
#define WIRECACHE_SIM_TEST_TCP_PEER_ON_TUN_H_

namespace wirecache::sim {

// A TcpPeer in real time, with this machine's TCP at the other end of a TUN device. For
// tcp_peer_linux.py, which says what the arguments are.
int TcpPeerOnTun(int argc, char** argv);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TEST_TCP_PEER_ON_TUN_H_
