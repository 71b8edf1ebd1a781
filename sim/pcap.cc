// SPDX-License-Identifier: Apache-2.0
#include "sim/pcap.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace wirecache::sim {
namespace {

constexpr uint32_t kMicrosecondMagic = 0xA1B2C3D4;
constexpr uint32_t kNanosecondMagic = 0xA1B23C4D;
constexpr uint32_t kVersion24 = 0x00040002;  // minor and major as two halves, lowest first: 2.4
constexpr uint32_t kLinkTypeMask = 0xFFFF;   // above it: about the FCS
constexpr uint32_t kEthernet = 1;
constexpr uint32_t kMaxBytes = 262'144;
constexpr uint64_t kNanosecondsPerSecond = 1'000'000'000;

class Reader {
 public:
  explicit Reader(const std::string& file) : file_(file), in_(file, std::ios::binary) {
    if (!in_) Fail(std::strerror(errno));
    std::array<uint32_t, 6> header;  // magic, version, zone, accuracy, snap length, link type
    if (!Read(header.data(), sizeof(header))) Fail("it is no pcap file");
    for (const uint32_t magic : {kMicrosecondMagic, kNanosecondMagic}) {
      if (header[0] != magic && header[0] != __builtin_bswap32(magic)) continue;
      swapped_ = header[0] != magic;
      unit_ = magic == kNanosecondMagic ? 1 : 1000;
    }
    if (unit_ == 0) Fail("it is no pcap file");
    if ((Ordered(header[5]) & kLinkTypeMask) != kEthernet) Fail("its frames are not Ethernet");
  }

  // False at the end of the file.
  bool Next(CapturedFrame& frame) {
    std::array<uint32_t, 4> header;  // seconds, fraction, bytes here, bytes on the wire
    if (!Read(header.data(), sizeof(header))) return false;
    const uint32_t bytes = Ordered(header[2]);
    const uint32_t on_the_wire = Ordered(header[3]);
    const auto fail = [this](const std::string& why) {
      Fail("frame " + std::to_string(frames_) + " " + why);
    };
    ++frames_;
    if (bytes > kMaxBytes) fail("has " + std::to_string(bytes) + " bytes");
    if (bytes < on_the_wire) {
      fail("was cut to " + std::to_string(bytes) + " of its " + std::to_string(on_the_wire) +
           " bytes when it was captured");
    }
    frame.nanoseconds =
        Ordered(header[0]) * kNanosecondsPerSecond + uint64_t{Ordered(header[1])} * unit_;
    frame.bytes.resize(bytes);
    if (bytes > 0 && !Read(frame.bytes.data(), bytes)) Fail("it ends within a frame");
    return true;
  }

 private:
  [[noreturn]] void Fail(const std::string& why) const {
    throw std::invalid_argument("cannot read " + file_ + ": " + why);
  }

  // False when there is nothing more; a file that breaks off within is an error.
  bool Read(void* out, size_t bytes) {
    in_.read(static_cast<char*>(out), static_cast<std::streamsize>(bytes));
    const auto count = static_cast<size_t>(in_.gcount());
    if (in_.bad()) Fail(std::strerror(errno));
    if (count != 0 && count != bytes) Fail("it ends within a frame");
    return count == bytes;
  }

  uint32_t Ordered(uint32_t word) const { return swapped_ ? __builtin_bswap32(word) : word; }

  std::string file_;
  std::ifstream in_;
  uint64_t frames_ = 0;  // so far
  bool swapped_ = false;
  uint64_t unit_ = 0;  // of the fraction, in nanoseconds
};

}  // namespace

std::vector<CapturedFrame> ReadPcap(const std::string& file) {
  Reader reader(file);
  std::vector<CapturedFrame> frames;
  for (CapturedFrame frame; reader.Next(frame);) frames.push_back(std::move(frame));
  return frames;
}

PcapWriter::PcapWriter(const std::string& file) : file_(file), out_(file, std::ios::binary) {
  if (!out_) throw std::invalid_argument("cannot write " + file + ": " + std::strerror(errno));
  const std::array<uint32_t, 6> header = {kNanosecondMagic, kVersion24, 0, 0, kMaxBytes, kEthernet};
  out_.write(reinterpret_cast<const char*>(header.data()), sizeof(header));
}

void PcapWriter::Write(uint64_t nanoseconds, std::span<const uint8_t> frame) {
  const auto bytes = static_cast<uint32_t>(frame.size());
  const std::array<uint32_t, 4> header = {
      static_cast<uint32_t>(nanoseconds / kNanosecondsPerSecond),
      static_cast<uint32_t>(nanoseconds % kNanosecondsPerSecond), bytes, bytes};
  out_.write(reinterpret_cast<const char*>(header.data()), sizeof(header));
  out_.write(reinterpret_cast<const char*>(frame.data()), bytes);
  RequireGood();
}

void PcapWriter::Close() {
  out_.close();
  RequireGood();
}

void PcapWriter::RequireGood() const {
  if (!out_) throw std::runtime_error("cannot write " + file_ + ": " + std::strerror(errno));
}

}  // namespace wirecache::sim
