// SPDX-License-Identifier: Apache-2.0
// What was said over TCP in a capture: the bytes of each connection's two ends, and when they were
// captured. A segment may have any size, as network cards put several together, and any checksum,
// as they work it out behind the place where the capture was taken.
#ifndef WIRECACHE_SIM_CAPTURED_TCP_H_
#define WIRECACHE_SIM_CAPTURED_TCP_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/pcap.h"

namespace wirecache::sim {

// What one end has said, in the order of its sequence numbers, each byte once.
class CapturedStream {
 public:
  struct Piece {
    size_t begin;    // bytes before it
    uint64_t ns;     // when it was captured, and all before it
    uint64_t order;  // number of the frame in the capture, as times may be the same
  };

  const std::string& bytes() const { return bytes_; }
  // Where and when bytes came; neither times nor order go back.
  const std::vector<Piece>& pieces() const { return pieces_; }
  // Something behind `bytes` was captured, but not all before it.
  bool broken() const { return !behind_.empty(); }

  // The next byte has this number, whatever came before.
  void StartAt(uint32_t number);
  void Add(uint32_t number, std::string_view data, uint64_t ns, uint64_t order);

 private:
  void Append(std::string_view data, uint64_t ns, uint64_t order);

  std::string bytes_;
  std::vector<Piece> pieces_;
  std::optional<uint32_t> next_;          // number of the byte behind bytes_
  std::map<size_t, std::string> behind_;  // gaps, by their place
};

struct CapturedConnection {
  uint64_t begin_ns = 0;      // first frame
  uint64_t opened_ns = 0;     // the server's SYN; begin_ns if that was not captured
  uint64_t end_ns = 0;        // last frame
  bool from_start = false;    // the client's SYN was captured
  bool client_ended = false;  // by a FIN or a RST
  bool server_ended = false;  // likewise, before the client
  CapturedStream client;
  CapturedStream server;
};

// Takes all frames of TCP to and from a port out of `frames`: connections in the order of their
// first frames, over IPv4 or IPv6, whatever their addresses. Fragments stay.
std::vector<CapturedConnection> TakeConnections(std::vector<CapturedFrame>& frames, uint16_t port);

// The port to which most connections of a capture were opened; none: there are none.
std::optional<uint16_t> BusiestPort(const std::vector<CapturedFrame>& frames);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_CAPTURED_TCP_H_
