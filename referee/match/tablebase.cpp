#include "referee/match/tablebase.hpp"

#include <tbprobe.h>

#include <bit>
#include <mutex>
#include <stdexcept>

namespace referee::match {

namespace {

class OpenTables : public Tablebase {
 public:
  explicit OpenTables(std::string path) : path_(std::move(path)), most_pieces_(static_cast<int>(TB_LARGEST)) {}
  [[nodiscard]] int most_pieces() const noexcept override { return most_pieces_; }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  int most_pieces_;
};

}  // namespace

std::shared_ptr<const Tablebase> Tablebase::open(const config::Syzygy& settings) {
  // Fathom's tables are the process's; so is the knowledge of what is open. They are never closed: tb_init() closes the ones before, and
  // closing them by hand as well would do it twice.
  static std::mutex mutex;
  static std::weak_ptr<const OpenTables> opened;
  static std::string initialized;
  const std::lock_guard lock(mutex);
  if (auto tables = opened.lock()) {
    if (tables->path() == settings.path) return tables;
    throw std::runtime_error("adjudication: syzygy: " + settings.path + " while another match uses " + tables->path() +
                             " (expected one set of tables at a time)");
  }
  if (initialized != settings.path) {
    initialized = settings.path;
    if (!tb_init(settings.path.c_str())) initialized.clear();
  }
  if (initialized.empty() || TB_LARGEST == 0)
    throw std::runtime_error("adjudication: syzygy: no tables in " + settings.path + " (expected .rtbw files)");
  auto tables = std::make_shared<const OpenTables>(settings.path);
  opened = tables;
  return tables;
}

std::optional<game::Score> Tablebase::probe(const chess::Position& position, const config::Syzygy& settings) const {
  using chess::Role;
  if (std::popcount(position.occupied()) > std::min(settings.pieces, most_pieces()) || position.castling_rooks() != 0) return std::nullopt;
  const auto square = position.en_passant();
  const unsigned en_passant = square ? static_cast<unsigned>(chess::index(*square)) : 0U;
  const bool white_moves = position.side_to_move() == chess::Color::white;
  const unsigned found =
      tb_probe_wdl(position.pieces(chess::Color::white), position.pieces(chess::Color::black), position.pieces(Role::king),
                   position.pieces(Role::queen), position.pieces(Role::rook), position.pieces(Role::bishop), position.pieces(Role::knight),
                   position.pieces(Role::pawn), 0, 0, en_passant, white_moves);
  const bool in_time = position.halfmove_clock() == 0 || settings.ignore_50;
  const game::Score mover = game::win_for(position.side_to_move());
  const game::Score other = game::win_for(chess::opposite(position.side_to_move()));
  switch (found) {
    case TB_DRAW:
      return game::draw;
    case TB_CURSED_WIN:
      return settings.ignore_50 ? mover : game::draw;
    case TB_BLESSED_LOSS:
      return settings.ignore_50 ? other : game::draw;
    case TB_WIN:
      return in_time ? std::optional(mover) : std::nullopt;
    case TB_LOSS:
      return in_time ? std::optional(other) : std::nullopt;
    default:
      return std::nullopt;  // no table for these men
  }
}

}  // namespace referee::match
