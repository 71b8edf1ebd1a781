// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_RING_H_
#define WIRECACHE_SIM_RING_H_

#include <cstddef>
#include <memory>

namespace wirecache::sim {

// A queue of fixed capacity (a power of two). Entries stay where they are from PushBack to
// PopFront, and nothing is allocated in between.
template <typename T, size_t kCapacity>
class Ring {
  static_assert((kCapacity & (kCapacity - 1)) == 0);

 public:
  Ring() : entries_(std::make_unique<T[]>(kCapacity)) {}

  size_t size() const { return tail_ - head_; }
  size_t room() const { return kCapacity - size(); }
  bool empty() const { return tail_ == head_; }

  // The entry is as it was left by whoever had it before: set all of it.
  T& PushBack() { return entries_[tail_++ % kCapacity]; }
  void PopFront() { ++head_; }
  T& front() { return entries_[head_ % kCapacity]; }
  T& back() { return entries_[(tail_ - 1) % kCapacity]; }
  T& operator[](size_t i) { return entries_[(head_ + i) % kCapacity]; }

 private:
  std::unique_ptr<T[]> entries_;
  size_t head_ = 0;
  size_t tail_ = 0;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_RING_H_
