// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_PORT_H_
#define WIRECACHE_SIM_MEMORY_PORT_H_

#include <array>
#include <cstdint>
#include <map>

#include "sim/memory_errors.h"
#include "sim/memory_timing.h"
#include "sim/ring.h"
#include "sim/signals.h"
#include "sim/sparse_memory.h"

namespace wirecache::sim {

// The accesses that the bursts of one direction of a port are made of, in order. Beats that fall
// into the same burst of the memory share an access.
class AccessQueue {
 public:
  AccessQueue(MemoryTiming& timing, bool write) : timing_(timing), write_(write) {}

  // Adds the next bytes of a burst of the port, `last` those that end it. They are done when as
  // many accesses are as are returned.
  uint64_t Add(uint64_t address, uint64_t bytes, bool last, uint64_t now);
  // Hands over what there is room for.
  void Start(uint64_t now);
  // How many are done, and all before them.
  uint64_t Done(uint64_t now);

  // None waits for room.
  bool all_started() const { return started_ + open_ == added_; }

 private:
  static constexpr size_t kMost = 4096;  // two for each beat that a port takes ahead

  MemoryTiming& timing_;
  bool write_;
  Ring<MemoryAccess, kMost> accesses_;  // those that are not done
  uint64_t added_ = 0;
  uint64_t started_ = 0;
  uint64_t done_ = 0;
  bool open_ = false;  // more may come for the last one
};

// AXI4 slave in front of the memory: one beat a cycle in each direction, many bursts outstanding,
// answers in the order of the addresses on each channel. It takes no more when what it has taken
// waits for room in the queues of the memory's controller.
//
// A read sees memory as it is when its address is taken, a write changes it when its response is
// given. That is as far apart as AXI4 allows, so a circuit that does not wait for the response of a
// write before it reads the same line is found out.
//
// A beat that is read in error comes with noise and SLVERR, of a burst that meets one nothing is
// written, and its response says so.
class MemoryPort {
 public:
  MemoryPort(const AxiSignals& signals, SparseMemory& contents, MemoryTiming& timing,
             MemoryErrors& errors);

  // Before the clock edge: notes what was handed over. True if anything was.
  bool Sample(uint64_t now);
  // After the edge: hands over what waited for room.
  void Start(uint64_t now) {
    read_accesses_.Start(now);
    write_accesses_.Start(now);
  }
  // Then drives the inputs of the circuit for cycle `now`.
  void Drive(uint64_t now);

  // Addresses of bursts that were not written, and whether zeros were, since the last time.
  const std::map<uint64_t, bool>& unwritten() const { return unwritten_; }

  bool busy() const { return !reads_.empty() || !bursts_.empty(); }

 private:
  static constexpr size_t kMaxBursts = 64;    // addresses accepted ahead, each way
  static constexpr size_t kMaxBeats = 2048;   // beats accepted ahead, each way
  static constexpr size_t kBurstBeats = 256;  // AXI4's longest
  using Line = std::array<uint32_t, kLineBytes / sizeof(uint32_t)>;

  struct ReadBeat {
    uint64_t accesses;  // that must be done
    uint8_t id;
    bool last;
    bool answered;
    bool error;
    Line data;
  };
  struct WriteBeat {
    uint64_t address;
    uint64_t strobe;
    Line data;
  };
  struct WriteBurst {
    uint64_t address;
    unsigned beats;
    unsigned arrived;
    uint64_t accesses;  // that must be done, once all beats have arrived
    uint8_t id;
  };

  void AcceptRead(uint64_t now);
  void AcceptWriteAddress();
  void AcceptWriteData(uint64_t now);
  void DriveRead(uint64_t now);
  void DriveResponse(uint64_t now);
  void CheckAddress(uint64_t address, unsigned beats, unsigned size, unsigned burst) const;

  AxiSignals signals_;
  unsigned beat_bytes_;
  SparseMemory& contents_;
  MemoryErrors& errors_;
  std::map<uint64_t, bool> unwritten_;
  AccessQueue read_accesses_;
  AccessQueue write_accesses_;
  Ring<ReadBeat, kMaxBeats> reads_;
  Ring<WriteBeat, kMaxBeats> writes_;
  Ring<WriteBurst, kMaxBursts> bursts_;
  size_t read_bursts_ = 0;
  size_t filled_ = 0;  // bursts at the front of bursts_ whose data has arrived
  bool read_taken_ = false;
  bool response_taken_ = false;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_PORT_H_
