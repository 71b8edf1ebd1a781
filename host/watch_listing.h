// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_WATCH_LISTING_H_
#define WIRECACHE_HOST_WATCH_LISTING_H_

#include <memory>
#include <string>
#include <utility>

#include "host/listing.h"
#include "host/watch.h"

namespace wirecache::host {

// What a client that watches is told, until it closes its side of the connection.
class WatchListing final : public Listing {
 public:
  explicit WatchListing(std::shared_ptr<Watcher> watcher) : watcher_(std::move(watcher)) {}

  bool ended() const override { return ended_; }
  bool whole() const override { return false; }
  bool later() const override { return true; }
  Worker WritePart(std::string& answer) override;

 private:
  std::shared_ptr<Watcher> watcher_;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_WATCH_LISTING_H_
