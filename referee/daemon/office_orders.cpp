// The arbiter's orders: to the match that plays the game, or to the journal of one that has ended.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "config/editions.hpp"
#include "referee/daemon/office_entry.hpp"
#include "referee/record/pgn.hpp"

namespace referee::daemon {

namespace fs = std::filesystem;

namespace {

Refusal not_yet() { return {503, "the match is just being set up, or a game's end recorded (expected: the order once more, in a second)"}; }

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
  result.rulings = judge.apply(event);
  if (!judge.outcome() && judge.phase() == game::Phase::playing)
    throw Refusal(409, "the match is not played now (expected: referee resume " + std::to_string(id) + " first)");
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
  if (entry.playing && !entry.playing->run.record(facts)) throw not_yet();
  if (facts.size() > 1) {
    entry.pgn_stale = true;
    if (judge.outcome()->annulled) entry.replay_due = true;
  }
  if (entry.playing) return result;
  record::Journal::open(output(id, "match.sqlite"), record::Journal::Mode::open_existing)->write(facts);
  rewrite_pgn(entry);
  LiveFeed::Hooks hooks;
  hooks.on_batch = hooks_.on_batch;
  hooks.on_desk = [this] { hooks_.on_news("desk"); };
  hooks.on_turning_point = [this](const record::Fact& /*fact*/) { hooks_.on_news("matches"); };
  LiveFeed feed(id, entry.log, entry.board, std::move(hooks));
  for (const record::Fact& fact : facts) feed.see(fact);
  forget_course(entry);
  feed.batch_done();
  if (entry.replay_due && entry.record.state == MatchState::finished) {
    entry.replay_due = false;
    entry.record.state = MatchState::active;
    save(entry);
    rebalance();
  }
  return result;
}

/// The file is made of the journal once more: games that were appended to it before have another result now.
void Office::rewrite_pgn(Entry& entry) {
  if (!std::exchange(entry.pgn_stale, false)) return;
  const auto past = journal(entry.record.id);
  if (!past) return;
  const std::string path = output(entry.record.id, "games.pgn");
  const std::string fresh = path + ".new";
  std::map<int, int> last_attempt;
  past->each_game([&last_attempt](const record::GameRow& row) { last_attempt[row.game] = row.attempt; });
  std::ofstream out(fresh, std::ios::binary);
  for (const record::GameRow& row : past->attempts()) {
    const bool stands = row.outcome && row.counted && !row.voided && !row.outcome->annulled && last_attempt[row.game] == row.attempt;
    if (!stands) continue;
    if (const auto game = past->game(row.game, row.attempt)) out << record::to_pgn(*game, match::pgn_style(entry.file->output));
  }
  out.close();
  std::error_code error;
  if (out) fs::rename(fresh, path, error);
  if (!out || error) hooks_.log(path + ": cannot be written anew after a result was changed");
}

}  // namespace referee::daemon
