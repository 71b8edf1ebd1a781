// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/signalfd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "host/tcp_seed.h"
#include "sim/board.h"
#include "sim/commands.h"
#include "sim/file_descriptor.h"
#include "sim/impair.h"
#include "sim/link.h"
#include "sim/statistics.h"

namespace wirecache::sim {
namespace {

constexpr uint64_t kCyclesAtOnce = 32;  // between looks at the link: a client waits for them
constexpr size_t kMaxWaiting = 256;     // frames in front of the wire; more stay with the host
constexpr unsigned kPollsAtOnce = 64;   // libslirp takes one datagram a poll
constexpr int kSecondMs = 1000;
// When TCP's time has come it has so many cycles to look at all of its connections twice: it may be
// in the middle of them.
constexpr uint64_t kTimesCycles = 8192;

// SIGINT and SIGTERM as something to poll for.
class StopSignals {
 public:
  StopSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, nullptr);
    fd_ = FileDescriptor(signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC));
    if (!fd_.valid()) throw std::runtime_error("signalfd does not work here");
  }
  int fd() const { return fd_.get(); }

 private:
  FileDescriptor fd_;
};

std::unique_ptr<Link> MakeLink(const Options& options, Link::Sink sink) {
  const LinkOptions link = {.board_ip = options.Ip("ip"),
                            .udp_port = static_cast<uint16_t>(options.Number("udp-port")),
                            .tcp_port = options.TcpPort(),
                            .bind = options.Text("bind")};
  const std::string& kind = options.Text("link");
  constexpr std::string_view kTap = "tap:";
  if (kind == "slirp") return MakeSlirpLink(link, std::move(sink));
  if (kind.starts_with(kTap)) return MakeTapLink(kind.substr(kTap.size()), link, std::move(sink));
  throw std::invalid_argument("no such link: " + kind);
}

// What a peer must not guess is another each time.
host::Settings WithSecrets(host::Settings settings) {
  std::random_device random;
  for (uint32_t& word : settings.tcp_secret) word = random();
  settings.tcp_seed = host::DrawTcpSeed([&random] { return random(); });
  return settings;
}

uint32_t UnixSeconds() {
  using std::chrono::system_clock;
  return static_cast<uint32_t>(system_clock::to_time_t(system_clock::now()));
}

// The board, its link to the world, and the wall clock between them.
class Server {
 public:
  explicit Server(const Options& options)
      // The link first: whether its port can be had is known at once.
      : link_(MakeLink(options, [this](FrameBytes frame) { Receive(frame); })) {
    simulating_.Start();
    board_ = std::make_unique<Board>(options.Board(), WithSecrets(options.Host()),
                                     [this](const Frame& frame) { Send(frame); });
    simulating_.Stop();
    stop_.emplace();  // till here a signal ends the process
    if (const auto impair = options.Impair()) {
      impairments_ = std::make_unique<Impairments>(
          *impair,
          [this](std::vector<uint8_t> bytes, uint64_t) {
            board_->simulation().wire_in().Push({.bytes = std::move(bytes)});
          },
          [this](const std::vector<uint8_t>& bytes, uint64_t) { link_->Send(bytes); });
    }
    started_ = Clock::now();
    board_->driver().StartClock(seconds_ = UnixSeconds(), 0);
    std::printf("wirecache ready %s, board %s %s, memory %" PRIu64 " MiB\n",
                link_->address().c_str(), options.Text("ip").c_str(), options.Text("mac").c_str(),
                options.Number("memory") >> 20);
    // Whoever waits for this line would wait for ever.
    if (std::fflush(stdout) != 0) {
      throw std::runtime_error(std::string("cannot write to standard output: ") +
                               std::strerror(errno));
    }
  }

  // False when it was stopped while the circuit stood still.
  bool Run() {
    while (!stopped_) {
      // What stands still needs no computing power.
      const bool idle = (board_->idle() && board_->simulation().now() >= awake_until_) ||
                        (told_ && board_->stuck());
      Exchange(idle);
      if (!board_->idle()) counted_ = false;
      SetClock();
      SetMilliseconds();
      simulating_.Start();
      board_->Run(kCyclesAtOnce);
      simulating_.Stop();
      if (board_->driver().commands().shutdown()) stopped_ = true;
      Watch();
    }
    board_->driver().ReadCounters();
    std::fputs(Summary(board_->driver(), board_->simulation().now(), simulating_.seconds()).c_str(),
               stdout);
    std::printf("asleep      %.3f s\n", sleeping_.seconds());
    if (impairments_) std::fputs(impairments_->Summary().c_str(), stdout);
    if (const uint64_t lost = link_->lost(); lost != 0) {
      std::printf("lost        %" PRIu64 " frames that the link did not take\n", lost);
    }
    return !told_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // A frame from the link.
  void Receive(FrameBytes frame) {
    if (!board_) return;
    ++received_;
    if (impairments_) {
      impairments_->in().Push({frame.begin(), frame.end()}, LinkTime());
    } else {
      board_->simulation().wire_in().Push({.bytes = {frame.begin(), frame.end()}});
    }
  }

  // A frame from the board.
  void Send(const Frame& frame) {
    if (impairments_) {
      impairments_->out().Push(frame.bytes, LinkTime());
    } else {
      link_->Send(frame.bytes);
    }
  }

  // Nanoseconds of the wall clock since the board was ready: what the link's delays are counted in,
  // as its other end lives by it.
  uint64_t LinkTime() const {
    return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - started_).count());
  }

  // So long may the process sleep before a frame is due that waits in the link: whole milliseconds,
  // as poll has them, and less than it takes.
  int UntilDue(int timeout_ms) const {
    const auto due = impairments_->next();
    if (!due) return timeout_ms;
    const uint64_t now = LinkTime();
    const uint64_t left_ms = *due <= now ? 0 : (*due - now) / 1'000'000;
    return static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(timeout_ms), left_ms));
  }

  // Takes frames from the link. Asleep: waits until there is something to do.
  void Exchange(bool idle) {
    // What the link now gets or gives is a reason to look at it, and to go on, at once.
    if (impairments_ && impairments_->Pass(LinkTime())) idle = false;
    int timeout_ms = idle ? UntilTcpIsDue() : 0;
    for (unsigned i = 0; i < kPollsAtOnce; ++i) {
      if (board_->simulation().wire_in().waiting() >= kMaxWaiting) return;
      const uint64_t before = received_;
      wanted_.clear();
      wanted_.push_back({.fd = stop_->fd(), .events = POLLIN, .revents = 0});
      link_->Prepare(wanted_, timeout_ms);
      if (impairments_) timeout_ms = UntilDue(timeout_ms);
      if (timeout_ms != 0) sleeping_.Start();
      const int ready = poll(wanted_.data(), wanted_.size(), timeout_ms);
      if (timeout_ms != 0) sleeping_.Stop();
      if (ready < 0 && errno != EINTR) throw std::runtime_error("poll does not work here");
      if (wanted_.front().revents != 0) stopped_ = true;
      link_->Dispatch(std::span(wanted_).subspan(1));
      if (ready <= 0 || stopped_ || received_ == before) return;
      timeout_ms = 0;
    }
  }

  // Says once when the circuit has stood still for a second with something in it; again only when
  // all was answered meanwhile.
  void Watch() {
    if (!board_->stuck()) {
      stuck_since_.reset();
      if (board_->asleep()) told_ = false;
    } else if (!stuck_since_) {
      stuck_since_ = Clock::now();
    } else if (!told_ && Clock::now() - *stuck_since_ > std::chrono::milliseconds(kSecondMs)) {
      told_ = true;
      board_->FinishAccess();
      std::fprintf(stderr, "wirecache: the circuit has stood still for a second, unanswered: %s\n",
                   board_->Unanswered().c_str());
    }
  }

  // TCP's time is that of its peers, the wall clock's.
  void SetMilliseconds() {
    const uint64_t now = board_->simulation().now();
    if (now < awake_until_) return;
    const uint32_t milliseconds = Milliseconds();
    if (milliseconds == milliseconds_) return;
    milliseconds_ = milliseconds;
    board_->simulation().SetMilliseconds(milliseconds);
    const auto left = board_->simulation().DueIn(milliseconds);
    if (left && *left <= 0) awake_until_ = now + kTimesCycles;
  }

  // So many milliseconds may the process sleep for TCP's sake.
  int UntilTcpIsDue() const {
    const auto left = board_->simulation().DueIn(Milliseconds());
    return left ? std::clamp(*left, 0, kSecondMs) : kSecondMs;
  }

  uint32_t Milliseconds() const { return static_cast<uint32_t>(LinkTime() / 1'000'000); }

  // When the second changes: tells the circuit. Counters are read then as well, unless nothing has
  // happened that they count: reading them takes more than a thousand cycles.
  void SetClock() {
    const uint32_t now = UnixSeconds();
    if (now == seconds_) return;
    seconds_ = now;
    board_->driver().SetTime(now);
    if (counted_) return;
    counted_ = true;
    board_->driver().ReadCounters();
    if (!out_of_use_ && board_->driver().OutOfUse()) {
      out_of_use_ = true;
      std::fprintf(stderr, "wirecache: the table is out of use: %s\n", kOutOfUse);
    }
  }

  std::optional<StopSignals> stop_;
  std::unique_ptr<Board> board_;
  std::unique_ptr<Link> link_;
  std::unique_ptr<Impairments> impairments_;  // between the link and the wire; null: none
  Clock::time_point started_;
  uint64_t received_ = 0;  // frames from the link
  std::vector<pollfd> wanted_;
  Stopwatch simulating_;
  Stopwatch sleeping_;
  uint32_t seconds_ = 0;
  uint32_t milliseconds_ = 0;
  uint64_t awake_until_ = 0;  // cycle: TCP looks at its connections
  bool counted_ = false;      // counters were read, and nothing has happened since
  std::optional<Clock::time_point> stuck_since_;
  bool told_ = false;  // that it is stuck
  bool out_of_use_ = false;
  bool stopped_ = false;
};

}  // namespace

int Serve(const Options& options) { return Server(options).Run() ? 0 : 1; }

}  // namespace wirecache::sim
