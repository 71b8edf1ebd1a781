// SPDX-License-Identifier: Apache-2.0
#include "sim/conversation.h"

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

uint64_t Same(uint64_t time) { return time; }

struct Said {
  bool client;
  uint64_t ns;
  std::string text;
};

CapturedConnection Connection(const std::vector<Said>& all, uint64_t begin_ns = 10) {
  CapturedConnection connection;
  connection.begin_ns = begin_ns;
  connection.opened_ns = begin_ns + 1;
  connection.end_ns = all.empty() ? begin_ns : all.back().ns;
  connection.from_start = true;
  uint64_t order = 0;
  for (const Said& said : all) {
    CapturedStream& stream = said.client ? connection.client : connection.server;
    stream.Add(static_cast<uint32_t>(stream.bytes().size()), said.text, said.ns, ++order);
  }
  return connection;
}

Conversations Make(const std::vector<CapturedConnection>& connections, bool times = true) {
  return MakeConversations(connections, 0, times);
}

// A speaker, and what it has asked, with the times.
struct Asking {
  Conversation conversation;
  std::string turns;
  std::string asked;
  Speaker speaker{conversation, Same, 100,
                  [this](bool answered) { turns += answered ? 'A' : 'n'; }};

  explicit Asking(Conversation what) : conversation(std::move(what)) {}
  std::string Ask(uint64_t now) {
    std::string text;
    speaker.Ask(now, [&text](std::string_view request) { text += request; });
    return text;
  }
};

const std::vector<Said> kPipelined = {{true, 20, "get a\r\nget b\r\n"},   {true, 25, "get c\r\n"},
                                      {false, 40, "END\r\nEN"},           {true, 45, "get d\r\n"},
                                      {false, 50, "D\r\nEND\r\nEND\r\n"}, {true, 80, "get e\r\n"}};

TEST(a_request_waits_for_the_answers_that_its_client_had) {
  const Conversations made = Make({Connection(kPipelined)});
  CHECK_EQ(made.all.size(), 1u);
  const auto& steps = made.all[0].steps;
  CHECK_EQ(steps.size(), 5u);
  const std::vector<uint64_t> after = {0, 0, 0, 1, 4};
  const std::vector<uint64_t> gaps = {9, 0, 5, 5, 30};
  const std::vector<bool> answers = {false, false, false, true, true};
  for (size_t i = 0; i < steps.size(); ++i) {
    CHECK_EQ(steps[i].after, after[i]);
    CHECK_EQ(steps[i].gap_ns, gaps[i]);
    CHECK_EQ(steps[i].from_answer, bool{answers[i]});
  }
}

TEST(a_speaker_asks_when_it_has_its_answers_and_its_time_has_come) {
  Asking asking(Make({Connection(kPipelined)}).all[0]);
  CHECK(asking.Ask(100) == "");
  CHECK_EQ(asking.speaker.next(), 109u);
  CHECK(asking.Ask(109) == "get a\r\nget b\r\n");
  CHECK_EQ(asking.speaker.next(), 114u);
  CHECK(asking.Ask(120) == "get c\r\n");
  CHECK(asking.speaker.next() == Speaker::kNever);
  CHECK(asking.Ask(500) == "");
  asking.speaker.Take("VALUE a 0 1\r\nx\r\nEND\r\n");  // other answers than then
  CHECK(asking.Ask(500) == "");
  CHECK(asking.Ask(505) == "get d\r\n");
  asking.speaker.Take("END\r\nEND\r\n");
  CHECK(asking.Ask(600) == "");
  asking.speaker.Take("END\r\n");
  CHECK(asking.Ask(700) == "");
  CHECK(asking.Ask(730) == "get e\r\n");
  CHECK(!asking.speaker.done());
  asking.speaker.Take("END\r\n");
  CHECK(asking.speaker.done());
  CHECK(asking.turns == "AAAAA");
}

TEST(without_times_there_are_no_pauses) {
  Asking asking(Make({Connection(kPipelined)}, false).all[0]);
  CHECK(asking.Ask(100) == "get a\r\nget b\r\nget c\r\n");
  asking.speaker.Take("END\r\n");
  CHECK(asking.Ask(100) == "get d\r\n");
}

TEST(without_answers_in_the_capture_a_segment_waits_for_those_before) {
  const Conversations made =
      Make({Connection({{true, 20, "get a\r\nget b\r\nge"}, {true, 25, "t c\r\nget d\r\n"}})});
  CHECK_EQ(made.guessed, 1u);
  const std::vector<uint64_t> after = {0, 0, 0, 3};
  for (size_t i = 0; i < after.size(); ++i) CHECK_EQ(made.all[0].steps[i].after, after[i]);
  Asking asking(made.all[0]);
  CHECK(asking.Ask(200) == "get a\r\nget b\r\nget c\r\n");
  asking.speaker.Take("END\r\nEND\r\nEND\r\n");
  CHECK(asking.Ask(300) == "get d\r\n");  // the pause was from the segment before on
}

TEST(behind_answers_that_are_missing_a_segment_waits_for_those_before) {
  CapturedConnection connection = Connection({{true, 20, "get a\r\n"},
                                              {false, 30, "END\r\n"},
                                              {true, 40, "get b\r\n"},
                                              {true, 60, "get c\r\n"}});
  connection.server.Add(999, "END\r\n", 70, 70);
  CHECK(connection.server.broken());
  const auto steps = Make({connection}).all[0].steps;
  CHECK_EQ(steps[1].after, 1u);
  CHECK_EQ(steps[2].after, 2u);
}

TEST(nobody_waits_for_quiet_requests) {
  // The captured server had an item, and the board has none.
  Asking asking(Make({Connection({{true, 20, "mg a v q\r\nmg b v q\r\n"},
                                  {false, 30, "VA 1\r\nx\r\n"},
                                  {true, 40, "mn\r\n"},
                                  {false, 50, "MN\r\n"},
                                  {true, 60, "version\r\n"}})},
                     false)
                    .all[0]);
  CHECK(asking.Ask(100) == "mg a v q\r\nmg b v q\r\nmn\r\n");
  CHECK(asking.speaker.waits());
  asking.speaker.Take("MN\r\n");
  CHECK(!asking.speaker.waits());
  CHECK(asking.Ask(100) == "version\r\n");
  // Nor of which no answers were captured.
  Asking other(
      Make({Connection({{true, 20, "mg a v q\r\n"}, {true, 40, "mn\r\n"}})}, false).all[0]);
  CHECK(other.Ask(100) == "mg a v q\r\nmn\r\n");
}

TEST(frames_count_in_their_order_whatever_their_times_are) {
  for (const bool swapped : {false, true}) {
    std::vector<Said> said;
    for (int i = 0; i < 5; ++i) {
      said.push_back({true, 20, "get a\r\n"});
      said.push_back({false, 20, "END\r\n"});
    }
    if (swapped) std::swap(said[0], said[1]);  // cards may do that
    const auto steps = Make({Connection(said)}).all[0].steps;
    CHECK_EQ(steps.size(), 5u);
    for (size_t i = 0; i < steps.size(); ++i) CHECK_EQ(steps[i].after, i);
  }
}

TEST(a_pause_begins_with_the_answer_that_was_waited_for) {
  const auto steps = Make({Connection({{true, 100, "get a\r\nget b\r\n"},
                                       {false, 110, "END\r\n"},
                                       {false, 190, "VALUE b 0 9\r\nx"},
                                       {true, 200, "get c\r\n"}})})
                         .all[0]
                         .steps;
  CHECK_EQ(steps[2].gap_ns, 90u);
}

TEST(what_never_ends_is_sent_and_not_waited_for) {
  Asking asking(Make({Connection({{true, 20, "get a\r\nset b 0 0 9\r\nx"}})}, false).all[0]);
  CHECK(asking.Ask(100) == "get a\r\nset b 0 0 9\r\nx");
  asking.speaker.Take("END\r\n");
  CHECK(asking.speaker.done());
}

TEST(of_a_connection_that_had_begun_before_the_first_whole_request_counts) {
  CapturedConnection joined = Connection({{true, 20, "rest of a value\r\n"},
                                          {false, 25, "STORED\r\n"},
                                          {true, 30, "get a\r\n"},
                                          {false, 40, "END\r\n"},
                                          {true, 50, "get b\r\n"}});
  joined.from_start = false;
  CapturedConnection strange = Connection({{true, 20, "what is this\r\n"}});
  strange.from_start = false;
  const Conversations made = Make({joined, strange, Connection({})});
  CHECK_EQ(made.joined, 1u);
  CHECK_EQ(made.silent, 2u);
  CHECK_EQ(made.all.size(), 1u);
  CHECK(made.all[0].bytes == "get a\r\nget b\r\n");
  CHECK_EQ(made.all[0].steps[1].after, 1u);
}

TEST(connections_begin_as_they_did) {
  const std::vector<Said> short_one = {{true, 20, "get a\r\n"}, {false, 30, "END\r\n"}};
  const std::vector<Said> later_one = {{true, 60, "get a\r\n"}, {false, 70, "END\r\n"}};
  const std::vector<CapturedConnection> all = {Connection(short_one, 10), Connection(short_one, 15),
                                               Connection({}, 20), Connection(later_one, 50)};
  const Conversations timed = Make(all);
  CHECK_EQ(timed.all[2].start_ns, 50u);
  CHECK_EQ(timed.all[2].ended_before, 0u);
  const Conversations fast = Make(all, false);
  CHECK_EQ(fast.all[1].ended_before, 0u);
  CHECK_EQ(fast.all[2].ended_before, 2u);
  CHECK_EQ(fast.all[1].start_ns, 500u);
}

TEST(nobody_waits_for_the_end_of_who_stands_behind) {
  const auto at = [](uint64_t ns) {
    return Connection({{true, ns + 1, "get a\r\n"}, {false, ns + 2, "END\r\n"}}, ns);
  };
  // Time stamps went back in the capture.
  const Conversations made = Make({at(0), at(1000), at(500)}, false);
  for (size_t i = 0; i < 3; ++i) CHECK_EQ(made.all[i].ended_before, i);
}

}  // namespace
}  // namespace wirecache::sim
