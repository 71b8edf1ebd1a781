// SPDX-License-Identifier: Apache-2.0
#include "host/command_server.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>

#include "host/driver.h"
#include "host/register_map.h"
#include "wc_counters.h"

namespace wirecache::host {
namespace {

constexpr size_t kAnswerBytes = 8192;  // wc_pkg::CommandAnswerBytes
constexpr uint32_t kOtherTag = 0x80;   // makes another tag of a tag
// Of a part of a list: how long a line may be (a metadump's, of a key with %xx for each byte), and
// accesses to registers, of some ten cycles each. A part, with the longest item and the longest run
// (ItemWalk) behind it, takes less than a twentieth of the default limit: so many may wait before a
// command.
constexpr size_t kMostLineBytes = 1024;
constexpr unsigned kPartAccesses = 2000;

// Up to four bytes from here on, the first in the lowest; zeros behind the end.
uint32_t FourBytes(const std::string& text, size_t from) {
  uint32_t word = 0;
  for (size_t i = 0; i < sizeof(word) && from + i < text.size(); ++i) {
    word |= uint32_t{static_cast<uint8_t>(text[from + i])} << 8 * i;
  }
  return word;
}

void AppendChars(std::string& text, uint32_t word) {
  for (size_t i = 0; i < sizeof(word); ++i, word >>= 8) {
    if (const char c = static_cast<char>(word); c != '\0') text += c;
  }
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

// Until its answer is full, or has taken its time; not within an item.
Worker CommandServer::WritePart(List& list, std::string& answer) {
  ItemWalk& walk = list.walk;
  const uint32_t time = co_await Read{WC_ADDRESS(TIME)};
  uint32_t high, low, high_again;
  do {
    high = co_await Read{WC_ITEM_ADDRESS(FLUSHED_1)};
    low = co_await Read{WC_ITEM_ADDRESS(FLUSHED_0)};
    high_again = co_await Read{WC_ITEM_ADDRESS(FLUSHED_1)};
  } while (high_again != high);
  const uint64_t flushed = uint64_t{high} << 32 | low;
  std::optional<uint32_t> run;  // as it was last set
  unsigned accesses = 0;
  const auto full = [&] {
    return answer.size() + kMostLineBytes > kAnswerBytes || accesses >= kPartAccesses;
  };
  while (!list.ended() && !(walk.between_items() && full())) {
    if (const auto segment = walk.segment()) {
      co_await Write{WC_ITEM_ADDRESS(HOST_READ_SEGMENT), *segment};
      const uint32_t next = co_await Read{WC_ITEM_ADDRESS(HOST_READ_SEGMENT)};
      walk.TakeNext(WC_ITEM_FIELD(next, HOST_READ_SEGMENT, NEXT));
      continue;
    }
    if (const uint32_t wanted = walk.run(); wanted != run) {
      co_await Write{WC_ITEM_ADDRESS(HOST_READ_RUN), wanted};
      run = wanted;
    }
    co_await Write{WC_ITEM_ADDRESS(HOST_READ), static_cast<uint32_t>(walk.unit())};
    uint32_t status = WC_ITEM_REGS__HOST_READ_STATUS__BUSY_bm;
    while (WC_ITEM_FIELD(status, HOST_READ_STATUS, BUSY) != 0) {
      status = co_await Read{WC_ITEM_ADDRESS(HOST_READ_STATUS)};
      ++accesses;
    }
    ItemWalk::Unit unit{.passed = WC_ITEM_FIELD(status, HOST_READ_STATUS, PASSED),
                        .zeros = WC_ITEM_FIELD(status, HOST_READ_STATUS, ZEROS) != 0,
                        .error = WC_ITEM_FIELD(status, HOST_READ_STATUS, ERROR) != 0};
    for (size_t i = 0; !unit.zeros && i < 2 * unit.words.size(); ++i) {
      const uint32_t half = co_await Read{WC_ITEM_ADDRESS_OF(HOST_READ_DATA, i)};
      unit.words[i / 2] |= uint64_t{half} << 32 * (i % 2);
      ++accesses;
    }
    walk.Take(unit);
    const std::optional<ListedItem> item = walk.TakeItem();
    if (item && item->cas > flushed && (item->expiry == 0 || item->expiry > time)) {
      answer += list.form.Line(*item, driver_.started());
      ++list.items;
    }
  }
}

Worker CommandServer::Serve() {
  for (;;) {
    const uint32_t head = co_await Read{WC_ADDRESS(COMMAND)};
    if (WC_FIELD(head, COMMAND, WAITS) == 0) {
      co_await Sleep{};
      continue;
    }
    const uint32_t tag = WC_FIELD(head, COMMAND, TAG);
    const auto send = [](uint32_t bytes, uint32_t number, bool more = false) {
      return Write{WC_ADDRESS(COMMAND_SEND), bytes | number << WC_REGS__COMMAND_SEND__TAG_bp |
                                                 uint32_t{more} << WC_REGS__COMMAND_SEND__MORE_bp};
    };

    // ---- what is asked
    Command command;
    command.binary = WC_FIELD(head, COMMAND, BINARY) != 0;
    command.key_bytes = WC_FIELD(head, COMMAND, KEY_LEN);
    const uint32_t asker = co_await Read{WC_ADDRESS(COMMAND_ASKER)};
    if (WC_FIELD(asker, COMMAND_ASKER, TCP) != 0) {
      command.connection = static_cast<uint16_t>(WC_FIELD(asker, COMMAND_ASKER, CONNECTION));
      command.again = WC_FIELD(asker, COMMAND_ASKER, AGAIN) != 0;
    }
    for (uint32_t i = 0; i < WC_FIELD(head, COMMAND, PIECES); ++i) {
      co_await Write{WC_ADDRESS(COMMAND_PIECE), i};
      if (command.words.empty() || WC_FIELD(head, COMMAND, BEGINS) >> i & 1) {
        command.words.emplace_back();
      }
      AppendChars(command.words.back(), co_await Read{WC_ADDRESS(COMMAND_LINE_0)});
      AppendChars(command.words.back(), co_await Read{WC_ADDRESS(COMMAND_LINE_1)});
    }
    if (command.binary) {
      const uint32_t piece = co_await Read{WC_ADDRESS(COMMAND_PIECE)};
      command.opcode = static_cast<uint8_t>(WC_FIELD(piece, COMMAND_PIECE, OPCODE));
      command.opaque = co_await Read{WC_ADDRESS(COMMAND_OPAQUE)};
      for (const std::string& word : command.words) command.key += word;
    }

    // ---- a part of a list of keys
    std::optional<std::string> answer;
    bool more = false;
    if (const std::optional<KeyList> wanted = commands_.List(command); !wanted) {
      // Any other command.
    } else if (!command.connection) {
      answer = "CLIENT_ERROR lists of keys need TCP\r\n";
    } else if (command.again && !lists_.contains(*command.connection)) {
      answer = "SERVER_ERROR the list was lost\r\n";
    } else {
      if (!command.again) {
        lists_.insert_or_assign(
            *command.connection,
            List{*wanted, ItemWalk(driver_.item_layout(), driver_.circuit().beat_units)});
      }
      List& list = lists_.at(*command.connection);
      answer.emplace();
      Worker part = WritePart(list, *answer);
      for (part.Resume(); part.access();) part.Resume(co_await *part.access());
      more = !list.ended();
      if (!more) {
        *answer += list.form.End();
        lists_.erase(*command.connection);
      }
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
    if (commands_.TakeReset()) reset_ = now;
    co_await send(0, tag ^ kOtherTag);
    const size_t bytes = answer ? answer->size() : 0;
    for (size_t i = 0; i < bytes; i += sizeof(uint32_t)) {
      co_await Write{WC_ADDRESS(COMMAND_ANSWER), FourBytes(*answer, i)};
    }
    co_await send(static_cast<uint32_t>(bytes), tag, more);
    co_await Sleep{};
  }
}

}  // namespace wirecache::host
