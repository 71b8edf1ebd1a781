// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_COMMANDS_H_
#define WIRECACHE_SIM_COMMANDS_H_

#include "sim/options.h"

namespace wirecache::sim {

// Serves clients on a link until SIGINT or SIGTERM. Returns the exit status.
int Serve(const Options& options);
// Plays a pcap file through the board.
int Replay(const Options& options);
// Plays those that standard input names into one board.
int Session(const Options& options);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_COMMANDS_H_
