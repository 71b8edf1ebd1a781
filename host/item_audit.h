// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_ITEM_AUDIT_H_
#define WIRECACHE_HOST_ITEM_AUDIT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "host/driver.h"

namespace wirecache::host {

// Whether table and log agree: each slot with an item points to a whole item in a segment, whose
// key has the slot's tag and hashes to the slot's bucket, and to which no other slot points; no two
// of these items lie over one another; what the circuit says of items and segments adds up. Nothing
// may be in flight. What is in a bucket that memory did not write is left out, as the circuit does
// not believe it. So are as many items as may have lines that memory did not tell when they were
// copied: nobody reads what stands there.
class ItemAudit {
 public:
  // The 8 bytes of the board's memory at an address, first one lowest.
  using Memory = std::function<uint64_t(uint64_t address)>;
  // Buckets that could not be written; true: memory took zeros for it since.
  using Unwritten = std::map<uint64_t, bool>;

  // `memory` as the circuit has meant to write it.
  ItemAudit(Driver& driver, const Memory& memory, const Unwritten& unwritten);

  uint64_t items() const { return items_; }            // in buckets that count
  uint64_t bytes() const { return bytes_; }            // of these items
  uint64_t ghosts() const { return ghosts_; }          // slots
  uint64_t outside() const { return outside_; }        // slots that point to no segment
  uint64_t strange() const { return strange_; }        // to what is no item
  uint64_t elsewhere() const { return elsewhere_; }    // to an item of another bucket
  uint64_t mismatched() const { return mismatched_; }  // to one whose key has another tag or hash
  uint64_t unchecked() const { return unchecked_; }    // to one whose key is not all here
  uint64_t overlaps() const { return overlaps_; }      // items that begin within another one
  uint64_t twice() const { return twice_; }            // tags that a bucket has twice
  bool counted() const { return counted_; }            // as many items as the circuit has counted
  bool segments_add_up() const { return segments_add_up_; }
  bool segments_suffice() const { return segments_suffice_; }  // those in use, for all items
  bool retired() const { return retired_; }  // the circuit knows of the buckets not written
  bool passed() const;
  // What is wrong, for people; empty: nothing.
  std::string Complaint() const;

 private:
  struct Walk;  // through the table, while it is done

  // Looks at a bucket's slots; gives the number of items, believed or not.
  uint64_t Look(Walk& walk, uint64_t bucket, bool believed);
  void LookAtItem(Walk& walk, uint64_t bucket, uint64_t slot);
  void ComparePlaces(Walk& walk);

  uint64_t items_ = 0;
  uint64_t bytes_ = 0;
  uint64_t ghosts_ = 0;
  uint64_t outside_ = 0;
  uint64_t strange_ = 0;
  uint64_t elsewhere_ = 0;
  uint64_t mismatched_ = 0;
  uint64_t unchecked_ = 0;
  uint64_t overlaps_ = 0;
  uint64_t twice_ = 0;
  uint64_t forgiven_ = 0;  // items that may be none, as memory did not tell what was copied
  uint64_t begun_ = 0;     // segments in which an item begins
  bool counted_ = false;
  bool segments_add_up_ = false;
  bool segments_suffice_ = false;
  bool retired_ = false;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_ITEM_AUDIT_H_
