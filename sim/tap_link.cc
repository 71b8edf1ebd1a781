// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "sim/file_descriptor.h"
#include "sim/link.h"

namespace wirecache::sim {
namespace {

constexpr size_t kMaxFrameBytes = 65536;
constexpr unsigned kFramesAtOnce = 64;

std::string DottedQuad(uint32_t ip) {
  return std::to_string(ip >> 24) + "." + std::to_string(ip >> 16 & 255) + "." +
         std::to_string(ip >> 8 & 255) + "." + std::to_string(ip & 255);
}

class TapLink final : public Link {
 public:
  TapLink(const std::string& device, const LinkOptions& options, Sink sink)
      : sink_(std::move(sink)),
        device_(device),
        address_(ServedAt(DottedQuad(options.board_ip), options) + " on " + device),
        fd_(open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC)) {
    if (device.empty() || device.size() >= IFNAMSIZ) {
      throw std::invalid_argument("a TAP device's name has 1 to 15 characters: '" + device + "'");
    }
    const auto fail = [&device] {
      throw std::invalid_argument("cannot use TAP device " + device + ": " + std::strerror(errno));
    };
    if (!fd_.valid()) fail();
    ifreq request = {};
    std::memcpy(request.ifr_name, device.data(), device.size());
    request.ifr_flags = IFF_TAP | IFF_NO_PI;
    if (ioctl(fd_.get(), TUNSETIFF, &request) != 0) fail();
    // Up it carries frames; who may use a device that is there already need not be allowed to.
    const FileDescriptor control(socket(AF_INET, SOCK_DGRAM, 0));
    if (ioctl(control.get(), SIOCGIFFLAGS, &request) == 0) {
      request.ifr_flags |= IFF_UP;
      ioctl(control.get(), SIOCSIFFLAGS, &request);
    }
  }

  void Send(FrameBytes frame) override {
    // A device that is down or full loses the frame, as a cable would.
    if (write(fd_.get(), frame.data(), frame.size()) < 0) ++lost_;
  }

  void Prepare(std::vector<pollfd>& wanted, int&) override {
    wanted.push_back({.fd = fd_.get(), .events = POLLIN, .revents = 0});
  }

  void Dispatch(std::span<const pollfd> ready) override {
    // The error stays, so nothing would ever be waited for again.
    if (ready.front().revents & (POLLERR | POLLHUP | POLLNVAL)) {
      throw std::runtime_error("TAP device " + device_ + " is gone");
    }
    if (!(ready.front().revents & POLLIN)) return;
    for (unsigned i = 0; i < kFramesAtOnce; ++i) {
      const ssize_t bytes = read(fd_.get(), buffer_.data(), buffer_.size());
      if (bytes <= 0) return;
      sink_({buffer_.data(), static_cast<size_t>(bytes)});
    }
  }

  std::string address() const override { return address_; }
  uint64_t lost() const override { return lost_; }

 private:
  Sink sink_;
  std::string device_;
  std::string address_;
  FileDescriptor fd_;
  uint64_t lost_ = 0;
  std::array<uint8_t, kMaxFrameBytes> buffer_;
};

}  // namespace

std::string ServedAt(const std::string& host, const LinkOptions& options) {
  std::string text = "udp " + host + ":" + std::to_string(options.udp_port);
  if (options.tcp_port != 0) text += ", tcp " + host + ":" + std::to_string(options.tcp_port);
  return text;
}

std::unique_ptr<Link> MakeTapLink(const std::string& device, const LinkOptions& options,
                                  Link::Sink sink) {
  return std::make_unique<TapLink>(device, options, std::move(sink));
}

}  // namespace wirecache::sim
