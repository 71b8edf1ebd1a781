// SPDX-License-Identifier: Apache-2.0
#include "sim/tcp_segment.h"

#include <algorithm>
#include <string>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

const std::vector<uint8_t> kData = {'h', 'e', 'l', 'l', 'o'};

TcpSegment Segment() {
  TcpSegment segment;
  segment.from = {.mac = 0x020000000001, .ip = 0x0A000001, .port = 40000};
  segment.to = {.mac = 0x020000000002, .ip = 0x0A000002, .port = 11211};
  segment.seq = 0x01020304;
  segment.ack = 0xF1F2F3F4;
  segment.flags = TcpSegment::kAck | TcpSegment::kPsh;
  segment.window = 0xABCD;
  segment.data = kData;
  return segment;
}

void CheckSame(const TcpSegment& a, const TcpSegment& b) {
  for (const auto& [x, y] : {std::pair{a.from, b.from}, std::pair{a.to, b.to}}) {
    CHECK_EQ(x.mac, y.mac);
    CHECK_EQ(x.ip, y.ip);
    CHECK_EQ(x.port, y.port);
  }
  CHECK_EQ(a.seq, b.seq);
  CHECK_EQ(a.ack, b.ack);
  CHECK_EQ(a.flags, b.flags);
  CHECK_EQ(a.window, b.window);
  CHECK(a.mss == b.mss && a.scale == b.scale);
  CHECK_EQ(a.sack_permitted, b.sack_permitted);
  CHECK_EQ(a.times.has_value(), b.times.has_value());
  if (a.times) {
    CHECK_EQ(a.times->value, b.times->value);
    CHECK_EQ(a.times->echo, b.times->echo);
  }
  CHECK_EQ(a.sack_count, b.sack_count);
  for (size_t i = 0; i < a.sack_count; ++i) {
    CHECK_EQ(a.sacks[i].begin, b.sacks[i].begin);
    CHECK_EQ(a.sacks[i].end, b.sacks[i].end);
  }
  CHECK(std::ranges::equal(a.data, b.data));
}

TEST(segments_there_and_back) {
  for (unsigned options = 0; options < 32; ++options) {
    for (size_t sacks = 0; sacks < 5; ++sacks) {
      TcpSegment segment = Segment();
      if (options & 1) segment.mss = 1460;
      if (options & 2) segment.scale = 7;
      segment.sack_permitted = options & 4;
      if (options & 8) segment.times = {.value = 0x11223344, .echo = 0x55667788};
      if (!(options & 16)) segment.data = {};
      segment.sack_count = sacks;
      for (size_t i = 0; i < sacks; ++i) {
        segment.sacks[i] = {.begin = static_cast<uint32_t>(100 * i), .end = 0xFFFFFFFF};
      }
      if (sacks != 0 && (options & 7)) continue;  // never in a SYN
      if (sacks == 4 && segment.times) continue;  // no room
      const std::vector<uint8_t> frame = BuildTcp(segment);
      const auto read = ParseTcp(frame);
      CHECK(read.has_value());
      CheckSame(*read, segment);
    }
  }
}

TEST(a_segment_as_others_build_it) {
  // By scapy: Ether()/IP(id=0, flags="DF")/TCP(flags="S", seq=1, window=64240, options=[…]).
  const std::string wanted =
      "02000000000202000000000108004500003c00004000400626ba0a0000010a0000029c402bcb0000"
      "000100000000a002faf070f90000020405b40402080a000000070000000001030307";
  TcpSegment segment = Segment();
  segment.seq = 1;
  segment.ack = 0;
  segment.flags = TcpSegment::kSyn;
  segment.window = 64240;
  segment.mss = 1460;
  segment.sack_permitted = true;
  segment.times = {.value = 7, .echo = 0};
  segment.scale = 7;
  segment.data = {};
  std::string hex;
  for (const uint8_t byte : BuildTcp(segment)) {
    for (const unsigned digit : {byte >> 4, byte & 15}) hex += "0123456789abcdef"[digit];
  }
  CHECK(hex == wanted);
}

TEST(a_wrong_bit_is_no_segment) {
  std::vector<uint8_t> frame = BuildTcp(Segment());
  for (size_t bit = 14 * 8; bit < frame.size() * 8; ++bit) {
    frame[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    CHECK(!ParseTcp(frame).has_value());
    frame[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
  }
  CHECK(ParseTcp(frame).has_value());
}

TEST(a_cut_frame_is_no_segment) {
  const std::vector<uint8_t> frame = BuildTcp(Segment());
  for (size_t size = 0; size < frame.size(); ++size) {
    CHECK(!ParseTcp(std::span(frame).first(size)).has_value());
  }
  std::vector<uint8_t> padded = frame;
  padded.resize(frame.size() + 20);
  CheckSame(*ParseTcp(padded), Segment());
}

}  // namespace
}  // namespace wirecache::sim
