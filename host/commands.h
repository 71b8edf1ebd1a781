// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_COMMANDS_H_
#define WIRECACHE_HOST_COMMANDS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/key_list.h"
#include "host/stats.h"
#include "host/watch.h"

namespace wirecache::host {

// A command that the circuit leaves to the host.
struct Command {
  std::vector<std::string> words;  // of its line; the last ones may be missing, or be cut
  bool binary = false;
  uint8_t opcode = 0;   // binary
  uint32_t opaque = 0;  // its first byte in the lowest
  std::string key;
  std::optional<uint16_t> connection;  // of TCP
  bool again = false;                  // it was answered in part, and asks for the rest

  // Whether the answer, or what is done, needs BoardNumbers.
  bool wants_numbers() const;
};

// Answers commands as memcached 1.6.18 does that was started without its LRU crawler, LRU
// maintainer and slab reassignment, but that it lists keys all the same. Knows nothing of
// registers.
class Commands {
 public:
  Commands(BoardFacts facts, size_t answer_limit)
      : facts_(std::move(facts)), answer_limit_(answer_limit) {}

  // The list of keys that it asks for, if it does, and may; it has no Answer then. Nor has `me`
  // with a right key.
  std::optional<KeyList> List(const Command& command) const;
  // It asks for all connections, which are listed, too.
  bool ListsConns(const Command& command) const;
  // What it wants to watch, if it does, and may. Its Answer is for whom there is no room, or no
  // TCP.
  std::optional<WatchKinds> Watches(const Command& command) const;
  // The bytes of the answer; none: it is not answered.
  std::optional<std::string> Answer(const Command& command, const BoardNumbers& numbers);
  // An answer of another making; an error in its place if it is too large.
  std::string Limited(const Command& command, std::string answer) const;
  std::string TooLarge(const Command& command) const;
  const BoardFacts& facts() const { return facts_; }

  // Since this was last asked: counters are to begin anew.
  bool TakeReset() { return std::exchange(reset_, false); }
  // A client wants the board to end.
  bool shutdown() const { return shutdown_; }
  // The board's clock as `debugtime` wants it.
  struct Clock {
    int64_t ahead = 0;  // seconds, of the true time
    bool stands = false;
  };
  const Clock& clock() const { return clock_; }

 private:
  std::optional<std::string> AnswerLine(const std::vector<std::string>& words,
                                        const BoardNumbers& numbers);
  std::string AnswerStats(const std::vector<std::string>& words, const BoardNumbers& numbers);
  std::string AnswerCachedump(const std::vector<std::string>& words) const;
  std::string AnswerDetail(const std::vector<std::string>& words);
  std::string AnswerSlabs(const std::vector<std::string>& words);
  std::string AnswerLru(const std::vector<std::string>& words);
  static std::string AnswerExtstore(const std::vector<std::string>& words);
  std::string AnswerCrawler(const std::vector<std::string>& words);
  std::string AnswerDump(const std::vector<std::string>& words) const;
  std::string AnswerWatch(const Command& command) const;
  std::string AnswerMe(const std::vector<std::string>& words) const;
  std::string AnswerLimit(const std::vector<std::string>& words);
  std::optional<std::string> AnswerShutdown(const std::vector<std::string>& words);
  std::string AnswerTime(const std::vector<std::string>& words);
  std::string AnswerBinary(const Command& command, const BoardNumbers& numbers);

  BoardFacts facts_;
  size_t answer_limit_;
  Switches switches_;
  bool reset_ = false;
  bool shutdown_ = false;
  Clock clock_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_COMMANDS_H_
