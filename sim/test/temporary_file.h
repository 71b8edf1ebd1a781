// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_TEST_TEMPORARY_FILE_H_
#define WIRECACHE_SIM_TEST_TEMPORARY_FILE_H_

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {

// A file that goes away.
struct TemporaryFile {
  std::string name = "/tmp/wirecache_test_XXXXXX";
  TemporaryFile() {
    const int fd = mkstemp(name.data());
    CHECK(fd >= 0);
    close(fd);
  }
  ~TemporaryFile() { std::remove(name.c_str()); }
  void Put(const std::vector<uint8_t>& bytes) const {
    std::ofstream out(name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  }
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TEST_TEMPORARY_FILE_H_
