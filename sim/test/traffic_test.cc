// SPDX-License-Identifier: Apache-2.0
// Clients without a board: peers stand for it, which open at the same time as the clients do.
#include "sim/traffic.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "sim/test/check.h"
#include "sim/wire.h"

namespace wirecache::sim {
namespace {

constexpr TcpAddress kBoard = {.mac = 2, .ip = 0x0A00020F, .port = 11211};
constexpr uint64_t kMillisecond = 1'250'000;  // byte times

TrafficPlan Plan(const std::string& text) {
  std::istringstream in(text);
  return TrafficPlan::Read(in);
}

// Answers `ask` with what it is told, and sends nothing more once so many are answered.
struct Server {
  std::string answer = "answer";
  unsigned most = ~0u;
  bool ends = false;  // the connection, when it is asked once more
  unsigned answered = 0;
  std::vector<std::string> got;  // by the connection

  std::unique_ptr<Traffic> traffic;
  std::vector<std::unique_ptr<TcpPeer>> peers;
  uint64_t now = 0;
  uint64_t last = 0;  // frame to the board

  void Start(const std::string& plan, size_t connections) { Start(Plan(plan), connections); }
  void Start(TrafficPlan plan, size_t connections) {
    traffic = std::make_unique<Traffic>(std::move(plan), kBoard, 0);
    for (size_t i = 0; i < connections; ++i) {
      TcpPeer::Settings settings;
      settings.own = kBoard;
      settings.other = {.mac = 3, .ip = 0x0A010001 + static_cast<uint32_t>(i), .port = 10'000};
      settings.seed = i;
      peers.push_back(std::make_unique<TcpPeer>(settings));
    }
    got.resize(connections);
  }

  // Time passes, byte time by byte time where something happens.
  void Run(uint64_t milliseconds) {
    const uint64_t end = now + milliseconds * kMillisecond;
    for (; now < end && !traffic->done(); now += 100) {
      traffic->Pass(now);
      while (const auto frame = traffic->Next(now)) {
        last = now;
        const auto segment = ParseTcp(*frame);
        CHECK(segment.has_value());
        peers.at(segment->from.ip - 0x0A010001)->Receive(*segment, ToNanoseconds(now));
      }
      for (size_t i = 0; i < peers.size(); ++i) Serve(*peers[i], got[i]);
    }
  }

 private:
  void Serve(TcpPeer& peer, std::string& text) {
    const auto readable = peer.readable();
    text.append(readable.begin(), readable.end());
    peer.Take(readable.size());
    while (text.starts_with("ask") && answered < most) {
      text.erase(0, 3);
      ++answered;
      peer.Write({reinterpret_cast<const uint8_t*>(answer.data()), answer.size()});
    }
    if (peer.ended() || (ends && answered == most && text.starts_with("ask"))) peer.Close();
    while (const auto frame = peer.Send(ToNanoseconds(now))) traffic->Receive(*frame, now);
  }
};

std::string Group(const std::string& fields, const std::string& name = "all") {
  return "group " + name + " " + fields + "\nexchange 3 6\naskanswer\n";
}

TEST(clients_are_answered) {
  Server server;
  server.Start(Group("connections=5 spread_ns=0 requests=100 depth=7"), 5);
  server.Run(100);
  CHECK(server.traffic->done());
  CHECK_EQ(server.answered, 500u);
  CHECK_EQ(server.traffic->strange(), 0u);
  server.traffic->ForEachList([](const std::string& name, const std::vector<uint64_t>& list) {
    if (name == "all_asked" || name == "all_answered") CHECK_EQ(list.size(), 500u);
    if (name == "all_opening") CHECK_EQ(list.size(), 5u);
  });
}

TEST(no_more_requests_wait_than_the_depth) {
  Server server;
  server.most = 20;
  server.Start(Group("requests=100 depth=7"), 1);
  server.Run(10);
  CHECK(!server.traffic->done());
  CHECK_EQ(server.got[0].size(), 3u * 7);
  CHECK(server.traffic->Unfinished().find("27 requests") != std::string::npos);
  CHECK(server.traffic->Unfinished().find("7 unanswered, the first is 'ask'") != std::string::npos);
}

TEST(a_wrong_answer_is_an_error) {
  for (const char* answer : {"answeR", "answe\n", "x"}) {
    Server server;
    server.answer = answer;
    server.Start(Group("requests=2"), 1);
    CHECK_THROWS(server.Run(10), std::runtime_error);
  }
}

TEST(an_answer_that_nobody_has_asked_for_is_an_error) {
  Server server;
  server.answer = "answeranswer";
  server.Start(Group("requests=1"), 1);
  CHECK_THROWS(server.Run(10), std::runtime_error);
}

TEST(bytes_go_one_by_one) {
  Server server;
  server.Start(Group("requests=4 depth=4 write_bytes=1 write_ns=1000000"), 1);
  server.Run(1);
  CHECK_EQ(server.answered, 0u);
  server.Run(20);
  CHECK(server.traffic->done());
  CHECK(server.now > 11 * kMillisecond);
}

TEST(a_slow_reader_takes_its_time) {
  Server server;
  server.Start(Group("requests=100 depth=100 read_bytes=30 read_ns=1000000"), 1);
  server.Run(100);
  CHECK(server.traffic->done());
  CHECK(server.now > 19 * kMillisecond);
}

TEST(gaps_are_as_long_as_they_say) {
  Server server;
  server.Start(Group("requests=100 gap_ns=100000"), 1);
  server.Run(100);
  CHECK(server.traffic->done());
  CHECK(server.now > 8 * kMillisecond && server.now < 12 * kMillisecond);
}

// Who is not waited for is aborted, and asks first.
TEST(a_plan_ends_with_those_it_waits_for) {
  Server server;
  server.most = 10;
  const std::string half = "group half connections=3 waits=0\nexchange 2 1\nas!\n";
  server.Start(half + Group("requests=10 start_ns=1000000"), 4);
  server.Run(50);
  CHECK(server.traffic->done());
  for (size_t i = 0; i < 3; ++i) CHECK(server.got[i] == "as");
  server.traffic->Stop();
  unsigned resets = 0;
  for (const uint64_t end = server.now + kMillisecond; server.now < end; server.now += 100) {
    server.traffic->Pass(server.now);
    while (const auto frame = server.traffic->Next(server.now)) {
      resets += ParseTcp(*frame)->Has(TcpSegment::kRst);
    }
  }
  CHECK(server.traffic->left());
  CHECK_EQ(resets, 3u);
}

TEST(frames_of_others_are_strange) {
  Server server;
  server.Start(Group("requests=1"), 1);
  server.Run(10);
  TcpSegment segment;
  segment.from = kBoard;
  segment.to = {.mac = 1, .ip = 0x0A010001, .port = 9};
  segment.flags = TcpSegment::kAck;
  server.traffic->Receive(BuildTcp(segment), server.now);
  server.traffic->Receive(std::vector<uint8_t>(60), server.now);
  server.traffic->Pass(server.now);
  CHECK_EQ(server.traffic->strange(), 2u);
}

TEST(plans_that_make_no_sense) {
  for (const char* text :
       {"nothing", "exchange 1 1\nab\n", "group a\n", "group a depth=0\nexchange 1 1\nab\n",
        "group a deep=1\nexchange 1 1\nab\n", "group a\nexchange 1 0\na\n",
        "group a\nexchange 5 5\nab\n", "group a mss=20\nexchange 1 1\nab\n",
        "group a write_ns=1\nexchange 1 1\nab\n"}) {
    CHECK_THROWS(Plan(text), std::invalid_argument);
  }
  const TrafficPlan plan = Plan("plan seed=5\ngroup a depth=3\nexchange 3 2\na\nbcd\n");
  CHECK_EQ(plan.seed, 5u);
  CHECK_EQ(plan.groups[0].depth, 3u);
  CHECK(plan.groups[0].exchanges[0].request == "a\nb" &&
        plan.groups[0].exchanges[0].answer == "cd");
}

// A conversation that asks so many times, each time when the answer has come.
Conversation Says(size_t times, uint64_t ended_before = 0, uint64_t gap_ns = 0) {
  Conversation conversation;
  conversation.ended_before = ended_before;
  for (size_t i = 0; i < times; ++i) {
    Conversation::Step& step = conversation.steps.emplace_back();
    step.begin = conversation.bytes.size();
    step.request.bytes = 3;
    step.after = i;
    step.gap_ns = gap_ns;
    conversation.bytes += "ask";
  }
  return conversation;
}

TrafficPlan Conversing(std::vector<Conversation> conversations) {
  TrafficPlan plan;
  plan.groups.emplace_back().name = "capture";
  plan.groups.back().conversations = std::move(conversations);
  return plan;
}

TEST(conversations_go_on_as_they_are_answered) {
  Server server;
  server.answer = "any answer\r\n";
  server.Start(Conversing({Says(10), Says(20, 0, 1000), Says(30, 1)}), 3);
  server.Run(100);
  CHECK(server.traffic->done());
  CHECK_EQ(server.answered, 60u);
  CHECK_EQ(server.traffic->ended(), 3u);
  CHECK(server.traffic->Unanswered().empty());
  CHECK(server.traffic->Summary().starts_with("connections 3: 60 requests, 60 answers"));
  const std::string json = server.traffic->Json().Text();
  CHECK(json.find("\"requests\": 60") != std::string::npos);
  CHECK(json.find("\"p99_us\"") != std::string::npos);
}

TEST(a_conversation_without_an_answer_is_told_of) {
  Server server;
  server.answer = "yes\r\n";
  server.most = 5;
  server.Start(Conversing({Says(10), Says(1, 1)}), 2);
  server.Run(10);
  CHECK(!server.traffic->done());
  CHECK(server.traffic->waits());
  CHECK(server.traffic->Json().Text().find("\"opened\": 1,") != std::string::npos);
  CHECK(server.traffic->Unfinished().find("1 unanswered, the first is 'ask'") != std::string::npos);
}

TEST(a_conversation_that_the_board_ends_has_failed_unless_the_captured_server_did_it) {
  for (const bool may_end : {false, true}) {
    Server server;
    server.answer = "yes\r\n";
    server.most = 5;
    server.ends = true;
    Conversation conversation = Says(10);
    conversation.server_ended = may_end;
    server.Start(Conversing({conversation, Says(0, 1)}), 2);
    server.Run(10);
    CHECK(server.traffic->done());
    CHECK_EQ(server.traffic->Unanswered().empty(), may_end);
    if (may_end) continue;
    CHECK(server.traffic->Unanswered().starts_with("1 connections have failed, with 5 requests"));
    CHECK(server.traffic->Unanswered().ends_with("without an answer is 'ask'"));
  }
}

}  // namespace
}  // namespace wirecache::sim
