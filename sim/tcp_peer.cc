// SPDX-License-Identifier: Apache-2.0
// Long because sending and receiving share the state of one connection.
#include "sim/tcp_peer.h"

#include <algorithm>
#include <utility>

namespace wirecache::sim {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kFirstTimeout = 1000 * kMillisecond;
constexpr uint64_t kLeastTimeout = 200 * kMillisecond;
constexpr uint64_t kMostTimeout = 120'000 * kMillisecond;
constexpr uint64_t kDelayedAck = 40 * kMillisecond;
constexpr uint64_t kProbeMargin = 2 * kMillisecond;  // over two round trips
constexpr uint64_t kLinger = 60'000 * kMillisecond;
constexpr unsigned kMostTries = 15;
constexpr unsigned kFirstSegments = 10;  // RFC 6928
constexpr unsigned kDuplicates = 3;      // that tell of a loss
constexpr size_t kKept = 1 << 16;        // bytes that are done with, before they are thrown away

// How far a sequence number is ahead of another.
int64_t Ahead(uint32_t number, uint32_t of) { return static_cast<int32_t>(number - of); }

}  // namespace

TcpPeer::TcpPeer(const Settings& settings) : settings_(settings), random_(settings.seed) {
  first_stamp_ = static_cast<uint32_t>(random_());
}

uint64_t TcpPeer::Bytes(uint64_t place) const {
  return place == 0 ? 0 : std::min(place, Written()) - 1;
}

uint32_t TcpPeer::Stamp(uint64_t now) const {
  return first_stamp_ + static_cast<uint32_t>(now / kMillisecond);
}

// ---- The application's side ----
void TcpPeer::Write(std::span<const uint8_t> bytes) {
  out_.insert(out_.end(), bytes.begin(), bytes.end());
}

void TcpPeer::Abort() {
  if (done()) return;
  reset_ = state_ != State::kSynSent;
  End(State::kClosed, "aborted");
}

void TcpPeer::Take(size_t bytes) {
  taken_ += bytes;
  if (taken_ >= kKept || taken_ == in_.size()) {
    in_.erase(in_.begin(), in_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
  }
  if (!opened() || done() || fin_came_) return;
  // The other end may wait for room: it is told when there is more by half of all of it.
  const uint64_t edge = next_ + settings_.room - (in_.size() - taken_);
  if (edge >= edge_ + settings_.room / 2) ack_now_ = true;
}

// ---- Receive ----
void TcpPeer::Receive(const TcpSegment& segment, uint64_t now) {
  if (state_ == State::kClosed) return;
  ++counts_.received;
  if (state_ == State::kSynSent) {
    ReceiveSyn(segment, now);
    return;
  }
  const int64_t ahead = Ahead(segment.seq, their_first_ + static_cast<uint32_t>(next_));
  const bool old = times_ && segment.times && Ahead(segment.times->value, stamp_) < 0;
  if ((old && !segment.Has(TcpSegment::kRst)) || !Acceptable(segment, ahead)) {
    if (!segment.Has(TcpSegment::kRst)) ack_now_ = true;
    if (state_ == State::kTimeWait && segment.Has(TcpSegment::kFin)) linger_until_ = now + kLinger;
    if (ahead < 0 && !segment.data.empty()) ++counts_.duplicates;
    return;
  }
  const uint64_t begin = next_ + static_cast<uint64_t>(ahead);
  if (segment.Has(TcpSegment::kRst)) {
    if (ahead == 0) {
      End(State::kClosed, done() ? nullptr : "reset by the other end");
    } else {
      ack_now_ = true;
    }
    return;
  }
  if (segment.Has(TcpSegment::kSyn)) {
    ack_now_ = true;
    return;
  }
  if (!segment.Has(TcpSegment::kAck)) return;
  if (times_ && segment.times && begin <= acked_) stamp_ = segment.times->value;
  TakeAck(segment, begin, now);
  if (done()) return;
  TakeData(segment, begin, now);
  if (fin_came_ && fin_sent_ && una_ == sent_) {
    End(fin_last_ ? State::kClosed : State::kTimeWait, nullptr);
    linger_until_ = now + kLinger;
  }
}

// Whether any of it is in the window (RFC 9293, 3.10.7.4). Places may be negative here.
bool TcpPeer::Acceptable(const TcpSegment& segment, int64_t ahead) const {
  const auto length = static_cast<int64_t>(segment.data.size() + segment.Has(TcpSegment::kSyn) +
                                           segment.Has(TcpSegment::kFin));
  const auto window = static_cast<int64_t>(edge_ - next_);
  if (ahead + static_cast<int64_t>(next_) < 0) return false;  // in front of the SYN
  if (length == 0) return ahead >= 0 && ahead <= window;
  return ahead + length > 0 && (ahead < window || (ahead == 0 && window == 0));
}

// Until the other's SYN has come.
void TcpPeer::ReceiveSyn(const TcpSegment& segment, uint64_t now) {
  const bool ack = segment.Has(TcpSegment::kAck);
  if (ack && (sent_ == 0 || segment.ack != Number(1))) {
    if (segment.Has(TcpSegment::kRst)) return;
    reset_ = true;
    reset_at_ = segment.ack;
    return;
  }
  if (segment.Has(TcpSegment::kRst)) {
    if (ack) End(State::kClosed, "refused");
    return;
  }
  if (!segment.Has(TcpSegment::kSyn)) return;
  their_first_ = segment.seq;
  next_ = acked_ = 1;
  TakeOptions(segment);
  MoveEdge();
  window_ = largest_window_ = segment.window;  // never scaled in a SYN
  window_ack_ = 1;
  cwnd_ = kFirstSegments * mss_;
  ack_now_ = true;
  state_ = State::kSynReceived;
  if (!ack) {
    // Both have opened at the same time: our SYN goes again, with an ACK.
    if (!flight_.empty()) Lose(flight_.front());
    return;
  }
  Acknowledge(1, now);
  ack_first_ = true;
  state_ = State::kOpen;
  Arm(now);
}

void TcpPeer::End(State state, const char* failure) {
  state_ = state;
  failure_ = failure;
  flight_.clear();
  on_its_way_ = 0;
  timer_ = kNever;
  if (state == State::kClosed) {
    ack_now_ = false;
    ack_at_ = kNever;
  }
}

void TcpPeer::TakeOptions(const TcpSegment& segment) {
  times_ = settings_.time_stamps && segment.times;
  sack_ = settings_.sack && segment.sack_permitted;
  scaled_ = segment.scale.has_value();
  their_scale_ = segment.scale.value_or(0);
  if (times_) stamp_ = segment.times->value;
  mss_ = std::min<size_t>(settings_.mss, segment.mss.value_or(536));
}

void TcpPeer::TakeAck(const TcpSegment& segment, uint64_t begin, uint64_t now) {
  const int64_t ahead = Ahead(segment.ack, Number(una_));
  if (ahead > static_cast<int64_t>(sent_ - una_)) {  // of what was never sent
    if (state_ == State::kSynReceived) {
      reset_ = true;
      reset_at_ = segment.ack;
    } else {
      ack_now_ = true;
    }
    return;
  }
  if (state_ == State::kSynReceived) {
    if (ahead <= 0) return;
    state_ = State::kOpen;
  }
  const uint64_t window = uint64_t{segment.window} << (scaled_ ? their_scale_ : 0);
  const bool duplicate = ahead == 0 && segment.data.empty() && !segment.Has(TcpSegment::kFin) &&
                         window == window_ && !flight_.empty();
  if (sack_) TakeSacks(segment);
  const bool probed = probed_;
  const bool advanced = ahead > 0 && Acknowledge(una_ + static_cast<uint64_t>(ahead), now);
  if (ahead >= 0) TakeWindow(segment, begin);
  if (duplicate) ++duplicate_acks_;
  if (advanced || duplicate || segment.sack_count != 0) FindLost(advanced, probed);
  if (advanced || timer_ == kNever) Arm(now);
}

void TcpPeer::TakeWindow(const TcpSegment& segment, uint64_t begin) {
  if (begin < window_seq_ || (begin == window_seq_ && una_ < window_ack_)) return;
  window_seq_ = begin;
  window_ack_ = una_;
  const uint64_t before = window_;
  window_ = uint64_t{segment.window} << (scaled_ ? their_scale_ : 0);
  largest_window_ = std::max(largest_window_, window_);
  if (before == 0 && window_ != 0 && flight_.empty()) {
    timer_ = kNever;
    backoff_ = 0;
  }
}

void TcpPeer::TakeSacks(const TcpSegment& segment) {
  for (size_t i = 0; i < segment.sack_count; ++i) {
    const int64_t begin = Ahead(segment.sacks[i].begin, Number(una_));
    const int64_t end = Ahead(segment.sacks[i].end, Number(una_));
    if (begin < 0 || end <= begin || end > static_cast<int64_t>(sent_ - una_)) continue;
    for (Sent& piece : flight_) {
      if (piece.sacked || piece.begin < una_ + static_cast<uint64_t>(begin)) continue;
      if (piece.end > una_ + static_cast<uint64_t>(end)) break;
      if (piece.on_its_way()) on_its_way_ -= piece.end - piece.begin;
      piece.sacked = true;
      piece.lost = false;
    }
  }
}

// All up to this place has arrived.
bool TcpPeer::Acknowledge(uint64_t upto, uint64_t now) {
  std::optional<uint64_t> round_trip;
  while (!flight_.empty() && flight_.front().begin < upto) {
    Sent& piece = flight_.front();
    const uint64_t end = std::min(piece.end, upto);
    if (piece.on_its_way()) on_its_way_ -= end - piece.begin;
    if (end < piece.end) {
      piece.begin = end;
      break;
    }
    if (!piece.again && !piece.sacked) round_trip = now - piece.at;
    flight_.pop_front();
  }
  if (round_trip) Measure(*round_trip);
  const uint64_t bytes = upto - una_;
  una_ = upto;
  backoff_ = 0;
  probed_ = false;
  duplicate_acks_ = 0;
  if (recovering_ && una_ >= recover_) recovering_ = false;
  if (!recovering_) GrowWindow(bytes);
  const uint64_t done = Bytes(una_) - base_;
  if (done >= kKept || done == out_.size()) {
    out_.erase(out_.begin(), out_.begin() + static_cast<std::ptrdiff_t>(done));
    base_ += done;
  }
  return true;
}

void TcpPeer::GrowWindow(uint64_t bytes) {
  if (cwnd_ < threshold_) {
    cwnd_ += std::min<uint64_t>(bytes, 2 * mss_);  // RFC 3465
  } else {
    cwnd_ += std::max<uint64_t>(mss_ * std::min<uint64_t>(bytes, 2 * mss_) / cwnd_, 1);
  }
}

void TcpPeer::Measure(uint64_t round_trip) {
  if (srtt_ == 0) {
    srtt_ = std::max<uint64_t>(round_trip, 1);
    rttvar_ = round_trip / 2;
    return;
  }
  const uint64_t apart = srtt_ > round_trip ? srtt_ - round_trip : round_trip - srtt_;
  rttvar_ = (3 * rttvar_ + apart) / 4;
  srtt_ = std::max<uint64_t>((7 * srtt_ + round_trip) / 8, 1);
}

uint64_t TcpPeer::Timeout() const {
  const uint64_t once = srtt_ == 0 ? kFirstTimeout : srtt_ + std::max(4 * rttvar_, kLeastTimeout);
  return std::min(once << std::min(backoff_, 10u), kMostTimeout);
}

// With SACK a segment is lost when three that were sent later have arrived, a retransmission of it
// likewise; behind a tail-loss probe, which is late enough, one. Without SACK by three ACKs that
// say nothing new, and in recovery by one that says part.
void TcpPeer::FindLost(bool advanced, bool probed) {
  const uint64_t before = on_its_way_;
  if (sack_) {
    std::array<uint64_t, kDuplicates> latest = {};  // of those that have arrived, the last first
    for (const Sent& piece : flight_) {
      if (!piece.sacked) continue;
      uint64_t order = piece.order;
      for (uint64_t& one : latest) {
        if (order > one) std::swap(order, one);
      }
    }
    for (Sent& piece : flight_) {
      if (piece.order < (probed ? latest.front() : latest.back())) Lose(piece);
    }
  } else if (!flight_.empty()) {
    const bool part = advanced && recovering_;
    if (part || duplicate_acks_ == kDuplicates) Lose(flight_.front());
  }
  // Not again for what was on its way when the last loss was found.
  if (on_its_way_ < before && !recovering_ && una_ >= recover_) StartRecovery();
}

void TcpPeer::Lose(Sent& piece) {
  if (!piece.on_its_way()) return;
  piece.lost = true;
  on_its_way_ -= piece.end - piece.begin;
}

void TcpPeer::StartRecovery() {
  recovering_ = true;
  recover_ = sent_;
  threshold_ = cwnd_ = std::max<uint64_t>((sent_ - una_) / 2, 2 * mss_);
}

void TcpPeer::TakeData(const TcpSegment& segment, uint64_t begin, uint64_t now) {
  std::span<const uint8_t> data = segment.data;
  // `begin` may have wrapped below 0, when the segment begins in front of what is known.
  const auto known = static_cast<int64_t>(next_ - begin);
  if (segment.Has(TcpSegment::kFin)) fin_at_ = begin + data.size();
  if (data.empty() && !segment.Has(TcpSegment::kFin)) return;
  if (known > 0) {
    if (!data.empty()) ++counts_.duplicates;
    const size_t cut = std::min(data.size(), static_cast<size_t>(known));
    data = data.subspan(cut);
    begin = next_;
    ack_now_ = true;
  }
  if (begin + data.size() > edge_) data = data.first(begin < edge_ ? edge_ - begin : 0);
  if (!data.empty()) {
    if (begin > next_) {
      ++counts_.out_of_order;
      last_piece_ = begin;
      ack_now_ = true;
    } else if (!pieces_.empty()) {
      ack_now_ = true;  // all or part of a gap is filled
    }
    Accept(begin, data);
  }
  if (fin_at_ == next_ && !fin_came_) {
    fin_came_ = true;
    ++next_;
    ++edge_;
    ack_now_ = true;
  }
  if (unacked_bytes_ >= 2 * mss_ - (times_ ? 24 : 0)) ack_now_ = true;
  if (unacked_bytes_ != 0 && ack_at_ == kNever) ack_at_ = now + kDelayedAck;
}

void TcpPeer::Accept(uint64_t begin, std::span<const uint8_t> data) {
  if (begin > next_) {
    std::vector<uint8_t>& piece = pieces_[begin];
    if (piece.size() < data.size()) piece.assign(data.begin(), data.end());
    return;
  }
  const auto append = [this](std::span<const uint8_t> bytes) {
    in_.insert(in_.end(), bytes.begin(), bytes.end());
    next_ += bytes.size();
    unacked_bytes_ += bytes.size();
  };
  append(data);
  while (!pieces_.empty() && pieces_.begin()->first <= next_) {
    const auto& [at, bytes] = *pieces_.begin();
    if (at + bytes.size() > next_) append(std::span(bytes).subspan(next_ - at));
    pieces_.erase(pieces_.begin());
  }
}

// ---- Times ----
// Sets the timer for what is on its way, or waits for a window.
void TcpPeer::Arm(uint64_t now) {
  probing_ = false;
  timer_ = kNever;
  if (done()) return;
  if (!flight_.empty()) {
    const bool tail = opened() && srtt_ != 0 && !recovering_ && !probed_ && backoff_ == 0 &&
                      std::ranges::none_of(flight_, [](const Sent& s) { return s.lost; });
    timer_ = now + Timeout();
    if (!tail) return;
    const uint64_t wait = 2 * srtt_ + (flight_.size() == 1 ? kLeastTimeout : kProbeMargin);
    if (wait >= Timeout()) return;
    timer_ = now + wait;
    probing_ = true;
  } else if (opened() && (sent_ < Written() || (closing_ && !fin_sent_))) {
    timer_ = now + Timeout();  // no room, and nobody who would have to tell of it
  }
}

void TcpPeer::TimeIsUp(uint64_t now) {
  if (flight_.empty()) {
    probe_window_ = true;
    ++counts_.window_probes;
    backoff_ = std::min(backoff_ + 1, kMostTries);
    Arm(now);
    return;
  }
  if (probing_) {
    probed_ = true;
    ++counts_.probes;
    // The last one goes again; a new one would do as well, but there is room for it at any time.
    Lose(flight_.back());
    probe_ = flight_.back().lost;
    Arm(now);
    return;
  }
  if (++backoff_ > kMostTries) {
    End(State::kClosed, "not answered");
    return;
  }
  ++counts_.timeouts;
  threshold_ = std::max<uint64_t>((sent_ - una_) / 2, 2 * mss_);
  cwnd_ = mss_;
  recovering_ = false;
  recover_ = sent_;
  duplicate_acks_ = 0;
  for (Sent& piece : flight_) Lose(piece);
  Arm(now);
}

uint64_t TcpPeer::next() const {
  if (reset_ || ack_now_) return 0;
  if (state_ == State::kClosed) return kNever;
  if (state_ == State::kTimeWait) return linger_until_;
  return std::min(timer_, ack_at_);
}

// ---- Send ----
std::optional<std::vector<uint8_t>> TcpPeer::Send(uint64_t now) {
  if (reset_) {
    reset_ = false;
    TcpSegment segment = Blank(sent_, now);
    segment.flags = TcpSegment::kRst;
    if (reset_at_) {
      segment.seq = *std::exchange(reset_at_, std::nullopt);
    } else {
      segment.flags |= TcpSegment::kAck;
    }
    return Finish(segment);
  }
  if (state_ == State::kClosed) return std::nullopt;
  if (state_ == State::kTimeWait && now >= linger_until_) {
    End(State::kClosed, nullptr);
    return std::nullopt;
  }
  if (now >= timer_) TimeIsUp(now);
  if (state_ == State::kClosed) return std::nullopt;
  if (state_ != State::kTimeWait) {
    if (std::exchange(ack_first_, false)) return Finish(Blank(sent_, now));
    // The first lost one always goes: it may be all that the other end waits for.
    if (Sent* piece = NextLost();
        piece != nullptr && (piece == &flight_.front() ||
                             on_its_way_ + (piece->end - piece->begin) <= cwnd_ || probe_)) {
      return SendAgain(*piece, now);
    }
    if (auto frame = SendNew(now)) return frame;
  }
  if (probe_window_) {
    probe_window_ = false;
    return Finish(Blank(una_ - 1, now));
  }
  if (ack_now_ || now >= ack_at_) return Finish(Blank(sent_, now));
  return std::nullopt;
}

TcpPeer::Sent* TcpPeer::NextLost() {
  const auto found = std::ranges::find_if(flight_, &Sent::lost);
  return found == flight_.end() ? nullptr : &*found;
}

// Up to this place the other end's window and the network let us send.
uint64_t TcpPeer::SendableUntil() const {
  const uint64_t window = window_ack_ + window_;
  // Without SACK each ACK that says nothing new tells of a segment that has left the network.
  const uint64_t left = sack_ || !recovering_ ? 0 : duplicate_acks_ * mss_;
  const uint64_t flying = on_its_way_ > left ? on_its_way_ - left : 0;
  const uint64_t network = cwnd_ > flying ? sent_ + (cwnd_ - flying) : sent_;
  return std::min(window, network);
}

std::optional<std::vector<uint8_t>> TcpPeer::SendNew(uint64_t now) {
  if (sent_ == 0) {  // SYN
    flight_.push_back({.begin = 0, .end = 1, .order = ++order_, .at = now});
    sent_ = 1;
    on_its_way_ = 1;
    Arm(now);
    return SendPiece(flight_.back(), now);
  }
  if (!opened() || fin_sent_) return std::nullopt;
  const uint64_t waiting = Written() - sent_;
  const bool fin = closing_;
  if (waiting == 0 && !fin) return std::nullopt;
  TcpSegment blank = Blank(sent_, now);
  const size_t most = mss_ - TcpOptionBytes(blank);
  if (settings_.cuts && cut_ == 0) cut_ = 1 + random_() % most;
  const uint64_t wanted = std::min<uint64_t>(waiting, settings_.cuts ? cut_ : most);
  const uint64_t until = SendableUntil();
  const uint64_t usable = until > sent_ ? until - sent_ : 0;
  uint64_t size = wanted;
  if (usable < std::max<uint64_t>(wanted, 1)) {
    // No silly windows: less than wanted goes only if it is much of the largest window there was,
    // or if nothing is on its way and the timer has run out.
    const bool by_window = window_ack_ + window_ < sent_ + std::max<uint64_t>(wanted, 1);
    const bool forced = probe_window_ && (usable != 0 || wanted == 0);
    if (!by_window || (!forced && (usable == 0 || 2 * usable < largest_window_))) {
      if (flight_.empty() && timer_ == kNever) Arm(now);
      return std::nullopt;
    }
    size = usable;
  }
  probe_window_ = false;
  const bool last = fin && size == waiting;
  if (settings_.cuts) cut_ = 0;
  flight_.push_back({.begin = sent_, .end = sent_ + size + last, .order = ++order_, .at = now});
  sent_ += size + last;
  fin_sent_ = last;
  fin_last_ = last && fin_came_;
  on_its_way_ += size + last;
  if (flight_.size() == 1 || probing_) Arm(now);
  return SendPiece(flight_.back(), now);
}

std::vector<uint8_t> TcpPeer::SendAgain(Sent& piece, uint64_t now) {
  probe_ = false;
  piece.lost = false;
  piece.again = true;
  piece.order = ++order_;
  piece.at = now;
  on_its_way_ += piece.end - piece.begin;
  ++counts_.retransmitted;
  if (timer_ == kNever) Arm(now);
  return SendPiece(piece, now);
}

std::vector<uint8_t> TcpPeer::SendPiece(Sent& piece, uint64_t now) {
  TcpSegment segment = Blank(piece.begin, now);
  if (piece.begin == 0) {  // SYN
    segment.flags =
        state_ == State::kSynSent ? TcpSegment::kSyn : TcpSegment::kSyn | TcpSegment::kAck;
    segment.window = static_cast<uint16_t>(std::min<size_t>(settings_.room, 0xFFFF));
    segment.mss = settings_.mss;
    // Who answers a SYN takes up what was offered.
    const bool offers = state_ == State::kSynSent;
    if (offers || scaled_) segment.scale = settings_.scale;
    segment.sack_permitted = offers ? settings_.sack : sack_;
    segment.sack_count = 0;
    if (offers ? settings_.time_stamps : times_) {
      segment.times = {.value = Stamp(now), .echo = stamp_};
    }
    return Finish(segment);
  }
  const bool fin = fin_sent_ && piece.end == sent_;
  const size_t size = piece.end - piece.begin - fin;
  // SACKs must not make it longer than when it was first sent.
  while (segment.sack_count != 0 && TcpOptionBytes(segment) + size > mss_) --segment.sack_count;
  segment.data = std::span(out_).subspan(piece.begin - 1 - base_, size);
  if (fin) segment.flags |= TcpSegment::kFin;
  if (piece.end >= Written()) segment.flags |= TcpSegment::kPsh;
  return Finish(segment);
}

// A segment without data.
TcpSegment TcpPeer::Blank(uint64_t place, uint64_t now) const {
  TcpSegment segment;
  segment.from = settings_.own;
  segment.to = settings_.other;
  segment.seq = Number(place);
  segment.flags = TcpSegment::kAck;
  segment.ack = their_first_ + static_cast<uint32_t>(next_);
  if (times_) segment.times = {.value = Stamp(now), .echo = stamp_};
  if (sack_) AddSacks(segment);
  return segment;
}

// The piece that came last in front (RFC 2018).
void TcpPeer::AddSacks(TcpSegment& segment) const {
  if (pieces_.empty()) return;
  const size_t most = times_ ? 3 : 4;
  const auto number = [this](uint64_t place) {
    return their_first_ + static_cast<uint32_t>(place);
  };
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  for (const auto& [at, bytes] : pieces_) {
    const uint64_t end = at + bytes.size();
    if (!ranges.empty() && at <= ranges.back().second) {
      ranges.back().second = std::max(ranges.back().second, end);
    } else {
      ranges.emplace_back(at, end);
    }
  }
  const auto last = std::ranges::find_if(ranges, [this](const auto& range) {
    return range.first <= last_piece_ && last_piece_ < range.second;
  });
  if (last != ranges.end()) std::rotate(ranges.begin(), last, last + 1);
  for (const auto& [begin, end] : ranges) {
    if (segment.sack_count == most) break;
    segment.sacks[segment.sack_count++] = {.begin = number(begin), .end = number(end)};
  }
}

// The window moves on with what the application takes, but not by less than is worth a segment.
void TcpPeer::MoveEdge() {
  const uint64_t held = in_.size() - taken_;
  const uint64_t room = settings_.room > held ? settings_.room - held : 0;
  const uint64_t edge = next_ + room;
  const uint64_t least = std::min<uint64_t>(settings_.room / 2, mss_);
  if (edge >= edge_ + least) edge_ = edge;
}

// The frame of a segment; what it tells the other end is told.
std::vector<uint8_t> TcpPeer::Finish(TcpSegment segment) {
  ++counts_.sent;
  if (segment.Has(TcpSegment::kAck) && state_ != State::kSynSent && !fin_came_) MoveEdge();
  if (!segment.Has(TcpSegment::kSyn) && state_ != State::kSynSent && edge_ > next_) {
    const unsigned scale = scaled_ ? settings_.scale : 0;
    // What is told must not go back: the edge is what the number says.
    const uint64_t window = std::min<uint64_t>((edge_ - next_) >> scale, 0xFFFF);
    segment.window = static_cast<uint16_t>(window);
  }
  if (segment.Has(TcpSegment::kAck)) {
    acked_ = next_;
    unacked_bytes_ = 0;
    ack_now_ = false;
    ack_at_ = kNever;
  } else {
    segment.ack = 0;
  }
  return BuildTcp(segment);
}

}  // namespace wirecache::sim
