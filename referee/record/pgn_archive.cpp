#include "referee/record/pgn_archive.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <istream>
#include <map>
#include <mutex>
#include <streambuf>
#include <thread>
#include <vector>

namespace referee::record {

namespace {

/// Text in memory, and then the rest of a stream if there is one.
class TextBuffer : public std::streambuf {
 public:
  explicit TextBuffer(std::string_view text, std::istream* after = nullptr) : after_(after) {
    char* const begin = const_cast<char*>(text.data());  // a get area is never written to
    setg(begin, begin, begin + text.size());
  }

 protected:
  int_type underflow() override {
    if (after_ == nullptr) return traits_type::eof();
    block_.resize(std::size_t{1} << 16U);
    after_->read(block_.data(), static_cast<std::streamsize>(block_.size()));
    const auto got = after_->gcount();
    if (got <= 0) return traits_type::eof();
    setg(block_.data(), block_.data(), block_.data() + got);
    return traits_type::to_int_type(*gptr());
  }

 private:
  std::istream* after_;
  std::string block_;
};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Does the text before a line end in moves: its last line that is not empty is no tag.
bool ends_in_moves(std::string_view before) {
  while (!before.empty() && is_blank(before.back())) before.remove_suffix(1);
  if (before.empty()) return false;
  const std::size_t line_end = before.rfind('\n');
  std::string_view line = before.substr(line_end == std::string_view::npos ? 0 : line_end + 1);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return !line.starts_with('[') && !line.starts_with('%');
}

/// Where the last game that may go on begins; npos if there is no cut.
std::size_t last_cut(std::string_view text) {
  for (std::size_t at = text.rfind("\n[Event \""); at != std::string_view::npos && at > 0; at = text.rfind("\n[Event \"", at - 1)) {
    if (ends_in_moves(text.substr(0, at + 1))) return at + 1;
  }
  return std::string_view::npos;
}

struct PartFindings {
  struct Game {
    CheckedGame checked;
    std::size_t number, line;
  };
  std::vector<Game> games;
  std::size_t count = 0;
};

PartFindings check_text(std::istream& in, std::size_t first_line, const PgnChecker& checker) {
  PartFindings out;
  PgnReader reader(in, {}, first_line);
  PgnGame game;
  while (reader.next(game)) {
    ++out.count;
    CheckedGame checked = checker.check(game);
    if (!checked.problems.empty() || !checked.not_checked.empty()) out.games.push_back({std::move(checked), game.number, game.line});
  }
  return out;
}

class Pool {
 public:
  Pool(const PgnChecker& checker, unsigned threads) : checker_(checker) {
    for (unsigned i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
      waiting_.clear();
    }
    work_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void give(PgnPart part) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.emplace(given_++, std::move(part));
    }
    work_.notify_one();
  }
  [[nodiscard]] std::size_t under_way() const noexcept { return given_ - taken_; }
  /// The findings of the oldest part. Needs: under_way() > 0.
  PartFindings take() {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return failure_ || findings_.contains(taken_); });
    if (failure_) std::rethrow_exception(failure_);
    PartFindings out = std::move(findings_.at(taken_));
    findings_.erase(taken_++);
    return out;
  }

 private:
  void work() {
    for (;;) {
      std::pair<std::size_t, PgnPart> job;
      {
        std::unique_lock lock(mutex_);
        work_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
        if (waiting_.empty()) return;
        job = {waiting_.begin()->first, std::move(waiting_.begin()->second)};
        waiting_.erase(waiting_.begin());
      }
      try {
        TextBuffer buffer(job.second.text);
        std::istream in(&buffer);
        PartFindings findings = check_text(in, job.second.first_line, checker_);
        const std::lock_guard lock(mutex_);
        findings_.emplace(job.first, std::move(findings));
      } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!failure_) failure_ = std::current_exception();
      }
      done_.notify_one();
    }
  }

  const PgnChecker& checker_;
  std::mutex mutex_;  // guards what follows but given_ and taken_, which are the owner's
  std::condition_variable work_, done_;
  std::map<std::size_t, PgnPart> waiting_;
  std::map<std::size_t, PartFindings> findings_;
  bool closed_ = false;
  std::exception_ptr failure_;
  std::size_t given_ = 0, taken_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace

bool PgnSplitter::next(PgnPart& part) {
  for (std::size_t wanted = part_; !ended_ && rest_.size() < wanted;) {
    const std::size_t had = rest_.size();
    rest_.resize(wanted);
    in_.read(rest_.data() + had, static_cast<std::streamsize>(wanted - had));
    rest_.resize(had + static_cast<std::size_t>(in_.gcount()));
    if (!in_) {
      ended_ = true;
      break;
    }
    if (last_cut(rest_) == std::string_view::npos) {
      if (rest_.size() >= largest) return false;
      wanted = std::min(largest, rest_.size() * 2);
    }
  }
  if (rest_.empty()) return false;
  const std::size_t cut = ended_ ? rest_.size() : last_cut(rest_);
  part.first_line = line_;
  if (cut == rest_.size()) {
    part.text = std::move(rest_);
    rest_.clear();
  } else {
    std::string behind = rest_.substr(cut);
    part.text = std::move(rest_);
    part.text.resize(cut);
    rest_ = std::move(behind);
  }
  line_ += static_cast<std::size_t>(std::count(part.text.begin(), part.text.end(), '\n'));
  return true;
}

std::size_t check_archive(std::istream& in, const PgnChecker& checker, unsigned threads,
                          const std::function<void(const CheckedGame&, std::size_t, std::size_t)>& found) {
  std::size_t games = 0;
  const auto tell = [&](PartFindings findings) {
    for (PartFindings::Game& game : findings.games) {
      for (CheckProblem& problem : game.checked.problems) problem.game += games;
      found(game.checked, game.number + games, game.line);
    }
    games += findings.count;
  };
  if (threads <= 1) {
    // Game by game, so that nothing waits for the end of a part.
    PgnReader reader(in);
    PgnGame game;
    while (reader.next(game)) {
      ++games;
      const CheckedGame checked = checker.check(game);
      if (!checked.problems.empty() || !checked.not_checked.empty()) found(checked, game.number, game.line);
    }
    return games;
  }
  PgnSplitter splitter(in);
  {
    Pool pool(checker, threads);
    PgnPart part;
    while (splitter.next(part)) {
      pool.give(std::move(part));
      if (pool.under_way() > 2 * static_cast<std::size_t>(threads)) tell(pool.take());
    }
    while (pool.under_way() > 0) tell(pool.take());
  }
  if (const PgnPart rest = splitter.left_over(); !rest.text.empty()) {
    TextBuffer buffer(rest.text, &in);
    std::istream whole(&buffer);
    tell(check_text(whole, rest.first_line, checker));
  }
  return games;
}

}  // namespace referee::record
