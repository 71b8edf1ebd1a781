// SPDX-License-Identifier: Apache-2.0
#include "host/watch.h"

#include <algorithm>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "host/register_map.h"
#include "host/watch_listing.h"
#include "sim/test/check.h"
#include "wc_layout.h"

namespace wirecache::host {
namespace {

// Registers of a board that is watched, as wc_watch has them, and of a connection's peer.
class WatchedBoard final : public Registers {
 public:
  struct Operation {
    uint32_t op = kOpGet, status = kStOk;
    std::string key = "k";
    uint32_t bytes = 0, ttl = ~0u;
  };
  std::deque<Operation> operations;
  bool enabled = false;
  bool open = true;
  uint32_t port = 1234;
  unsigned accesses = 0;
  unsigned wakes = 0;
  uint32_t time = 1000;

  uint32_t Read32(uint32_t address) override {
    ++accesses;
    if (address == WC_ADDRESS(TIME)) return time;
    if (address == WC_TCP_ADDRESS(TCP_PEER_STATE)) {
      return open ? WC_TCP_REGS__TCP_PEER_STATE__OPEN_bm : 0;
    }
    if (address == WC_TCP_ADDRESS(TCP_PEER_IP)) return 0x7F000001;
    if (address == WC_TCP_ADDRESS(TCP_PEER_PORT)) return port;
    if (address == WC_ADDRESS(WATCH_OPERATION) && operations.empty()) return 0;
    CHECK(!operations.empty());
    const Operation& oldest = operations.front();
    if (address == WC_ADDRESS(WATCH_OPERATION)) {
      return 1 | WC_REGS__WATCH_OPERATION__TCP_bm | oldest.op << WC_REGS__WATCH_OPERATION__OP_bp |
             oldest.status << WC_REGS__WATCH_OPERATION__STATUS_bp |
             77u << WC_REGS__WATCH_OPERATION__CONNECTION_bp;
    }
    if (address == WC_ADDRESS(WATCH_ITEM)) {
      return oldest.bytes | static_cast<uint32_t>(oldest.key.size())
                                << WC_REGS__WATCH_ITEM__KEY_LEN_bp;
    }
    if (address == WC_ADDRESS(WATCH_TTL)) return oldest.ttl;
    if (address == WC_ADDRESS(WATCH_KEY_0)) return Chars(8 * piece_);
    CHECK_EQ(address, static_cast<uint32_t>(WC_ADDRESS(WATCH_KEY_1)));
    return Chars(8 * piece_ + 4);
  }

  void Write32(uint32_t address, uint32_t value) override {
    ++accesses;
    if (address != WC_ADDRESS(WATCH)) return;
    enabled = (value & WC_REGS__WATCH__ENABLE_bm) != 0;
    if (!enabled) operations.clear();
    if ((value & WC_REGS__WATCH__WAKE_bm) != 0) ++wakes;
    if ((value & WC_REGS__WATCH__NEXT_bm) == 0) return;
    if (8 * ++piece_ < operations.front().key.size()) return;
    piece_ = 0;
    operations.pop_front();
  }

  void Run(Worker worker) {
    for (worker.Resume(); worker.access();) worker.Resume(Carry(*worker.access()));
  }

 private:
  uint32_t Chars(size_t from) const {
    const std::string& key = operations.front().key;
    uint32_t word = 0;
    for (size_t i = 0; i < 4 && from + i < key.size(); ++i) {
      word |= uint32_t{static_cast<uint8_t>(key[from + i])} << 8 * i;
    }
    return word;
  }

  size_t piece_ = 0;
};

constexpr size_t kAll = 1 << 20;

TEST(watched_operations_as_memcached_tells_them) {
  WatchedBoard board;
  Watch watch;
  const auto watcher = watch.Begin({.fetchers = true, .mutations = true}, 5);
  board.Run(watch.Drain());
  CHECK(board.enabled && watch.drained());
  const std::string found = "found clsid=1 cfd=80 size=3\n";
  const std::string none = "not_found clsid=0 cfd=80 size=0\n";
  const std::string replaced = "found clsid=1 cfd=80 size=0\n";
  const auto store = [](const char* status, const char* command, const char* ttl = "0") {
    return std::string(status) + " cmd=" + command + " ttl=" + ttl + " clsid=1 cfd=80 size=3\n";
  };
  // Operation, what became of it, its line of a fetch and that of a store; empty: there is none.
  const struct {
    uint32_t op, status, ttl;
    std::string fetch, stored;
  } rows[] = {
      {kOpGet, kStOk, ~0u, found, ""},
      {kOpGet, kStNotFound, 9, none, ""},
      {kOpGet, kStMemory, 9, "", ""},
      {kOpLook, kStOk, 9, found, ""},
      {kOpTouch, kStOk, 9, found, ""},
      {kOpGat, kStNotFound, 9, none, ""},
      {kOpDelete, kStExists, 9, found, ""},
      {kOpDelete, kStNotFound, 9, none, ""},
      {kOpIncr, kStNotNumber, 9, found, ""},
      {kOpDecr, kStNotFound, 9, none, ""},
      {kOpSet, kStOk, ~0u, "", store("stored", "set")},
      {kOpSet, kStOk, 50, "", store("stored", "set", "50")},
      {kOpSet, kStNoMemory, 50, "", store("no_memory", "set", "50")},
      {kOpSet, kStExists, 50, replaced, store("exists", "cas", "50")},
      {kOpSet, kStNotFound, 50, none, store("not_found", "cas", "50")},
      {kOpRefuse, kStTooLarge, 50, "", store("too_large", "set")},
      {kOpAdd, kStOk, 50, none, store("stored", "add", "50")},
      {kOpAdd, kStExists, 50, replaced, store("not_stored", "add", "50")},
      {kOpReplace, kStOk, 50, replaced, store("stored", "replace", "50")},
      {kOpReplace, kStNotFound, 50, none, store("not_stored", "replace", "50")},
      {kOpAppend, kStOk, 50, replaced, store("stored", "append", "50")},
      {kOpPrepend, kStNotStored, 50, none, store("not_stored", "prepend")},
      {kOpPrepend, kStMemory, 50, "", store("no_memory", "prepend")},
  };
  uint64_t number = 0;
  for (const auto& [op, status, ttl, fetch, stored] : rows) {
    const std::string key = "a b%\x80-._~Z" + std::string(number % 9, 'x');
    board.operations.push_back({op, status, key, 3, ttl});
    board.Run(watch.Drain());
    CHECK(watch.drained());
    std::string wanted;
    const auto begin = [&](const char* type) {
      return "ts=1000.0 gid=" + std::to_string(number++) + " type=" + type +
             " key=a%20b%25%80-._~" + key.substr(9) + " status=";
    };
    if (!fetch.empty()) wanted += begin("item_get") + fetch;
    if (!stored.empty()) wanted += begin("item_store") + stored;
    const std::string lines = watcher->Take(kAll);
    if (lines != wanted) std::fprintf(stderr, "%s%s", lines.c_str(), wanted.c_str());
    CHECK(lines == wanted);
  }
}

TEST(a_drain_of_watched_operations_is_short) {
  WatchedBoard board;
  Watch watch;
  const auto watcher = watch.Begin({.fetchers = true}, 5);
  board.Run(watch.Drain());
  for (int i = 0; i < 100; ++i) board.operations.push_back({.key = std::string(250, 'k')});
  size_t drains = 0;
  do {
    board.accesses = 0;
    board.Run(watch.Drain());
    CHECK(board.accesses < 420);  // 250 characters are 32 pieces, of three accesses
    ++drains;
  } while (!watch.drained());
  CHECK(drains > 2 && board.operations.empty());
  const std::string lines = watcher->Take(kAll);
  CHECK_EQ(std::count(lines.begin(), lines.end(), '\n'), 100);
  CHECK_EQ(watch.sent(), uint64_t{100});
}

TEST(who_watches_is_called_once_for_its_lines) {
  WatchedBoard board;
  Watch watch;
  const auto gets = watch.Begin({.fetchers = true}, 5);
  const auto sets = watch.Begin({.mutations = true}, 6);
  board.Run(watch.Drain());
  CHECK_EQ(board.wakes, 0u);
  board.operations.push_back({});
  board.Run(watch.Drain());
  CHECK_EQ(board.wakes, 1u);
  board.operations.push_back({});
  board.Run(watch.Drain());
  CHECK_EQ(board.wakes, 1u);
  board.operations.push_back({.op = kOpSet});
  board.Run(watch.Drain());
  CHECK_EQ(board.wakes, 2u);
  CHECK(!gets->Take(kAll).empty() && !sets->Take(kAll).empty());
  board.Run(watch.Drain());
  CHECK_EQ(board.wakes, 2u);
  board.operations.push_back({});
  board.Run(watch.Drain());
  CHECK_EQ(board.wakes, 3u);
}

TEST(a_watcher_without_room_is_told_what_it_lost) {
  Watcher watcher({.fetchers = true}, 5);
  const std::string line = std::string(999, 'x') + "\n";
  unsigned kept = 0;
  while (watcher.Add(line)) ++kept;
  CHECK_EQ(kept, 262u);
  CHECK(!watcher.Add(line));
  const std::string part = watcher.Take(8192);
  CHECK_EQ(part.size(), size_t{8000});
  CHECK(watcher.Add("y\n") && watcher.Add("z\n"));
  std::string rest;
  for (std::string more; !(more = watcher.Take(8192)).empty();) rest += more;
  CHECK_EQ(rest.size(), size_t{254'000} + 14);
  CHECK(rest.ends_with("x\nskipped=2\ny\nz\n"));
}

TEST(who_watches_and_is_gone) {
  WatchedBoard board;
  Watch watch;
  auto first = watch.Begin({.fetchers = true}, 5);
  WatchListing listing(first);
  std::string answer;
  board.Run(listing.WritePart(answer));
  CHECK(answer == "OK\r\n" && !listing.ended() && !listing.whole() && listing.later());
  std::vector<std::shared_ptr<Watcher>> others;
  while (auto other = watch.Begin({.mutations = true}, 6)) {
    board.Run(other->Check());
    others.push_back(other);
  }
  CHECK_EQ(others.size(), size_t{19});
  board.Run(watch.MakeRoom());
  CHECK(watch.Begin({}, 7) == nullptr);
  others.pop_back();  // its list has ended
  CHECK(watch.Begin({}, 7) != nullptr);
  board.Run(watch.Drain());
  board.port = 4321;  // others have the connections now
  board.Run(watch.Drain());
  CHECK_EQ(watch.watchers(), size_t{19});
  ++board.time;
  board.Run(watch.Drain());
  CHECK_EQ(watch.watchers(), size_t{0});
  const auto another = watch.Begin({.fetchers = true}, 7);
  // It comes for what there is, and then not before it is called, unless there is much.
  WatchListing busy(another);
  board.Run(busy.WritePart(answer));
  for (const bool rests : {false, true, false}) {
    CHECK(another->Add("line\n"));
    answer.clear();
    board.Run(busy.WritePart(answer));
    CHECK_EQ(answer.empty(), rests);
    CHECK(rests == another->TakeCall());
  }
  for (int i = 0; i < 4096 / 5; ++i) CHECK(another->Add("much\n"));
  answer.clear();
  board.Run(busy.WritePart(answer));
  CHECK(answer.empty());
  CHECK(another->Add("much\n"));
  board.Run(busy.WritePart(answer));
  CHECK_EQ(answer.size(), size_t{4100});
  for (int i = 0; i < 4096 / 5 + 1; ++i) CHECK(another->Add("more\n"));
  answer.clear();
  board.Run(busy.WritePart(answer));
  CHECK_EQ(answer.size(), size_t{4100});
  // Of a peer that has ended nothing more is to come.
  WatchListing last(another);
  board.open = false;
  answer.clear();
  board.Run(last.WritePart(answer));
  CHECK(last.ended() && watch.watchers() == 0);
  board.Run(watch.Drain());
  CHECK(!board.enabled && watch.drained());
}

}  // namespace
}  // namespace wirecache::host
