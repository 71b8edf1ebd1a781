// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_LISTING_H_
#define WIRECACHE_HOST_LISTING_H_

#include <cstddef>
#include <string>

#include "host/worker.h"

namespace wirecache::host {

constexpr size_t kAnswerBytes = 8192;  // wc_pkg::CommandAnswerBytes

// An answer of many lines, which are read from the board and written in parts: a part has as many
// as fit an answer, or as are found in a bounded time.
class Listing {
 public:
  virtual ~Listing() = default;

  // The last line has been written.
  virtual bool ended() const = 0;
  // It has but one part. If that does not end it, it is too large.
  virtual bool whole() const = 0;
  // Behind a part of no bytes there is nothing to come for some milliseconds.
  virtual bool later() const { return false; }
  // Reads, and appends the next part to `answer`, with the end behind the last line.
  virtual Worker WritePart(std::string& answer) = 0;

 protected:
  // Of a part that has been begun: whether another line might be too much, after so many accesses
  // to registers, of some ten cycles each. The only part of a list takes as many as all need.
  bool Full(const std::string& answer, unsigned accesses) const {
    return answer.size() + kMostLineBytes > kAnswerBytes || (!whole() && accesses >= kPartAccesses);
  }

 private:
  // The longest line is a metadump's, of a key with %xx for each byte. A part, with the longest
  // item and the longest run (ItemWalk) behind it, takes less than a twentieth of the default
  // limit: so many may wait before a command.
  static constexpr size_t kMostLineBytes = 1024;
  static constexpr unsigned kPartAccesses = 2000;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_LISTING_H_
