// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_SPARSE_MEMORY_H_
#define WIRECACHE_SIM_SPARSE_MEMORY_H_

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace wirecache::sim {

inline constexpr unsigned kLineBytes = 64;

// What a memory holds, zero at first. Pages appear when something other than zero is written to
// them; to read an absent page, or to write zeros to it, costs nothing.
class SparseMemory {
 public:
  explicit SparseMemory(uint64_t bytes);

  uint64_t size() const { return bytes_; }
  // There are so many bytes from here on: no fewer than before.
  void Grow(uint64_t bytes);
  uint64_t touched_bytes() const { return pages_ * kPageBytes; }

  // The 64 bytes at `address`, which is aligned and inside.
  void ReadLine(uint64_t address, void* out) const;
  // Writes those bytes that have their bit in `strobe` set.
  void WriteLine(uint64_t address, const void* data, uint64_t strobe);
  // The same for any run of up to 64 bytes, which may lie in two lines.
  void Read(uint64_t address, void* out, unsigned bytes) const;
  void Write(uint64_t address, const void* data, uint64_t strobe, unsigned bytes);

 private:
  static constexpr uint64_t kPageBytes = 4096;
  static constexpr uint64_t kChunkPages = 512;
  using Page = std::array<uint8_t, kPageBytes>;
  using Chunk = std::array<std::unique_ptr<Page>, kChunkPages>;

  uint8_t* Find(uint64_t address) const;
  uint8_t* Make(uint64_t address);

  uint64_t bytes_;
  uint64_t pages_ = 0;
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_SPARSE_MEMORY_H_
