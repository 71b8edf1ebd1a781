// SPDX-License-Identifier: Apache-2.0
#include "host/stats.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <initializer_list>

#include "wc_counters.h"

namespace wirecache::host {
namespace {

constexpr uint64_t kEventBytes = 8;  // of an event that counts bytes
constexpr uint64_t kFrameHeaderBytes = 8;

class Builder {
 public:
  void Add(std::string name, std::string value) {
    fields_.emplace_back(std::move(name), std::move(value));
  }
  void Add(std::string name, const char* value) { Add(std::move(name), std::string(value)); }
  void Add(std::string name, uint64_t value) { Add(std::move(name), std::to_string(value)); }
  // What memcached counts and has no meaning here, or is not counted.
  void Zeros(std::initializer_list<const char*> names) {
    for (const char* name : names) Add(name, uint64_t{0});
  }
  StatFields Take() { return std::move(fields_); }

 private:
  StatFields fields_;
};

std::string Seconds(const timeval& time) {
  char text[64];
  std::snprintf(text, sizeof(text), "%lld.%06lld", static_cast<long long>(time.tv_sec),
                static_cast<long long>(time.tv_usec));
  return text;
}

std::string Address(uint32_t ip) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += std::to_string(ip >> shift & 0xFF) + (shift == 0 ? "" : ".");
  }
  return text;
}

std::string Endpoint(uint32_t ip, uint16_t port) {
  return Address(ip) + ":" + std::to_string(port);
}

const char* HashName(HashKind hash) {
  switch (hash) {
    case HashKind::kMultiplicative:
      return "multiplicative";
    case HashKind::kCrc:
      return "crc";
    default:
      return "jenkins";  // memcached's word for lookup3
  }
}

uint64_t Evictions(const BoardNumbers& numbers) {
  return numbers["evict_new"] + numbers["evict_main"] + numbers["evict_bucket"];
}

uint64_t NoMemory(const BoardNumbers& numbers) {
  return numbers["set_full"] + numbers["set_no_block"];
}

// memcached counts its frame header, too; the board has taken that off when it counts a request.
uint64_t BytesRead(const BoardFacts& facts, const BoardNumbers& numbers) {
  const uint64_t headers = facts.frame_header ? numbers["request_in"] : 0;
  return kEventBytes * numbers["bytes_in"] + kFrameHeaderBytes * headers;
}

}  // namespace

uint64_t BoardNumbers::operator[](std::string_view name) const {
  for (size_t i = 0; i < counters.size(); ++i) {
    if (name == kCounters[i].name) return counters[i];
  }
  return 0;
}

StatFields GeneralStats(const BoardFacts& facts, const BoardNumbers& numbers) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  Builder out;
  out.Add("pid", static_cast<uint64_t>(getpid()));
  out.Add("uptime", uint64_t{numbers.uptime});
  out.Add("time", uint64_t{numbers.time});
  out.Add("version", facts.version);
  out.Add("libevent", "none");
  out.Add("pointer_size", uint64_t{8 * sizeof(void*)});
  out.Add("rusage_user", Seconds(usage.ru_utime));
  out.Add("rusage_system", Seconds(usage.ru_stime));
  out.Add("max_connections", uint64_t{facts.connections});
  const uint64_t opened = numbers["tcp_opened"];
  out.Add("curr_connections", opened - std::min(opened, numbers["tcp_closed"]) + 1);
  out.Add("total_connections", opened + 1);
  out.Add("rejected_connections", numbers["tcp_refused"]);
  out.Add("connection_structures", uint64_t{1});
  out.Zeros({"response_obj_oom", "response_obj_count", "response_obj_bytes", "read_buf_count",
             "read_buf_bytes", "read_buf_bytes_free", "read_buf_oom", "reserved_fds"});
  out.Add("cmd_get", numbers["get"]);
  out.Add("cmd_set", numbers["set"]);
  out.Add("cmd_flush", numbers["flush"]);
  out.Add("cmd_touch", numbers["touch"]);
  out.Zeros({"cmd_meta"});
  out.Add("get_hits", numbers["get_hit"]);
  out.Add("get_misses", numbers["get"] - numbers["get_hit"]);
  out.Zeros({"get_expired", "get_flushed"});
  out.Add("delete_misses", numbers["delete"] - numbers["delete_hit"]);
  out.Add("delete_hits", numbers["delete_hit"]);
  out.Add("incr_misses", numbers["incr"] - numbers["incr_hit"]);
  out.Add("incr_hits", numbers["incr_hit"]);
  out.Add("decr_misses", numbers["decr"] - numbers["decr_hit"]);
  out.Add("decr_hits", numbers["decr_hit"]);
  out.Add("cas_misses", numbers["cas_miss"]);
  out.Add("cas_hits", numbers["cas_hit"]);
  out.Add("cas_badval", numbers["cas_badval"]);
  out.Add("touch_hits", numbers["touch_hit"]);
  out.Add("touch_misses", numbers["touch"] - numbers["touch_hit"]);
  out.Add("store_too_large", numbers["too_large"]);
  out.Add("store_no_memory", NoMemory(numbers));
  out.Zeros({"auth_cmds", "auth_errors"});
  if (facts.idle_timeout != 0) out.Add("idle_kicks", numbers["tcp_idle"]);
  out.Add("bytes_read", BytesRead(facts, numbers));
  out.Add("bytes_written", kEventBytes * numbers["bytes_out"]);
  out.Add("limit_maxbytes", facts.limit_bytes);
  out.Add("accepting_conns", uint64_t{1});
  out.Zeros({"listen_disabled_num", "time_in_listen_disabled_us"});
  out.Add("threads", uint64_t{1});
  out.Zeros({"conn_yields"});
  out.Add("hash_power_level", static_cast<uint64_t>(std::bit_width(facts.buckets)) - 1);
  out.Add("hash_bytes", facts.table_bytes);
  out.Zeros({"hash_is_expanding", "slab_reassign_rescues", "slab_reassign_chunk_rescues",
             "slab_reassign_evictions_nomem", "slab_reassign_inline_reclaim",
             "slab_reassign_busy_items", "slab_reassign_busy_deletes", "slab_reassign_running",
             "slabs_moved", "lru_crawler_running", "lru_crawler_starts", "lru_maintainer_juggles",
             "malloc_fails"});
  out.Add("log_worker_dropped", numbers["watch_lost"]);
  out.Add("log_worker_written", numbers["watch_kept"]);
  out.Add("log_watcher_skipped", numbers.watcher_skipped);
  out.Add("log_watcher_sent", numbers.watcher_sent);
  out.Add("log_watchers", numbers.watchers);
  out.Zeros({"unexpected_napi_ids", "round_robin_fallback"});
  out.Add("bytes", numbers.bytes);
  out.Add("curr_items", numbers.items);
  out.Add("total_items", numbers["set"]);
  out.Zeros({"slab_global_page_pool", "expired_unfetched"});
  out.Add("evicted_unfetched", numbers["evict_new"]);
  out.Zeros({"evicted_active"});
  out.Add("evictions", Evictions(numbers));
  out.Add("reclaimed", numbers["evict_dead"]);
  out.Zeros({"crawler_reclaimed", "crawler_items_checked", "lrutail_reflocked", "moves_to_cold"});
  out.Add("moves_to_warm", numbers["promote"]);
  out.Add("moves_within_lru", numbers["copy"]);
  out.Zeros({"direct_reclaims", "lru_bumps_dropped"});
  return out.Take();
}

StatFields SettingsStats(const BoardFacts& facts, const Switches& switches) {
  const bool evicts = facts.index == IndexKind::kItem;
  Builder out;
  out.Add("maxbytes", facts.limit_bytes);
  out.Add("maxconns", uint64_t{facts.connections});
  out.Add("tcpport", uint64_t{facts.tcp_port});
  out.Add("udpport", uint64_t{facts.udp_port});
  out.Add("inter", Address(facts.ip));
  out.Zeros({"verbosity", "oldest"});
  out.Add("evictions", evicts ? "on" : "off");
  out.Add("domain_socket", "NULL");
  out.Add("umask", "700");
  out.Add("shutdown_command", facts.shutdown ? "yes" : "no");
  out.Add("growth_factor", "1.25");
  out.Add("chunk_size", "48");
  out.Add("num_threads", "1");
  out.Add("num_threads_per_udp", "1");
  out.Add("stat_key_prefix", ":");
  out.Add("detail_enabled", switches.detail ? "yes" : "no");
  out.Add("reqs_per_event", "20");
  out.Add("cas_enabled", "yes");
  out.Add("tcp_backlog", "1024");
  out.Add("binding_protocol", "auto-negotiate");
  out.Add("auth_enabled_sasl", "no");
  out.Add("auth_enabled_ascii", "no");
  out.Add("item_size_max", uint64_t{facts.item_size_max});
  out.Add("maxconns_fast", "yes");
  out.Add("hashpower_init", static_cast<uint64_t>(std::bit_width(facts.buckets)) - 1);
  out.Add("slab_reassign", "no");
  out.Add("slab_automove", uint64_t{switches.automove});
  out.Add("slab_automove_ratio", "0.80");
  out.Add("slab_automove_window", "30");
  out.Add("slab_chunk_max", "524288");
  out.Add("lru_crawler", "no");
  out.Add("lru_crawler_sleep", uint64_t{switches.crawler_sleep});
  out.Add("lru_crawler_tocrawl", uint64_t{switches.crawler_tocrawl});
  out.Zeros({"tail_repair_time"});
  out.Add("flush_enabled", "yes");
  out.Add("dump_enabled", facts.dumps ? "yes" : "no");
  out.Add("hash_algorithm", HashName(facts.hash));
  out.Add("lru_maintainer_thread", "no");
  out.Add("lru_segmented", "no");
  out.Add("hot_lru_pct", "20");
  out.Add("warm_lru_pct", "40");
  out.Add("hot_max_factor", "0.20");
  out.Add("warm_max_factor", "2.00");
  out.Add("temp_lru", "no");
  out.Add("temporary_ttl", "61");
  out.Add("idle_timeout", uint64_t{facts.idle_timeout});
  out.Add("watcher_logbuf_size", "262144");
  out.Add("worker_logbuf_size", "65536");
  out.Zeros({"read_buf_mem_limit"});
  out.Add("track_sizes", "no");
  out.Add("inline_ascii_response", "no");
  out.Add("ext_item_size", "512");
  out.Add("ext_item_age", "4294967295");
  out.Zeros({"ext_low_ttl"});
  out.Add("ext_recache_rate", "2000");
  out.Add("ext_wbuf_size", "4194304");
  out.Zeros({"ext_compact_under", "ext_drop_under"});
  out.Add("ext_max_sleep", "1000000");
  out.Add("ext_max_frag", "0.80");
  out.Add("slab_automove_freeratio", "0.010");
  out.Add("ext_drop_unread", "no");
  out.Add("ssl_enabled", "no");
  out.Add("ssl_chain_cert", "(null)");
  out.Add("ssl_key", "(null)");
  out.Zeros({"ssl_verify_mode"});
  out.Add("ssl_keyformat", "1");
  out.Add("ssl_ciphers", "NULL");
  out.Add("ssl_ca_cert", "NULL");
  out.Add("ssl_wbuf_size", "16384");
  out.Add("ssl_session_cache", "no");
  out.Add("ssl_kernel_tls", "no");
  out.Add("ssl_min_version", "tlsv1.2");
  out.Add("num_napi_ids", "(null)");
  out.Add("memory_file", "(null)");
  return out.Take();
}

// All items are of class 1: nobody counts them by their size.
StatFields ItemsStats(const BoardNumbers& numbers) {
  Builder out;
  if (numbers.items == 0) return out.Take();
  const auto add = [&out](const char* name, uint64_t value) {
    out.Add(std::string("items:1:") + name, value);
  };
  const auto zeros = [&add](std::initializer_list<const char*> names) {
    for (const char* name : names) add(name, 0);
  };
  add("number", numbers.items);
  zeros({"number_hot", "number_warm"});
  add("number_cold", numbers.items);
  zeros({"age_hot", "age_warm", "age"});
  add("mem_requested", numbers.bytes);
  add("evicted", Evictions(numbers));
  zeros({"evicted_nonzero", "evicted_time"});
  add("outofmemory", NoMemory(numbers));
  zeros({"tailrepairs"});
  add("reclaimed", numbers["evict_dead"]);
  zeros({"expired_unfetched"});
  add("evicted_unfetched", numbers["evict_new"]);
  zeros({"evicted_active", "crawler_reclaimed", "crawler_items_checked", "lrutail_reflocked",
         "moves_to_cold"});
  add("moves_to_warm", numbers["promote"]);
  add("moves_within_lru", numbers["copy"]);
  zeros({"direct_reclaims", "hits_to_hot", "hits_to_warm"});
  add("hits_to_cold", numbers["get_hit"]);
  zeros({"hits_to_temp"});
  return out.Take();
}

// What is counted of operations stands at class 1, as with items.
StatFields SlabsStats(const BoardNumbers& numbers) {
  Builder out;
  uint64_t active = 0, bytes = 0;
  for (size_t i = 0; i < numbers.classes.size(); ++i) {
    const BoardNumbers::SlabClass& slab = numbers.classes[i];
    if (slab.pages == 0) continue;
    const auto add = [&](const char* name, uint64_t value) {
      out.Add(std::to_string(i + 1) + ":" + name, value);
    };
    const auto count = [&](const char* name, uint64_t value) { add(name, i == 0 ? value : 0); };
    const uint64_t chunks = slab.pages * slab.chunks_a_page;
    add("chunk_size", slab.chunk_bytes);
    add("chunks_per_page", slab.chunks_a_page);
    add("total_pages", slab.pages);
    add("total_chunks", chunks);
    add("used_chunks", slab.used);
    add("free_chunks", chunks - slab.used);
    add("free_chunks_end", 0);
    count("get_hits", numbers["get_hit"]);
    count("cmd_set", numbers["set"]);
    count("delete_hits", numbers["delete_hit"]);
    count("incr_hits", numbers["incr_hit"]);
    count("decr_hits", numbers["decr_hit"]);
    count("cas_hits", numbers["cas_hit"]);
    count("cas_badval", numbers["cas_badval"]);
    count("touch_hits", numbers["touch_hit"]);
    ++active;
    bytes += chunks * slab.chunk_bytes;
  }
  out.Add("active_slabs", active);
  out.Add("total_malloced", bytes);
  return out.Take();
}

StatFields SizesStats() { return {{"sizes_status", "disabled"}}; }

StatFields PortsStats(const BoardFacts& facts) {
  Builder out;
  const std::string udp = std::to_string(kUdpNumber) + ":";
  out.Add(udp + "UDP", "UDP");
  out.Add(udp + "addr", "udp:" + Endpoint(facts.ip, facts.udp_port));
  out.Add(udp + "state", "conn_read");
  out.Add(udp + "secs_since_last_cmd", uint64_t{0});
  if (facts.tcp_port == 0) return out.Take();
  const std::string tcp = std::to_string(kTcpNumber) + ":";
  out.Add(tcp + "addr", "tcp:" + Endpoint(facts.ip, facts.tcp_port));
  out.Add(tcp + "state", "conn_listening");
  out.Add(tcp + "secs_since_last_cmd", uint64_t{0});
  return out.Take();
}

StatFields ConnStats(const BoardFacts& facts, const Conn& conn) {
  constexpr uint64_t kSecond = 1000;  // milliseconds
  const std::string name = std::to_string(kFirstConn + conn.number) + ":";
  Builder out;
  out.Add(name + "addr", "tcp:" + Endpoint(conn.ip, conn.port));
  out.Add(name + "listen_addr", "tcp:" + Endpoint(facts.ip, facts.tcp_port));
  out.Add(name + "state", conn.asks ? "conn_parse_cmd" : "conn_read");
  out.Add(name + "secs_since_last_cmd", conn.age_ms / kSecond);
  return out.Take();
}

std::string StatLines(const StatFields& fields) {
  std::string out;
  for (const auto& [name, value] : fields) out += "STAT " + name + " " + value + "\r\n";
  return out;
}

}  // namespace wirecache::host
