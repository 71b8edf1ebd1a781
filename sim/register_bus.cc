// SPDX-License-Identifier: Apache-2.0
#include "sim/register_bus.h"

#include <stdexcept>
#include <utility>

namespace wirecache::sim {

RegisterBus::RegisterBus(const AxiLiteSignals& signals) : signals_(signals) {
  signals_.awvalid = signals_.wvalid = signals_.arvalid = 0;
  signals_.awprot = signals_.arprot = 0;
  signals_.wstrb = 0xF;
  signals_.bready = signals_.rready = 1;
}

void RegisterBus::Write(uint32_t address, uint32_t value) {
  queue_.push_back({true, static_cast<uint16_t>(address), value});
}

void RegisterBus::Read(uint32_t address) {
  queue_.push_back({false, static_cast<uint16_t>(address), 0});
}

std::optional<uint32_t> RegisterBus::TakeValue() { return std::exchange(value_, std::nullopt); }

void RegisterBus::Sample() {
  if (outstanding_ == 0) return;
  aw_taken_ = signals_.awvalid && signals_.awready;
  w_taken_ = signals_.wvalid && signals_.wready;
  ar_taken_ = signals_.arvalid && signals_.arready;
  if (signals_.bvalid) {
    if (signals_.bresp != 0) throw std::runtime_error("a register write was refused");
    --outstanding_;
  }
  if (signals_.rvalid) {
    if (signals_.rresp != 0) throw std::runtime_error("a register read was refused");
    value_ = signals_.rdata;
    reading_ = false;
    --outstanding_;
  }
}

void RegisterBus::Drive() {
  if (aw_taken_) signals_.awvalid = 0;
  if (w_taken_) signals_.wvalid = 0;
  if (ar_taken_) signals_.arvalid = 0;
  aw_taken_ = w_taken_ = ar_taken_ = false;
  if (queue_.empty() || signals_.awvalid || signals_.wvalid || reading_) return;
  const Access& access = queue_.front();
  if (access.write) {
    if (outstanding_ == kMaxOutstanding) return;
    signals_.awaddr = access.address;
    signals_.wdata = access.value;
    signals_.awvalid = signals_.wvalid = 1;
  } else {
    if (outstanding_ != 0) return;
    signals_.araddr = access.address;
    signals_.arvalid = 1;
    reading_ = true;
  }
  ++outstanding_;
  queue_.pop_front();
}

}  // namespace wirecache::sim
