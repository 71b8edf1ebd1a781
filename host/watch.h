// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_WATCH_H_
#define WIRECACHE_HOST_WATCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/peer.h"
#include "host/worker.h"

namespace wirecache::host {

// What a client may watch, of memcached's kinds: the rest it may ask for, but nothing is told of
// it.
struct WatchKinds {
  bool fetchers = false;
  bool mutations = false;
};

// An operation on a key, as the board tells of it.
struct WatchedOperation {
  uint32_t op = 0;      // wc_pkg::op_e
  uint32_t status = 0;  // wc_pkg::status_e
  std::string key;
  uint64_t value_bytes = 0;                 // of the item; of one that stores, of what came with it
  uint32_t ttl = 0;                         // seconds; all ones: none
  std::optional<uint16_t> connection = {};  // of TCP
  uint32_t time = 0;                        // Unix seconds

  // What memcached's fetch of the item found; nothing if the board does not tell.
  std::optional<bool> found() const;
  // As memcached's lines name them; null: it stores nothing.
  const char* command() const;
  const char* stored() const;  // what became of it
};

// memcached's lines, with a number of their own.
std::string FetchLine(const WatchedOperation& operation, bool found, uint64_t number);
std::string StoreLine(const WatchedOperation& operation, uint64_t number);

// One client that watches. Lines wait here until its connection has room for them.
class Watcher {
 public:
  Watcher(WatchKinds kinds, uint16_t connection) : kinds_(kinds), connection_(connection) {}

  const WatchKinds& kinds() const { return kinds_; }
  bool gone() const { return gone_; }
  // Reads who is there. Another one than at first, or nobody of whom requests may come: it is gone.
  Worker Check();
  // Whether there was room for it. What is lost is told behind the lines that wait.
  bool Add(const std::string& line);
  // As many whole lines as fit so many bytes.
  std::string Take(size_t most);
  // Once behind each Take or Rest: there are lines, which its client may come for.
  bool TakeCall();
  // Its client will not come before it is called: not even for lines, but for many.
  bool Rest();

 private:
  static constexpr size_t kMostBytes = 262144;  // memcached's watcher_logbuf_size
  static constexpr size_t kManyBytes = 4096;

  WatchKinds kinds_;
  uint16_t connection_;
  std::optional<Peer> peer_;
  bool gone_ = false;
  bool called_ = false;  // since the last Take or Rest
  bool came_ = false;    // the last time there were lines
  std::string lines_;
  uint64_t skipped_ = 0;  // since a line was kept
};

// All clients that watch, and the board's queue of operations, which is kept while there is one.
class Watch {
 public:
  static constexpr size_t kMostWatchers = 20;  // memcached's

  // Before Begin: looks which clients are gone, if there are as many as there may be.
  Worker MakeRoom();
  // Nothing: there are as many as there may be. Whose list ends lets go of its watcher.
  std::shared_ptr<Watcher> Begin(WatchKinds kinds, uint16_t connection);

  // Takes operations from the board's queue, so many at most that others have their turn soon.
  Worker Drain();
  // Nothing waited in the queue at the last Drain, and the board knows whether somebody watches.
  bool drained() const { return drained_ && watching() == enabled_; }

  size_t watchers() const { return present().size(); }
  uint64_t sent() const { return sent_; }        // lines, to each who watches
  uint64_t skipped() const { return skipped_; }  // for want of room
  void ResetStats() { sent_ = skipped_ = 0; }

 private:
  // A command waits for no more than a turn of this: 300 accesses, and those of an operation.
  static constexpr unsigned kDrainAccesses = 300;

  bool full() const { return watchers() == kMostWatchers; }
  Worker Check();  // of all
  Worker TakeOperations(uint32_t time);
  bool watching() const { return watchers() != 0; }
  std::vector<std::shared_ptr<Watcher>> present() const;
  void Tell(const WatchedOperation& operation);
  void Tell(bool WatchKinds::* kind, const std::string& line);

  std::vector<std::weak_ptr<Watcher>> watchers_;
  bool enabled_ = false;
  bool drained_ = true;
  uint32_t checked_ = 0;  // when it was last looked who is gone, Unix seconds
  uint64_t number_ = 0;   // of the next line
  uint64_t sent_ = 0;
  uint64_t skipped_ = 0;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_WATCH_H_
