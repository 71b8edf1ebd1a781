// SPDX-License-Identifier: Apache-2.0
#include "sim/player.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

namespace wirecache::sim {
namespace {

constexpr uint64_t kCyclesAtOnce = 4096;
constexpr uint64_t kCyclesBeforeFrame = 64;  // for the clock to be set in
constexpr uint64_t kWireBitsPerSecond = 10'000'000'000;
constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;
// When TCP's time has come it has so many cycles to look at all of its connections twice.
constexpr uint64_t kTimesCycles = 8192;
constexpr uint64_t kTrafficCycles = 4;                       // between looks at what traffic wants
constexpr uint64_t kPatience = 600 * kNanosecondsPerSecond;  // with traffic that does not get on
constexpr auto kProgressInterval = std::chrono::milliseconds(250);

// Byte times of the wire for so many at a rate.
uint64_t AtRate(uint64_t byte_times, uint64_t bits_per_second) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(byte_times) * kWireBitsPerSecond /
                               bits_per_second);
}

// As the board sends it: IPv4 without options.
bool IsTcp(std::span<const uint8_t> frame) {
  return frame.size() > 23 && frame[12] == 0x08 && frame[13] == 0x00 && frame[23] == 6;
}

// Writes lists of numbers: a line with the name and the count of each, and the numbers behind it.
class ListFile {
 public:
  explicit ListFile(const std::string& file) : file_(file), out_(file, std::ios::binary) {
    if (!out_) Fail("cannot write ");
  }
  void Write(const char* name, std::span<const uint64_t> list) {
    out_ << name << " " << list.size() << "\n";
    out_.write(reinterpret_cast<const char*>(list.data()),
               static_cast<std::streamsize>(list.size_bytes()));
  }
  // Start and length of each slot.
  void Write(const char* name, const std::vector<Slot>& slots) {
    std::vector<uint64_t> list;
    for (const Slot& slot : slots) list.insert(list.end(), {slot.start, slot.bytes});
    Write(name, list);
  }
  void Close() {
    out_.close();
    if (!out_) Fail("cannot write ");
  }

 private:
  [[noreturn]] void Fail(const char* what) const {
    throw std::invalid_argument(what + file_ + ": " + std::strerror(errno));
  }
  std::string file_;
  std::ofstream out_;
};

}  // namespace

Player::Capture::Capture(const Options& options)
    : in(options.Text("in")),
      traffic(options.Text("traffic")),
      out(options.Text("out")),
      record(options.Text("record")) {
  raw_tcp = options.Number("raw-tcp") != 0;
  frame_header = options.Number("frame-header") != 0;
  as_captured = options.Text("rate") == "as-captured";
  as_taken = options.Text("rate") == "as-taken";
  rate = kWireBitsPerSecond;
  if (!as_captured && !as_taken) rate = options.Number("rate", kWireBitsPerSecond);
  if (rate == 0) throw std::invalid_argument("--rate is at least 1 bit a second");
  if (options.Text("time") != "as-captured") seconds = options.Number("time");
  second_cycles =
      static_cast<uint32_t>(options.Number("second", std::numeric_limits<uint32_t>::max()));
  if (!options.Text("host-pause").empty()) {
    const std::vector<uint64_t> pause = options.Numbers("host-pause", ':');
    if (pause.size() != 2) throw std::invalid_argument("--host-pause is not START:CYCLES");
    pause_begin = pause[0];
    pause_cycles = pause[1];
  }
  audit = options.Number("audit") != 0;
}

Player::Player(const Options& options)
    : board_(options.Board(), options.Host(), [this](const Frame& frame) { Take(frame); }),
      address_({.mac = options.Host().mac, .ip = options.Ip("ip"), .port = options.TcpPort()}),
      before_(board_.driver()),
      counts_(board_.driver()),
      terminal_(isatty(STDERR_FILENO)) {
  const auto impair = options.Impair();
  if (!impair) return;
  impairments_ = std::make_unique<Impairments>(
      Impairments::Options{.in = impair->in.InTicks(ToByteTimes),
                           .out = impair->out.InTicks(ToByteTimes),
                           .seed = impair->seed},
      [this](std::vector<uint8_t> bytes, uint64_t at) {
        board_.simulation().wire_in().Push({.bytes = std::move(bytes), .start = *link_begin_ + at});
      },
      [this](std::vector<uint8_t> bytes, uint64_t at) { Write(bytes, *link_begin_ + at); });
}

void Player::Play(const Capture& capture) {
  Simulation& simulation = board_.simulation();
  std::vector<CapturedFrame> frames;
  if (!capture.in.empty()) frames = ReadPcap(capture.in);
  first_ns_ = frames.empty() ? 0 : frames.front().nanoseconds;
  traffic_.reset();
  stands_still_ = "";
  std::optional<TrafficPlan> plan = Plan(frames, capture);
  std::optional<PcapWriter> out;
  if (!capture.out.empty()) out.emplace(capture.out);
  std::optional<ListFile> lists;
  if (!capture.record.empty()) lists.emplace(capture.record);
  std::vector<Slot> slots_in, slots_out;
  Recorder recorder = simulation.MakeRecorder();

  board_.driver().ReadCounters();
  before_ = Counts(board_.driver());
  simulation.wire_in().ResetStatistics();
  simulation.wire_out().ResetStatistics();
  simulation.memory().timing().ResetStatistics();
  if (impairments_) impairments_->ResetCounts();
  out_ = out ? &*out : nullptr;
  if (lists) {
    slots_out_ = &slots_out;
    simulation.wire_in().set_slots(&slots_in);
    if (!plan) simulation.set_recorder(&recorder);
  }
  Schedule(std::move(frames), std::move(plan), capture);
  board_.PauseHost(simulation.now() + capture.pause_begin, capture.pause_cycles);
  if (traffic_) {
    RunTraffic(capture);
  } else {
    Run(capture);
  }
  if (impairments_) impairments_->out().Flush();
  simulation.set_recorder(nullptr);
  simulation.wire_in().set_slots(nullptr);
  slots_out_ = nullptr;
  out_ = nullptr;
  board_.FinishAccess();
  board_.driver().ReadCounters();
  counts_ = Counts(board_.driver()).Since(before_);
  unanswered_ = "";
  unanswered_datagrams_ = board_.driver().ReadInFlight().front().count;
  if (board_.stuck()) {
    unanswered_ = board_.Unanswered();
    if (unanswered_.empty()) unanswered_ = "a frame or an access to memory";
  }
  memory_state_ = board_.driver().ReadMemoryState();
  const bool item = board_.driver().circuit().index == host::IndexKind::kItem;
  if (item) item_state_ = board_.driver().ReadItemState();
  audit_.reset();
  item_audit_.reset();
  if (capture.audit && unanswered_.empty()) {
    if (item) {
      item_audit_ = board_.ItemAudit();
    } else {
      audit_ = board_.Audit();
    }
  }

  if (out) out->Close();
  if (lists) {
    lists->Write("slot_in", slots_in);
    lists->Write("slot_out", slots_out);
    recorder.ForEach([&lists](const char* name, const std::vector<uint64_t>& list) {
      lists->Write(name, list);
    });
    if (traffic_) {
      traffic_->ForEachList([&lists](const std::string& name, const std::vector<uint64_t>& list) {
        lists->Write(name.c_str(), list);
      });
    }
    lists->Close();
  }
}

// What clients over TCP do: as a file says, or what those of the capture did, whose frames go out
// of `frames`. Nothing: there are none.
std::optional<TrafficPlan> Player::Plan(std::vector<CapturedFrame>& frames,
                                        const Capture& capture) {
  conversations_.reset();
  other_port_.reset();
  if (!capture.traffic.empty()) {
    std::ifstream file(capture.traffic, std::ios::binary);
    if (!file) {
      throw std::invalid_argument("cannot read " + capture.traffic + ": " + std::strerror(errno));
    }
    return TrafficPlan::Read(file);
  }
  if (capture.raw_tcp || address_.port == 0) return std::nullopt;
  std::vector<CapturedConnection> connections = TakeConnections(frames, address_.port);
  if (connections.empty()) {
    other_port_ = BusiestPort(frames);
    return std::nullopt;
  }
  conversations_ = MakeConversations(std::move(connections), first_ns_, capture.as_captured);
  if (conversations_->all.empty()) return std::nullopt;
  TrafficPlan plan;
  plan.cycles = std::numeric_limits<uint64_t>::max();
  plan.groups.emplace_back().name = "capture";
  plan.groups.back().conversations = std::exchange(conversations_->all, {});
  return plan;
}

// Gives the board all frames, each with the byte time before which it must not start; or keeps
// them, to be sent between those of traffic.
void Player::Schedule(std::vector<CapturedFrame> frames, std::optional<TrafficPlan> plan,
                      const Capture& capture) {
  begin_ns_ = capture.seconds ? *capture.seconds * kNanosecondsPerSecond : first_ns_;
  seconds_ = static_cast<uint32_t>(begin_ns_ / kNanosecondsPerSecond);
  board_.simulation().wire_in().set_patient(capture.as_taken);
  board_.driver().SetFrameHeader(capture.frame_header);
  board_.driver().StartClock(seconds_, capture.as_captured ? 0 : capture.second_cycles);
  begin_ = (board_.simulation().now() + kCyclesBeforeFrame) * kWordBytes;
  if (!link_begin_) link_begin_ = begin_;
  others_.clear();
  if (plan) traffic_ = std::make_unique<Traffic>(std::move(*plan), address_, begin_);
  uint64_t slots = 0;  // bytes
  for (CapturedFrame& frame : frames) {
    uint64_t offset;
    if (capture.as_captured) {
      offset = frame.nanoseconds < first_ns_ ? 0 : ToByteTimes(frame.nanoseconds - first_ns_);
    } else {
      offset = AtRate(slots, capture.rate);
      slots += SlotBytes(frame.bytes.size());
    }
    const uint64_t start = begin_ + offset;
    if (traffic_) {
      if (const auto segment = ParseTcp(frame.bytes)) others_.insert(segment->from.ip);
      frames_.push_back({.bytes = std::move(frame.bytes), .start = start});
    } else {
      ToBoard(std::move(frame.bytes), start);
    }
  }
  if (impairments_) impairments_->in().Flush();
}

void Player::Run(const Capture& capture) {
  const size_t frames = board_.simulation().wire_in().waiting();
  const uint64_t begun = board_.simulation().now();
  skipped_ = 0;
  simulating_ = {};
  simulating_.Start();
  while (!board_.idle()) {
    if (capture.as_captured) SkipGap();
    board_.Run(kCyclesAtOnce);
    if (capture.as_captured) SetClock();
    if (board_.stuck()) break;
    ShowProgress(frames - board_.simulation().wire_in().waiting(), frames, "frames");
  }
  simulating_.Stop();
  simulated_ = board_.simulation().now() - begun - skipped_;
  if (terminal_) std::fputs("\r\033[K", stderr);
}

void Player::ToBoard(std::vector<uint8_t> bytes, uint64_t start) {
  if (impairments_) {
    impairments_->in().Push(std::move(bytes), LinkTime(start));
  } else {
    board_.simulation().wire_in().Push({.bytes = std::move(bytes), .start = start});
  }
}

// Until all is answered that traffic waits for, what is left is aborted, and nothing moves.
void Player::RunTraffic(const Capture& capture) {
  const Simulation& simulation = board_.simulation();
  const uint64_t begun = simulation.now();
  const auto nanoseconds = [&simulation] { return ToNanoseconds(simulation.now() * kWordBytes); };
  skipped_ = 0;
  wire_free_ = begin_;
  bool stopped = false;
  uint64_t resting = begun;  // when the circuit had nothing to do last
  const auto so_far = [this] { return traffic_->progress() - frames_.size(); };
  uint64_t progress = so_far();
  uint64_t got_on = nanoseconds();
  simulating_ = {};
  simulating_.Start();
  for (;;) {
    FeedWire(capture.rate);
    if (!stopped && traffic_->done() && frames_.empty()) {
      traffic_->Stop();
      stopped = true;
      got_on = nanoseconds();
    }
    if (so_far() != progress) {
      progress = so_far();
      got_on = nanoseconds();
    }
    if (capture.as_captured) {
      SetClock();
      // Clients of a capture may be silent for as long as they were.
      if (nanoseconds() - got_on > kPatience && !traffic_->waits()) got_on = nanoseconds();
    }
    const bool late = nanoseconds() - got_on > kPatience;
    const bool timed =
        simulation.DueIn(static_cast<uint32_t>(simulation.now() / kMillisecondCycles)).has_value();
    const bool link = impairments_ && impairments_->next();
    if (stopped && traffic_->left() && board_.idle() && !link && (late || !timed)) break;
    // TCP may look after a time that has come, and send nothing: that takes but a moment.
    if (!board_.stuck()) resting = simulation.now();
    if (simulation.now() - resting > kMillisecondCycles) {
      board_.FinishAccess();
      throw std::runtime_error("the circuit does not go on: unanswered " + board_.Unanswered() +
                               "; traffic: " + traffic_->Unfinished());
    }
    if (!stopped && (late || simulation.now() - begun - skipped_ > traffic_->cycles())) {
      stands_still_ = "traffic does not get on: " + traffic_->Unfinished();
      traffic_->Stop();
      break;
    }
    const uint64_t skipped = skipped_;
    SkipIdle();
    if (skipped_ != skipped) resting = simulation.now();
    board_.Run(kTrafficCycles);
    if (conversations_) ShowProgress(traffic_->ended(), traffic_->connections(), "connections");
  }
  simulating_.Stop();
  if (terminal_) std::fputs("\r\033[K", stderr);
  simulated_ = simulation.now() - begun - skipped_;
}

// Gives the wire what traffic has for it, and the capture beside it, frames at a rate.
void Player::FeedWire(uint64_t rate) {
  WireIn& wire = board_.simulation().wire_in();
  const uint64_t now = board_.simulation().now() * kWordBytes;
  if (impairments_) impairments_->Pass(LinkTime(now));
  traffic_->Pass(now);
  while (wire.waiting() < 2 && wire_free_ <= now + kTrafficCycles * kWordBytes) {
    const uint64_t start = std::max(wire_free_, now);
    std::optional<std::vector<uint8_t>> frame;
    if (!frames_.empty() && frames_.front().start <= start) {
      frame = std::move(frames_.front().bytes);
      frames_.pop_front();
    } else {
      frame = traffic_->Next(start);
    }
    if (!frame) return;
    wire_free_ = start + AtRate(SlotBytes(frame->size()), rate);
    ToBoard(std::move(*frame), start);
  }
}

// When nobody has anything to do for a while, time passes without simulation. Neither the circuit
// nor its peers notice: their clocks go on.
void Player::SkipIdle() {
  Simulation& simulation = board_.simulation();
  if (!board_.idle()) return;
  uint64_t next = traffic_->next() / kWordBytes;
  if (!frames_.empty()) next = std::min(next, frames_.front().start / kWordBytes);
  next = std::max(next, wire_free_ / kWordBytes);  // as slow as the wire may be
  if (impairments_) {
    if (const auto due = impairments_->next()) {
      next = std::min(next, (*link_begin_ + *due) / kWordBytes);
    }
  }
  const uint64_t milliseconds = simulation.now() / kMillisecondCycles;
  if (const auto due = simulation.DueIn(static_cast<uint32_t>(milliseconds))) {
    // What is due now is looked at soon, or when the millisecond is another.
    if (*due <= 0 && simulation.now() % kMillisecondCycles < kTimesCycles) return;
    const auto left = static_cast<uint64_t>(std::max(*due, 1));
    next = std::min(next, (milliseconds + left) * kMillisecondCycles);
  }
  // If nobody waits for anything, it is for as long as patience lasts.
  SkipTo(std::min(next, simulation.now() + kClockHz));
}

bool Player::SkipTo(uint64_t cycle) {
  Simulation& simulation = board_.simulation();
  if (cycle <= simulation.now() + kCyclesAtOnce) return false;
  const uint64_t cycles = cycle - simulation.now() - kCyclesBeforeFrame;
  simulation.Skip(cycles);
  skipped_ += cycles;
  return true;
}

// Captures are full of gaps in which nothing happens. Time passes over them without simulation,
// which the circuit does not notice: its clock is set by the host then.
void Player::SkipGap() {
  Simulation& simulation = board_.simulation();
  if (!board_.asleep()) return;  // else there is a next frame, for the board is not idle
  if (SkipTo(simulation.wire_in().next_start() / kWordBytes)) SetClock();
}

void Player::SetClock() {
  const auto now = static_cast<uint32_t>(UnixNanoseconds(board_.simulation().now() * kWordBytes) /
                                         kNanosecondsPerSecond);
  if (now != seconds_) board_.driver().SetTime(seconds_ = now);
}

uint64_t Player::UnixNanoseconds(uint64_t byte_time) const {
  return begin_ns_ + ToNanoseconds(byte_time - begin_);
}

// A frame from the board. The slots are those of the board's wire, whatever the link does then.
void Player::Take(const Frame& frame) {
  if (slots_out_ != nullptr) slots_out_->push_back({frame.start, SlotBytes(frame.bytes.size())});
  if (impairments_) {
    impairments_->out().Push(frame.bytes, LinkTime(frame.start));
  } else {
    Write(frame.bytes, frame.start);
  }
}

void Player::Write(std::span<const uint8_t> bytes, uint64_t byte_time) {
  // Beside clients of a capture there may be others, whose answers are not for these.
  if (traffic_ && (!conversations_ || IsTcp(bytes)) && !ForOthers(bytes)) {
    traffic_->Receive(bytes, byte_time + SlotBytes(bytes.size()) - kGapBytes);
  }
  if (out_ != nullptr) out_->Write(UnixNanoseconds(byte_time), bytes);
}

// Whether it answers a segment of the capture beside traffic.
bool Player::ForOthers(std::span<const uint8_t> frame) const {
  if (others_.empty()) return false;
  const auto segment = ParseTcp(frame);
  return segment && others_.contains(segment->to.ip);
}

// What the link's clock says. It starts with the first frame of the first capture.
uint64_t Player::LinkTime(uint64_t byte_time) const {
  return link_begin_ && byte_time > *link_begin_ ? byte_time - *link_begin_ : 0;
}

void Player::ShowProgress(size_t done, size_t all, const char* what) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - shown_ < kProgressInterval) return;
  shown_ = now;
  std::fprintf(stderr, "\rwirecache: %zu of %zu %s ", done, all, what);
}

std::string Player::CaptureSummary() const {
  std::string text;
  if (traffic_) text += traffic_->Summary();
  if (other_port_) {
    text += "captured    no connection to port " + std::to_string(address_.port) +
            "; most go to port " + std::to_string(*other_port_) + " (--udp-port)\n";
  }
  if (conversations_) {
    std::string left;
    const auto add = [&left](uint64_t count, const char* what) {
      if (count != 0) left += (left.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    };
    add(conversations_->silent, "without a request");
    add(conversations_->joined, "that had begun before");
    add(conversations_->broken, "of which segments are missing");
    add(conversations_->guessed, "of which there are no answers");
    if (!left.empty()) text += "captured    connections " + left + "\n";
  }
  if (impairments_) text += impairments_->Summary();
  return text;
}

std::string Player::Complaint() const {
  if (!unanswered_.empty()) {
    return "the circuit does not go on and has not answered everything: " + unanswered_;
  }
  const uint64_t frames = board_.simulation().wire_in().statistics().frames;
  const uint64_t taken = counts_["frame_in"];
  const uint64_t known = counts_.Drops() + counts_["request_in"] + counts_["tcp_in"] +
                         counts_["arp_reply"] + counts_["icmp_reply"];
  if (taken != known || (taken != 0 && taken != frames)) {
    return "of " + std::to_string(frames) + " frames " + std::to_string(taken) +
           " were counted, and what became of " + std::to_string(known);
  }
  if (!stands_still_.empty()) return stands_still_;
  if (traffic_) {
    if (const std::string unanswered = traffic_->Unanswered(); !unanswered.empty()) {
      return unanswered;
    }
    if (!impairments_ && traffic_->strange() != 0) return traffic_->Complaint();
  }
  if (item_audit_ && !item_audit_->passed()) {
    return "the audit has found: " + item_audit_->Complaint();
  }
  if (!audit_ || audit_->passed()) return "";
  if (!audit_->retired()) return "the circuit has not kept all buckets that memory did not write";
  return "the audit has found blocks that are lost: " + std::to_string(audit_->lost()) +
         ", in two places: " + std::to_string(audit_->twice()) +
         ", that do not exist: " + std::to_string(audit_->unknown());
}

}  // namespace wirecache::sim
