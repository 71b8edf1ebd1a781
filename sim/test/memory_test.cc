// SPDX-License-Identifier: Apache-2.0
#include "sim/memory.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

constexpr uint64_t kAll = ~uint64_t{0};
constexpr unsigned kLatency = 7;
using Line = std::array<uint32_t, 16>;

Line Filled(uint32_t value) {
  Line line;
  line.fill(value);
  return line;
}

// The circuit's end of a port: plain variables.
struct Wires {
  uint8_t awid = 0, awlen = 0, awsize = 6, awburst = 1, awvalid = 0, awready = 0;
  uint8_t wlast = 0, wvalid = 0, wready = 0;
  uint8_t bid = 0, bresp = 0, bvalid = 0, bready = 1;
  uint8_t arid = 0, arlen = 0, arsize = 6, arburst = 1, arvalid = 0, arready = 0;
  uint8_t rid = 0, rresp = 0, rlast = 0, rvalid = 0, rready = 1;
  uint64_t awaddr = 0, araddr = 0, wstrb = kAll;
  Line wdata = {}, rdata = {};

  AxiSignals Signals() {
    return {awid,         awaddr, awlen,  awsize, awburst, awvalid, awready, wdata.data(),
            wstrb,        wlast,  wvalid, wready, bid,     bresp,   bvalid,  bready,
            arid,         araddr, arlen,  arsize, arburst, arvalid, arready, rid,
            rdata.data(), rresp,  rlast,  rvalid, rready};
  }
};

// Two ports and their memory, cycle by cycle.
struct Bench {
  Wires index, store;
  Memory memory;
  uint64_t now = 0;

  explicit Bench(uint64_t bytes = 1 << 20, const char* timing = "fixed",
                 const MemoryErrors::Options& errors = {})
      : memory(bytes, MakeMemoryTiming(timing, kLatency, 6400, 100), errors, index.Signals(),
               store.Signals()) {}

  void Step() {
    memory.Sample(now);
    memory.Drive(++now);
  }

  void Read(Wires& port, uint64_t address, unsigned beats) {
    port.araddr = address;
    port.arlen = static_cast<uint8_t>(beats - 1);
    port.arvalid = 1;
    while (!port.arready) Step();
    Step();
    port.arvalid = 0;
  }

  void WriteLine(Wires& port, uint64_t address, const Line& data) {
    port.awaddr = address;
    port.awlen = 0;
    port.awvalid = 1;
    while (!port.awready) Step();
    Step();
    port.awvalid = 0;
    port.wdata = data;
    port.wlast = port.wvalid = 1;
    while (!port.wready) Step();
    Step();
    port.wvalid = 0;
  }

  void AwaitResponse(Wires& port) {
    while (!port.bvalid) Step();
    Step();
  }

  uint32_t FirstWord(Wires& port, uint64_t address) {
    Read(port, address, 1);
    while (!port.rvalid) Step();
    const uint32_t word = port.rdata[0];
    Step();
    return word;
  }
};

TEST(absent_memory_reads_zero_and_costs_nothing) {
  SparseMemory memory(uint64_t{24} << 30);
  Line line = Filled(1);
  memory.ReadLine(uint64_t{23} << 30, line.data());
  CHECK(line == Filled(0));
  memory.WriteLine(uint64_t{5} << 30, line.data(), kAll);
  Line data = Filled(0);
  data[15] = 1;
  memory.WriteLine(64, data.data(), kAll >> 8);  // all zero but for what the strobe leaves out
  CHECK_EQ(memory.touched_bytes(), 0u);
  memory.WriteLine((uint64_t{24} << 30) - 64, data.data(), kAll);
  CHECK_EQ(memory.touched_bytes(), 4096u);
  memory.ReadLine((uint64_t{24} << 30) - 64, line.data());
  CHECK(line == data);
}

TEST(strobes_choose_bytes) {
  SparseMemory memory(4096);
  Line line = Filled(0x11111111);
  memory.WriteLine(128, line.data(), kAll);
  line = Filled(0x22222222);
  memory.WriteLine(128, line.data(), 0x6);
  memory.ReadLine(128, line.data());
  CHECK_EQ(line[0], 0x11222211u);
  CHECK_EQ(line[1], 0x11111111u);
}

TEST(zeros_overwrite_what_is_there) {
  SparseMemory memory(4096);
  Line line = Filled(7);
  memory.WriteLine(0, line.data(), kAll);
  line = Filled(0);
  memory.WriteLine(0, line.data(), kAll);
  line = Filled(9);
  memory.ReadLine(0, line.data());
  CHECK(line == Filled(0));
}

TEST(read_takes_the_latency_and_a_cycle_a_beat) {
  Bench bench;
  const uint64_t begun = bench.now;
  bench.Read(bench.index, 0, 11);
  while (!bench.index.rvalid) bench.Step();
  CHECK_EQ(bench.now - begun, kLatency);
  for (unsigned i = 0; i < 11; ++i) {
    CHECK(bench.index.rvalid);
    CHECK_EQ(bench.index.rlast, i == 10);
    bench.Step();
  }
  CHECK(!bench.index.rvalid);
  CHECK(!bench.memory.busy());
}

TEST(reads_follow_each_other_without_a_gap) {
  Bench bench;
  unsigned beats = 0, waited = 0;
  bench.index.arvalid = 1;
  for (unsigned i = 0; i < 1000; ++i) {
    bench.index.araddr = i % 16 * 64;
    bench.Step();
    if (bench.index.rvalid) ++beats;
    if (beats == 0) ++waited;
  }
  CHECK_EQ(waited, kLatency - 1);
  CHECK_EQ(beats, 1000 - waited);
}

TEST(a_write_is_seen_after_its_response_and_not_before) {
  Bench bench;
  bench.WriteLine(bench.store, 640, Filled(5));
  CHECK_EQ(bench.FirstWord(bench.index, 640), 0u);
  Bench later;
  later.WriteLine(later.store, 640, Filled(5));
  later.AwaitResponse(later.store);
  CHECK_EQ(later.FirstWord(later.index, 640), 5u);
}

TEST(write_response_takes_the_latency) {
  Bench bench;
  bench.WriteLine(bench.store, 0, Filled(5));
  const uint64_t taken = bench.now - 1;
  while (!bench.store.bvalid) bench.Step();
  CHECK_EQ(bench.now - taken, kLatency);
}

TEST(errors_come_when_they_are_switched_on) {
  constexpr uint64_t kAlways = 1'000'000'000;
  Bench bench(1 << 20, "fixed", {.reads = kAlways, .writes = kAlways, .seed = 1});
  const SparseMemory& intended = bench.memory.errors().intended();
  bench.WriteLine(bench.index, 0, Filled(5));
  bench.AwaitResponse(bench.index);
  CHECK_EQ(bench.FirstWord(bench.index, 0), 5u);
  CHECK_EQ(bench.index.rresp, 0u);
  bench.memory.errors().SwitchOn();
  bench.WriteLine(bench.index, 0, Filled(6));
  while (!bench.index.bvalid) bench.Step();
  CHECK_EQ(bench.index.bresp, 2u);
  bench.Step();
  bench.Read(bench.index, 0, 1);
  while (!bench.index.rvalid) bench.Step();
  CHECK_EQ(bench.index.rresp, 2u);
  CHECK(bench.index.rdata[0] != 5u && bench.index.rdata[0] != 6u);
  Line line;
  bench.memory.contents().ReadLine(0, line.data());
  CHECK_EQ(line[0], 5u);
  intended.ReadLine(0, line.data());
  CHECK_EQ(line[0], 6u);
  CHECK_EQ(bench.memory.index().unwritten().count(0), 1u);
  CHECK(!bench.memory.index().unwritten().at(0));
  CHECK_EQ(bench.memory.errors().reads(), 1u);
  CHECK_EQ(bench.memory.errors().writes(), 1u);
}

TEST(what_was_not_written_is_known_until_zeros_are) {
  constexpr uint64_t kHalf = 500'000'000;
  Bench bench(1 << 20, "fixed", {.writes = kHalf, .seed = 1});
  bench.memory.errors().SwitchOn();
  // Writes until one meets an error, or meets none. That may take a few, so `error` is what was met
  // last.
  const auto write = [&bench](uint32_t word, bool error) {
    do {
      bench.WriteLine(bench.index, 64, Filled(word));
      while (!bench.index.bvalid) bench.Step();
      bench.Step();
    } while ((bench.index.bresp != 0) != error);
  };
  const auto& unwritten = bench.memory.index().unwritten();
  write(5, true);
  CHECK(!unwritten.at(64));
  write(5, false);
  CHECK(!unwritten.at(64));
  write(0, false);
  CHECK(unwritten.at(64));
  CHECK_EQ(unwritten.size(), 1u);
}

TEST(stalled_answers_hold) {
  Bench bench;
  bench.WriteLine(bench.store, 0, Filled(5));
  bench.AwaitResponse(bench.store);
  bench.store.rready = bench.store.bready = 0;
  bench.Read(bench.store, 0, 2);
  bench.WriteLine(bench.store, 64, Filled(6));
  for (unsigned i = 0; i < 50; ++i) bench.Step();
  CHECK(bench.store.rvalid && bench.store.bvalid);
  CHECK_EQ(bench.store.rdata[0], 5u);
  CHECK(!bench.store.rlast);
  bench.store.rready = 1;
  bench.Step();
  CHECK_EQ(bench.store.rdata[0], 0u);
  CHECK(bench.store.rlast);
  bench.Step();
  CHECK(!bench.store.rvalid);
}

TEST(addresses_are_held_back_when_too_many_are_open) {
  Bench bench;
  bench.index.rready = 0;
  bench.index.arvalid = 1;
  bench.index.arlen = 63;
  unsigned taken = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    taken += bench.index.arready;
    bench.Step();
  }
  CHECK(taken >= 16 && taken <= 64);
  CHECK(!bench.index.arready);
}

TEST(accesses_that_axi_forbids_are_errors) {
  const auto read = [](auto change) {
    Bench bench(8192);
    change(bench.index);
    bench.index.arvalid = 1;
    bench.Step();
  };
  read([](Wires&) {});
  CHECK_THROWS(read([](Wires& w) { w.arsize = 5; }), std::runtime_error);
  CHECK_THROWS(read([](Wires& w) { w.arburst = 0; }), std::runtime_error);
  CHECK_THROWS(read([](Wires& w) { w.araddr = 32; }), std::runtime_error);
  CHECK_THROWS(read([](Wires& w) { w.araddr = 8192; }), std::runtime_error);
  CHECK_THROWS(read([](Wires& w) { w.araddr = 4032, w.arlen = 1; }), std::runtime_error);
  CHECK_THROWS(
      {
        Bench bench;
        bench.store.wlast = 0;
        bench.store.awvalid = bench.store.wvalid = 1;
        bench.Step();
        bench.Step();
        bench.Step();
      },
      std::runtime_error);
}

// Random bursts on both ports with random stalls against a model: what a read returns is what
// memory held when its address was taken.
void RandomTraffic(const char* timing) {
  constexpr unsigned kLines = 64;
  std::mt19937 random(1);
  Bench bench(1 << 20, timing);
  struct Burst {
    uint64_t line;
    std::vector<Line> data;
  };
  std::array<uint32_t, kLines> model = {};
  struct Port {
    Wires& wires;
    std::deque<Burst> to_send, to_answer;
    std::deque<uint32_t> expected;
    unsigned beat = 0;
  };
  std::array<Port, 2> ports = {Port{bench.index, {}, {}, {}}, Port{bench.store, {}, {}, {}}};
  uint32_t stamp = 0;
  unsigned reads = 0, writes = 0;
  for (unsigned cycle = 0; cycle < 20000; ++cycle) {
    for (Port& port : ports) {
      Wires& wires = port.wires;
      const auto pick = [&](uint64_t& address, uint8_t& length) {
        length = static_cast<uint8_t>(random() % 4);
        address = random() % (kLines - 4) * 64;
      };
      if (!wires.arvalid && random() % 4 == 0) {
        pick(wires.araddr, wires.arlen);
        wires.arvalid = 1;
      }
      if (!wires.awvalid && port.to_send.size() < 4 && random() % 8 == 0) {
        pick(wires.awaddr, wires.awlen);
        wires.awvalid = 1;
      }
      if (!wires.wvalid && !port.to_send.empty() && random() % 2) {
        wires.wdata = port.to_send.front().data[port.beat];
        wires.wlast = port.beat + 1 == port.to_send.front().data.size();
        wires.wvalid = 1;
      }
      wires.rready = random() % 2;
      wires.bready = random() % 2;
    }
    // What is handed over at this edge; responses were visible in memory before reads are taken.
    for (Port& port : ports) {
      Wires& wires = port.wires;
      if (wires.bvalid && wires.bready) {
        ++writes;
        port.to_answer.pop_front();
      }
      if (wires.rvalid && wires.rready) {
        CHECK_EQ(wires.rdata[3], port.expected.front());
        port.expected.pop_front();
        ++reads;
      }
    }
    struct Taken {
      bool read, address, data;
    };
    std::array<Taken, 2> taken;
    for (unsigned p = 0; p < 2; ++p) {
      Wires& wires = ports[p].wires;
      taken[p] = {wires.arvalid && wires.arready, wires.awvalid && wires.awready,
                  wires.wvalid && wires.wready};
      if (!taken[p].read) continue;
      for (unsigned i = 0; i <= wires.arlen; ++i) {
        ports[p].expected.push_back(model[wires.araddr / 64 + i]);
      }
    }
    std::array<bool, 2> answered = {bench.index.bvalid && !bench.index.bready,
                                    bench.store.bvalid && !bench.store.bready};
    bench.Step();
    for (unsigned p = 0; p < 2; ++p) {
      Port& port = ports[p];
      Wires& wires = port.wires;
      if (taken[p].read) wires.arvalid = 0;
      if (taken[p].data) {
        wires.wvalid = 0;
        if (++port.beat == port.to_send.front().data.size()) {
          port.to_answer.push_back(port.to_send.front());
          port.to_send.pop_front();
          port.beat = 0;
        }
      }
      if (taken[p].address) {
        wires.awvalid = 0;
        Burst burst{wires.awaddr / 64, {}};
        for (unsigned i = 0; i <= wires.awlen; ++i) burst.data.push_back(Filled(++stamp));
        port.to_send.push_back(burst);
      }
      if (wires.bvalid && !answered[p]) {
        const Burst& burst = port.to_answer.front();
        for (size_t i = 0; i < burst.data.size(); ++i) model[burst.line + i] = burst.data[i][0];
      }
    }
  }
  CHECK(reads > 5000);
  CHECK(writes > 1000);
}

TEST(random_traffic_against_a_model) { RandomTraffic("fixed"); }

// Reads are done in another order than they came in; the port gives them in theirs.
TEST(random_traffic_to_dram_against_a_model) {
  for (const char* timing : {"ddr4-2400", "ddr3-1600", "trets", "hbm2"}) RandomTraffic(timing);
}

// What has happened to a memory after bursts of 11 lines at the start of the memory's first burst
// and one line behind it: reads and writes of the chips.
TEST(lines_share_the_bursts_of_the_memory) {
  const auto run = [](const char* timing, uint64_t accesses) {
    Bench bench(1 << 20, timing);
    for (const uint64_t address : {0, 64}) bench.Read(bench.index, address, 11);
    while (bench.memory.busy()) bench.Step();
    bench.store.awaddr = 0;
    bench.store.awlen = 10;
    bench.store.awvalid = 1;
    bench.Step();
    bench.store.awvalid = 0;
    bench.store.wvalid = 1;
    for (unsigned i = 0; i < 11; ++i) {
      bench.store.wlast = i == 10;
      while (!bench.store.wready) bench.Step();
      bench.Step();
    }
    bench.store.wvalid = 0;
    bench.AwaitResponse(bench.store);
    const std::string text = bench.memory.timing().Statistics().Text();
    const std::string want =
        "{\"reads\": " + std::to_string(2 * accesses) + ", \"writes\": " + std::to_string(accesses);
    if (!text.starts_with(want)) std::cout << timing << ": " << text << "\n";
    CHECK(text.starts_with(want));
  };
  run("fixed", 11);
  run("ddr4-2400", 11);
  run("trets", 2);  // bursts of 6 lines
  run("hbm2", 22);  // of half a line
}

// When the controller's queues are full the ports take no more, and neither keeps the other out.
TEST(full_queues_hold_both_ports_back) {
  Bench bench(1 << 30, "ddr4-2400");
  std::mt19937 random(1);
  std::array<Wires*, 2> ports = {&bench.index, &bench.store};
  std::array<unsigned, 2> taken = {}, given = {};
  bool held = false;
  for (unsigned cycle = 0; cycle < 5000; ++cycle) {
    for (unsigned p = 0; p < 2; ++p) {
      Wires& wires = *ports[p];
      if (!wires.arvalid) wires.araddr = random() % (1 << 23) * 128;
      wires.arvalid = 1;
      wires.arlen = 1;
      taken[p] += wires.arready;
      given[p] += wires.rvalid && wires.rlast;
      held |= !wires.arready && taken[p] - given[p] < 40;
      CHECK(taken[p] - given[p] <= 64);
    }
    std::array<bool, 2> ready = {bench.index.arready != 0, bench.store.arready != 0};
    bench.Step();
    for (unsigned p = 0; p < 2; ++p) ports[p]->arvalid = !ready[p];
  }
  CHECK(held);
  CHECK(taken[0] > 2000 && taken[1] > 2000);
  CHECK(std::max(taken[0], taken[1]) - std::min(taken[0], taken[1]) < 64);
}

}  // namespace
}  // namespace wirecache::sim
