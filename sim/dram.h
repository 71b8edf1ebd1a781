// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_DRAM_H_
#define WIRECACHE_SIM_DRAM_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/dram_devices.h"
#include "sim/memory_timing.h"

namespace wirecache::sim {

struct DramCommand {
  enum Kind { kActivate, kPrecharge, kPrechargeAll, kRead, kWrite, kRefresh, kNone };
  Kind kind;
  uint64_t at;     // clock of the memory
  unsigned bank;   // of kActivate, kPrecharge, kRead, kWrite
  uint64_t row;    // of the same
  uint64_t burst;  // of kRead and kWrite: address in bursts
};

// A DRAM channel and its controller: open pages, a queue of reads and one of writes.
//
// Of the commands that the queue in turn could use, the one that may be given first is given; of
// several, a column command goes before others and an older access before a younger one. An access
// that has waited for too long gets its bank to itself. Writes are done with when they are queued
// and go to the chips in batches: from a high to a low mark, when nothing has been read for a
// while, when they are old, and when a read waits for one. What is read and written of one burst
// keeps its order.
//
// Time is counted in clocks of the memory, exactly: clock c is at c / mhz microseconds, cycle n of
// the circuit at n * cycle_ps. Between two commands nothing is computed.
class Dram final : public MemoryTiming {
 public:
  static constexpr size_t kQueue = 32;  // reads, and writes

  // Reads take `controller_ns` more than the chips do: what controller, PHY and the way there cost.
  Dram(const DramDevice& device, unsigned cycle_ps, unsigned controller_ns);

  unsigned burst_bytes() const override { return device_.burst_bytes; }
  bool Start(MemoryAccess& access, uint64_t now) override;
  void Tick(uint64_t now) override {
    if (now >= wake_cycle_) Advance(ClockAt(now));
  }

  JsonObject Statistics() const override;
  void ResetStatistics() override { statistics_ = {}; }

  struct Counts {
    uint64_t reads = 0, writes = 0, bytes = 0;
    uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
    uint64_t activates = 0, turnarounds = 0, refreshes = 0;
    uint64_t first_clock = kNotYet, last_clock = 0;  // of data on the bus
    uint64_t latency_sum = 0, latency_max = 0;       // of reads, in cycles
    uint64_t max_reads_queued = 0, max_writes_queued = 0;
  };
  const Counts& counts() const { return statistics_; }
  // Share of the time from the first data to the last in which there are data on the bus.
  double utilisation() const;

  // All commands from now on are appended to `log`.
  void set_log(std::vector<DramCommand>* log) { log_ = log; }

 private:
  static constexpr uint64_t kClosed = ~uint64_t{0};

  struct Location {
    uint64_t burst, row;
    unsigned bank;
  };
  struct Request {
    Location where;
    uint64_t arrived;
    MemoryAccess* access;  // of reads
    uint64_t number;       // of all requests
    bool waits;            // for older ones of the same burst in the other queue
    bool activated, precharged;
  };
  struct Queue {
    std::vector<Request> requests;  // oldest first
    size_t waiting = 0;             // those that wait for the other queue

    size_t able() const { return requests.size() - waiting; }
  };
  // Clocks from which on a command is allowed.
  struct Bank {
    uint64_t row = kClosed;
    uint64_t activate = 0, column = 0, precharge = 0;
  };
  struct Group {
    uint64_t activate = 0, read = 0, write = 0;
  };
  struct Choice {
    DramCommand::Kind kind;
    size_t index;  // in the queue
    uint64_t at;
  };

  Location Locate(uint64_t address) const;
  static bool Holds(const Queue& queue, uint64_t burst, uint64_t number);
  uint64_t ClockAt(uint64_t cycle) const;
  uint64_t CycleAt(uint64_t clock) const;

  Queue& turn() { return writing_ ? writes_ : reads_; }
  void Advance(uint64_t limit);
  void SkipRefreshes(uint64_t limit);
  void ChooseDirection();
  Choice ChooseRefresh() const;
  Choice ChooseAccess() const;
  void Issue(const Choice& choice);
  void IssueColumn(const Choice& choice);
  void Activate(const Location& where);
  void Log(DramCommand::Kind kind, const Location& where) {
    if (log_ != nullptr) log_->push_back({kind, clock_, where.bank, where.row, where.burst});
  }

  const DramDevice device_;
  uint64_t clocks_;  // in cycles_ cycles of the circuit
  uint64_t cycles_;
  uint64_t controller_;  // clocks
  uint64_t patience_;    // clocks after which an access is preferred
  uint64_t pause_;       // clocks without reads after which writes are done

  Queue reads_;
  Queue writes_;
  uint64_t requests_ = 0;
  bool writing_ = false;  // the queue in turn
  size_t batch_ = 0;      // accesses it may still do although the other has work
  uint64_t last_read_ = 0;

  uint64_t clock_ = 0;       // everything before it is decided
  uint64_t wake_cycle_ = 0;  // when there may be something to decide
  uint64_t refresh_at_;
  std::vector<Bank> banks_;
  std::vector<Group> groups_;
  Group channel_;
  std::array<uint64_t, 4> faw_ = {};  // ends of the windows of the last activates, oldest first
  uint64_t row_bus_ = 0, column_bus_ = 0;
  bool data_written_ = false;  // the last data on the bus

  Counts statistics_;
  std::vector<DramCommand>* log_ = nullptr;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_DRAM_H_
