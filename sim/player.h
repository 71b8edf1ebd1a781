// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_PLAYER_H_
#define WIRECACHE_SIM_PLAYER_H_

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/board.h"
#include "sim/conversation.h"
#include "sim/impair.h"
#include "sim/json.h"
#include "sim/options.h"
#include "sim/pcap.h"
#include "sim/statistics.h"
#include "sim/traffic.h"

namespace wirecache::sim {

// Plays captures into a board, one after the other: each begins when all before it is answered and
// nothing moves any more. What the board holds stays.
class Player {
 public:
  struct Capture {
    // From the members in, traffic, out, record, raw-tcp, frame-header, rate, time, second,
    // host-pause and audit of `options`.
    explicit Capture(const Options& options);

    std::string in;
    std::string traffic;              // a plan of clients over TCP instead; empty: a capture
    std::string out;                  // for what the board sends; empty: nobody wants it
    std::string record;               // for when what passed which stage; empty: nobody wants it
    bool raw_tcp = false;             // frames of TCP go in as they stand there
    bool frame_header = true;         // memcached's, in both directions
    bool as_taken = false;            // the circuit may stall the wire
    bool as_captured = false;         // frames come when their time stamps say
    uint64_t rate = 0;                // bits per second, if not
    std::optional<uint64_t> seconds;  // Unix time at the first frame; else its time stamp
    uint32_t second_cycles = 0;       // that the circuit counts as a second, if not as captured
    uint64_t pause_begin = 0;         // cycle from the beginning on in which the host pauses …
    uint64_t pause_cycles = 0;        // … and for how long
    bool audit = false;               // afterwards
  };

  explicit Player(const Options& options);

  void Play(const Capture& capture);

  // About the capture that was played last.
  JsonObject Json() const;
  // What became of the capture's connections, and what the link did to frames, as lines of a
  // summary; empty if there are none, and it was to do nothing.
  std::string CaptureSummary() const;
  // What is wrong: something was not answered or counted, or its audit has found something; empty:
  // nothing.
  std::string Complaint() const;

  Board& board() { return board_; }
  uint64_t simulated_cycles() const { return simulated_; }
  double simulating_seconds() const { return simulating_.seconds(); }

 private:
  std::optional<TrafficPlan> Plan(std::vector<CapturedFrame>& frames, const Capture& capture);
  void Schedule(std::vector<CapturedFrame> frames, std::optional<TrafficPlan> plan,
                const Capture& capture);
  void Run(const Capture& capture);
  void RunTraffic(const Capture& capture);
  void FeedWire(uint64_t rate);
  void SkipIdle();
  bool SkipTo(uint64_t cycle);  // or near it; whether it is far enough
  void SkipGap();
  void SetClock();
  void ToBoard(std::vector<uint8_t> bytes, uint64_t start);
  void Take(const Frame& frame);
  void Write(std::span<const uint8_t> bytes, uint64_t byte_time);
  bool ForOthers(std::span<const uint8_t> frame) const;
  uint64_t LinkTime(uint64_t byte_time) const;
  uint64_t UnixNanoseconds(uint64_t byte_time) const;
  void ShowProgress(size_t done, size_t all, const char* what);

  Board board_;
  TcpAddress address_;                        // of the board
  std::unique_ptr<Impairments> impairments_;  // between the captures and the wire; null: none
  std::optional<uint64_t> link_begin_;        // byte time at which its clock starts
  Counts before_;
  Counts counts_;
  std::string stands_still_;            // traffic that does not get on; empty: it does
  std::unique_ptr<Traffic> traffic_;    // that was played last; null: none
  std::optional<uint16_t> other_port_;  // to which the capture's connections go; none: to ours
  std::optional<Conversations> conversations_;  // of the capture; without the conversations
  std::deque<Frame> frames_;             // of the capture, beside traffic, that have not gone
  std::unordered_set<uint32_t> others_;  // addresses of IP from which TCP comes in these
  uint64_t first_ns_ = 0;                // time stamp of the capture's first frame
  uint64_t wire_free_ = 0;               // byte time at which traffic may send again
  PcapWriter* out_ = nullptr;
  std::vector<Slot>* slots_out_ = nullptr;
  uint64_t begin_ns_ = 0;  // Unix time that is simulated at `begin_`
  uint64_t begin_ = 0;     // byte time
  uint64_t simulated_ = 0;
  uint64_t skipped_ = 0;
  uint64_t unanswered_datagrams_ = 0;
  std::string unanswered_;  // by the circuit, which stands still; empty: all is
  std::optional<host::Audit> audit_;
  std::optional<host::ItemAudit> item_audit_;
  std::optional<host::ItemState> item_state_;
  host::MemoryState memory_state_;
  uint32_t seconds_ = 0;
  Stopwatch simulating_;
  const bool terminal_;
  std::chrono::steady_clock::time_point shown_ = {};
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_PLAYER_H_
