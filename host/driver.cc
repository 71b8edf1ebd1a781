// SPDX-License-Identifier: Apache-2.0
#include "host/driver.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "host/register_map.h"
#include "wc_counters.h"

namespace wirecache::host {
namespace {

constexpr size_t kAllowEntries = std::extent_v<decltype(wc_regs_t::ALLOW_NETWORK)>;
constexpr size_t kVersionChars = 14;           // wc_pkg::VersionBytes
constexpr uint32_t kLeastItemBytes = 1 << 14;  // wc_pkg::LeastItemBytes
// Clearing writes a line to each bucket. The circuit does not wait for one write before it sends
// the next; so what a bucket costs is the latency of memory over the writes under way there, two
// cycles at least. These are generous: 64 writes under way, and 10,000 cycles each.
constexpr uint64_t kClearBucketCycles = 160;
constexpr uint64_t kClearBeginCycles = 20'000;  // for what was in flight, and the last write
// A filter before the table is emptied meanwhile, a cell a cycle, however small the table is.
constexpr uint64_t kMostFilterCells = 1 << 20;  // filter_cells of wc_config_pkg
// TCP counts idle time in units of 1,024 ms, which have begun before and end later.
constexpr uint32_t kIdleUnitMs = 1024;
constexpr uint32_t kMostIdleSeconds = 30'000;
constexpr uint32_t kMostProbes = 127;

uint32_t Units(uint32_t seconds) { return (seconds * 1000 + kIdleUnitMs - 1) / kIdleUnitMs; }

// Behind something that happens within a unit.
uint32_t IdleUnits(uint32_t seconds) { return seconds == 0 ? 0 : Units(seconds) + 1; }

void CheckKeepalive(const Keepalive& keepalive) {
  if (keepalive.idle == 0) return;
  if (keepalive.idle > kMostIdleSeconds || keepalive.interval == 0 ||
      keepalive.interval > kMostIdleSeconds || keepalive.probes == 0 ||
      keepalive.probes > kMostProbes) {
    throw std::invalid_argument("keepalives are 1 to " + std::to_string(kMostIdleSeconds) +
                                " seconds apart, and 1 to " + std::to_string(kMostProbes));
  }
}

}  // namespace

Driver::Driver(Registers& registers, const Settings& settings)
    : registers_(registers),
      circuit_(Identify()),
      hash_seed_(settings.hash_seed),
      counters_(std::size(kCounters)) {
  if (circuit_.index == IndexKind::kItem) {
    item_layout_ = MakeItemLayout(settings.memory_bytes, settings.usual_item_bytes);
    item_layout_.ways = circuit_.ways;
  } else {
    layout_ = MakeLayout(settings.memory_bytes, settings.classes, circuit_);
    manager_.emplace(layout_, circuit_.queue_entries);
  }
  WriteSettings(settings);
  ClearTable(settings.memory_is_zero);
  // The rest of the queues is filled while the board is at work.
  while (manager_ && !manager_->primed()) {
    const auto access = manager_->Next();
    if (!access) throw std::logic_error("the memory manager sleeps before it has begun");
    manager_->Done(registers_.Carry(*access));
  }
  SetFrameHeader(settings.frame_header);
  ReadCounters();
  commands_.emplace(*this, Facts(settings), settings.answer_limit);
}

BoardFacts Driver::Facts(const Settings& settings) const {
  BoardFacts facts{.index = circuit_.index,
                   .hash = circuit_.hash,
                   .version = settings.version,
                   .ip = settings.ip,
                   .udp_port = settings.udp_port,
                   .tcp_port = settings.tcp_port,
                   .connections = Connections(settings),
                   .idle_timeout = settings.idle_timeout,
                   .frame_header = settings.frame_header,
                   .item_size_max = settings.item_size_max,
                   .finds = circuit_.beat_units != 0 && circuit_.hash == HashKind::kLookup3,
                   .dumps = settings.allow_dumps && circuit_.beat_units != 0,
                   .watch = settings.allow_watch,
                   .shutdown = settings.allow_shutdown,
                   .debugtime = settings.allow_debugtime};
  if (circuit_.index == IndexKind::kItem) {
    facts.limit_bytes = item_layout_.log_bytes();
    facts.buckets = item_layout_.buckets();
    facts.table_bytes = facts.buckets * kLineBytes;
  } else {
    for (const Region& region : layout_.regions) {
      facts.limit_bytes += region.blocks * region.block_lines * kLineBytes;
    }
    facts.buckets = uint64_t{1} << layout_.bucket_bits;
    facts.table_bytes = layout_.table_bytes;
  }
  return facts;
}

Circuit Driver::Identify() {
  const uint32_t id = registers_.Read32(WC_ADDRESS(ID));
  if (id != WC_REGS__ID__MAGIC_reset) throw std::runtime_error("this is not a Wirecache board");
  const uint32_t config = registers_.Read32(WC_ADDRESS(CONFIG));
  Circuit circuit;
  circuit.index = static_cast<IndexKind>(WC_FIELD(config, CONFIG, INDEX));
  if (circuit.index > IndexKind::kItem) {
    throw std::runtime_error("the board has an index that is not known here");
  }
  circuit.hash = static_cast<HashKind>(WC_FIELD(config, CONFIG, HASH));
  circuit.item_bits = WC_FIELD(registers_.Read32(WC_ADDRESS(ITEM_SIZE_MAX)), ITEM_SIZE_MAX, MOST);
  circuit.tcp = WC_FIELD(config, CONFIG, TCP) != 0;
  if (circuit.tcp) {
    const uint32_t status = registers_.Read32(WC_TCP_ADDRESS(TCP_STATUS));
    circuit.connections = WC_TCP_FIELD(status, TCP_STATUS, CONNECTIONS);
    circuit.ring_bits = WC_TCP_FIELD(status, TCP_STATUS, RING_BITS);
  }
  if (circuit.index == IndexKind::kItem) {
    const uint32_t status = registers_.Read32(WC_ITEM_ADDRESS(HOST_READ_STATUS));
    circuit.beat_units = WC_ITEM_FIELD(status, HOST_READ_STATUS, UNITS);
    circuit.ways =
        WC_ITEM_FIELD(registers_.Read32(WC_ITEM_ADDRESS(ITEM_STATUS)), ITEM_STATUS, WAYS);
    if (circuit.ways != 1 && circuit.ways != 2 && circuit.ways != 4) {
      throw std::runtime_error("the board has a table with so many ways as are not known here");
    }
  }
  if (circuit.index == IndexKind::kBucket) {
    const uint32_t table = registers_.Read32(WC_INDEX_ADDRESS(INDEX_CONFIG));
    circuit.slots = WC_INDEX_FIELD(table, INDEX_CONFIG, SLOTS);
    circuit.bucket_lines = WC_INDEX_FIELD(table, INDEX_CONFIG, BUCKET_LINES);
    circuit.max_bucket_bits = WC_INDEX_FIELD(table, INDEX_CONFIG, MAX_BUCKET_BITS);
    circuit.queue_entries = 1u << WC_INDEX_FIELD(table, INDEX_CONFIG, QUEUE_BITS);
    if (circuit.bucket_bytes() == 0) throw std::runtime_error("the board says a bucket is nothing");
  }
  return circuit;
}

void Driver::WriteSettings(const Settings& settings) {
  const auto write = [this](uint32_t address, uint64_t value) {
    registers_.Write32(address, static_cast<uint32_t>(value));
  };
  write(WC_ADDRESS(CONTROL), 0);
  write(WC_ADDRESS(WATCH), 0);
  write(WC_ADDRESS(MAC_HIGH), settings.mac >> 32);
  write(WC_ADDRESS(MAC_LOW), settings.mac);
  write(WC_ADDRESS(IP), settings.ip);
  write(WC_ADDRESS(UDP_PORT), settings.udp_port);
  WriteTcpSettings(settings);
  WriteAccessList(settings.allow);
  write(WC_ADDRESS(HASH_SEED), hash_seed_);
  write(WC_ADDRESS(ANSWER_LIMIT), settings.answer_limit);
  write(WC_ADDRESS(COMMAND_LIMIT), settings.command_limit);
  const uint32_t most = uint32_t{1} << circuit_.item_bits;
  if (settings.item_size_max < kLeastItemBytes || settings.item_size_max > most) {
    throw std::invalid_argument("an item of this board may have 16 KiB to " +
                                std::to_string(most >> 20) + " MiB at most");
  }
  write(WC_ADDRESS(ITEM_SIZE_MAX), settings.item_size_max);
  WriteVersion(settings.version);
  if (circuit_.index == IndexKind::kItem) {
    WriteItemSettings();
  } else {
    WriteBlocks();
  }
}

// What VERSION answers, and the end of its line.
void Driver::WriteVersion(const std::string& text) {
  const bool printable = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
  if (text.empty() || text.size() > kVersionChars || !printable) {
    throw std::invalid_argument("a version has 1 to " + std::to_string(kVersionChars) +
                                " printable characters and no spaces");
  }
  const std::string line = text + "\r\n";
  std::array<uint32_t, (kVersionChars + 2) / sizeof(uint32_t)> words{};
  for (size_t i = 0; i < line.size(); ++i) {
    words[i / sizeof(uint32_t)] |= static_cast<uint32_t>(line[i]) << i % sizeof(uint32_t) * 8;
  }
  for (size_t i = 0; i < words.size(); ++i) {
    registers_.Write32(WC_ADDRESS_OF(VERSION_LINE_0, i), words[i]);
  }
  registers_.Write32(WC_ADDRESS(VERSION_BYTES), static_cast<uint32_t>(text.size()));
}

// The table and the blocks of the bucket index.
void Driver::WriteBlocks() {
  const auto write = [this](uint32_t address, uint64_t value) {
    registers_.Write32(address, static_cast<uint32_t>(value));
  };
  write(WC_INDEX_ADDRESS(INDEX_BASE), 0);
  write(WC_INDEX_ADDRESS(BUCKET_BITS), layout_.bucket_bits);
  for (unsigned c = 0; c < kClasses; ++c) {
    write(WC_INDEX_ADDRESS_OF(CLASS_LINES, c), layout_.regions[c].block_lines);
    write(WC_INDEX_ADDRESS_OF(FREE_LOW, c), 0);  // until the worker sleeps
  }
  write(WC_INDEX_ADDRESS(DELETED_HIGH), 0);
  if (registers_.Read32(WC_INDEX_ADDRESS(INDEX_STATUS)) & WC_INDEX_REGS__INDEX_STATUS__REFUSED_bm) {
    throw std::runtime_error("the board refuses a table of 2^" +
                             std::to_string(layout_.bucket_bits) + " buckets at line 0");
  }
}

unsigned Driver::Connections(const Settings& settings) const {
  return settings.connections == 0 ? circuit_.connections : settings.connections;
}

void Driver::WriteTcpSettings(const Settings& settings) {
  if (!circuit_.tcp) {
    if (settings.tcp_port == 0) return;
    throw std::invalid_argument("this board has no TCP");
  }
  if (settings.connections > circuit_.connections) {
    throw std::invalid_argument("this board has " + std::to_string(circuit_.connections) +
                                " connections, not " + std::to_string(settings.connections));
  }
  if (settings.idle_timeout > kMostIdleSeconds) {
    throw std::invalid_argument("idle connections end after " + std::to_string(kMostIdleSeconds) +
                                " seconds at most");
  }
  CheckKeepalive(settings.keepalive);
  constexpr uint64_t kMebibyte = 1 << 20;
  const auto write = [this](uint32_t address, uint64_t value) {
    registers_.Write32(address, static_cast<uint32_t>(value));
  };
  write(WC_ADDRESS(TCP_PORT), 0);
  write(WC_TCP_ADDRESS(TCP_CONNECTIONS), Connections(settings));
  write(WC_TCP_ADDRESS(TCP_IDLE_LIMIT), IdleUnits(settings.idle_timeout));
  write(WC_TCP_ADDRESS(TCP_KEEPALIVE_IDLE), IdleUnits(settings.keepalive.idle));
  write(WC_TCP_ADDRESS(TCP_KEEPALIVE_PROBES),
        IdleUnits(settings.keepalive.interval) |
            settings.keepalive.probes << WC_TCP_REGS__TCP_KEEPALIVE_PROBES__PROBES_bp);
  write(WC_TCP_ADDRESS(TCP_BASE), circuit_.tcp_base(settings.memory_bytes) / kMebibyte);
  for (size_t i = 0; i < settings.tcp_secret.size(); ++i) {
    write(WC_TCP_ADDRESS_OF(TCP_SECRET, i), settings.tcp_secret[i]);
  }
  for (size_t i = 0; i < settings.tcp_seed.size(); ++i) {
    write(WC_TCP_ADDRESS_OF(TCP_SEED, i), settings.tcp_seed[i]);
  }
  // Its memories clear themselves, a connection a cycle; a read takes a cycle at least.
  for (unsigned reads = 0; reads < 2 * circuit_.connections + 100; ++reads) {
    const uint32_t status = registers_.Read32(WC_TCP_ADDRESS(TCP_STATUS));
    if (WC_TCP_FIELD(status, TCP_STATUS, READY) == 0) continue;
    write(WC_ADDRESS(TCP_PORT), settings.tcp_port);
    return;
  }
  throw std::runtime_error("the board's TCP does not begin");
}

void Driver::WriteItemSettings() {
  const auto write = [this](uint32_t address, uint64_t value) {
    registers_.Write32(address, static_cast<uint32_t>(value));
  };
  const ItemLayout& layout = item_layout_;
  write(WC_ITEM_ADDRESS(TABLE_BASE), layout.table_line);
  write(WC_ITEM_ADDRESS(TABLE_SIZE),
        layout.factor | layout.shift << WC_ITEM_REGS__TABLE_SIZE__SHIFT_bp);
  write(WC_ITEM_ADDRESS(LOG_SIZE),
        layout.segment_bits | layout.segments << WC_ITEM_REGS__LOG_SIZE__SEGMENTS_bp);
  write(WC_ITEM_ADDRESS(LOG_MOST_NEW), layout.most_new);
  write(WC_ITEM_ADDRESS(LOG_LARGEST), layout.largest_units);
  if (registers_.Read32(WC_ITEM_ADDRESS(ITEM_STATUS)) & WC_ITEM_REGS__ITEM_STATUS__REFUSED_bm) {
    throw std::runtime_error("the board refuses a log of " + std::to_string(layout.segments) +
                             " segments of 2^" + std::to_string(layout.segment_bits) +
                             " units and a table of " + std::to_string(layout.buckets()) +
                             " buckets");
  }
}

// An entry that is not needed repeats another one; the entry of an empty list takes in everybody.
void Driver::WriteAccessList(const std::vector<AllowedNetwork>& allow) {
  if (allow.size() > kAllowEntries) {
    throw std::invalid_argument("the access list has " + std::to_string(allow.size()) +
                                " networks, and the board takes " + std::to_string(kAllowEntries));
  }
  for (size_t i = 0; i < kAllowEntries; ++i) {
    const AllowedNetwork entry = allow.empty() ? AllowedNetwork{} : allow[i % allow.size()];
    if (entry.address & ~entry.mask) {
      throw std::invalid_argument("a network of the access list has bits beyond its mask");
    }
    registers_.Write32(WC_ADDRESS_OF(ALLOW_NETWORK, i), entry.address);
    registers_.Write32(WC_ADDRESS_OF(ALLOW_MASK, i), entry.mask);
  }
}

void Driver::ClearTable(bool memory_is_zero) {
  const uint32_t zeroed = memory_is_zero ? WC_REGS__CONTROL__ZEROED_bm : 0;
  registers_.Write32(WC_ADDRESS(CONTROL), WC_REGS__CONTROL__CLEAR_bm | zeroed);
  // A read takes a cycle of the board at least, so this many are more time than it may take.
  const bool item = circuit_.index == IndexKind::kItem;
  const uint64_t buckets = item ? item_layout_.buckets() : uint64_t{1} << layout_.bucket_bits;
  const uint64_t patience =
      kClearBeginCycles + kClearBucketCycles * buckets + (item ? kMostFilterCells : 0);
  for (uint64_t reads = 0; reads < patience; ++reads) {
    if (!(registers_.Read32(WC_ADDRESS(STATUS)) & WC_REGS__STATUS__CLEARING_bm)) return;
  }
  throw std::runtime_error("the board does not get done with clearing its table");
}

void Driver::Service() {
  if (manager_) manager_->Interrupt();
  commands_->Interrupt();
  while (const auto access = Next()) Done(registers_.Carry(*access));
}

std::optional<Access> Driver::Next() {
  for (unsigned tried = 0; tried < 2; ++tried) {
    commands_turn_ = !commands_turn_;
    std::optional<Access> access;
    if (commands_turn_) {
      access = commands_->Next();
    } else if (manager_) {
      access = manager_->Next();
    }
    if (access) return access;
  }
  return std::nullopt;
}

void Driver::Done(uint32_t value) {
  if (commands_turn_) {
    commands_->Done(value);
  } else {
    manager_->Done(value);
  }
}

Driver::Settled Driver::Settle() {
  Settled settled;
  for (unsigned c = 0; c < kClasses; ++c) settled.deleted[c] = manager_->collected(c);
  manager_->Stop();
  while (const auto access = manager_->Next()) manager_->Done(registers_.Carry(*access));
  for (unsigned c = 0; c < kClasses; ++c) {
    settled.deleted[c] = manager_->collected(c) - settled.deleted[c];
    settled.queued[c] = registers_.Read32(WC_INDEX_ADDRESS_OF(FREE_LEVEL, c));
  }
  return settled;
}

void Driver::StartClock(uint32_t seconds, uint32_t second_cycles) {
  // The board counts from here: a second begins when SECOND is no longer 0.
  if (started_ == 0) started_ = seconds;
  registers_.Write32(WC_ADDRESS(SECOND), 0);
  SetTime(seconds);
  second_cycles_ = second_cycles;
  if (!commands_->clock().stands) registers_.Write32(WC_ADDRESS(SECOND), second_cycles);
}

void Driver::SetTime(uint32_t seconds) {
  const auto& [ahead, stands] = commands_->clock();
  if (!stands) registers_.Write32(WC_ADDRESS(TIME), TimeAhead(seconds, ahead));
}

uint32_t Driver::TimeAhead(uint32_t seconds, int64_t by) {
  constexpr int64_t kMost = std::numeric_limits<uint32_t>::max();
  return static_cast<uint32_t>(std::clamp<int64_t>(seconds + by, 0, kMost));
}

void Driver::SetFrameHeader(bool on) {
  uint32_t control = WC_REGS__CONTROL__ENABLE_bm;
  if (on) control |= WC_REGS__CONTROL__FRAME_HEADER_bm;
  registers_.Write32(WC_ADDRESS(CONTROL), control);
}

void Driver::ReadCounters() {
  ++readings_;
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (!counts(kCounters[i])) continue;
    const uint32_t low = registers_.Read32(kCounters[i].address);  // keeps the upper half for us
    counters_[i] = uint64_t{registers_.Read32(kCounters[i].high)} << 32 | low;
  }
}

ItemState Driver::ReadItemState() {
  constexpr uint64_t kAgeCycles = 1024;
  constexpr uint64_t kAgeSum = 16;
  const auto read = [this](uint32_t address) { return registers_.Read32(address); };
  return {.free = read(WC_ITEM_ADDRESS(SEGMENTS_FREE)),
          .count_new = read(WC_ITEM_ADDRESS(SEGMENTS_NEW)),
          .count_main = read(WC_ITEM_ADDRESS(SEGMENTS_MAIN)),
          .lost = read(WC_ITEM_ADDRESS(SEGMENTS_LOST)),
          .items = read(WC_ITEM_ADDRESS(ITEMS)),
          .bytes = kUnitBytes * read(WC_ITEM_ADDRESS(ITEM_UNITS)),
          .age_new_cycles = kAgeCycles * read(WC_ITEM_ADDRESS(AGE_NEW)),
          .age_main_cycles = kAgeCycles * read(WC_ITEM_ADDRESS(AGE_MAIN)),
          .age_sum_cycles = kAgeSum * kAgeCycles * read(WC_ITEM_ADDRESS(AGE_SUM))};
}

MemoryState Driver::ReadMemoryState() {
  const uint32_t errors = registers_.Read32(WC_ADDRESS(MEMORY_ERROR));
  const uint32_t places = registers_.Read32(WC_ADDRESS(BAD_PLACES));
  return {.table_read = WC_FIELD(errors, MEMORY_ERROR, TABLE_READ) != 0,
          .table_write = WC_FIELD(errors, MEMORY_ERROR, TABLE_WRITE) != 0,
          .value_read = WC_FIELD(errors, MEMORY_ERROR, VALUE_READ) != 0,
          .value_write = WC_FIELD(errors, MEMORY_ERROR, VALUE_WRITE) != 0,
          .first_address = uint64_t{registers_.Read32(WC_ADDRESS(MEMORY_LINE))} * kLineBytes,
          .buckets = WC_FIELD(places, BAD_PLACES, BUCKETS),
          .all_buckets = WC_FIELD(places, BAD_PLACES, ALL_BUCKETS) != 0,
          .blocks = WC_FIELD(places, BAD_PLACES, BLOCKS),
          .all_blocks = WC_FIELD(places, BAD_PLACES, ALL_BLOCKS) != 0};
}

bool Driver::OutOfUse() {
  // A full list makes the item index begin anew, and the list is empty then. So who is clearing may
  // still recover.
  const uint32_t places = registers_.Read32(WC_ADDRESS(BAD_PLACES));
  return WC_FIELD(places, BAD_PLACES, ALL_BUCKETS) != 0 &&
         WC_FIELD(registers_.Read32(WC_ADDRESS(STATUS)), STATUS, CLEARING) == 0;
}

std::vector<Driver::InFlight> Driver::ReadInFlight() {
  const auto read = [this](const char* name, uint32_t address) {
    return InFlight{name, registers_.Read32(address)};
  };
  return {read("datagrams", WC_ADDRESS(IN_FLIGHT)), read("request", WC_ADDRESS(OPEN_REQUEST)),
          read("hash", WC_ADDRESS(OPEN_HASH)),      read("index", WC_ADDRESS(OPEN_INDEX)),
          read("size", WC_ADDRESS(OPEN_SIZE)),      read("store", WC_ADDRESS(OPEN_STORE)),
          read("answer", WC_ADDRESS(OPEN_ANSWER))};
}

uint64_t Driver::counter(std::string_view name) const {
  for (size_t i = 0; i < counters_.size(); ++i) {
    if (name == kCounters[i].name) return counters_[i];
  }
  throw std::logic_error("no counter " + std::string(name));
}

}  // namespace wirecache::host
