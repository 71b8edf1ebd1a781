// SPDX-License-Identifier: Apache-2.0
// Bundles of the model's ports, as references. The parts of the board see these and not the model,
// so that each can be tested with signals of its own.
#ifndef WIRECACHE_SIM_SIGNALS_H_
#define WIRECACHE_SIM_SIGNALS_H_

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace wirecache::sim {

// A signal of at most 64 bits: the model's type for it depends on how many.
class Bits {
 public:
  template <typename T>
  Bits(const T& signal) : signal_(&signal), bytes_(sizeof(T)) {  // NOLINT: as if it were the signal
    static_assert(sizeof(T) <= sizeof(uint64_t));
  }
  operator uint64_t() const {  // NOLINT
    uint64_t value = 0;
    std::memcpy(&value, signal_, bytes_);
    return value;
  }

 private:
  const void* signal_;
  size_t bytes_;
};

// One AXI4 master of the circuit, 128 to 512 bits of data. The memory drives the non-const ones.
struct AxiSignals {
  const uint8_t& awid;
  const uint64_t& awaddr;
  const uint8_t& awlen;
  const uint8_t& awsize;
  const uint8_t& awburst;
  const uint8_t& awvalid;
  uint8_t& awready;
  const uint32_t* wdata;  // words, lowest first
  Bits wstrb;
  const uint8_t& wlast;
  const uint8_t& wvalid;
  uint8_t& wready;
  uint8_t& bid;
  uint8_t& bresp;
  uint8_t& bvalid;
  const uint8_t& bready;
  const uint8_t& arid;
  const uint64_t& araddr;
  const uint8_t& arlen;
  const uint8_t& arsize;
  const uint8_t& arburst;
  const uint8_t& arvalid;
  uint8_t& arready;
  uint8_t& rid;
  uint32_t* rdata;  // words, lowest first
  uint8_t& rresp;
  uint8_t& rlast;
  uint8_t& rvalid;
  const uint8_t& rready;
  unsigned data_bytes = 64;  // of wdata, of rdata
};

// The circuit's AXI4-Lite slave, 9 bits of address.
struct AxiLiteSignals {
  uint16_t& awaddr;
  uint8_t& awprot;
  uint8_t& awvalid;
  const uint8_t& awready;
  uint32_t& wdata;
  uint8_t& wstrb;
  uint8_t& wvalid;
  const uint8_t& wready;
  const uint8_t& bresp;
  const uint8_t& bvalid;
  uint8_t& bready;
  uint16_t& araddr;
  uint8_t& arprot;
  uint8_t& arvalid;
  const uint8_t& arready;
  const uint32_t& rdata;
  const uint8_t& rresp;
  const uint8_t& rvalid;
  uint8_t& rready;
};

// Frames into the circuit.
struct ReceiveSignals {
  uint64_t& tdata;
  uint8_t& tkeep;
  uint8_t& tvalid;
  const uint8_t& tready;
  uint8_t& tlast;
  uint8_t& tuser;
};

// Frames out of it.
struct TransmitSignals {
  const uint64_t& tdata;
  const uint8_t& tkeep;
  const uint8_t& tvalid;
  uint8_t& tready;
  const uint8_t& tlast;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_SIGNALS_H_
