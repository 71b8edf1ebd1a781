// SPDX-License-Identifier: Apache-2.0
// A link that loses, reorders, duplicates, corrupts and delays frames, or carries nothing for a
// while: what a network does to memcached's requests and answers, on purpose and again and again
// the same (docs/impairments.md).
#ifndef WIRECACHE_SIM_IMPAIR_H_
#define WIRECACHE_SIM_IMPAIR_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sim/json.h"

namespace wirecache::sim {

// One direction of such a link. Frames go in with Push and come out of the sink.
//
// It has no clock: its owner says what time it is, in ticks since the start. A tick is whatever
// the owner counts: a nanosecond of the wall clock under `serve`, a byte time of the simulated
// wire under `replay`. Time that goes back is taken for standing still.
//
// What becomes of a frame is drawn when it goes in, from engines that depend on the seed alone. So
// the same frames in the same order meet the same fate, whenever they come; but for blackouts and
// for a link that is full.
class Impairment {
 public:
  // A corrupted bit is behind the MAC addresses: a frame for another station would test nothing.
  static constexpr size_t kFirstCorrupted = 12;  // bytes
  // A waiting frame counts for so many bytes of the room, even if it has fewer.
  static constexpr size_t kLeastBytes = 512;

  struct Settings {
    // Of 10^9 frames so many are …
    uint64_t loss = 0;
    uint64_t reorder = 0;
    uint64_t duplicate = 0;
    uint64_t corrupt = 0;
    // A reordered frame goes behind 1 to `distance` later ones.
    uint64_t distance = 1;
    // Ticks. A frame takes from `delay` to `delay` + `jitter`, but never overtakes another for it.
    uint64_t delay = 0;
    uint64_t jitter = 0;
    // What goes in from `blackout_begin` on, for `blackout`, is lost.
    uint64_t blackout = 0;
    uint64_t blackout_begin = 0;
    // When no frame has come for so long, what waits to go behind later ones goes without them.
    uint64_t quiet = 10'000'000;
    // Room for frames that wait; what finds none is lost.
    size_t room_bytes = size_t{64} << 20;

    // With its times, which are nanoseconds, in ticks.
    Settings InTicks(uint64_t (*ticks)(uint64_t nanoseconds)) const;
  };

  // Every frame that goes in is counted in `frames`, and then
  //   frames + duplicated = passed + lost + blackout + overflow + those that wait.
  struct Counts {
    uint64_t frames = 0;      // that went in
    uint64_t passed = 0;      // that the sink got
    uint64_t lost = 0;        // by chance
    uint64_t blackout = 0;    // lost while nothing passed
    uint64_t overflow = 0;    // lost as too much waited; of a frame and its duplicate each counts
    uint64_t corrupted = 0;   // of the frames that were not lost, each once
    uint64_t duplicated = 0;  // second copies
    uint64_t reordered = 0;
    uint64_t delayed = 0;
  };

  // Gets a frame and the tick at which it comes out, which never goes back.
  using Sink = std::function<void(std::vector<uint8_t>, uint64_t)>;

  // Directions with the same seed and another `stream` are independent of each other.
  Impairment(const Settings& settings, uint64_t seed, uint32_t stream, Sink sink);

  // A frame, without FCS, goes in. What need not wait is in the sink when this returns.
  void Push(std::vector<uint8_t> bytes, uint64_t now);
  // Hands on those whose time has come.
  void Pass(uint64_t now);
  // There will be no later frames for a while: hands on all, at the ticks that are due.
  void Flush();

  // When Pass will have something to hand on if nothing more goes in; none: nothing waits.
  std::optional<uint64_t> next() const;
  size_t waiting() const { return line_.size(); }
  const Counts& counts() const { return counts_; }
  // From here on; only when nothing waits do they add up afterwards.
  void ResetCounts() { counts_ = {}; }

  // For people: "100 frames, 98 passed: lost 2, delayed 98".
  std::string Text() const;
  JsonObject Json() const;

 private:
  // A part has an engine of its own, so that its draws are the same whatever else is asked for.
  class Part {
   public:
    Part(uint64_t seed, uint32_t stream, uint32_t part);
    bool Meets(uint64_t of_billion) { return Below(1'000'000'000) < of_billion; }
    // 0 to `limit` - 1. (The standard's distributions differ from library to library.)
    uint64_t Below(uint64_t limit) { return random_() % limit; }

   private:
    std::mt19937_64 random_;
  };

  struct Waiting {
    std::vector<uint8_t> bytes;
    uint64_t due;
  };

  void Insert(uint64_t place, std::vector<uint8_t> bytes, uint64_t due);
  uint64_t Leaves() const;
  void HandOn(uint64_t at);

  const Settings settings_;
  Sink sink_;
  Part loss_, reorder_, distance_, duplicate_, corrupt_, bit_, jitter_;
  // In the order in which they leave. The n-th frame that was not lost has place 2n; if it goes
  // behind frame m it has place 2m + 1. Of two in the same place the older goes first.
  std::multimap<uint64_t, Waiting> line_;
  size_t waiting_bytes_ = 0;
  uint64_t entered_ = 0;  // frames that were not lost
  uint64_t now_ = 0;
  uint64_t last_entry_ = 0;
  uint64_t last_due_ = 0;
  uint64_t last_out_ = 0;
  Counts counts_;
};

// Both directions: in is towards the board.
class Impairments {
 public:
  struct Options {
    Impairment::Settings in;
    Impairment::Settings out;
    uint64_t seed = 0;
  };

  Impairments(const Options& options, Impairment::Sink in, Impairment::Sink out)
      : seed_(options.seed),
        in_(options.in, options.seed, 0, std::move(in)),
        out_(options.out, options.seed, 1, std::move(out)) {}

  Impairment& in() { return in_; }
  Impairment& out() { return out_; }

  // Hands on what is due in both directions; whether there was any.
  bool Pass(uint64_t now);
  // The sooner of both.
  std::optional<uint64_t> next() const;
  void ResetCounts();

  // Two lines of a command's summary.
  std::string Summary() const;
  JsonObject Json() const;

 private:
  uint64_t seed_;
  Impairment in_;
  Impairment out_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_IMPAIR_H_
