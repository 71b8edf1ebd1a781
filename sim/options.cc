// SPDX-License-Identifier: Apache-2.0
#include "sim/options.h"

#include <arpa/inet.h>

#include <sstream>
#include <stdexcept>

namespace wirecache::sim {

Options::Options(int argc, char** argv) {
  for (int i = 0; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (!name.starts_with("--")) throw std::invalid_argument("not an option: " + name);
    values_[name.substr(2)] = argv[i + 1];
  }
}

const std::string& Options::Text(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) throw std::invalid_argument("missing option --" + name);
  return found->second;
}

uint64_t Options::Number(const std::string& name) const {
  size_t end = 0;
  const std::string& text = Text(name);
  const uint64_t value = std::stoull(text, &end);
  if (end != text.size()) throw std::invalid_argument("--" + name + " is no number: " + text);
  return value;
}

uint32_t Options::Ip(const std::string& name) const {
  in_addr address;
  if (inet_pton(AF_INET, Text(name).c_str(), &address) != 1) {
    throw std::invalid_argument("--" + name + " is no IPv4 address: " + Text(name));
  }
  return ntohl(address.s_addr);
}

Simulation::Options Options::Board() const {
  return {.memory_bytes = Number("memory"),
          .memory_timing = Text("memory-timing"),
          .memory_latency = static_cast<unsigned>(Number("memory-latency")),
          .controller_latency = static_cast<unsigned>(Number("controller-latency")),
          .trace_file = Text("trace")};
}

host::Settings Options::Host() const {
  host::Settings settings;
  std::istringstream mac(Text("mac"));
  for (std::string byte; std::getline(mac, byte, ':');) {
    settings.mac = settings.mac << 8 | std::stoul(byte, nullptr, 16);
  }
  std::istringstream sizes(Text("classes"));
  std::istringstream shares(Text("class-shares"));
  for (std::string size, share; std::getline(sizes, size, ',');) {
    std::getline(shares, share, ',');
    settings.classes.push_back({.bytes = std::stoull(size), .share = std::stoull(share)});
  }
  settings.ip = Ip("ip");
  settings.udp_port = static_cast<uint16_t>(Number("udp-port"));
  settings.frame_header = Number("frame-header") != 0;
  settings.memory_bytes = Number("memory");
  return settings;
}

}  // namespace wirecache::sim
