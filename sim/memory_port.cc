// SPDX-License-Identifier: Apache-2.0
#include "sim/memory_port.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>

namespace wirecache::sim {
namespace {

constexpr unsigned kIncrementing = 1;
constexpr unsigned kOkay = 0;
constexpr unsigned kSlaveError = 2;
constexpr uint64_t kBoundary = 4096;
// 384 bits are no width of AXI's: such a port moves whole bursts of eight, wherever they lie.
constexpr unsigned kOddBeatBytes = 48;
constexpr unsigned kOddBeats = 8;

}  // namespace

uint64_t AccessQueue::Add(uint64_t address, uint64_t bytes, bool last, uint64_t now) {
  const uint64_t burst = timing_.burst_bytes();
  while (bytes > 0) {
    const uint64_t piece = std::min(bytes, burst - address % burst);
    if (open_) {
      accesses_.back().bytes += piece;
    } else {
      accesses_.PushBack() = {.address = address, .bytes = piece, .asked = now, .write = write_};
      ++added_;
    }
    address += piece;
    bytes -= piece;
    open_ = address % burst != 0;
  }
  if (last) open_ = false;
  return added_;
}

void AccessQueue::Start(uint64_t now) {
  while (!all_started() && timing_.Start(accesses_[started_ - done_], now)) ++started_;
}

uint64_t AccessQueue::Done(uint64_t now) {
  while (!accesses_.empty() && accesses_.front().ready <= now) {
    accesses_.PopFront();
    ++done_;
  }
  return done_;
}

MemoryPort::MemoryPort(const AxiSignals& signals, SparseMemory& contents, MemoryTiming& timing,
                       MemoryErrors& errors)
    : signals_(signals),
      beat_bytes_(signals.data_bytes),
      contents_(contents),
      errors_(errors),
      read_accesses_(timing, false),
      write_accesses_(timing, true) {
  signals_.awready = signals_.arready = 1;
  signals_.wready = signals_.bvalid = signals_.rvalid = 0;
  signals_.bresp = signals_.rresp = 0;
}

bool MemoryPort::Sample(uint64_t now) {
  read_taken_ = signals_.rvalid && signals_.rready;
  response_taken_ = signals_.bvalid && signals_.bready;
  bool active = read_taken_ || response_taken_;
  if (signals_.arvalid && signals_.arready) {
    AcceptRead(now);
    active = true;
  }
  if (signals_.wvalid && signals_.wready) {
    AcceptWriteData(now);
    active = true;
  }
  if (signals_.awvalid && signals_.awready) {
    AcceptWriteAddress();
    active = true;
  }
  return active;
}

void MemoryPort::Drive(uint64_t now) {
  DriveRead(now);
  DriveResponse(now);
  signals_.arready =
      reads_.room() >= kBurstBeats && read_bursts_ < kMaxBursts && read_accesses_.all_started();
  signals_.awready = bursts_.room() > 0;
  signals_.wready = filled_ < bursts_.size() && writes_.room() > 0 && write_accesses_.all_started();
}

void MemoryPort::AcceptRead(uint64_t now) {
  const unsigned beats = signals_.arlen + 1u;
  CheckAddress(signals_.araddr, beats, signals_.arsize, signals_.arburst);
  for (unsigned i = 0; i < beats; ++i) {
    const uint64_t address = signals_.araddr + uint64_t{beat_bytes_} * i;
    ReadBeat& beat = reads_.PushBack();
    beat.id = signals_.arid;
    beat.last = i + 1 == beats;
    beat.accesses = read_accesses_.Add(address, beat_bytes_, beat.last, now);
    beat.answered = errors_.AnswersRead();
    beat.error = errors_.MeetsRead();
    if (beat.error) {
      for (uint32_t& word : beat.data) word = errors_.Noise();
    } else {
      contents_.Read(address, beat.data.data(), beat_bytes_);
    }
  }
  read_accesses_.Start(now);
  ++read_bursts_;
}

void MemoryPort::AcceptWriteAddress() {
  const unsigned beats = signals_.awlen + 1u;
  CheckAddress(signals_.awaddr, beats, signals_.awsize, signals_.awburst);
  bursts_.PushBack() = {
      .address = signals_.awaddr, .beats = beats, .arrived = 0, .accesses = 0, .id = signals_.awid};
}

void MemoryPort::AcceptWriteData(uint64_t now) {
  WriteBurst& burst = bursts_[filled_];
  WriteBeat& beat = writes_.PushBack();
  beat.address = burst.address + uint64_t{beat_bytes_} * burst.arrived;
  beat.strobe = signals_.wstrb;
  std::memcpy(beat.data.data(), signals_.wdata, beat_bytes_);
  const bool last = ++burst.arrived == burst.beats;
  burst.accesses = write_accesses_.Add(beat.address, beat_bytes_, last, now);
  write_accesses_.Start(now);
  if (last != static_cast<bool>(signals_.wlast)) {
    throw std::runtime_error("the circuit's WLAST does not agree with its AWLEN");
  }
  if (last) ++filled_;
}

void MemoryPort::DriveRead(uint64_t now) {
  if (read_taken_) {
    if (reads_.front().last) --read_bursts_;
    reads_.PopFront();
  } else if (signals_.rvalid) {
    return;
  }
  const uint64_t done = read_accesses_.Done(now);
  const bool valid = !reads_.empty() && reads_.front().answered && reads_.front().accesses <= done;
  signals_.rvalid = valid;
  if (!valid) return;
  const ReadBeat& beat = reads_.front();
  signals_.rid = beat.id;
  signals_.rlast = beat.last;
  signals_.rresp = beat.error ? kSlaveError : kOkay;
  std::memcpy(signals_.rdata, beat.data.data(), beat_bytes_);
}

void MemoryPort::DriveResponse(uint64_t now) {
  if (response_taken_) {
    bursts_.PopFront();
    --filled_;
  } else if (signals_.bvalid) {
    return;
  }
  signals_.bvalid = 0;
  if (filled_ == 0) return;
  const WriteBurst& burst = bursts_.front();
  if (burst.accesses > write_accesses_.Done(now)) return;
  const bool error = errors_.MeetsWrite();
  bool zeros = true;
  for (unsigned i = 0; i < burst.beats; ++i) {
    const WriteBeat& beat = writes_.front();
    if (!error) contents_.Write(beat.address, beat.data.data(), beat.strobe, beat_bytes_);
    if (errors_.any()) {
      zeros = zeros && std::all_of(beat.data.begin(), beat.data.begin() + beat_bytes_ / 4,
                                   [](uint32_t word) { return word == 0; });
      errors_.intended().Write(beat.address, beat.data.data(), beat.strobe, beat_bytes_);
    }
    writes_.PopFront();
  }
  if (error) {
    unwritten_[burst.address] = false;
  } else if (const auto place = unwritten_.find(burst.address); place != unwritten_.end()) {
    place->second = place->second || zeros;
  }
  signals_.bvalid = 1;
  signals_.bid = burst.id;
  signals_.bresp = error ? kSlaveError : kOkay;
}

void MemoryPort::CheckAddress(uint64_t address, unsigned beats, unsigned size,
                              unsigned burst) const {
  const uint64_t bytes = uint64_t{beat_bytes_} * beats;
  const bool odd = beat_bytes_ == kOddBeatBytes;
  const char* wrong = nullptr;
  if (size != static_cast<unsigned>(std::bit_width(beat_bytes_ - 1)) || burst != kIncrementing) {
    wrong = "is not an incrementing burst of whole beats";
  } else if (odd && (beats != kOddBeats || address % bytes != 0)) {
    wrong = "is not a whole burst of eight";
  } else if (!odd && address % beat_bytes_ != 0) {
    wrong = "is not at the start of a beat";
  } else if (!odd && address % kBoundary + bytes > kBoundary) {
    wrong = "crosses a 4 KiB boundary";
  } else if (odd ? address >= contents_.size() : address + bytes > contents_.size()) {
    wrong = "reaches beyond the memory";
  }
  if (wrong != nullptr) {
    throw std::runtime_error("the circuit's access of " + std::to_string(beats) + " beats at " +
                             std::to_string(address) + " " + wrong);
  }
}

}  // namespace wirecache::sim
