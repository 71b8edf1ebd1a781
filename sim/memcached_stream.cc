// SPDX-License-Identifier: Apache-2.0
#include "sim/memcached_stream.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>
#include <vector>

#include "sim/big_endian.h"

namespace wirecache::sim {
namespace {

using Words = std::vector<std::string_view>;

constexpr uint8_t kRequestMagic = 0x80;
constexpr uint8_t kResponseMagic = 0x81;
constexpr size_t kHeaderBytes = 24;
constexpr uint8_t kStat = 0x10;
constexpr uint8_t kQuitQ = 0x17;
constexpr auto kQuietOpcodes = std::to_array<uint8_t>(
    {0x09, 0x0D, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x18, 0x19, 0x1A, 0x1E, 0x24});
constexpr uint8_t kLastOpcode = 0x24;
constexpr size_t kLineEnd = 2;  // CR LF behind a value
constexpr std::string_view kRefusal = "ERROR Too many open connections";
constexpr auto kMetaCodes =
    std::to_array<std::string_view>({"VA", "HD", "EN", "NF", "NS", "EX", "ME", "MN"});
constexpr size_t kLongestName = 14;                   // of a command
constexpr uint64_t kLargest = 0x7FFFFFFF - kLineEnd;  // memcached refuses more
constexpr size_t kLongestKey = 250;

// A command in text: what comes for it, in which word a value's length is, and whether its last
// word can be `noreply`.
struct Command {
  std::string_view name;
  AnswerKind kind = AnswerKind::kLine;
  size_t length_word = 0;  // 0: it has no value
  bool noreply = false;
  size_t words = 5;  // with a value, in front of `noreply`
};
constexpr auto kCommands = std::to_array<Command>({
    {"get", AnswerKind::kItems},
    {"gets", AnswerKind::kItems},
    {"gat", AnswerKind::kItems},
    {"gats", AnswerKind::kItems},
    {"set", AnswerKind::kLine, 4, true},
    {"add", AnswerKind::kLine, 4, true},
    {"replace", AnswerKind::kLine, 4, true},
    {"append", AnswerKind::kLine, 4, true},
    {"prepend", AnswerKind::kLine, 4, true},
    {"cas", AnswerKind::kLine, 4, true, 6},
    {"incr", AnswerKind::kLine, 0, true},
    {"decr", AnswerKind::kLine, 0, true},
    {"touch", AnswerKind::kLine, 0, true},
    {"delete", AnswerKind::kLine, 0, true},
    {"flush_all", AnswerKind::kLine, 0, true},
    {"verbosity", AnswerKind::kLine, 0, true},
    {"cache_memlimit", AnswerKind::kLine, 0, true},
    {"version", AnswerKind::kLine},
    {"slabs", AnswerKind::kLine},
    {"lru", AnswerKind::kLine},
    {"lru_crawler", AnswerKind::kLines},
    {"stats", AnswerKind::kLines},
    {"watch", AnswerKind::kLine},
    {"quit", AnswerKind::kNone},
    {"shutdown", AnswerKind::kLine},
    {"mg", AnswerKind::kMeta},
    {"ms", AnswerKind::kMeta, 2},
    {"md", AnswerKind::kMeta},
    {"ma", AnswerKind::kMeta},
    {"me", AnswerKind::kMeta},
    {"mn", AnswerKind::kMetaNoop},
});

const Command* Find(std::string_view name) {
  const auto* found = std::ranges::find(kCommands, name, &Command::name);
  return found == kCommands.end() ? nullptr : found;
}

Words Split(std::string_view line) {
  Words words;
  while (!line.empty()) {
    const size_t end = std::min(line.find(' '), line.size());
    if (end != 0) words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// The line without its end.
std::string_view Trimmed(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// A number as C's functions read it, which memcached uses.
std::optional<uint64_t> Natural(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  uint64_t number = 0;
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || stop != word.data() + word.size()) return std::nullopt;
  return number;
}

// The length of a value, as a word says it.
std::optional<uint64_t> Length(const Words& words, size_t word) {
  if (word >= words.size()) return std::nullopt;
  const auto length = Natural(words[word]);
  return length && *length <= kLargest ? length : std::nullopt;
}

// The length of the value behind a line. None: memcached refuses the line, and reads what follows
// it as the next one.
std::optional<uint64_t> Value(const Command& command, const Words& words) {
  if (words.size() < 2 || words[1].size() > kLongestKey) return std::nullopt;
  if (command.kind != AnswerKind::kMeta) {
    if (words.size() != command.words && words.size() != command.words + 1) return std::nullopt;
    const auto flags = Natural(words[2]);
    const auto expiry = Natural(words[3].substr(words[3].starts_with('-') ? 1 : 0));
    if (!flags || *flags > 0xFFFFFFFF || !expiry) return std::nullopt;
  }
  return Length(words, command.length_word);
}

bool InBinary(const Request& request) {
  return request.kind == AnswerKind::kBinary || request.kind == AnswerKind::kBinaryStat;
}

bool IsMeta(const Request& request) {
  return request.kind == AnswerKind::kMeta || request.kind == AnswerKind::kMetaNoop;
}

std::optional<Request> FirstBinary(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes) return std::nullopt;
  Request request;
  request.bytes = kHeaderBytes + size_t{BigEndian(bytes.data() + 8, 4)};
  if (request.bytes > bytes.size()) return std::nullopt;
  request.opcode = static_cast<uint8_t>(bytes[1]);
  request.opaque = static_cast<uint32_t>(BigEndian(bytes.data() + 12, 4));
  request.kind = request.opcode == kQuitQ  ? AnswerKind::kNone
                 : request.opcode == kStat ? AnswerKind::kBinaryStat
                                           : AnswerKind::kBinary;
  request.quiet = std::ranges::count(kQuietOpcodes, request.opcode) != 0;
  return request;
}

// What the flags of a meta command say of its answer: `k` shows the key, `O` what stands there.
void ReadFlags(const Words& words, size_t first, Request& request) {
  for (size_t i = first; i < words.size(); ++i) {
    const char flag = words[i].front();
    if (flag == 'q') request.quiet = true;
    if (flag == 'O') request.tag = words[i];
    if (flag == 'k' && request.tag.empty()) request.tag = "k" + std::string(words[1]);
  }
}

}  // namespace

bool IsBinary(std::string_view bytes) {
  return !bytes.empty() && static_cast<uint8_t>(bytes[0]) == kRequestMagic;
}

std::optional<Request> FirstRequest(std::string_view bytes, bool binary) {
  if (binary) return FirstBinary(bytes);
  const size_t end = bytes.find('\n');
  if (end == bytes.npos) return std::nullopt;
  Request request;
  request.bytes = end + 1;
  const Words words = Split(Trimmed(bytes.substr(0, end + 1)));
  const Command* command = words.empty() ? nullptr : Find(words[0]);
  if (command == nullptr) return request;
  if (command->length_word != 0) {
    const auto length = Value(*command, words);
    if (!length) return request;  // it is told so, whatever it says of answers
    request.bytes += *length + kLineEnd;
  }
  request.kind = command->kind;
  if (command->noreply && words.back() == "noreply") request.kind = AnswerKind::kNone;
  if (command->kind == AnswerKind::kMeta) {
    ReadFlags(words, std::max<size_t>(command->length_word, 1) + 1, request);
  }
  if (request.bytes > bytes.size()) return std::nullopt;
  return request;
}

bool BeginsRequest(std::string_view bytes) {
  if (IsBinary(bytes)) {
    return bytes.size() >= kHeaderBytes && static_cast<uint8_t>(bytes[1]) <= kLastOpcode &&
           bytes[5] == 0 &&
           BigEndian(bytes.data() + 2, 2) + BigEndian(bytes.data() + 4, 1) <=
               BigEndian(bytes.data() + 8, 4);
  }
  bytes = bytes.substr(0, kLongestName + 1);
  const Words words = Split(Trimmed(bytes.substr(0, bytes.find('\n'))));
  return !words.empty() && Find(words[0]) != nullptr;
}

void Answers::Expect(const Request& request) {
  waiting_.push_back(request);
  if (request.must_be_answered()) ++owed_;
  Settle();
}

void Answers::Take(std::string_view bytes) {
  while (!bytes.empty()) {
    if (skip_ != 0) {
      const auto count = static_cast<size_t>(std::min<uint64_t>(skip_, bytes.size()));
      bytes.remove_prefix(count);
      skip_ -= count;
      if (skip_ == 0 && std::exchange(ends_, false)) End();
      continue;
    }
    if (waiting_.empty()) return;  // nobody has asked for it
    bytes.remove_prefix(InBinary(waiting_.front()) ? TakeBinary(bytes) : TakeLine(bytes));
  }
}

// Takes bytes of a line, and goes on with the whole one. The bytes that are taken.
size_t Answers::TakeLine(std::string_view bytes) {
  const size_t end = bytes.find('\n');
  const size_t count = end == bytes.npos ? bytes.size() : end + 1;
  rest_ += bytes.substr(0, count);
  if (end == bytes.npos) return count;
  const std::string whole = std::exchange(rest_, "");
  const std::string_view line = Trimmed(whole);
  if (line == kRefusal) return count;  // in front of the end of the connection
  const Words words = Split(line);
  const auto begins = [&words](std::string_view word) {
    return !words.empty() && words[0] == word;
  };
  if (IsMeta(waiting_.front())) PassOver(WhoseLine(line));
  const AnswerKind kind = waiting_.front().kind;
  if (IsMeta(waiting_.front())) {
    if (begins("VA")) {
      skip_ = Length(words, 1).value_or(0) + kLineEnd;
      ends_ = true;
      return count;
    }
  } else if (kind == AnswerKind::kItems && begins("VALUE")) {
    skip_ = Length(words, 3).value_or(0) + kLineEnd;
    return count;
  } else if (kind == AnswerKind::kLines) {
    const bool more = begins("STAT") || begins("PREFIX") || begins("ITEM") || begins("mg") ||
                      line.starts_with("key=");
    if (more) return count;
  }
  End();
  return count;
}

// Whose answer a line is, of requests that wait, the first of them one of a meta command.
size_t Answers::WhoseLine(std::string_view line) {
  const Words words = Split(line);
  const std::string_view code = words.empty() ? std::string_view() : words[0];
  // The first request that must have an answer.
  while (silent_ < waiting_.size() && !waiting_[silent_].must_be_answered()) ++silent_;
  if (code == "MN") {
    for (size_t i = silent_; i < waiting_.size(); ++i) {
      if (waiting_[i].kind == AnswerKind::kMetaNoop) return i;
    }
  }
  const auto shows = [&words](const Request& request) {
    return !request.tag.empty() && std::ranges::count(words, request.tag) != 0;
  };
  const bool tagged = std::ranges::any_of(
      words, [](std::string_view word) { return word[0] == 'k' || word[0] == 'O'; });
  for (size_t i = 0; tagged && i < waiting_.size() && i <= silent_; ++i) {
    if (IsMeta(waiting_[i]) && shows(waiting_[i])) return i;
  }
  if (silent_ == waiting_.size()) return 0;
  const Request& loud = waiting_[silent_];
  if (!IsMeta(loud)) return std::ranges::count(kMetaCodes, code) != 0 ? 0 : silent_;
  // Of quiet requests in front of a no-op any one: each has one answer at most. In front of another
  // request it may be that one's, which then has it too early, but is not waited for in vain.
  const bool item = code == "VA" || code == "HD";
  if (loud.kind == AnswerKind::kMetaNoop || (item && !loud.tag.empty())) return 0;
  return silent_;
}

// Likewise of a message.
size_t Answers::TakeBinary(std::string_view bytes) {
  const size_t count = std::min(bytes.size(), kHeaderBytes - rest_.size());
  rest_ += bytes.substr(0, count);
  if (static_cast<uint8_t>(rest_[0]) != kResponseMagic) {  // a text, which comes before the end
    rest_.clear();
    return bytes.size();
  }
  if (rest_.size() < kHeaderBytes) return count;
  const std::string header = std::exchange(rest_, "");
  const auto opcode = static_cast<uint8_t>(header[1]);
  const auto opaque = static_cast<uint32_t>(BigEndian(header.data() + 12, 4));
  const auto whose = std::ranges::find_if(waiting_, [=](const Request& request) {
    return InBinary(request) && request.opcode == opcode && request.opaque == opaque;
  });
  if (whose != waiting_.end()) PassOver(static_cast<size_t>(whose - waiting_.begin()));
  skip_ = BigEndian(header.data() + 8, 4);
  ends_ = waiting_.front().kind != AnswerKind::kBinaryStat || BigEndian(header.data() + 2, 2) == 0;
  if (skip_ == 0 && std::exchange(ends_, false)) End();
  return count;
}

// These have no answer, as the one to a later request has come.
void Answers::PassOver(size_t requests) {
  for (; requests != 0; --requests) Next(false);
}

// The answer to the first request has come.
void Answers::End() {
  Next(true);
  Settle();
}

// It is the turn of the first request.
void Answers::Next(bool answered) {
  if (waiting_.front().must_be_answered()) --owed_;
  if (silent_ != 0) --silent_;
  waiting_.pop_front();
  done_(answered);
}

// What has no answer has its turn when nothing is before it.
void Answers::Settle() {
  while (!waiting_.empty() && waiting_.front().kind == AnswerKind::kNone) Next(false);
}

}  // namespace wirecache::sim
