// SPDX-License-Identifier: Apache-2.0
#include "sim/options.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace wirecache::sim {
namespace {

// For tests of what is said of a circuit that stands still.
constexpr const char* kMemoryStops = "WIRECACHE_MEMORY_STOPS";

}  // namespace

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

uint64_t Options::Number(const std::string& name, uint64_t most) const {
  return Parse(name, Text(name), most);
}

std::vector<uint64_t> Options::Numbers(const std::string& name, char separator, int base) const {
  std::vector<uint64_t> numbers;
  const std::string& text = Text(name);
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    numbers.push_back(Parse(name, std::string_view(text).substr(begin, end - begin), kAny, base));
    begin = end + 1;
  }
  return numbers;
}

uint64_t Options::Parse(const std::string& name, std::string_view text, uint64_t most, int base) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error == std::errc::invalid_argument || stop != end) {
    throw std::invalid_argument("--" + name + " is no number: " + std::string(text));
  }
  if (error == std::errc::result_out_of_range || value > most) {
    throw std::invalid_argument("--" + name + " is too large: " + std::string(text));
  }
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
  constexpr uint64_t kMost = std::numeric_limits<unsigned>::max();
  const char* stops = std::getenv(kMemoryStops);
  return {.memory_bytes = Number("memory"),
          .memory_timing = Text("memory-timing"),
          .memory_latency = static_cast<unsigned>(Number("memory-latency", kMost)),
          .controller_latency = static_cast<unsigned>(Number("controller-latency", kMost)),
          .memory_errors = {.reads = Number("memory-read-errors"),
                            .writes = Number("memory-write-errors"),
                            .seed = Number("memory-error-seed"),
                            .answered = stops == nullptr ? kAny : Parse(kMemoryStops, stops, kAny)},
          .trace_file = Text("trace")};
}

host::Settings Options::Host() const {
  constexpr uint64_t kMost = std::numeric_limits<unsigned>::max();
  host::Settings settings;
  for (const uint64_t byte : Numbers("mac", ':', 16)) settings.mac = settings.mac << 8 | byte;
  const std::vector<uint64_t> sizes = Numbers("classes", ',');
  const std::vector<uint64_t> shares = Numbers("class-shares", ',');
  if (sizes.size() != shares.size()) {
    throw std::invalid_argument("--class-shares are not as many as --classes");
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    settings.classes.push_back({.bytes = sizes[i], .share = shares[i]});
  }
  std::istringstream allow(Text("allow"));
  for (std::string network; std::getline(allow, network, ',');) {
    const size_t slash = network.find('/');
    in_addr address;
    if (slash == network.npos ||
        inet_pton(AF_INET, network.substr(0, slash).c_str(), &address) != 1) {
      throw std::invalid_argument("--allow has no network address: " + network);
    }
    const uint64_t bits = Parse("allow", std::string_view(network).substr(slash + 1), 32);
    settings.allow.push_back(
        {.address = ntohl(address.s_addr), .mask = bits == 0 ? 0 : ~uint32_t{0} << (32 - bits)});
  }
  settings.ip = Ip("ip");
  settings.udp_port =
      static_cast<uint16_t>(Number("udp-port", std::numeric_limits<uint16_t>::max()));
  settings.tcp_port = TcpPort();
  if (values_.contains("conn-limit")) {
    settings.connections = static_cast<unsigned>(Number("conn-limit", kMost));
  }
  if (values_.contains("idle-timeout")) {
    settings.idle_timeout = static_cast<unsigned>(Number("idle-timeout", kMost));
  }
  if (values_.contains("keepalive-idle")) {
    settings.keepalive = {
        .idle = static_cast<unsigned>(Number("keepalive-idle", kMost)),
        .interval = static_cast<unsigned>(Number("keepalive-interval", kMost)),
        .probes = static_cast<unsigned>(Number("keepalive-probes", kMost)),
    };
  }
  settings.frame_header = Number("frame-header") != 0;
  settings.answer_limit = static_cast<uint32_t>(Number("udp-answer-limit"));
  settings.version = Text("version-text");
  settings.command_limit =
      static_cast<uint32_t>(Number("command-limit", std::numeric_limits<int32_t>::max()));
  settings.item_size_max = static_cast<uint32_t>(Number("item-size-max"));
  settings.allow_dumps = Number("disable-dumping") == 0;
  settings.allow_watch = Number("disable-watch") == 0;
  settings.allow_shutdown = Number("enable-shutdown") != 0;
  settings.allow_debugtime = Number("enable-debugtime") != 0;
  settings.memory_bytes = Number("memory");
  settings.memory_is_zero = true;  // sim/sparse_memory.h
  settings.usual_item_bytes = Number("item-size");
  return settings;
}

uint16_t Options::TcpPort() const {
  if (!values_.contains("tcp-port")) return 0;
  return static_cast<uint16_t>(Number("tcp-port", std::numeric_limits<uint16_t>::max()));
}

std::optional<Impairments::Options> Options::Impair() const {
  if (Text("impair-in").empty() && Text("impair-out").empty()) return std::nullopt;
  return Impairments::Options{
      .in = Direction("impair-in"), .out = Direction("impair-out"), .seed = Number("impair-seed")};
}

// One direction, in the order in which py/wirecache/cli/impair_options.py gives its numbers.
Impairment::Settings Options::Direction(const std::string& name) const {
  const std::vector<uint64_t> numbers = Numbers(name, ',');
  if (numbers.size() != 9 || numbers[2] == 0) {
    throw std::invalid_argument("--" + name + " is not what it should be: " + Text(name));
  }
  return {.loss = numbers[0],
          .reorder = numbers[1],
          .duplicate = numbers[3],
          .corrupt = numbers[4],
          .distance = numbers[2],
          .delay = numbers[5],
          .jitter = numbers[6],
          .blackout = numbers[7],
          .blackout_begin = numbers[8]};
}

}  // namespace wirecache::sim
