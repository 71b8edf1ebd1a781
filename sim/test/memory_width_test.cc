// SPDX-License-Identifier: Apache-2.0
// Ports of every width in front of the same bytes.
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sim/memory.h"
#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

// The circuit's end of a port of `Strobe`'s bits of bytes.
template <unsigned kBytes, typename Strobe>
struct Wires {
  uint8_t awid = 0, awlen = 0, awsize = std::bit_width(kBytes - 1), awburst = 1, awvalid = 0;
  uint8_t awready = 0, wlast = 0, wvalid = 0, wready = 0;
  uint8_t bid = 0, bresp = 0, bvalid = 0, bready = 1;
  uint8_t arid = 0, arlen = 0, arsize = std::bit_width(kBytes - 1), arburst = 1, arvalid = 0;
  uint8_t arready = 0, rid = 0, rresp = 0, rlast = 0, rvalid = 0, rready = 1;
  uint64_t awaddr = 0, araddr = 0;
  Strobe wstrb = 0;
  std::array<uint32_t, kBytes / 4> wdata = {}, rdata = {};

  AxiSignals Signals() {
    return {awid,         awaddr, awlen,  awsize, awburst, awvalid, awready, wdata.data(),
            wstrb,        wlast,  wvalid, wready, bid,     bresp,   bvalid,  bready,
            arid,         araddr, arlen,  arsize, arburst, arvalid, arready, rid,
            rdata.data(), rresp,  rlast,  rvalid, rready,  kBytes};
  }
};

template <unsigned kBytes, typename Strobe>
struct Bench {
  Wires<kBytes, Strobe> port, other;
  Memory memory{1 << 20, std::make_unique<FixedLatency>(5), {}, port.Signals(), other.Signals()};
  uint64_t now = 0;

  void Step() {
    memory.Sample(now);
    memory.Drive(++now);
  }

  // Every second byte of a burst of `beats`.
  void Write(uint64_t address, const std::vector<uint8_t>& data) {
    port.awaddr = address;
    port.awlen = static_cast<uint8_t>(data.size() / kBytes - 1);
    port.awvalid = 1;
    while (!port.awready) Step();
    Step();
    port.awvalid = 0;
    port.wstrb = static_cast<Strobe>(0xAAAAAAAAAAAAAAAAu >> (64 - kBytes));
    for (size_t at = 0; at < data.size(); at += kBytes) {
      std::memcpy(port.wdata.data(), data.data() + at, kBytes);
      port.wlast = at + kBytes == data.size();
      port.wvalid = 1;
      while (!port.wready) Step();
      Step();
    }
    port.wvalid = 0;
    while (!port.bvalid) Step();
    Step();
  }

  std::vector<uint8_t> Read(uint64_t address, unsigned beats) {
    port.araddr = address;
    port.arlen = static_cast<uint8_t>(beats - 1);
    port.arvalid = 1;
    while (!port.arready) Step();
    Step();
    port.arvalid = 0;
    std::vector<uint8_t> data(beats * kBytes);
    for (unsigned i = 0; i < beats; ++i) {
      while (!port.rvalid) Step();
      CHECK_EQ(port.rlast, i + 1 == beats);
      std::memcpy(data.data() + i * kBytes, port.rdata.data(), kBytes);
      Step();
    }
    return data;
  }
};

template <unsigned kBytes, typename Strobe>
void WritesAndReads(uint64_t address, unsigned beats) {
  Bench<kBytes, Strobe> bench;
  std::vector<uint8_t> data(beats * kBytes);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 7 + 1);
  bench.Write(address, data);
  for (size_t i = 0; i < data.size(); i += 2) data[i] = 0;
  CHECK(bench.Read(address, beats) == data);
  for (size_t i = 0; i < data.size(); ++i) {  // and they are where they should be
    uint8_t byte;
    bench.memory.contents().Read(address + i, &byte, 1);
    CHECK_EQ(byte, data[i]);
  }
}

TEST(ports_of_every_width) {
  WritesAndReads<16, uint16_t>(4096 + 48, 200);
  WritesAndReads<32, uint32_t>(8192 - 96, 3);
  WritesAndReads<48, uint64_t>(384 * 10, 8);  // lies across a page
  WritesAndReads<64, uint64_t>(640, 4);
}

TEST(narrow_ports_keep_the_rules) {
  Bench<16, uint16_t> narrow;
  CHECK_THROWS(narrow.Read(8, 1), std::runtime_error);
  CHECK_THROWS((Bench<16, uint16_t>().Read(4096 - 16, 2)), std::runtime_error);
  CHECK_THROWS((Bench<48, uint64_t>().Read(384, 4)), std::runtime_error);
  CHECK_THROWS((Bench<48, uint64_t>().Read(48, 8)), std::runtime_error);
}

}  // namespace
}  // namespace wirecache::sim
