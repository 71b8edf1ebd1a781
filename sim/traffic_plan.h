// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_TRAFFIC_PLAN_H_
#define WIRECACHE_SIM_TRAFFIC_PLAN_H_

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "sim/conversation.h"

namespace wirecache::sim {

// What clients do. py/wirecache/traffic/plan.py writes it, and says what the fields are.
struct TrafficPlan {
  struct Exchange {
    std::string request;
    std::string answer;
  };
  struct Group {
    std::string name;
    uint64_t connections = 1;
    uint64_t sessions = 1;  // one after the other, of each connection
    uint64_t requests = 1;  // of each session
    uint64_t depth = 1;     // requests that wait for their answer at most
    uint64_t in_order = 0;  // each session takes exchanges as they stand, not drawn
    uint64_t gap_ns = 0;    // on average, from an answer to the next request
    uint64_t start_ns = 0;
    uint64_t spread_ns = 500;  // from one connection's opening to the next one's
    uint64_t waits = 1;        // for its end; else what is left then is aborted
    uint64_t cuts = 0;         // segments of random sizes
    uint64_t write_bytes = 0;  // at once, each …
    uint64_t write_ns = 0;     // 0: as the window lets
    uint64_t read_bytes = 0;   // at once, each …
    uint64_t read_ns = 0;      // 0: as they come
    uint64_t room = 1 << 20;   // of its window
    uint64_t mss = 1460;
    uint64_t options = 1;  // time stamps and SACK
    std::vector<Exchange> exchanges;
    // Each connection says one of these instead, if there are any: a session of as many requests.
    std::vector<Conversation> conversations;
  };

  uint64_t seed = 1;
  uint64_t cycles = 100'000'000;  // that are simulated at most
  std::vector<Group> groups;

  // Throws std::invalid_argument when it makes no sense.
  static TrafficPlan Read(std::istream& in);
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TRAFFIC_PLAN_H_
