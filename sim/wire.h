// SPDX-License-Identifier: Apache-2.0
// The two directions of a 10 Gb/s Ethernet wire, byte by byte: 8 byte times are one cycle of the
// circuit. A frame occupies a slot: its preamble, at least 60 bytes, FCS and gap. Slots follow each
// other to the byte, so that slots of 100 bytes begin 12 and 13 cycles apart in turn.
#ifndef WIRECACHE_SIM_WIRE_H_
#define WIRECACHE_SIM_WIRE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "sim/signals.h"

namespace wirecache::sim {

inline constexpr uint64_t kWordBytes = 8;
inline constexpr uint64_t kMinFrameBytes = 60;  // without FCS; shorter ones are padded
inline constexpr uint64_t kGapBytes = 12;       // between frames
inline constexpr uint64_t kOverheadBytes = 8 + 4 + kGapBytes;  // preamble, FCS

// Byte times of the wire are 0.8 ns.
constexpr uint64_t ToByteTimes(uint64_t nanoseconds) { return nanoseconds + nanoseconds / 4; }
constexpr uint64_t ToNanoseconds(uint64_t byte_times) {
  return byte_times / 5 * 4 + byte_times % 5 * 4 / 5;
}

// What a frame of `bytes` occupies on the wire.
constexpr uint64_t SlotBytes(uint64_t bytes) {
  return (bytes < kMinFrameBytes ? kMinFrameBytes : bytes) + kOverheadBytes;
}

// What has passed in one direction.
struct WireStatistics {
  uint64_t frames = 0;
  uint64_t frame_bytes = 0;  // without FCS
  uint64_t wire_bytes = 0;   // slots
  uint64_t first_cycle = 0;  // of the first word
  uint64_t last_cycle = 0;   // of the last word
};

// A frame's place on the wire, in byte times.
struct Slot {
  uint64_t start = 0;
  uint64_t bytes = 0;
};

struct Frame {
  std::vector<uint8_t> bytes;
  uint64_t start = 0;  // byte time of its slot; received: not before this
};

// Plays frames into the circuit, each as soon as the wire is free and its time has come.
class WireIn {
 public:
  explicit WireIn(const ReceiveSignals& signals);

  void Push(Frame frame);
  // Frames not yet played to their end.
  size_t waiting() const { return queue_.size(); }
  // Byte time before which the first of them must not start; there must be one.
  uint64_t next_start() const { return queue_.front().start; }
  bool busy() const { return sending_; }
  const WireStatistics& statistics() const { return statistics_; }
  void ResetStatistics() { statistics_ = {}; }
  // Whether a circuit that does not take a word stalls the wire, rather than being in error.
  void set_patient(bool patient) { patient_ = patient; }
  // Where to note the slot of every frame; null: nowhere.
  void set_slots(std::vector<Slot>* slots) { slots_ = slots; }

  bool Sample(uint64_t now);
  void Drive(uint64_t now);

 private:
  void Begin(uint64_t now);

  ReceiveSignals signals_;
  std::deque<Frame> queue_;
  bool patient_ = false;
  bool sending_ = false;
  bool taken_ = false;   // the word that stands there
  size_t position_ = 0;  // in the first frame of the queue
  uint64_t free_ = 0;    // byte time at which the wire can take the next slot
  WireStatistics statistics_;
  std::vector<Slot>* slots_ = nullptr;
};

// Takes frames from the circuit at the pace of the wire and hands them on.
class WireOut {
 public:
  using Sink = std::function<void(Frame)>;
  WireOut(const TransmitSignals& signals, Sink sink);

  bool busy() const { return in_frame_; }
  const WireStatistics& statistics() const { return statistics_; }
  void ResetStatistics() {
    statistics_ = {};
    gaps_ = 0;
  }
  // Cycles within a frame in which the circuit had no word: a MAC would have sent a broken frame.
  uint64_t gaps() const { return gaps_; }

  bool Sample(uint64_t now);
  void Drive(uint64_t now);

 private:
  void Take(uint64_t now);

  TransmitSignals signals_;
  Sink sink_;
  bool in_frame_ = false;
  uint64_t free_ = 0;
  uint64_t gaps_ = 0;
  uint64_t frame_gaps_ = 0;  // of them in this frame
  Frame frame_;
  WireStatistics statistics_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_WIRE_H_
