// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_STATS_H_
#define WIRECACHE_HOST_STATS_H_

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/layout.h"

namespace wirecache::host {

// What `stats` says, as names and values. docs/stats.md has what each means here.
using StatFields = std::vector<std::pair<std::string, std::string>>;

// What is asked of a board by `stats`, as it was found when the command came.
struct BoardNumbers {
  std::vector<uint64_t> counters;  // as kCounters, since the last `stats reset`
  uint32_t time = 0;               // Unix seconds
  uint32_t uptime = 0;             // seconds
  uint64_t items = 0;
  uint64_t bytes = 0;  // of these items
  // Slab classes: the log is one, of units in segments; a class of blocks is one, in a single page.
  struct SlabClass {
    uint64_t chunk_bytes = 0;
    uint64_t chunks_a_page = 0;
    uint64_t pages = 0;  // in use
    uint64_t used = 0;   // chunks
  };
  std::vector<SlabClass> classes;
  uint64_t watchers = 0;         // clients that watch
  uint64_t watcher_sent = 0;     // lines, to all of them
  uint64_t watcher_skipped = 0;  // for which they had no room

  uint64_t operator[](std::string_view name) const;  // 0: not counted by this board
};

// What does not change while a board runs.
struct BoardFacts {
  IndexKind index = IndexKind::kItem;
  HashKind hash = HashKind::kLookup3;
  std::string version;
  uint32_t ip = 0;
  uint16_t udp_port = 0;
  uint16_t tcp_port = 0;  // 0: none
  unsigned connections = 1024;
  unsigned idle_timeout = 0;  // seconds; 0: none
  uint64_t limit_bytes = 0;   // of memory for items
  uint64_t buckets = 0;
  uint64_t table_bytes = 0;
  bool frame_header = true;  // memcached's, in front of each request
  uint32_t item_size_max = 1 << 20;
  bool finds = false;      // the host can find an item
  bool dumps = false;      // keys may be listed, and the circuit can
  bool watch = true;       // operations may be watched
  bool shutdown = false;   // the command is allowed
  bool debugtime = false;  // likewise
};

// Settings of memcached that commands change. Nothing here depends on them.
struct Switches {
  bool detail = false;
  uint32_t automove = 0;
  uint32_t crawler_sleep = 100;
  uint32_t crawler_tocrawl = 0;
};

StatFields GeneralStats(const BoardFacts& facts, const BoardNumbers& numbers);
StatFields SettingsStats(const BoardFacts& facts, const Switches& switches);
StatFields ItemsStats(const BoardNumbers& numbers);
StatFields SlabsStats(const BoardNumbers& numbers);
StatFields SizesStats();

// Ports and connections have numbers, as memcached's have file descriptors.
constexpr unsigned kUdpNumber = 1, kTcpNumber = 2, kFirstConn = 3;
StatFields PortsStats(const BoardFacts& facts);  // where it listens

// A connection of TCP.
struct Conn {
  unsigned number = 0;
  uint32_t ip = 0;  // of the peer, first byte in the top bits
  uint16_t port = 0;
  uint64_t age_ms = 0;  // since its last bytes
  bool asks = false;    // it is the one whose command is answered
};
StatFields ConnStats(const BoardFacts& facts, const Conn& conn);

// As text: a line each, without the end of an answer.
std::string StatLines(const StatFields& fields);

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_STATS_H_
