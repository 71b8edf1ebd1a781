// SPDX-License-Identifier: Apache-2.0
#include "host/commands.h"

#include <map>
#include <string>
#include <vector>

#include "host/test/fake_board.h"
#include "sim/test/check.h"

namespace wirecache::host {
namespace {

// Registers of a board of which a command waits, as wc_host_commands has them.
class AskedBoard final : public Registers {
 public:
  std::vector<std::string> pieces;
  uint32_t begins = 0;
  bool binary = false;
  uint32_t key_len = 0;
  bool waits = true;
  uint32_t tag = 7;
  std::string answer;  // that was sent, at last
  unsigned sent = 0;

  uint32_t Read32(uint32_t address) override {
    if (address == WC_ADDRESS(COMMAND)) {
      return uint32_t{waits} | uint32_t{binary} << WC_REGS__COMMAND__BINARY_bp |
             static_cast<uint32_t>(pieces.size()) << WC_REGS__COMMAND__PIECES_bp |
             tag << WC_REGS__COMMAND__TAG_bp | key_len << WC_REGS__COMMAND__KEY_LEN_bp;
    }
    if (address == WC_ADDRESS(COMMAND_OPAQUE)) return 0x04030201;
    if (address == WC_ADDRESS(COMMAND_PIECE)) {
      return 0x10 << WC_REGS__COMMAND_PIECE__OPCODE_bp |
             (begins >> piece_ & 1) << WC_REGS__COMMAND_PIECE__BEGINS_bp | piece_;
    }
    if (address == WC_ADDRESS(COMMAND_LINE_0)) return Chars(0);
    if (address == WC_ADDRESS(COMMAND_LINE_1)) return Chars(4);
    return board_.Read32(address);
  }

  void Write32(uint32_t address, uint32_t value) override {
    if (address == WC_ADDRESS(COMMAND_PIECE)) {
      piece_ = value;
    } else if (address == WC_ADDRESS(COMMAND_ANSWER)) {
      for (unsigned i = 0; i < 4; ++i) written_ += static_cast<char>(value >> 8 * i);
    } else if (address == WC_ADDRESS(COMMAND_SEND)) {
      const uint32_t bytes = WC_FIELD(value, COMMAND_SEND, BYTES);
      if (WC_FIELD(value, COMMAND_SEND, TAG) == tag && bytes <= written_.size()) {
        answer = written_.substr(0, bytes);
        waits = false;
        ++sent;
      }
      written_.clear();
    } else {
      board_.Write32(address, value);
    }
  }

  FakeBoard& board() { return board_; }

 private:
  uint32_t Chars(size_t from) const {
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && from + i < pieces[piece_].size(); ++i) {
      word |= uint32_t{static_cast<uint8_t>(pieces[piece_][from + i])} << 8 * i;
    }
    return word;
  }

  FakeBoard board_;
  uint32_t piece_ = 0;
  std::string written_ = "of a host before this one";
};

Settings SmallBoard() { return Wanted(64 << 20); }

std::string Ask(Commands& commands, std::vector<std::string> words) {
  Command command;
  command.words = std::move(words);
  return commands.Answer(command, {}).value_or("(none)");
}

TEST(words_of_a_command_are_put_together) {
  AskedBoard board;
  Driver driver(board, SmallBoard());
  board.pieces = {"stats", "detail", "on"};
  board.begins = 0b111;
  driver.Service();
  CHECK(board.answer == "OK\r\n");
  CHECK_EQ(board.sent, 1u);
  board.pieces = {"lru_craw", "ler", "disable"};
  board.begins = 0b101;
  board.waits = true;
  driver.Service();
  CHECK(board.answer == "OK\r\n");
  CHECK_EQ(board.sent, 2u);
  board.pieces = {"lru_craw", "ler", std::string("dis\0able", 8), "x"};
  board.begins = 0b0101;
  board.waits = true;
  driver.Service();
  CHECK(board.answer == "ERROR\r\n");  // "disx": a line ends with a zero byte
}

TEST(a_key_of_stat_is_put_together) {
  AskedBoard board;
  Driver driver(board, SmallBoard());
  board.binary = true;
  board.pieces = {"detail d", "ump"};
  board.key_len = 11;
  driver.Service();
  const std::string head("\x81\x10\0\x08\0\0\0\0\0\0\0\x0d\1\2\3\4\0\0\0\0\0\0\0\0", 24);
  const std::string end("\x81\x10\0\0\0\0\0\0\0\0\0\0\1\2\3\4\0\0\0\0\0\0\0\0", 24);
  CHECK(board.answer == head + "detailedEND\r\n" + end);
  board.pieces = {"reset"};
  board.key_len = 5;
  board.waits = true;
  driver.Service();
  CHECK(board.answer == end);
  for (const auto& [key, bytes] : {std::pair{"sizes", 6u}, {"si\0zes", 6u}}) {
    board.pieces = {std::string(key, 6)};
    board.key_len = bytes;
    board.waits = true;
    driver.Service();
    CHECK(board.answer.ends_with("Not found"));  // a zero byte is one of its bytes
  }
}

TEST(the_item_that_is_asked_for) {
  BoardFacts facts;
  facts.finds = true;
  Commands commands(facts, 8192);
  const std::string wrong = "CLIENT_ERROR bad command line format\r\n";
  const std::string longest(250, 'k');
  const auto key = [&commands](std::vector<std::string> words) {
    Command command;
    command.words = std::move(words);
    const std::optional<KeyList> list = commands.List(command);
    return list && list->form == KeyList::Form::kMe ? list->key.value() : "(none)";
  };
  CHECK(key({"me", "a"}) == "a" && key({"me", longest, "x", "b"}) == longest);
  CHECK(key({"me", "YWI=", "b"}) == "ab" && key({"me", "YWI=", "bb"}) == "YWI=");
  CHECK(key({"me"}) == "(none)" && key({"me", longest + "k"}) == "(none)");
  CHECK(Ask(commands, {"me"}) == wrong && Ask(commands, {"me", longest + "k"}) == wrong);
  CHECK(Ask(commands, {"me", "YWI", "b"}) == wrong);
  Commands blind({}, 8192);
  CHECK(Ask(blind, {"me", "a"}) == "ERROR\r\n");
}

TEST(numbers_are_read_with_their_upper_half) {
  AskedBoard board;
  Driver driver(board, SmallBoard());
  board.board().counts[WC_ADDRESS(COUNT.GET)] = uint64_t{3} << 32 | 5;
  board.board().counts[WC_ADDRESS(COUNT.GET_HIT)] = uint64_t{1} << 32;
  board.pieces = {"stats"};
  board.begins = 1;
  driver.Service();
  CHECK(board.answer.find("STAT cmd_get 12884901893\r\n") != std::string::npos);
  CHECK(board.answer.find("STAT get_misses 8589934597\r\n") != std::string::npos);
  board.pieces = {"stats", "reset"};
  board.begins = 3;
  board.waits = true;
  driver.Service();
  board.board().counts[WC_ADDRESS(COUNT.GET)] += 2;
  board.pieces = {"stats"};
  board.begins = 1;
  board.waits = true;
  driver.Service();
  CHECK(board.answer.find("STAT cmd_get 2\r\n") != std::string::npos);
}

TEST(an_answer_is_no_longer_than_it_may_be) {
  Commands commands({}, 100);
  CHECK(Ask(commands, {"stats"}) == "SERVER_ERROR answer too large\r\n");
  CHECK(Ask(commands, {"stats", "foo"}) == "ERROR\r\n");
  Commands roomy({}, 8192);
  CHECK(Ask(roomy, {"stats"}).size() > 2000);
  Command binary;
  binary.binary = true;
  binary.opcode = 0x10;
  CHECK(roomy.Answer(binary, {})->size() > 3000);
  CHECK_EQ(commands.Answer(binary, {})->size(), 24u + 10u);
}

TEST(noreply_and_shutdown_say_nothing) {
  BoardFacts facts;
  facts.limit_bytes = 64 << 20;
  facts.shutdown = true;
  Commands commands(facts, 8192);
  CHECK(Ask(commands, {"slabs", "automove", "1", "noreply"}) == "(none)");
  CHECK(Ask(commands, {"cache_memlimit", "64"}) == "OK\r\n");
  CHECK(Ask(commands, {"cache_memlimit", "65"}) ==
        "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n");
  CHECK(!commands.shutdown());
  CHECK(Ask(commands, {"shutdown", "graceful"}) == "(none)");
  CHECK(commands.shutdown());
}

TEST(debugtime_is_unknown_without_its_option) {
  Commands plain({}, 8192);
  CHECK(Ask(plain, {"debugtime", "5"}) == "ERROR\r\n");
  CHECK_EQ(plain.clock().ahead, int64_t{0});
  BoardFacts facts;
  facts.debugtime = true;
  Commands commands(facts, 8192);
  CHECK(Ask(commands, {"debugtime", "4294967295"}) == "OK\r\n");
  CHECK(Ask(commands, {"debugtime", "-5"}) == "OK\r\n");
  CHECK_EQ(commands.clock().ahead, int64_t{4294967290});
  for (const char* wrong : {"", "-", "--1", "x", "1x", "pr", "4294967296", "-4294967296"}) {
    CHECK(Ask(commands, {"debugtime", wrong}) == "ERROR\r\n");
  }
  CHECK(Ask(commands, {"debugtime"}) == "ERROR\r\n");
  CHECK_EQ(commands.clock().ahead, int64_t{4294967290});
  CHECK(Ask(commands, {"debugtime", "p"}) == "OK\r\n" && commands.clock().stands);
  CHECK(Ask(commands, {"debugtime", "r"}) == "OK\r\n" && !commands.clock().stands);
}

TEST(lists_that_are_refused) {
  const std::string no = " not allowed\r\n";
  Commands plain({}, 8192);
  CHECK(Ask(plain, {"lru_crawler", "metadump", "x"}) == "ERROR metadump" + no);
  CHECK(Ask(plain, {"lru_crawler", "mgdump", "all"}) == "ERROR mgdump" + no);
  CHECK(Ask(plain, {"lru_crawler", "metadump"}) == "ERROR\r\n");
  CHECK(Ask(plain, {"stats", "cachedump"}) == "CLIENT_ERROR stats cachedump" + no);
  BoardFacts facts;
  facts.dumps = true;
  Commands commands(facts, 8192);
  CHECK(Ask(commands, {"lru_crawler", "metadump", "64"}) == "BADCLASS invalid class id\r\n");
  CHECK(Ask(commands, {"lru_crawler", "metadump", "all", "x"}) == "ERROR\r\n");
  CHECK(Ask(commands, {"lru_crawler", "crawl", "all"}) == "CLIENT_ERROR lru crawler disabled\r\n");
  CHECK(Ask(commands, {"stats", "cachedump", "1"}) == "CLIENT_ERROR bad command line\r\n");
  CHECK(Ask(commands, {"stats", "cachedump", "64", "0"}) == "CLIENT_ERROR Illegal slab id\r\n");
  for (const char* wrong : {"x", "-1", ""}) {
    CHECK(Ask(commands, {"stats", "cachedump", "1", wrong}) ==
          "CLIENT_ERROR bad command line format\r\n");
  }
  CHECK(Ask(commands, {"stats", "settings"}).find("STAT dump_enabled yes\r\n") !=
        std::string::npos);
}

TEST(a_switch_is_seen_in_settings) {
  Commands commands({}, 8192);
  Ask(commands, {"stats", "detail", "on"});
  Ask(commands, {"lru_crawler", "sleep", "77"});
  const std::string settings = Ask(commands, {"stats", "settings"});
  CHECK(settings.find("STAT detail_enabled yes\r\n") != std::string::npos);
  CHECK(settings.find("STAT lru_crawler_sleep 77\r\n") != std::string::npos);
}

}  // namespace
}  // namespace wirecache::host
