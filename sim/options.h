// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_OPTIONS_H_
#define WIRECACHE_SIM_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>

#include "host/driver.h"
#include "sim/simulation.h"

namespace wirecache::sim {

// The arguments `--name value …` of the program. `./wirecache` gives them, after it has checked
// what people have typed; so all are required, and what is wrong here is an error of the caller.
class Options {
 public:
  Options(int argc, char** argv);

  const std::string& Text(const std::string& name) const;
  uint64_t Number(const std::string& name) const;
  uint32_t Ip(const std::string& name) const;

  // What all commands say about the board.
  Simulation::Options Board() const;
  host::Settings Host() const;

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_OPTIONS_H_
