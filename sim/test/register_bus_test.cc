// SPDX-License-Identifier: Apache-2.0
#include "sim/register_bus.h"

#include <map>
#include <random>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

// A slave with registers in a map, which takes addresses and data apart and at random times.
struct Slave {
  uint16_t awaddr = 0, araddr = 0;
  uint8_t awprot = 0, awvalid = 0, awready = 0, wstrb = 0, wvalid = 0, wready = 0, bresp = 0,
          bvalid = 0, bready = 0, arprot = 0, arvalid = 0, arready = 0, rresp = 0, rvalid = 0,
          rready = 0;
  uint32_t wdata = 0, rdata = 0;
  std::map<uint32_t, uint32_t> registers;
  std::vector<uint16_t> addresses;
  std::vector<uint32_t> values;
  std::vector<uint16_t> reads;
  std::mt19937 random{1};
  RegisterBus bus{{awaddr, awprot, awvalid, awready, wdata, wstrb, wvalid, wready, bresp, bvalid,
                   bready, araddr, arprot, arvalid, arready, rdata, rresp, rvalid, rready}};

  void Step() {
    awready = random() % 2;
    wready = random() % 2;
    arready = random() % 2;
    bvalid = !addresses.empty() && !values.empty() && random() % 3 == 0;
    rvalid = !reads.empty() && random() % 3 == 0;
    if (rvalid) rdata = registers[reads.front()];
    bus.Sample();
    if (bvalid) {
      registers[addresses.front()] = values.front();
      addresses.erase(addresses.begin());
      values.erase(values.begin());
    }
    if (rvalid) reads.erase(reads.begin());
    if (awvalid && awready) addresses.push_back(awaddr);
    if (wvalid && wready) values.push_back(wdata);
    if (arvalid && arready) reads.push_back(araddr);
    CHECK(reads.empty() || (addresses.empty() && values.empty()));
    bus.Drive();
  }
};

TEST(register_accesses_keep_their_order) {
  Slave slave;
  std::map<uint32_t, uint32_t> model;
  std::mt19937 random(2);
  for (unsigned i = 0; i < 2000; ++i) {
    const uint32_t address = random() % 4 * 4;
    if (random() % 4 != 0) {
      model[address] = i;
      slave.bus.Write(address, i);
      continue;
    }
    slave.bus.Read(address);
    for (;;) {
      if (const auto value = slave.bus.TakeValue()) {
        CHECK_EQ(*value, model[address]);
        break;
      }
      slave.Step();
    }
  }
  while (slave.bus.busy()) slave.Step();
  CHECK(slave.registers == model);
}

}  // namespace
}  // namespace wirecache::sim
