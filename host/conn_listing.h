// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_CONN_LISTING_H_
#define WIRECACHE_HOST_CONN_LISTING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "host/listing.h"
#include "host/stats.h"

namespace wirecache::host {

// What `stats conns` says: the ports, and the peers of all connections of TCP of which requests may
// come, and of the one that asks. Over UDP it has one part.
class ConnListing final : public Listing {
 public:
  // `connections`: as many as the circuit has. `asker`: number of the one that asks, if it is one.
  ConnListing(BoardFacts facts, unsigned connections, std::optional<uint16_t> asker)
      : facts_(std::move(facts)), connections_(connections), asker_(asker) {}

  bool ended() const override { return begun_ && next_ == connections_; }
  bool whole() const override { return !asker_; }
  Worker WritePart(std::string& answer) override;

 private:
  BoardFacts facts_;
  unsigned connections_;
  std::optional<uint16_t> asker_;
  bool begun_ = false;
  unsigned next_ = 0;  // connection
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_CONN_LISTING_H_
