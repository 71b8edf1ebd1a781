// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/commands.h"
#include "sim/player.h"

namespace wirecache::sim {

// A line holds the arguments of one capture as `replay` has them, apart by tabs; what comes of it
// is a line of JSON. The end of the input is the end of the board.
int Session(const Options& options) {
  Player player(options);
  for (std::string line; std::getline(std::cin, line);) {
    std::vector<std::string> words;
    std::istringstream in(line);
    for (std::string word; std::getline(in, word, '\t');) words.push_back(word);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    player.Play(Player::Capture(Options(static_cast<int>(arguments.size()), arguments.data())));
    if (const std::string complaint = player.Complaint(); !complaint.empty()) {
      throw std::runtime_error(complaint);
    }
    std::cout << player.Json().Text() << std::endl;
  }
  return 0;
}

}  // namespace wirecache::sim
