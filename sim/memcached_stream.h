// SPDX-License-Identifier: Apache-2.0
// memcached's protocols as far as a client knows them that plays a capture: where a request ends,
// and which bytes of the answers are the answer to it. What they say does not matter.
// The protocol's text (doc/protocol.txt of memcached 1.6.18) and its binary protocol's.
#ifndef WIRECACHE_SIM_MEMCACHED_STREAM_H_
#define WIRECACHE_SIM_MEMCACHED_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace wirecache::sim {

// What comes for a request.
enum class AnswerKind {
  kNone,        // noreply
  kLine,        // one line
  kItems,       // values, then END; or a line of another kind
  kLines,       // lines, then END; or a line of another kind
  kMeta,        // one line, and a value if it is VA
  kMetaNoop,    // MN
  kBinary,      // a message
  kBinaryStat,  // messages, the last one with no key
};

struct Request {
  size_t bytes = 0;
  AnswerKind kind = AnswerKind::kLine;
  bool quiet = false;   // kMeta, kBinary: there may be no answer
  std::string tag;      // kMeta: the word with which an answer shows whose it is, if it does
  uint8_t opcode = 0;   // kBinary, kBinaryStat
  uint32_t opaque = 0;  // likewise

  bool must_be_answered() const { return !quiet && kind != AnswerKind::kNone; }
};

// Whether a connection that begins with these bytes is one of the binary protocol.
bool IsBinary(std::string_view bytes);

// The request that the bytes begin with, in a connection of that protocol; none: it has not come
// whole.
std::optional<Request> FirstRequest(std::string_view bytes, bool binary);

// Whether the bytes can be the first ones of a request: a guess, for captures that begin within a
// connection.
bool BeginsRequest(std::string_view bytes);

// Finds the answers of one connection in what the server sends.
class Answers {
 public:
  // Told for each request in its turn: whether there was an answer, or there is none.
  using Done = std::function<void(bool answered)>;

  explicit Answers(Done done) : done_(std::move(done)) {}

  void Expect(const Request& request);
  void Take(std::string_view bytes);
  // Requests whose turn has not come.
  size_t waiting() const { return waiting_.size(); }
  // That must have an answer, of these.
  size_t owed() const { return owed_; }

 private:
  size_t TakeLine(std::string_view bytes);
  size_t TakeBinary(std::string_view bytes);
  void PassOver(size_t requests);
  void End();
  void Next(bool answered);
  void Settle();
  size_t WhoseLine(std::string_view line);

  Done done_;
  std::deque<Request> waiting_;
  size_t owed_ = 0;
  size_t silent_ = 0;  // of the first ones, that need no answer: so many at least
  std::string rest_;   // of a line or a header that has not come whole
  uint64_t skip_ = 0;  // bytes of a value to come
  bool ends_ = false;  // with them the first answer ends
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_MEMCACHED_STREAM_H_
