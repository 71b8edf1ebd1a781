// SPDX-License-Identifier: Apache-2.0
#include "sim/statistics.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

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

double Mebibytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

double Milliseconds(uint64_t cycles) { return static_cast<double>(cycles) * 1e3 / kClockHz; }

}  // namespace

template <typename Use>
void Counts::ForEachDrop(Use use) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    const std::string_view name = host::kCounters[i].name;
    if (name.starts_with(kDrop)) use(name.substr(kDrop.size()), values_[i]);
  }
}

Counts Counts::Since(const Counts& earlier) const {
  Counts out = *this;
  for (size_t i = 0; i < values_.size(); ++i) out.values_[i] -= earlier.values_[i];
  return out;
}

uint64_t Counts::operator[](std::string_view name) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (name == host::kCounters[i].name) return values_[i];
  }
  throw std::out_of_range("no counter " + std::string(name));
}

uint64_t Counts::Operations() const {
  uint64_t sum = 0;
  for (const char* name : {"get", "set", "delete", "flush", "other", "error"}) sum += (*this)[name];
  return sum;
}

uint64_t Counts::Drops() const {
  uint64_t sum = 0;
  ForEachDrop([&sum](std::string_view, uint64_t count) { sum += count; });
  return sum;
}

JsonObject Counts::Json() const {
  JsonObject out;
  for (size_t i = 0; i < values_.size(); ++i) {
    const host::Counter& counter = host::kCounters[i];
    if (host::Has(index_, counter)) out.Add(counter.name, values_[i]);
  }
  return out;
}

JsonObject Counts::DropsJson() const {
  JsonObject out;
  ForEachDrop([&out](std::string_view cause, uint64_t count) { out.Add(cause, count); });
  return out;
}

std::string Counts::DropsText() const {
  std::string out;
  ForEachDrop([&out](std::string_view cause, uint64_t count) {
    if (count == 0) return;
    out += out.empty() ? ": " : ", ";
    out.append(cause).append(" ").append(std::to_string(count));
  });
  return out;
}

namespace {

// What the item index has in its log, and what it has evicted.
std::string LogSummary(host::Driver& driver, const Counts& counts) {
  const host::ItemLayout& layout = driver.item_layout();
  const host::ItemState state = driver.ReadItemState();
  std::string out;
  const uint64_t segment_bytes = layout.segment_bytes();
  const uint64_t used_bytes = (layout.segments - state.free) * segment_bytes;
  Append(out, "\nlog         %u segments of %" PRIu64 " KiB: new %u, main %u, free %u, lost %u",
         layout.segments, segment_bytes >> 10, state.count_new, state.count_main, state.free,
         state.lost);
  Append(out, "\nitems       %" PRIu64 " in %" PRIu64 " slots, %.1f MiB live of %.1f MiB in use",
         state.items, layout.buckets() * host::kSlots, Mebibytes(state.bytes),
         Mebibytes(used_bytes));
  const uint64_t evicted =
      counts["evict_new"] + counts["evict_main"] + counts["evict_bucket"] + counts["evict_dead"];
  const uint64_t sweeps = counts["sweep_new"] + counts["sweep_main"];
  Append(out,
         "\nevicted     %" PRIu64 ": new %" PRIu64 ", main %" PRIu64 ", bucket %" PRIu64
         ", expired or flushed %" PRIu64 "; kept %" PRIu64,
         evicted, counts["evict_new"], counts["evict_main"], counts["evict_bucket"],
         counts["evict_dead"], counts["promote"] + counts["copy"]);
  if (sweeps != 0) {
    Append(out, "\nage         of swept segments: new %.3f ms, main %.3f ms, mean of all %.3f ms",
           Milliseconds(state.age_new_cycles), Milliseconds(state.age_main_cycles),
           Milliseconds(state.age_sum_cycles) / static_cast<double>(sweeps));
  }
  if (counts["forgotten"] != 0) {
    Append(out, "\nforgotten   all, %" PRIu64 " times, as memory failed too often",
           counts["forgotten"]);
  }
  if (counts["too_large"] != 0) {
    Append(out, "\ntoo large   %" PRIu64 " SETs, of items beyond %" PRIu64 " KiB",
           counts["too_large"], layout.largest_units * host::kUnitBytes >> 10);
  }
  return out;
}

// Connections of TCP, and what their segments met: only what has been.
std::string TcpSummary(const Counts& counts) {
  std::string out;
  Append(out, "\nconnections %" PRIu64 " opened, %" PRIu64 " closed", counts["tcp_opened"],
         counts["tcp_closed"]);
  for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"tcp_refused", "refused"},
           {"tcp_idle", "idle"},
           {"tcp_silent", "silent"},
           {"tcp_bad_cookie", "wrong cookies"},
           {"tcp_reset", "reset"},
           {"tcp_unanswered", "unanswered"}}) {
    if (counts[name] != 0) Append(out, ", %" PRIu64 " %s", counts[name], text);
  }
  Append(out, "\nsegments    %" PRIu64 " in, %" PRIu64 " sent again", counts["tcp_in"],
         counts["tcp_retransmit"]);
  for (const auto& [name, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"tcp_timeout", "timeouts"},
           {"tcp_recovery", "fast recoveries"},
           {"tcp_probe", "tail probes"},
           {"tcp_window_probe", "window probes"},
           {"tcp_keepalive", "keepalives"},
           {"tcp_out_of_order", "out of order"},
           {"tcp_duplicate", "duplicate"},
           {"tcp_challenge", "challenged"},
           {"tcp_old_stamp", "of old stamps"},
           {"tcp_early", "early"},
           {"tcp_flooded", "too many of a connection"},
           {"tcp_lost", "lost to memory"}}) {
    if (counts[name] != 0) Append(out, ", %" PRIu64 " %s", counts[name], text);
  }
  return out;
}

// What the bucket index could not store, and pointers that went wrong.
std::string BlockSummary(const host::Driver& driver, const Counts& counts) {
  std::string out;
  const uint64_t full = counts["set_full"];
  const uint64_t no_block = counts["set_no_block"];
  if (full + no_block != 0) {
    Append(out, "\nnot stored  %" PRIu64 ": bucket full %" PRIu64 ", no block %" PRIu64,
           full + no_block, full, no_block);
  }
  if (driver.bad_pointers() != 0) {
    Append(out, "\nbad pointers came back from the circuit: %" PRIu64, driver.bad_pointers());
  }
  const uint64_t lost = counts["refused"];
  if (lost != 0) Append(out, "\npointers that a full queue refused: %" PRIu64, lost);
  return out;
}

}  // namespace

std::string Summary(host::Driver& driver, uint64_t cycles, double simulating_seconds) {
  const Counts counts(driver);
  const uint64_t gets = counts["get"];
  const uint64_t hits = counts["get_hit"];
  std::string out;
  Append(out, "operations  %" PRIu64 ":", counts.Operations());
  const char* separator = " ";
  for (const char* name : {"get", "set", "delete", "flush", "other", "error"}) {
    Append(out, "%s%s %" PRIu64, separator, name, counts[name]);
    separator = ", ";
  }
  Append(out, "\nhits        %" PRIu64 " of %" PRIu64 " gets (%.1f %%)\n", hits, gets,
         gets == 0 ? 0.0 : 100.0 * static_cast<double>(hits) / static_cast<double>(gets));
  Append(out, "frames      %" PRIu64 " in, %" PRIu64 " out\n", counts["frame_in"],
         counts["frame_out"]);
  Append(out, "drops       %" PRIu64, counts.Drops());
  out += counts.DropsText();
  uint64_t memory_errors = 0;
  for (const char* name :
       {"table_read_error", "table_write_error", "value_read_error", "value_write_error"}) {
    memory_errors += counts[name];
  }
  if (memory_errors != 0) {
    Append(out,
           "\nmemory      %" PRIu64 " errors: table read %" PRIu64 ", written %" PRIu64
           "; values read %" PRIu64 ", written %" PRIu64 "; %" PRIu64
           " operations missed or failed, %" PRIu64 " answers not sent",
           memory_errors, counts["table_read_error"], counts["table_write_error"],
           counts["value_read_error"], counts["value_write_error"], counts["failed"],
           counts["answer_lost"]);
  }
  if (driver.OutOfUse()) {
    out += "\nout of use  the table: ";
    out += kOutOfUse;
  }
  if (driver.circuit().tcp) out += TcpSummary(counts);
  const bool item = driver.circuit().index == host::IndexKind::kItem;
  out += item ? LogSummary(driver, counts) : BlockSummary(driver, counts);
  Append(out, "\nsimulated   %" PRIu64 " cycles = %.3f ms, %.0f cycles per second\n", cycles,
         static_cast<double>(cycles) * 1e3 / kClockHz,
         static_cast<double>(cycles) / simulating_seconds);
  return out;
}

}  // namespace wirecache::sim
