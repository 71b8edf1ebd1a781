// SPDX-License-Identifier: Apache-2.0
#include "sim/pcap.h"

#include <stdexcept>
#include <string>
#include <vector>

#include "sim/test/check.h"
#include "sim/test/temporary_file.h"

namespace wirecache::sim {
namespace {

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

// What is said of a file that cannot be read.
std::string Complaint(const std::vector<uint8_t>& bytes) {
  const TemporaryFile file;
  file.Put(bytes);
  try {
    ReadPcap(file.name);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(a_frame_that_was_cut_is_an_error_with_its_number) {
  auto bytes = Words({0xA1B23C4D, 0x00040002, 0, 0, 4, 1, 7, 9, 4, 4, 0xABCD, 7, 9, 4, 60}, false);
  bytes.insert(bytes.end(), {1, 2, 3, 4});
  CHECK(Complaint(bytes).ends_with(": frame 2 was cut to 4 of its 60 bytes when it was captured"));
}

TEST(a_full_disk_is_an_error) {
  const std::vector<uint8_t> frame(1500, 7);
  PcapWriter at_once("/dev/full");
  CHECK_THROWS(for (unsigned i = 0; i < 1000; ++i) at_once.Write(i, frame), std::runtime_error);
  PcapWriter at_the_end("/dev/full");
  at_the_end.Write(0, std::vector<uint8_t>(60));
  CHECK_THROWS(at_the_end.Close(), std::runtime_error);
}

TEST(files_that_are_no_pcap_are_errors) {
  CHECK(Complaint({}).ends_with(": it is no pcap file"));
  CHECK(Complaint(Words({0x12345678, 0, 0, 0, 0, 1}, false)).ends_with(": it is no pcap file"));
  CHECK(Complaint(Words({0x0A0D0D0A, 0, 0, 0, 0, 1}, false)).ends_with(": it is no pcap file"));
  CHECK(Complaint(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 101}, false))
            .ends_with(": its frames are not Ethernet"));
  // It breaks off in its header, in a frame's header, before a frame's bytes, among them.
  const auto whole = Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 1, 7, 9, 8, 8, 1, 2}, false);
  CHECK(Complaint(whole).empty());
  CHECK(Complaint(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 0x24000001}, false)).empty());
  for (const long bytes : {3, 32, 40, 44}) {
    CHECK(Complaint({whole.begin(), whole.begin() + bytes}).ends_with(": it ends within a frame"));
  }
  CHECK(Complaint(Words({0xA1B2C3D4, 0x00040002, 0, 0, 65535, 1, 7, 9, 0xFFFFFFFF, 8, 1}, false))
            .ends_with(": frame 1 has 4294967295 bytes"));
  CHECK_THROWS(ReadPcap("/nowhere/at.pcap"), std::invalid_argument);
  CHECK_THROWS(PcapWriter("/nowhere/at.pcap"), std::invalid_argument);
}

}  // namespace
}  // namespace wirecache::sim
