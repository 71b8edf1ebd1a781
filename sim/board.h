// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_BOARD_H_
#define WIRECACHE_SIM_BOARD_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "host/audit.h"
#include "host/driver.h"
#include "host/item_audit.h"
#include "sim/simulation.h"

namespace wirecache::sim {

// A simulated board with its host: set up and switched on once constructed. Lets time pass, and the
// host software do its work in the same time, a register access after the other.
class Board {
 public:
  Board(const Simulation::Options& options, const host::Settings& settings, WireOut::Sink sink)
      : simulation_(options, std::move(sink)),
        registers_(simulation_),
        driver_(registers_, settings) {
    simulation_.memory().Grow(driver_.tcp_memory_bytes(settings.memory_bytes));
    simulation_.memory()
        .errors()
        .SwitchOn();  // a board whose table cannot be cleared serves nobody
  }

  void Run(uint64_t cycles);

  // From cycle `begin` on the host has other things to do than to serve the address queues.
  void PauseHost(uint64_t begin, uint64_t cycles) {
    pause_begin_ = begin;
    pause_end_ = begin + cycles;
  }

  // Nothing is in flight, and nothing that the circuit waits for would come of simulating on until
  // a frame comes in. The host may still be filling up queues that are full enough.
  bool asleep() const;
  // Nor is there a frame that waits for its time.
  bool idle() { return asleep() && simulation_.wire_in().waiting() == 0; }
  // Nothing moves although something has begun: an error of the circuit.
  bool stuck() const;
  // What the circuit has not answered, stage by stage, as "datagrams 1, size 1019"; empty: nothing.
  // Takes some simulated time. Only while no register access is under way.
  std::string Unanswered();

  // Ends the access of the host's that is under way, if there is one, so that others may begin.
  void FinishAccess();

  // Where all blocks are, as far as the circuit knows: memory may have errors. Only when idle.
  host::Audit Audit();          // of the bucket index
  host::ItemAudit ItemAudit();  // of the item index
  // Buckets of the table that memory did not write, and whether it was made empty
  // since.
  std::map<uint64_t, bool> UnwrittenBuckets() const;

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }
  host::Driver& driver() { return driver_; }
  const host::Driver& driver() const { return driver_; }

 private:
  void ServeHost();
  void Interrupt();
  static uint64_t CommandDelay();
  std::function<uint64_t(uint64_t)> IntendedMemory() const;

  Simulation simulation_;
  SimulatedRegisters registers_;
  host::Driver driver_;
  bool waiting_ = false;  // a worker of the host waits for a register
  uint64_t command_delay_ = CommandDelay();
  std::optional<uint64_t> asked_;  // since when a command waits for a host that is late
  uint64_t pause_begin_ = ~uint64_t{0};
  uint64_t pause_end_ = 0;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_BOARD_H_
