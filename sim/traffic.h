// SPDX-License-Identifier: Apache-2.0
// Clients of the board over TCP, in simulated time: many connections, each with a TCP of its own,
// that ask, wait for answers, read slowly or send in pieces, as a plan says.
#ifndef WIRECACHE_SIM_TRAFFIC_H_
#define WIRECACHE_SIM_TRAFFIC_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/json.h"
#include "sim/tcp_peer.h"
#include "sim/tcp_segment.h"
#include "sim/traffic_plan.h"

namespace wirecache::sim {

// Times are byte times of the wire, which begin with 0 and never go back.
class Traffic {
 public:
  static constexpr uint64_t kNever = ~uint64_t{0};

  Traffic(TrafficPlan plan, const TcpAddress& board, uint64_t begin);

  // A frame of the board, whose last byte has passed at this time.
  void Receive(std::span<const uint8_t> frame, uint64_t at);
  // Lets the time come. Throws std::runtime_error when an answer is wrong or a connection fails,
  // but for those of conversations, which are told of at the end.
  void Pass(uint64_t now);
  // The next frame to the board, if its slot starts now; none: nobody has one.
  std::optional<std::vector<uint8_t>> Next(uint64_t now);
  // When there may be something to do if nothing comes before.
  uint64_t next() const;

  // All that is waited for has been answered, and its connections have ended.
  bool done() const { return unfinished_ == 0; }
  // From now on what is left is aborted.
  void Stop();
  bool left() const { return leaving_.empty(); }
  size_t connections() const { return clients_.size(); }
  size_t ended() const { return ended_; }  // conversations
  // Changes whenever those that are waited for get on.
  uint64_t progress() const { return progress_; }
  // Who has not ended, for people.
  std::string Unfinished() const;
  // Whether anybody waits for the board, not for the time to come.
  bool waits() const;
  uint64_t cycles() const { return plan_.cycles; }

  // Frames that no connection has asked for, or that are broken.
  uint64_t strange() const { return strange_; }
  // Of the first of them, for people; empty: there are none.
  std::string Complaint() const;
  // Of requests of conversations that had no answer, likewise.
  std::string Unanswered() const;
  // Of conversations, lines of a summary.
  std::string Summary() const;

  // By the names of groups.
  JsonObject Json() const;
  // Calls use(name, list) for each: of a group `asked` and `answered`, when each request's first
  // byte and its answer's last one was on the wire, and `opening`, what it took to open.
  void ForEachList(
      const std::function<void(const std::string&, const std::vector<uint64_t>&)>& use) const;

 private:
  struct Group {
    TrafficPlan::Group plan;
    TcpPeer::Counts counts;  // of connections that have ended
    uint64_t requests = 0;
    uint64_t opened = 0;
    uint64_t ended = 0;       // sessions
    uint64_t failed = 0;      // likewise, of those that are not waited for, and of conversations
    uint64_t unanswered = 0;  // requests of conversations
    uint64_t cut_off = 0;     // likewise, as the captured server had ended the connection, too
    std::string failure;      // the first one, of these
    std::vector<uint64_t> asked, answered, opening;
  };
  struct Waiting {
    std::string_view request;
    std::string_view answer;  // not of a conversation
    uint64_t begin;           // bytes in front of the request
    uint64_t asked = 0;
  };
  struct Client;
  // Stays where it is until the end.
  struct Connection {
    std::unique_ptr<TcpPeer> peer;
    Client* client;          // null: its session has ended
    bool ready = false;      // in the queue of those that may have a frame
    uint64_t wake = kNever;  // the soonest entry in the queue of times
  };
  struct Client {
    Group* group = nullptr;
    uint64_t index = 0;
    const Conversation* conversation = nullptr;  // null: it has none
    std::unique_ptr<Speaker> speaker;            // likewise, once the session is open
    std::mt19937_64 random;
    uint64_t session = 0;
    Connection* connection = nullptr;
    bool finished = false;
    bool opened = false;  // the session
    uint64_t begun = 0;   // likewise: when
    uint64_t requests = 0;
    std::deque<Waiting> waiting;
    size_t marked = 0;     // of them, that are on the wire
    uint64_t written = 0;  // bytes
    std::string held;      // of them, that go bit by bit
    size_t compared = 0;   // bytes of the first answer
    uint64_t ask_at = 0, write_at = 0, read_at = 0;
    bool closed = false;
  };
  using Wake = std::pair<uint64_t, Connection*>;

  void Begin(Client& client, uint64_t now);
  void Work(Connection& connection, uint64_t now);
  void Ask(Client& client, uint64_t now);
  void Put(Client& client, std::string_view request, std::string_view answer);
  void TurnOver(Client& client, bool answered);
  static uint64_t Left(const Client& client);
  bool AllDone(const Client& client) const;
  void Fail(Client& client, const std::string& why, uint64_t now);
  void Hold(Client& client, uint64_t now);
  void Read(Client& client, uint64_t now);
  void Compare(Client& client, std::span<const uint8_t> bytes, uint64_t now);
  void EndSession(Client& client, uint64_t now);
  void Mark(Client& client, uint64_t now);
  void Queue(Connection& connection);
  void Schedule(Connection& connection);
  void WakeUp(uint64_t now);
  void Leave(uint64_t now);
  bool may_ask(const Client& client) const {
    return client.conversation != nullptr || !client.group->plan.waits || unopened_ == 0 ||
           client.session != 0;
  }
  std::string Name(const Client& client) const;
  static std::vector<uint64_t> Latencies(const Group& group);

  TrafficPlan plan_;
  TcpAddress board_;
  std::deque<Group> groups_;
  std::deque<Client> clients_;
  std::unordered_map<uint64_t, Connection> connections_;  // by address and port
  std::deque<Connection*> ready_;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes_;
  std::priority_queue<std::pair<uint64_t, Client*>, std::vector<std::pair<uint64_t, Client*>>,
                      std::greater<>>
      beginnings_;
  std::deque<Client*> later_;  // that begin when as many conversations have ended as theirs says
  uint64_t ended_ = 0;         // conversations
  std::deque<std::pair<uint64_t, std::vector<uint8_t>>> inbox_;
  std::deque<Client*> leaving_;
  uint64_t leave_at_ = 0;
  uint64_t now_ = 0;         // of the answers that are taken
  uint64_t unopened_ = 0;    // clients whose first session is not open
  uint64_t unfinished_ = 0;  // that are waited for
  uint64_t progress_ = 0;
  uint64_t strange_ = 0;
  std::string first_strange_;
};

}  // namespace wirecache::sim

#endif  // WIRECACHE_SIM_TRAFFIC_H_
