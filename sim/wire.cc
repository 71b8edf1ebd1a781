// SPDX-License-Identifier: Apache-2.0
#include "sim/wire.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace wirecache::sim {
namespace {

// Where a slot that begins in cycle `now` starts: right behind the one before if that ended within
// the last word (so no byte is lost to rounding), else with the cycle.
uint64_t SlotStart(uint64_t free, uint64_t now) {
  const uint64_t cycle_start = now * kWordBytes;
  return free + kWordBytes > cycle_start ? free : cycle_start;
}

void CountFrame(WireStatistics& statistics, uint64_t bytes) {
  ++statistics.frames;
  statistics.frame_bytes += bytes;
  statistics.wire_bytes += SlotBytes(bytes);
}

}  // namespace

WireIn::WireIn(const ReceiveSignals& signals) : signals_(signals) {
  signals_.tvalid = signals_.tlast = signals_.tuser = 0;
}

void WireIn::Push(Frame frame) {
  if (frame.bytes.size() < kMinFrameBytes) frame.bytes.resize(kMinFrameBytes);
  queue_.push_back(std::move(frame));
}

bool WireIn::Sample(uint64_t) {
  taken_ = sending_ && signals_.tready;
  if (sending_ && !taken_ && !patient_) throw std::runtime_error("the circuit stalls the wire");
  return taken_;
}

void WireIn::Begin(uint64_t now) {
  Frame& frame = queue_.front();
  frame.start = std::max(frame.start, SlotStart(free_, now));
  free_ = frame.start + SlotBytes(frame.bytes.size());
  if (statistics_.frames == 0) statistics_.first_cycle = now;
  if (slots_ != nullptr) slots_->push_back({frame.start, free_ - frame.start});
  sending_ = true;
  position_ = 0;
}

void WireIn::Drive(uint64_t now) {
  if (sending_ && !taken_) return;
  if (sending_ && signals_.tlast) {
    sending_ = false;
    signals_.tvalid = signals_.tlast = 0;
    queue_.pop_front();
  }
  if (!sending_) {
    const uint64_t bytes_gone = now * kWordBytes;
    if (queue_.empty() || bytes_gone < free_ || bytes_gone < queue_.front().start) return;
    Begin(now);
  }
  const std::vector<uint8_t>& bytes = queue_.front().bytes;
  const uint64_t count = std::min<uint64_t>(bytes.size() - position_, kWordBytes);
  uint64_t word = 0;
  std::memcpy(&word, bytes.data() + position_, count);
  position_ += count;
  signals_.tdata = word;
  signals_.tkeep = static_cast<uint8_t>(0xFF >> (kWordBytes - count));
  signals_.tvalid = 1;
  if (position_ == bytes.size()) {
    signals_.tlast = 1;
    statistics_.last_cycle = now;
    CountFrame(statistics_, bytes.size());
  }
}

WireOut::WireOut(const TransmitSignals& signals, Sink sink)
    : signals_(signals), sink_(std::move(sink)) {
  signals_.tready = 0;
}

bool WireOut::Sample(uint64_t now) {
  if (!signals_.tready) return false;
  if (signals_.tvalid) {
    Take(now);
    return true;
  }
  if (in_frame_) {
    ++frame_gaps_;
    ++gaps_;
  }
  return false;
}

void WireOut::Take(uint64_t now) {
  if (!in_frame_) {
    in_frame_ = true;
    frame_gaps_ = 0;
    frame_.bytes.clear();
    frame_.start = SlotStart(free_, now);
    if (statistics_.frames == 0) statistics_.first_cycle = now;
  }
  const uint64_t word = signals_.tdata;
  const auto* bytes = reinterpret_cast<const uint8_t*>(&word);
  const unsigned keep = signals_.tkeep;
  const int count = std::countr_one(keep);
  if (keep != (0xFFu >> (kWordBytes - count)) || count == 0 || (!signals_.tlast && count != 8)) {
    throw std::runtime_error("the circuit's TKEEP has holes");
  }
  frame_.bytes.insert(frame_.bytes.end(), bytes, bytes + count);
  if (!signals_.tlast) return;
  in_frame_ = false;
  if (frame_.bytes.size() < kMinFrameBytes) frame_.bytes.resize(kMinFrameBytes);
  free_ = frame_.start + SlotBytes(frame_.bytes.size()) + kWordBytes * frame_gaps_;
  statistics_.last_cycle = now;
  CountFrame(statistics_, frame_.bytes.size());
  sink_(frame_);
}

void WireOut::Drive(uint64_t now) { signals_.tready = in_frame_ || now * kWordBytes >= free_; }

}  // namespace wirecache::sim
