// SPDX-License-Identifier: Apache-2.0
#include "host/layout.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace wirecache::host {
namespace {

constexpr uint64_t kTableShare = 8;  // the table takes at most this part of memory
constexpr std::array<uint64_t, kClasses> kRegionPercent = {35, 55, 10};
constexpr uint64_t kPageLines = 4096 / kLineBytes;
constexpr uint64_t kPointerLines = uint64_t{1} << 30;  // a pointer has 30 bits for the line
constexpr uint64_t kMaxBlockLines = 0xFFFF;            // register CLASS_LINES

uint64_t UpToPage(uint64_t line) { return (line + kPageLines - 1) / kPageLines * kPageLines; }

// Empty when the memory is too small.
std::optional<Layout> Divide(uint64_t memory_lines, const ClassSizes& block_bytes,
                             const Circuit& circuit) {
  Layout layout;
  const auto table_lines = [&](unsigned bits) {
    return static_cast<uint64_t>(circuit.bucket_lines) << bits;
  };
  while (layout.bucket_bits < circuit.max_bucket_bits &&
         table_lines(layout.bucket_bits + 1) <= memory_lines / kTableShare) {
    ++layout.bucket_bits;
  }
  layout.table_lines = table_lines(layout.bucket_bits);
  uint64_t line = UpToPage(layout.table_lines);
  if (line >= memory_lines) return std::nullopt;
  const uint64_t value_lines = memory_lines - line;
  for (unsigned c = 0; c < kClasses; ++c) {
    Region& region = layout.regions[c];
    region.first_line = line;
    region.block_lines = block_bytes[c] / kLineBytes;
    // The last class takes what rounding has left.
    const uint64_t end =
        c + 1 == kClasses ? memory_lines : line + value_lines * kRegionPercent[c] / 100;
    region.blocks = end < line ? 0 : (end - line) / region.block_lines;
    if (region.blocks == 0) return std::nullopt;
    line = UpToPage(line + region.blocks * region.block_lines);
  }
  return layout;
}

std::string Mebibytes(uint64_t bytes) { return std::to_string(bytes >> 20) + "M"; }

}  // namespace

Layout MakeLayout(uint64_t memory_bytes, const ClassSizes& block_bytes, const Circuit& circuit) {
  for (unsigned c = 0; c < kClasses; ++c) {
    const uint64_t bytes = block_bytes[c];
    if (bytes == 0 || bytes % kLineBytes != 0 || bytes / kLineBytes > kMaxBlockLines ||
        (c > 0 && bytes <= block_bytes[c - 1])) {
      throw std::invalid_argument(
          "block sizes must be ascending multiples of 64 bytes, 4 MiB - 64 at most");
    }
  }
  if (memory_bytes / kLineBytes > kPointerLines) {
    throw std::invalid_argument("memory must not be more than 64G, which is what pointers reach");
  }
  if (const auto layout = Divide(memory_bytes / kLineBytes, block_bytes, circuit)) return *layout;
  for (uint64_t enough = uint64_t{1} << 20; enough / kLineBytes <= kPointerLines; enough *= 2) {
    if (enough > memory_bytes && Divide(enough / kLineBytes, block_bytes, circuit)) {
      throw std::invalid_argument("memory of " + Mebibytes(memory_bytes) +
                                  " is too small for these block sizes, " + Mebibytes(enough) +
                                  " will do");
    }
  }
  throw std::invalid_argument("no memory up to 64G holds blocks of these sizes");
}

}  // namespace wirecache::host
