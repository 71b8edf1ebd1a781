// SPDX-License-Identifier: Apache-2.0
#include "sim/pcap.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

// A file that goes away.
struct TemporaryFile {
  std::string name = "/tmp/wirecache_pcap_XXXXXX";
  TemporaryFile() { CHECK(mkstemp(name.data()) >= 0); }
  ~TemporaryFile() { std::remove(name.c_str()); }
  void Put(const std::vector<uint8_t>& bytes) const {
    std::ofstream out(name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  }
};

std::vector<uint8_t> Words(const std::vector<uint32_t>& words, bool big_endian) {
  std::vector<uint8_t> out;
  for (const uint32_t word : words) {
    for (unsigned i = 0; i < 4; ++i) {
      out.push_back(static_cast<uint8_t>(word >> 8 * (big_endian ? 3 - i : i)));
    }
  }
  return out;
}

TEST(pcap_of_both_units_and_byte_orders) {
  for (const bool big_endian : {false, true}) {
    for (const bool nanoseconds : {false, true}) {
      const TemporaryFile file;
      const uint32_t magic = nanoseconds ? 0xA1B23C4D : 0xA1B2C3D4;
      auto bytes = Words({magic, 0x00040002, 0, 0, 65535, 1, 7, 9, 4, 4}, big_endian);
      bytes.insert(bytes.end(), {1, 2, 3, 4});
      file.Put(bytes);
      const auto frames = ReadPcap(file.name);
      CHECK_EQ(frames.size(), 1u);
      CHECK_EQ(frames[0].nanoseconds, 7'000'000'000u + (nanoseconds ? 9u : 9000u));
      CHECK(frames[0].bytes == std::vector<uint8_t>({1, 2, 3, 4}));
    }
  }
}

TEST(what_is_written_can_be_read) {
  const TemporaryFile file;
  PcapWriter writer(file.name);
  const std::vector<uint8_t> first = {1, 2, 3}, second(1500, 7);
  writer.Write(1'700'000'000'123'456'789, first);
  writer.Write(1'700'000'001'000'000'000, second);
  writer.Close();
  const auto frames = ReadPcap(file.name);
  CHECK_EQ(frames.size(), 2u);
  CHECK_EQ(frames[0].nanoseconds, 1'700'000'000'123'456'789u);
  CHECK(frames[0].bytes == first);
  CHECK(frames[1].bytes == second);
}

TEST(files_that_are_no_pcap_are_errors) {
  const TemporaryFile file;
  const auto fails = [&file](std::vector<uint8_t> bytes) {
    file.Put(bytes);
    CHECK_THROWS(ReadPcap(file.name), std::invalid_argument);
  };
  fails({});
  fails({1, 2, 3});
  fails(Words({0x12345678, 0, 0, 0, 0, 1}, false));
  fails(Words({0x0A0D0D0A, 0, 0, 0, 0, 1}, false));
  fails(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 101}, false));
  fails(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 1, 7, 9}, false));
  fails(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 1, 7, 9, 8, 8, 1}, false));
  fails(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 1, 7, 9, 0xFFFFFFFF, 8, 1}, false));
  CHECK_THROWS(ReadPcap("/nowhere/at.pcap"), std::invalid_argument);
  CHECK_THROWS(PcapWriter("/nowhere/at.pcap"), std::invalid_argument);
}

}  // namespace
}  // namespace wirecache::sim
