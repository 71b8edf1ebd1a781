// SPDX-License-Identifier: Apache-2.0
// Time is whatever the tests say: nothing here waits.
#include "sim/impair.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

using Settings = Impairment::Settings;
using Counts = Impairment::Counts;

constexpr uint64_t kPercent = 10'000'000;  // of 10^9
constexpr uint64_t kAll = 100 * kPercent;
constexpr uint64_t kSeed = 20'261'126;

struct Arrival {
  std::vector<uint8_t> bytes;
  uint64_t at;
};

// A frame that says which it is.
std::vector<uint8_t> Frame(uint32_t number, size_t size = 80) {
  std::vector<uint8_t> bytes(size, 0xA5);
  for (size_t i = 0; i < sizeof(number); ++i) bytes[i] = static_cast<uint8_t>(number >> 8 * i);
  return bytes;
}

uint32_t Number(const std::vector<uint8_t>& bytes) {
  return uint32_t{bytes[0]} | uint32_t{bytes[1]} << 8 | uint32_t{bytes[2]} << 16 |
         uint32_t{bytes[3]} << 24;
}

// A link, and what has come out of it.
struct Link {
  explicit Link(const Settings& settings, uint64_t seed = kSeed, uint32_t stream = 0)
      : impairment(settings, seed, stream, [this](std::vector<uint8_t> bytes, uint64_t at) {
          CHECK(out.empty() || at >= out.back().at);
          out.push_back({std::move(bytes), at});
        }) {}

  // So many frames, one every `gap` ticks.
  void Push(uint32_t count, uint64_t gap) {
    for (uint32_t i = 0; i < count; ++i) impairment.Push(Frame(i), i * gap);
  }

  std::vector<uint32_t> Numbers() const {
    std::vector<uint32_t> numbers;
    for (const Arrival& arrival : out) numbers.push_back(Number(arrival.bytes));
    return numbers;
  }

  void CheckConservation() const {
    const Counts& counts = impairment.counts();
    CHECK_EQ(counts.frames + counts.duplicated, counts.passed + counts.lost + counts.blackout +
                                                    counts.overflow + impairment.waiting());
    CHECK_EQ(counts.passed, out.size());
  }

  std::vector<Arrival> out;
  Impairment impairment;
};

// Whether `count` is as many of `frames` as `of_billion` says, within five standard deviations.
bool Likely(uint64_t count, double frames, double of_billion) {
  const double share = of_billion / 1e9;
  return std::abs(static_cast<double>(count) - frames * share) <
         5 * std::sqrt(frames * share * (1 - share));
}

TEST(a_link_that_is_not_impaired_hands_on_at_once) {
  Link link({});
  for (uint32_t i = 0; i < 100; ++i) {
    link.impairment.Push(Frame(i), i * 7);
    CHECK_EQ(link.out.size(), i + 1);
    CHECK_EQ(link.out.back().at, i * 7);
    CHECK(link.out.back().bytes == Frame(i));
  }
  CHECK(!link.impairment.next());
  CHECK(link.impairment.Text() == "100 frames, 100 passed");
  link.CheckConservation();
}

TEST(each_part_meets_as_many_frames_as_it_says) {
  constexpr uint32_t kFrames = 200'000;
  const Settings settings = {.loss = 1 * kPercent,
                             .reorder = 2 * kPercent,
                             .duplicate = 3 * kPercent,
                             .corrupt = kPercent / 2,
                             .distance = 10};
  Link link(settings);
  link.Push(kFrames, 1);
  const Counts& counts = link.impairment.counts();
  CHECK_EQ(counts.frames, kFrames);
  CHECK(Likely(counts.lost, kFrames, 1e7));
  const double entered = kFrames - static_cast<double>(counts.lost);
  CHECK(Likely(counts.reordered, entered, 2e7));
  CHECK(Likely(counts.duplicated, entered, 3e7));
  CHECK(Likely(counts.corrupted, entered, 5e6));
  CHECK_EQ(counts.delayed + counts.blackout + counts.overflow, 0u);
  link.CheckConservation();
  link.impairment.Flush();
  CHECK_EQ(link.impairment.waiting(), 0u);
  link.CheckConservation();
}

TEST(all_or_nothing_is_all_or_nothing) {
  Link all({.loss = kAll});
  all.Push(1000, 1);
  CHECK_EQ(all.impairment.counts().lost, 1000u);
  CHECK(all.out.empty());
  Link nothing({.loss = 0});
  nothing.Push(1000, 1);
  CHECK_EQ(nothing.out.size(), 1000u);
}

// The figures are those of this seed and of std::mt19937_64, and so of every machine.
TEST(the_same_seed_loses_the_same_frames) {
  Link link({.loss = 10 * kPercent});
  link.Push(60, 1);
  std::vector<uint32_t> lost;
  const std::vector<uint32_t> passed = link.Numbers();
  for (uint32_t i = 0; i < 60; ++i) {
    if (!std::ranges::binary_search(passed, i)) lost.push_back(i);
  }
  const std::vector<uint32_t> expected = {19, 20, 26, 42, 45};
  CHECK(lost == expected);
}

// Times, other parts and the other direction have no say in what a frame meets.
TEST(what_is_lost_depends_on_seed_and_number_only) {
  const Settings loss = {.loss = 20 * kPercent};
  Settings more = loss;
  more.duplicate = 10 * kPercent;
  more.corrupt = 10 * kPercent;
  more.jitter = 1000;
  Link plain(loss);
  plain.Push(500, 1);
  Link other(more);
  other.Push(500, 77);
  other.impairment.Flush();
  std::vector<uint32_t> numbers = other.Numbers();
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  CHECK(numbers == plain.Numbers());
  Link seed(loss, kSeed + 1);
  seed.Push(500, 1);
  CHECK(seed.Numbers() != plain.Numbers());
  Link high(loss, kSeed + (uint64_t{1} << 32));
  high.Push(500, 1);
  CHECK(high.Numbers() != plain.Numbers());
  Link stream(loss, kSeed, 1);
  stream.Push(500, 1);
  CHECK(stream.Numbers() != plain.Numbers());
}

TEST(a_duplicate_comes_right_behind_and_is_equal) {
  Link link({.duplicate = 30 * kPercent, .corrupt = kAll, .delay = 50});
  link.Push(1000, 1);
  link.impairment.Flush();
  uint64_t pairs = 0;
  for (size_t i = 1; i < link.out.size(); ++i) {
    if (Number(link.out[i].bytes) != Number(link.out[i - 1].bytes)) continue;
    ++pairs;
    CHECK(link.out[i].bytes == link.out[i - 1].bytes);
    CHECK_EQ(link.out[i].at, link.out[i - 1].at);
  }
  CHECK_EQ(pairs, link.impairment.counts().duplicated);
  CHECK(Likely(pairs, 1000, 3e8));
  CHECK_EQ(link.out.size(), 1000 + pairs);
  link.CheckConservation();
}

// Of 20 bytes the eight behind the addresses: each bit of them is met, and no other.
TEST(corruption_is_one_bit_behind_the_addresses) {
  Link link({.corrupt = kAll});
  std::vector<unsigned> met(20 * 8);
  for (uint32_t i = 0; i < 6400; ++i) link.impairment.Push(Frame(i, 20), i);
  CHECK_EQ(link.out.size(), 6400u);
  CHECK_EQ(link.impairment.counts().corrupted, 6400u);
  for (uint32_t i = 0; i < 6400; ++i) {
    const std::vector<uint8_t> sent = Frame(i, 20);
    int bits = 0;
    for (size_t at = 0; at < sent.size(); ++at) {
      const auto changed = static_cast<uint8_t>(sent[at] ^ link.out[i].bytes[at]);
      bits += std::popcount(changed);
      if (changed != 0) ++met[8 * at + static_cast<size_t>(std::countr_zero(changed))];
    }
    CHECK_EQ(bits, 1);
  }
  for (size_t bit = 0; bit < met.size(); ++bit) {
    if (bit < 8 * Impairment::kFirstCorrupted) {
      CHECK_EQ(met[bit], 0u);
    } else {
      CHECK(Likely(met[bit], 6400, 1e9 / 64));
    }
  }
}

TEST(a_frame_of_addresses_alone_is_not_corrupted) {
  Link link({.corrupt = kAll});
  for (const size_t size : {size_t{0}, size_t{1}, size_t{12}}) {
    const std::vector<uint8_t> bytes(size);
    link.impairment.Push(bytes, 0);
    CHECK(link.out.back().bytes == bytes);
  }
  CHECK_EQ(link.impairment.counts().corrupted, 0u);
  link.impairment.Push(std::vector<uint8_t>(13), 0);
  CHECK_EQ(link.impairment.counts().corrupted, 1u);
  CHECK_EQ(std::popcount(link.out.back().bytes[12]), 1);
}

// A frame that is reordered is behind so many frames that came later, and the rest is in order.
TEST(reordered_frames_go_behind_later_ones) {
  constexpr uint32_t kFrames = 50'000;
  constexpr uint32_t kDistance = 5;
  Link link({.reorder = kPercent / 10, .distance = kDistance});
  link.Push(kFrames, 1);
  link.impairment.Flush();
  const std::vector<uint32_t> numbers = link.Numbers();
  CHECK_EQ(numbers.size(), kFrames);
  std::vector<unsigned> times(kDistance + 1);
  uint32_t expected = 0;
  std::vector<uint32_t> late;  // that have been overtaken
  for (const uint32_t number : numbers) {
    if (const auto found = std::ranges::find(late, number); found != late.end()) {
      late.erase(found);
      const uint32_t overtaken_by = expected - number - 1;
      CHECK(overtaken_by >= 1 && overtaken_by <= kDistance);
      ++times[overtaken_by];
      continue;
    }
    while (expected < number) late.push_back(expected++);
    CHECK_EQ(number, expected);
    ++expected;
  }
  CHECK(late.empty());
  uint64_t reordered = 0;
  for (uint32_t distance = 1; distance <= kDistance; ++distance) {
    CHECK(times[distance] != 0);
    reordered += times[distance];
  }
  // But for two that are so close to each other that they change places again.
  CHECK(reordered <= link.impairment.counts().reordered);
  CHECK(reordered + 5 >= link.impairment.counts().reordered);
  link.CheckConservation();
}

TEST(a_reordered_frame_goes_when_those_it_waits_for_have_gone) {
  Link link({.reorder = kAll, .distance = 1, .quiet = 1000});
  link.impairment.Push(Frame(0), 10);  // behind 1, which is behind 2
  CHECK(link.out.empty());
  CHECK_EQ(link.impairment.next().value(), 1010u);
  link.impairment.Push(Frame(1), 50);
  CHECK_EQ(link.out.size(), 1u);  // as 1 has come; it waits itself
  CHECK_EQ(link.out.back().at, 50u);
  CHECK_EQ(Number(link.out.back().bytes), 0u);
}

TEST(a_reordered_frame_waits_for_later_ones_no_longer_than_it_is_quiet) {
  Link link({.reorder = kAll, .distance = 1000, .quiet = 1000});
  link.impairment.Push(Frame(0), 10);
  link.impairment.Push(Frame(1), 700);
  CHECK_EQ(link.impairment.next().value(), 1700u);
  link.impairment.Pass(1699);
  CHECK_EQ(link.impairment.waiting(), 2u);
  link.impairment.Pass(5000);
  CHECK_EQ(link.out.size(), 2u);
  for (const Arrival& arrival : link.out) CHECK_EQ(arrival.at, 1700u);
  CHECK(!link.impairment.next());
  link.CheckConservation();
}

TEST(at_the_end_none_waits_for_later_ones) {
  for (const uint64_t delay : {uint64_t{0}, uint64_t{100}}) {
    Link link({.reorder = kAll, .distance = 1000, .delay = delay});
    link.impairment.Push(Frame(0), 10);
    CHECK_EQ(link.impairment.waiting(), 1u);
    link.impairment.Flush();
    CHECK_EQ(link.out.size(), 1u);
    CHECK_EQ(link.out[0].at, 10 + delay);
    CHECK(!link.impairment.next());
  }
}

TEST(delay_is_exact) {
  Link link({.delay = 50});
  link.impairment.Push(Frame(0), 100);
  link.impairment.Push(Frame(1), 120);
  CHECK_EQ(link.impairment.next().value(), 150u);
  link.impairment.Pass(149);
  CHECK(link.out.empty());
  link.impairment.Pass(150);
  CHECK_EQ(link.out.size(), 1u);
  // Who looks late is told when it was.
  link.impairment.Pass(1000);
  CHECK_EQ(link.out.size(), 2u);
  CHECK_EQ(link.out[0].at, 150u);
  CHECK_EQ(link.out[1].at, 170u);
  CHECK_EQ(link.impairment.counts().delayed, 2u);
  CHECK(link.impairment.Text() == "2 frames, 2 passed: delayed 2");
}

TEST(jitter_is_between_its_ends_and_keeps_the_order) {
  constexpr uint32_t kFrames = 20'000;
  Link apart({.delay = 1000, .jitter = 10});
  apart.Push(kFrames, 100);
  apart.impairment.Flush();
  std::vector<unsigned> times(11);
  for (uint32_t i = 0; i < kFrames; ++i) {
    CHECK_EQ(Number(apart.out[i].bytes), i);
    const uint64_t more = apart.out[i].at - i * 100 - 1000;
    CHECK(more <= 10);
    ++times[more];
  }
  for (const unsigned count : times) CHECK(Likely(count, kFrames, 1e9 / 11));
  // Closer than the jitter: who would overtake comes at the same time as the one before.
  Link close({.jitter = 1000});
  close.Push(kFrames, 1);
  close.impairment.Flush();
  uint64_t late = 0;
  for (uint32_t i = 0; i < kFrames; ++i) {
    CHECK_EQ(Number(close.out[i].bytes), i);
    CHECK(close.out[i].at >= i && close.out[i].at <= i + 1000);
    if (close.out[i].at > i) ++late;
  }
  CHECK_EQ(close.impairment.counts().delayed, late);
}

// Delays longer than the distance of a reordered frame: it still is behind those it must.
TEST(reorder_and_delay_go_together) {
  Link link({.reorder = 10 * kPercent, .distance = 4, .delay = 1'000, .jitter = 300});
  Link order({.reorder = 10 * kPercent, .distance = 4});
  link.Push(5000, 10);
  order.Push(5000, 10);
  link.impairment.Flush();
  order.impairment.Flush();
  CHECK(link.Numbers() == order.Numbers());
  for (const Arrival& arrival : link.out) {
    const uint64_t pushed = uint64_t{Number(arrival.bytes)} * 10;
    CHECK(arrival.at >= pushed + 1000);
    CHECK(arrival.at <= pushed + 1300 + 4 * 10 + 300);
  }
}

TEST(a_blackout_has_edges) {
  Link link({.delay = 7, .blackout = 50, .blackout_begin = 100});
  link.Push(300, 1);
  link.impairment.Flush();
  std::vector<uint32_t> expected;
  for (uint32_t i = 0; i < 300; ++i) {
    if (i < 100 || i >= 150) expected.push_back(i);
  }
  CHECK(link.Numbers() == expected);  // those under way when it began have passed
  CHECK_EQ(link.impairment.counts().blackout, 50u);
  CHECK_EQ(link.impairment.counts().lost, 0u);
  link.CheckConservation();
}

TEST(who_waits_is_bounded) {
  constexpr size_t kRoom = 10 * Impairment::kLeastBytes;
  Link link({.delay = 100, .room_bytes = kRoom});
  for (uint32_t i = 0; i < 15; ++i) link.impairment.Push(Frame(i), 0);
  CHECK_EQ(link.impairment.waiting(), 10u);
  CHECK_EQ(link.impairment.counts().overflow, 5u);
  link.CheckConservation();
  link.impairment.Pass(100);
  CHECK_EQ(link.out.size(), 10u);
  CHECK_EQ(Number(link.out.back().bytes), 9u);  // the first that came have the room
  // Large frames count with all their bytes.
  for (uint32_t i = 0; i < 5; ++i) link.impairment.Push(Frame(i, kRoom / 2), 200);
  CHECK_EQ(link.impairment.waiting(), 2u);
  CHECK_EQ(link.impairment.counts().overflow, 8u);
  link.CheckConservation();
}

TEST(the_room_is_64_mebibytes) {
  Link link({.delay = 1});
  for (uint32_t i = 0; i < 131'172; ++i) link.impairment.Push(Frame(i), 0);
  CHECK_EQ(link.impairment.waiting(), 131'072u);
  CHECK_EQ(link.impairment.counts().overflow, 100u);
}

TEST(a_duplicate_without_room_is_lost) {
  Link link({.duplicate = kAll, .delay = 100, .room_bytes = 3 * Impairment::kLeastBytes});
  for (uint32_t i = 0; i < 3; ++i) link.impairment.Push(Frame(i), 0);
  CHECK_EQ(link.impairment.waiting(), 3u);
  CHECK_EQ(link.impairment.counts().duplicated, 2u);
  CHECK_EQ(link.impairment.counts().overflow, 2u);  // a duplicate and a frame
  link.CheckConservation();
}

TEST(time_that_goes_back_stands_still) {
  Link link({.delay = 10});
  link.impairment.Push(Frame(0), 100);
  link.impairment.Push(Frame(1), 40);
  link.impairment.Flush();
  CHECK_EQ(link.out[0].at, 110u);
  CHECK_EQ(link.out[1].at, 110u);
  link.impairment.Pass(200);
  link.impairment.Push(Frame(2), 40);
  CHECK_EQ(link.impairment.next().value(), 210u);
}

TEST(times_can_be_counted_in_other_ticks) {
  const Settings settings = {.distance = 3,
                             .delay = 50'000,
                             .jitter = 8,
                             .blackout = 400,
                             .blackout_begin = 1000,
                             .quiet = 12};
  const Settings ticks = settings.InTicks([](uint64_t nanoseconds) { return nanoseconds / 4; });
  CHECK_EQ(ticks.delay, 12'500u);
  CHECK_EQ(ticks.jitter, 2u);
  CHECK_EQ(ticks.blackout, 100u);
  CHECK_EQ(ticks.blackout_begin, 250u);
  CHECK_EQ(ticks.quiet, 3u);
  CHECK_EQ(ticks.distance, 3u);
}

TEST(both_directions_of_a_link) {
  std::vector<uint32_t> in, out;
  const Impairments::Options options = {
      .in = {.loss = 10 * kPercent, .delay = 30}, .out = {.delay = 10}, .seed = kSeed};
  Impairments link(
      options, [&](const std::vector<uint8_t>& bytes, uint64_t) { in.push_back(Number(bytes)); },
      [&](const std::vector<uint8_t>& bytes, uint64_t) { out.push_back(Number(bytes)); });
  CHECK(!link.next());
  for (uint32_t i = 0; i < 100; ++i) link.in().Push(Frame(i), 0);
  CHECK_EQ(link.next().value(), 30u);
  for (uint32_t i = 0; i < 100; ++i) link.out().Push(Frame(i), 1);
  CHECK_EQ(link.next().value(), 11u);
  CHECK(!link.Pass(10));
  CHECK(link.Pass(11));
  CHECK(in.empty());
  CHECK_EQ(out.size(), 100u);
  CHECK_EQ(link.next().value(), 30u);
  CHECK(link.Pass(30));
  CHECK(!link.Pass(31));
  CHECK_EQ(in.size() + link.in().counts().lost, 100u);
  CHECK(link.in().counts().lost != 0);
  CHECK_EQ(link.out().counts().lost, 0u);
  const std::string lost = std::to_string(link.in().counts().lost);
  const std::string passed = std::to_string(in.size());
  CHECK(link.Summary() == "link in     100 frames, " + passed + " passed: lost " + lost +
                              ", delayed " + passed +
                              "\nlink out    100 frames, 100 passed: delayed 100\n");
  link.ResetCounts();
  CHECK(link.out().Json().Text() ==
        "{\"frames\": 0, \"passed\": 0, \"lost\": 0, \"blackout\": 0, \"overflow\": 0, "
        "\"corrupted\": 0, \"duplicated\": 0, \"reordered\": 0, \"delayed\": 0}");
}

}  // namespace
}  // namespace wirecache::sim
