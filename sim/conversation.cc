// SPDX-License-Identifier: Apache-2.0
#include "sim/conversation.h"

#include <algorithm>
#include <utility>

namespace wirecache::sim {
namespace {

constexpr uint64_t kApartNs = 500;  // without times, from a connection's opening to the next one's

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
  const bool binary = IsBinary(out.bytes);

  uint64_t turns = 0, heard = 0;  // of all requests, and of those that must be answered
  Answers answers([&](bool) {
    if (out.steps[turns++].request.must_be_answered()) ++heard;
  });
  size_t piece = first_piece;  // that the request begins in
  size_t next = 0;             // piece of answers
  if (!connection.from_start) {
    while (next < answered.size() && answered[next].order < asked[piece].order) ++next;
  }
  uint64_t last = connection.opened_ns;  // what the client waited for
  uint64_t loud = 0, in_front = 0;       // requests that must be answered; of earlier pieces
  for (size_t at = 0; at < out.bytes.size();) {
    const std::string_view rest = std::string_view(out.bytes).substr(at);
    // What never ends has no answer.
    const Request request =
        FirstRequest(rest, binary)
            .value_or(Request{
                .bytes = rest.size(), .kind = AnswerKind::kNone, .quiet = false, .tag = ""});
    while (piece + 1 < asked.size() && asked[piece + 1].begin <= begin + at) {
      ++piece;
      in_front = loud;
    }
    const uint64_t before = heard;
    // An answer may stand in front of its request in a capture, but not in front of all requests.
    while (next < answered.size() && answered[next].order < asked[piece].order &&
           answers.waiting() != 0) {
      const uint64_t turn = heard;
      const size_t end = next + 1 < answered.size() ? answered[next + 1].begin : said.size();
      answers.Take(said.substr(answered[next].begin, end - answered[next].begin));
      if (heard != turn) last = std::max(last, answered[next].ns);
      ++next;
    }
    const uint64_t now = asked[piece].ns;
    // Without the answers it is a guess.
    const bool guess = answered.empty() || (connection.server.broken() && next == answered.size());
    out.steps.push_back({.begin = at,
                         .request = request,
                         .after = guess ? std::max(heard, in_front) : heard,
                         .gap_ns = times && now > last ? now - last : 0,
                         .from_answer = heard != before});
    answers.Expect(request);
    if (request.must_be_answered()) ++loud;
    last = std::max(last, now);
    at += request.bytes;
  }
  return out;
}

}  // namespace

Conversations MakeConversations(std::vector<CapturedConnection> connections, uint64_t first_ns,
                                bool times) {
  Conversations out;
  std::vector<uint64_t> ends;
  // Who waits for so many ends must not stand in front of who makes them, whatever the order of
  // frames says.
  std::ranges::stable_sort(connections, {}, &CapturedConnection::begin_ns);
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
    conversation.start_ns = times ? connection.begin_ns - std::min(first_ns, connection.begin_ns)
                                  : (out.all.size() - 1) * kApartNs;
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
        if (conversation_.steps[turns_++].request.must_be_answered()) ++heard_;
        done(answered);
      }),
      last_ask_(now) {}

void Speaker::Ask(uint64_t now, const Write& write) {
  while (asked_ < conversation_.steps.size()) {
    const Conversation::Step& step = conversation_.steps[asked_];
    if (heard_ < step.after) return;
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
