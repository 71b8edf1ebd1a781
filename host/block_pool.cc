// SPDX-License-Identifier: Apache-2.0
#include "host/block_pool.h"

namespace wirecache::host {

std::optional<uint64_t> BlockPool::Take() {
  if (!returned_.empty()) {
    const uint64_t line = returned_.back();
    returned_.pop_back();
    return line;
  }
  if (made_ == region_.blocks) return std::nullopt;
  return region_.first_line + region_.block_lines * made_++;
}

bool BlockPool::Give(uint64_t line) {
  if (made_ == 0 || line < region_.first_line) return false;
  const uint64_t offset = line - region_.first_line;
  if (offset % region_.block_lines != 0 || offset / region_.block_lines >= made_) return false;
  // Cannot hold more than were ever made: then one has come back twice.
  if (returned_.size() == made_) return false;
  returned_.push_back(line);
  return true;
}

}  // namespace wirecache::host
