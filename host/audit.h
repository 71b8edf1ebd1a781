// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_AUDIT_H_
#define WIRECACHE_HOST_AUDIT_H_

#include <array>
#include <cstdint>
#include <functional>

#include "host/driver.h"

namespace wirecache::host {

// Where every block is: each must be in one place. Takes what is in the deleted queue, looks at all
// slots of the table and knows what stands in the free queues. Nothing may be in flight.
class Audit {
 public:
  // Blocks of one class by place. The first five make up all of them if nothing is lost or twice.
  struct Blocks {
    uint64_t table = 0;    // held by a valid slot
    uint64_t queued = 0;   // in the free queue
    uint64_t deleted = 0;  // were in the deleted queue
    uint64_t pool = 0;     // back at the host, those of the deleted queue apart
    uint64_t unused = 0;   // at the host and never given out
    uint64_t lost = 0;     // nowhere
    uint64_t twice = 0;    // in two places or more
  };
  // The 8 bytes of the board's memory at an address, first one lowest.
  using Memory = std::function<uint64_t(uint64_t address)>;

  Audit(Driver& driver, const Memory& memory);

  const std::array<Blocks, kClasses>& classes() const { return classes_; }
  // Pointers in the table or in a queue that are no block that was given out.
  uint64_t unknown() const { return unknown_; }
  uint64_t lost() const;
  uint64_t twice() const;
  bool passed() const { return lost() == 0 && twice() == 0 && unknown() == 0; }

 private:
  std::array<Blocks, kClasses> classes_;
  uint64_t unknown_ = 0;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_AUDIT_H_
