// SPDX-License-Identifier: Apache-2.0
#include "sim/wire.h"

#include <stdexcept>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

struct Wires {
  uint64_t tdata = 0;
  uint8_t tkeep = 0, tvalid = 0, tready = 1, tlast = 0, tuser = 0;
  ReceiveSignals Receive() { return {tdata, tkeep, tvalid, tready, tlast, tuser}; }
  TransmitSignals Transmit() { return {tdata, tkeep, tvalid, tready, tlast}; }
};

std::vector<uint8_t> Bytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(i + 1);
  return bytes;
}

// Cycles in which frames begin when `frames` of `bytes` each are played back to back.
std::vector<uint64_t> Starts(size_t bytes, unsigned frames) {
  Wires wires;
  WireIn wire(wires.Receive());
  for (unsigned i = 0; i < frames; ++i) wire.Push({.bytes = Bytes(bytes)});
  std::vector<uint64_t> starts;
  bool inside = false;
  for (uint64_t now = 1; starts.size() < frames || inside; ++now) {
    wire.Drive(now);
    if (wires.tvalid && !inside) starts.push_back(now);
    CHECK(wires.tvalid || !inside);  // no gap within a frame
    if (wires.tvalid) inside = !wires.tlast;
    wire.Sample(now);
  }
  return starts;
}

TEST(slots_of_104_bytes_are_13_cycles) {
  const auto starts = Starts(80, 1000);
  for (size_t i = 1; i < starts.size(); ++i) CHECK_EQ(starts[i] - starts[i - 1], 13u);
}

TEST(smallest_slots_are_10_5_cycles_on_average) {
  const auto starts = Starts(60, 1001);
  CHECK_EQ(starts.back() - starts.front(), 10500u);
  for (size_t i = 1; i < starts.size(); ++i) {
    CHECK(starts[i] - starts[i - 1] == 10 || starts[i] - starts[i - 1] == 11);
  }
}

TEST(no_byte_is_lost_at_any_length) {
  for (size_t bytes = 60; bytes < 90; ++bytes) {
    const auto starts = Starts(bytes, 801);
    CHECK_EQ(starts.back() - starts.front(), 100 * (bytes + 24));
  }
}

TEST(frames_arrive_whole_and_short_ones_padded) {
  for (const size_t count :
       {size_t{1}, size_t{59}, size_t{60}, size_t{61}, size_t{64}, size_t{71}}) {
    Wires wires;
    WireIn wire(wires.Receive());
    wire.Push({.bytes = Bytes(count)});
    std::vector<uint8_t> got;
    uint64_t now = 1;
    do {
      wire.Drive(now++);
      for (unsigned i = 0; i < 8; ++i) {
        if (wires.tkeep >> i & 1) got.push_back(static_cast<uint8_t>(wires.tdata >> 8 * i));
      }
      wire.Sample(now);
    } while (!wires.tlast);
    auto wanted = Bytes(count);
    if (wanted.size() < 60) wanted.resize(60);
    CHECK(got == wanted);
    wire.Drive(now);
    CHECK(!wires.tvalid);
    CHECK_EQ(wire.waiting(), 0u);
    CHECK_EQ(wire.statistics().wire_bytes, wanted.size() + 24);
  }
}

TEST(frames_wait_for_their_time) {
  Wires wires;
  WireIn wire(wires.Receive());
  wire.Push({.bytes = Bytes(60), .start = 1003});
  uint64_t now = 1;
  for (; !wires.tvalid; ++now) wire.Drive(now);
  CHECK_EQ(now - 1, 126u);
}

TEST(a_circuit_that_stalls_the_wire_is_an_error) {
  Wires wires;
  WireIn wire(wires.Receive());
  wire.Push({.bytes = Bytes(60)});
  wire.Drive(1);
  wires.tready = 0;
  CHECK_THROWS(wire.Sample(1), std::runtime_error);
}

// Sends frames as fast as they are taken; the cycle of each first word.
std::vector<uint64_t> SendStarts(size_t bytes, unsigned frames, std::vector<Frame>& got) {
  Wires wires;
  WireOut wire(wires.Transmit(), [&got](const Frame& frame) { got.push_back(frame); });
  const auto data = Bytes(bytes);
  std::vector<uint64_t> starts;
  size_t at = 0;
  for (uint64_t now = 1; got.size() < frames; ++now) {
    wire.Drive(now);
    wires.tvalid = 1;
    const size_t count = std::min<size_t>(8, data.size() - at);
    wires.tdata = 0;
    for (size_t i = 0; i < count; ++i) wires.tdata |= uint64_t{data[at + i]} << 8 * i;
    wires.tkeep = static_cast<uint8_t>(0xFF >> (8 - count));
    wires.tlast = at + count == data.size();
    if (wires.tready && at == 0) starts.push_back(now);
    wire.Sample(now);
    if (wires.tready) at = wires.tlast ? 0 : at + count;
  }
  CHECK_EQ(wire.gaps(), 0u);
  CHECK_EQ(wire.statistics().frames, frames);
  return starts;
}

TEST(transmit_keeps_the_pace_of_the_wire) {
  for (size_t bytes = 42; bytes < 90; ++bytes) {
    std::vector<Frame> got;
    const auto starts = SendStarts(bytes, 801, got);
    const size_t padded = bytes < 60 ? 60 : bytes;
    CHECK_EQ(starts.back() - starts.front(), 100 * (padded + 24));
    CHECK_EQ(got.back().start - got.front().start, 800 * (padded + 24));
    auto wanted = Bytes(bytes);
    wanted.resize(padded);
    for (const Frame& frame : got) CHECK(frame.bytes == wanted);
  }
}

TEST(a_gap_in_a_sent_frame_is_counted) {
  Wires wires;
  WireOut wire(wires.Transmit(), [](const Frame&) {});
  wires.tkeep = 0xFF;
  for (uint64_t now = 1; now < 12; ++now) {
    wire.Drive(now);
    wires.tvalid = now != 4;
    wires.tlast = now == 11;
    wire.Sample(now);
  }
  CHECK_EQ(wire.gaps(), 1u);
  CHECK_EQ(wire.statistics().frame_bytes, 80u);
}

TEST(holes_in_tkeep_are_errors) {
  for (const unsigned keep : {0x00u, 0x05u, 0x7Fu}) {
    Wires wires;
    WireOut wire(wires.Transmit(), [](const Frame&) {});
    wire.Drive(1);
    wires.tvalid = 1;
    wires.tkeep = static_cast<uint8_t>(keep);
    CHECK_THROWS(wire.Sample(1), std::runtime_error);
  }
}

}  // namespace
}  // namespace wirecache::sim
