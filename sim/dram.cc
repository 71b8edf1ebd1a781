// SPDX-License-Identifier: Apache-2.0
#include "sim/dram.h"

#include <algorithm>
#include <numeric>

namespace wirecache::sim {
namespace {

constexpr size_t kHighMark = 24;  // queued writes that begin a batch
constexpr size_t kLowMark = 8;    // and that it leaves
constexpr unsigned kPauseNs = 50;
constexpr unsigned kPatienceNs = 2000;

// count * multiplier / divisor, rounded up; the product of a time of years has more than 64 bits.
uint64_t Scaled(uint64_t count, uint64_t multiplier, uint64_t divisor) {
  return count / divisor * multiplier + (count % divisor * multiplier + divisor - 1) / divisor;
}

}  // namespace

Dram::Dram(const DramDevice& device, unsigned cycle_ps, unsigned controller_ns)
    : device_(device), banks_(device.banks), groups_(device.groups) {
  constexpr uint64_t kMicrosecond = 1'000'000;  // in picoseconds
  const uint64_t common = std::gcd(uint64_t{cycle_ps} * device.mhz, kMicrosecond);
  clocks_ = uint64_t{cycle_ps} * device.mhz / common;
  cycles_ = kMicrosecond / common;
  const auto clocks = [&](uint64_t ns) { return (ns * device.mhz + 999) / 1000; };
  controller_ = clocks(controller_ns);
  patience_ = clocks(kPatienceNs);
  pause_ = clocks(kPauseNs);
  refresh_at_ = device.refi;
  reads_.requests.reserve(kQueue);
  writes_.requests.reserve(kQueue);
}

// The first clock that is not before the cycle, and the first cycle that is not before the clock.
uint64_t Dram::ClockAt(uint64_t cycle) const { return Scaled(cycle, clocks_, cycles_); }
uint64_t Dram::CycleAt(uint64_t clock) const { return Scaled(clock, cycles_, clocks_); }

// Row : column : bank : column, bank groups in turn. The bank is exclusive-or'ed with all of the
// row, so that no stride of a power of two meets only one bank.
Dram::Location Dram::Locate(uint64_t address) const {
  const uint64_t burst = address / device_.burst_bytes;
  const uint64_t piece = address / device_.interleave_bytes;
  const uint64_t row = address / (uint64_t{device_.row_bytes} * device_.banks);
  const uint64_t hash = row ^ row >> 4 ^ row >> 8 ^ row >> 12;
  return {burst, row, static_cast<unsigned>((piece ^ hash) % device_.banks)};
}

bool Dram::Start(MemoryAccess& access, uint64_t now) {
  Queue& queue = access.write ? writes_ : reads_;
  const Queue& other = access.write ? reads_ : writes_;
  if (queue.requests.size() == kQueue) return false;
  const Location where = Locate(access.address);
  const bool waits = Holds(other, where.burst, requests_);
  if (access.write) {
    access.ready = now + 1;
    ++statistics_.writes;
  } else {
    ++statistics_.reads;
  }
  statistics_.bytes += access.bytes;
  // No command was possible before: this is the time since which nothing has happened.
  clock_ = std::max(clock_, ClockAt(now));
  wake_cycle_ = 0;
  queue.waiting += waits;
  queue.requests.push_back({.where = where,
                            .arrived = clock_,
                            .access = access.write ? nullptr : &access,
                            .number = requests_++,
                            .waits = waits,
                            .activated = false,
                            .precharged = false});
  statistics_.max_reads_queued = std::max(statistics_.max_reads_queued, reads_.requests.size());
  statistics_.max_writes_queued = std::max(statistics_.max_writes_queued, writes_.requests.size());
  return true;
}

// Whether there is a request of a burst that is older than the given one.
bool Dram::Holds(const Queue& queue, uint64_t burst, uint64_t number) {
  return std::any_of(queue.requests.begin(), queue.requests.end(), [&](const Request& request) {
    return request.where.burst == burst && request.number < number;
  });
}

// Gives all commands before clock `limit`.
void Dram::Advance(uint64_t limit) {
  for (;;) {
    Choice next;
    if (clock_ >= refresh_at_) {
      SkipRefreshes(limit);
      next = ChooseRefresh();
    } else {
      ChooseDirection();
      next = ChooseAccess();
      if (next.at >= refresh_at_) next = {DramCommand::kNone, 0, refresh_at_};
    }
    if (next.at >= limit) {
      wake_cycle_ = CycleAt(next.at + 1);
      return;
    }
    clock_ = next.at;
    Issue(next);
  }
}

// Catches up when time has been skipped.
void Dram::SkipRefreshes(uint64_t limit) {
  const bool idle = reads_.requests.empty() && writes_.requests.empty();
  if (!idle || limit < refresh_at_ + 2 * device_.refi) return;
  const uint64_t skipped = (limit - refresh_at_) / device_.refi - 1;
  statistics_.refreshes += skipped;
  refresh_at_ += skipped * device_.refi;
  clock_ = std::max(clock_, refresh_at_);
}

// Whose turn it is. A turn that begins while the other queue has work is for a number of accesses,
// so that neither side starves.
void Dram::ChooseDirection() {
  if (writing_) {
    const bool go_on = batch_ > 0 || reads_.waiting > 0 || reads_.able() == 0;
    if (go_on && writes_.able() > 0) return;
    writing_ = false;
    batch_ = reads_.able();
    return;
  }
  if (writes_.able() == 0 || batch_ > 0) return;
  const bool old = clock_ >= writes_.requests.front().arrived + patience_;
  const bool pause = reads_.requests.empty() && clock_ >= last_read_ + pause_;
  if (old) {
    batch_ = writes_.able();
  } else if (writes_.requests.size() >= kHighMark) {
    batch_ = std::min(writes_.requests.size() - kLowMark, writes_.able());
  }
  writing_ = batch_ > 0 || pause || reads_.waiting > 0;
}

// First all banks are closed, then refreshed.
Dram::Choice Dram::ChooseRefresh() const {
  uint64_t precharge = std::max(clock_, row_bus_);
  uint64_t refresh = std::max(clock_, row_bus_);
  bool open = false;
  for (const Bank& bank : banks_) {
    refresh = std::max(refresh, bank.activate);
    if (bank.row == kClosed) continue;
    precharge = std::max(precharge, bank.precharge);
    open = true;
  }
  if (open) return {DramCommand::kPrechargeAll, 0, precharge};
  return {DramCommand::kRefresh, 0, refresh};
}

Dram::Choice Dram::ChooseAccess() const {
  const std::vector<Request>& queue = (writing_ ? writes_ : reads_).requests;
  Choice best = {DramCommand::kNone, 0, kNotYet};
  if (!writing_ && writes_.able() > 0 && batch_ == 0) {  // it may be their turn then
    best.at = writes_.requests.front().arrived + patience_;
    if (reads_.requests.empty()) best.at = std::min(best.at, last_read_ + pause_);
  }
  uint32_t in_use = 0;  // banks with an open row that is wanted
  const Request* starved = nullptr;
  for (const Request& request : queue) {
    if (request.waits) continue;
    if (starved == nullptr && clock_ >= request.arrived + patience_) starved = &request;
    if (banks_[request.where.bank].row == request.where.row) in_use |= 1u << request.where.bank;
  }
  const DramCommand::Kind column = writing_ ? DramCommand::kWrite : DramCommand::kRead;
  const uint64_t column_at =
      std::max({clock_, column_bus_, writing_ ? channel_.write : channel_.read});
  const uint64_t activate_at = std::max({clock_, row_bus_, channel_.activate, faw_[0]});
  const uint64_t precharge_at = std::max(clock_, row_bus_);
  for (size_t i = 0; i < queue.size(); ++i) {
    const Request& request = queue[i];
    if (request.waits) continue;
    if (starved != nullptr && starved->where.bank == request.where.bank &&
        starved->where.row != request.where.row) {
      continue;
    }
    const Bank& bank = banks_[request.where.bank];
    const Group& group = groups_[request.where.bank % device_.groups];
    Choice choice;
    if (bank.row == request.where.row) {
      choice = {column, i, std::max({column_at, bank.column, writing_ ? group.write : group.read})};
    } else if (bank.row == kClosed) {
      choice = {DramCommand::kActivate, i, std::max({activate_at, bank.activate, group.activate})};
    } else if (&request != starved && (in_use >> request.where.bank & 1)) {
      continue;
    } else {
      choice = {DramCommand::kPrecharge, i, std::max(precharge_at, bank.precharge)};
    }
    const bool first = choice.at < best.at ||
                       (choice.at == best.at && choice.kind == column && best.kind != column);
    if (first) best = choice;
  }
  return best;
}

void Dram::Issue(const Choice& choice) {
  if (choice.kind == DramCommand::kNone) return;
  const bool is_column = choice.kind == DramCommand::kRead || choice.kind == DramCommand::kWrite;
  if (is_column || !device_.two_command_buses) column_bus_ = clock_ + 1;
  if (!is_column || !device_.two_command_buses) row_bus_ = clock_ + 1;
  std::vector<Request>& queue = turn().requests;
  switch (choice.kind) {
    case DramCommand::kActivate: {
      Request& request = queue[choice.index];
      request.activated = true;
      Activate(request.where);
      break;
    }
    case DramCommand::kPrecharge: {
      Request& request = queue[choice.index];
      Bank& bank = banks_[request.where.bank];
      Log(choice.kind, {0, bank.row, request.where.bank});
      request.precharged = true;
      bank.row = kClosed;
      bank.activate = std::max(bank.activate, clock_ + device_.rp);
      break;
    }
    case DramCommand::kPrechargeAll:
      Log(choice.kind, {0, 0, 0});
      for (Bank& bank : banks_) {
        if (bank.row == kClosed) continue;
        bank.row = kClosed;
        bank.activate = std::max(bank.activate, clock_ + device_.rp);
      }
      break;
    case DramCommand::kRefresh:
      Log(choice.kind, {0, 0, 0});
      for (Bank& bank : banks_) bank.activate = clock_ + device_.rfc;
      ++statistics_.refreshes;
      refresh_at_ += device_.refi;
      break;
    default:
      IssueColumn(choice);
  }
}

void Dram::Activate(const Location& where) {
  Log(DramCommand::kActivate, where);
  Bank& bank = banks_[where.bank];
  bank.row = where.row;
  bank.column = clock_ + device_.rcd;
  bank.precharge = clock_ + device_.ras;
  bank.activate = clock_ + device_.rc;
  groups_[where.bank % device_.groups].activate = clock_ + device_.rrd_l;
  channel_.activate = clock_ + device_.rrd_s;
  std::rotate(faw_.begin(), faw_.begin() + 1, faw_.end());
  faw_.back() = clock_ + device_.faw;
  ++statistics_.activates;
}

void Dram::IssueColumn(const Choice& choice) {
  std::vector<Request>& queue = turn().requests;
  const Request request = queue[choice.index];
  queue.erase(queue.begin() + static_cast<std::ptrdiff_t>(choice.index));
  Log(choice.kind, request.where);

  if (batch_ > 0) --batch_;
  Queue& other = writing_ ? reads_ : writes_;
  if (other.waiting > 0) {
    for (Request& later : other.requests) {
      if (!later.waits || later.where.burst != request.where.burst) continue;
      later.waits = Holds(turn(), later.where.burst, later.number);
      other.waiting -= !later.waits;
    }
  }

  Bank& bank = banks_[request.where.bank];
  Group& group = groups_[request.where.bank % device_.groups];
  const uint64_t data = clock_ + (writing_ ? device_.cwl : device_.cl);
  const uint64_t end = data + device_.burst_clocks;
  if (writing_) {
    channel_.write = clock_ + device_.ccd_s;
    group.write = clock_ + device_.ccd_l;
    channel_.read = std::max(channel_.read, end + device_.wtr_s);
    group.read = std::max(group.read, end + device_.wtr_l);
    bank.precharge = std::max(bank.precharge, end + device_.wr);
  } else {
    channel_.read = clock_ + device_.ccd_s;
    group.read = clock_ + device_.ccd_l;
    channel_.write = std::max(channel_.write, end + device_.bus_gap - device_.cwl);
    bank.precharge = std::max(bank.precharge, clock_ + device_.rtp);
    last_read_ = clock_;
    request.access->ready = CycleAt(end + controller_);
    const uint64_t latency = request.access->ready - request.access->asked;
    statistics_.latency_sum += latency;
    statistics_.latency_max = std::max(statistics_.latency_max, latency);
  }

  ++(request.precharged  ? statistics_.row_conflicts
     : request.activated ? statistics_.row_misses
                         : statistics_.row_hits);
  statistics_.turnarounds += writing_ != data_written_;
  data_written_ = writing_;
  statistics_.first_clock = std::min(statistics_.first_clock, data);
  statistics_.last_clock = end;
}

double Dram::utilisation() const {
  const Counts& s = statistics_;
  if (s.last_clock <= s.first_clock) return 0;
  const uint64_t bursts = s.row_hits + s.row_misses + s.row_conflicts;
  return static_cast<double>(bursts * device_.burst_clocks) /
         static_cast<double>(s.last_clock - s.first_clock);
}

JsonObject Dram::Statistics() const {
  const Counts& s = statistics_;
  const double cycle_ns =
      1e3 * static_cast<double>(clocks_) / static_cast<double>(cycles_) / device_.mhz;
  JsonObject json;
  json.Add("reads", s.reads);
  json.Add("writes", s.writes);
  json.Add("bytes", s.bytes);
  json.Add("utilisation", utilisation());
  json.Add("row_hits", s.row_hits);
  json.Add("row_misses", s.row_misses);
  json.Add("row_conflicts", s.row_conflicts);
  json.Add("activates", s.activates);
  json.Add("turnarounds", s.turnarounds);
  json.Add("refreshes", s.refreshes);
  json.Add("read_latency_mean_ns", s.reads == 0 ? 0.0
                                                : static_cast<double>(s.latency_sum) * cycle_ns /
                                                      static_cast<double>(s.reads));
  json.Add("read_latency_max_ns", static_cast<double>(s.latency_max) * cycle_ns);
  json.Add("reads_queued_max", s.max_reads_queued);
  json.Add("writes_queued_max", s.max_writes_queued);
  return json;
}

}  // namespace wirecache::sim
