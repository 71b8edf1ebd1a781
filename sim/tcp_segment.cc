// SPDX-License-Identifier: Apache-2.0
#include "sim/tcp_segment.h"

#include <algorithm>
#include <stdexcept>

#include "sim/big_endian.h"

namespace wirecache::sim {
namespace {

constexpr size_t kEthernet = 14;
constexpr size_t kIp = 20;
constexpr size_t kTcp = 20;
constexpr size_t kMostOptions = 40;
constexpr uint16_t kTypeIp = 0x0800;
constexpr uint8_t kProtocolTcp = 6;
constexpr uint16_t kDontFragment = 0x4000;
constexpr uint8_t kTtl = 64;

enum Kind : uint8_t { kEnd, kNop, kMss, kScale, kSackPermitted, kSack, kTimes = 8 };

void Put(uint8_t* at, uint64_t value, size_t bytes) {
  while (bytes != 0) {
    at[--bytes] = static_cast<uint8_t>(value);
    value >>= 8;
  }
}

// The sum of 16-bit words that Internet checksums are made of, onto another.
uint64_t Sum(std::span<const uint8_t> bytes, uint64_t sum = 0) {
  size_t i = 0;
  for (; i + 1 < bytes.size(); i += 2) sum += uint64_t{bytes[i]} << 8 | bytes[i + 1];
  return i < bytes.size() ? sum + (uint64_t{bytes[i]} << 8) : sum;
}

uint16_t Folded(uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xFFFF) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

// Of the addresses, the protocol and the length, which TCP's checksum covers too.
uint64_t PseudoSum(const uint8_t* ip, size_t length) {
  return Sum({ip + 12, 8}, uint64_t{kProtocolTcp} + length);
}

// Options in the order in which Linux has them, so that fields are aligned.
class OptionWriter {
 public:
  explicit OptionWriter(const TcpSegment& segment) {
    if (segment.mss) Add(kMss, 2, *segment.mss);
    if (segment.sack_permitted) {
      if (!segment.times) Pad(2);
      Add(kSackPermitted, 0, 0);
    }
    if (segment.times) {
      if (!segment.sack_permitted) Pad(2);
      Add(kTimes, 8, uint64_t{segment.times->value} << 32 | segment.times->echo);
    }
    if (segment.scale) {
      Pad(1);
      Add(kScale, 1, *segment.scale);
    }
    if (segment.sack_count != 0) {
      Pad(2);
      Byte(kSack);
      Byte(static_cast<uint8_t>(2 + 8 * segment.sack_count));
      for (size_t i = 0; i < segment.sack_count; ++i) {
        Number(segment.sacks[i].begin, 4);
        Number(segment.sacks[i].end, 4);
      }
    }
    while (size_ % 4 != 0) Byte(kNop);
  }
  std::span<const uint8_t> bytes() const { return {bytes_.data(), size_}; }

 private:
  void Byte(uint8_t value) { Number(value, 1); }
  void Number(uint64_t value, size_t bytes) {
    if (size_ + bytes > kMostOptions) throw std::logic_error("too many options");
    Put(bytes_.data() + size_, value, bytes);
    size_ += bytes;
  }
  void Pad(size_t count) {
    while (count-- != 0) Byte(kNop);
  }
  void Add(Kind kind, size_t bytes, uint64_t value) {
    Byte(kind);
    Byte(static_cast<uint8_t>(2 + bytes));
    Number(value, bytes);
  }

  std::array<uint8_t, kMostOptions> bytes_;
  size_t size_ = 0;
};

void ReadOption(TcpSegment& segment, uint8_t kind, std::span<const uint8_t> body) {
  if (kind == kMss && body.size() == 2) {
    segment.mss = static_cast<uint16_t>(BigEndian(body.data(), 2));
  } else if (kind == kScale && body.size() == 1) {
    segment.scale = std::min<uint8_t>(body[0], 14);
  } else if (kind == kSackPermitted && body.empty()) {
    segment.sack_permitted = true;
  } else if (kind == kTimes && body.size() == 8) {
    segment.times =
        TcpSegment::TimeStamps{.value = static_cast<uint32_t>(BigEndian(body.data(), 4)),
                               .echo = static_cast<uint32_t>(BigEndian(&body[4], 4))};
  } else if (kind == kSack && body.size() % 8 == 0) {
    segment.sack_count = std::min(body.size() / 8, segment.sacks.size());
    for (size_t i = 0; i < segment.sack_count; ++i) {
      segment.sacks[i] = {.begin = static_cast<uint32_t>(BigEndian(&body[8 * i], 4)),
                          .end = static_cast<uint32_t>(BigEndian(&body[8 * i + 4], 4))};
    }
  }
}

void ReadOptions(TcpSegment& segment, std::span<const uint8_t> options) {
  while (!options.empty() && options[0] != kEnd) {
    size_t size = 1;
    if (options[0] != kNop) {
      if (options.size() < 2 || options[1] < 2 || options[1] > options.size()) return;
      size = options[1];
      ReadOption(segment, options[0], options.subspan(2, size - 2));
    }
    options = options.subspan(size);
  }
}

}  // namespace

size_t TcpOptionBytes(const TcpSegment& segment) { return OptionWriter(segment).bytes().size(); }

std::vector<uint8_t> BuildTcp(const TcpSegment& segment) {
  const OptionWriter options(segment);
  const size_t header = kTcp + options.bytes().size();
  const size_t length = header + segment.data.size();
  std::vector<uint8_t> frame(kEthernet + kIp + length);
  Put(&frame[0], segment.to.mac, 6);
  Put(&frame[6], segment.from.mac, 6);
  Put(&frame[12], kTypeIp, 2);
  uint8_t* ip = &frame[kEthernet];
  ip[0] = 0x45;
  Put(ip + 2, kIp + length, 2);
  Put(ip + 6, kDontFragment, 2);
  ip[8] = kTtl;
  ip[9] = kProtocolTcp;
  Put(ip + 12, segment.from.ip, 4);
  Put(ip + 16, segment.to.ip, 4);
  Put(ip + 10, Folded(Sum({ip, kIp})), 2);
  uint8_t* tcp = ip + kIp;
  Put(tcp, segment.from.port, 2);
  Put(tcp + 2, segment.to.port, 2);
  Put(tcp + 4, segment.seq, 4);
  Put(tcp + 8, segment.ack, 4);
  tcp[12] = static_cast<uint8_t>(header / 4 << 4);
  tcp[13] = segment.flags;
  Put(tcp + 14, segment.window, 2);
  std::ranges::copy(options.bytes(), tcp + kTcp);
  std::ranges::copy(segment.data, tcp + header);
  Put(tcp + 16, Folded(Sum({tcp, length}, PseudoSum(ip, length))), 2);
  return frame;
}

std::optional<TcpSegment> ParseTcp(std::span<const uint8_t> frame) {
  if (frame.size() < kEthernet + kIp + kTcp || BigEndian(&frame[12], 2) != kTypeIp)
    return std::nullopt;
  const uint8_t* ip = &frame[kEthernet];
  const size_t ip_header = (ip[0] & 15u) * 4;
  const size_t total = BigEndian(ip + 2, 2);
  if (ip[0] >> 4 != 4 || ip_header < kIp || total < ip_header + kTcp ||
      total > frame.size() - kEthernet || ip[9] != kProtocolTcp ||
      (BigEndian(ip + 6, 2) & 0x3FFF) != 0 || Folded(Sum({ip, ip_header})) != 0) {
    return std::nullopt;
  }
  const uint8_t* tcp = ip + ip_header;
  const size_t length = total - ip_header;
  const size_t header = (tcp[12] >> 4) * size_t{4};
  if (header < kTcp || header > length || Folded(Sum({tcp, length}, PseudoSum(ip, length))) != 0) {
    return std::nullopt;
  }
  TcpSegment segment;
  segment.from = {.mac = BigEndian(&frame[6], 6),
                  .ip = static_cast<uint32_t>(BigEndian(ip + 12, 4)),
                  .port = static_cast<uint16_t>(BigEndian(tcp, 2))};
  segment.to = {.mac = BigEndian(&frame[0], 6),
                .ip = static_cast<uint32_t>(BigEndian(ip + 16, 4)),
                .port = static_cast<uint16_t>(BigEndian(tcp + 2, 2))};
  segment.seq = static_cast<uint32_t>(BigEndian(tcp + 4, 4));
  segment.ack = static_cast<uint32_t>(BigEndian(tcp + 8, 4));
  segment.flags = tcp[13];
  segment.window = static_cast<uint16_t>(BigEndian(tcp + 14, 2));
  ReadOptions(segment, {tcp + kTcp, header - kTcp});
  segment.data = {tcp + header, length - header};
  return segment;
}

}  // namespace wirecache::sim
