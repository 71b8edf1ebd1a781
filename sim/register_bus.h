// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_REGISTER_BUS_H_
#define WIRECACHE_SIM_REGISTER_BUS_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "sim/signals.h"

namespace wirecache::sim {

// AXI4-Lite master that carries out queued register accesses in order. Writes follow each other
// without waiting for their responses; a read waits for those of all writes before it, and nothing
// overtakes a read.
class RegisterBus {
 public:
  explicit RegisterBus(const AxiLiteSignals& signals);

  void Write(uint32_t address, uint32_t value);
  // One at a time: its value is to be taken before the next is queued.
  void Read(uint32_t address);
  std::optional<uint32_t> TakeValue();

  void Sample();
  void Drive();

  // Accesses that have not begun.
  size_t waiting() const { return queue_.size(); }
  bool busy() const { return !queue_.empty() || outstanding_ != 0; }

 private:
  static constexpr unsigned kMaxOutstanding = 8;
  struct Access {
    bool write;
    uint16_t address;
    uint32_t value;
  };

  AxiLiteSignals signals_;
  std::deque<Access> queue_;
  unsigned outstanding_ = 0;  // addresses not yet handed over or responses not yet here
  bool reading_ = false;
  bool aw_taken_ = false;
  bool w_taken_ = false;
  bool ar_taken_ = false;
  std::optional<uint32_t> value_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_REGISTER_BUS_H_
