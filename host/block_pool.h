// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_BLOCK_POOL_H_
#define WIRECACHE_HOST_BLOCK_POOL_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "host/layout.h"

namespace wirecache::host {

// The blocks of one class that the circuit does not have. Addresses are made when they are asked
// for: blocks given back go out again first, then the region is used from its beginning, so memory
// and start-up cost only what is used.
class BlockPool {
 public:
  explicit BlockPool(const Region& region) : region_(region) {}

  // The line of a free block.
  std::optional<uint64_t> Take();
  // False when this is no block that was taken: the circuit has made an error.
  bool Give(uint64_t line);

  uint64_t available() const { return returned_.size() + region_.blocks - made_; }
  // Blocks that have been in use at some time: the first so many of the region.
  uint64_t made() const { return made_; }
  // Those of them that have come back and wait for their next use.
  const std::vector<uint64_t>& returned() const { return returned_; }
  const Region& region() const { return region_; }

 private:
  Region region_;
  uint64_t made_ = 0;
  std::vector<uint64_t> returned_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_BLOCK_POOL_H_
