// SPDX-License-Identifier: Apache-2.0
// One end of a TCP connection in simulated time: what a client's operating system does. Segments
// go in with Receive and come out of Send, whenever the wire asks for one.
//
// It follows RFC 9293 for an end that opens actively, with RFC 7323 (scaled windows, time stamps),
// 2018 and 6675 (SACK, and what is lost by it), 5681 and 6582 (congestion control), 6298 (timeouts)
// and a tail-loss probe (8985, section 7). Times that are left to choice are those of Linux. There
// is no Nagle: memcached's clients switch it off.
#ifndef WIRECACHE_SIM_TCP_PEER_H_
#define WIRECACHE_SIM_TCP_PEER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "sim/tcp_segment.h"

namespace wirecache::sim {

class TcpPeer {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  struct Settings {
    TcpAddress own;
    TcpAddress other;
    uint32_t first = 0;       // sequence number of its SYN
    uint16_t mss = 1460;      // of its network
    bool time_stamps = true;  // offered
    bool sack = true;         // likewise
    uint8_t scale = 7;        // of its window, likewise
    size_t room = 1 << 20;    // for bytes that the application has not read
    bool cuts = false;        // new segments are of random size
    uint64_t seed = 0;        // of these
  };

  struct Counts {
    uint64_t sent = 0;           // segments
    uint64_t received = 0;       // likewise
    uint64_t retransmitted = 0;  // segments
    uint64_t timeouts = 0;
    uint64_t probes = 0;         // of what may be lost at the tail
    uint64_t window_probes = 0;  // of a window of zero
    uint64_t out_of_order = 0;   // segments behind a gap
    uint64_t duplicates = 0;     // segments with bytes that had come before
  };

  // Sends its SYN when it is first asked for a segment.
  explicit TcpPeer(const Settings& settings);

  // ---- The application's side ----
  void Write(std::span<const uint8_t> bytes);
  // Nothing more will be written.
  void Close() { closing_ = true; }
  // Ends the connection with a RST.
  void Abort();
  // What has come, in order, and was not taken.
  std::span<const uint8_t> readable() const { return std::span(in_).subspan(taken_); }
  void Take(size_t bytes);

  // ---- The wire's side: times in nanoseconds, which never go back ----
  void Receive(const TcpSegment& segment, uint64_t now);
  // The next frame; none: there is nothing to be sent now.
  std::optional<std::vector<uint8_t>> Send(uint64_t now);
  // When Send may have something if nothing comes before; kNever: then never.
  uint64_t next() const;

  // The SYN of the other end has come, and the ACK of ours; or it has failed.
  bool opened() const { return state_ > State::kSynReceived; }
  // All bytes of the other end have come, and its FIN.
  bool ended() const { return fin_came_; }
  // Both ends have ended; it only answers what the other one may send again.
  bool done() const { return state_ == State::kTimeWait || state_ == State::kClosed; }
  // Why it was not by a FIN each way; null: it was.
  const char* failure() const { return failure_; }
  // Bytes that have left for the first time, and those that the other end has.
  uint64_t bytes_sent() const { return Bytes(sent_); }
  uint64_t bytes_acknowledged() const { return Bytes(una_); }
  const Counts& counts() const { return counts_; }

 private:
  // Between open and time-wait, the two FINs say which of RFC 9293's states it is.
  enum class State { kSynSent, kSynReceived, kOpen, kTimeWait, kClosed };

  // A segment that is on its way. Places count from our SYN, which has 0; the first byte has 1.
  struct Sent {
    uint64_t begin;
    uint64_t end;
    uint64_t order;  // of all segments, when it was last sent
    uint64_t at;     // time of that
    bool again = false;
    bool sacked = false;
    bool lost = false;

    bool on_its_way() const { return !sacked && !lost; }
  };

  bool Acceptable(const TcpSegment& segment, int64_t ahead) const;
  void ReceiveSyn(const TcpSegment& segment, uint64_t now);
  void End(State state, const char* failure);
  void TakeOptions(const TcpSegment& segment);
  void TakeAck(const TcpSegment& segment, uint64_t begin, uint64_t now);
  void TakeSacks(const TcpSegment& segment);
  bool Acknowledge(uint64_t upto, uint64_t now);
  void TakeWindow(const TcpSegment& segment, uint64_t begin);
  void FindLost(bool advanced, bool probed);
  void Lose(Sent& segment);
  void StartRecovery();
  void GrowWindow(uint64_t bytes);
  void Measure(uint64_t round_trip);
  void TakeData(const TcpSegment& segment, uint64_t begin, uint64_t now);
  void Accept(uint64_t begin, std::span<const uint8_t> data);
  void MoveEdge();
  void Arm(uint64_t now);
  void TimeIsUp(uint64_t now);
  Sent* NextLost();
  uint64_t SendableUntil() const;

  TcpSegment Blank(uint64_t place, uint64_t now) const;
  void AddSacks(TcpSegment& segment) const;
  std::vector<uint8_t> Finish(TcpSegment segment);
  std::vector<uint8_t> SendPiece(Sent& piece, uint64_t now);
  std::vector<uint8_t> SendAgain(Sent& piece, uint64_t now);
  std::optional<std::vector<uint8_t>> SendNew(uint64_t now);

  uint32_t Number(uint64_t place) const { return settings_.first + static_cast<uint32_t>(place); }
  uint64_t Bytes(uint64_t place) const;
  uint64_t Written() const { return 1 + base_ + out_.size(); }  // place behind the last byte
  uint64_t Timeout() const;
  uint32_t Stamp(uint64_t now) const;

  Settings settings_;
  std::mt19937_64 random_;
  State state_ = State::kSynSent;
  const char* failure_ = nullptr;
  Counts counts_;

  // What is agreed on.
  size_t mss_ = 536;  // of what we send, without options
  bool times_ = false;
  bool sack_ = false;
  bool scaled_ = false;
  uint8_t their_scale_ = 0;

  // Send.
  std::vector<uint8_t> out_;  // bytes from place 1 + base_ on
  uint64_t base_ = 0;
  uint64_t una_ = 0;
  uint64_t sent_ = 0;  // place behind what was sent
  bool closing_ = false;
  bool fin_sent_ = false;
  bool fin_last_ = false;  // the other's FIN came before ours went
  size_t cut_ = 0;         // size of the next new segment, if that is random; 0: not drawn
  std::deque<Sent> flight_;
  uint64_t on_its_way_ = 0;  // of its bytes
  uint64_t order_ = 0;
  uint64_t window_ = 0;
  uint64_t largest_window_ = 0;
  uint64_t window_seq_ = 0;  // the segment that told it: place in the other's numbers
  uint64_t window_ack_ = 0;
  uint64_t cwnd_ = 0;
  uint64_t threshold_ = kNever;
  bool recovering_ = false;
  uint64_t recover_ = 0;  // … until this is acknowledged
  unsigned duplicate_acks_ = 0;

  // Times.
  uint64_t timer_ = kNever;
  bool probing_ = false;       // the timer is that of a tail-loss probe
  bool probed_ = false;        // since something was acknowledged last
  bool probe_ = false;         // one is to be sent
  bool probe_window_ = false;  // likewise, of the window
  unsigned backoff_ = 0;
  uint64_t srtt_ = 0;
  uint64_t rttvar_ = 0;
  uint64_t linger_until_ = kNever;

  // Receive: places count from the other's SYN.
  uint32_t their_first_ = 0;
  std::vector<uint8_t> in_;
  size_t taken_ = 0;
  uint64_t next_ = 0;
  uint64_t edge_ = 0;                                // of the window that was told
  std::map<uint64_t, std::vector<uint8_t>> pieces_;  // behind gaps
  uint64_t last_piece_ = 0;
  std::optional<uint64_t> fin_at_;
  bool fin_came_ = false;
  uint32_t stamp_ = 0;        // the other's
  uint32_t first_stamp_ = 0;  // ours at time 0
  uint64_t acked_ = 0;
  uint64_t unacked_bytes_ = 0;
  bool ack_now_ = false;
  bool ack_first_ = false;  // of the other's SYN: goes alone
  uint64_t ack_at_ = kNever;
  bool reset_ = false;                // a RST is to be sent …
  std::optional<uint32_t> reset_at_;  // … with this number, as the other end has it
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TCP_PEER_H_
