// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_HOST_WORKER_H_
#define WIRECACHE_HOST_WORKER_H_

#include <coroutine>
#include <cstdint>
#include <optional>
#include <utility>

#include "host/registers.h"

namespace wirecache::host {

// What a worker waits for.
struct Read {
  uint32_t address;
};
struct Write {
  uint32_t address;
  uint32_t value;
};
struct Sleep {};  // until Wake; it may be woken for nothing

// A thread of the memory manager: a coroutine that runs until it waits, and says for what. It knows
// nothing of who runs it. The simulated board takes workers in turns, so that a run repeats
// exactly; with a system thread for each, they run under one lock that is let go while they wait.
class Worker {
 public:
  struct promise_type {
    std::optional<Access> access;
    uint32_t value = 0;
    bool sleeping = false;

    struct Wait {
      promise_type& promise;
      bool await_ready() const noexcept { return false; }
      void await_suspend(std::coroutine_handle<>) const noexcept {}
      uint32_t await_resume() const noexcept { return promise.value; }
    };

    Worker get_return_object() {
      return Worker(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const { throw; }

    Wait await_transform(Read read) {
      access = Access{.write = false, .address = read.address, .value = 0};
      return {*this};
    }
    Wait await_transform(Write write) {
      access = Access{.write = true, .address = write.address, .value = write.value};
      return {*this};
    }
    Wait await_transform(const Access& other) {
      access = other;
      return {*this};
    }
    Wait await_transform(Sleep) {
      sleeping = true;
      return {*this};
    }
  };

  Worker() = default;
  Worker(Worker&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Worker& operator=(Worker&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Worker() {
    if (handle_) handle_.destroy();
  }

  // The access that it waits for.
  const std::optional<Access>& access() const { return handle_.promise().access; }
  // It waits for nothing.
  bool runnable() const { return !access() && !handle_.promise().sleeping; }

  void Wake() { handle_.promise().sleeping = false; }
  // Runs it until it waits again. `value` is what it has read.
  void Resume(uint32_t value = 0) {
    handle_.promise().access.reset();
    handle_.promise().value = value;
    handle_.resume();
  }

 private:
  explicit Worker(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

}  // namespace wirecache::host

#endif  // WIRECACHE_HOST_WORKER_H_
