// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>

#include "sim/commands.h"
#include "sim/player.h"
#include "sim/statistics.h"

namespace wirecache::sim {

int Replay(const Options& options) {
  const Player::Capture capture(options);
  Player player(options);
  std::ofstream json;
  const std::string& file = options.Text("json");
  if (!file.empty()) {
    json.open(file);
    if (!json) throw std::invalid_argument("cannot write " + file + ": " + std::strerror(errno));
  }
  player.Play(capture);
  std::fputs(
      Summary(player.board().driver(), player.simulated_cycles(), player.simulating_seconds())
          .c_str(),
      stdout);
  std::fputs(player.CaptureSummary().c_str(), stdout);
  if (!file.empty()) {
    json << player.Json().Text() << "\n";
    json.close();
    if (!json) throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno));
  }
  if (const std::string complaint = player.Complaint(); !complaint.empty()) {
    throw std::runtime_error(complaint);
  }
  return 0;
}

}  // namespace wirecache::sim
