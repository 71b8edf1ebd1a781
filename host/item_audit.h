// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_ITEM_AUDIT_H_
#define WIRECACHE_HOST_ITEM_AUDIT_H_

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "host/driver.h"

namespace wirecache::host {

// Whether table and log agree: each slot with an item points to a whole item in a segment, whose
// hash leads back to the slot's bucket, and to which no other slot points; no two of these items
// lie over one another; what the circuit says of items and segments adds up. Nothing may be in
// flight. A bucket that memory did not write is left out, as the circuit does not believe it. So is
// an item for each line of a copy that memory did not tell: nobody reads what stands there.
class ItemAudit {
 public:
  // The 8 bytes of the board's memory at an address, first one lowest.
  using Memory = std::function<uint64_t(uint64_t address)>;

  // `memory` as the circuit has meant to write it.
  ItemAudit(Driver& driver, const Memory& memory, const std::set<uint64_t>& unwritten);

  uint64_t items() const { return items_; }
  uint64_t bytes() const { return bytes_; }          // of these items
  uint64_t ghosts() const { return ghosts_; }        // slots
  uint64_t outside() const { return outside_; }      // slots that point to no segment
  uint64_t strange() const { return strange_; }      // to what is no item
  uint64_t elsewhere() const { return elsewhere_; }  // to an item of another bucket
  uint64_t overlaps() const { return overlaps_; }    // items that begin within another one
  uint64_t twice() const { return twice_; }          // tags that a bucket has twice
  bool counted() const { return counted_; }          // as many items as the circuit has counted
  bool segments_add_up() const { return segments_add_up_; }
  bool passed() const;
  // What is wrong, for people; empty: nothing.
  std::string Complaint() const;

 private:
  uint64_t items_ = 0;
  uint64_t bytes_ = 0;
  uint64_t ghosts_ = 0;
  uint64_t outside_ = 0;
  uint64_t strange_ = 0;
  uint64_t elsewhere_ = 0;
  uint64_t overlaps_ = 0;
  uint64_t twice_ = 0;
  uint64_t unread_ = 0;  // lines of copies
  bool counted_ = false;
  bool segments_add_up_ = false;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_ITEM_AUDIT_H_
