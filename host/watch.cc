// SPDX-License-Identifier: Apache-2.0
#include "host/watch.h"

#include <utility>

#include "host/register_map.h"
#include "host/stats.h"
#include "host/uri.h"
#include "wc_layout.h"

namespace wirecache::host {
namespace {

void AppendBytes(std::string& text, uint32_t word) {
  for (size_t i = 0; i < sizeof(word); ++i) text += static_cast<char>(word >> 8 * i);
}

std::string Begin(const WatchedOperation& operation, const char* type, uint64_t number) {
  return "ts=" + std::to_string(operation.time) + ".0 gid=" + std::to_string(number) +
         " type=" + type + " key=" + UriEncoded(operation.key);
}

std::string End(const WatchedOperation& operation, unsigned slab_class, uint64_t bytes) {
  return " clsid=" + std::to_string(slab_class) + " cfd=" +
         std::to_string(operation.connection ? kFirstConn + *operation.connection : kUdpNumber) +
         " size=" + std::to_string(bytes) + "\n";
}

}  // namespace

std::optional<bool> WatchedOperation::found() const {
  const bool ok = status == kStOk;
  switch (op) {
    case kOpAdd:
      if (ok || status == kStExists) return !ok;
      return std::nullopt;
    case kOpSet:  // without a CAS number it does not matter whether there was an item
      if (status == kStExists) return true;
      if (status == kStNotFound) return false;
      return std::nullopt;
    case kOpRefuse:
      return std::nullopt;
    default:
      if (ok || status == kStExists || status == kStNotNumber) return true;
      if (status == kStNotFound || status == kStNotStored) return false;
      return std::nullopt;
  }
}

const char* WatchedOperation::command() const {
  switch (op) {
    case kOpSet:
      return status == kStExists || status == kStNotFound ? "cas" : "set";
    case kOpRefuse:
      return "set";
    case kOpAdd:
      return "add";
    case kOpReplace:
      return "replace";
    case kOpAppend:
      return "append";
    case kOpPrepend:
      return "prepend";
    default:
      return nullptr;
  }
}

const char* WatchedOperation::stored() const {
  switch (status) {
    case kStOk:
      return "stored";
    case kStTooLarge:
      return "too_large";
    case kStExists:
      return op == kOpAdd ? "not_stored" : "exists";
    case kStNotFound:
      return op == kOpSet ? "not_found" : "not_stored";
    case kStNotStored:
      return "not_stored";
    default:
      return "no_memory";
  }
}

std::string FetchLine(const WatchedOperation& operation, bool found, uint64_t number) {
  return Begin(operation, "item_get", number) + " status=" + (found ? "found" : "not_found") +
         End(operation, found, found && operation.command() == nullptr ? operation.value_bytes : 0);
}

std::string StoreLine(const WatchedOperation& operation, uint64_t number) {
  constexpr uint32_t kNever = ~uint32_t{0};
  // What is joined to an item has its time; where there is none, nobody's. Of what is too large the
  // circuit tells no time.
  const bool joins = operation.op == kOpAppend || operation.op == kOpPrepend;
  const bool none =
      operation.ttl == kNever || operation.op == kOpRefuse || (joins && operation.status != kStOk);
  const uint32_t ttl = none ? 0 : operation.ttl;
  return Begin(operation, "item_store", number) + " status=" + operation.stored() +
         " cmd=" + operation.command() + " ttl=" + std::to_string(ttl) +
         End(operation, 1, operation.value_bytes);
}

bool Watcher::Add(const std::string& line) {
  const std::string before = skipped_ == 0 ? "" : "skipped=" + std::to_string(skipped_) + "\n";
  if (lines_.size() + before.size() + line.size() > kMostBytes) {
    ++skipped_;
    return false;
  }
  lines_ += before + line;
  skipped_ = 0;
  return true;
}

bool Watcher::TakeCall() {
  const bool calls = !lines_.empty() && !called_;
  called_ = called_ || calls;
  return calls;
}

// A client that has just come has had what there was. If it came again for each line, commands of
// others would find no room.
bool Watcher::Rest() {
  const bool rests = came_ && lines_.size() < kManyBytes;
  came_ = false;
  if (rests) called_ = false;
  return rests;
}

std::string Watcher::Take(size_t most) {
  came_ = !lines_.empty();
  called_ = false;
  size_t bytes = lines_.size();
  if (bytes > most) bytes = lines_.rfind('\n', most - 1) + 1;
  std::string out = lines_.substr(0, bytes);
  lines_.erase(0, bytes);
  return out;
}

Worker Watcher::Check() {
  Peer peer;
  Worker read = ReadPeer(connection_, false, peer);
  for (read.Resume(); read.access();) read.Resume(co_await *read.access());
  if (!peer_) peer_ = peer;
  gone_ = gone_ || !peer.open || !(peer == *peer_);
  if (gone_) lines_ = {};
}

// Those of connections that broke off are still held, until their numbers are used again.
std::vector<std::shared_ptr<Watcher>> Watch::present() const {
  std::vector<std::shared_ptr<Watcher>> out;
  for (const auto& weak : watchers_) {
    if (auto watcher = weak.lock(); watcher && !watcher->gone()) out.push_back(std::move(watcher));
  }
  return out;
}

Worker Watch::MakeRoom() {
  if (!full()) co_return;
  Worker check = Check();
  for (check.Resume(); check.access();) check.Resume(co_await *check.access());
}

Worker Watch::Check() {
  for (const auto& watcher : present()) {
    Worker check = watcher->Check();
    for (check.Resume(); check.access();) check.Resume(co_await *check.access());
  }
}

std::shared_ptr<Watcher> Watch::Begin(WatchKinds kinds, uint16_t connection) {
  if (full()) return nullptr;
  const auto there = present();
  auto watcher = std::make_shared<Watcher>(kinds, connection);
  watchers_.assign(there.begin(), there.end());
  watchers_.push_back(watcher);
  return watcher;
}

Worker Watch::Drain() {
  const uint32_t enable = watching() ? WC_REGS__WATCH__ENABLE_bm : 0;
  if (watching() != enabled_) co_await Write{WC_ADDRESS(WATCH), enable};
  enabled_ = enable != 0;
  drained_ = true;
  if (!enabled_) co_return;
  const uint32_t time = co_await Read{WC_ADDRESS(TIME)};
  if (time != checked_) {
    Worker check = Check();
    for (check.Resume(); check.access();) check.Resume(co_await *check.access());
    checked_ = time;
  }
  Worker take = TakeOperations(time);
  for (take.Resume(); take.access();) take.Resume(co_await *take.access());
  // Clients need not sleep until the clock wakes them.
  bool calls = false;
  for (const auto& watcher : present()) calls = watcher->TakeCall() || calls;
  if (calls) co_await Write{WC_ADDRESS(WATCH), enable | WC_REGS__WATCH__WAKE_bm};
}

Worker Watch::TakeOperations(uint32_t time) {
  for (unsigned accesses = 0; accesses < kDrainAccesses;) {
    const uint32_t head = co_await Read{WC_ADDRESS(WATCH_OPERATION)};
    drained_ = WC_FIELD(head, WATCH_OPERATION, WAITS) == 0;
    if (drained_) co_return;
    WatchedOperation operation;
    operation.op = WC_FIELD(head, WATCH_OPERATION, OP);
    operation.status = WC_FIELD(head, WATCH_OPERATION, STATUS);
    operation.time = time;
    if (WC_FIELD(head, WATCH_OPERATION, TCP) != 0) {
      operation.connection = static_cast<uint16_t>(WC_FIELD(head, WATCH_OPERATION, CONNECTION));
    }
    const uint32_t item = co_await Read{WC_ADDRESS(WATCH_ITEM)};
    accesses += 3;
    operation.value_bytes = WC_FIELD(item, WATCH_ITEM, BYTES);
    if (operation.command() != nullptr) operation.ttl = co_await Read{WC_ADDRESS(WATCH_TTL)};
    const size_t key_bytes = WC_FIELD(item, WATCH_ITEM, KEY_LEN);
    while (operation.key.size() < key_bytes) {
      AppendBytes(operation.key, co_await Read{WC_ADDRESS(WATCH_KEY_0)});
      if (operation.key.size() < key_bytes) {
        AppendBytes(operation.key, co_await Read{WC_ADDRESS(WATCH_KEY_1)});
      }
      accesses += 3;
      // Behind the last piece comes the next operation.
      co_await Write{WC_ADDRESS(WATCH), WC_REGS__WATCH__ENABLE_bm | WC_REGS__WATCH__NEXT_bm};
    }
    operation.key.resize(key_bytes);
    Tell(operation);
  }
}

// In memcached's order: a command fetches the item before it stores another one.
void Watch::Tell(const WatchedOperation& operation) {
  if (const auto found = operation.found()) {
    Tell(&WatchKinds::fetchers, FetchLine(operation, *found, number_++));
  }
  if (operation.command() != nullptr) {
    Tell(&WatchKinds::mutations, StoreLine(operation, number_++));
  }
}

void Watch::Tell(bool WatchKinds::* kind, const std::string& line) {
  for (const auto& watcher : present()) {
    if (watcher->kinds().*kind) ++(watcher->Add(line) ? sent_ : skipped_);
  }
}

}  // namespace wirecache::host
