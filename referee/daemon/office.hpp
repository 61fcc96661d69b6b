// The daemon's desk: every match it knows, which of them play, with how many games at once, and the engines it may play with. All of it on
// one thread of its own; others hand it jobs with post(). Games are played on a thread a match.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "config/match_file.hpp"
#include "referee/daemon/http.hpp"
#include "referee/daemon/live_feed.hpp"
#include "referee/daemon/registry.hpp"
#include "referee/daemon/submission.hpp"
#include "referee/match/match_run.hpp"
#include "referee/match/worker.hpp"

namespace referee::daemon {

struct OfficeSettings {
  std::string data;    // folder; made if need be
  int cores = 1;       // that games may keep busy
  std::string socket;  // that the daemon is spoken to by; engines do not see it
};

/// A match as a list shows it.
struct MatchSummary {
  MatchRecord record;
  std::string seen;  // what this look has found wrong with its files; the record's problem is why it failed
  MatchBoard::Counts counts;
  bool playing = false;   // its thread runs
  int games_at_once = 0;  // that it is allowed now
  std::uint64_t next_event = 1;
};

class Office {
 public:
  struct Hooks {
    std::function<void(LiveBatch)> on_batch;                  // on any thread
    std::function<void(std::string_view)> on_news;            // "matches" "engines" "desk"; on any thread
    std::function<void(std::vector<TokenRecord>)> on_tokens;  // the tokens that are good from now on; on the office's thread
    std::function<void(const std::string&)> log;              // a line for the daemon's log; on any thread
  };
  /// Reads the registry; matches that were being played go on. Throws record::JournalError.
  Office(OfficeSettings settings, Hooks hooks);
  ~Office();  // stop()
  Office(const Office&) = delete;
  Office& operator=(const Office&) = delete;

  /// Any thread. Jobs must not throw.
  void post(std::function<void()> job);
  /// Any thread: running games are left to be continued, or given up to be replayed, as their match files say; blocks until all have ended.
  void stop();
  /// Any thread. nullptr if there is no such match.
  [[nodiscard]] std::shared_ptr<LiveLog> log_of(int match) const;
  /// Any thread. Is there such a match? Its log may have yet to be opened.
  [[nodiscard]] bool knows(int match) const;
  [[nodiscard]] const std::string& data() const noexcept { return settings_.data; }

  // From here on: on the office's thread, inside a job. They throw Refusal, record::JournalError and config::ConfigException.
  [[nodiscard]] std::vector<MatchSummary> matches();
  [[nodiscard]] MatchSummary match(int id);
  struct NewMatch {
    std::string text;
    std::string path;  // where its relative paths start; "" = the match's own folder
    Trust trust = Trust::local;
    int priority = 0;
    std::string who;
  };
  int submit(const NewMatch& match);  // its number
  void pause(int id, const std::string& who);
  enum class Changes { refuse, accept };
  void resume(int id, Changes changes, const std::string& who);
  void stop_match(int id, match::MatchRun::Stop how, const std::string& who);
  void set_priority(int id, int priority, const std::string& who);

  /// So that log_of() has it, if there is such a match and it can be read.
  void open_log(int id) noexcept;
  [[nodiscard]] std::shared_ptr<MatchBoard> board(int id);
  /// The board once it knows what only the plan can tell (MatchBoard::follow): standings, byes, the rounds of a knockout.
  [[nodiscard]] std::shared_ptr<MatchBoard> board_with_course(int id);
  [[nodiscard]] const config::MatchFile& file(int id);
  [[nodiscard]] std::string file_text(int id);
  [[nodiscard]] std::string folder(int id) const;
  [[nodiscard]] std::string output(int id, std::string_view name) const;  // a file in its folder
  /// nullptr before the first game.
  [[nodiscard]] std::unique_ptr<record::Journal> journal(int id);

  struct OrderResult {
    game::Rulings rulings;
    bool refused = false;  // by the Laws: an OrderRefused is among the rulings
  };
  /// On the office's thread; without a result, why.
  using OrderDone = std::function<void(std::optional<OrderResult>, const Refusal& problem)>;
  void order(int id, int game, game::EventBody body, const std::string& who, OrderDone done);

  [[nodiscard]] std::vector<EngineRecord> engines();
  void put_engine(const std::string& name, const std::string& keys, const std::string& who);
  void remove_engine(const std::string& name, const std::string& who);
  /// The compliance report is made on a thread of its own; "engines" news tell when it is there.
  void probe(const std::string& name, const std::string& who);
  [[nodiscard]] bool probing(const std::string& name) const { return probes_.contains(name); }

  void put_token(const TokenRecord& token, const std::string& who);
  void remove_token(const std::string& name, const std::string& who);
  [[nodiscard]] std::vector<TokenRecord> tokens() { return registry_.tokens(); }
  void reload();
  [[nodiscard]] std::vector<AuditRecord> audit(std::int64_t from, int at_most) { return registry_.audit_since(from, at_most); }

  [[nodiscard]] int cores() const noexcept { return settings_.cores; }
  [[nodiscard]] int cores_busy() const;

 private:
  struct Playing;
  struct Entry;
  [[nodiscard]] Entry& entry(int id);
  void load(Entry& entry);
  void read_again(Entry& entry);
  void prepare_board(Entry& entry);
  void prepare(Entry& entry);
  void follow_course(Entry& entry);
  static void forget_course(Entry& entry);
  void rebalance();
  /// Any thread. However many ask, one is waiting at a time.
  void rebalance_soon();
  void start(Entry& entry);
  void ended(int id, std::optional<match::MatchResult> result, const std::string& problem);
  /// Record and audit on the disk, both or neither; only then in memory.
  void change(Entry& entry, MatchRecord record, const std::string& who, const std::string& what, const std::string& detail);
  /// What has happened already stands, whether the disk takes it or not.
  void save(Entry& entry);
  [[nodiscard]] std::map<std::string, std::string> engine_keys();
  void pgn_becomes_stale(Entry& entry);
  void rewrite_pgn(Entry& entry);
  /// A file that is there while games.pgn has yet to learn of a result that was changed, whatever becomes of the daemon.
  [[nodiscard]] std::string stale_mark(int id) const { return output(id, "games.pgn.stale"); }
  /// Of a match that has been played to its end: is there a game to play after all, annulled or no longer behind a verdict? Throws what
  /// its file and books complain of, and Refusal.
  [[nodiscard]] bool owes_a_game(Entry& entry);
  OrderResult order_finished(Entry& entry, int game, const game::EventBody& body);

  OfficeSettings settings_;
  Hooks hooks_;
  Registry registry_;
  std::map<int, std::unique_ptr<Entry>> entries_;
  std::map<std::string, std::thread> probes_;
  mutable std::mutex logs_mutex_;
  std::map<int, std::shared_ptr<LiveLog>> logs_;  // of every match; nullptr until it is opened
  std::atomic<bool> stopping_{false};
  std::atomic<bool> rebalance_due_{false};
  bool stopped_ = false;
  std::unique_ptr<match::Worker> worker_;  // last: its jobs use all the rest
};

}  // namespace referee::daemon
