// Who can mate, by brute force: whole material classes with at most four men solved to a fixed point, and the forced-lines proof of
// laws/ compared with the truth in every legal position of them. A quarter of an hour and 200 MB for all classes; built on request:
//
//   cmake --build build/release --target winnability_truth && build/release/winnability_truth [CLASS...]
//
// A class is written KQvKR; those it can turn into by captures and promotions are solved with it. Castling rights play no part, en
// passant rights arise inside the lines. Exit code 1 when a single verdict differs.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "referee/chess/bitboard.hpp"
#include "referee/chess/position_builder.hpp"
#include "referee/laws/winnability_forced.hpp"

namespace {

using namespace referee;
using chess::Bitboard;
using chess::Color;
using chess::Piece;
using chess::Position;
using chess::Role;
using chess::Square;

constexpr std::size_t most_men = 4;

/// The men of a class, White's first, each side's king first and the others in the order Q R B N P.
using Men = std::vector<Piece>;

[[nodiscard]] int rank_in_class(Role role) {
  switch (role) {
    case Role::king:
      return 0;
    case Role::queen:
      return 1;
    case Role::rook:
      return 2;
    case Role::bishop:
      return 3;
    case Role::knight:
      return 4;
    case Role::pawn:
      return 5;
  }
  return 6;
}

[[nodiscard]] std::string name_of(const Men& men) {
  std::string name;
  Color side = Color::white;
  for (const Piece& man : men) {
    if (man.color != side) name += 'v';
    side = man.color;
    name += chess::letter({Color::white, man.role});
  }
  return name;
}

[[nodiscard]] Men men_of(const std::string& name) {
  Men men;
  Color side = Color::white;
  for (const char c : name) {
    if (c == 'v') {
      side = Color::black;
      continue;
    }
    const std::size_t role = std::string("PNBRQK").find(c);
    if (role == std::string::npos) throw std::invalid_argument("class " + name + ": '" + std::string(1, c) + "' is no man");
    men.push_back({side, static_cast<Role>(role)});
  }
  std::stable_sort(men.begin(), men.end(), [](const Piece& a, const Piece& b) {
    return a.color != b.color ? a.color < b.color : rank_in_class(a.role) < rank_in_class(b.role);
  });
  const auto kings = [&men](Color color) { return std::count(men.begin(), men.end(), Piece{color, Role::king}); };
  if (men.size() > most_men || kings(Color::white) != 1 || kings(Color::black) != 1) {
    throw std::invalid_argument("class " + name + ": expected such as KQvKR, at most four men");
  }
  return men;
}

/// One bit a position and winner. Positions are numbered by side to move and the square of each man.
class Class {
 public:
  explicit Class(Men men) : men_(std::move(men)), size_(std::size_t{2} << (6 * men_.size())) {
    for (auto& bits : can_mate_) bits.assign(size_ / 64, 0);
  }
  [[nodiscard]] const Men& men() const { return men_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool can_mate(std::size_t number, Color winner) const {
    return (can_mate_[chess::index(winner)][number / 64] >> number % 64 & 1U) != 0;
  }
  void set_can_mate(std::size_t number, Color winner) { can_mate_[chess::index(winner)][number / 64] |= std::uint64_t{1} << number % 64; }

  /// Only one numbering of equal men, and one of the mirrored pair (White's king on the files a to d), is worked.
  [[nodiscard]] bool canonical(std::size_t number) const {
    if ((number >> 1U & 7U) > 3) return false;
    for (std::size_t i = 1; i < men_.size(); ++i) {
      if (men_[i] == men_[i - 1] && square(number, i) <= square(number, i - 1)) return false;
    }
    return true;
  }
  [[nodiscard]] static unsigned square(std::size_t number, std::size_t man) { return static_cast<unsigned>(number >> (1 + 6 * man) & 63U); }

  /// Nullopt where men share a square, kings touch, a pawn stands on an end rank or the side not to move is in check.
  [[nodiscard]] std::optional<Position> position(std::size_t number) const {
    chess::PositionBuilder builder;
    Bitboard taken = 0;
    std::array<Square, 2> kings{};
    for (std::size_t i = 0; i < men_.size(); ++i) {
      const auto at = static_cast<Square>(square(number, i));
      if ((taken & chess::bit(at)) != 0) return std::nullopt;
      taken |= chess::bit(at);
      if (men_[i].role == Role::pawn && chess::rank_of(at) % 7 == 0) return std::nullopt;
      if (men_[i].role == Role::king) kings[chess::index(men_[i].color)] = at;
      builder.put(at, men_[i]);
    }
    if ((chess::king_attacks(kings[0]) & chess::bit(kings[1])) != 0) return std::nullopt;
    const Color mover = (number & 1U) != 0 ? Color::black : Color::white;
    builder.set_side_to_move(mover);
    const Position& draft = builder.draft();
    if (draft.attackers(kings[chess::index(chess::opposite(mover))], mover, draft.occupied()) != 0) return std::nullopt;
    return builder.build();
  }

 private:
  Men men_;
  std::size_t size_;
  std::array<std::vector<std::uint64_t>, 2> can_mate_;
};

class Solver {
 public:
  /// Solves the class and all it can turn into; returns the number of wrong verdicts found in those not asked for before.
  std::uint64_t solve(const Men& men) {
    if (classes_.contains(signature_of(men))) return 0;
    std::uint64_t wrong = 0;
    for (const Men& next : turns_into(men)) wrong += solve(next);
    if (classes_.contains(signature_of(men))) return wrong;
    auto& solved = classes_[signature_of(men)];
    solved = std::make_unique<Class>(men);
    work(*solved);
    return wrong + compare(*solved);
  }

 private:
  [[nodiscard]] static std::vector<Men> turns_into(const Men& men) {
    std::vector<Men> all;
    for (std::size_t i = 0; i < men.size(); ++i) {
      if (men[i].role == Role::king) continue;
      Men without = men;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      all.push_back(without);
      if (men[i].role != Role::pawn) continue;
      for (const Role role : {Role::queen, Role::rook, Role::bishop, Role::knight}) {
        Men promoted = men;
        promoted[i].role = role;
        all.push_back(men_of(name_of(promoted)));
      }
    }
    return all;
  }

  [[nodiscard]] bool known(const Position& position, Color winner) const {
    if (position.en_passant()) {
      // No number of its own: one move further. Nothing recurs, each such step spends a pawn's double step.
      if (laws::winnability::mated_by(position, winner)) return true;
      for (const chess::Move move : position.legal_moves()) {
        if (known(position.after(move), winner)) return true;
      }
      return false;
    }
    const bool mirrored = chess::file_of(position.king(Color::white)) > 3;
    std::uint64_t signature = 0;
    std::size_t number = position.side_to_move() == Color::black ? 1 : 0;
    std::size_t man = 0;
    for (const Color color : {Color::white, Color::black}) {
      for (const Role role : {Role::king, Role::queen, Role::rook, Role::bishop, Role::knight, Role::pawn}) {
        Bitboard men = position.pieces(color, role);
        if (mirrored) men = mirror(men);
        for (; men != 0; ++man) {
          number |= std::size_t{chess::index(chess::take_lowest(men))} << (1 + 6 * man);
          signature += one_of({color, role});
        }
      }
    }
    return class_of(signature).can_mate(number, winner);
  }
  [[nodiscard]] static Bitboard mirror(Bitboard men) noexcept {
    Bitboard made = 0;
    while (men != 0) made |= Bitboard{1} << (chess::index(chess::take_lowest(men)) ^ 7U);
    return made;
  }
  /// Four bits a kind of man.
  [[nodiscard]] static std::uint64_t one_of(Piece man) noexcept {
    return std::uint64_t{1} << (4 * (6 * chess::index(man.color) + chess::index(man.role)));
  }
  [[nodiscard]] static std::uint64_t signature_of(const Men& men) noexcept {
    std::uint64_t signature = 0;
    for (const Piece& man : men) signature += one_of(man);
    return signature;
  }
  [[nodiscard]] const Class& class_of(std::uint64_t signature) const {
    // The last ones asked for are asked for again.
    for (const auto& [cached, found] : recent_) {
      if (cached == signature) return *found;
    }
    const Class& found = *classes_.at(signature);
    recent_[next_recent_++ % recent_.size()] = {signature, &found};
    return found;
  }

  void work(Class& solved) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t number = 0; number < solved.size(); ++number) {
        if (!solved.canonical(number)) continue;
        std::array<bool, 2> open{!solved.can_mate(number, Color::white), !solved.can_mate(number, Color::black)};
        if (!open[0] && !open[1]) continue;
        const auto position = solved.position(number);
        if (!position) continue;
        const chess::MoveList moves = position->legal_moves();
        for (const Color winner : {Color::white, Color::black}) {
          if (!open[chess::index(winner)]) continue;
          bool found = moves.empty() && laws::winnability::mated_by(*position, winner);
          for (const chess::Move move : moves) {
            if (found) break;
            found = known(position->after(move), winner);
          }
          if (!found) continue;
          solved.set_can_mate(number, winner);
          changed = true;
        }
      }
    }
  }

  [[nodiscard]] static std::uint64_t compare(const Class& solved) {
    std::uint64_t positions = 0;
    std::uint64_t wrong = 0;
    std::array<std::uint64_t, laws::winnability::exact_depth + 1> no_at_depth{};
    std::uint64_t most_nodes = 0;
    for (std::size_t number = 0; number < solved.size(); ++number) {
      if (!solved.canonical(number)) continue;
      const auto position = solved.position(number);
      if (!position) continue;
      ++positions;
      for (const Color winner : {Color::white, Color::black}) {
        const bool truth = solved.can_mate(number, winner);
        constexpr std::uint64_t enough = 1'000'000;
        std::uint64_t nodes = enough;
        bool excluded = laws::winnability::forced_lines_exclude_mate(*position, winner, laws::winnability::exact_depth, nodes);
        most_nodes = std::max(most_nodes, enough - nodes);
        if (excluded == truth) ++wrong;
        if (!excluded) continue;
        for (int depth = 0; depth <= laws::winnability::exact_depth; ++depth) {
          nodes = enough;
          if (!laws::winnability::forced_lines_exclude_mate(*position, winner, depth, nodes)) continue;
          ++no_at_depth[static_cast<std::size_t>(depth)];
          break;
        }
      }
    }
    std::printf("%-6s %10llu positions, %llu wrong; cannot mate, by depth:", name_of(solved.men()).c_str(),
                static_cast<unsigned long long>(positions), static_cast<unsigned long long>(wrong));
    for (const std::uint64_t count : no_at_depth) std::printf(" %llu", static_cast<unsigned long long>(count));
    std::printf("; at most %llu positions looked at\n", static_cast<unsigned long long>(most_nodes));
    std::fflush(stdout);
    return wrong;
  }

  std::map<std::uint64_t, std::unique_ptr<Class>> classes_;
  mutable std::array<std::pair<std::uint64_t, const Class*>, 8> recent_{};
  mutable std::size_t next_recent_ = 0;
};

[[nodiscard]] std::vector<std::string> all_classes() {
  std::vector<std::string> names;
  const std::string men = "QRBNP";
  for (std::size_t i = 0; i < men.size(); ++i) {
    for (std::size_t j = i; j < men.size(); ++j) {
      names.push_back(std::string("K") + men[i] + men[j] + "vK");
      names.push_back(std::string("K") + men[i] + "vK" + men[j]);
    }
  }
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = all_classes();
  try {
    Solver solver;
    std::uint64_t wrong = 0;
    for (const std::string& name : names) wrong += solver.solve(men_of(name));
    std::printf("%llu wrong\n", static_cast<unsigned long long>(wrong));
    return wrong == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnability_truth: %s\n", error.what());
    return 2;
  }
}
