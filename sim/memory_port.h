// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_MEMORY_PORT_H_
#define WIRECACHE_SIM_MEMORY_PORT_H_

#include <array>
#include <cstdint>

#include "sim/memory_timing.h"
#include "sim/ring.h"
#include "sim/signals.h"
#include "sim/sparse_memory.h"

namespace wirecache::sim {

// AXI4 slave in front of the memory: one beat a cycle in each direction, many bursts outstanding,
// answers in the order of the addresses on each channel.
//
// A read sees memory as it is when its address is taken, a write changes it when its response is
// given. That is as far apart as AXI4 allows, so a circuit that does not wait for the response of a
// write before it reads the same line is found out.
class MemoryPort {
 public:
  MemoryPort(const AxiSignals& signals, SparseMemory& contents, MemoryTiming& timing);

  // Before the clock edge: notes what was handed over. True if anything was.
  bool Sample(uint64_t now);
  // After the edge: drives the inputs of the circuit for cycle `now`.
  void Drive(uint64_t now);

  bool busy() const { return !reads_.empty() || !bursts_.empty(); }

 private:
  static constexpr size_t kMaxBursts = 64;    // addresses accepted ahead, each way
  static constexpr size_t kMaxBeats = 2048;   // beats accepted ahead, each way
  static constexpr size_t kBurstBeats = 256;  // AXI4's longest
  using Line = std::array<uint32_t, kLineBytes / sizeof(uint32_t)>;

  struct ReadBeat {
    MemoryAccess access;
    uint8_t id;
    bool last;
    Line data;
  };
  struct WriteBeat {
    MemoryAccess access;
    uint64_t strobe;
    Line data;
  };
  struct WriteBurst {
    uint64_t address;
    unsigned beats;
    unsigned arrived;
    uint8_t id;
  };

  void AcceptRead(uint64_t now);
  void AcceptWriteAddress();
  void AcceptWriteData(uint64_t now);
  void DriveRead(uint64_t now);
  void DriveResponse(uint64_t now);
  void CheckAddress(uint64_t address, unsigned beats, unsigned size, unsigned burst) const;
  bool ReadReady() const { return reads_.room() >= kBurstBeats && read_bursts_ < kMaxBursts; }

  AxiSignals signals_;
  unsigned beat_bytes_;
  SparseMemory& contents_;
  MemoryTiming& timing_;
  Ring<ReadBeat, kMaxBeats> reads_;
  Ring<WriteBeat, kMaxBeats> writes_;
  Ring<WriteBurst, kMaxBursts> bursts_;
  size_t read_bursts_ = 0;
  size_t filled_ = 0;    // bursts at the front of bursts_ whose data has arrived
  unsigned landed_ = 0;  // beats of the first of them that are done
  bool read_taken_ = false;
  bool response_taken_ = false;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMORY_PORT_H_
