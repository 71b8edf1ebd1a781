// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_REGISTERS_H_
#define WIRECACHE_HOST_REGISTERS_H_

#include <cstdint>

namespace wirecache::host {

// A register access that somebody waits for.
struct Access {
  bool write = false;
  uint32_t address = 0;
  uint32_t value = 0;  // of a write
};

// The one way from the host software to a board: 32-bit registers at byte addresses. A PCIe board
// maps them into memory; the simulated board carries them over the circuit's AXI4-Lite port.
class Registers {
 public:
  virtual ~Registers() = default;

  // Comes back with the value, after all writes before it have been carried out.
  virtual uint32_t Read32(uint32_t address) = 0;
  // May come back before the write is carried out; writes keep their order.
  virtual void Write32(uint32_t address, uint32_t value) = 0;

  // The value of a read, 0 of a write.
  uint32_t Carry(const Access& access) {
    if (!access.write) return Read32(access.address);
    Write32(access.address, access.value);
    return 0;
  }
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_REGISTERS_H_
