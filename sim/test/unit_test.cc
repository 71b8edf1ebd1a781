// SPDX-License-Identifier: Apache-2.0
// Runs the test named on the command line; without one, prints the names of all.
#include <cstring>

#include "sim/test/check.h"

int main(int argc, char** argv) {
  for (const auto& test : wirecache::test::Cases()) {
    if (argc < 2) {
      std::printf("%s\n", test.name);
    } else if (std::strcmp(argv[1], test.name) == 0) {
      test.body();
      return 0;
    }
  }
  return argc < 2 ? 0 : 2;
}
