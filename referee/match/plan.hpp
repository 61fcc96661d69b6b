// From a match file to a numbered list of games: a pure function of (file, book, seed). Game N has the same players, colours and opening
// whatever was interrupted, on whichever machine it is played, and however many run at once.
//
//   MatchPlan plan = MatchPlan::make(config::read_match_file("spring.yaml"));
//   for (const PlannedGame& game : plan.games()) ... plan.setup(game) ...
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "config/match_file.hpp"
#include "referee/game/game.hpp"
#include "referee/laws/edition.hpp"
#include "referee/match/openings.hpp"
#include "referee/match/polyglot.hpp"
#include "referee/match/rounds.hpp"
#include "referee/match/schedule.hpp"

namespace referee::match {

struct PlannedGame {
  int number = 0;         // from 1
  int pair = 0;           // from 1; with an even number of games a pairing, games 2k-1 and 2k are pair k
  int round = 0;          // from 1
  std::size_t white = 0;  // indices into file().engines
  std::size_t black = 0;
  std::size_t opening = 0;  // index into the book
  bool deciding = false;    // the last game of a level encounter of a knockout
};

/// How the field stood when games were added: a match that gets more engines, cycles or rounds keeps the games it had and appends the new
/// ones.
struct Stage {
  std::size_t engines = 0;
  int cycles = 0;  // of a Swiss tournament: rounds
  int after = 0;   // games that were planned then; kept for schedules that depend on results
  friend bool operator==(const Stage&, const Stage&) = default;
};
[[nodiscard]] std::string to_text(const std::vector<Stage>& stages);   // "4x1 5x1 5x2", "8x5 9x5@12"
[[nodiscard]] std::vector<Stage> parse_stages(std::string_view text);  // empty when it does not read

/// What became of a planned game, as far as others depend on it.
struct GameFate {
  enum class Kind { open, scored, cancelled /* void before it was played */ } kind = Kind::open;
  game::Score score;
};

/// What a schedule by results has settled beside its games, at the last time it was asked to grow.
struct Course {
  std::vector<Gift> gifts;
  std::vector<Duel> duels;
  std::optional<std::size_t> champion;
  bool complete = false;  // no game follows
};

class MatchPlan {
 public:
  /// Is the list whole from the start?
  enum class Growth {
    none,
    on_demand,  // a sequential test without a number of games: as many as are asked for
    by_results  // Swiss, knockout: round by round
  };
  /// `earlier`: the stages an interrupted match had reached. Throws config::ConfigException and BookException; engines are not looked at.
  static MatchPlan make(config::MatchFile file, const std::vector<Stage>& earlier = {});

  [[nodiscard]] const config::MatchFile& file() const noexcept { return file_; }
  [[nodiscard]] const laws::Edition& edition() const noexcept { return *edition_; }
  [[nodiscard]] const std::shared_ptr<const laws::Edition>& shared_edition() const noexcept { return edition_; }
  [[nodiscard]] const std::vector<PlannedGame>& games() const noexcept { return games_; }
  [[nodiscard]] const std::vector<Stage>& stages() const noexcept { return stages_; }
  /// Needs: 1 <= number <= games().size().
  [[nodiscard]] const PlannedGame& game(int number) const { return games_[static_cast<std::size_t>(number) - 1]; }
  [[nodiscard]] const config::EngineEntry& white(const PlannedGame& game) const { return file_.engines[game.white]; }
  [[nodiscard]] const config::EngineEntry& black(const PlannedGame& game) const { return file_.engines[game.black]; }
  [[nodiscard]] const clock::TimeControl& time_control(std::size_t engine) const;  // by the file
  /// Games are set up with time controls that are so much longer (`scale:`).
  void set_time_factor(double factor) noexcept { time_factor_ = factor; }
  [[nodiscard]] Opening opening(const PlannedGame& game) const { return book_.at(game.opening); }
  [[nodiscard]] game::GameSetup setup(const PlannedGame& game) const;
  /// The move that `engine`'s own book has for `side` to play here, drawn with the seed of the openings: the same whenever the game is
  /// played. nullopt without a book, beyond its depth, and where it ends.
  [[nodiscard]] std::optional<chess::Move> book_move(const PlannedGame& game, std::size_t engine, const PolyglotPlace& place,
                                                     std::size_t plies) const;
  [[nodiscard]] bool has_book(std::size_t engine) const { return books_[engine] != nullptr; }

  [[nodiscard]] Growth growth() const noexcept { return growth_; }
  /// on_demand: games 1 .. `number` stand afterwards. False when there are no more (the largest plan is reached).
  bool grow_to(int number);
  /// by_results: once every game that stands is over, appends those that follow from their results; game N is still a pure function of
  /// file, seed and the results before it. `fates`: by number - 1, one for each game. `withdrawn`: by engine, the number of games that were
  /// planned when it left. Returns the games added: none when some are still open, or the schedule is complete.
  std::size_t grow(const std::vector<GameFate>& fates, const std::map<std::size_t, int>& withdrawn);
  /// by_results: games that stood when the last of those was added that game `number` came with.
  [[nodiscard]] int drawn_with(int number) const;
  /// by_results: what follows was drawn up with the result of this game, and stands whatever becomes of it: of a knockout the whole
  /// encounter. A Swiss tournament draws its next rounds from the corrected scores.
  [[nodiscard]] bool is_settled(int number) const;
  /// by_results: engines that are new in the file take part from the next round on. Call when grow() has caught up with the journal.
  void admit_new_engines();
  [[nodiscard]] const Course& course() const noexcept { return course_; }
  /// Games of the whole match as far as it can be told: at least those that stand. 0: nobody knows (on_demand).
  [[nodiscard]] int expected_games() const noexcept;

  /// What a user should know before the first game: notes on the book, openings that are over before a move is asked for (the game is then
  /// recorded at once, both games of the pair alike), games that fixed-depth engines would only repeat.
  [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  /// Some games have the same players, colours and opening as an earlier one.
  [[nodiscard]] bool has_copies() const noexcept { return copies_ > 0; }

 private:
  void read_books();
  void number_games();
  void append(const std::vector<Pairing>& pairings);
  void warn_of_finished_openings();
  void warn_of_copies();
  void warn_of_times_each_move();

  config::MatchFile file_;
  std::shared_ptr<const laws::Edition> edition_;
  OpeningBook book_;
  std::vector<std::shared_ptr<const PolyglotBook>> books_;  // by engine; nullptr without one
  std::vector<Stage> stages_;
  std::vector<PlannedGame> games_;
  double time_factor_ = 1;
  Growth growth_ = Growth::none;
  std::optional<OpeningOrder> order_;
  std::optional<OpeningCount> opening_count_;
  std::map<std::tuple<std::size_t, std::size_t, int>, int> pairs_;  // numbers, by engines and encounter / 2
  std::vector<Pairing> pairings_;                                   // of games_, where growth is by results
  std::vector<std::size_t> ranking_;
  int last_round_ = 0;
  std::vector<int> growths_;  // games that stood after each
  Course course_;
  int round_there_ = 0;  // in the numbers of what was appended last
  std::vector<std::string> warnings_;
  std::size_t copies_ = 0;
};

}  // namespace referee::match
