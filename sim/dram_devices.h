// SPDX-License-Identifier: Apache-2.0
#ifndef WIRECACHE_SIM_DRAM_DEVICES_H_
#define WIRECACHE_SIM_DRAM_DEVICES_H_

#include <cstdint>
#include <span>
#include <string_view>

namespace wirecache::sim {

// One channel of one rank. Times are in clocks of the memory, which moves data at both edges.
struct DramDevice {
  std::string_view name;
  unsigned mhz;
  unsigned burst_bytes;   // moved by one column command
  unsigned burst_clocks;  // for which it holds the data bus
  unsigned banks, groups;
  unsigned row_bytes;
  unsigned interleave_bytes;  // addresses that stay in a bank before the next bank's turn
  bool two_command_buses;     // one for rows and one for columns

  unsigned cl, cwl;           // column command to its data, read and write
  unsigned rcd;               // activate to column
  unsigned rp, ras, rc;       // precharge to activate, activate to precharge and to activate
  unsigned rrd_s, rrd_l;      // activate to activate: another bank group, the same
  unsigned faw;               // five activates are further apart than this
  unsigned ccd_s, ccd_l;      // column to column
  unsigned wr, wtr_s, wtr_l;  // end of written data to precharge and to read
  unsigned rtp;               // read to precharge
  unsigned bus_gap;           // idle clocks of the data bus between read and written data
  unsigned refi, rfc;         // refresh: how often and how long
};

std::span<const DramDevice> DramDevices();
// Throws std::invalid_argument if there is none of that name.
const DramDevice& FindDramDevice(std::string_view name);

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_DRAM_DEVICES_H_
