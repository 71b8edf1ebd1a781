// SPDX-License-Identifier: Apache-2.0
#include "sim/dram.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/test/check.h"

namespace wirecache::sim {
namespace {

constexpr unsigned kCyclePs = 6400;
constexpr unsigned kControllerNs = 100;
using Kind = DramCommand::Kind;

// Where a burst is: rows below 16 only, whose bank is exclusive-or'ed with the row itself.
uint64_t At(const DramDevice& device, unsigned bank, unsigned row, unsigned column = 0) {
  return uint64_t{row} * device.row_bytes * device.banks +
         uint64_t{bank ^ row} * device.interleave_bytes + uint64_t{column} * device.burst_bytes;
}

// A channel, its log, and accesses that come at given cycles.
class Bench {
 public:
  explicit Bench(const DramDevice& device)
      : device_(device), dram_(device, kCyclePs, kControllerNs) {
    dram_.set_log(&log_);
  }

  void Read(uint64_t address) { Add(address, false); }
  void Write(uint64_t address) { Add(address, true); }
  void ReadAt(unsigned bank, unsigned row, unsigned column = 0) {
    Read(At(device_, bank, row, column));
  }
  void WriteAt(unsigned bank, unsigned row, unsigned column = 0) {
    Write(At(device_, bank, row, column));
  }

  // As a port does: what does not fit is offered again in every cycle, in order each way.
  void Step() {
    dram_.Tick(now_);
    for (std::deque<MemoryAccess>* waiting : {&reads_, &writes_}) Start(*waiting);
    ++now_;
    std::erase_if(started_, [this](const auto& access) {
      if (access->ready > now_) return false;
      CHECK(access->ready >= access->asked);
      if (!access->write) latest_ = access->ready;
      return true;
    });
  }
  void StepTo(uint64_t cycle) {
    while (now_ < cycle) Step();
  }
  void Finish() {
    while (!reads_.empty() || !writes_.empty() || !started_.empty()) Step();
    StepTo(now_ + 500);  // for writes that are only queued; less than to the next refresh
  }

  size_t waiting_reads() const { return reads_.size(); }
  size_t waiting_writes() const { return writes_.size(); }
  uint64_t now() const { return now_; }
  // Cycle at which the last read was done.
  uint64_t latest() const { return latest_; }
  const std::vector<DramCommand>& log() const { return log_; }
  const DramDevice& device() const { return device_; }
  Dram& dram() { return dram_; }

  // In which order each burst was accepted for being read and written.
  std::map<uint64_t, std::string> accepted;

 private:
  void Add(uint64_t address, bool write) {
    (write ? writes_ : reads_)
        .push_back(
            {.address = address, .bytes = device_.burst_bytes, .asked = now_, .write = write});
  }
  void Start(std::deque<MemoryAccess>& waiting) {
    while (!waiting.empty()) {
      auto access = std::make_unique<MemoryAccess>(waiting.front());
      if (!dram_.Start(*access, now_)) return;
      accepted[access->address / device_.burst_bytes] += access->write ? 'w' : 'r';
      started_.push_back(std::move(access));
      waiting.pop_front();
    }
  }

  const DramDevice device_;
  Dram dram_;
  std::vector<DramCommand> log_;
  std::deque<MemoryAccess> reads_, writes_;
  std::vector<std::unique_ptr<MemoryAccess>> started_;
  uint64_t now_ = 0;
  uint64_t latest_ = 0;
};

struct Expected {
  Kind kind;
  uint64_t at;
  unsigned bank = 0;
};
constexpr Kind kAct = Kind::kActivate, kPre = Kind::kPrecharge, kAll = Kind::kPrechargeAll,
               kRd = Kind::kRead, kWr = Kind::kWrite, kRef = Kind::kRefresh;

void CheckLog(const Bench& bench, const std::vector<Expected>& expected) {
  const auto& log = bench.log();
  for (size_t i = 0; i < std::min(log.size(), expected.size()); ++i) {
    CHECK_EQ(log[i].kind, expected[i].kind);
    CHECK_EQ(log[i].at, expected[i].at);
    CHECK_EQ(log[i].bank, expected[i].bank);
  }
  CHECK_EQ(log.size(), expected.size());
}

// The rules themselves, over a log: every command against every one before it.
void CheckRules(const DramDevice& d, const std::vector<DramCommand>& log) {
  constexpr uint64_t kLongest = 1000;  // no rule reaches further back
  const auto is_column = [](const DramCommand& c) { return c.kind == kRd || c.kind == kWr; };
  const auto data_at = [&](const DramCommand& c) { return c.at + (c.kind == kRd ? d.cl : d.cwl); };
  std::vector<uint64_t> open(d.banks, ~uint64_t{0});
  std::vector<uint64_t> activates;
  uint64_t refreshed = 0;
  for (size_t j = 0; j < log.size(); ++j) {
    const DramCommand& b = log[j];
    switch (b.kind) {
      case kAct:
        CHECK_EQ(open[b.bank], ~uint64_t{0});
        open[b.bank] = b.row;
        activates.push_back(b.at);
        if (activates.size() > 4) CHECK(b.at - activates[activates.size() - 5] >= d.faw);
        break;
      case kPre:
        CHECK(open[b.bank] != ~uint64_t{0});
        open[b.bank] = ~uint64_t{0};
        break;
      case kAll:
        std::fill(open.begin(), open.end(), ~uint64_t{0});
        break;
      case kRef:
        for (const uint64_t row : open) CHECK_EQ(row, ~uint64_t{0});
        CHECK(b.at - refreshed < d.refi + d.rfc);
        refreshed = b.at;
        break;
      default:
        CHECK_EQ(open[b.bank], b.row);
    }
    for (size_t i = j; i-- > 0 && b.at - log[i].at < kLongest;) {
      const DramCommand& a = log[i];
      const uint64_t gap = b.at - a.at;
      CHECK(b.at >= a.at);
      if (gap == 0) CHECK(d.two_command_buses && is_column(a) != is_column(b));
      const bool same_group = a.bank % d.groups == b.bank % d.groups;
      const bool a_closes = a.kind == kAll || (a.kind == kPre && a.bank == b.bank);
      const bool b_closes = b.kind == kAll || (b.kind == kPre && a.bank == b.bank);
      if (a.kind == kAct && b.kind == kAct) {
        CHECK(gap >= (same_group ? d.rrd_l : d.rrd_s));
        if (a.bank == b.bank) CHECK(gap >= d.rc);
      }
      if (a.kind == kAct && is_column(b) && a.bank == b.bank) CHECK(gap >= d.rcd);
      if (a.kind == kAct && b_closes) CHECK(gap >= d.ras);
      if (a.kind == kRd && b_closes) CHECK(gap >= d.rtp);
      if (a.kind == kWr && b_closes) CHECK(gap >= d.cwl + d.burst_clocks + d.wr);
      if (a_closes && (b.kind == kAct || b.kind == kRef)) CHECK(gap >= d.rp);
      if (a.kind == kPre && b.kind == kRef) CHECK(gap >= d.rp);
      if (a.kind == kRef) CHECK(gap >= d.rfc);
      if (a.kind == b.kind && is_column(a)) CHECK(gap >= (same_group ? d.ccd_l : d.ccd_s));
      if (a.kind == kWr && b.kind == kRd) {
        CHECK(gap >= d.cwl + d.burst_clocks + (same_group ? d.wtr_l : d.wtr_s));
      }
      if (is_column(a) && is_column(b)) {
        const unsigned idle = a.kind == b.kind ? 0 : d.bus_gap;
        CHECK(data_at(b) >= data_at(a) + d.burst_clocks + (a.kind == kRd ? idle : 0));
      }
    }
  }
}

// What was read and written of each burst, in the order in which it was accepted.
void CheckOrder(const Bench& bench) {
  std::map<uint64_t, std::string> given;
  for (const DramCommand& command : bench.log()) {
    if (command.kind == kRd) given[command.burst] += 'r';
    if (command.kind == kWr) given[command.burst] += 'w';
  }
  CHECK(given == bench.accepted);
}

void CheckAll(const Bench& bench) {
  CheckRules(bench.device(), bench.log());
  CheckOrder(bench);
}

const DramDevice& Ddr4() { return FindDramDevice("ddr4-2400"); }

TEST(dram_devices_are_as_the_design_says) {
  struct Numbers {
    const char* name;
    double rrd, faw, rc, gigabytes, activates;
  };
  for (const Numbers& want :
       {Numbers{"ddr4-2400", 3.3, 21.7, 46.7, 19.2, 185},
        Numbers{"ddr3-1600", 6.25, 30, 48.8, 12.8, 133}, Numbers{"hbm2", 4, 16, 45, 16, 250},
        Numbers{"trets", 13.3, 40, 56.7, 28.8, 75}}) {
    const DramDevice& d = FindDramDevice(want.name);
    const auto ns = [&](unsigned clocks) { return clocks * 1e3 / d.mhz; };
    CHECK(std::abs(ns(d.rrd_s) - want.rrd) <= 0.05);
    CHECK(std::abs(ns(d.faw) - want.faw) <= 0.05);
    CHECK(std::abs(ns(d.rc) - want.rc) <= 0.051);
    CHECK(std::abs(1e-3 * d.mhz * d.burst_bytes / d.burst_clocks - want.gigabytes) < 0.01);
    const double activates = std::min(4.0 * d.mhz / d.faw, 1.0 * d.mhz / d.rrd_s);
    CHECK(std::abs(activates - want.activates) <= 0.5);
    CHECK(d.rc >= d.ras + d.rp);
    CHECK_EQ(d.interleave_bytes % d.burst_bytes, 0u);
    CHECK_EQ(d.row_bytes % d.interleave_bytes, 0u);
  }
  CHECK_EQ(DramDevices().size(), 4u);
  CHECK_THROWS(FindDramDevice("ddr9"), std::invalid_argument);
  CHECK_THROWS(MakeMemoryTiming("", 1, kCyclePs, 0), std::invalid_argument);
}

TEST(dram_read_of_a_closed_bank) {
  const auto run = [](const char* name, uint64_t read, uint64_t done) {
    Bench bench(FindDramDevice(name));
    bench.ReadAt(0, 0);
    bench.Finish();
    CheckLog(bench, {{kAct, 0}, {kRd, read}});
    CHECK_EQ(bench.latest(), done);
  };
  // tRCD; then tCL, the burst and 100 ns, in cycles of 6.4 ns.
  run("ddr4-2400", 17, 21);  // 31.67 + 100 ns
  run("ddr3-1600", 11, 21);  // 32.5
  run("trets", 5, 23);       // 46.67
  run("hbm2", 14, 21);       // 30
}

TEST(dram_row_hit) {
  const auto run = [](const char* name, uint64_t read, unsigned column_to_column) {
    Bench bench(FindDramDevice(name));
    for (unsigned i = 0; i < 3; ++i) bench.ReadAt(0, 0, i);
    bench.Finish();
    CheckLog(bench, {{kAct, 0},
                     {kRd, read},
                     {kRd, read + column_to_column},
                     {kRd, read + 2 * column_to_column}});
    CHECK_EQ(bench.dram().counts().row_hits, 2u);
    CHECK_EQ(bench.dram().counts().row_misses, 1u);
  };
  run("ddr4-2400", 17, 6);  // tCCD_L
  run("ddr3-1600", 11, 4);
  run("trets", 5, 4);
  run("hbm2", 14, 4);
}

TEST(dram_row_conflict) {
  const auto run = [](const char* name, const std::vector<uint64_t>& at) {
    Bench bench(FindDramDevice(name));
    bench.ReadAt(0, 0);
    bench.ReadAt(0, 1);
    bench.Finish();
    CheckLog(bench, {{kAct, 0}, {kRd, at[0]}, {kPre, at[1]}, {kAct, at[2]}, {kRd, at[3]}});
    CHECK_EQ(bench.dram().counts().row_conflicts, 1u);
  };
  // tRCD, tRAS, tRC, tRC + tRCD
  run("ddr4-2400", {17, 39, 56, 73});
  run("ddr3-1600", {11, 28, 39, 50});
  run("trets", {5, 12, 17, 22});
  run("hbm2", {14, 31, 45, 59});
}

// Even when those of another bank make room for closing the row in between.
TEST(dram_row_hits_go_before_an_older_conflict) {
  Bench bench(Ddr4());
  bench.ReadAt(0, 0);
  bench.ReadAt(4, 0);
  bench.StepTo(20);  // clock 153.6: tRAS is over
  bench.ReadAt(0, 1);
  for (unsigned column = 1; column < 4; ++column) {
    bench.ReadAt(0, 0, column);
    bench.ReadAt(4, 0, column);
  }
  bench.Finish();
  CheckLog(bench, {{kAct, 0},
                   {kAct, 6, 4},
                   {kRd, 17},
                   {kRd, 23, 4},
                   {kRd, 154},
                   {kRd, 160, 4},
                   {kRd, 166},
                   {kRd, 172, 4},
                   {kRd, 178},
                   {kRd, 184, 4},
                   {kPre, 187},
                   {kAct, 204},
                   {kRd, 221}});
}

TEST(dram_activates_of_two_banks) {
  const auto run = [](const char* name, unsigned bank, uint64_t second, uint64_t read) {
    Bench bench(FindDramDevice(name));
    bench.ReadAt(0, 0);
    bench.ReadAt(bank, 0);
    bench.Finish();
    CheckLog(bench, {{kAct, 0}, {kAct, second, bank}, {kRd, read}, {kRd, read + second, bank}});
  };
  run("ddr4-2400", 1, 4, 17);  // tRRD_S
  run("ddr4-2400", 4, 6, 17);  // tRRD_L
  run("ddr3-1600", 1, 5, 11);
  run("ddr3-1600", 4, 5, 11);
  run("hbm2", 1, 4, 14);
  run("hbm2", 4, 6, 14);
}

TEST(dram_five_activates) {
  const auto run = [](const char* name, const std::vector<uint64_t>& at) {
    Bench bench(FindDramDevice(name));
    for (unsigned bank = 0; bank < 5; ++bank) bench.ReadAt(bank, 0);
    bench.Finish();
    std::vector<uint64_t> activates;
    for (const DramCommand& command : bench.log()) {
      if (command.kind == kAct) activates.push_back(command.at);
    }
    CHECK(activates == at);
  };
  run("ddr4-2400", {0, 4, 8, 12, 26});
  run("ddr3-1600", {0, 5, 10, 15, 24});
  run("trets", {0, 4, 8, 12, 16});
  run("hbm2", {0, 4, 8, 12, 16});
}

TEST(dram_streams_over_one_and_two_bank_groups) {
  Bench bench(Ddr4());
  for (const auto& [bank, column] : {std::pair{0u, 0u}, {1u, 0u}, {0u, 1u}, {1u, 1u}}) {
    bench.ReadAt(bank, 0, column);
  }
  bench.Finish();
  CheckLog(bench, {{kAct, 0}, {kAct, 4, 1}, {kRd, 17}, {kRd, 21, 1}, {kRd, 25}, {kRd, 29, 1}});
}

// A lone write waits for a pause of 50 ns = 60 clocks.
TEST(dram_write_to_read) {
  Bench bench(Ddr4());
  bench.ReadAt(1, 0);
  bench.WriteAt(0, 0);
  bench.StepTo(13);  // clock 99.84
  bench.ReadAt(0, 0, 1);
  bench.ReadAt(1, 0, 1);
  bench.Finish();
  // The data of the write end at 94 + 12 + 4; tWTR_S 3 and tWTR_L 9 behind that.
  CheckLog(bench, {{kAct, 0, 1}, {kRd, 17, 1}, {kAct, 77}, {kWr, 94}, {kRd, 113, 1}, {kRd, 119}});
  CHECK_EQ(bench.dram().counts().turnarounds, 2u);
}

// A read that a write must go before brings that about at once.
TEST(dram_read_to_write_and_back) {
  Bench bench(Ddr4());
  bench.ReadAt(0, 0, 0);
  bench.WriteAt(0, 0, 1);
  bench.StepTo(3);
  bench.ReadAt(0, 0, 1);
  bench.Finish();
  // tCL + 4 + 2 - tCWL = 11 to the write; tCWL + 4 + tWTR_L = 25 to the read of what it wrote.
  CheckLog(bench, {{kAct, 0}, {kRd, 17}, {kWr, 28}, {kRd, 53}});
  CheckAll(bench);
}

TEST(dram_write_recovery) {
  const auto run = [](const char* name, const std::vector<uint64_t>& at) {
    Bench bench(FindDramDevice(name));
    bench.WriteAt(0, 0);
    bench.StepTo(11);
    bench.ReadAt(0, 1);
    bench.Finish();
    CheckLog(bench, {{kAct, at[0]}, {kWr, at[1]}, {kPre, at[2]}, {kAct, at[3]}, {kRd, at[4]}});
  };
  // After the pause tRCD; tCWL, burst and tWR; tRP; tRCD.
  run("ddr4-2400", {60, 77, 111, 128, 145});
  run("ddr3-1600", {40, 51, 75, 86, 97});
  run("trets", {15, 20, 34, 39, 44});
  run("hbm2", {50, 64, 86, 100, 114});
}

TEST(dram_refresh) {
  const auto run = [](const char* name, uint64_t cycle, const std::vector<uint64_t>& at) {
    Bench bench(FindDramDevice(name));
    bench.ReadAt(0, 0);
    bench.StepTo(cycle);  // after the refresh has begun
    bench.ReadAt(0, 0);
    bench.Finish();
    CheckLog(bench,
             {{kAct, 0}, {kRd, at[0]}, {kAll, at[1]}, {kRef, at[2]}, {kAct, at[3]}, {kRd, at[4]}});
    CHECK_EQ(bench.dram().counts().refreshes, 1u);
  };
  // tREFI, tRP, tRFC, tRCD
  run("ddr4-2400", 1230, {17, 9360, 9377, 9797, 9814});
  run("ddr3-1600", 1230, {11, 6240, 6251, 6459, 6470});
  run("trets", 1230, {5, 2340, 2345, 2423, 2428});
  run("hbm2", 620, {14, 3900, 3914, 4264, 4278});
}

TEST(dram_skipped_time_is_refreshed_at_once) {
  Bench bench(Ddr4());
  bench.ReadAt(0, 0);
  bench.Finish();
  bench.dram().Tick(uint64_t{156'250'000} * 86400 * 365);
  const uint64_t refreshes = bench.dram().counts().refreshes;
  CHECK(refreshes / (uint64_t{86400} * 365) == 128205);  // 1 s / 7.8 us
  CHECK(bench.log().size() < 10);
}

TEST(dram_writes_are_done_when_queued) {
  Bench bench(Ddr4());
  MemoryAccess access = {.address = 0, .bytes = 64, .asked = 0, .write = true};
  CHECK(bench.dram().Start(access, 5));
  CHECK_EQ(access.ready, 6u);
}

// 32 are taken, more are not before some have gone to the chips.
TEST(dram_queues_are_bounded) {
  for (const bool write : {false, true}) {
    Bench bench(Ddr4());
    for (unsigned i = 0; i < 40; ++i) {
      if (write) {
        bench.WriteAt(i % 16, i / 16);
      } else {
        bench.ReadAt(i % 16, i / 16);
      }
    }
    bench.Step();
    CHECK_EQ(write ? bench.waiting_writes() : bench.waiting_reads(), 8u);
    bench.Finish();
    CheckAll(bench);
    CHECK_EQ(bench.accepted.size(), 40u);
  }
}

// Writes go in batches, so that there are few turnarounds, and reads are served in between.
TEST(dram_batches_writes) {
  Bench bench(Ddr4());
  std::mt19937 random(1);
  for (unsigned i = 0; i < 4000; ++i) {
    bench.Read(random() % (1 << 20) * 64);
    bench.Write(random() % (1 << 20) * 64);
  }
  bench.Finish();
  CheckAll(bench);
  CHECK(bench.dram().counts().turnarounds < 8000 / 12);
  CHECK(bench.dram().utilisation() > 0.45);
}

// One row read without end, and a read of another row of the same bank.
TEST(dram_row_hits_starve_nobody) {
  for (const DramDevice& device : DramDevices()) {
    Bench bench(device);
    unsigned column = 0;
    bench.dram().ResetStatistics();
    for (unsigned i = 0; i < 4000; ++i) {
      if (i == 500) bench.ReadAt(0, 1);
      while (bench.waiting_reads() == 0) bench.ReadAt(0, 0, column++ % 8);
      bench.Step();
    }
    bench.Finish();
    CheckAll(bench);
    CHECK(bench.dram().counts().row_conflicts >= 2);
    CHECK(static_cast<double>(bench.dram().counts().latency_max) * 6.4 < 4000);
  }
}

// Nor do writes without end starve reads, nor reads writes.
TEST(dram_neither_side_starves) {
  for (const DramDevice& device : DramDevices()) {
    std::mt19937 random(1);
    Bench bench(device);
    for (unsigned i = 0; i < 4000; ++i) {
      while (bench.waiting_writes() == 0) bench.Write(random() % (1 << 20) * device.burst_bytes);
      if (i % 50 == 0) bench.Read(random() % (1 << 20) * device.burst_bytes);
      bench.Step();
    }
    bench.Finish();
    CheckAll(bench);
    CHECK(static_cast<double>(bench.dram().counts().latency_max) * 6.4 < 3000);

    for (const unsigned bursts : {1u, 1u << 20}) {  // the same as the write, or any
      Bench other(device);
      uint64_t written = 0;
      for (unsigned i = 0; i < 2000 && written == 0; ++i) {
        while (other.waiting_reads() == 0) other.Read(random() % bursts * device.burst_bytes);
        if (i == 10) other.Write(0);
        other.Step();
        for (const DramCommand& command : other.log()) {
          if (command.kind == kWr) written = other.now();
        }
      }
      CHECK(written != 0);
      CHECK(static_cast<double>(written) * 6.4 < 4000);
      CheckRules(device, other.log());
    }
  }
}

// Random traffic with pauses, few addresses (so that same bursts meet) and many.
TEST(dram_random_streams_break_no_rule) {
  for (const DramDevice& device : DramDevices()) {
    for (const unsigned lines : {8u, 200u, 1u << 20}) {
      for (const unsigned writes : {1u, 5u, 9u}) {
        std::mt19937 random(lines + writes);
        Bench bench(device);
        unsigned pace = 1;
        for (unsigned i = 0; i < 6000; ++i) {
          if (random() % 64 == 0) pace = 1 + random() % 16;
          if (random() % 512 == 0) bench.StepTo(bench.now() + 300);
          if (random() % pace == 0) {
            const uint64_t address =
                random() % lines * device.burst_bytes *
                (lines == 200 ? device.interleave_bytes / device.burst_bytes : 1);
            for (unsigned n = random() % 4; n < 4; ++n) {
              if (random() % 10 < writes) {
                bench.Write(address + n * device.burst_bytes);
              } else {
                bench.Read(address + n * device.burst_bytes);
              }
            }
          }
          bench.Step();
        }
        bench.Finish();
        CheckAll(bench);
        CHECK(bench.log().size() > 1000);
      }
    }
  }
}

// Runs for 60 us with as many reads as it takes; `next` gives their addresses. Bursts per
// microsecond of the time in which the memory is not being refreshed.
template <typename Next>
double Saturated(Bench& bench, Next next) {
  constexpr uint64_t kCycles = 9375;
  while (bench.now() < kCycles) {
    while (bench.waiting_reads() < 8) bench.Read(next());
    bench.Step();
  }
  CheckRules(bench.device(), bench.log());
  const DramDevice& d = bench.device();
  const double clocks = kCycles * 6.4e-3 * d.mhz -
                        static_cast<double>(bench.dram().counts().refreshes) * (d.rfc + d.rp);
  const auto reads = std::count_if(bench.log().begin(), bench.log().end(),
                                   [](const DramCommand& c) { return c.kind == kRd; });
  return static_cast<double>(reads) * d.mhz / clocks;
}

TEST(dram_random_reads_reach_the_bound_of_activates) {
  for (const DramDevice& device : DramDevices()) {
    std::mt19937_64 random(1);
    Bench bench(device);
    const double bound = std::min(4.0 * device.mhz / device.faw, 1.0 * device.mhz / device.rrd_s);
    const double rate = Saturated(bench, [&] { return random() % (1 << 26) * device.burst_bytes; });
    std::printf("%s: %.1f of %.1f M random reads/s\n", device.name.data(), rate, bound);
    // On the board of TRETS the data bus is at its bound at the same time, and so is the command
    // bus nearly.
    CHECK(rate >= (device.name == "trets" ? 0.88 : 0.9) * bound);
    CHECK(rate <= 1.001 * bound);  // the last of them begin in this time and end after it
  }
}

TEST(dram_sequential_reads_reach_the_peak) {
  for (const DramDevice& device : DramDevices()) {
    Bench bench(device);
    uint64_t address = 0;
    const double bound = static_cast<double>(device.mhz) / device.burst_clocks;
    const double rate = Saturated(bench, [&] { return address += device.burst_bytes; });
    std::printf("%s: %.1f of %.1f M sequential reads/s\n", device.name.data(), rate, bound);
    CHECK(rate >= 0.9 * bound);
    CHECK(rate <= bound);
  }
}

// The table at its fastest: every 4 cycles a random bucket of 4 lines and a value of one.
TEST(dram_keeps_up_with_the_table) {
  std::mt19937_64 random(1);
  Bench bench(Ddr4());
  constexpr unsigned kOperations = 5000;
  size_t most_waiting = 0;
  for (unsigned i = 0; i < kOperations; ++i) {
    const uint64_t bucket = random() % 1'000'000 * 2240 + 31 * 64;
    for (unsigned line = 0; line < 4; ++line) bench.Read(bucket + line * 64);
    bench.Read((uint64_t{1} << 32) + random() % (1 << 24) * 128);
    bench.StepTo(4 * (i + 1));
    most_waiting = std::max(most_waiting, bench.waiting_reads());
  }
  bench.Finish();
  CheckAll(bench);
  std::printf("%s\n", bench.dram().Statistics().Text().c_str());
  CHECK(most_waiting < 100);  // while it is refreshed
  CHECK(bench.dram().utilisation() > 0.6 && bench.dram().utilisation() < 0.7);
}

}  // namespace
}  // namespace wirecache::sim
