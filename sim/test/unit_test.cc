// SPDX-License-Identifier: Apache-2.0
// Runs the test named on the command line; without one, prints the names of all. `tcp-peer …` is no
// test, but a program for one.
#include <cstring>

#include "sim/test/check.h"
#include "sim/test/tcp_peer_on_tun.h"

int main(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], "tcp-peer") == 0) {
    return wirecache::sim::TcpPeerOnTun(argc - 2, argv + 2);
  }
  for (const auto& test : wirecache::test::Cases()) {
    if (argc < 2) {
      std::printf("%s\n", test.name);
    } else if (std::strcmp(argv[1], test.name) == 0) {
      test.body();
      return 0;
    }
  }
  return argc < 2 ? 0 : 2;
}
