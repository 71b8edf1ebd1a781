// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_LINK_H_
#define WIRECACHE_SIM_LINK_H_

#include <poll.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace wirecache::sim {

using FrameBytes = std::span<const uint8_t>;

// Where the other end of the board's wire is: Ethernet frames without FCS to and from the world.
class Link {
 public:
  using Sink = std::function<void(FrameBytes)>;
  virtual ~Link() = default;

  // A frame from the board.
  virtual void Send(FrameBytes frame) = 0;
  // Before poll(): adds what to wait for, and lowers the timeout if it has to be woken sooner.
  virtual void Prepare(std::vector<pollfd>& wanted, int& timeout_ms) = 0;
  // After poll(): hands frames for the board to the sink. `ready` is what Prepare has added.
  virtual void Dispatch(std::span<const pollfd> ready) = 0;
  // Where clients find the board, for the ready line.
  virtual std::string address() const = 0;
  // Frames from the board that the other end has not taken.
  virtual uint64_t lost() const { return 0; }
};

struct LinkOptions {
  uint32_t board_ip = 0;  // first byte in the top bits
  uint16_t udp_port = 0;  // of the board, and of the host where it is forwarded
  uint16_t tcp_port = 0;  // likewise; 0: none
  std::string bind;       // host address that is forwarded
};

// Where clients find the board, for people.
std::string ServedAt(const std::string& host, const LinkOptions& options);

// libslirp's user-mode network: a UDP and a TCP port of the host are forwarded to the board.
std::unique_ptr<Link> MakeSlirpLink(const LinkOptions& options, Link::Sink sink);
// A TAP device of the host, made if it does not exist.
std::unique_ptr<Link> MakeTapLink(const std::string& device, const LinkOptions& options,
                                  Link::Sink sink);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_LINK_H_
