// SPDX-License-Identifier: Apache-2.0
// Prints how the host divides the board's memory, as JSON, for the bench `memory`:
//   memory_layout MEMORY_BYTES BLOCK_BYTES,BLOCK_BYTES,BLOCK_BYTES BUCKET_LINES MAX_BUCKET_BITS
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "host/layout.h"

int main(int argc, char** argv) {
  namespace host = wirecache::host;
  if (argc != 5) return 2;
  host::ClassSizes sizes;
  char* text = argv[2];
  for (uint64_t& size : sizes) {
    size = std::strtoull(text, &text, 10);
    if (*text == ',') ++text;
  }
  host::Circuit circuit;
  circuit.bucket_lines = std::atoi(argv[3]);
  circuit.max_bucket_bits = std::atoi(argv[4]);
  try {
    const host::Layout layout =
        host::MakeLayout(std::strtoull(argv[1], nullptr, 10), sizes, circuit);
    std::printf("{\"bucket_bits\": %u, \"table_bytes\": %llu, \"regions\": [", layout.bucket_bits,
                static_cast<unsigned long long>(layout.table_lines * host::kLineBytes));
    const char* separator = "";
    for (const host::Region& region : layout.regions) {
      std::printf("%s{\"block_bytes\": %llu, \"blocks\": %llu}", separator,
                  static_cast<unsigned long long>(region.block_lines * host::kLineBytes),
                  static_cast<unsigned long long>(region.blocks));
      separator = ", ";
    }
    std::printf("]}\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
