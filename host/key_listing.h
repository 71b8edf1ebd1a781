// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_KEY_LISTING_H_
#define WIRECACHE_HOST_KEY_LISTING_H_

#include <cstdint>
#include <string>
#include <utility>

#include "host/item_walk.h"
#include "host/key_list.h"
#include "host/listing.h"

namespace wirecache::host {

// A list of keys, from a walk over the items. That of one key, in its bucket, is never in parts:
// it has one line at most, and the bucket eight items.
class KeyListing final : public Listing {
 public:
  KeyListing(KeyList form, ItemWalk walk) : form_(std::move(form)), walk_(std::move(walk)) {}

  bool ended() const override { return walk_.ended() || items_ == form_.most; }
  bool whole() const override { return form_.key.has_value(); }
  Worker WritePart(std::string& answer) override;

 private:
  KeyList form_;
  ItemWalk walk_;
  uint64_t items_ = 0;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_KEY_LISTING_H_
