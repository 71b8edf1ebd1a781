// SPDX-License-Identifier: Apache-2.0
// The simulated board as a program: `board serve …`, `board replay …`, `board session …`. Its
// options are made by the commands of `./wirecache` with these names, which have the help texts.
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "sim/commands.h"

int main(int argc, char** argv) {
  using namespace wirecache::sim;
  try {
    const std::string_view command = argc > 1 ? argv[1] : "";
    const Options options(argc - 2, argv + 2);
    if (command == "serve") return Serve(options);
    if (command == "replay") return Replay(options);
    if (command == "session") return Session(options);
    throw std::invalid_argument("no such command");
  } catch (const std::invalid_argument& error) {  // the user's
    std::fprintf(stderr, "wirecache: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "wirecache: %s\n", error.what());
    return 1;
  }
}
