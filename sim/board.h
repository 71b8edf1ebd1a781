// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_BOARD_H_
#define WIRECACHE_SIM_BOARD_H_

#include <cstdint>
#include <utility>

#include "host/driver.h"
#include "sim/simulation.h"

namespace wirecache::sim {

// A simulated board with its host: set up and switched on once constructed. Lets time pass, and the
// host software do its work in between.
class Board {
 public:
  Board(const Simulation::Options& options, const host::Settings& settings, WireOut::Sink sink)
      : simulation_(options, std::move(sink)),
        registers_(simulation_),
        driver_(registers_, settings) {}

  void Run(uint64_t cycles);

  // Nothing is in flight, and nothing would come of simulating on until a frame comes in.
  bool asleep() const;
  // Nor is there a frame that waits for its time.
  bool idle() { return asleep() && simulation_.wire_in().waiting() == 0; }
  // Nothing moves although something has begun: an error of the circuit.
  bool stuck() const;

  Simulation& simulation() { return simulation_; }
  const Simulation& simulation() const { return simulation_; }
  host::Driver& driver() { return driver_; }
  const host::Driver& driver() const { return driver_; }

 private:
  Simulation simulation_;
  SimulatedRegisters registers_;
  host::Driver driver_;
  uint64_t service_at_ = 0;     // cycle from which on the host looks at irq_o again
  bool service_useful_ = true;  // the host had something to do last time
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_BOARD_H_
