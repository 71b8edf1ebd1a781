// SPDX-License-Identifier: Apache-2.0
#include "sim/test/tcp_peer_on_tun.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "sim/impair.h"
#include "sim/tcp_peer.h"

namespace wirecache::sim {
namespace {

constexpr size_t kEthernet = 14;  // a TUN device has packets without it
constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kPatience = 60'000 * kMillisecond;

class Program {
 public:
  explicit Program(std::map<std::string, uint64_t> options)
      : options_(std::move(options)),
        peer_({.own = {.mac = 1, .ip = Option("own"), .port = 40'000},
               .other = {.mac = 2, .ip = Option("other"), .port = 11'211},
               .first = static_cast<uint32_t>(options_["seed"] * 2654435761),
               .time_stamps = options_["times"] != 0,
               .sack = options_["sack"] != 0,
               .room = options_["room"],
               .cuts = options_["cuts"] != 0,
               .seed = options_["seed"]}),
        link_(
            {.in = Bad(), .out = Bad(), .seed = options_["seed"]},
            [this](const std::vector<uint8_t>& frame, uint64_t) {
              if (const auto segment = ParseTcp(frame)) peer_.Receive(*segment, Now());
            },
            [this](const std::vector<uint8_t>& frame, uint64_t) {
              // What a full device does not take is lost.
              (void)!write(fd_, frame.data() + kEthernet, frame.size() - kEthernet);
            }) {
    std::mt19937_64 random(options_["seed"]);
    bytes_.resize(options_["bytes"]);
    for (uint8_t& byte : bytes_) byte = static_cast<uint8_t>(random());
  }

  int Run() {
    peer_.Write(bytes_);
    if (options_["close"] != 0) peer_.Close();
    while ((!peer_.done() || !peer_.readable().empty()) && Now() < kPatience) {
      link_.Pass(Now());
      Read();
      while (auto frame = peer_.Send(Now())) link_.out().Push(std::move(*frame), Now());
      Wait();
    }
    while (auto frame = peer_.Send(Now())) link_.out().Push(std::move(*frame), Now());
    link_.out().Flush();
    Read();
    const TcpPeer::Counts& counts = peer_.counts();
    std::printf(
        "{\"echoed\": %s, \"got\": %zu, \"failure\": \"%s\", \"done\": %s, \"retransmitted\": %lu, "
        "\"timeouts\": %lu, \"out_of_order\": %lu, \"window_probes\": %lu}\n",
        got_ == bytes_ ? "true" : "false", got_.size(),
        peer_.failure() == nullptr ? "" : peer_.failure(), peer_.done() ? "true" : "false",
        counts.retransmitted, counts.timeouts, counts.out_of_order, counts.window_probes);
    return 0;
  }

 private:
  uint32_t Option(const char* name) { return static_cast<uint32_t>(options_[name]); }
  Impairment::Settings Bad() {
    const uint64_t share = options_["bad"];  // of a billion
    return {.loss = share, .reorder = share, .duplicate = share, .corrupt = share, .distance = 3};
  }

  uint64_t Now() const {
    const auto since = std::chrono::steady_clock::now() - begun_;
    return static_cast<uint64_t>(std::chrono::nanoseconds(since).count());
  }

  void Read() {
    const uint64_t rate = options_["rate"];  // bytes a millisecond; 0: as they come
    const auto readable = peer_.readable();
    size_t count = readable.size();
    if (rate != 0) count = std::min<uint64_t>(count, Now() / kMillisecond * rate - read_);
    read_ += rate == 0 ? 0 : count;
    got_.insert(got_.end(), readable.begin(), readable.begin() + static_cast<long>(count));
    peer_.Take(count);
    if (options_["close"] != 0 || got_.size() < bytes_.size()) return;
    // It has all of its bytes back.
    if (options_["abort"] != 0) {
      peer_.Abort();
    } else {
      peer_.Close();
    }
  }

  void Wait() {
    pollfd wanted = {.fd = fd_, .events = POLLIN, .revents = 0};
    const uint64_t next = std::min(peer_.next(), link_.next().value_or(~uint64_t{0}));
    const bool soon = next <= Now() + kMillisecond;
    if (poll(&wanted, 1, soon ? 0 : 1) <= 0) return;
    std::array<uint8_t, 2048> packet;
    const ssize_t count = read(fd_, packet.data(), packet.size());
    if (count <= 0) return;
    std::vector<uint8_t> frame(kEthernet + static_cast<size_t>(count));
    frame[12] = 0x08;
    std::copy_n(packet.begin(), count, frame.begin() + kEthernet);
    link_.in().Push(std::move(frame), Now());
  }

  std::map<std::string, uint64_t> options_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  const int fd_ = static_cast<int>(options_["device"]);
  TcpPeer peer_;
  Impairments link_;
  std::vector<uint8_t> bytes_, got_;
  uint64_t read_ = 0;
};

}  // namespace

int TcpPeerOnTun(int argc, char** argv) {
  std::map<std::string, uint64_t> options;
  for (int i = 0; i + 1 < argc; i += 2) options[argv[i]] = std::strtoull(argv[i + 1], nullptr, 0);
  return Program(options).Run();
}

}  // namespace wirecache::sim
