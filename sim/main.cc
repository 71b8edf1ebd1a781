// SPDX-License-Identifier: Apache-2.0
// The simulated board as a program: `board serve …`, `board replay …`, `board session …`. Its
// options are made by the commands of `./wirecache` with these names, which have the help texts.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/commands.h"
#include "sim/trace_file.h"

namespace wirecache::sim {
namespace {

int Run(std::string_view command, const Options& options) {
  if (command == "serve") return Serve(options);
  if (command == "replay") return Replay(options);
  if (command == "session") return Session(options);
  throw std::invalid_argument("no such command");
}

// What was printed or traced may not have reached its file.
void RequireAllWritten(const Options& options) {
  std::cout.flush();
  if (std::fflush(stdout) != 0 || std::ferror(stdout) || !std::cout) {
    throw std::runtime_error(std::string("cannot write to standard output: ") +
                             std::strerror(errno));
  }
  if (const std::string& trace = options.Text("trace"); !trace.empty()) RequireWholeTrace(trace);
}

}  // namespace
}  // namespace wirecache::sim

int main(int argc, char** argv) {
  using namespace wirecache::sim;
  try {
    const Options options(argc - 2, argv + 2);
    const int status = Run(argc > 1 ? argv[1] : "", options);
    RequireAllWritten(options);
    return status;
  } catch (const std::invalid_argument& error) {  // the user's
    std::fprintf(stderr, "wirecache: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wirecache: %s\n", error.what());
    return 1;
  }
}
