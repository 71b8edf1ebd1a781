// SPDX-License-Identifier: Apache-2.0
// Two ends that open at the same time, and a link between them.
#include "sim/tcp_peer.h"

#include <algorithm>
#include <memory>

#include "sim/impair.h"
#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
constexpr uint64_t kDelay = 20'000;  // nanoseconds of the link
constexpr TcpAddress kA = {.mac = 0x020000000001, .ip = 0x0A000001, .port = 1000};
constexpr TcpAddress kB = {.mac = 0x020000000002, .ip = 0x0A000002, .port = 2000};

std::vector<uint8_t> Noise(size_t bytes, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> noise(bytes);
  for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random());
  return noise;
}

struct Pair {
  TcpPeer::Settings of_a = {.own = kA, .other = kB, .first = 0xFFFFF000, .seed = 1};
  TcpPeer::Settings of_b = {.own = kB, .other = kA, .first = 0x7FFFFF00, .seed = 2};
  Impairment::Settings link = {.delay = kDelay};
  uint64_t seed = 1;
  size_t a_reads = ~size_t{0};  // bytes each millisecond
  size_t b_reads = ~size_t{0};
  std::unique_ptr<TcpPeer> a, b;
  std::vector<uint8_t> a_got, b_got;
  uint64_t now = 0;

  void Start() {
    a = std::make_unique<TcpPeer>(of_a);
    b = std::make_unique<TcpPeer>(of_b);
    const auto to = [this](std::unique_ptr<TcpPeer>& peer) {
      return [this, &peer](const std::vector<uint8_t>& bytes, uint64_t) {
        if (const auto segment = ParseTcp(bytes)) peer->Receive(*segment, now);
      };
    };
    links_ = std::make_unique<Impairments>(
        Impairments::Options{.in = link, .out = link, .seed = seed}, to(b), to(a));
  }

  // Until both have nothing more to do, or for so many milliseconds.
  void Run(uint64_t milliseconds = 3'600'000) {
    const uint64_t end = now + milliseconds * kMillisecond;
    while (now < end) {
      Read(*a, a_got, a_reads);
      Read(*b, b_got, b_reads);
      while (auto frame = a->Send(now)) links_->in().Push(std::move(*frame), now);
      while (auto frame = b->Send(now)) links_->out().Push(std::move(*frame), now);
      if (a->done() && b->done() && a->readable().empty() && b->readable().empty()) return;
      uint64_t next = std::min({a->next(), b->next(), links_->next().value_or(end), end});
      if (a_reads != ~size_t{0} || b_reads != ~size_t{0}) {
        next = std::min(next, (now / kMillisecond + 1) * kMillisecond);
      }
      now = std::max(now, next);
      links_->Pass(now);
    }
  }

  // Noise both ways, and the ends.
  void Exchange(size_t bytes) {
    const auto from_a = Noise(bytes, 1), from_b = Noise(bytes + 1, 2);
    Start();
    a->Write(from_a);
    b->Write(from_b);
    a->Close();
    b->Close();
    Run();
    CHECK(a->done() && b->done());
    CHECK(a->failure() == nullptr && b->failure() == nullptr);
    CHECK(b_got == from_a);
    CHECK(a_got == from_b);
    CHECK_EQ(a->bytes_acknowledged(), bytes);
    CHECK_EQ(a->bytes_sent(), bytes);
  }

 private:
  void Read(TcpPeer& peer, std::vector<uint8_t>& got, size_t reads) const {
    if (reads != ~size_t{0} && now % kMillisecond != 0) return;
    const auto bytes = peer.readable();
    const size_t count = std::min(reads, bytes.size());
    got.insert(got.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    peer.Take(count);
  }

  std::unique_ptr<Impairments> links_;
};

TEST(peers_exchange_bytes) {
  Pair pair;
  pair.Exchange(3'000'000);
  CHECK_EQ(pair.a->counts().retransmitted, 1u);  // the SYN, with an ACK
  CHECK_EQ(pair.a->counts().timeouts, 0u);
  CHECK_EQ(pair.a->counts().duplicates, 0u);
  CHECK(pair.now < 200 * kMillisecond);
}

TEST(peers_exchange_nothing) { Pair().Exchange(0); }

TEST(peers_exchange_bytes_without_options) {
  for (unsigned options = 0; options < 4; ++options) {
    Pair pair;
    pair.of_a.time_stamps = options & 1;
    pair.of_b.sack = options & 2;
    pair.of_b.mss = 536;
    pair.Exchange(500'000);
    CHECK_EQ(pair.a->counts().timeouts, 0u);
  }
}

TEST(peers_exchange_bytes_in_random_cuts) {
  Pair pair;
  pair.of_a.cuts = true;
  pair.Exchange(300'000);
  // Of 1 to 1,448 bytes: that many, more or less, and not a few.
  CHECK(pair.a->counts().sent > 300'000 / 1448 * 3 / 2);
}

// Over links on which all goes wrong at once, with and without SACK.
TEST(peers_exchange_bytes_over_bad_links) {
  constexpr uint64_t kPercent = 10'000'000;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Pair pair;
    pair.seed = seed;
    pair.of_a.cuts = seed % 4 == 3;
    pair.of_b.sack = seed % 3 != 0;
    pair.link = {.loss = (1 + seed % 10) * kPercent,
                 .reorder = seed % 2 * 5 * kPercent,
                 .duplicate = seed % 3 * 2 * kPercent,
                 .corrupt = seed % 2 * kPercent,
                 .distance = 1 + seed % 5,
                 .delay = kDelay,
                 .jitter = kDelay};
    pair.Exchange(200'000);
    CHECK(pair.a->counts().retransmitted > 1);
    CHECK(pair.b->counts().out_of_order > 0);
  }
}

// A loss amid many is found by the ACKs, not by the clock.
TEST(a_loss_is_repaired_without_a_timeout) {
  for (const bool sack : {false, true}) {
    Pair pair;
    pair.of_a.sack = sack;
    pair.Start();
    pair.Run(100);
    CHECK(pair.a->opened() && pair.b->opened());
    const auto bytes = Noise(100'000, 3);
    pair.a->Write(bytes);
    unsigned number = 0;
    std::vector<uint8_t> got;
    // By hand: the third segment never comes.
    for (uint64_t now = pair.now; got.size() < bytes.size() && number < 1000; now += 1000) {
      while (const auto frame = pair.a->Send(now)) {
        if (++number != 3) pair.b->Receive(*ParseTcp(*frame), now);
        while (const auto ack = pair.b->Send(now)) pair.a->Receive(*ParseTcp(*ack), now);
      }
      const auto readable = pair.b->readable();
      got.insert(got.end(), readable.begin(), readable.end());
      pair.b->Take(readable.size());
      CHECK(now - pair.now < kMillisecond);
    }
    CHECK(got == bytes);
    CHECK_EQ(pair.a->counts().timeouts + pair.a->counts().probes, 0u);
    CHECK_EQ(pair.a->counts().retransmitted, 2u);  // the SYN too
  }
}

// Pieces of a stream that overlap, in any order.
TEST(pieces_are_put_together) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Pair pair;
    pair.Start();
    pair.Run(100);
    const auto bytes = Noise(2000, seed);
    std::mt19937_64 random(seed);
    std::vector<uint8_t> got;
    for (unsigned i = 0; i < 10'000 && got.size() < bytes.size(); ++i) {
      TcpSegment segment;
      segment.from = kA;
      segment.to = kB;
      segment.flags = TcpSegment::kAck;
      const uint64_t begin = random() % std::min(bytes.size(), got.size() + 400);
      segment.seq = pair.of_a.first + 1 + static_cast<uint32_t>(begin);
      segment.ack = pair.of_b.first + 1;
      segment.data = std::span(bytes).subspan(begin, 1 + random() % (bytes.size() - begin) % 300);
      pair.b->Receive(segment, pair.now);
      const auto readable = pair.b->readable();
      got.insert(got.end(), readable.begin(), readable.end());
      pair.b->Take(readable.size());
    }
    CHECK(got == bytes);
    CHECK(pair.b->counts().out_of_order > 0);
    CHECK(pair.b->counts().duplicates > 0);
  }
}

TEST(a_slow_reader_closes_the_window) {
  Pair pair;
  pair.of_b.room = 20'000;
  pair.b_reads = 1000;
  pair.Exchange(200'000);
  CHECK_EQ(pair.a->counts().timeouts, 0u);
  CHECK_EQ(pair.a->counts().window_probes, 0u);  // it is told of room
  CHECK(pair.now > 180 * kMillisecond);
}

TEST(who_does_not_read_is_asked_again_and_again) {
  Pair pair;
  pair.of_b.room = 10'000;
  pair.b_reads = 0;
  pair.Start();
  pair.a->Write(Noise(50'000, 1));
  pair.Run(100'000);
  CHECK(pair.b->readable().size() > 10'000 - 128 && pair.b->readable().size() <= 10'000);
  CHECK(pair.a->counts().window_probes > 4);
  CHECK(pair.a->failure() == nullptr);
  pair.b_reads = ~size_t{0};
  pair.Run(200'000);
  CHECK_EQ(pair.b_got.size(), 50'000u);
}

TEST(acks_wait_for_40_ms_or_for_two_segments) {
  Pair pair;
  pair.Start();
  pair.Run(100);
  const uint64_t before = pair.b->counts().sent;
  pair.a->Write(Noise(10, 1));
  const uint64_t begun = pair.now;
  pair.Run(39);
  CHECK_EQ(pair.b->counts().sent, before);
  CHECK_EQ(pair.a->bytes_acknowledged(), 0u);
  pair.Run(2);
  CHECK_EQ(pair.b->counts().sent, before + 1);
  CHECK_EQ(pair.a->bytes_acknowledged(), 10u);
  pair.a->Write(Noise(2 * 1448, 2));
  pair.Run(1);
  CHECK_EQ(pair.b->counts().sent, before + 2);
  CHECK(pair.now - begun < 43 * kMillisecond);
}

TEST(timeouts_double_and_end) {
  Pair pair;
  pair.Start();
  pair.Run(100);
  std::vector<uint64_t> times;
  pair.a->Write(Noise(10, 1));
  for (uint64_t now = pair.now; !pair.a->done(); now = pair.a->next()) {
    while (pair.a->Send(now)) times.push_back(now);
  }
  CHECK(pair.a->failure() != nullptr);
  CHECK(times.size() > 10);
  CHECK(times[1] - times[0] >= 200 * kMillisecond);
  for (size_t i = 3; i < 8; ++i)
    CHECK_EQ(times[i] - times[i - 1], 2 * (times[i - 1] - times[i - 2]));
}

TEST(ends_one_after_the_other) {
  Pair pair;
  pair.Start();
  pair.a->Write(Noise(10, 1));
  pair.a->Close();
  pair.Run(1000);
  CHECK(pair.b->ended() && !pair.b->done() && !pair.a->done());
  pair.b->Write(Noise(5000, 2));  // half of it is still open
  pair.Run(1000);
  CHECK_EQ(pair.a_got.size(), 5000u);
  pair.b->Close();
  pair.Run(1000);
  CHECK(pair.a->done() && pair.b->done() && pair.a->ended());
  CHECK(pair.a->failure() == nullptr && pair.b->failure() == nullptr);
  // Who ended first stays for a while, the other does not.
  CHECK(pair.a->next() > pair.now && pair.a->next() != TcpPeer::kNever);
  CHECK_EQ(pair.b->next(), TcpPeer::kNever);
}

TEST(a_reset_ends_both) {
  Pair pair;
  pair.Start();
  pair.Run(100);
  pair.a->Abort();
  pair.Run(100);
  CHECK(pair.a->done() && pair.b->done());
  CHECK(pair.b->failure() != nullptr);
}

// Nobody who does not see the connection can end it.
TEST(a_reset_must_have_the_next_number) {
  Pair pair;
  pair.Start();
  pair.Run(100);
  TcpSegment reset;
  reset.from = kA;
  reset.to = kB;
  reset.flags = TcpSegment::kRst;
  const uint64_t before = pair.b->counts().sent;
  for (const uint32_t ahead : {1u, 1000u, 0xFFFFFFFFu, 0x7FFFFFFFu}) {
    reset.seq = pair.of_a.first + 1 + ahead;
    pair.b->Receive(reset, pair.now);
    CHECK(!pair.b->done());
    while (pair.b->Send(pair.now)) continue;
  }
  CHECK_EQ(pair.b->counts().sent, before + 2);  // challenges, for those in the window
  reset.seq = pair.of_a.first + 1;
  pair.b->Receive(reset, pair.now);
  CHECK(pair.b->done());
}

}  // namespace
}  // namespace wirecache::sim
