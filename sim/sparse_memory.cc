// SPDX-License-Identifier: Apache-2.0
#include "sim/sparse_memory.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace wirecache::sim {
namespace {

constexpr uint64_t kAllBytes = ~uint64_t{0};

// Whether the bytes to be written are all zero.
bool WritesZeros(const uint8_t* data, uint64_t strobe) {
  if (strobe == kAllBytes) {
    uint64_t any = 0;
    for (unsigned i = 0; i < kLineBytes; i += sizeof(uint64_t)) {
      uint64_t word;
      std::memcpy(&word, data + i, sizeof(word));
      any |= word;
    }
    return any == 0;
  }
  for (unsigned i = 0; i < kLineBytes; ++i) {
    if ((strobe >> i & 1) && data[i] != 0) return false;
  }
  return true;
}

}  // namespace

SparseMemory::SparseMemory(uint64_t bytes)
    : bytes_(bytes), chunks_((bytes / kPageBytes + kChunkPages) / kChunkPages) {}

void SparseMemory::Grow(uint64_t bytes) {
  bytes_ = bytes;
  chunks_.resize((bytes / kPageBytes + kChunkPages) / kChunkPages);
}

uint8_t* SparseMemory::Find(uint64_t address) const {
  const uint64_t page = address / kPageBytes;
  const auto& chunk = chunks_[page / kChunkPages];
  if (!chunk) return nullptr;
  const auto& found = (*chunk)[page % kChunkPages];
  return found ? found->data() + address % kPageBytes : nullptr;
}

uint8_t* SparseMemory::Make(uint64_t address) {
  const uint64_t page = address / kPageBytes;
  auto& chunk = chunks_[page / kChunkPages];
  if (!chunk) chunk = std::make_unique<Chunk>();
  auto& made = (*chunk)[page % kChunkPages];
  if (!made) {
    made = std::make_unique<Page>();
    ++pages_;
  }
  return made->data() + address % kPageBytes;
}

void SparseMemory::ReadLine(uint64_t address, void* out) const {
  if (const uint8_t* line = Find(address)) {
    std::memcpy(out, line, kLineBytes);
  } else {
    std::memset(out, 0, kLineBytes);
  }
}

void SparseMemory::WriteLine(uint64_t address, const void* data, uint64_t strobe) {
  const auto* bytes = static_cast<const uint8_t*>(data);
  uint8_t* line = Find(address);
  if (line == nullptr) {
    if (WritesZeros(bytes, strobe)) return;
    line = Make(address);
  }
  if (strobe == kAllBytes) {
    std::memcpy(line, bytes, kLineBytes);
    return;
  }
  for (unsigned i = 0; i < kLineBytes; ++i) {
    if (strobe >> i & 1) line[i] = bytes[i];
  }
}

void SparseMemory::Read(uint64_t address, void* out, unsigned bytes) const {
  auto* to = static_cast<uint8_t*>(out);
  while (bytes > 0) {
    const unsigned offset = address % kLineBytes;
    const unsigned piece = std::min(bytes, kLineBytes - offset);
    std::array<uint8_t, kLineBytes> line;
    ReadLine(address - offset, line.data());
    std::memcpy(to, line.data() + offset, piece);
    to += piece;
    address += piece;
    bytes -= piece;
  }
}

void SparseMemory::Write(uint64_t address, const void* data, uint64_t strobe, unsigned bytes) {
  const auto* from = static_cast<const uint8_t*>(data);
  while (bytes > 0) {
    const unsigned offset = address % kLineBytes;
    const unsigned piece = std::min(bytes, kLineBytes - offset);
    const uint64_t mask = piece == kLineBytes ? kAllBytes : (uint64_t{1} << piece) - 1;
    std::array<uint8_t, kLineBytes> line;
    std::memcpy(line.data() + offset, from, piece);
    WriteLine(address - offset, line.data(), (strobe & mask) << offset);
    strobe = piece == kLineBytes ? 0 : strobe >> piece;
    from += piece;
    address += piece;
    bytes -= piece;
  }
}

}  // namespace wirecache::sim
