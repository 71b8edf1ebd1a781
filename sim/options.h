// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_OPTIONS_H_
#define WIRECACHE_SIM_OPTIONS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/driver.h"
#include "sim/impair.h"
#include "sim/simulation.h"

namespace wirecache::sim {

// The arguments `--name value …` of the program. `./wirecache` gives them, after it has checked
// what people have typed; so all are required, and what is wrong here is an error of the caller.
class Options {
 public:
  Options(int argc, char** argv);

  const std::string& Text(const std::string& name) const;
  uint64_t Number(const std::string& name, uint64_t most = kAny) const;
  // Those with `separator` between them.
  std::vector<uint64_t> Numbers(const std::string& name, char separator, int base = 10) const;
  uint32_t Ip(const std::string& name) const;
  uint16_t TcpPort() const;  // 0: TCP is not served

  // What all commands say about the board.
  Simulation::Options Board() const;
  host::Settings Host() const;
  // What the link does to frames, times in nanoseconds; nothing, if it is not to be impaired.
  std::optional<Impairments::Options> Impair() const;

 private:
  Impairment::Settings Direction(const std::string& name) const;
  static constexpr uint64_t kAny = ~uint64_t{0};
  static uint64_t Parse(const std::string& name, std::string_view text, uint64_t most,
                        int base = 10);

  std::map<std::string, std::string> values_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_OPTIONS_H_
