// SPDX-License-Identifier: Apache-2.0
// Ethernet frames in classic pcap files.
#ifndef WIRECACHE_SIM_PCAP_H_
#define WIRECACHE_SIM_PCAP_H_

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace wirecache::sim {

struct CapturedFrame {
  uint64_t nanoseconds = 0;  // Unix time
  std::vector<uint8_t> bytes;
};

// Reads a whole file with micro- or nanoseconds, of either byte order. Throws std::invalid_argument
// with a message for the user when it cannot, or when a frame was cut as it was captured: what the
// circuit would answer to half a frame says nothing about the whole one.
std::vector<CapturedFrame> ReadPcap(const std::string& file);

// Writes a file with nanoseconds.
class PcapWriter {
 public:
  explicit PcapWriter(const std::string& file);
  // These throw when not all has been written: the disk is full, say.
  void Write(uint64_t nanoseconds, std::span<const uint8_t> frame);
  void Close();

 private:
  void RequireGood() const;

  std::string file_;
  std::ofstream out_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_PCAP_H_
