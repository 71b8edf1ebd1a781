// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_AUDIT_H_
#define WIRECACHE_HOST_AUDIT_H_

#include <array>
#include <cstdint>
#include <functional>
#include <set>

#include "host/driver.h"

namespace wirecache::host {

// Where every block is: each must be in one place. Takes what is in the deleted queue, looks at all
// slots of the table and knows what stands in the free queues. Nothing may be in flight. Blocks in
// a bucket that memory did not write are out of use until the table is cleared; with more such
// buckets than the circuit has a list for, it uses none.
class Audit {
 public:
  // Blocks of one class by place. The first six make up all of them if nothing is lost or twice.
  struct Blocks {
    uint64_t table = 0;       // held by a valid slot
    uint64_t out_of_use = 0;  // held by one of a bucket that memory did not write
    uint64_t queued = 0;      // in the free queue
    uint64_t deleted = 0;     // were in the deleted queue
    uint64_t pool = 0;        // back at the host, those of the deleted queue apart
    uint64_t unused = 0;      // at the host and never given out
    uint64_t lost = 0;        // nowhere
    uint64_t twice = 0;       // in two places or more
  };
  // The 8 bytes of the board's memory at an address, first one lowest.
  using Memory = std::function<uint64_t(uint64_t address)>;

  // `memory` as the circuit has meant to write it.
  Audit(Driver& driver, const Memory& memory, const std::set<uint64_t>& unwritten);

  const std::array<Blocks, kClasses>& classes() const { return classes_; }
  // Pointers in the table or in a queue that are no block that was given out.
  uint64_t unknown() const { return unknown_; }
  uint64_t lost() const;
  uint64_t twice() const;
  uint64_t out_of_use() const;
  // The circuit knows of as many unwritten buckets as there are.
  bool retired() const { return retired_; }
  bool passed() const { return lost() == 0 && twice() == 0 && unknown() == 0 && retired(); }

 private:
  std::array<Blocks, kClasses> classes_;
  uint64_t unknown_ = 0;
  bool retired_ = false;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_AUDIT_H_
