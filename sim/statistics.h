// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_STATISTICS_H_
#define WIRECACHE_SIM_STATISTICS_H_

#include <chrono>
#include <cstdint>
#include <string>

#include "host/driver.h"
#include "sim/board.h"
#include "sim/json.h"

namespace wirecache::sim {

// Adds up wall time between Start and Stop.
class Stopwatch {
 public:
  void Start() { started_ = Clock::now(); }
  void Stop() { total_ += Clock::now() - started_; }
  double seconds() const { return std::chrono::duration<double>(total_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point started_;
  Clock::duration total_ = {};
};

// Operations that have been answered or were executed without an answer.
uint64_t Operations(const host::Driver& driver);
// Frames and requests that were dropped, all causes.
uint64_t Drops(const host::Driver& driver);

// What the counters say, as an object each: all of them, and the drops by cause.
JsonObject CountersJson(const host::Driver& driver);
JsonObject DropsJson(const host::Driver& driver);

// The lines that a command prints at its end.
std::string Summary(const host::Driver& driver, uint64_t cycles, double simulating_seconds);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_STATISTICS_H_
