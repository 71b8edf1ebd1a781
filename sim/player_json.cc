// SPDX-License-Identifier: Apache-2.0
// The figures of `replay`.
#include <algorithm>
#include <string>

#include "sim/player.h"

namespace wirecache::sim {
namespace {

JsonObject DirectionJson(const WireStatistics& statistics) {
  JsonObject out;
  out.Add("frames", statistics.frames);
  out.Add("frame_bytes", statistics.frame_bytes);
  out.Add("wire_bytes", statistics.wire_bytes);
  out.Add("first_cycle", statistics.first_cycle);
  out.Add("last_cycle", statistics.last_cycle);
  return out;
}

JsonObject MemoryErrorsJson(const MemoryErrors& errors, const host::MemoryState& state) {
  JsonObject out;
  out.Add("read", errors.reads());
  out.Add("written", errors.writes());
  out.Add("first_address", state.first_address);
  out.Add("buckets", state.buckets);
  out.Add("all_buckets", unsigned{state.all_buckets});
  out.Add("blocks", state.blocks);
  out.Add("all_blocks", unsigned{state.all_blocks});
  return out;
}

JsonObject AuditJson(const host::Audit& audit) {
  JsonObject out;
  out.Add("lost", audit.lost());
  out.Add("twice", audit.twice());
  out.Add("unknown", audit.unknown());
  out.Add("out_of_use", audit.out_of_use());
  for (unsigned c = 0; c < host::kClasses; ++c) {
    const host::Audit::Blocks& blocks = audit.classes()[c];
    JsonObject by_place;
    by_place.Add("table", blocks.table);
    by_place.Add("out_of_use", blocks.out_of_use);
    by_place.Add("queued", blocks.queued);
    by_place.Add("deleted", blocks.deleted);
    by_place.Add("pool", blocks.pool);
    by_place.Add("unused", blocks.unused);
    by_place.Add("lost", blocks.lost);
    by_place.Add("twice", blocks.twice);
    out.Add("class_" + std::to_string(c), by_place);
  }
  return out;
}

JsonObject AuditJson(const host::ItemAudit& audit) {
  JsonObject out;
  out.Add("items", audit.items());
  out.Add("bytes", audit.bytes());
  out.Add("ghosts", audit.ghosts());
  out.Add("outside", audit.outside());
  out.Add("strange", audit.strange());
  out.Add("elsewhere", audit.elsewhere());
  out.Add("mismatched", audit.mismatched());
  out.Add("unchecked", audit.unchecked());
  out.Add("overlaps", audit.overlaps());
  out.Add("twice", audit.twice());
  out.Add("counted", unsigned{audit.counted()});
  out.Add("segments_add_up", unsigned{audit.segments_add_up()});
  out.Add("segments_suffice", unsigned{audit.segments_suffice()});
  out.Add("retired", unsigned{audit.retired()});
  return out;
}

JsonObject LogJson(const host::ItemLayout& layout, const host::ItemState& state) {
  JsonObject out;
  out.Add("segments", layout.segments);
  out.Add("segment_bytes", layout.segment_bytes());
  out.Add("buckets", layout.buckets());
  out.Add("largest_bytes", layout.largest_units * host::kUnitBytes);
  out.Add("free", state.free);
  out.Add("new", state.count_new);
  out.Add("main", state.count_main);
  out.Add("lost", state.lost);
  out.Add("items", state.items);
  out.Add("item_bytes", state.bytes);
  out.Add("age_new_cycles", state.age_new_cycles);
  out.Add("age_main_cycles", state.age_main_cycles);
  out.Add("age_sum_cycles", state.age_sum_cycles);
  return out;
}

}  // namespace

JsonObject Player::Json() const {
  const Simulation& simulation = board_.simulation();
  const WireStatistics& in = simulation.wire_in().statistics();
  const WireStatistics& out = simulation.wire_out().statistics();
  const uint64_t operations = counts_.Operations();
  // From the first word in to the last word out.
  const uint64_t last = std::max(in.last_cycle, out.last_cycle);
  const uint64_t cycles = in.frames == 0 ? 0 : last + 1 - in.first_cycle;
  const auto per = [](auto a, auto b) {
    return b == 0 ? 0.0 : static_cast<double>(a) / static_cast<double>(b);
  };
  JsonObject json;
  json.Add("frames_in", in.frames);
  json.Add("frames_out", out.frames);
  json.Add("dropped", counts_.Drops());
  json.Add("drops", counts_.DropsJson());
  json.Add("operations", operations);
  json.Add("hits", counts_["get_hit"]);
  json.Add("cycles", cycles);
  json.Add("cycles_per_operation", per(cycles, operations));
  json.Add("operations_per_second", per(operations * kClockHz, cycles));
  json.Add("clock_hz", kClockHz);
  json.Add("in", DirectionJson(in));
  json.Add("out", DirectionJson(out));
  json.Add("transmit_gaps", simulation.wire_out().gaps());

  if (conversations_) {
    JsonObject captured;
    captured.Add("silent", conversations_->silent);
    captured.Add("joined", conversations_->joined);
    captured.Add("broken", conversations_->broken);
    captured.Add("guessed", conversations_->guessed);
    json.Add("captured_connections", captured);
  }
  if (traffic_) {
    json.Add("traffic", traffic_->Json());
    json.Add("strange", traffic_->strange());
  }
  if (impairments_) json.Add("link", impairments_->Json());
  json.Add("unanswered", unanswered_datagrams_);
  json.Add("bad_pointers", board_.driver().bad_pointers());
  json.Add("counters", counts_.Json());
  if (audit_) json.Add("audit", AuditJson(*audit_));
  if (item_audit_) json.Add("audit", AuditJson(*item_audit_));
  if (item_state_) json.Add("log", LogJson(board_.driver().item_layout(), *item_state_));
  json.Add("memory_errors", MemoryErrorsJson(simulation.memory().errors(), memory_state_));
  json.Add("dram", simulation.memory().timing().Statistics());
  json.Add("memory_touched_bytes", simulation.memory().contents().touched_bytes());
  json.Add("simulated_cycles", simulated_);
  json.Add("wall_seconds", simulating_.seconds());
  json.Add("simulated_cycles_per_second", per(simulated_, simulating_.seconds()));
  return json;
}

}  // namespace wirecache::sim
