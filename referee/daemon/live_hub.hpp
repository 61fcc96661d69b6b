// Who watches which match, and from which event on. All on the server's thread; what was missed is read from the live log elsewhere.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "referee/daemon/http.hpp"
#include "referee/daemon/live_feed.hpp"
#include "referee/daemon/live_log.hpp"

namespace referee::daemon {

/// Events of a match from number `from` on, without it those to come.
struct Subscription {
  int match = 0;
  std::optional<std::uint64_t> from;
};
/// What a viewer begins with, by the target: `match=ID` any number of times, each with a `from=N` behind it or none. Throws Refusal (400).
[[nodiscard]] std::vector<Subscription> subscriptions_of(const Request& request);

class LiveHub {
 public:
  struct Hooks {
    /// The log of a match, nullptr if it is not open. On the server's thread.
    std::function<std::shared_ptr<LiveLog>(int match)> log_of;
    /// Is there such a match? Its log may have yet to be opened. On the server's thread.
    std::function<bool(int match)> knows;
    /// Opens it. Run elsewhere; does not throw.
    std::function<void(int match)> open_log;
    /// Runs a job where it may block; then `done` on the server's thread.
    std::function<void(std::function<void()> job, std::function<void()> done)> elsewhere;
  };
  explicit LiveHub(Hooks hooks);
  ~LiveHub();

  /// It may subscribe to more by messages; that matches, engines or the desk have changed is told to everybody.
  /// `key`: of what it was let in by, "" if that cannot be taken away.
  void join(const std::shared_ptr<LiveConnection>& connection, const std::vector<Subscription>& subscriptions, std::string key = {});
  void publish(const LiveBatch& batch);
  /// Something changed that is no event of a match: {"news":"matches"}.
  void news(std::string_view what);
  void close_all(std::string_view why);
  /// Those whose key is not among these any more.
  void close_others(const std::set<std::string>& keys, std::string_view why);
  [[nodiscard]] std::size_t clients() const noexcept { return clients_.size(); }

 private:
  struct Client;
  void subscribe(const std::shared_ptr<Client>& client, const Subscription& wanted);
  void begin(const std::shared_ptr<Client>& client, const Subscription& wanted, const LiveLog& log);
  void hear(const std::shared_ptr<Client>& client, std::string_view text);
  /// Reads what the client misses, of one match at a time; nothing while a reading is under way.
  void feed(const std::shared_ptr<Client>& client);
  void read_on(const std::shared_ptr<Client>& client, int match, const std::shared_ptr<LiveLog>& log);

  Hooks hooks_;
  std::set<std::shared_ptr<Client>> clients_;
};

}  // namespace referee::daemon
