// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <netinet/in.h>
#include <slirp/libslirp.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/file_descriptor.h"
#include "sim/link.h"

namespace wirecache::sim {
namespace {

constexpr uint32_t kMask = 0xFFFFFF00;
constexpr int kTcp = 0;
constexpr int kUdp = 1;

in_addr Address(uint32_t ip) { return {.s_addr = htonl(ip)}; }

// An address of the board's network that is not the board's.
uint32_t Neighbour(uint32_t board_ip, uint32_t host) {
  const uint32_t wanted = (board_ip & kMask) | host;
  return wanted == board_ip ? wanted + 2 : wanted;
}

short ToPoll(int events) {
  short out = 0;
  if (events & SLIRP_POLL_IN) out |= POLLIN;
  if (events & SLIRP_POLL_OUT) out |= POLLOUT;
  if (events & SLIRP_POLL_PRI) out |= POLLPRI;
  if (events & SLIRP_POLL_ERR) out |= POLLERR;
  if (events & SLIRP_POLL_HUP) out |= POLLHUP;
  return out;
}

int FromPoll(short events) {
  int out = 0;
  if (events & POLLIN) out |= SLIRP_POLL_IN;
  if (events & POLLOUT) out |= SLIRP_POLL_OUT;
  if (events & POLLPRI) out |= SLIRP_POLL_PRI;
  if (events & POLLERR) out |= SLIRP_POLL_ERR;
  if (events & POLLHUP) out |= SLIRP_POLL_HUP;
  return out;
}

in_addr BindAddress(const std::string& text) {
  in_addr address;
  if (inet_pton(AF_INET, text.c_str(), &address) != 1) {
    throw std::invalid_argument("not an IPv4 address: " + text);
  }
  return address;
}

std::string PortName(bool udp, uint16_t port) {
  return (udp ? "UDP port " : "TCP port ") + std::to_string(port);
}

// libslirp binds with SO_REUSEADDR, which lets it share a UDP port that is in use. Asking for the
// port without it tells. Of TCP it must be asked for with it, as ends of old connections do not
// count.
void RequireFreePort(in_addr address, bool udp, uint16_t port) {
  const FileDescriptor probe(socket(AF_INET, udp ? SOCK_DGRAM : SOCK_STREAM, 0));
  const int reuse = udp ? 0 : 1;
  setsockopt(probe.get(), SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_addr = address;
  name.sin_port = htons(port);
  if (bind(probe.get(), reinterpret_cast<const sockaddr*>(&name), sizeof(name)) != 0) {
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, &address, text, sizeof(text));
    throw std::invalid_argument("cannot use " + PortName(udp, port) + " of " + text + ": " +
                                std::strerror(errno));
  }
}

// Each connection has a descriptor, and a process as a shell starts it may have as many as the
// board has connections, all others included. libslirp does not take a client without one: it would
// wait unanswered, and poll would not sleep.
void AllowDescriptors() {
  rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

class SlirpLink final : public Link {
 public:
  SlirpLink(const LinkOptions& options, Sink sink)
      : sink_(std::move(sink)), address_(ServedAt(options.bind, options)) {
    const in_addr bind = BindAddress(options.bind);
    RequireFreePort(bind, true, options.udp_port);
    if (options.tcp_port != 0) RequireFreePort(bind, false, options.tcp_port);
    SlirpConfig config = {};
    config.version = 4;
    config.in_enabled = true;
    config.vnetwork = Address(options.board_ip & kMask);
    config.vnetmask = Address(kMask);
    config.vhost = Address(Neighbour(options.board_ip, 2));
    config.vnameserver = Address(Neighbour(options.board_ip, 3));
    config.vdhcp_start = Address(options.board_ip);
    config.disable_dns = true;
    config.disable_dhcp = true;
    slirp_.reset(slirp_new(&config, &Callbacks(), this));
    if (!slirp_) throw std::runtime_error("libslirp does not start");
    Forward(kUdp, bind, options.udp_port, options);
    if (options.tcp_port != 0) {
      AllowDescriptors();
      Forward(kTcp, bind, options.tcp_port, options);
      DeepenBacklog();
    }
  }

  void Send(FrameBytes frame) override {
    slirp_input(slirp_.get(), frame.data(), static_cast<int>(frame.size()));
  }

  void Prepare(std::vector<pollfd>& wanted, int& timeout_ms) override {
    wanted_ = &wanted;
    first_ = wanted.size();
    uint32_t timeout =
        timeout_ms < 0 ? std::numeric_limits<uint32_t>::max() : static_cast<uint32_t>(timeout_ms);
    slirp_pollfds_fill(slirp_.get(), &timeout, AddPoll, this);
    if (timeout <= static_cast<uint32_t>(std::numeric_limits<int>::max())) {
      timeout_ms = static_cast<int>(timeout);
    }
  }

  void Dispatch(std::span<const pollfd> ready) override {
    ready_ = ready;
    slirp_pollfds_poll(slirp_.get(), 0, Revents, this);
  }

  std::string address() const override { return address_; }

 private:
  struct Cleanup {
    void operator()(Slirp* slirp) const { slirp_cleanup(slirp); }
  };

  void Forward(int protocol, in_addr bind, uint16_t port, const LinkOptions& options) {
    if (slirp_add_hostfwd(slirp_.get(), protocol, bind, port, Address(options.board_ip), port) !=
        0) {
      throw std::invalid_argument("cannot use " + PortName(protocol == kUdp, port) + " of " +
                                  options.bind + ": " + std::strerror(errno));
    }
  }

  // libslirp listens with a backlog of one. Of clients that come at the same time the kernel would
  // let one or two in, and the others try again seconds later.
  void DeepenBacklog() {
    std::vector<pollfd> wanted;
    int timeout_ms = 0;
    Prepare(wanted, timeout_ms);
    for (const pollfd& one : wanted) {
      int listens = 0;
      socklen_t size = sizeof(listens);
      if (getsockopt(one.fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0 && listens != 0 &&
          listen(one.fd, SOMAXCONN) != 0) {
        throw std::runtime_error(std::string("cannot listen: ") + std::strerror(errno));
      }
    }
  }

  static SlirpLink& Self(void* opaque) { return *static_cast<SlirpLink*>(opaque); }

  static ssize_t SendPacket(const void* data, size_t bytes, void* opaque) {
    Self(opaque).sink_({static_cast<const uint8_t*>(data), bytes});
    return static_cast<ssize_t>(bytes);
  }

  static int64_t Clock(void*) {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  static int AddPoll(int fd, int events, void* opaque) {
    SlirpLink& self = Self(opaque);
    self.wanted_->push_back({.fd = fd, .events = ToPoll(events), .revents = 0});
    return static_cast<int>(self.wanted_->size() - self.first_ - 1);
  }

  static int Revents(int index, void* opaque) {
    return FromPoll(Self(opaque).ready_[static_cast<size_t>(index)].revents);
  }

  // Timers serve IPv6 router advertisements alone, and IPv6 is off: one that never fires will do.
  static void* NewTimer(SlirpTimerCb, void*, void* opaque) { return opaque; }

  static const SlirpCb& Callbacks() {
    static const SlirpCb callbacks = [] {
      SlirpCb made = {};
      made.send_packet = SendPacket;
      made.guest_error = [](const char*, void*) {};
      made.clock_get_ns = Clock;
      made.timer_new = NewTimer;
      made.timer_free = [](void*, void*) {};
      made.timer_mod = [](void*, int64_t, void*) {};
      made.register_poll_fd = [](int, void*) {};
      made.unregister_poll_fd = [](int, void*) {};
      made.notify = [](void*) {};
      return made;
    }();
    return callbacks;
  }

  Sink sink_;
  std::string address_;
  std::unique_ptr<Slirp, Cleanup> slirp_;
  std::vector<pollfd>* wanted_ = nullptr;
  size_t first_ = 0;
  std::span<const pollfd> ready_;
};

}  // namespace

std::unique_ptr<Link> MakeSlirpLink(const LinkOptions& options, Link::Sink sink) {
  return std::make_unique<SlirpLink>(options, std::move(sink));
}

}  // namespace wirecache::sim
