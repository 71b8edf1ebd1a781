// SPDX-License-Identifier: Apache-2.0
#include "sim/conversation.h"

#include <algorithm>
#include <utility>

namespace wirecache::sim {
namespace {

// Where the first request begins in a stream that may have begun before the capture.
size_t FirstPiece(const CapturedConnection& connection) {
  const auto& pieces = connection.client.pieces();
  if (connection.from_start) return 0;
  const std::string_view bytes = connection.client.bytes();
  size_t first = 0;
  while (first < pieces.size() && !BeginsRequest(bytes.substr(pieces[first].begin))) ++first;
  return first;
}

// Follows both sides of a connection as they were captured.
Conversation Follow(const CapturedConnection& connection, size_t first_piece, bool times) {
  Conversation out;
  const auto& asked = connection.client.pieces();
  const auto& answered = connection.server.pieces();
  const std::string_view said = connection.server.bytes();
  const size_t begin = asked[first_piece].begin;
  out.server_ended = connection.server_ended;
  out.bytes = connection.client.bytes().substr(begin);

  uint64_t turns = 0;
  Answers answers([&turns](bool) { ++turns; });
  size_t piece = first_piece;            // that the request begins in
  size_t heard = 0;                      // pieces of answers
  uint64_t last = connection.opened_ns;  // what the client waited for
  size_t in_front = 0;                   // requests of earlier pieces
  for (size_t at = 0; at < out.bytes.size();) {
    const std::string_view rest = std::string_view(out.bytes).substr(at);
    // What never ends has no answer.
    const Request request = FirstRequest(rest).value_or(
        Request{.bytes = rest.size(), .kind = AnswerKind::kNone, .quiet = false, .tag = ""});
    while (piece + 1 < asked.size() && asked[piece + 1].begin <= begin + at) {
      ++piece;
      in_front = out.steps.size();
    }
    const uint64_t now = asked[piece].ns;
    const uint64_t before = turns;
    for (; heard < answered.size() && answered[heard].ns <= now; ++heard) {
      const size_t end = heard + 1 < answered.size() ? answered[heard + 1].begin : said.size();
      answers.Take(said.substr(answered[heard].begin, end - answered[heard].begin));
      if (turns != before) last = std::max(last, answered[heard].ns);
    }
    const bool from_answer = turns != before;
    const uint64_t gap = times && now > last ? now - last : 0;
    out.steps.push_back({.begin = at,
                         .request = request,
                         .after = answered.empty() ? in_front : turns,
                         .gap_ns = gap,
                         .from_answer = from_answer});
    answers.Expect(request);
    last = now;
    at += request.bytes;
  }
  return out;
}

}  // namespace

Conversations MakeConversations(std::vector<CapturedConnection> connections, uint64_t first_ns,
                                bool times) {
  Conversations out;
  std::vector<uint64_t> ends;
  for (const CapturedConnection& connection : connections) {
    const size_t first = FirstPiece(connection);
    if (first == connection.client.pieces().size()) {
      ++out.silent;
      continue;
    }
    if (!connection.from_start) ++out.joined;
    if (connection.client.broken() || connection.server.broken()) ++out.broken;
    if (connection.server.pieces().empty()) ++out.guessed;
    Conversation& conversation = out.all.emplace_back(Follow(connection, first, times));
    if (times) {
      conversation.start_ns = connection.begin_ns - std::min(first_ns, connection.begin_ns);
    }
    conversation.ended_before = connection.begin_ns;  // until all ends are known
    ends.push_back(connection.end_ns);
  }
  std::ranges::sort(ends);
  for (Conversation& conversation : out.all) {
    const auto before = std::ranges::lower_bound(ends, conversation.ended_before);
    conversation.ended_before = times ? 0 : static_cast<uint64_t>(before - ends.begin());
  }
  return out;
}

Speaker::Speaker(const Conversation& conversation, uint64_t (*units)(uint64_t), uint64_t now,
                 Done done)
    : conversation_(conversation),
      units_(units),
      answers_([this, done = std::move(done)](bool answered) {
        ++turns_;
        done(answered);
      }),
      last_ask_(now) {}

void Speaker::Ask(uint64_t now, const Write& write) {
  while (asked_ < conversation_.steps.size()) {
    const Conversation::Step& step = conversation_.steps[asked_];
    if (turns_ < step.after) return;
    if (timed_ == asked_) {
      ask_at_ = (step.from_answer ? now : last_ask_) + units_(step.gap_ns);
      ++timed_;
    }
    if (now < ask_at_) return;
    last_ask_ = now;
    ++asked_;
    write(std::string_view(conversation_.bytes).substr(step.begin, step.request.bytes));
    answers_.Expect(step.request);
  }
}

}  // namespace wirecache::sim
