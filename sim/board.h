// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_BOARD_H_
#define WIRECACHE_SIM_BOARD_H_

#include <cstdint>
#include <utility>

#include "host/audit.h"
#include "host/driver.h"
#include "sim/simulation.h"

namespace wirecache::sim {

// A simulated board with its host: set up and switched on once constructed. Lets time pass, and the
// host software do its work in the same time, a register access after the other.
class Board {
 public:
  Board(const Simulation::Options& options, const host::Settings& settings, WireOut::Sink sink)
      : simulation_(options, std::move(sink)),
        registers_(simulation_),
        driver_(registers_, settings) {}

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

  // Where all blocks are. Only when idle.
  host::Audit Audit();

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }
  host::Driver& driver() { return driver_; }
  const host::Driver& driver() const { return driver_; }

 private:
  void ServeHost();

  Simulation simulation_;
  SimulatedRegisters registers_;
  host::Driver driver_;
  bool waiting_ = false;  // a worker of the host waits for a register
  uint64_t pause_begin_ = ~uint64_t{0};
  uint64_t pause_end_ = 0;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_BOARD_H_
