// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_ERRORS_H_
#define WIRECACHE_SIM_MEMORY_ERRORS_H_

#include <cstdint>
#include <random>

#include "sim/sparse_memory.h"

namespace wirecache::sim {

// Errors that the memory is made to answer with. They come at random, from when they are switched
// on. What is not written is kept here all the same: memory as it was meant to be is what the
// circuit knows that it has given out, and so what an audit looks at.
class MemoryErrors {
 public:
  struct Options {
    uint64_t reads = 0;   // of 10^9 beats so many are read in error
    uint64_t writes = 0;  // of 10^9 bursts so many are not written
    uint64_t seed = 0;
    uint64_t answered = ~uint64_t{0};  // beats that are read before memory answers no more
  };

  MemoryErrors(const Options& options, uint64_t bytes)
      : options_(options), random_(options.seed), intended_(bytes) {}

  // There may be errors, sooner or later.
  bool any() const { return options_.reads != 0 || options_.writes != 0; }
  void SwitchOn() { on_ = true; }

  bool MeetsRead() { return Meets(options_.reads, reads_); }
  bool MeetsWrite() { return Meets(options_.writes, writes_); }
  // Whether there will ever be an answer.
  bool AnswersRead() { return !on_ || answered_++ < options_.answered; }
  uint32_t Noise() { return static_cast<uint32_t>(random_()); }

  SparseMemory& intended() { return intended_; }
  const SparseMemory& intended() const { return intended_; }
  uint64_t reads() const { return reads_; }
  uint64_t writes() const { return writes_; }

 private:
  bool Meets(uint64_t rate, uint64_t& count) {
    if (!on_ || rate == 0 || random_() % 1'000'000'000 >= rate) return false;
    ++count;
    return true;
  }

  const Options options_;
  std::mt19937_64 random_;
  SparseMemory intended_;
  bool on_ = false;
  uint64_t reads_ = 0;   // beats that met one
  uint64_t writes_ = 0;  // bursts
  uint64_t answered_ = 0;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_ERRORS_H_
