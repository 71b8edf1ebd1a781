// SPDX-License-Identifier: Apache-2.0
#include "sim/captured_tcp.h"

#include <string>
#include <string_view>
#include <vector>

#include "sim/tcp_segment.h"
#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

constexpr TcpAddress kServer = {.mac = 2, .ip = 0x7F000001, .port = 11211};
constexpr TcpAddress kClient = {.mac = 3, .ip = 0x7F000001, .port = 40'000};
constexpr uint32_t kFirst = 0xFFFFFFFE;  // so that numbers wrap

// Frames of a capture, a nanosecond from one to the next.
struct Capture {
  std::vector<CapturedFrame> frames;

  void Add(std::vector<uint8_t> bytes) {
    frames.push_back({.nanoseconds = 100 + frames.size(), .bytes = std::move(bytes)});
  }
  void Add(bool from_client, uint32_t seq, std::string_view text, uint8_t flags = 0,
           uint16_t port = kClient.port) {
    TcpSegment segment;
    segment.from = from_client ? kClient : kServer;
    segment.to = from_client ? kServer : kClient;
    (from_client ? segment.from : segment.to).port = port;
    segment.seq = seq;
    segment.flags = flags;
    segment.data = {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
    std::vector<uint8_t> frame = BuildTcp(segment);
    frame[frame.size() - 1 - text.size()] ^= 1;  // no checksum of a capture need be right
    Add(std::move(frame));
  }
  void Open() {
    Add(true, kFirst, "", TcpSegment::kSyn);
    Add(false, 7, "", TcpSegment::kSyn | TcpSegment::kAck);
  }
  std::vector<CapturedConnection> Take() { return TakeConnections(frames, kServer.port); }
};

TEST(a_captured_connection_has_two_streams) {
  Capture capture;
  capture.Open();
  capture.Add(true, kFirst + 1, "get");
  capture.Add(true, kFirst + 4, " a\r\n");
  capture.Add(false, 8, "END\r\n", TcpSegment::kFin | TcpSegment::kAck);
  const auto found = capture.Take();
  CHECK(capture.frames.empty());
  CHECK_EQ(found.size(), 1u);
  CHECK(found[0].from_start && found[0].server_ended);
  CHECK_EQ(found[0].begin_ns, 100u);
  CHECK_EQ(found[0].opened_ns, 101u);
  CHECK_EQ(found[0].end_ns, 104u);
  CHECK(found[0].client.bytes() == "get a\r\n");
  CHECK_EQ(found[0].client.pieces().size(), 2u);
  CHECK_EQ(found[0].client.pieces()[1].begin, 3u);
  CHECK_EQ(found[0].client.pieces()[1].ns, 103u);
  CHECK(found[0].server.bytes() == "END\r\n");
}

TEST(captured_segments_are_put_in_order_and_each_byte_comes_once) {
  Capture capture;
  capture.Open();
  capture.Add(true, kFirst + 4, "def");
  capture.Add(true, kFirst + 7, "ghi");
  capture.Add(true, kFirst + 1, "abcd");
  capture.Add(true, kFirst + 1, "abc");
  capture.Add(true, kFirst + 6, "fghijk");
  const auto found = capture.Take();
  CHECK(found[0].client.bytes() == "abcdefghijk");
  CHECK(!found[0].client.broken());
  for (const auto& piece : found[0].client.pieces()) CHECK(piece.ns >= 104);
}

TEST(what_is_behind_a_missing_segment_is_left_out) {
  Capture capture;
  capture.Open();
  capture.Add(true, kFirst + 1, "abc");
  capture.Add(true, kFirst + 5, "ef");
  const auto found = capture.Take();
  CHECK(found[0].client.bytes() == "abc");
  CHECK(found[0].client.broken());
}

TEST(a_capture_may_begin_within_a_connection) {
  Capture capture;
  capture.Add(true, 999, "");  // an ACK of a connection at rest has the number of a byte before
  capture.Add(true, 1000, "get a\r\n");
  const auto found = capture.Take();
  CHECK(!found[0].from_start);
  CHECK(found[0].client.bytes() == "get a\r\n");
  CHECK(!found[0].client.broken());
}

TEST(a_port_may_be_used_again) {
  Capture capture;
  capture.Open();
  capture.Add(true, kFirst, "", TcpSegment::kSyn);  // once more the same one
  capture.Add(true, kFirst + 1, "one");
  capture.Add(true, 500, "", TcpSegment::kSyn);
  capture.Add(true, 501, "two");
  capture.Add(true, 1, "other", 0, 40'001);
  const auto found = capture.Take();
  CHECK_EQ(found.size(), 3u);
  CHECK(found[0].client.bytes() == "one");
  CHECK(found[1].client.bytes() == "two");
  CHECK(found[2].client.bytes() == "other");
}

TEST(a_port_may_be_used_again_with_the_same_number_once_its_connection_has_ended) {
  Capture capture;
  capture.Open();
  capture.Add(true, kFirst + 1, "one", TcpSegment::kFin);
  capture.Open();
  capture.Add(true, kFirst + 1, "two");
  const auto found = capture.Take();
  CHECK_EQ(found.size(), 2u);
  CHECK(found[1].client.bytes() == "two");
}

TEST(a_syn_may_have_data_and_come_behind_its_answer) {
  Capture capture;
  capture.Add(false, 7, "", TcpSegment::kSyn | TcpSegment::kAck);
  capture.Add(true, kFirst, "get ", TcpSegment::kSyn);
  capture.Add(true, kFirst + 5, "a\r\n");
  const auto found = capture.Take();
  CHECK_EQ(found.size(), 1u);
  CHECK(found[0].from_start);
  CHECK(found[0].client.bytes() == "get a\r\n");
}

TEST(a_server_that_ends_behind_its_client_has_not_ended_the_connection) {
  for (const bool client_first : {false, true}) {
    Capture capture;
    capture.Open();
    if (client_first) capture.Add(true, kFirst + 1, "", TcpSegment::kFin);
    capture.Add(false, 8, "", TcpSegment::kFin);
    CHECK_EQ(capture.Take()[0].server_ended, !client_first);
  }
}

TEST(what_is_no_tcp_of_the_port_stays) {
  Capture capture;
  capture.Open();
  std::vector<uint8_t> frame = capture.frames[0].bytes;
  capture.frames.clear();
  const auto with = [&capture, &frame](size_t at, uint8_t value) {
    std::vector<uint8_t> other = frame;
    other[at] = value;
    capture.Add(std::move(other));
  };
  with(12, 0x09);  // no IPv4
  with(14, 0x44);  // a header that is too short
  with(17, 200);   // longer than the frame
  with(20, 0x20);  // a fragment
  with(23, 17);    // UDP
  with(37, 0);     // another port
  with(46, 0xF0);  // a header that is longer than the packet
  for (size_t size = 0; size < 54; ++size) {
    capture.Add({frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size)});
  }
  const size_t frames = capture.frames.size();
  CHECK(capture.Take().empty());
  CHECK_EQ(capture.frames.size(), frames);
}

TEST(captured_segments_may_have_tags_and_ipv6_and_no_length) {
  Capture capture;
  capture.Open();
  capture.Add(true, kFirst + 1, "get a\r\n");
  std::vector<uint8_t> tagged = capture.frames[2].bytes;
  tagged.insert(tagged.begin() + 12, {0x81, 0x00, 0x00, 0x05});
  capture.frames[2].bytes = tagged;
  std::vector<uint8_t> six = capture.frames[0].bytes;  // Ethernet, then IPv6, then its TCP
  six.erase(six.begin() + 14, six.begin() + 34);
  six[12] = 0x86;
  six[13] = 0xDD;
  std::vector<uint8_t> head(40, 1);
  head[4] = head[5] = 0;  // as of packets of more than 64 KiB
  head[6] = 6;
  six.insert(six.begin() + 14, head.begin(), head.end());
  six.insert(six.end(), {'h', 'i'});
  six[14 + 40 + 13] = 0;  // no SYN
  capture.Add(six);
  six[14 + 5] = static_cast<uint8_t>(six.size() - 14 - 40);
  six[14 + 40 + 1] ^= 1;        // from another port
  six.insert(six.end(), 9, 0);  // what pads a frame
  capture.Add(six);
  const auto found = capture.Take();
  CHECK_EQ(found.size(), 3u);
  CHECK(found[0].client.bytes() == "get a\r\n");
  CHECK(found[1].client.bytes().ends_with("hi"));
  CHECK(found[2].client.bytes() == found[1].client.bytes());
}

TEST(the_busiest_port_is_that_of_most_connections) {
  Capture capture;
  CHECK(!BusiestPort(capture.frames).has_value());
  capture.Open();
  CHECK_EQ(*BusiestPort(capture.frames), kServer.port);
}

}  // namespace
}  // namespace wirecache::sim
