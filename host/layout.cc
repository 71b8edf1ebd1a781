// SPDX-License-Identifier: Apache-2.0
#include "host/layout.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace wirecache::host {
namespace {

constexpr uint64_t kTableShare = 8;  // the table takes at most this part of memory
constexpr uint64_t kPageLines = 4096 / kLineBytes;
constexpr uint64_t kPointerLines = uint64_t{1} << kLineBits;
constexpr uint64_t kMaxBlockLines = 0xFFFF;  // register CLASS_LINES
constexpr uint64_t kMaxShare = 1'000'000;

uint64_t UpToPage(uint64_t line) { return (line + kPageLines - 1) / kPageLines * kPageLines; }

// Empty when the memory is too small.
std::optional<Layout> Divide(uint64_t memory_lines, const BlockClasses& classes,
                             const Circuit& circuit) {
  Layout layout;
  const auto table_bytes = [&](unsigned bits) { return circuit.bucket_bytes() << bits; };
  while (layout.bucket_bits < circuit.max_bucket_bits &&
         table_bytes(layout.bucket_bits + 1) <= memory_lines * kLineBytes / kTableShare) {
    ++layout.bucket_bits;
  }
  layout.table_bytes = table_bytes(layout.bucket_bits);
  uint64_t line = UpToPage((layout.table_bytes + kLineBytes - 1) / kLineBytes);
  if (line >= memory_lines) return std::nullopt;
  const uint64_t value_lines = memory_lines - line;
  uint64_t shares = 0;
  for (const BlockClass& wanted : classes) shares += wanted.share;
  for (size_t c = 0; c < classes.size(); ++c) {
    Region& region = layout.regions[c];
    region.first_line = line;
    region.block_lines = classes[c].bytes / kLineBytes;
    // The last class takes what rounding has left.
    const uint64_t end =
        c + 1 == classes.size() ? memory_lines : line + value_lines * classes[c].share / shares;
    region.blocks = end < line ? 0 : (end - line) / region.block_lines;
    if (region.blocks == 0) return std::nullopt;
    line = UpToPage(line + region.blocks * region.block_lines);
  }
  return layout;
}

void Check(const BlockClasses& classes) {
  if (classes.empty() || classes.size() > kClasses) {
    throw std::invalid_argument("there must be one to three sizes of blocks");
  }
  uint64_t before = 0;
  for (const auto& [bytes, share] : classes) {
    if (bytes % kLineBytes != 0 || bytes / kLineBytes > kMaxBlockLines || bytes <= before) {
      throw std::invalid_argument(
          "block sizes must be ascending multiples of 64 bytes, 4 MiB - 64 at most");
    }
    if (share == 0 || share > kMaxShare) {
      throw std::invalid_argument("shares of memory must be numbers from 1 to a million");
    }
    before = bytes;
  }
}

std::string Mebibytes(uint64_t bytes) { return std::to_string(bytes >> 20) + "M"; }

}  // namespace

Layout MakeLayout(uint64_t memory_bytes, const BlockClasses& classes, const Circuit& circuit) {
  Check(classes);
  if (memory_bytes / kLineBytes > kPointerLines) {
    throw std::invalid_argument("memory must not be more than 64G, which is what pointers reach");
  }
  if (const auto layout = Divide(memory_bytes / kLineBytes, classes, circuit)) return *layout;
  for (uint64_t enough = uint64_t{1} << 20; enough / kLineBytes <= kPointerLines; enough *= 2) {
    if (enough > memory_bytes && Divide(enough / kLineBytes, classes, circuit)) {
      throw std::invalid_argument("memory of " + Mebibytes(memory_bytes) +
                                  " is too small for these block sizes, " + Mebibytes(enough) +
                                  " will do");
    }
  }
  throw std::invalid_argument("no memory up to 64G holds blocks of these sizes");
}

}  // namespace wirecache::host
