// SPDX-License-Identifier: Apache-2.0
// Prints how the host divides the board's memory, as JSON, for the bench `memory`:
//   memory_layout MEMORY_BYTES SLOTS BUCKET_LINES MAX_BUCKET_BITS {BLOCK_BYTES SHARE}...
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "host/layout.h"

int main(int argc, char** argv) {
  namespace host = wirecache::host;
  if (argc < 5 || argc % 2 == 0) return 2;
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  const host::Circuit circuit = {.slots = static_cast<unsigned>(number(2)),
                                 .bucket_lines = static_cast<unsigned>(number(3)),
                                 .max_bucket_bits = static_cast<unsigned>(number(4))};
  host::BlockClasses classes;
  for (int i = 5; i < argc; i += 2) classes.push_back({.bytes = number(i), .share = number(i + 1)});
  try {
    const host::Layout layout = host::MakeLayout(number(1), classes, circuit);
    std::printf("{\"bucket_bytes\": %llu, \"bucket_bits\": %u, \"table_bytes\": %llu, ",
                static_cast<unsigned long long>(circuit.bucket_bytes()), layout.bucket_bits,
                static_cast<unsigned long long>(layout.table_bytes));
    const char* separator = "\"regions\": [";
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
