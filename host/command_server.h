// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_COMMAND_SERVER_H_
#define WIRECACHE_HOST_COMMAND_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "host/commands.h"
#include "host/listing.h"
#include "host/registers.h"
#include "host/watch.h"
#include "host/worker.h"

namespace wirecache::host {

class Driver;

// The worker that answers the commands which the circuit leaves to the host, one after the other:
// reads the command, asks the board for its numbers if it wants any, and writes the answer. When
// the circuit has answered in its place, as it came too late, what it writes is not taken.
//
// A list is answered in parts, each of them a command of its own, which the connection's room lets
// come.
class CommandServer {
 public:
  CommandServer(const Driver& driver, BoardFacts facts, size_t answer_limit);
  CommandServer(const CommandServer&) = delete;  // the worker knows where it is
  CommandServer& operator=(const CommandServer&) = delete;

  // irq_o is high.
  void Interrupt() { worker_.Wake(); }
  // It waits for an interrupt.
  bool asleep() const { return !worker_.access() && !worker_.runnable(); }
  // The next register access; none when it sleeps. It must be carried out and Done before another.
  std::optional<Access> Next();
  void Done(uint32_t value) { worker_.Resume(value); }

  bool shutdown() const { return commands_.shutdown(); }
  const Commands::Clock& clock() const { return commands_.clock(); }

 private:
  Worker Serve();
  // What has an answer of any length; nothing: another command.
  std::unique_ptr<Listing> Begin(const Command& command);

  const Driver& driver_;
  Commands commands_;
  Watch watch_;
  // By the connection's number. One that ends before its list does leaves it to the next one,
  // whose first command forgets it.
  std::map<uint16_t, std::unique_ptr<Listing>> lists_;
  std::vector<uint64_t> reset_;  // counters at the last `stats reset`
  Worker worker_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_COMMAND_SERVER_H_
