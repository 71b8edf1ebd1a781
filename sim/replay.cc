// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/board.h"
#include "sim/commands.h"
#include "sim/json.h"
#include "sim/pcap.h"
#include "sim/statistics.h"

namespace wirecache::sim {
namespace {

constexpr uint64_t kCyclesAtOnce = 4096;
constexpr uint64_t kCyclesBeforeFrame = 64;  // for the clock to be set in
constexpr uint64_t kWireBitsPerSecond = 10'000'000'000;
constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr auto kProgressInterval = std::chrono::milliseconds(250);

// Byte times of the wire are 0.8 ns.
uint64_t ToByteTimes(uint64_t nanoseconds) { return nanoseconds + nanoseconds / 4; }
uint64_t ToNanoseconds(uint64_t byte_times) { return byte_times / 5 * 4 + byte_times % 5 * 4 / 5; }

JsonObject DirectionJson(const WireStatistics& statistics) {
  JsonObject out;
  out.Add("frames", statistics.frames);
  out.Add("frame_bytes", statistics.frame_bytes);
  out.Add("wire_bytes", statistics.wire_bytes);
  out.Add("first_cycle", statistics.first_cycle);
  out.Add("last_cycle", statistics.last_cycle);
  return out;
}

class Player {
 public:
  explicit Player(const Options& options)
      : frames_(ReadPcap(options.Text("in"))),
        out_(options.Text("out")),
        as_captured_(options.Text("rate") == "as-captured"),
        rate_(as_captured_ ? kWireBitsPerSecond : options.Number("rate")),
        board_(options.Board(), options.Host(), [this](const Frame& frame) { Record(frame); }) {
    const bool own_time = options.Text("time") == "as-captured";
    begin_ns_ = own_time ? (frames_.empty() ? 0 : frames_.front().nanoseconds)
                         : options.Number("time") * kNanosecondsPerSecond;
  }

  void Run() {
    seconds_ = static_cast<uint32_t>(begin_ns_ / kNanosecondsPerSecond);
    board_.driver().StartClock(seconds_, as_captured_ ? 0 : kClockHz);
    Schedule();
    simulating_.Start();
    const uint64_t begun = board_.simulation().now();
    while (!board_.idle()) {
      if (as_captured_) SkipGap();
      board_.Run(kCyclesAtOnce);
      if (as_captured_) SetClock();
      if (board_.stuck()) throw std::runtime_error("the circuit does not go on");
      ShowProgress();
    }
    simulating_.Stop();
    simulated_ = board_.simulation().now() - begun - skipped_;
    board_.driver().ReadCounters();
    EndProgress();
    out_.Close();
  }

  std::string Report() { return Summary(board_.driver(), simulated_, simulating_.seconds()); }
  JsonObject Json();

 private:
  // Gives the board all frames, each with the byte time before which it must not start.
  void Schedule() {
    WireIn& wire = board_.simulation().wire_in();
    begin_ = (board_.simulation().now() + kCyclesBeforeFrame) * kWordBytes;
    uint64_t slots = 0;  // bytes
    const uint64_t first_ns = frames_.empty() ? 0 : frames_.front().nanoseconds;
    for (CapturedFrame& frame : frames_) {
      uint64_t offset;
      if (as_captured_) {
        offset = frame.nanoseconds < first_ns ? 0 : ToByteTimes(frame.nanoseconds - first_ns);
      } else {
        offset = static_cast<uint64_t>(static_cast<unsigned __int128>(slots) * kWireBitsPerSecond /
                                       rate_);
        slots += SlotBytes(frame.bytes.size());
      }
      wire.Push({.bytes = std::move(frame.bytes), .start = begin_ + offset});
    }
  }

  // Captures are full of gaps in which nothing happens. Time passes over them without simulation,
  // which the circuit does not notice: its clock is set by the host then.
  void SkipGap() {
    Simulation& simulation = board_.simulation();
    const uint64_t next = simulation.wire_in().next_start() / kWordBytes;
    if (!board_.asleep() || next <= simulation.now() + kCyclesAtOnce) return;
    const uint64_t cycles = next - simulation.now() - kCyclesBeforeFrame;
    simulation.Skip(cycles);
    skipped_ += cycles;
    SetClock();
  }

  void SetClock() {
    const auto now = static_cast<uint32_t>(UnixNanoseconds(board_.simulation().now() * kWordBytes) /
                                           kNanosecondsPerSecond);
    if (now != seconds_) board_.driver().SetTime(seconds_ = now);
  }

  uint64_t UnixNanoseconds(uint64_t byte_time) const {
    return begin_ns_ + ToNanoseconds(byte_time - begin_);
  }

  void Record(const Frame& frame) { out_.Write(UnixNanoseconds(frame.start), frame.bytes); }

  void ShowProgress() {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - shown_ < kProgressInterval) return;
    shown_ = now;
    const size_t left = board_.simulation().wire_in().waiting();
    std::fprintf(stderr, "\rwirecache: %zu of %zu frames ", frames_.size() - left, frames_.size());
  }
  void EndProgress() const {
    if (terminal_) std::fputs("\r\033[K", stderr);
  }

  std::vector<CapturedFrame> frames_;
  PcapWriter out_;
  bool as_captured_;
  uint64_t rate_;  // bits per second
  Board board_;
  uint64_t begin_ns_ = 0;  // Unix time that is simulated at `begin_`
  uint64_t begin_ = 0;     // byte time
  uint64_t simulated_ = 0;
  uint64_t skipped_ = 0;
  uint32_t seconds_ = 0;
  Stopwatch simulating_;
  const bool terminal_ = isatty(STDERR_FILENO);
  std::chrono::steady_clock::time_point shown_ = {};
};

JsonObject Player::Json() {
  const host::Driver& driver = board_.driver();
  const WireStatistics& in = board_.simulation().wire_in().statistics();
  const WireStatistics& out = board_.simulation().wire_out().statistics();
  const uint64_t operations = Operations(driver);
  // From the first word in to the last word out.
  const uint64_t last = std::max(in.last_cycle, out.last_cycle);
  const uint64_t cycles = in.frames == 0 ? 0 : last + 1 - in.first_cycle;
  const auto per = [](auto a, auto b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  JsonObject json;
  json.Add("frames_in", in.frames);
  json.Add("frames_out", out.frames);
  json.Add("dropped", Drops(driver));
  json.Add("drops", DropsJson(driver));
  json.Add("operations", operations);
  json.Add("hits", driver.counter("get_hit"));
  json.Add("cycles", cycles);
  json.Add("cycles_per_operation", per(cycles, operations));
  json.Add("operations_per_second", per(operations * kClockHz, cycles));
  json.Add("clock_hz", kClockHz);
  json.Add("in", DirectionJson(in));
  json.Add("out", DirectionJson(out));
  json.Add("transmit_gaps", board_.simulation().wire_out().gaps());
  json.Add("bad_pointers", driver.bad_pointers());
  json.Add("counters", CountersJson(driver));
  json.Add("memory_touched_bytes", board_.simulation().memory().contents().touched_bytes());
  json.Add("simulated_cycles", simulated_);
  json.Add("wall_seconds", simulating_.seconds());
  json.Add("simulated_cycles_per_second", per(simulated_, simulating_.seconds()));
  return json;
}

}  // namespace

int Replay(const Options& options) {
  Player player(options);
  std::ofstream json;
  const std::string& file = options.Text("json");
  if (!file.empty()) {
    json.open(file);
    if (!json) throw std::invalid_argument("cannot write " + file + ": " + std::strerror(errno));
  }
  player.Run();
  std::fputs(player.Report().c_str(), stdout);
  if (file.empty()) return 0;
  json << player.Json().Text() << "\n";
  json.close();
  if (!json) throw std::runtime_error("cannot write " + file + ": " + std::strerror(errno));
  return 0;
}

}  // namespace wirecache::sim
