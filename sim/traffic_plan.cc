// SPDX-License-Identifier: Apache-2.0
#include "sim/traffic_plan.h"

#include <map>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace wirecache::sim {
namespace {

// The numbers of a plan's fields by their names.
std::map<std::string_view, uint64_t*> Fields(TrafficPlan::Group& group) {
  return {{"connections", &group.connections},
          {"sessions", &group.sessions},
          {"requests", &group.requests},
          {"depth", &group.depth},
          {"in_order", &group.in_order},
          {"gap_ns", &group.gap_ns},
          {"start_ns", &group.start_ns},
          {"spread_ns", &group.spread_ns},
          {"waits", &group.waits},
          {"cuts", &group.cuts},
          {"write_bytes", &group.write_bytes},
          {"write_ns", &group.write_ns},
          {"read_bytes", &group.read_bytes},
          {"read_ns", &group.read_ns},
          {"room", &group.room},
          {"mss", &group.mss},
          {"options", &group.options}};
}

[[noreturn]] void Wrong(const std::string& what) {
  throw std::invalid_argument("a plan of traffic: " + what);
}

std::string Take(std::istream& in, size_t bytes) {
  std::string text(bytes, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(bytes))) Wrong("an exchange is cut");
  return text;
}

}  // namespace

// Lines: `plan FIELD=NUMBER …`, `group NAME FIELD=NUMBER …`, and behind a group its exchanges:
// `exchange REQUEST ANSWER`, which are numbers of bytes, then these bytes and the end of a line.
TrafficPlan TrafficPlan::Read(std::istream& in) {
  TrafficPlan plan;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "exchange") {
      size_t request = 0, answer = 0;
      if (!(words >> request >> answer) || plan.groups.empty()) Wrong(line);
      Exchange exchange;
      exchange.request = Take(in, request);
      exchange.answer = Take(in, answer);
      if (request == 0 || in.get() != '\n') Wrong(line);
      plan.groups.back().exchanges.push_back(std::move(exchange));
      continue;
    }
    std::map<std::string_view, uint64_t*> fields;
    if (kind == "plan") {
      fields = {{"seed", &plan.seed}, {"cycles", &plan.cycles}};
    } else if (kind == "group") {
      Group& group = plan.groups.emplace_back();
      words >> group.name;
      fields = Fields(group);
    } else {
      Wrong(line);
    }
    for (std::string word; words >> word;) {
      const size_t equals = word.find('=');
      const auto found = fields.find(std::string_view(word).substr(0, equals));
      if (found == fields.end() || equals == word.npos) Wrong(word);
      *found->second = std::stoull(word.substr(equals + 1));
    }
  }
  for (const Group& group : plan.groups) {
    if (group.exchanges.empty() && group.requests != 0) Wrong(group.name + " asks for nothing");
    for (const Exchange& exchange : group.exchanges) {
      if (exchange.answer.empty()) Wrong(group.name + " asks for no answer");
    }
    if (group.mss < 64 || group.mss > 1460 || group.depth == 0 || group.sessions == 0 ||
        group.room == 0 || (group.write_ns != 0 && group.write_bytes == 0)) {
      Wrong(group.name);
    }
  }
  return plan;
}

}  // namespace wirecache::sim
