// SPDX-License-Identifier: Apache-2.0
#include "sim/trace_file.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/test/check.h"
#include "sim/test/temporary_file.h"

namespace wirecache::sim {
namespace {

constexpr uint8_t kHeader = 0, kValues = 8, kGeometry = 3, kNames = 6, kUnfinished = 255;

std::vector<uint8_t> File(const std::vector<uint8_t>& kinds) {
  std::vector<uint8_t> bytes;
  for (const uint8_t kind : kinds) {
    bytes.insert(bytes.end(), {kind, 0, 0, 0, 0, 0, 0, 1, 8});
    bytes.resize(bytes.size() + 256, kind);
  }
  return bytes;
}

TEST(a_trace_that_is_whole_passes) {
  const TemporaryFile file;
  file.Put(File({kHeader, kValues, kValues, kGeometry, kNames}));
  RequireWholeTrace(file.name);
}

TEST(a_trace_that_is_cut_anywhere_is_an_error) {
  const TemporaryFile file;
  const std::vector<uint8_t> whole = File({kHeader, kValues, kGeometry, kNames});
  for (size_t bytes = 0; bytes < whole.size(); ++bytes) {
    file.Put({whole.begin(), whole.begin() + static_cast<long>(bytes)});
    CHECK_THROWS(RequireWholeTrace(file.name), std::runtime_error);
  }
  for (const auto& kinds : {std::vector{kHeader, kUnfinished, kGeometry, kNames},
                            {kValues, kGeometry, kNames},
                            {kValues, kHeader, kGeometry, kNames}}) {
    file.Put(File(kinds));
    CHECK_THROWS(RequireWholeTrace(file.name), std::runtime_error);
  }
  CHECK_THROWS(RequireWholeTrace("/nowhere/at.fst"), std::runtime_error);
}

TEST(an_abort_while_a_trace_is_closed_is_one_line) {
  const TemporaryFile said;
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(said.name.c_str(), O_WRONLY), STDERR_FILENO);
    CloseTrace("the.fst", [] {
      std::cerr << "what the library says" << std::endl;
      std::abort();
    });
    std::_Exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1);
  std::ifstream in(said.name);
  std::string line, more;
  std::getline(in, line);
  CHECK(line == "wirecache: cannot write the.fst: the trace is cut; is the disk full?");
  CHECK(!std::getline(in, more));
}

TEST(a_trace_that_is_closed_leaves_no_trace) {
  bool closed = false;
  CloseTrace("the.fst", [&closed] { closed = true; });
  CHECK(closed && std::cerr.good());
}

}  // namespace
}  // namespace wirecache::sim
