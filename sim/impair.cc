// SPDX-License-Identifier: Apache-2.0
#include "sim/impair.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace wirecache::sim {
namespace {

struct Count {
  std::string_view name;
  uint64_t Impairment::Counts::* member;
};

// What is told beside `frames` and `passed`: first all kinds of loss.
constexpr std::array<Count, 7> kCounts = {{{"lost", &Impairment::Counts::lost},
                                           {"blackout", &Impairment::Counts::blackout},
                                           {"overflow", &Impairment::Counts::overflow},
                                           {"corrupted", &Impairment::Counts::corrupted},
                                           {"duplicated", &Impairment::Counts::duplicated},
                                           {"reordered", &Impairment::Counts::reordered},
                                           {"delayed", &Impairment::Counts::delayed}}};

}  // namespace

Impairment::Settings Impairment::Settings::InTicks(uint64_t (*ticks)(uint64_t nanoseconds)) const {
  Settings out = *this;
  for (uint64_t* time : {&out.delay, &out.jitter, &out.blackout, &out.blackout_begin, &out.quiet}) {
    *time = ticks(*time);
  }
  return out;
}

Impairment::Part::Part(uint64_t seed, uint32_t stream, uint32_t part) {
  std::seed_seq sequence{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), stream,
                         part};
  random_.seed(sequence);
}

Impairment::Impairment(const Settings& settings, uint64_t seed, uint32_t stream, Sink sink)
    : settings_(settings),
      sink_(std::move(sink)),
      loss_(seed, stream, 0),
      reorder_(seed, stream, 1),
      distance_(seed, stream, 2),
      duplicate_(seed, stream, 3),
      corrupt_(seed, stream, 4),
      bit_(seed, stream, 5),
      jitter_(seed, stream, 6) {}

void Impairment::Push(std::vector<uint8_t> bytes, uint64_t now) {
  Pass(now);
  now = now_;
  ++counts_.frames;
  // All is drawn for every frame, so that one's fate does not depend on that of those before it.
  const bool lost = loss_.Meets(settings_.loss);
  const bool reordered = reorder_.Meets(settings_.reorder);
  const uint64_t distance = 1 + distance_.Below(settings_.distance);
  const bool duplicated = duplicate_.Meets(settings_.duplicate);
  const bool corrupted = corrupt_.Meets(settings_.corrupt);
  const size_t bytes_behind = bytes.size() - std::min(bytes.size(), kFirstCorrupted);
  const uint64_t bit = bit_.Below(std::max<size_t>(8 * bytes_behind, 1));
  const uint64_t jitter = jitter_.Below(settings_.jitter + 1);

  if (now >= settings_.blackout_begin && now - settings_.blackout_begin < settings_.blackout) {
    ++counts_.blackout;
    return;
  }
  if (lost) {
    ++counts_.lost;
    return;
  }
  const size_t cost = std::max(bytes.size(), kLeastBytes);
  if (waiting_bytes_ + cost > settings_.room_bytes) {
    ++counts_.overflow;
    return;
  }
  if (corrupted && bytes_behind != 0) {
    ++counts_.corrupted;
    bytes[kFirstCorrupted + bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
  }
  const uint64_t due = std::max(last_due_, now + settings_.delay + jitter);
  if (due > now) ++counts_.delayed;
  last_due_ = due;
  uint64_t place = 2 * entered_;
  if (reordered) {
    ++counts_.reordered;
    place = 2 * (entered_ + distance) + 1;
  }
  ++entered_;
  last_entry_ = now;
  if (duplicated) {
    ++counts_.duplicated;
    if (waiting_bytes_ + 2 * cost > settings_.room_bytes) {
      ++counts_.overflow;
    } else {
      Insert(place, bytes, due);
    }
  }
  Insert(place, std::move(bytes), due);
  Pass(now);
}

void Impairment::Insert(uint64_t place, std::vector<uint8_t> bytes, uint64_t due) {
  waiting_bytes_ += std::max(bytes.size(), kLeastBytes);
  line_.emplace(place, Waiting{.bytes = std::move(bytes), .due = due});
}

// The tick at which the first of the line leaves it.
uint64_t Impairment::Leaves() const {
  const auto& [place, frame] = *line_.begin();
  // Those that it goes behind have gone in. They stood before it, so they have left, too.
  const bool may_go = entered_ > place / 2;
  const uint64_t from = may_go ? last_entry_ : last_entry_ + settings_.quiet;
  return std::max({last_out_, frame.due, from});
}

void Impairment::Pass(uint64_t now) {
  now_ = std::max(now_, now);
  while (!line_.empty() && Leaves() <= now_) HandOn(Leaves());
}

void Impairment::Flush() {
  while (!line_.empty()) {
    HandOn(std::max({last_out_, line_.begin()->second.due, last_entry_}));
  }
}

void Impairment::HandOn(uint64_t at) {
  std::vector<uint8_t> bytes = std::move(line_.begin()->second.bytes);
  line_.erase(line_.begin());
  waiting_bytes_ -= std::max(bytes.size(), kLeastBytes);
  last_out_ = at;
  ++counts_.passed;
  sink_(std::move(bytes), at);
}

std::optional<uint64_t> Impairment::next() const {
  if (line_.empty()) return std::nullopt;
  return Leaves();
}

std::string Impairment::Text() const {
  std::string out =
      std::to_string(counts_.frames) + " frames, " + std::to_string(counts_.passed) + " passed";
  const char* separator = ": ";
  const auto add = [&](std::string_view name, uint64_t count) {
    if (count == 0) return;
    out.append(separator).append(name).append(" ").append(std::to_string(count));
    separator = ", ";
  };
  for (const Count& count : kCounts) add(count.name, counts_.*count.member);
  add("waiting", waiting());
  return out;
}

JsonObject Impairment::Json() const {
  JsonObject out;
  out.Add("frames", counts_.frames);
  out.Add("passed", counts_.passed);
  for (const Count& count : kCounts) out.Add(count.name, counts_.*count.member);
  return out;
}

bool Impairments::Pass(uint64_t now) {
  const uint64_t before = in_.counts().passed + out_.counts().passed;
  in_.Pass(now);
  out_.Pass(now);
  return in_.counts().passed + out_.counts().passed != before;
}

std::optional<uint64_t> Impairments::next() const {
  const auto in = in_.next();
  const auto out = out_.next();
  return in && out ? std::min(*in, *out) : in ? in : out;
}

void Impairments::ResetCounts() {
  in_.ResetCounts();
  out_.ResetCounts();
}

std::string Impairments::Summary() const {
  return "link in     " + in_.Text() + "\nlink out    " + out_.Text() + "\n";
}

JsonObject Impairments::Json() const {
  JsonObject out;
  out.Add("seed", seed_);
  out.Add("in", in_.Json());
  out.Add("out", out_.Json());
  return out;
}

}  // namespace wirecache::sim
