// SPDX-License-Identifier: Apache-2.0
// Segments of TCP to and from Ethernet frames with IPv4.
#ifndef WIRECACHE_SIM_TCP_SEGMENT_H_
#define WIRECACHE_SIM_TCP_SEGMENT_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace wirecache::sim {

struct TcpAddress {
  uint64_t mac = 0;  // first byte on the wire in the top of the 48 bits
  uint32_t ip = 0;   // likewise of 32
  uint16_t port = 0;
};

struct TcpSegment {
  enum Flag : uint8_t { kFin = 1, kSyn = 2, kRst = 4, kPsh = 8, kAck = 16 };
  struct TimeStamps {
    uint32_t value = 0;
    uint32_t echo = 0;
  };
  struct Piece {
    uint32_t begin = 0;
    uint32_t end = 0;
  };

  TcpAddress from;
  TcpAddress to;
  uint32_t seq = 0;
  uint32_t ack = 0;
  uint8_t flags = 0;
  uint16_t window = 0;  // as it stands there
  std::optional<uint16_t> mss;
  std::optional<uint8_t> scale;
  bool sack_permitted = false;
  std::optional<TimeStamps> times;
  std::array<Piece, 4> sacks = {};
  size_t sack_count = 0;
  std::span<const uint8_t> data;  // of the frame

  bool Has(Flag flag) const { return (flags & flag) != 0; }
};

// Bytes of the options that the segment says, padded.
size_t TcpOptionBytes(const TcpSegment& segment);

// The frame without FCS; it may be shorter than Ethernet's least.
std::vector<uint8_t> BuildTcp(const TcpSegment& segment);

// Reads a frame. None: it is no whole segment over IPv4, or a checksum is wrong.
std::optional<TcpSegment> ParseTcp(std::span<const uint8_t> frame);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TCP_SEGMENT_H_
