// SPDX-License-Identifier: Apache-2.0
#include "host/key_listing.h"

#include <optional>

#include "host/register_map.h"

namespace wirecache::host {

// A part does not end within an item.
Worker KeyListing::WritePart(std::string& answer) {
  const uint32_t time = co_await Read{WC_ADDRESS(TIME)};
  uint32_t high, low, high_again;
  do {
    high = co_await Read{WC_ITEM_ADDRESS(FLUSHED_1)};
    low = co_await Read{WC_ITEM_ADDRESS(FLUSHED_0)};
    high_again = co_await Read{WC_ITEM_ADDRESS(FLUSHED_1)};
  } while (high_again != high);
  const uint64_t floor = uint64_t{high} << 32 | low;
  const uint32_t flushes = co_await Read{WC_ITEM_ADDRESS(FLUSHES)};
  const auto flushed = [&](const ListedItem& item) {
    return item.flushes ? *item.flushes != flushes : item.cas <= floor;
  };
  std::optional<uint32_t> run;  // as it was last set
  unsigned accesses = 0;
  while (!ended() && !(walk_.between_items() && !whole() && Full(answer, accesses))) {
    if (const auto segment = walk_.segment()) {
      co_await Write{WC_ITEM_ADDRESS(HOST_READ_SEGMENT), *segment};
      const uint32_t next = co_await Read{WC_ITEM_ADDRESS(HOST_READ_SEGMENT)};
      walk_.TakeNext(WC_ITEM_FIELD(next, HOST_READ_SEGMENT, NEXT));
      continue;
    }
    if (const uint32_t wanted = walk_.run(); wanted != run) {
      co_await Write{WC_ITEM_ADDRESS(HOST_READ_RUN), wanted};
      run = wanted;
    }
    co_await Write{WC_ITEM_ADDRESS(HOST_READ), static_cast<uint32_t>(walk_.unit())};
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
    walk_.Take(unit);
    const std::optional<ListedItem> item = walk_.TakeItem();
    if (item && form_.Wants(*item) && !flushed(*item) &&
        (item->expiry == 0 || item->expiry > time)) {
      answer += form_.Line(*item, time);
      ++items_;
    }
  }
  if (ended()) answer += form_.End(items_);
}

}  // namespace wirecache::host
