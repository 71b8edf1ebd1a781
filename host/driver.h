// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_DRIVER_H_
#define WIRECACHE_HOST_DRIVER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/command_server.h"
#include "host/item_layout.h"
#include "host/layout.h"
#include "host/memory_manager.h"
#include "host/registers.h"
#include "host/tcp_seed.h"
#include "wc_counters.h"

namespace wirecache::host {

// An entry of the access list: an address is of the network when its bits under the mask are.
struct AllowedNetwork {
  uint32_t address = 0;  // first byte on the wire in the top bits; 0 outside of the mask
  uint32_t mask = 0;
};

// When TCP asks a peer whether it is there of which nothing has come: Linux's tcp_keepalive_time,
// _intvl and _probes. Times are seconds.
struct Keepalive {
  unsigned idle = 0;  // 0: never
  unsigned interval = 0;
  unsigned probes = 0;
};

struct Settings {
  uint64_t mac = 0;  // first byte on the wire in the top of the 48 bits
  uint32_t ip = 0;   // likewise of 32
  uint16_t udp_port = 0;
  uint16_t tcp_port = 0;      // 0: no TCP
  unsigned connections = 0;   // of TCP at once, memcached's -c; 0: as many as the board has
  unsigned idle_timeout = 0;  // seconds without a byte after which TCP ends one; 0: none
  Keepalive keepalive;
  // What attackers must not know of TCP: of SYN cookies, of the table of connections.
  std::array<uint32_t, 4> tcp_secret{0x636F6F6B, 0x69657320, 0x6F662061, 0x20746573};
  TcpSeed tcp_seed{0x68617368, 0x206F6620, 0x61207465};
  bool frame_header = true;
  uint32_t hash_seed = 0;
  uint32_t answer_limit = 65536;       // bytes of the answer to one datagram
  std::string version = "1.6.18";      // what VERSION answers: up to 14 printable characters
  uint32_t command_limit = 1'562'500;  // cycles that the host has to answer a command
  uint32_t item_size_max = 1 << 20;    // bytes of an item, as memcached counts them: its -I
  bool allow_dumps = true;             // commands list keys, if the board can
  bool allow_watch = true;             // and watch operations
  bool allow_shutdown = false;         // the command ends the board
  bool allow_debugtime = false;        // the command sets the clock
  std::vector<AllowedNetwork> allow;   // whose requests and pings are answered; empty: everybody's
  uint64_t memory_bytes = 0;
  bool memory_is_zero = false;      // all of it: the table need not be cleared
  BlockClasses classes;             // of the bucket index
  uint64_t usual_item_bytes = 100;  // of the item index: its table is half full of these
};

// What the board tells of errors of its memory.
struct MemoryState {
  bool table_read = false, table_write = false, value_read = false, value_write = false;
  uint64_t first_address = 0;  // of the first of them
  unsigned buckets = 0;        // that were not written, and are out of use
  bool all_buckets = false;    // more than it has a list for: none is in use
  unsigned blocks = 0;         // of values, likewise
  bool all_blocks = false;

  bool any() const { return table_read || table_write || value_read || value_write; }
};

// What the item index tells of its log.
struct ItemState {
  unsigned free = 0;  // segments
  unsigned count_new = 0;
  unsigned count_main = 0;
  unsigned lost = 0;            // to errors of memory
  uint64_t items = 0;           // in slots
  uint64_t bytes = 0;           // of these items; those of 2 KiB and more are rounded down
  uint64_t age_new_cycles = 0;  // of the segments that were swept last
  uint64_t age_main_cycles = 0;
  uint64_t age_sum_cycles = 0;  // of all that were swept
};

// Whether circuits with this index have the counter.
inline bool Has(IndexKind index, const Counter& counter) {
  return counter.index < 0 || counter.index == static_cast<int>(index);
}

// Host software of one board: starts it, gives it memory and takes back what it frees, keeps its
// clock, counts. Everything goes through the registers.
class Driver {
 public:
  // Sets the board up and switches it on. Throws std::invalid_argument when the settings make no
  // sense and std::runtime_error when the board does not answer as it should.
  Driver(Registers& registers, const Settings& settings);

  // What the host's workers do, in turns: those of the address queues, which the item index does
  // not need, and the one that answers commands. Who cannot let them work in the board's time has
  // Service.
  std::optional<Access> Next();  // as MemoryManager has it
  void Done(uint32_t value);
  CommandServer& commands() { return *commands_; }
  bool manages_memory() const { return manager_.has_value(); }
  MemoryManager& memory_manager() { return *manager_; }
  const MemoryManager& memory_manager() const { return *manager_; }
  // To be called while irq_o is high: all workers' turns until they sleep.
  void Service();

  // Pointers of each class that were in the deleted queue, and that are in the free queue.
  struct Settled {
    std::array<uint64_t, kClasses> deleted;
    std::array<uint64_t, kClasses> queued;
  };
  // For audits of the bucket index, while nothing is in flight: empties the deleted queue and gives
  // out nothing more until GoOn.
  Settled Settle();
  void GoOn() { manager_->GoOn(); }

  // Sets the board's clock to a Unix time, and lets it count `second_cycles` cycles as a second; 0:
  // the clock stands until it is set again.
  void StartClock(uint32_t seconds, uint32_t second_cycles);
  void SetTime(uint32_t seconds);  // but for what the command `debugtime` wants
  uint32_t second_cycles() const { return second_cycles_; }
  // Of a clock of 32 bits, which stays at its ends.
  static uint32_t TimeAhead(uint32_t seconds, int64_t by);
  uint32_t started() const { return started_; }  // when the clock was first set

  // Of the board's memory behind Settings::memory_bytes, where TCP's connections are.
  uint64_t tcp_memory_bytes(uint64_t memory_bytes) const {
    return circuit_.tcp_memory_bytes(memory_bytes);
  }

  // Whether datagrams have memcached's frame header, in both directions. While nothing is in
  // flight.
  void SetFrameHeader(bool on);

  // Reads all counters, 64 bits each.
  void ReadCounters();
  uint64_t readings() const { return readings_; }  // how often they were read
  // Whether this board has the counter: an index's own are with this index only.
  bool counts(const Counter& counter) const {
    return Has(circuit_.index, counter) && (circuit_.tcp || !counter.tcp);
  }
  // By the name of the register in small letters, as of the last reading.
  uint64_t counter(std::string_view name) const;
  const std::vector<uint64_t>& counters() const {
    return counters_;
  }  // as kCounters of wc_counters.h

  // Of the item index only.
  ItemState ReadItemState();

  // Errors of memory since the board was set up.
  MemoryState ReadMemoryState();

  // Memory did not write more buckets of the table than the board has a list for. It believes none
  // then: GETs miss and SETs are refused until the table is cleared.
  bool OutOfUse();

  // What is in flight: in all of the pipeline, and in each stage.
  struct InFlight {
    std::string name;
    uint32_t count;
  };
  std::vector<InFlight> ReadInFlight();

  const Layout& layout() const { return layout_; }                // of the bucket index
  const ItemLayout& item_layout() const { return item_layout_; }  // of the item index
  const Circuit& circuit() const { return circuit_; }
  uint32_t hash_seed() const { return hash_seed_; }
  // Pointers that came back but were never given out. Not zero is an error of the circuit.
  uint64_t bad_pointers() const { return manager_ ? manager_->bad_pointers() : 0; }

 private:
  Circuit Identify();
  void WriteSettings(const Settings& settings);
  void WriteVersion(const std::string& text);
  void WriteBlocks();
  void WriteItemSettings();
  void WriteTcpSettings(const Settings& settings);
  unsigned Connections(const Settings& settings) const;  // of TCP, at once
  void WriteAccessList(const std::vector<AllowedNetwork>& allow);
  void ClearTable(bool memory_is_zero);
  BoardFacts Facts(const Settings& settings) const;

  Registers& registers_;
  Circuit circuit_;
  uint32_t hash_seed_;
  Layout layout_;
  ItemLayout item_layout_;
  std::optional<MemoryManager> manager_;
  std::optional<CommandServer> commands_;
  bool commands_turn_ = false;  // whose turn it was last
  uint32_t started_ = 0;
  uint32_t second_cycles_ = 0;
  uint64_t readings_ = 0;
  std::vector<uint64_t> counters_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_DRIVER_H_
