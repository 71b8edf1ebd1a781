// SPDX-License-Identifier: Apache-2.0
#include "sim/statistics.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <iterator>
#include <string_view>

#include "wc_counters.h"

namespace wirecache::sim {
namespace {

constexpr std::string_view kDrop = "drop_";

__attribute__((format(printf, 2, 3))) void Append(std::string& out, const char* format, ...) {
  char line[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  out += line;
}

// Calls use(cause, count) for every counter of drops.
template <typename Use>
void ForEachDrop(const host::Driver& driver, Use use) {
  for (size_t i = 0; i < std::size(host::kCounters); ++i) {
    const std::string_view name = host::kCounters[i].name;
    if (name.starts_with(kDrop)) use(name.substr(kDrop.size()), driver.counters()[i]);
  }
}

std::string DropCauses(const host::Driver& driver) {
  std::string out;
  ForEachDrop(driver, [&out](std::string_view cause, uint64_t count) {
    if (count == 0) return;
    out += out.empty() ? ": " : ", ";
    out.append(cause).append(" ").append(std::to_string(count));
  });
  return out;
}

}  // namespace

uint64_t Operations(const host::Driver& driver) {
  uint64_t sum = 0;
  for (const char* name : {"get", "set", "delete", "flush", "other", "error"}) {
    sum += driver.counter(name);
  }
  return sum;
}

uint64_t Drops(const host::Driver& driver) {
  uint64_t sum = 0;
  ForEachDrop(driver, [&sum](std::string_view, uint64_t count) { sum += count; });
  return sum;
}

JsonObject CountersJson(const host::Driver& driver) {
  JsonObject out;
  for (size_t i = 0; i < std::size(host::kCounters); ++i) {
    out.Add(host::kCounters[i].name, driver.counters()[i]);
  }
  return out;
}

JsonObject DropsJson(const host::Driver& driver) {
  JsonObject out;
  ForEachDrop(driver, [&out](std::string_view cause, uint64_t count) { out.Add(cause, count); });
  return out;
}

std::string Summary(const host::Driver& driver, uint64_t cycles, double simulating_seconds) {
  const uint64_t gets = driver.counter("get");
  const uint64_t hits = driver.counter("get_hit");
  std::string out;
  Append(out, "operations  %" PRIu64 ":", Operations(driver));
  const char* separator = " ";
  for (const char* name : {"get", "set", "delete", "flush", "other", "error"}) {
    Append(out, "%s%s %" PRIu64, separator, name, driver.counter(name));
    separator = ", ";
  }
  Append(out, "\nhits        %" PRIu64 " of %" PRIu64 " gets (%.1f %%)\n", hits, gets,
         gets == 0 ? 0.0 : 100.0 * static_cast<double>(hits) / static_cast<double>(gets));
  Append(out, "frames      %" PRIu64 " in, %" PRIu64 " out\n", driver.counter("frame_in"),
         driver.counter("frame_out"));
  Append(out, "drops       %" PRIu64, Drops(driver));
  out += DropCauses(driver);
  const uint64_t set_errors = driver.counter("set_full") + driver.counter("set_no_block");
  if (set_errors != 0) {
    Append(out, "\nnot stored  %" PRIu64 ": bucket full %" PRIu64 ", no block %" PRIu64, set_errors,
           driver.counter("set_full"), driver.counter("set_no_block"));
  }
  if (driver.bad_pointers() != 0) {
    Append(out, "\nbad pointers came back from the circuit: %" PRIu64, driver.bad_pointers());
  }
  const uint64_t lost = driver.counter("refused");
  if (lost != 0) Append(out, "\npointers that a full queue refused: %" PRIu64, lost);
  Append(out, "\nsimulated   %" PRIu64 " cycles = %.3f ms, %.0f cycles per second\n", cycles,
         static_cast<double>(cycles) * 1e3 / kClockHz,
         static_cast<double>(cycles) / simulating_seconds);
  return out;
}

}  // namespace wirecache::sim
