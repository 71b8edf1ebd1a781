// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_SIMULATION_H_
#define WIRECACHE_SIM_SIMULATION_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "host/registers.h"
#include "sim/memory.h"
#include "sim/recorder.h"
#include "sim/register_bus.h"
#include "sim/wire.h"

class Vwc_board;
class VerilatedContext;

namespace wirecache::sim {

inline constexpr uint64_t kClockHz = 156'250'000;
inline constexpr uint64_t kCyclePicoseconds = 6400;
inline constexpr uint64_t kMillisecondCycles = kClockHz / 1000;

// The simulated board: the Verilated circuit, its clock, and what is around it. The parts look at
// the circuit's outputs before each rising edge and drive its inputs after it, as registers would.
class Simulation {
 public:
  struct Options {
    uint64_t memory_bytes = 0;
    std::string memory_timing;        // as MakeMemoryTiming has it
    unsigned memory_latency = 0;      // cycles; of `fixed`
    unsigned controller_latency = 0;  // nanoseconds; of the others
    MemoryErrors::Options memory_errors;
    std::string trace_file;  // empty: none
  };

  // `sink` gets every frame the circuit sends.
  Simulation(const Options& options, WireOut::Sink sink);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // One clock cycle.
  void Step();
  // Until the cycle comes, or until done() says so.
  template <typename Done>
  void RunUntil(uint64_t cycle, Done done) {
    while (now_ < cycle) {
      Step();
      if (done()) return;
    }
  }

  // TCP's time in milliseconds, which goes by the clock's cycles until it is first set.
  void SetMilliseconds(uint32_t milliseconds);
  // Milliseconds until the time that TCP waits for, 0 or less from then on; none: it waits for
  // none.
  std::optional<int32_t> DueIn(uint32_t milliseconds) const;

  // Lets time pass without simulating: for when nothing would happen.
  void Skip(uint64_t cycles) { now_ += cycles; }

  uint64_t now() const { return now_; }
  bool irq() const;
  // The circuit says that it has requests which it has not answered.
  bool in_flight() const;
  // Cycles since something last moved on the wire or to the memory.
  uint64_t quiet_cycles() const { return now_ - last_active_; }
  // Something has begun that is not ended: a frame, a memory access. Frames that wait for their
  // time do not count, nor do register accesses, which the host waits for.
  bool busy() const;

  WireIn& wire_in() { return wire_in_; }
  const WireIn& wire_in() const { return wire_in_; }
  WireOut& wire_out() { return wire_out_; }
  const WireOut& wire_out() const { return wire_out_; }
  RegisterBus& register_bus() { return register_bus_; }
  Memory& memory() { return memory_; }
  const Memory& memory() const { return memory_; }

  // Gives `recorder` every cycle from here on; null: nobody.
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }
  Recorder MakeRecorder() const;

 private:
  class Trace;

  void Reset();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vwc_board> circuit_;
  std::unique_ptr<Trace> trace_;
  Memory memory_;
  RegisterBus register_bus_;
  WireIn wire_in_;
  WireOut wire_out_;
  Recorder* recorder_ = nullptr;
  uint64_t now_ = 0;
  uint64_t last_active_ = 0;
  uint64_t next_millisecond_ = kMillisecondCycles;  // the cycle in which it begins
};

// Registers of the simulated board. Reading lets simulated time pass until the answer is there.
class SimulatedRegisters final : public host::Registers {
 public:
  explicit SimulatedRegisters(Simulation& simulation) : simulation_(simulation) {}
  uint32_t Read32(uint32_t address) override;
  void Write32(uint32_t address, uint32_t value) override;

  // An access for which time need not stand still: begins it. One at a time.
  void Start(const host::Access& access);
  // It is done; a write when it is on its way. Throws std::runtime_error when that takes too long.
  bool done();
  // The value of a read, 0 of a write, once it is done.
  uint32_t TakeValue();

 private:
  uint32_t WaitForValue();

  Simulation& simulation_;
  bool reading_ = false;           // the access that was started is a read
  uint64_t asked_ = 0;             // how often in vain
  std::optional<uint32_t> value_;  // that was read
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_SIMULATION_H_
