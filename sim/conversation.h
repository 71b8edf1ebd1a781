// SPDX-License-Identifier: Apache-2.0
// What the clients of a capture say over TCP, as the board is to hear it again: request by request,
// each when the answers have come that its client had waited for. So a board that answers sooner is
// asked sooner, and one that misses where the captured server had a hit is asked all the same.
#ifndef WIRECACHE_SIM_CONVERSATION_H_
#define WIRECACHE_SIM_CONVERSATION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/captured_tcp.h"
#include "sim/memcached_stream.h"

namespace wirecache::sim {

// Of one connection. Times are in nanoseconds.
struct Conversation {
  struct Step {
    size_t begin = 0;  // in `bytes`
    Request request;
    uint64_t after = 0;        // requests that must be answered and have had their turn by then
    uint64_t gap_ns = 0;       // from the last of these on, or from the request before
    bool from_answer = false;  // which of them
  };

  uint64_t start_ns = 0;      // from the beginning of the capture on
  uint64_t ended_before = 0;  // connections that had ended when it began
  bool server_ended = false;  // so the board may, too
  std::string bytes;          // of all requests
  std::vector<Step> steps;
};

// The conversations of a capture, and what is not in them.
struct Conversations {
  std::vector<Conversation> all;
  uint64_t silent = 0;  // connections without a request
  uint64_t joined = 0;  // that had begun before the capture: what came before a request is left out
  uint64_t broken = 0;  // of which segments are missing: what follows them is left out
  uint64_t guessed = 0;  // of which no answers were captured: each segment waits for those before
};

// With `times` pauses are as long as they were; else there are none, and a connection begins when
// as many others have ended as had then.
Conversations MakeConversations(std::vector<CapturedConnection> connections, uint64_t first_ns,
                                bool times);

// The client's side of a conversation that goes on. Times are in any unit that never goes back.
class Speaker {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  // Told for each request in its turn: whether there was an answer, or there is none.
  using Done = std::function<void(bool answered)>;
  using Write = std::function<void(std::string_view request)>;

  // `units` makes times of nanoseconds.
  Speaker(const Conversation& conversation, uint64_t (*units)(uint64_t), uint64_t now, Done done);
  Speaker(const Speaker&) = delete;
  Speaker& operator=(const Speaker&) = delete;

  // Asks what is to be asked by now.
  void Ask(uint64_t now, const Write& write);
  // What the server has sent.
  void Take(std::string_view bytes) { answers_.Take(bytes); }
  // When the next request is to be asked, if nothing but time is waited for.
  uint64_t next() const { return timed_ == asked_ ? kNever : ask_at_; }
  // All is asked, and what has an answer has it.
  bool done() const { return asked_ == conversation_.steps.size() && answers_.owed() == 0; }
  bool waits() const { return answers_.owed() != 0; }
  bool may_end() const { return conversation_.server_ended; }

 private:
  const Conversation& conversation_;
  uint64_t (*units_)(uint64_t);
  Answers answers_;
  size_t asked_ = 0;
  size_t turns_ = 0;  // requests that have had theirs
  size_t heard_ = 0;  // of these, those that must be answered
  size_t timed_ = 0;  // requests of which it is known when they are to be asked
  uint64_t ask_at_ = 0;
  uint64_t last_ask_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_CONVERSATION_H_
