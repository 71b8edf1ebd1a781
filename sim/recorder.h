// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_RECORDER_H_
#define WIRECACHE_SIM_RECORDER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/signals.h"
#include "wc_layout.h"

namespace wirecache::sim {

// Cycles in which something passed the boundaries between the stages. Everything is in order
// everywhere, so the n-th entry of each list belongs to the n-th operation, word or line.
class Recorder {
 public:
  Recorder(const uint16_t& probes, const uint32_t* item_probe, const AxiSignals& index)
      : probes_(probes), item_probe_(item_probe), index_(index) {}

  void Sample(uint64_t now) {
    for (unsigned rest = probes_; rest != 0; rest &= rest - 1) {
      passed_[static_cast<size_t>(__builtin_ctz(rest))].push_back(now);
    }
    if (index_.arvalid && index_.arready) {
      asked_.insert(asked_.end(), size_t{index_.arlen} + 1, now);
    }
    if (index_.rvalid && index_.rready) arrived_.push_back(now);
    if (item_probe_[0] | item_probe_[1] | item_probe_[2]) SampleItem();
  }

  // Calls use(name, list) for each.
  template <typename Use>
  void ForEach(Use use) const {
    for (size_t i = 0; i < kProbes.size(); ++i) use(kProbes[i], passed_[i]);
    use("line_asked", asked_);
    use("line_arrived", arrived_);
    use("item_probe", item_);
  }

 private:
  // Two words a cycle in which the item index does what a model must know.
  void SampleItem() {
    const uint64_t low = item_probe_[0] | uint64_t{item_probe_[1]} << 32;
    constexpr uint64_t kLow = uint64_t{1} << host::kItemMetBit | uint64_t{1} << host::kItemMovedBit;
    constexpr uint64_t kHigh =
        uint64_t{1} << (host::kItemLookedBit - 64) | uint64_t{1} << (host::kItemGiveBit - 64);
    if ((low & kLow) != 0 || (item_probe_[2] & kHigh) != 0) {
      item_.insert(item_.end(), {low, item_probe_[2]});
    }
  }

  // As wc_board.sv brings them out, lowest bit first.
  static constexpr std::array<const char*, 8> kProbes = {"packet", "request", "hashed", "looked_up",
                                                         "sized",  "done",    "word",   "value"};

  const uint16_t& probes_;
  const uint32_t* item_probe_;  // three words
  AxiSignals index_;
  std::array<std::vector<uint64_t>, kProbes.size()> passed_;
  std::vector<uint64_t> asked_;    // lines the index has asked for
  std::vector<uint64_t> arrived_;  // and got
  std::vector<uint64_t> item_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_RECORDER_H_
