// SPDX-License-Identifier: Apache-2.0
#include <signal.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/board.h"
#include "sim/commands.h"
#include "sim/file_descriptor.h"
#include "sim/link.h"
#include "sim/statistics.h"

namespace wirecache::sim {
namespace {

constexpr uint64_t kCyclesAtOnce = 256;  // between looks at the link
constexpr size_t kMaxWaiting = 256;      // frames in front of the wire; more stay with the host
constexpr unsigned kPollsAtOnce = 64;    // libslirp takes one datagram a poll
constexpr int kSecondMs = 1000;

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
                            .bind = options.Text("bind")};
  const std::string& kind = options.Text("link");
  constexpr std::string_view kTap = "tap:";
  if (kind == "slirp") return MakeSlirpLink(link, std::move(sink));
  if (kind.starts_with(kTap)) return MakeTapLink(kind.substr(kTap.size()), link, std::move(sink));
  throw std::invalid_argument("no such link: " + kind);
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
    board_ = std::make_unique<Board>(options.Board(), options.Host(),
                                     [this](const Frame& frame) { link_->Send(frame.bytes); });
    simulating_.Stop();
    board_->driver().StartClock(seconds_ = UnixSeconds(), 0);
    std::printf("wirecache ready %s, board %s %s, memory %" PRIu64 " MiB\n",
                link_->address().c_str(), options.Text("ip").c_str(), options.Text("mac").c_str(),
                options.Number("memory") >> 20);
    std::fflush(stdout);
  }

  void Run() {
    while (!stopped_) {
      const bool idle = board_->idle();
      Exchange(idle);
      SetClock();
      simulating_.Start();
      board_->Run(kCyclesAtOnce);
      simulating_.Stop();
      if (board_->stuck()) throw std::runtime_error("the circuit does not go on");
    }
    board_->driver().ReadCounters();
    std::fputs(Summary(board_->driver(), board_->simulation().now(), simulating_.seconds()).c_str(),
               stdout);
    std::printf("asleep      %.3f s\n", sleeping_.seconds());
  }

 private:
  void Receive(FrameBytes frame) {
    if (board_) board_->simulation().wire_in().Push({.bytes = {frame.begin(), frame.end()}});
  }

  // Takes frames from the link. Asleep: waits until there is something to do.
  void Exchange(bool idle) {
    int timeout_ms = idle ? kSecondMs : 0;
    for (unsigned i = 0; i < kPollsAtOnce; ++i) {
      const size_t before = board_->simulation().wire_in().waiting();
      if (before >= kMaxWaiting) return;
      wanted_.clear();
      wanted_.push_back({.fd = stop_.fd(), .events = POLLIN, .revents = 0});
      link_->Prepare(wanted_, timeout_ms);
      if (timeout_ms != 0) sleeping_.Start();
      const int ready = poll(wanted_.data(), wanted_.size(), timeout_ms);
      if (timeout_ms != 0) sleeping_.Stop();
      if (ready < 0 && errno != EINTR) throw std::runtime_error("poll does not work here");
      if (wanted_.front().revents != 0) stopped_ = true;
      link_->Dispatch(std::span(wanted_).subspan(1));
      if (ready <= 0 || stopped_ || board_->simulation().wire_in().waiting() == before) return;
      timeout_ms = 0;
    }
  }

  void SetClock() {
    const uint32_t now = UnixSeconds();
    if (now == seconds_) return;
    seconds_ = now;
    board_->driver().SetTime(now);
    board_->driver().ReadCounters();
  }

  StopSignals stop_;  // first: threads that come later must not get the signals
  std::unique_ptr<Board> board_;
  std::unique_ptr<Link> link_;
  std::vector<pollfd> wanted_;
  Stopwatch simulating_;
  Stopwatch sleeping_;
  uint32_t seconds_ = 0;
  bool stopped_ = false;
};

}  // namespace

int Serve(const Options& options) {
  Server(options).Run();
  return 0;
}

}  // namespace wirecache::sim
