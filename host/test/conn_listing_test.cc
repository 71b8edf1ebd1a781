// SPDX-License-Identifier: Apache-2.0
#include "host/conn_listing.h"

#include <map>
#include <string>

#include "host/register_map.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

// Registers of TCP on a board: some connections are open, and each read may find them busy once.
class Peers {
 public:
  std::map<uint32_t, uint32_t> open;  // number, address
  unsigned accesses = 0;

  uint32_t Carry(const Access& access) {
    ++accesses;
    if (access.write) {
      CHECK_EQ(access.address, WC_TCP_ADDRESS(TCP_PEER));
      number_ = access.value;
      busy_ = number_ % 3 == 0;
      return 0;
    }
    if (access.address == WC_TCP_ADDRESS(TCP_PEER_IP)) return open.at(number_);
    if (access.address == WC_TCP_ADDRESS(TCP_PEER_PORT)) return 1000 + number_;
    CHECK_EQ(access.address, WC_TCP_ADDRESS(TCP_PEER_STATE));
    if (busy_) {
      busy_ = false;
      return WC_TCP_REGS__TCP_PEER_STATE__BUSY_bm | WC_TCP_REGS__TCP_PEER_STATE__OPEN_bm;
    }
    return open.contains(number_) ? WC_TCP_REGS__TCP_PEER_STATE__OPEN_bm | 3 : 7;
  }

  std::string Part(ConnListing& list) {
    std::string answer;
    Worker part = list.WritePart(answer);
    for (part.Resume(); part.access();) part.Resume(Carry(*part.access()));
    return answer;
  }

 private:
  uint32_t number_ = 0;
  bool busy_ = false;
};

BoardFacts Facts() {
  BoardFacts facts;
  facts.ip = 0x0A00020F;
  facts.udp_port = 11211;
  facts.tcp_port = 11212;
  return facts;
}

TEST(connections_are_listed) {
  Peers peers;
  peers.open = {{0, 0x01020304}, {7, 0xFFFEFDFC}};
  ConnListing list(Facts(), 8, 7);
  CHECK(!list.ended() && !list.whole());
  CHECK(peers.Part(list) ==
        "STAT 1:UDP UDP\r\nSTAT 1:addr udp:10.0.2.15:11211\r\nSTAT 1:state conn_read\r\n"
        "STAT 1:secs_since_last_cmd 0\r\nSTAT 2:addr tcp:10.0.2.15:11212\r\n"
        "STAT 2:state conn_listening\r\nSTAT 2:secs_since_last_cmd 0\r\n"
        "STAT 3:addr tcp:1.2.3.4:1000\r\nSTAT 3:listen_addr tcp:10.0.2.15:11212\r\n"
        "STAT 3:state conn_read\r\nSTAT 3:secs_since_last_cmd 3\r\n"
        "STAT 10:addr tcp:255.254.253.252:1007\r\nSTAT 10:listen_addr tcp:10.0.2.15:11212\r\n"
        "STAT 10:state conn_parse_cmd\r\nSTAT 10:secs_since_last_cmd 3\r\nEND\r\n");
  CHECK(list.ended());
}

TEST(a_board_without_tcp_has_one_port) {
  Peers peers;
  BoardFacts facts = Facts();
  facts.tcp_port = 0;
  ConnListing list(facts, 0, {});
  CHECK(list.whole());
  const std::string text = peers.Part(list);
  CHECK(text.starts_with("STAT 1:UDP") && text.ends_with("0\r\nEND\r\n"));
  CHECK(text.find("STAT 2:") == text.npos && list.ended());
  CHECK_EQ(peers.accesses, 0u);
}

// Each part fits an answer and takes a bounded time; over UDP there is one.
TEST(many_connections_come_in_parts) {
  constexpr uint32_t kMany = 4096;
  Peers peers;
  for (uint32_t i = 0; i < 1000; ++i) peers.open.emplace(i, i);
  ConnListing list(Facts(), kMany, 0);
  std::string all;
  unsigned parts = 0;
  for (; !list.ended(); ++parts) {
    const unsigned before = peers.accesses;
    const std::string part = peers.Part(list);
    CHECK(part.size() <= kAnswerBytes && peers.accesses - before <= 4200);
    all += part;
  }
  CHECK(parts > 15 && parts < 30);
  CHECK(all.ends_with("END\r\n") && all.find("STAT 1002:addr") != all.npos);
  ConnListing over_udp(Facts(), kMany, {});
  CHECK(peers.Part(over_udp).size() <= kAnswerBytes && over_udp.whole() && !over_udp.ended());
  peers.open = {{kMany - 1, 1}};  // behind all that are not open, which take time but no room
  ConnListing few(Facts(), kMany, {});
  CHECK(peers.Part(few).ends_with("END\r\n") && few.ended());
}

}  // namespace
}  // namespace wirecache::host
