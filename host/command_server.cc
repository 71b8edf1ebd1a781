// SPDX-License-Identifier: Apache-2.0
#include "host/command_server.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "host/conn_listing.h"
#include "host/driver.h"
#include "host/key_listing.h"
#include "host/lookup3.h"
#include "host/register_map.h"
#include "host/watch_listing.h"
#include "wc_counters.h"

namespace wirecache::host {
namespace {

constexpr uint32_t kOtherTag = 0x80;  // makes another tag of a tag

// Up to four bytes from here on, the first in the lowest; zeros behind the end.
uint32_t FourBytes(const std::string& text, size_t from) {
  uint32_t word = 0;
  for (size_t i = 0; i < sizeof(word) && from + i < text.size(); ++i) {
    word |= uint32_t{static_cast<uint8_t>(text[from + i])} << 8 * i;
  }
  return word;
}

void AppendBytes(std::string& text, uint32_t word) {
  for (size_t i = 0; i < sizeof(word); ++i) text += static_cast<char>(word >> 8 * i);
}

}  // namespace

CommandServer::CommandServer(const Driver& driver, BoardFacts facts, size_t answer_limit)
    : driver_(driver),
      commands_(std::move(facts), std::min(answer_limit, kAnswerBytes)),
      reset_(std::size(kCounters)),
      worker_(Serve()) {}

std::optional<Access> CommandServer::Next() {
  if (worker_.runnable()) worker_.Resume();
  return worker_.access();
}

std::unique_ptr<Listing> CommandServer::Begin(const Command& command) {
  if (const auto kinds = commands_.Watches(command); kinds && command.connection) {
    auto watcher = watch_.Begin(*kinds, *command.connection);
    return watcher ? std::make_unique<WatchListing>(std::move(watcher)) : nullptr;
  }
  if (commands_.ListsConns(command)) {
    const Circuit& circuit = driver_.circuit();
    return std::make_unique<ConnListing>(commands_.facts(), circuit.tcp ? circuit.connections : 0,
                                         command.connection);
  }
  const std::optional<KeyList> keys = commands_.List(command);
  if (!keys) return nullptr;
  const auto bytes = [](const std::string& text) {
    return std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  };
  const ItemLayout& layout = driver_.item_layout();
  const unsigned beat_units = driver_.circuit().beat_units;
  const ItemWalk walk =
      keys->key
          ? ItemWalk(layout, beat_units,
                     static_cast<uint32_t>(HashLittle2(bytes(*keys->key), driver_.hash_seed())))
          : ItemWalk(layout, beat_units);
  return std::make_unique<KeyListing>(*keys, walk);
}

Worker CommandServer::Serve() {
  for (;;) {
    const uint32_t head = co_await Read{WC_ADDRESS(COMMAND)};
    // Commands and operations that are watched have their turns.
    Worker drain = watch_.Drain();
    for (drain.Resume(); drain.access();) drain.Resume(co_await *drain.access());
    if (WC_FIELD(head, COMMAND, WAITS) == 0) {
      if (watch_.drained()) co_await Sleep{};
      continue;
    }
    const uint32_t tag = WC_FIELD(head, COMMAND, TAG);
    const auto send = [](uint32_t bytes, uint32_t number, uint32_t how = 0) {
      return Write{WC_ADDRESS(COMMAND_SEND), bytes | number << WC_REGS__COMMAND_SEND__TAG_bp | how};
    };

    // ---- what is asked
    Command command;
    command.binary = WC_FIELD(head, COMMAND, BINARY) != 0;
    const uint32_t asker = co_await Read{WC_ADDRESS(COMMAND_ASKER)};
    if (WC_FIELD(asker, COMMAND_ASKER, TCP) != 0) {
      command.connection = static_cast<uint16_t>(WC_FIELD(asker, COMMAND_ASKER, CONNECTION));
      command.again = WC_FIELD(asker, COMMAND_ASKER, AGAIN) != 0;
    }
    for (uint32_t i = 0; i < WC_FIELD(head, COMMAND, PIECES); ++i) {
      co_await Write{WC_ADDRESS(COMMAND_PIECE), i};
      std::string bytes;
      AppendBytes(bytes, co_await Read{WC_ADDRESS(COMMAND_LINE_0)});
      AppendBytes(bytes, co_await Read{WC_ADDRESS(COMMAND_LINE_1)});
      if (command.binary) {
        command.key += bytes;
        continue;
      }
      const uint32_t piece = co_await Read{WC_ADDRESS(COMMAND_PIECE)};
      if (command.words.empty() || WC_FIELD(piece, COMMAND_PIECE, BEGINS) != 0) {
        command.words.emplace_back();
      }
      command.words.back() += bytes.substr(0, bytes.find('\0'));  // which ends a line, too
    }
    if (command.binary) {
      command.key.resize(std::min<size_t>(command.key.size(), WC_FIELD(head, COMMAND, KEY_LEN)));
      const uint32_t piece = co_await Read{WC_ADDRESS(COMMAND_PIECE)};
      command.opcode = static_cast<uint8_t>(WC_FIELD(piece, COMMAND_PIECE, OPCODE));
      command.opaque = co_await Read{WC_ADDRESS(COMMAND_OPAQUE)};
    }

    // ---- a part of a list
    std::optional<std::string> answer;
    uint32_t more = 0;  // fields of COMMAND_SEND
    std::unique_ptr<Listing> list;
    if (!command.again) {
      if (command.connection) lists_.erase(*command.connection);
      if (commands_.Watches(command)) {
        Worker room = watch_.MakeRoom();
        for (room.Resume(); room.access();) room.Resume(co_await *room.access());
      }
      list = Begin(command);
    } else if (const auto at = lists_.find(*command.connection); at != lists_.end()) {
      list = std::move(at->second);
    } else {
      answer = "SERVER_ERROR the list was lost\r\n";
    }
    if (command.connection) lists_.erase(*command.connection);
    if (list != nullptr && !list->whole() && !command.connection) {
      answer = "CLIENT_ERROR lists of keys need TCP\r\n";
    } else if (list != nullptr) {
      answer.emplace();
      Worker part = list->WritePart(*answer);
      for (part.Resume(); part.access();) part.Resume(co_await *part.access());
      if (!list->ended() && !list->whole()) {
        more = WC_REGS__COMMAND_SEND__MORE_bm |
               (list->later() && answer->empty() ? WC_REGS__COMMAND_SEND__LATER_bm : 0);
      }
      if (list->whole()) {
        answer = list->ended() ? commands_.Limited(command, *answer) : commands_.TooLarge(command);
      }
      if (more != 0) lists_.emplace(*command.connection, std::move(list));
    }

    // ---- the board's numbers
    BoardNumbers numbers;
    std::vector<uint64_t> now(reset_.size());
    if (!answer && command.wants_numbers()) {
      for (size_t i = 0; i < now.size(); ++i) {
        if (!driver_.counts(kCounters[i])) continue;
        // The upper half is that of the counter that was read last, by whomever.
        for (uint64_t readings = ~uint64_t{0}; readings != driver_.readings();) {
          readings = driver_.readings();
          const uint32_t low = co_await Read{kCounters[i].address};
          now[i] = uint64_t{co_await Read{kCounters[i].high}} << 32 | low;
        }
      }
      numbers.counters.resize(now.size());
      for (size_t i = 0; i < now.size(); ++i) numbers.counters[i] = now[i] - reset_[i];
      numbers.watchers = watch_.watchers();
      numbers.watcher_sent = watch_.sent();
      numbers.watcher_skipped = watch_.skipped();
      numbers.time = co_await Read{WC_ADDRESS(TIME)};
      numbers.uptime = numbers.time - std::min(numbers.time, driver_.started());
      if (driver_.circuit().index == IndexKind::kItem) {
        const ItemLayout& layout = driver_.item_layout();
        numbers.items = co_await Read{WC_ITEM_ADDRESS(ITEMS)};
        const uint64_t units = co_await Read{WC_ITEM_ADDRESS(ITEM_UNITS)};
        const uint64_t fresh = co_await Read{WC_ITEM_ADDRESS(SEGMENTS_NEW)};
        const uint64_t pages = fresh + co_await Read{WC_ITEM_ADDRESS(SEGMENTS_MAIN)};
        const uint64_t chunks = uint64_t{1} << layout.segment_bits;
        numbers.bytes = units * kUnitBytes;
        // Items beyond 2 KiB count as less; read a little later, pages may be fewer.
        numbers.classes.push_back({kUnitBytes, chunks, pages, std::min(units, pages * chunks)});
      } else {
        uint64_t deleted = co_await Read{WC_INDEX_ADDRESS(DELETED_LEVEL)};
        for (unsigned c = 0; c < kClasses; ++c) {
          const Region& region = driver_.layout().regions[c];
          const uint64_t queued = co_await Read{WC_INDEX_ADDRESS_OF(FREE_LEVEL, c)};
          const uint64_t out = driver_.memory_manager().out(c);
          const uint64_t used = out - std::min(out, queued);
          numbers.items += used;
          numbers.bytes += used * region.block_lines * kLineBytes;
          numbers.classes.push_back(
              {region.block_lines * kLineBytes, region.blocks, used == 0 ? 0u : 1u, used});
        }
        numbers.items -= std::min(numbers.items, deleted);
      }
    }

    // ---- the answer, for which what a late one has left is taken away
    const Commands::Clock before = commands_.clock();
    if (!answer) answer = commands_.Answer(command, numbers);
    if (const auto& [ahead, stands] = commands_.clock(); ahead != before.ahead) {
      const uint32_t time = co_await Read{WC_ADDRESS(TIME)};
      co_await Write{WC_ADDRESS(TIME), Driver::TimeAhead(time, ahead - before.ahead)};
    } else if (stands != before.stands) {
      co_await Write{WC_ADDRESS(SECOND), stands ? 0 : driver_.second_cycles()};
    }
    if (commands_.TakeReset()) {
      reset_ = now;
      watch_.ResetStats();
    }
    co_await send(0, tag ^ kOtherTag);
    const size_t bytes = answer ? answer->size() : 0;
    for (size_t i = 0; i < bytes; i += sizeof(uint32_t)) {
      co_await Write{WC_ADDRESS(COMMAND_ANSWER), FourBytes(*answer, i)};
    }
    // Of a list nobody comes for the next part if the circuit has answered in its place.
    if (more != 0) {
      const uint32_t now = co_await Read{WC_ADDRESS(COMMAND)};
      const bool waits = WC_FIELD(now, COMMAND, WAITS) != 0 && WC_FIELD(now, COMMAND, TAG) == tag;
      if (!waits) lists_.erase(*command.connection);
    }
    co_await send(static_cast<uint32_t>(bytes), tag, more);
    // One that sleeps is called for what it has not been told.
    if (more & WC_REGS__COMMAND_SEND__LATER_bm) {
      Worker call = watch_.Drain();
      for (call.Resume(); call.access();) call.Resume(co_await *call.access());
    }
    co_await Sleep{};
  }
}

}  // namespace wirecache::host
