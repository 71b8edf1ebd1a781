// SPDX-License-Identifier: Apache-2.0
#include "sim/traffic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "sim/wire.h"

namespace wirecache::sim {
namespace {

constexpr uint64_t kFirstMac = 0x025500010000;
constexpr uint32_t kFirstIp = 0x0A010001;  // 10.1.0.1
constexpr uint16_t kFirstPort = 10'000;
constexpr uint64_t kPorts = 50'000;
constexpr uint64_t kApart = ToByteTimes(500);  // who leaves, from the next one
constexpr size_t kShown = 80;                  // bytes of what is wrong

uint64_t Times(uint64_t nanoseconds) {
  return nanoseconds == TcpPeer::kNever ? Traffic::kNever : ToByteTimes(nanoseconds);
}

// Of what answers take.
struct Quantile {
  double share;
  const char* name;
  const char* text;
};
constexpr Quantile kQuantiles[] = {{0.5, "p50_us", "p50"},
                                   {0.99, "p99_us", "p99"},
                                   {0.999, "p999_us", "p99.9"},
                                   {1.0, "most_us", "at most"}};

// The least that so many of sorted numbers do not exceed.
uint64_t At(const std::vector<uint64_t>& sorted, double share) {
  const auto count = static_cast<size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<size_t>(count, 1) - 1];
}

double Microseconds(uint64_t byte_times) {
  return static_cast<double>(ToNanoseconds(byte_times)) / 1000;
}

uint64_t Key(const TcpAddress& address) { return uint64_t{address.ip} << 16 | address.port; }

// The beginning of some bytes, for people.
std::string Shown(std::string_view bytes) {
  std::string text;
  for (const char c : bytes.substr(0, kShown)) {
    if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      constexpr std::string_view kDigits = "0123456789abcdef";
      text += "\\x";
      text += kDigits[static_cast<unsigned char>(c) >> 4];
      text += kDigits[static_cast<unsigned char>(c) & 15];
    }
  }
  return "'" + text + (bytes.size() > kShown ? "…'" : "'");
}

void Add(TcpPeer::Counts& sum, const TcpPeer::Counts& counts) {
  sum.sent += counts.sent;
  sum.received += counts.received;
  sum.retransmitted += counts.retransmitted;
  sum.timeouts += counts.timeouts;
  sum.probes += counts.probes;
  sum.window_probes += counts.window_probes;
  sum.out_of_order += counts.out_of_order;
  sum.duplicates += counts.duplicates;
}

std::span<const uint8_t> AsBytes(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

Traffic::Traffic(TrafficPlan plan, const TcpAddress& board, uint64_t begin)
    : plan_(std::move(plan)), board_(board) {
  for (TrafficPlan::Group& group : plan_.groups) {
    Group& ours = groups_.emplace_back();
    ours.plan = std::move(group);
    if (!ours.plan.conversations.empty()) ours.plan.connections = ours.plan.conversations.size();
    for (uint64_t i = 0; i < ours.plan.connections; ++i) {
      Client& client = clients_.emplace_back();
      client.group = &ours;
      client.index = clients_.size() - 1;
      client.random.seed(plan_.seed << 20 | client.index);
      if (ours.plan.waits) ++unfinished_;
      uint64_t start_ns = ours.plan.start_ns + i * ours.plan.spread_ns;
      if (!ours.plan.conversations.empty()) {
        client.conversation = &ours.plan.conversations[i];
        if (client.conversation->ended_before != 0) {
          later_.push_back(&client);
          continue;
        }
        start_ns = client.conversation->start_ns;
      } else {
        ++unopened_;
      }
      beginnings_.emplace(begin + ToByteTimes(start_ns), &client);
    }
  }
}

// A session: a connection of its own, from another port.
void Traffic::Begin(Client& client, uint64_t now) {
  const TrafficPlan::Group& plan = client.group->plan;
  TcpPeer::Settings settings;
  settings.own = {.mac = kFirstMac + client.index,
                  .ip = kFirstIp + static_cast<uint32_t>(client.index),
                  .port = static_cast<uint16_t>(kFirstPort + client.session % kPorts)};
  settings.other = board_;
  settings.first = static_cast<uint32_t>(client.random());
  settings.mss = static_cast<uint16_t>(plan.mss);
  settings.time_stamps = settings.sack = plan.options != 0;
  settings.room = plan.room;
  settings.cuts = plan.cuts != 0;
  settings.seed = client.random();
  Connection& connection = connections_[Key(settings.own)];
  connection.peer = std::make_unique<TcpPeer>(settings);
  connection.client = &client;
  client.connection = &connection;
  client.opened = client.closed = false;
  client.speaker.reset();
  client.begun = now;
  client.requests = client.written = 0;
  client.ask_at = client.write_at = client.read_at = now;
  if (plan.write_ns != 0) client.write_at += client.random() % ToByteTimes(plan.write_ns);
  Queue(connection);
}

void Traffic::Receive(std::span<const uint8_t> frame, uint64_t at) {
  inbox_.emplace_back(at, std::vector<uint8_t>(frame.begin(), frame.end()));
}

void Traffic::Pass(uint64_t now) {
  while (!inbox_.empty() && inbox_.front().first <= now) {
    const auto [at, frame] = std::move(inbox_.front());
    inbox_.pop_front();
    const auto segment = ParseTcp(frame);
    const auto found = segment ? connections_.find(Key(segment->to)) : connections_.end();
    if (found == connections_.end() || segment->from.ip != board_.ip ||
        segment->from.port != board_.port) {
      if (strange_++ == 0) {
        const std::span<const uint8_t> first(frame);
        const auto shown = first.first(std::min(first.size(), kShown));
        first_strange_.assign(shown.begin(), shown.end());
      }
      continue;
    }
    Connection& connection = found->second;
    connection.peer->Receive(*segment, ToNanoseconds(at));
    Work(connection, at);
    Queue(connection);
  }
  WakeUp(now);
  Leave(now);
}

void Traffic::WakeUp(uint64_t now) {
  while (!beginnings_.empty() && beginnings_.top().first <= now) {
    Client* client = beginnings_.top().second;
    beginnings_.pop();
    Begin(*client, now);
  }
  while (!wakes_.empty() && wakes_.top().first <= now) {
    const auto [at, connection] = wakes_.top();
    wakes_.pop();
    if (connection->wake != at) continue;  // an older one
    connection->wake = kNever;
    Work(*connection, now);
    Queue(*connection);
  }
}

void Traffic::Queue(Connection& connection) {
  if (std::exchange(connection.ready, true)) return;
  ready_.push_back(&connection);
}

// Comes back when its TCP or its application has something to do.
void Traffic::Schedule(Connection& connection) {
  uint64_t at = Times(connection.peer->next());
  if (const Client* client = connection.client; client != nullptr && client->opened) {
    const TrafficPlan::Group& plan = client->group->plan;
    const bool asks = client->requests < plan.requests && client->waiting.size() < plan.depth;
    if (client->speaker) {
      at = std::min(at, client->speaker->next());
    } else if (asks && may_ask(*client)) {
      at = std::min(at, client->ask_at);
    }
    if (!client->held.empty()) at = std::min(at, client->write_at);
    const bool reads = plan.read_ns != 0 && plan.read_bytes != 0;
    if (reads && !connection.peer->readable().empty()) at = std::min(at, client->read_at);
  }
  if (at >= connection.wake) return;
  connection.wake = at;
  wakes_.emplace(at, &connection);
}

std::optional<std::vector<uint8_t>> Traffic::Next(uint64_t now) {
  while (!ready_.empty()) {
    Connection& connection = *ready_.front();
    ready_.pop_front();
    auto frame = connection.peer->Send(ToNanoseconds(now));
    if (frame) {
      if (connection.client != nullptr) Mark(*connection.client, now);
      ready_.push_back(&connection);
      return frame;
    }
    connection.ready = false;
    // Its time may have come while it was asked.
    if (connection.client != nullptr && connection.peer->done()) Work(connection, now);
    Schedule(connection);
  }
  return std::nullopt;
}

uint64_t Traffic::next() const {
  if (!ready_.empty()) return 0;
  uint64_t at = kNever;
  if (!inbox_.empty()) at = inbox_.front().first;
  if (!wakes_.empty()) at = std::min(at, wakes_.top().first);
  if (!leaving_.empty()) at = std::min(at, leave_at_);
  if (!beginnings_.empty()) at = std::min(at, beginnings_.top().first);
  return at;
}

// Requests whose first byte has left with the frame that starts now.
void Traffic::Mark(Client& client, uint64_t now) {
  const uint64_t sent = client.connection->peer->bytes_sent();
  while (client.marked < client.waiting.size() && client.waiting[client.marked].begin < sent) {
    client.waiting[client.marked++].asked = now;
  }
}

void Traffic::Work(Connection& connection, uint64_t now) {
  if (connection.client == nullptr) return;
  Client& client = *connection.client;
  TcpPeer& peer = *connection.peer;
  if (peer.failure() != nullptr) {
    if (client.conversation != nullptr) {
      if (!client.closed && !(client.speaker && client.speaker->may_end())) {
        Fail(client, peer.failure(), now);
        return;
      }
      if (!client.closed) client.group->cut_off += Left(client);
      EndSession(client, now);
      return;
    }
    if (client.group->plan.waits) {
      throw std::runtime_error(Name(client) + ": " + peer.failure() + ", with " +
                               std::to_string(client.waiting.size()) + " requests unanswered");
    }
    ++client.group->failed;
    EndSession(client, now);
    return;
  }
  if (!peer.opened()) return;
  if (!client.opened) {
    client.opened = true;
    ++client.group->opened;
    client.group->opening.push_back(now - client.begun);
    client.ask_at = std::max(client.ask_at, now);
    if (client.conversation != nullptr) {
      client.speaker =
          std::make_unique<Speaker>(*client.conversation, ToByteTimes, now,
                                    [this, &client](bool answered) { TurnOver(client, answered); });
    } else if (client.session == 0 && --unopened_ == 0) {
      // Those that have waited for all others may ask.
      for (Client& other : clients_) {
        if (other.connection == nullptr || other.connection == &connection) continue;
        if (other.connection->client != nullptr) Work(*other.connection, now);
        Queue(*other.connection);
      }
    }
  }
  Read(client, now);
  Ask(client, now);
  Hold(client, now);
  const bool cut_off =
      !client.closed && peer.ended() && peer.readable().empty() && !AllDone(client);
  if (cut_off && client.conversation != nullptr) {
    // The captured server had done it as well, or it has gone wrong.
    if (!client.speaker->may_end()) {
      Fail(client, "the board has ended it", now);
      return;
    }
    client.group->cut_off += Left(client);
    client.waiting.clear();
    client.closed = true;
    peer.Close();
  } else if (cut_off && client.group->plan.waits) {
    throw std::runtime_error(Name(client) + ": the board has ended it, with " +
                             std::to_string(client.waiting.size()) + " requests unanswered");
  }
  if (!client.closed && AllDone(client) && client.held.empty()) {
    client.closed = true;
    peer.Close();
  }
  if (client.closed && peer.done()) EndSession(client, now);
}

void Traffic::EndSession(Client& client, uint64_t now) {
  Group& group = *client.group;
  Add(group.counts, client.connection->peer->counts());
  client.connection->client = nullptr;
  client.connection = nullptr;
  client.speaker.reset();
  client.waiting.clear();
  client.held.clear();
  client.marked = client.compared = 0;
  ++group.ended;
  if (group.plan.waits) ++progress_;
  if (++client.session < group.plan.sessions) {
    beginnings_.emplace(now, &client);
    return;
  }
  client.finished = true;
  if (group.plan.waits) --unfinished_;
  if (client.conversation == nullptr) return;
  ++ended_;
  for (; !later_.empty() && later_.front()->conversation->ended_before <= ended_;
       later_.pop_front()) {
    beginnings_.emplace(now, later_.front());
  }
}

// A conversation cannot go on.
void Traffic::Fail(Client& client, const std::string& why, uint64_t now) {
  Group& group = *client.group;
  ++group.failed;
  group.unanswered += Left(client);
  if (group.failure.empty()) {
    group.failure = Name(client) + ": " + why;
    if (!client.waiting.empty()) {
      group.failure +=
          ", the first request without an answer is " + Shown(client.waiting.front().request);
    }
  }
  client.connection->peer->Abort();
  Queue(*client.connection);
  EndSession(client, now);
}

// Requests of a conversation that have not had their turn, or were not asked.
uint64_t Traffic::Left(const Client& client) {
  return client.waiting.size() + client.conversation->steps.size() - client.requests;
}

bool Traffic::AllDone(const Client& client) const {
  if (client.conversation != nullptr) return client.speaker && client.speaker->done();
  return client.requests == client.group->plan.requests && client.waiting.empty();
}

void Traffic::Put(Client& client, std::string_view request, std::string_view answer) {
  ++client.group->requests;
  if (client.conversation != nullptr) ++progress_;
  client.waiting.push_back({.request = request, .answer = answer, .begin = client.written});
  client.written += request.size();
  ++client.requests;
}

// The first request of a conversation that waits has its answer, or there is none.
void Traffic::TurnOver(Client& client, bool answered) {
  Group& group = *client.group;
  ++progress_;
  if (answered && client.marked != 0) {
    group.asked.push_back(client.waiting.front().asked);
    group.answered.push_back(now_);
  }
  client.waiting.pop_front();
  if (client.marked != 0) --client.marked;
}

void Traffic::Ask(Client& client, uint64_t now) {
  if (client.closed || !may_ask(client)) return;
  if (client.conversation != nullptr) {
    client.speaker->Ask(now, [this, &client](std::string_view request) {
      Put(client, request, "");
      client.connection->peer->Write(AsBytes(request));
    });
    return;
  }
  const TrafficPlan::Group& plan = client.group->plan;
  while (client.requests < plan.requests && client.waiting.size() < plan.depth &&
         now >= client.ask_at) {
    const uint64_t count = plan.exchanges.size();
    const uint64_t place = plan.in_order
                               ? (client.index + client.session) * plan.requests + client.requests
                               : client.random();
    const TrafficPlan::Exchange& exchange = plan.exchanges[place % count];
    Put(client, exchange.request, exchange.answer);
    if (plan.write_ns != 0) {
      client.held += exchange.request;
    } else {
      client.connection->peer->Write(AsBytes(exchange.request));
    }
    if (plan.gap_ns != 0) {
      const uint64_t gap = ToByteTimes(plan.gap_ns);
      client.ask_at = now + gap / 2 + client.random() % gap;
    }
  }
}

// Sends what goes bit by bit.
void Traffic::Hold(Client& client, uint64_t now) {
  const TrafficPlan::Group& plan = client.group->plan;
  if (client.held.empty() || now < client.write_at) return;
  const size_t count = std::min<size_t>(plan.write_bytes, client.held.size());
  client.connection->peer->Write(AsBytes(std::string_view(client.held).substr(0, count)));
  client.held.erase(0, count);
  client.write_at = now + ToByteTimes(plan.write_ns);
}

void Traffic::Read(Client& client, uint64_t now) {
  const TrafficPlan::Group& plan = client.group->plan;
  TcpPeer& peer = *client.connection->peer;
  std::span<const uint8_t> readable = peer.readable();
  if (readable.empty()) return;
  if (plan.read_ns != 0) {
    if (plan.read_bytes == 0 || now < client.read_at) return;
    readable = readable.first(std::min<size_t>(plan.read_bytes, readable.size()));
    client.read_at = now + ToByteTimes(plan.read_ns);
  }
  if (client.conversation != nullptr) {
    now_ = now;
    client.speaker->Take({reinterpret_cast<const char*>(readable.data()), readable.size()});
  } else {
    Compare(client, readable, now);
  }
  peer.Take(readable.size());
}

// Answers come in the order of requests, byte for byte as they are to be.
void Traffic::Compare(Client& client, std::span<const uint8_t> bytes, uint64_t now) {
  Group& group = *client.group;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  size_t place = 0;
  for (;;) {
    if (client.waiting.empty()) {
      if (place == text.size()) return;
      throw std::runtime_error(Name(client) +
                               " gets what it did not ask for: " + Shown(text.substr(place)));
    }
    const Waiting& first = client.waiting.front();
    const std::string_view rest = first.answer.substr(client.compared);
    const size_t count = std::min(rest.size(), text.size() - place);
    if (rest.substr(0, count) != text.substr(place, count)) {
      throw std::runtime_error(Name(client) + ": the answer to " + Shown(first.request) +
                               " has at byte " + std::to_string(client.compared) + " " +
                               Shown(text.substr(place)) + ", not " + Shown(rest));
    }
    place += count;
    client.compared += count;
    if (count < rest.size()) return;
    group.asked.push_back(first.asked);
    group.answered.push_back(now);
    if (group.plan.waits) ++progress_;
    client.compared = 0;
    client.waiting.pop_front();
    if (client.marked != 0) --client.marked;
    if (group.plan.gap_ns != 0) {
      const uint64_t gap = ToByteTimes(group.plan.gap_ns);
      client.ask_at = now + gap / 2 + client.random() % gap;
    }
  }
}

void Traffic::Stop() {
  beginnings_ = {};
  for (Client& client : clients_) {
    if (client.connection != nullptr) leaving_.push_back(&client);
    if (client.conversation == nullptr || client.finished) continue;
    ++client.group->failed;
    client.group->unanswered += Left(client);
  }
}

// Aborts those that are to leave, one after the other: the board has to hear of each.
void Traffic::Leave(uint64_t now) {
  while (!leaving_.empty() && leave_at_ <= now) {
    Client& client = *leaving_.front();
    leaving_.pop_front();
    if (client.connection == nullptr) continue;
    Connection& connection = *client.connection;
    connection.peer->Abort();
    Add(client.group->counts, connection.peer->counts());
    connection.client = nullptr;
    client.connection = nullptr;
    client.finished = true;
    Queue(connection);
    leave_at_ = now + kApart;
  }
}

std::string Traffic::Name(const Client& client) const {
  return client.group->plan.name + ", connection " + std::to_string(client.index) + ", session " +
         std::to_string(client.session);
}

std::string Traffic::Unfinished() const {
  const Client* first = nullptr;
  uint64_t count = 0;
  for (const Client& client : clients_) {
    if (!client.group->plan.waits || client.finished) continue;
    if (first == nullptr) first = &client;
    ++count;
  }
  if (first == nullptr) return "nobody";
  std::string text =
      std::to_string(count) + " connections have not ended; the first is " + Name(*first) + ": ";
  if (first->connection == nullptr) return text + "it has not begun";
  const TcpPeer& peer = *first->connection->peer;
  if (!first->opened) return text + "it is not open";
  text += std::to_string(first->requests) + " requests, of " + std::to_string(first->written) +
          " bytes " + std::to_string(peer.bytes_acknowledged()) + " acknowledged";
  if (first->waiting.empty()) return text + ", all answered, and it is not closed";
  return text + ", " + std::to_string(first->waiting.size()) + " unanswered, the first is " +
         Shown(first->waiting.front().request);
}

bool Traffic::waits() const {
  return std::ranges::any_of(clients_, [](const Client& client) {
    if (client.connection == nullptr) return false;
    const bool asks = client.speaker ? client.speaker->waits() : !client.waiting.empty();
    return !client.opened || asks || !client.held.empty() || client.closed;
  });
}

std::string Traffic::Unanswered() const {
  for (const Group& group : groups_) {
    if (group.failure.empty()) continue;
    return std::to_string(group.failed) + " connections have failed, with " +
           std::to_string(group.unanswered) + " requests unanswered; " + group.failure;
  }
  return "";
}

// What an answer took, from its request's first byte on the wire on, in byte times.
std::vector<uint64_t> Traffic::Latencies(const Group& group) {
  std::vector<uint64_t> times(group.answered.size());
  for (size_t i = 0; i < times.size(); ++i) times[i] = group.answered[i] - group.asked[i];
  std::ranges::sort(times);
  return times;
}

std::string Traffic::Summary() const {
  std::string text;
  for (const Group& group : groups_) {
    if (group.plan.conversations.empty()) continue;
    const std::vector<uint64_t> times = Latencies(group);
    text += "connections " + std::to_string(group.plan.conversations.size()) + ": " +
            std::to_string(group.requests) + " requests, " + std::to_string(times.size()) +
            " answers\n";
    if (times.empty()) continue;
    text += "answered    in";
    for (const Quantile& quantile : kQuantiles) {
      char number[64];
      std::snprintf(number, sizeof(number), "%s %s %.2f us", quantile.share == 0.5 ? "" : ",",
                    quantile.text, Microseconds(At(times, quantile.share)));
      text += number;
    }
    text += "\n";
  }
  return text;
}

std::string Traffic::Complaint() const {
  if (strange_ == 0) return "";
  return "the board has sent frames that are no segments of a connection's: " +
         std::to_string(strange_) + ", the first is " + Shown(first_strange_);
}

JsonObject Traffic::Json() const {
  JsonObject all;
  for (const Group& group : groups_) {
    JsonObject json;
    json.Add("answered", uint64_t{group.answered.size()});
    json.Add("opened", group.opened);
    json.Add("ended", group.ended);
    json.Add("failed", group.failed);
    if (!group.plan.conversations.empty()) {
      json.Add("connections", uint64_t{group.plan.conversations.size()});
      json.Add("requests", group.requests);
      json.Add("unanswered", group.unanswered);
      json.Add("cut_off", group.cut_off);
      const std::vector<uint64_t> times = Latencies(group);
      for (const Quantile& quantile : kQuantiles) {
        if (!times.empty()) json.Add(quantile.name, Microseconds(At(times, quantile.share)));
      }
    }
    json.Add("sent", group.counts.sent);
    json.Add("received", group.counts.received);
    json.Add("retransmitted", group.counts.retransmitted);
    json.Add("timeouts", group.counts.timeouts);
    json.Add("probes", group.counts.probes);
    json.Add("window_probes", group.counts.window_probes);
    json.Add("out_of_order", group.counts.out_of_order);
    json.Add("duplicates", group.counts.duplicates);
    all.Add(group.plan.name, json);
  }
  return all;
}

void Traffic::ForEachList(
    const std::function<void(const std::string&, const std::vector<uint64_t>&)>& use) const {
  for (const Group& group : groups_) {
    use(group.plan.name + "_asked", group.asked);
    use(group.plan.name + "_answered", group.answered);
    use(group.plan.name + "_opening", group.opening);
  }
}

}  // namespace wirecache::sim
