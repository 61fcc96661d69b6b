#include "referee/record/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace referee::record {

namespace {

using SteadyTime = std::chrono::steady_clock::time_point;

constexpr std::chrono::milliseconds tick{20};  // while facts come in; also the longest an ended game waits for others to share its commit
constexpr std::chrono::milliseconds quiet_after{500};       // then the thread sleeps until it is woken
constexpr std::size_t congested_at = 200'000;               // facts, some 100 MB
constexpr std::chrono::milliseconds between_attempts{250};  // to write on a full disk
constexpr std::chrono::minutes longest_flush{10};           // somebody who waits for all to be durable gives a full disk this long
constexpr std::size_t write_at_once = 20'000;               // facts pending in memory
constexpr std::size_t most_spares = 64;

int game_of(const Fact& fact) {
  return std::visit(
      [](const auto& f) {
        if constexpr (requires { f.game; })
          return f.game;
        else
          return 0;
      },
      fact);
}

// Ends a game, or stands outside games: written with the next tick, not with the next second.
bool urgent(const Fact& fact) {
  return std::holds_alternative<GameEnded>(fact) || std::holds_alternative<GameVoided>(fact) || game_of(fact) == 0;
}

}  // namespace

struct Recorder::Impl {
  Impl(std::unique_ptr<Journal> journal, std::vector<std::unique_ptr<View>> views, Tell on_error, Tell on_wait)
      : journal_(std::move(journal)), views_(std::move(views)), on_error_(std::move(on_error)), on_wait_(std::move(on_wait)) {
    for (const auto& view : views_) patience_ = std::min(patience_, view->patience());
    thread_ = std::thread([this] { run(); });
  }

  ~Impl() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  void post(std::vector<Fact>&& facts) {
    if (facts.empty() || failed_.load(std::memory_order_relaxed)) return;
    bool asleep = false;
    {
      const std::lock_guard lock(mutex_);
      posted_ += facts.size();
      incoming_.push_back(std::move(facts));
      asleep = std::exchange(asleep_, false);
    }
    if (asleep) wake_.notify_one();
  }

  std::vector<Fact> spare() {
    const std::lock_guard lock(mutex_);
    if (spares_.empty()) return {};
    std::vector<Fact> found = std::move(spares_.back());
    spares_.pop_back();
    return found;
  }

  void flush() {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = posted_;
    flush_to_ = std::max(flush_to_, ticket);
    asleep_ = false;
    wake_.notify_one();
    done_.wait(lock, [&] { return finished_ >= ticket || failed_.load(); });
  }

  bool flush_within(std::chrono::milliseconds limit) {
    if (waiting_for_room_.load()) return false;
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = posted_;
    const std::uint64_t before = std::exchange(flush_to_, std::max(flush_to_, ticket));
    asleep_ = false;
    wake_.notify_one();
    const bool done = done_.wait_for(lock, limit, [&] { return finished_ >= ticket || failed_.load(); });
    // A wait that was given up must not count against a disk that is full: flush() alone ends in an error.
    if (!done && flush_to_ == ticket) flush_to_ = before;
    return done && !failed_.load();
  }

  // --- the recorder's thread ---------------------------------------------------------------------------------------------

  using Parts = std::vector<std::vector<Fact>>;  // each as it was posted: facts are not moved on their way to the journal

  struct Pending {
    Parts parts;
    SteadyTime due;
    bool urgent = false;
  };

  void run() {
    Parts taken;
    SteadyTime last_news = std::chrono::steady_clock::now();
    for (;;) {
      bool everything = false;
      bool stop = false;
      {
        std::unique_lock lock(mutex_);
        wait_for_work(lock, last_news);
        taken.swap(incoming_);
        stop = stopping_;
        everything = stop || flush_to_ > finished_;
      }
      const SteadyTime now = std::chrono::steady_clock::now();
      if (!taken.empty()) last_news = now;
      for (std::vector<Fact>& facts : taken) sort_in(std::move(facts), now);
      taken.clear();
      write_due(now, everything || pending_count_ >= write_at_once);
      tick_views();
      if (failed_.load(std::memory_order_relaxed)) drop_all();
      done_.notify_all();
      if (stop) return;
    }
  }

  void wait_for_work(std::unique_lock<std::mutex>& lock, SteadyTime last_news) {
    const auto called = [&] { return stopping_ || flush_to_ > finished_; };
    if (called()) return;
    if (incoming_.empty() && pending_count_ == 0 && std::chrono::steady_clock::now() - last_news > quiet_after) {
      asleep_ = true;
      wake_.wait(lock, [&] { return called() || !incoming_.empty(); });
      asleep_ = false;
      if (called()) return;
    }
    wake_.wait_for(lock, tick, called);
  }

  void sort_in(std::vector<Fact>&& facts, SteadyTime now) {
    const int game = game_of(facts.front());
    // A fact outside games keeps its place: what was posted before it is written before it.
    if (game == 0 && !pending_.empty()) write_due(now, true);
    pending_count_ += facts.size();
    if (game == 0) return outside_.push_back(std::move(facts));
    Pending& pending = pending_[game];
    if (pending.parts.empty()) pending.due = now + patience_;
    pending.urgent = pending.urgent || std::any_of(facts.begin(), facts.end(), urgent);
    pending.parts.push_back(std::move(facts));
  }

  void write_due(SteadyTime now, bool everything) {
    if (failed_.load(std::memory_order_relaxed)) return;
    batch_.clear();
    batch_.swap(outside_);
    for (auto entry = pending_.begin(); entry != pending_.end();) {
      Pending& pending = entry->second;
      if (!everything && !pending.urgent && pending.due > now) {
        ++entry;
        continue;
      }
      std::move(pending.parts.begin(), pending.parts.end(), std::back_inserter(batch_));
      entry = pending_.erase(entry);
    }
    if (batch_.empty()) return;
    if (!durably([this] { journal_->write_all(batch_); })) return;
    for (const auto& view : views_) {
      for (const auto& facts : batch_) {
        for (const Fact& fact : facts) {
          if (!durably([&] { view->see(fact); })) return;
        }
      }
      if (!durably([&] { view->batch_done(); })) return;
    }
    std::size_t written = 0;
    for (auto& facts : batch_) {
      written += facts.size();
      facts.clear();
    }
    pending_count_ -= written;
    const std::lock_guard lock(mutex_);
    finished_ += written;
    for (auto& facts : batch_) {
      if (spares_.size() == most_spares) break;
      if (facts.capacity() > 1) spares_.push_back(std::move(facts));
    }
  }

  void tick_views() {
    if (failed_.load(std::memory_order_relaxed)) return;
    for (const auto& view : views_) {
      if (!durably([&] { view->tick(); })) return;
    }
  }

  /// Does it, waiting for room on the disk as long as nobody ends the recorder. False if it failed for good.
  template <class Work>
  bool durably(const Work& work) {
    for (;;) {
      try {
        work();
        if (waiting_for_room_.exchange(false)) tell_wait("there is room again: the record goes on");
        return true;
      } catch (const JournalError& error) {
        if (error.cause() != JournalError::Cause::no_room || !wait_for_room(error.what())) {
          fail(error.what());
          return false;
        }
      } catch (const std::exception& error) {
        fail(error.what());
        return false;
      }
    }
  }

  /// False when the recorder is to end instead.
  bool wait_for_room(const std::string& what) {
    if (!waiting_for_room_.exchange(true)) tell_wait(what + "; running games go on, none is started until there is room");
    std::unique_lock lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (flush_to_ <= finished_)
      flush_until_.reset();
    else if (!flush_until_)
      flush_until_ = now + longest_flush;
    else if (now > *flush_until_)
      return false;
    return !wake_.wait_for(lock, between_attempts, [this] { return stopping_; });
  }

  void tell_wait(const std::string& text) {
    if (on_wait_) on_wait_(text);
  }

  void fail(const std::string& text) {
    failed_.store(true);
    if (on_error_) on_error_(text);
  }

  void drop_all() {
    pending_.clear();
    outside_.clear();
    pending_count_ = 0;
    const std::lock_guard lock(mutex_);
    incoming_.clear();
    finished_ = posted_;
  }

  std::unique_ptr<Journal> journal_;
  std::vector<std::unique_ptr<View>> views_;
  Tell on_error_;
  Tell on_wait_;
  std::chrono::milliseconds patience_{1000};

  mutable std::mutex mutex_;  // guards what stands up to the blank line
  std::condition_variable wake_, done_;
  Parts incoming_;
  Parts spares_;
  std::uint64_t posted_ = 0, finished_ = 0, flush_to_ = 0;
  bool asleep_ = false, stopping_ = false;
  std::optional<SteadyTime> flush_until_;

  std::atomic<bool> failed_{false};
  std::atomic<bool> waiting_for_room_{false};
  std::map<int, Pending> pending_;  // by game: games of one batch are written in their order; from here on the recorder's thread only
  Parts outside_;                   // facts outside games, written first
  std::size_t pending_count_ = 0;
  Parts batch_;
  std::thread thread_;  // last: starts when everything else stands
};

Recorder::Recorder(std::unique_ptr<Journal> journal, std::vector<std::unique_ptr<View>> views, Tell on_error, Tell on_wait)
    : impl_(std::make_unique<Impl>(std::move(journal), std::move(views), std::move(on_error), std::move(on_wait))) {}

Recorder::~Recorder() = default;

void Recorder::post(Fact fact) {
  std::vector<Fact> facts;
  facts.push_back(std::move(fact));
  impl_->post(std::move(facts));
}

void Recorder::post(std::vector<Fact> facts) { impl_->post(std::move(facts)); }

std::vector<Fact> Recorder::spare() { return impl_->spare(); }

void Recorder::flush() { impl_->flush(); }

bool Recorder::flush_within(std::chrono::milliseconds limit) { return impl_->flush_within(limit); }

std::size_t Recorder::backlog() const noexcept {
  const std::lock_guard lock(impl_->mutex_);
  return static_cast<std::size_t>(impl_->posted_ - impl_->finished_);
}

bool Recorder::congested() const noexcept { return impl_->waiting_for_room_.load() || backlog() > congested_at; }

bool Recorder::healthy() const noexcept { return !impl_->failed_.load(); }

}  // namespace referee::record
