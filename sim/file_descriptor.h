// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_FILE_DESCRIPTOR_H_
#define WIRECACHE_SIM_FILE_DESCRIPTOR_H_

#include <unistd.h>

#include <utility>

namespace wirecache::sim {

// Owns a file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_FILE_DESCRIPTOR_H_
