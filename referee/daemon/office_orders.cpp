// The arbiter's orders: to the match that plays the game, or to the journal of one that has ended.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "config/editions.hpp"
#include "referee/daemon/office_entry.hpp"
#include "referee/match/plan_so_far.hpp"

namespace referee::daemon {

namespace fs = std::filesystem;

namespace {

Refusal not_yet() { return {503, "the match is just being set up, or a game's end recorded (expected: the order once more, in a second)"}; }

/// Opened so, it stands on the disk whatever becomes of the machine. Throws record::JournalError.
void write_through(const fs::path& path, int how) {
  constexpr mode_t rights = 0644;
  const int file = ::open(path.c_str(), how | O_CLOEXEC, rights);
  const bool done = file >= 0 && ::fsync(file) == 0;
  const std::string why = std::strerror(errno);
  if (file >= 0) ::close(file);
  if (!done) throw record::JournalError(path.string() + ": cannot be written: " + why);
}

}  // namespace

void Office::order(int id, int game, game::EventBody body, const std::string& who, OrderDone done) {
  Entry& own = entry(id);
  prepare(own);
  const std::string what = std::holds_alternative<game::ArbiterOrder>(body)
                               ? std::string(game::name(std::get<game::ArbiterOrder>(body).kind))
                               : "said for a player";
  registry_.audit(who, "order", "match " + std::to_string(id) + " game " + std::to_string(game) + ": " + what);
  const std::uint64_t run = own.runs;
  const auto finish = [this, id, game, body, run, done = std::move(done)](const match::OrderAnswer& answer) {
    try {
      OrderResult result;
      if (answer.status == match::OrderAnswer::Status::judged)
        result.rulings = answer.rulings;
      else if (answer.status == match::OrderAnswer::Status::not_yet || (entry(id).playing && entry(id).runs != run))
        throw not_yet();
      else
        result = order_finished(entry(id), game, body);
      // It is answered when it stands in the record, so that nothing takes it back; a disk that is slow beyond measure is not waited for.
      if (entry(id).playing) (void)entry(id).playing->run.settle();
      for (const game::Ruling& ruling : result.rulings) result.refused |= std::holds_alternative<game::OrderRefused>(ruling.body);
      done(std::move(result), Refusal(200, ""));
    } catch (const Refusal& refusal) { done(std::nullopt, refusal); } catch (const std::exception& error) {
      done(std::nullopt, Refusal(500, error.what()));
    }
  };
  if (!own.playing) return finish({});
  own.playing->run.order(game, std::move(body),
                         [this, finish](match::OrderAnswer answer) { post([finish, answer = std::move(answer)] { finish(answer); }); });
}

Office::OrderResult Office::order_finished(Entry& entry, int game, const game::EventBody& body) {
  const int id = entry.record.id;
  if (entry.playing && !entry.playing->run.settle()) throw not_yet();
  const auto past = journal(id);
  const auto recorded = past ? past->game(game) : std::nullopt;
  if (!recorded) throw Refusal(404, "game " + std::to_string(game) + " has not begun");
  const auto edition = config::load_edition(recorded->started.edition, fs::path(entry.file->path).parent_path().string());
  game::Game judge(recorded->started.setup, edition);
  game::Event event{.at = {}, .body = body};
  for (const record::EventJudged& judged : recorded->events) {
    (void)judge.apply(judged.event);
    event.at = std::max(event.at, judged.event.at);
  }
  OrderResult result;
  const std::optional<game::Outcome> before = judge.outcome();
  if (before && before->annulled && entry.playing) throw not_yet();  // it comes once more, and the order is for that attempt
  result.rulings = judge.apply(event);
  if (!judge.outcome() && judge.phase() == game::Phase::playing)
    throw Refusal(409, "the match is not played now (expected: referee resume " + std::to_string(id) + " first)");
  if (before && before->annulled && judge.outcome() && judge.outcome()->annulled)
    throw Refusal(409, "game " + std::to_string(game) + " is annulled already");
  std::vector<record::Fact> facts;
  facts.emplace_back(record::EventJudged{.game = game, .event = event, .rulings = result.rulings, .search = {}, .referee_lag = {}});
  if (judge.outcome() && judge.outcome() != before) {
    facts.emplace_back(record::GameEnded{.game = game,
                                         .at = wall_now(),
                                         .outcome = *judge.outcome(),
                                         .plies = static_cast<int>(judge.plies()),
                                         .duration = event.at,
                                         .counted = !judge.outcome()->annulled});
  }
  pgn_becomes_stale(entry);  // before the record has it, so that no end of this process comes between
  if (entry.playing && !entry.playing->run.record(facts)) throw not_yet();
  if (facts.size() > 1 && judge.outcome()->annulled) entry.replay_due = true;
  if (entry.playing) return result;
  if (facts.size() > 1) {
    if (const auto changed = match::change_of(*entry.file, game, before)) facts.emplace_back(*changed);
  }
  record::Journal::open(output(id, "match.sqlite"), record::Journal::Mode::open_existing)->write(facts);
  const bool replays = entry.record.state == MatchState::finished && std::exchange(entry.replay_due, false);
  if (replays) {  // before the mark goes by which the next start would know it
    entry.record.state = MatchState::active;
    save(entry);
  }
  rewrite_pgn(entry);
  LiveFeed::Hooks hooks;
  hooks.on_batch = hooks_.on_batch;
  hooks.on_desk = [this] { hooks_.on_news("desk"); };
  hooks.on_turning_point = [this](const record::Fact& /*fact*/) { hooks_.on_news("matches"); };
  LiveFeed feed(id, entry.log, entry.board, std::move(hooks));
  for (const record::Fact& fact : facts) feed.see(fact);
  forget_course(entry);
  feed.batch_done();
  if (replays) rebalance();
  return result;
}

bool Office::owes_a_game(Entry& entry) {
  load(entry);
  try {
    return match::has_games_left(*entry.file);
  } catch (const match::MatchRefused& refused) { throw Refusal(409, refused.what()); }
}

void Office::pgn_becomes_stale(Entry& entry) {
  const std::string mark = stale_mark(entry.record.id);
  write_through(mark, O_CREAT | O_WRONLY);
  write_through(fs::path(mark).parent_path(), O_DIRECTORY | O_RDONLY);
}

/// Games that were appended to the file before have another result now. Needs: the match is not being played.
void Office::rewrite_pgn(Entry& entry) {
  const std::string mark = stale_mark(entry.record.id);
  std::error_code error;
  if (!fs::exists(mark, error)) return;
  try {
    if (const auto past = journal(entry.record.id)) match::rewrite_pgn(entry.file->output, *past);
    fs::remove(mark);
  } catch (const std::exception& problem) {  // it is tried again when the daemon begins anew
    hooks_.log(std::string("after a result was changed: ") + problem.what());
  }
}

}  // namespace referee::daemon
