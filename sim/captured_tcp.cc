// SPDX-License-Identifier: Apache-2.0
#include "sim/captured_tcp.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <unordered_map>
#include <utility>

#include "sim/big_endian.h"
#include "sim/tcp_segment.h"

namespace wirecache::sim {
namespace {

constexpr size_t kEthernetBytes = 14;
constexpr uint16_t kVlan = 0x8100;
constexpr uint16_t kServiceVlan = 0x88A8;
constexpr size_t kVlanBytes = 4;
constexpr uint16_t kIpv4 = 0x0800;
constexpr uint16_t kIpv6 = 0x86DD;
constexpr uint8_t kTcp = 6;
constexpr size_t kLeastIpv4 = 20;
constexpr size_t kIpv6Bytes = 40;
constexpr size_t kLeastTcp = 20;

// What a capture tells of a segment.
struct Captured {
  std::string_view from, to;  // addresses
  uint16_t from_port = 0, to_port = 0;
  uint32_t seq = 0;
  uint8_t flags = 0;
  std::string_view data;

  bool Has(TcpSegment::Flag flag) const { return (flags & flag) != 0; }
};

// The packet of TCP in a frame, and its addresses; nothing if there is none.
std::optional<Captured> Find(const CapturedFrame& captured_frame) {
  std::string_view frame(reinterpret_cast<const char*>(captured_frame.bytes.data()),
                         captured_frame.bytes.size());
  if (frame.size() < kEthernetBytes) return std::nullopt;
  uint64_t type = BigEndian(frame.data() + kEthernetBytes - 2, 2);
  frame.remove_prefix(kEthernetBytes);
  while ((type == kVlan || type == kServiceVlan) && frame.size() >= kVlanBytes) {
    type = BigEndian(frame.data() + 2, 2);
    frame.remove_prefix(kVlanBytes);
  }
  Captured captured;
  size_t head = 0, all = 0;
  if (type == kIpv4 && frame.size() >= kLeastIpv4) {
    const bool fragment = (BigEndian(frame.data() + 6, 2) & 0x3FFF) != 0;
    head = (static_cast<uint8_t>(frame[0]) & 15u) * 4;
    all = BigEndian(frame.data() + 2, 2);
    if (fragment || frame[9] != kTcp || head < kLeastIpv4) return std::nullopt;
    captured.from = frame.substr(12, 4);
    captured.to = frame.substr(16, 4);
  } else if (type == kIpv6 && frame.size() >= kIpv6Bytes) {
    head = kIpv6Bytes;
    all = BigEndian(frame.data() + 4, 2);
    if (all != 0) all += head;
    if (frame[6] != kTcp) return std::nullopt;
    captured.from = frame.substr(8, 16);
    captured.to = frame.substr(24, 16);
  } else {
    return std::nullopt;
  }
  // Packets of more than 64 KiB, which network cards cut, have no length there.
  if (all == 0) all = frame.size();
  if (all > frame.size() || all < head + kLeastTcp) return std::nullopt;
  const std::string_view tcp = frame.substr(head, all - head);
  const size_t offset = (static_cast<uint8_t>(tcp[12]) >> 4) * size_t{4};
  if (offset < kLeastTcp || offset > tcp.size()) return std::nullopt;
  captured.from_port = static_cast<uint16_t>(BigEndian(tcp.data(), 2));
  captured.to_port = static_cast<uint16_t>(BigEndian(tcp.data() + 2, 2));
  captured.seq = static_cast<uint32_t>(BigEndian(tcp.data() + 4, 4));
  captured.flags = static_cast<uint8_t>(tcp[13]);
  captured.data = tcp.substr(offset);
  return captured;
}

// The connections that a capture has told of so far.
class Connections {
 public:
  void Client(const Captured& segment, uint64_t ns, uint64_t order) {
    const bool syn = segment.Has(TcpSegment::kSyn);
    Open& open =
        Known(Name(segment.from, segment.from_port, segment.to), ns, [&](const Open& known) {
          const CapturedConnection& connection = *known.connection;
          const bool fresh = !known.syn && connection.client.pieces().empty();
          return syn && (connection.client_ended || (known.syn != segment.seq && !fresh));
        });
    CapturedConnection& connection = *open.connection;
    if (syn) {
      open.syn = segment.seq;
      connection.from_start = true;
      connection.client.StartAt(segment.seq + 1);
    }
    connection.client.Add(segment.seq + uint32_t{syn}, segment.data, ns, order);
    if (segment.Has(TcpSegment::kFin) || segment.Has(TcpSegment::kRst)) {
      connection.client_ended = true;
    }
  }

  void Server(const Captured& segment, uint64_t ns, uint64_t order) {
    Open& open = Known(Name(segment.to, segment.to_port, segment.from), ns,
                       [](const Open&) { return false; });
    CapturedConnection& connection = *open.connection;
    if (segment.Has(TcpSegment::kSyn)) {
      connection.server.StartAt(segment.seq + 1);
      connection.opened_ns = ns;
    } else if (!segment.Has(TcpSegment::kRst)) {
      connection.server.Add(segment.seq, segment.data, ns, order);
    }
    const bool ends = segment.Has(TcpSegment::kFin) || segment.Has(TcpSegment::kRst);
    if (ends && !connection.client_ended) connection.server_ended = true;
  }

  std::vector<CapturedConnection> Take() {
    return {std::make_move_iterator(all_.begin()), std::make_move_iterator(all_.end())};
  }

 private:
  struct Open {
    CapturedConnection* connection = nullptr;
    std::optional<uint32_t> syn;  // number of the client's
  };

  static std::string Name(std::string_view client, uint16_t port, std::string_view server) {
    return std::string(client) + std::string(server) + std::to_string(port);
  }

  // The connection of that name, or a new one if there is none or it is another now.
  template <typename IsNew>
  Open& Known(const std::string& name, uint64_t ns, IsNew is_new) {
    Open& open = open_[name];
    if (open.connection == nullptr || is_new(open)) {
      open = {.connection = &all_.emplace_back(), .syn = std::nullopt};
      open.connection->begin_ns = open.connection->opened_ns = ns;
    }
    open.connection->end_ns = std::max(open.connection->end_ns, ns);
    return open;
  }

  std::deque<CapturedConnection> all_;
  std::unordered_map<std::string, Open> open_;
};

}  // namespace

void CapturedStream::StartAt(uint32_t number) {
  if (bytes_.empty()) next_ = number;
}

void CapturedStream::Add(uint32_t number, std::string_view data, uint64_t ns, uint64_t order) {
  if (data.empty()) return;  // of a connection at rest it may have the number of a byte before
  if (!next_) next_ = number;
  const auto ahead = static_cast<int32_t>(number - *next_);
  if (ahead < 0) {  // all or some of it has come before
    if (static_cast<int64_t>(data.size()) <= -int64_t{ahead}) return;
    data.remove_prefix(static_cast<size_t>(-int64_t{ahead}));
  }
  if (ahead > 0) {
    std::string& piece = behind_[bytes_.size() + static_cast<size_t>(ahead)];
    if (piece.size() < data.size()) piece = data;
    return;
  }
  Append(data, ns, order);
  while (!behind_.empty() && behind_.begin()->first <= bytes_.size()) {
    const auto [place, piece] = *behind_.begin();
    behind_.erase(behind_.begin());
    const size_t old = bytes_.size() - place;
    if (old < piece.size()) Append(std::string_view(piece).substr(old), ns, order);
  }
}

void CapturedStream::Append(std::string_view data, uint64_t ns, uint64_t order) {
  if (!pieces_.empty()) ns = std::max(ns, pieces_.back().ns);
  pieces_.push_back({.begin = bytes_.size(), .ns = ns, .order = order});
  bytes_ += data;
  *next_ += static_cast<uint32_t>(data.size());
}

std::vector<CapturedConnection> TakeConnections(std::vector<CapturedFrame>& frames, uint16_t port) {
  Connections connections;
  uint64_t order = 0;
  std::erase_if(frames, [&](const CapturedFrame& frame) {
    const auto segment = Find(frame);
    ++order;
    if (!segment || (segment->to_port != port && segment->from_port != port)) return false;
    if (segment->to_port == port) {
      connections.Client(*segment, frame.nanoseconds, order);
    } else {
      connections.Server(*segment, frame.nanoseconds, order);
    }
    return true;
  });
  return connections.Take();
}

std::optional<uint16_t> BusiestPort(const std::vector<CapturedFrame>& frames) {
  std::map<uint16_t, uint64_t> opened;
  for (const CapturedFrame& frame : frames) {
    const auto segment = Find(frame);
    if (!segment || !segment->Has(TcpSegment::kSyn) || segment->Has(TcpSegment::kAck)) continue;
    ++opened[segment->to_port];
  }
  const auto most = std::ranges::max_element(
      opened, {}, [](const auto& port_and_count) { return port_and_count.second; });
  if (most == opened.end()) return std::nullopt;
  return most->first;
}

}  // namespace wirecache::sim
