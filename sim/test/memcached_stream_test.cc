// SPDX-License-Identifier: Apache-2.0
#include "sim/memcached_stream.h"

#include <string>
#include <string_view>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

// A message of the binary protocol with a body.
std::string Message(bool request, uint8_t opcode, uint32_t opaque, size_t key, size_t rest) {
  std::string header(24, '\0');
  header[0] = static_cast<char>(request ? 0x80 : 0x81);
  header[1] = static_cast<char>(opcode);
  header[3] = static_cast<char>(key);
  header[11] = static_cast<char>(key + rest);
  for (size_t i = 0; i < 4; ++i) header[12 + i] = static_cast<char>(opaque >> (24 - 8 * i));
  return header + std::string(key, 'k') + std::string(rest, '\n');
}

// Requests as letters once their turn has come: small ones had no answer.
struct Conversing {
  std::string turns;
  std::string letters;
  size_t next = 0;
  Answers answers{[this](bool answered) {
    const char letter = letters.at(next++);
    turns += answered ? letter : static_cast<char>(letter + 'a' - 'A');
  }};

  void Ask(std::string text) {
    const bool binary = IsBinary(text);
    while (!text.empty()) {
      const auto request = FirstRequest(text, binary);
      CHECK(request.has_value());
      letters += static_cast<char>('A' + letters.size());
      answers.Expect(*request);
      text.erase(0, request->bytes);
    }
  }
};

// Whatever pieces the answers come in, these are the turns.
void Check(const std::string& requests, const std::string& answers, std::string_view turns) {
  for (size_t bytes = 1; bytes <= answers.size();
       bytes = bytes < 9 ? bytes + 1 : answers.size() + 1) {
    Conversing conversing;
    conversing.Ask(requests);
    for (size_t at = 0; at < answers.size(); at += bytes) {
      conversing.answers.Take(std::string_view(answers).substr(at, bytes));
    }
    CHECK(conversing.turns == turns);
  }
}

TEST(a_request_ends_where_memcached_ends_it) {
  const std::string header = Message(true, 1, 0, 3, 8);
  for (const std::string& whole : std::vector<std::string>{
           "get a b c\r\n", "set k 0 0 5\r\nab\r\nc\r\n", "cas k 0 0 0 9\r\n\r\n",
           "ms k 2 c\r\nxx\r\n", "mg k v\r\n", "\r\n", "nonsense\n", "set k 0 0\r\n",
           "set k 0 0 -1\r\n", "set k 0 0 99999999999999999999\r\n", "ms k S2\r\n", header}) {
    const auto request = FirstRequest(whole + "get next\r\n", IsBinary(whole));
    CHECK(request.has_value());
    CHECK_EQ(request->bytes, whole.size());
    for (size_t size = 0; size < whole.size(); ++size) {
      const auto part = FirstRequest(std::string_view(whole).substr(0, size), IsBinary(whole));
      CHECK(!part.has_value());
    }
  }
}

TEST(what_has_no_answer_is_known) {
  const auto read = [](std::string_view text) { return *FirstRequest(text, IsBinary(text)); };
  const auto kind = [read](std::string_view text) { return read(text).kind; };
  CHECK(kind("set k 0 0 1 noreply\r\nx\r\n") == AnswerKind::kNone);
  CHECK(kind("delete k noreply\r\n") == AnswerKind::kNone);
  CHECK(kind("get noreply\r\n") == AnswerKind::kItems);
  CHECK(kind("quit\r\n") == AnswerKind::kNone);
  CHECK(kind(Message(true, 0x17, 0, 0, 0)) == AnswerKind::kNone);
  CHECK(read(Message(true, 0x09, 0, 1, 0)).quiet);
  CHECK(!read(Message(true, 0x00, 0, 1, 0)).quiet);
  CHECK(read("mg k v q\r\n").quiet);
  CHECK(!read("mg q v\r\n").quiet);
  CHECK(!read("ms k 1 c\r\nq\r\n").quiet);
}

TEST(answers_in_text_are_told_apart) {
  Check("get a b\r\nset k 0 0 1\r\nx\r\nincr n 1\r\n",
        "VALUE a 0 5\r\nEND\r\n\r\nVALUE b 0 0\r\n\r\nEND\r\nSTORED\r\n12\r\n", "ABC");
  Check("get a\r\nget b\r\n", "SERVER_ERROR no\r\nEND\r\n", "AB");
  Check("stats\r\nstats reset\r\nversion\r\n",
        "STAT a 1\r\nSTAT b 2\r\nEND\r\nRESET\r\nVERSION 1\r\n", "ABC");
  Check("lru_crawler metadump all\r\nversion\r\n", "key=a exp=-1\r\nEND\r\nVERSION 1\r\n", "AB");
  Check("set k 0 0 1 noreply\r\nx\r\nget k\r\ntouch k 0 noreply\r\nmn\r\n", "END\r\nMN\r\n",
        "aBcD");
}

TEST(answers_of_meta_commands_are_told_apart) {
  Check("mg a v\r\nmg b\r\nms c 1\r\nx\r\n", "VA 4\r\nHD\r\n\r\nEN\r\nHD\r\n", "ABC");
  Check("mg a v q\r\nmg b v q\r\nmg c v q\r\nmn\r\n", "VA 1\r\nx\r\nMN\r\n", "AbcD");
  Check("mg a v q k\r\nmg b v q k\r\nmg c v q k\r\nmn\r\n", "VA 1 kb\r\nx\r\nMN\r\n", "aBcD");
  Check("mg a v q O1\r\nmg a v O2\r\nmg b\r\n", "VA 1 O1\r\nx\r\nEN\r\nHD\r\n", "ABC");
  Check("mg a v q O1\r\nmg a v O2\r\nmg b\r\n", "VA 1 O2\r\nx\r\nHD\r\n", "aBC");
  Check("mg a v q\r\nmg b v\r\n", "EN\r\n", "aB");
  Check("set a 0 0 1 noreply\r\nx\r\nmg a q\r\nmn\r\n", "MN\r\n", "abC");
}

TEST(answers_of_the_binary_protocol_are_told_apart) {
  const auto ask = [](uint8_t opcode, uint32_t opaque) {
    return Message(true, opcode, opaque, 1, 0);
  };
  const auto answer = [](uint8_t opcode, uint32_t opaque, size_t rest = 3) {
    return Message(false, opcode, opaque, 0, rest);
  };
  Check(ask(0, 1) + ask(1, 2), answer(0, 1) + answer(1, 2, 0), "AB");
  Check(ask(9, 1) + ask(9, 2) + ask(9, 3) + ask(10, 4), answer(9, 2) + answer(10, 4, 0), "aBcD");
  Check(ask(0x10, 5) + ask(0, 6),
        Message(false, 0x10, 5, 4, 2) + Message(false, 0x10, 5, 0, 0) + answer(0, 6), "AB");
  Check(ask(0x10, 5) + ask(0, 6), Message(false, 0x10, 5, 4, 2) + Message(false, 0x10, 5, 4, 9),
        "");
  Check(ask(0x17, 1) + ask(0, 2), answer(0, 2), "aB");
  Check(ask(0, 1), answer(0, 99), "A");  // rather a wrong one than none
}

TEST(a_refusal_is_no_answer) {
  const std::string refusal = "ERROR Too many open connections\r\n";
  for (const std::string& request : std::vector<std::string>{
           "get a\r\n", "mg a v\r\n", "version\r\n", Message(true, 0, 1, 1, 0)}) {
    Check(request, refusal, "");
  }
}

TEST(what_nobody_has_asked_for_changes_nothing) {
  Conversing conversing;
  conversing.answers.Take("VALUE a 0 9 ");
  conversing.Ask("get a\r\n");
  conversing.answers.Take("END\r\n");
  CHECK(conversing.turns == "A");
}

TEST(only_what_must_have_an_answer_is_waited_for) {
  Conversing conversing;
  conversing.Ask("mg a q\r\n");
  CHECK_EQ(conversing.answers.owed(), 0u);
  conversing.Ask("mg b\r\nmg c q\r\n");
  CHECK_EQ(conversing.answers.owed(), 1u);
  CHECK_EQ(conversing.answers.waiting(), 3u);
  conversing.answers.Take("EN\r\n");
  CHECK_EQ(conversing.answers.owed(), 0u);
  CHECK(conversing.turns == "aB");
}

TEST(what_memcached_refuses_has_no_value) {
  const std::string long_key(251, 'k');
  for (const std::string& line : std::vector<std::string>{
           "set " + long_key + " 0 0 5\r\n", "ms " + long_key + " 5\r\n", "set k x 0 5\r\n",
           "set k 0 x 5\r\n", "set k 4294967296 0 5\r\n", "cas k 0 0 5\r\n",
           "set k 0 0 5 noreply x\r\n", "set k 0 0 2147483646\r\n", "set k x 0 5 noreply\r\n"}) {
    const auto request = FirstRequest(line + "hello\r\n", false);
    CHECK_EQ(request->bytes, line.size());
    CHECK(request->kind == AnswerKind::kLine);
  }
  for (const std::string& line : std::vector<std::string>{
           "set k 0 0 +5\r\n", "set k 4294967295 -1 5\r\n", "cas k 0 0 5 1 noreply\r\n",
           "set " + long_key.substr(1) + " 0 0 5 x\r\n"}) {
    CHECK_EQ(FirstRequest(line + "hello\r\nx\r\n", false)->bytes, line.size() + 7);
  }
}

TEST(a_connection_keeps_its_protocol) {
  CHECK_EQ(FirstRequest("\x80 line\r\n", false)->bytes, 8u);
  CHECK(!FirstRequest("get a\r\n", true).has_value());
}

TEST(a_quiet_request_does_not_take_what_is_another_ones) {
  Check("mg x v q\r\nget a\r\n", "VALUE a 0 1\r\nx\r\nEND\r\n", "aB");
  Check("ms x 1 q\r\nz\r\nversion\r\n", "VERSION 1\r\n", "aB");
  Check("mg x v q\r\nversion\r\n", "VA 1\r\nx\r\nVERSION 1\r\n", "AB");
  Check("mg a v q\r\nmg b v O1\r\n", "VA 1\r\nx\r\nVA 1 O1\r\ny\r\n", "AB");
  Check("mg a v q\r\nmg b v\r\n", "VA 1\r\nx\r\n", "aB");
  Check("stats cachedump 1 0\r\nversion\r\n", "ITEM a [1 b; 0 s]\r\nEND\r\nVERSION 1\r\n", "AB");
  Check("shutdown\r\nversion\r\n", "ERROR: shutdown not enabled\r\nVERSION 1\r\n", "AB");
}

TEST(many_quiet_requests_take_no_longer_each) {
  constexpr size_t kMany = 50'000;
  std::string requests, answers;
  for (size_t i = 0; i < kMany; ++i) {
    requests += "mg k v q\r\n";
    answers += "VA 1\r\nx\r\n";
  }
  size_t looked = 0;
  Answers taken([&looked](bool) { ++looked; });
  for (std::string_view rest = requests; !rest.empty();) {
    const auto request = FirstRequest(rest, false);
    taken.Expect(*request);
    rest.remove_prefix(request->bytes);
  }
  taken.Expect(*FirstRequest("mn\r\n", false));
  taken.Take(answers + "MN\r\n");
  CHECK_EQ(looked, kMany + 1);
}

TEST(what_begins_a_request_is_guessed) {
  for (const std::string& text :
       std::vector<std::string>{"get a\r\n", "mn\r\n", Message(true, 1, 9, 1, 8)}) {
    CHECK(BeginsRequest(text));
  }
  for (const std::string& text :
       std::vector<std::string>{"", "some value\r\n", "\r\n", "\x80 abc", "END\r\n"}) {
    CHECK(!BeginsRequest(text));
  }
}

}  // namespace
}  // namespace wirecache::sim
