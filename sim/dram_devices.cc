// SPDX-License-Identifier: Apache-2.0
#include "sim/dram_devices.h"

#include <stdexcept>
#include <string>

namespace wirecache::sim {
namespace {

// Nanoseconds of the standards are rounded up to whole clocks, as controllers do.
constexpr DramDevice kDevices[] = {
    // DDR4-2400, JESD79-4B, speed bin 2400T (17-17-17), 8 Gb x8 chips with pages of 1 KB. tRCD and
    // tRP 14.16 ns, tRAS 32 ns, tRRD max(4, 3.3 ns) and max(4, 4.9 ns), tFAW max(20, 21 ns),
    // tCCD_L max(5, 5 ns), tWR 15 ns, tWTR max(2, 2.5 ns) and max(4, 7.5 ns), tRTP max(4, 7.5 ns),
    // tRFC1 350 ns, tREFI 7.8 us; CWL 12 with preambles of one clock.
    {.name = "ddr4-2400",
     .mhz = 1200,
     .burst_bytes = 64,
     .burst_clocks = 4,
     .banks = 16,
     .groups = 4,
     .row_bytes = 8192,
     .interleave_bytes = 1024,
     .two_command_buses = false,
     .cl = 17,
     .cwl = 12,
     .rcd = 17,
     .rp = 17,
     .ras = 39,
     .rc = 56,
     .rrd_s = 4,
     .rrd_l = 6,
     .faw = 26,
     .ccd_s = 4,
     .ccd_l = 6,
     .wr = 18,
     .wtr_s = 3,
     .wtr_l = 9,
     .rtp = 9,
     .bus_gap = 2,
     .refi = 9360,
     .rfc = 420},
    // DDR3-1600, JESD79-3F, speed bin 1600K (11-11-11), 4 Gb x8 chips with pages of 1 KB. tRCD and
    // tRP 13.75 ns, tRAS 35 ns, tRRD max(4, 6 ns), tFAW 30 ns, tWR 15 ns, tWTR and tRTP
    // max(4, 7.5 ns), tRFC 260 ns, tREFI 7.8 us; CWL 8.
    {.name = "ddr3-1600",
     .mhz = 800,
     .burst_bytes = 64,
     .burst_clocks = 4,
     .banks = 8,
     .groups = 1,
     .row_bytes = 8192,
     .interleave_bytes = 1024,
     .two_command_buses = false,
     .cl = 11,
     .cwl = 8,
     .rcd = 11,
     .rp = 11,
     .ras = 28,
     .rc = 39,
     .rrd_s = 5,
     .rrd_l = 5,
     .faw = 24,
     .ccd_s = 4,
     .ccd_l = 4,
     .wr = 12,
     .wtr_s = 6,
     .wtr_l = 6,
     .rtp = 6,
     .bus_gap = 2,
     .refi = 6240,
     .rfc = 208},
    // The board of TRETS'15, section 6: 384 bits of DDR3 at 300 MHz in bursts of 8, 24 GB as six
    // modules side by side. The paper names no chips: 4 Gb x8 of the slowest bin, DDR3-800E, with
    // tRCD and tRP 15 ns, tRAS 37.5 ns, tRRD max(4, 10 ns), tFAW 40 ns, tWR 15 ns, tWTR and tRTP
    // max(4, 7.5 ns), tRFC 260 ns, tREFI 7.8 us; CL and CWL 5, all that DDR3 has at this clock.
    {.name = "trets",
     .mhz = 300,
     .burst_bytes = 384,
     .burst_clocks = 4,
     .banks = 8,
     .groups = 1,
     .row_bytes = 49152,
     .interleave_bytes = 3072,
     .two_command_buses = false,
     .cl = 5,
     .cwl = 5,
     .rcd = 5,
     .rp = 5,
     .ras = 12,
     .rc = 17,
     .rrd_s = 4,
     .rrd_l = 4,
     .faw = 12,
     .ccd_s = 4,
     .ccd_l = 4,
     .wr = 5,
     .wtr_s = 4,
     .wtr_l = 4,
     .rtp = 4,
     .bus_gap = 2,
     .refi = 2340,
     .rfc = 78},
    // HBM2 at 2 Gb/s, JESD235, one pseudo-channel: 64 bits, bursts of 4, pages of 1 KB, 8 Gb a
    // channel. Analogue times are the vendors' and not the standard's; these are of the kind that
    // DRAMsim3 and Ramulator use, with tRC 45 ns (31 + 14) and tFAW 16 ns.
    {.name = "hbm2",
     .mhz = 1000,
     .burst_bytes = 32,
     .burst_clocks = 2,
     .banks = 16,
     .groups = 4,
     .row_bytes = 1024,
     .interleave_bytes = 512,
     .two_command_buses = true,
     .cl = 14,
     .cwl = 4,
     .rcd = 14,
     .rp = 14,
     .ras = 31,
     .rc = 45,
     .rrd_s = 4,
     .rrd_l = 6,
     .faw = 16,
     .ccd_s = 2,
     .ccd_l = 4,
     .wr = 16,
     .wtr_s = 6,
     .wtr_l = 8,
     .rtp = 6,
     .bus_gap = 2,
     .refi = 3900,
     .rfc = 350},
};

}  // namespace

std::span<const DramDevice> DramDevices() { return kDevices; }

const DramDevice& FindDramDevice(std::string_view name) {
  for (const DramDevice& device : kDevices) {
    if (device.name == name) return device;
  }
  throw std::invalid_argument("no memory timing is named " + std::string(name));
}

}  // namespace wirecache::sim
