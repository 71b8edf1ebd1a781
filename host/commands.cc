// SPDX-License-Identifier: Apache-2.0
#include "host/commands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "host/base64.h"
#include "wc_layout.h"

namespace wirecache::host {
namespace {

using Words = std::vector<std::string>;

constexpr uint8_t kStat = 0x10;
constexpr uint16_t kNotFound = 0x01;
constexpr uint16_t kTooLarge = 0x03;
constexpr uint16_t kUnknown = 0x81;

constexpr const char* kError = "ERROR\r\n";
constexpr const char* kOk = "OK\r\n";
constexpr const char* kBadFormat = "CLIENT_ERROR bad command line format\r\n";

// As memcached reads a number of 32 bits: all of the word, in decimal.
std::optional<uint32_t> Number(const std::string& word) {
  uint32_t value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// As memcached reads one of 64 bits, of which it keeps 32.
std::optional<uint32_t> LongNumber(const std::string& word) {
  uint64_t value = 0;
  const char* begin = word.data() + (word.size() > 1 && word[0] == '+' ? 1 : 0);
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return static_cast<uint32_t>(value);
}

constexpr uint32_t kSlabClasses = 64;  // memcached's, the one without a number among them
constexpr uint32_t kOurClass = 1;      // in which all items are
constexpr uint64_t kAll = std::numeric_limits<uint64_t>::max();

// How many items of these classes are wanted, all or none; nothing if there is no such class.
std::optional<uint64_t> Classes(const std::string& text) {
  if (text == "all" || text == "hash") return kAll;
  uint64_t most = 0;
  std::istringstream classes(text);
  for (std::string word; std::getline(classes, word, ',');) {
    if (word.empty()) continue;
    const auto number = Number(word);
    if (!number || *number == 0 || *number >= kSlabClasses) return std::nullopt;
    if (*number == kOurClass) most = kAll;
  }
  return most;
}

// With a sign, and no more than the clock has.
std::optional<int64_t> Seconds(const std::string& word) {
  const bool minus = word.substr(0, 1) == "-";
  const auto number = Number(minus ? word.substr(1) : word);
  if (!number) return std::nullopt;
  return minus ? -int64_t{*number} : int64_t{*number};
}

// As C's strtod does, which memcached asks: with a sign, in hexadecimal, too.
std::optional<double> Decimal(const std::string& word) {
  char* end = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (word.empty() || end != word.c_str() + word.size()) return std::nullopt;
  return value;
}

std::string Lines(const StatFields& fields) { return StatLines(fields) + "END\r\n"; }

void Append(std::string& out, uint32_t value, unsigned bytes) {
  while (bytes-- > 0) out += static_cast<char>(value >> 8 * bytes);
}

std::string Packet(const Command& command, uint16_t status, std::string_view key,
                   std::string_view value) {
  std::string out;
  out += '\x81';
  out += static_cast<char>(command.opcode);
  Append(out, static_cast<uint32_t>(key.size()), 2);
  Append(out, 0, 2);  // extras, data type
  Append(out, status, 2);
  Append(out, static_cast<uint32_t>(key.size() + value.size()), 4);
  for (int i = 0; i < 4; ++i) out += static_cast<char>(command.opaque >> 8 * i);
  Append(out, 0, 4);  // CAS
  Append(out, 0, 4);
  out += key;
  return out += value;
}

std::string Packets(const Command& command, const StatFields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) out += Packet(command, 0, name, value);
  return out + Packet(command, 0, "", "");
}

// The key that a `me` asks for; nothing if it is not right. It is in base64 if the word behind it
// says so.
std::optional<std::string> MeKey(const Words& words) {
  if (words.size() < 2 || words[1].size() > kMostKeyBytes) return std::nullopt;
  if (words.size() > 2 && words[2] == "b") return FromBase64(words[1]);
  return words[1];
}

bool Silent(const Words& words) {
  return (words[0] == "slabs" || words[0] == "lru" || words[0] == "cache_memlimit") &&
         words.size() > 2 && words.back() == "noreply";
}

}  // namespace

bool Command::wants_numbers() const {
  return binary ? opcode == kStat : words.size() > 0 && words[0] == "stats";
}

std::optional<KeyList> Commands::List(const Command& command) const {
  const Words& words = command.words;
  if (command.binary || words.size() < 2) return std::nullopt;
  if (words[0] == "me" && AnswerMe(words).empty()) {
    return KeyList{KeyList::Form::kMe, 1, MeKey(words)};
  }
  if (!facts_.dumps || words.size() < 3) return std::nullopt;
  if (words[0] == "lru_crawler" && AnswerDump(words).empty()) {
    return KeyList{words[1] == "mgdump" ? KeyList::Form::kMgdump : KeyList::Form::kMetadump,
                   *Classes(words[2])};
  }
  if (words[0] == "stats" && words[1] == "cachedump" && AnswerCachedump(words).empty()) {
    const uint64_t most = *LongNumber(words[3]);
    return KeyList{KeyList::Form::kCachedump, LongNumber(words[2]) != kOurClass ? 0
                                              : most == 0                       ? kAll
                                                                                : most};
  }
  return std::nullopt;
}

std::optional<WatchKinds> Commands::Watches(const Command& command) const {
  // memcached's kinds; of the others nothing is told.
  constexpr std::array<std::string_view, 7> kOthers = {
      "evictions", "sysevents", "connevents", "proxyreqs", "proxyevents", "proxyuser", "rawcmds"};
  const Words& words = command.words;
  if (command.binary || words.empty() || words[0] != "watch" || !facts_.watch) return std::nullopt;
  WatchKinds kinds;
  kinds.fetchers = words.size() == 1;
  for (const std::string& word : std::span(words).subspan(1)) {
    if (word == "fetchers") {
      kinds.fetchers = true;
    } else if (word == "mutations") {
      kinds.mutations = true;
    } else if (std::ranges::find(kOthers, word) == kOthers.end()) {
      return std::nullopt;
    }
  }
  return kinds;
}

bool Commands::ListsConns(const Command& command) const {
  const Words& words = command.words;
  return !command.binary && words.size() > 1 && words[0] == "stats" && words[1] == "conns";
}

std::optional<std::string> Commands::Answer(const Command& command, const BoardNumbers& numbers) {
  if (!command.binary && !command.words.empty() && command.words[0] == "watch") {
    if (command.words.back() == "noreply") return std::nullopt;  // it is none of memcached's kinds
    return AnswerWatch(command);
  }
  std::optional<std::string> answer =
      command.binary ? AnswerBinary(command, numbers) : AnswerLine(command.words, numbers);
  return answer ? Limited(command, *std::move(answer)) : answer;
}

std::string Commands::Limited(const Command& command, std::string answer) const {
  return answer.size() <= answer_limit_ ? answer : TooLarge(command);
}

std::string Commands::TooLarge(const Command& command) const {
  return command.binary ? Packet(command, kTooLarge, "", "Too large.")
                        : "SERVER_ERROR answer too large\r\n";
}

std::optional<std::string> Commands::AnswerLine(const Words& words, const BoardNumbers& numbers) {
  if (words.empty()) return kError;
  const std::string& name = words[0];
  if (name == "shutdown") return AnswerShutdown(words);
  if (name == "extstore" && words.back() == "noreply") return std::nullopt;
  const std::string answer = name == "stats"            ? AnswerStats(words, numbers)
                             : name == "slabs"          ? AnswerSlabs(words)
                             : name == "lru"            ? AnswerLru(words)
                             : name == "lru_crawler"    ? AnswerCrawler(words)
                             : name == "cache_memlimit" ? AnswerLimit(words)
                             : name == "me"             ? AnswerMe(words)
                             : name == "debugtime"      ? AnswerTime(words)
                             : name == "extstore"       ? AnswerExtstore(words)
                             : name == "refresh_certs"  ? "Error TLS not enabled\r\n"
                                                        : kError;
  // Too few words are told of all the same.
  if (Silent(words) && answer != kError) return std::nullopt;
  return answer;
}

std::string Commands::AnswerStats(const Words& words, const BoardNumbers& numbers) {
  if (words.size() == 1) return Lines(GeneralStats(facts_, numbers));
  const std::string& of = words[1];
  if (of == "reset") {
    reset_ = true;
    return "RESET\r\n";
  }
  if (of == "detail") return AnswerDetail(words);
  if (of == "settings") return Lines(SettingsStats(facts_, switches_));
  if (of == "cachedump") return AnswerCachedump(words);
  if (of == "extstore") return Lines({});
  if (of == "items") return Lines(ItemsStats(numbers));
  if (of == "slabs") return Lines(SlabsStats(numbers));
  if (of == "sizes") return Lines(SizesStats());
  return kError;
}

// Nothing: it is a list.
std::string Commands::AnswerCachedump(const Words& words) const {
  if (!facts_.dumps) return "CLIENT_ERROR stats cachedump not allowed\r\n";
  if (words.size() < 4) return "CLIENT_ERROR bad command line\r\n";
  const auto number = LongNumber(words[2]), most = LongNumber(words[3]);
  if (!number || !most) return kBadFormat;
  if (*number >= kSlabClasses) return "CLIENT_ERROR Illegal slab id\r\n";
  return "";
}

std::string Commands::AnswerDetail(const Words& words) {
  if (words.size() > 2 && words[2] == "dump") return "END\r\n";
  if (words.size() > 2 && (words[2] == "on" || words[2] == "off")) {
    switches_.detail = words[2] == "on";
    return kOk;
  }
  return "CLIENT_ERROR usage: stats detail on|off|dump\r\n";
}

std::string Commands::AnswerSlabs(const Words& words) {
  if (words.size() == 4 && words[1] == "reassign") {
    return "CLIENT_ERROR slab reassignment disabled\r\n";
  }
  if (words.size() < 3 || words[1] != "automove") return kError;
  const auto level = Number(words[2]);
  if (!level) return kBadFormat;
  if (*level > 2) return kError;
  switches_.automove = *level;
  return kOk;
}

std::string Commands::AnswerLru(const Words& words) {
  if (words.size() < 6 || words[1] != "tune") return kError;
  const auto hot = Number(words[2]), warm = Number(words[3]);
  const auto hot_factor = Decimal(words[4]), warm_factor = Decimal(words[5]);
  if (!hot || !warm || !hot_factor || !warm_factor) return kError;
  if (uint64_t{*hot} + *warm > 80) return "ERROR hot and warm pcts must not exceed 80\r\n";
  if (*hot_factor <= 0 || *warm_factor <= 0) {
    return "ERROR hot/warm age factors must be greater than 0\r\n";
  }
  return kOk;
}

// Settings of a store on a disk, which memcached takes whether it has one or not.
std::string Commands::AnswerExtstore(const Words& words) {
  constexpr std::array<std::string_view, 8> kNumbers = {
      "item_size",     "item_age",   "low_ttl",     "recache_rate",
      "compact_under", "drop_under", "drop_unread", "max_sleep"};
  if (words.size() < 3) return kError;
  const std::string& what = words[1];
  bool right = false;
  if (what == "free_memchunks") {
    const auto number = LongNumber(words[2]);
    right = words.size() > 3 && number && *number < kSlabClasses && LongNumber(words[3]);
  } else if (what == "max_frag") {
    right = Decimal(words[2]).has_value();
  } else if (std::ranges::find(kNumbers, what) != kNumbers.end()) {
    right = LongNumber(words[2]).has_value();
  }
  return right ? kOk : kError;
}

std::string Commands::AnswerCrawler(const Words& words) {
  constexpr uint32_t kSecond = 1'000'000;  // microseconds
  const std::string what = words.size() > 1 ? words[1] : "";
  if (words.size() == 3 && what == "crawl") return "CLIENT_ERROR lru crawler disabled\r\n";
  if (words.size() == 3 && (what == "metadump" || what == "mgdump")) return AnswerDump(words);
  if (words.size() == 3 && (what == "sleep" || what == "tocrawl")) {
    const auto number = Number(words[2]);
    if (!number) return kBadFormat;
    if (what == "sleep" && *number > kSecond) {
      return "CLIENT_ERROR sleep must be one second or less\r\n";
    }
    (what == "sleep" ? switches_.crawler_sleep : switches_.crawler_tocrawl) = *number;
    return kOk;
  }
  if (words.size() == 2 && what == "enable") return "ERROR failed to start lru crawler thread\r\n";
  if (words.size() == 2 && what == "disable") return kOk;
  return kError;
}

// Nothing: it is a list.
std::string Commands::AnswerDump(const Words& words) const {
  if (words.size() != 3 || (words[1] != "metadump" && words[1] != "mgdump")) return kError;
  if (!facts_.dumps) return "ERROR " + words[1] + " not allowed\r\n";
  return Classes(words[2]) ? "" : "BADCLASS invalid class id\r\n";
}

std::string Commands::AnswerWatch(const Command& command) const {
  if (!facts_.watch) return "CLIENT_ERROR watch commands not allowed\r\n";
  if (!Watches(command)) return kError;
  if (!command.connection) return "CLIENT_ERROR watch needs TCP\r\n";
  return "WATCHER_TOO_MANY log watcher limit reached\r\n";
}

// Nothing: it is a list, of that item. Where the host finds no items it is no command.
std::string Commands::AnswerMe(const Words& words) const {
  if (!facts_.finds) return kError;
  return MeKey(words) ? "" : kBadFormat;
}

// Memory is divided when the board starts.
std::string Commands::AnswerLimit(const Words& words) {
  constexpr uint64_t kLeast = 8, kMost = 1'000'000'000;
  const auto megabytes = words.size() > 1 ? Number(words[1]) : std::nullopt;
  if (!megabytes) return kError;
  if (*megabytes < kLeast) return "MEMLIMIT_TOO_SMALL cannot set maxbytes to less than 8m\r\n";
  if (*megabytes > kMost) return "MEMLIMIT_ADJUST_FAILED input value is megabytes not bytes\r\n";
  if (*megabytes == facts_.limit_bytes >> 20) return kOk;
  return "MEMLIMIT_ADJUST_FAILED out of bounds or unable to adjust\r\n";
}

std::optional<std::string> Commands::AnswerShutdown(const Words& words) {
  if (!facts_.shutdown) return "ERROR: shutdown not enabled\r\n";
  if (words.size() > 2 || (words.size() == 2 && words[1] != "graceful")) {
    return "CLIENT_ERROR invalid shutdown mode\r\n";
  }
  shutdown_ = true;
  return std::nullopt;
}

// As a memcached built with MEMCACHED_DEBUG does it. Without the option it is unknown, as it is to
// any other memcached.
std::string Commands::AnswerTime(const Words& words) {
  if (!facts_.debugtime || words.size() < 2) return kError;
  if (words[1] == "p" || words[1] == "r") {
    clock_.stands = words[1] == "p";
    return kOk;
  }
  const std::optional<int64_t> seconds = Seconds(words[1]);
  if (!seconds) return kError;
  clock_.ahead += *seconds;
  return kOk;
}

// memcached compares the beginning of the key with some names, and all of it with others.
std::string Commands::AnswerBinary(const Command& command, const BoardNumbers& numbers) {
  if (command.opcode != kStat) return Packet(command, kUnknown, "", "Unknown command");
  const std::string_view key = command.key;
  if (key.empty()) return Packets(command, GeneralStats(facts_, numbers));
  if (key.starts_with("reset")) {
    reset_ = true;
    return Packets(command, {});
  }
  if (key.starts_with("settings")) return Packets(command, SettingsStats(facts_, switches_));
  if (key.starts_with("detail dump")) return Packets(command, {{"detailed", "END\r\n"}});
  if (key.starts_with("detail on") || key.starts_with("detail off")) {
    switches_.detail = key.starts_with("detail on");
    return Packets(command, {});
  }
  if (key == "items") return Packets(command, ItemsStats(numbers));
  if (key == "slabs") return Packets(command, SlabsStats(numbers));
  if (key == "sizes") return Packets(command, SizesStats());
  return Packet(command, kNotFound, "", "Not found");
}

}  // namespace wirecache::host
