#include "referee/record/export.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "referee/chess/fen.hpp"
#include "referee/chess/notation.hpp"
#include "referee/record/epd_write.hpp"

namespace referee::record {

namespace {

constexpr std::size_t batch_games = 64;
constexpr std::size_t batches_ahead = 4;  // a thread, waiting to be written

template <class T, class U>
bool among(const std::vector<T>& values, const U& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

void append_field(std::string& out, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

void append_milliseconds(std::string& out, game::Duration time) {
  if (time == game::Duration::max()) return;
  const auto us = time.count() / 1000;
  out += std::to_string(us / 1000) + '.';
  const std::string fraction = std::to_string(us % 1000);
  out.append(3 - std::min<std::size_t>(fraction.size(), 3), '0');
  out += fraction;
}

template <class Number>
void append_number(std::string& out, const std::optional<Number>& number) {
  out += ',';
  if (number) out += std::to_string(*number);
}

class CsvRows {
 public:
  CsvRows(std::string& out, const RecordedGame& game) : out_(out) {
    beginning_ = std::to_string(game.row.game) + ',' + std::to_string(game.row.round) + ',';
    append_field(beginning_, game.row.white);
    beginning_ += ',';
    append_field(beginning_, game.row.black);
    beginning_ += ',';
    append_field(beginning_, game.row.outcome ? game::pgn_result(*game.row.outcome) : std::string_view("*"));
    beginning_ += ',';
  }
  void book_move(chess::Color side, std::string_view san, std::string_view uci) {
    begin(side, san, uci);
    out_ += ",book,,,,,,\n";
  }
  void move(const game::MoveAccepted& move, const EventJudged& judged) {
    const auto& search = judged.search;
    begin(move.side, move.san, move.uci);
    out_ += judged.book ? ",book," : ",engine,";
    append_milliseconds(out_, move.used);
    out_ += ',';
    append_milliseconds(out_, move.remaining);
    append_number(out_, search ? search->centipawns : std::nullopt);
    append_number(out_, search ? search->mate : std::nullopt);
    append_number(out_, search ? search->depth : std::nullopt);
    append_number(out_, search ? search->nodes : std::nullopt);
    out_ += '\n';
  }

 private:
  void begin(chess::Color side, std::string_view san, std::string_view uci) {
    out_ += beginning_;
    out_ += std::to_string(++ply_);
    out_ += side == chess::Color::white ? ",white," : ",black,";
    out_ += san;
    out_ += ',';
    out_ += uci;
  }
  std::string& out_;
  std::string beginning_;
  int ply_ = 0;
};

/// Opening moves and moves played, up to the end that the row tells.
template <class Opening, class Played>
chess::Position walk(const RecordedGame& game, const Opening& opening, const Played& played) {
  const game::GameSetup& setup = game.started.setup;
  const auto castling = setup.chess960 ? chess::CastlingText::king_takes_rook : chess::CastlingText::king_two_squares;
  chess::Position position = setup.start;
  int left = game.row.outcome ? game.row.plies : INT32_MAX;
  for (const std::string& text : setup.opening_moves) {
    const auto read = chess::read_uci(position, text, castling);
    const auto* move = std::get_if<chess::ReadMove>(&read);
    if (move == nullptr || left-- <= 0) return position;
    opening(position, move->move, castling);
    position.play(move->move);
  }
  for (const EventJudged& judged : game.events) {
    for (const game::Ruling& ruling : judged.rulings) {
      const auto* accepted = std::get_if<game::MoveAccepted>(&ruling.body);
      if (accepted == nullptr) continue;
      if (left-- <= 0) return position;
      played(*accepted, judged);
      position.play(accepted->move);
    }
  }
  return position;
}

void append_csv(std::string& out, const RecordedGame& game) {
  CsvRows rows(out, game);
  (void)walk(
      game,
      [&](const chess::Position& position, chess::Move move, chess::CastlingText castling) {
        rows.book_move(position.side_to_move(), chess::to_san(position, move), chess::to_uci(position, move, castling));
      },
      [&](const game::MoveAccepted& move, const EventJudged& judged) { rows.move(move, judged); });
}

void append_final_position(std::string& out, const RecordedGame& game) {
  const chess::Position end = walk(
      game, [](const chess::Position&, chess::Move, chess::CastlingText) {}, [](const game::MoveAccepted&, const EventJudged&) {});
  const std::string result(game.row.outcome ? game::pgn_result(*game.row.outcome) : std::string_view("*"));
  append_epd(out, end,
             {{"id", "game " + std::to_string(game.row.game) + ": " + game.row.white + " - " + game.row.black + " " + result},
              {"c0", game.row.outcome ? words(*game.row.outcome) : std::string("not finished")}});
}

/// Batches are taken in order by any thread; their texts are given out in order.
class Renderer {
 public:
  Renderer(const ExportTask& task, const std::vector<GameRow>& rows)
      : task_(task),
        rows_(rows),
        batches_((rows.size() + batch_games - 1) / batch_games),
        workers_(std::max<std::size_t>(1, std::min<std::size_t>(task.threads, batches_))) {
    for (std::size_t i = 0; i < workers_; ++i) threads_.emplace_back([this] { work(); });
  }
  ~Renderer() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Renderer(const Renderer&) = delete;
  Renderer& operator=(const Renderer&) = delete;

  /// The next batch's texts, one a form; nullopt at the end.
  std::optional<std::vector<std::string>> next() {
    if (given_ == batches_) return std::nullopt;
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [&] { return failure_ || done_.contains(given_); });
    if (failure_) std::rethrow_exception(failure_);
    std::vector<std::string> texts = std::move(done_.at(given_));
    done_.erase(given_++);
    room_.notify_all();
    return texts;
  }

 private:
  void work() {
    try {
      const auto journal = Journal::open(task_.journal, Journal::Mode::read_only);
      while (const auto batch = take()) {
        std::vector<std::string> texts(task_.forms.size());
        const std::size_t end = std::min(rows_.size(), (*batch + 1) * batch_games);
        for (std::size_t i = *batch * batch_games; i < end; ++i) render(*journal, rows_[i], texts);
        const std::lock_guard lock(mutex_);
        done_.emplace(*batch, std::move(texts));
        ready_.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stop_ = true;
      ready_.notify_one();
      room_.notify_all();
    }
  }

  std::optional<std::size_t> take() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return stop_ || taken_ == batches_ || taken_ < given_ + workers_ * batches_ahead; });
    if (stop_ || taken_ == batches_) return std::nullopt;
    return taken_++;
  }

  void render(const Journal& journal, const GameRow& row, std::vector<std::string>& texts) const {
    const auto game = journal.moves_of(row);
    if (!game) return;
    for (std::size_t form = 0; form < task_.forms.size(); ++form) append_game(texts[form], *game, task_.forms[form], task_.style);
  }

  const ExportTask& task_;
  const std::vector<GameRow>& rows_;
  const std::size_t batches_;
  const std::size_t workers_;  // known before the first of them asks
  std::mutex mutex_;           // guards what follows
  std::condition_variable ready_, room_;
  std::map<std::size_t, std::vector<std::string>> done_;
  std::size_t taken_ = 0, given_ = 0;
  bool stop_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::string_view csv_head() noexcept {
  return "game,round,white,black,result,ply,side,san,uci,source,used_ms,remaining_ms,centipawns,mate,depth,nodes\n";
}

void append_game(std::string& out, const RecordedGame& game, ExportForm form, const PgnStyle& style) {
  switch (form) {
    case ExportForm::pgn:
      out += to_pgn(game, style);
      return;
    case ExportForm::epd:
      return append_final_position(out, game);
    case ExportForm::csv:
      return append_csv(out, game);
  }
}

bool ExportFilter::passes(const GameRow& row) const {
  if (!row.outcome && !unfinished) return false;
  if ((!row.counted || row.voided) && !uncounted) return false;
  if (!engines.empty() && !among(engines, row.white) && !among(engines, row.black)) return false;
  if (!results.empty() && !among(results, row.outcome ? game::pgn_result(*row.outcome) : std::string_view("*"))) return false;
  if (!reasons.empty() && (!row.outcome || !among(reasons, game::code(row.outcome->reason)))) return false;
  return (rounds.empty() || among(rounds, row.round)) && (games.empty() || among(games, row.game));
}

void sort_rows(std::vector<GameRow>& rows, ExportOrder order) {
  switch (order) {
    case ExportOrder::ended:
      return;  // as Journal::attempts() gives them
    case ExportOrder::number:
      std::stable_sort(rows.begin(), rows.end(), [](const GameRow& a, const GameRow& b) { return a.game < b.game; });
      return;
    case ExportOrder::round:
      std::stable_sort(rows.begin(), rows.end(),
                       [](const GameRow& a, const GameRow& b) { return a.round != b.round ? a.round < b.round : a.game < b.game; });
      return;
  }
}

void export_games(const ExportTask& task, const std::vector<GameRow>& rows,
                  const std::function<void(std::size_t, std::string_view)>& write) {
  Renderer renderer(task, rows);
  while (const auto texts = renderer.next()) {
    for (std::size_t form = 0; form < texts->size(); ++form) write(form, (*texts)[form]);
  }
}

}  // namespace referee::record
