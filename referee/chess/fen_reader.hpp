// Reads the fields that FEN and EPD share into a PositionBuilder; the first fault ends the reading. Internal to chess/.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "referee/chess/fen.hpp"
#include "referee/chess/position_builder.hpp"

namespace referee::chess {

class FenReader {
 public:
  /// `fields`: how many must be set apart by one space (four in EPD, whose operations are free).
  FenReader(std::string_view text, FenReading reading, std::size_t fields = 6);

  struct Word {
    std::string_view text;  // empty = missing
    std::size_t at = 0;     // offset in the whole text
  };

  /// Placement, side, castling, en passant, and the position as a whole. All readers answer false on a fault and leave it in error().
  [[nodiscard]] bool read_board();
  [[nodiscard]] bool read_halfmove(const Word& word);
  [[nodiscard]] bool read_fullmove(const Word& word);
  [[nodiscard]] Position build();

  /// i-th field, 0..5.
  [[nodiscard]] const Word& word(std::size_t i) const noexcept { return words_[i]; }
  /// The text from the end of the i-th field on.
  [[nodiscard]] std::string_view after(std::size_t i) const noexcept { return text_.substr(words_[i].at + words_[i].text.size()); }
  [[nodiscard]] bool lenient() const noexcept { return lenient_; }
  /// Always false.
  bool fail(FenField field, std::size_t offset, std::string message);
  void assume(std::string what) { assumptions_.push_back(std::move(what)); }

  [[nodiscard]] const FenError& error() const noexcept { return error_; }
  [[nodiscard]] const std::vector<std::string>& assumptions() const noexcept { return assumptions_; }

 private:
  [[nodiscard]] bool read_placement();
  [[nodiscard]] bool read_side();
  [[nodiscard]] bool read_castling();
  [[nodiscard]] bool read_en_passant();
  [[nodiscard]] bool check_position();
  [[nodiscard]] bool read_number(FenField field, const Word& word, std::uint16_t& value);
  /// A field is missing: an error in strict reading, otherwise an assumption.
  [[nodiscard]] bool missing(FenField field, std::string_view what, std::string_view expected, std::string_view assumed);

  std::string_view text_;
  bool lenient_;
  std::array<Word, 6> words_;
  std::optional<std::size_t> odd_blank_;  // offset of a blank that is not the one space between two fields
  std::size_t odd_blank_field_ = 0;       // field it stands before
  PositionBuilder builder_;
  std::optional<Square> passed_;
  std::uint16_t halfmove_ = 0;
  std::uint16_t fullmove_ = 1;
  FenError error_{FenField::placement, {}, 1};
  std::vector<std::string> assumptions_;
};

/// Text in quotes for a message: what cannot be printed as a number, what is long cut.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace referee::chess
