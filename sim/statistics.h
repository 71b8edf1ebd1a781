// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_STATISTICS_H_
#define WIRECACHE_SIM_STATISTICS_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

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

// What the event counters have counted, from the board's start or between two readings.
class Counts {
 public:
  // As of the driver's last reading.
  explicit Counts(const host::Driver& driver)
      : values_(driver.counters()), index_(driver.circuit().index) {}

  // What has come since `earlier`.
  Counts Since(const Counts& earlier) const;

  // By the name of the register in small letters.
  uint64_t operator[](std::string_view name) const;
  // Operations that have been answered or were executed without an answer.
  uint64_t Operations() const;
  // Frames and requests that were dropped, all causes.
  uint64_t Drops() const;

  // As an object each: all of them, and the drops by cause.
  JsonObject Json() const;
  JsonObject DropsJson() const;
  // The causes of drops that have occurred, with their numbers, for people to read.
  std::string DropsText() const;

 private:
  // Calls use(cause, count) for every counter of drops.
  template <typename Use>
  void ForEachDrop(Use use) const;

  std::vector<uint64_t> values_;  // as kCounters of wc_counters.h
  host::IndexKind index_;         // an index has counters of its own
};

// What is to be said, and done, when the board has no table any more (Driver::OutOfUse).
inline constexpr const char* kOutOfUse =
    "memory did not write too many of its buckets, so GETs miss and SETs are refused until it is "
    "cleared (CONTROL.clear) or the board is started again";

// The lines that a command prints at its end.
std::string Summary(host::Driver& driver, uint64_t cycles, double simulating_seconds);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_STATISTICS_H_
