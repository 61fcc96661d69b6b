// The scanner of results: any text ends, every view lies in it, games follow each other, and a text cut where the scanner says may be cut
// gives the same games.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "referee/record/result_scan.hpp"

namespace {

using namespace referee::record;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Seen {
  std::string white, black, result, movetext;
  friend bool operator==(const Seen&, const Seen&) = default;
};

[[nodiscard]] std::vector<Seen> scan(std::string_view text) {
  std::vector<Seen> out;
  ResultScanner scanner(text);
  ScannedGame game;
  std::size_t last = 0;
  while (scanner.next(game)) {
    require(out.empty() || game.offset > last);
    last = game.offset;
    require(game.offset < text.size());
    for (const std::string_view part : {game.white, game.black, game.result, game.fen, game.round, game.movetext}) {
      if (part.data() == nullptr) continue;
      require(part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size());
    }
    for (const char c : tag_text(game.white)) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
    (void)result_of(game);
    (void)digest_moves(game.movetext, DigestOf::book_moves);
    require(digest_moves(game.movetext, DigestOf::all_moves) == digest_moves(std::string(game.movetext), DigestOf::all_moves));
    out.push_back({std::string(game.white), std::string(game.black), std::string(game.result), std::string(game.movetext)});
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::vector<Seen> whole = scan(text);
  const std::size_t cut = last_game_start(text);
  require(cut < std::max<std::size_t>(text.size(), 1));
  if (cut == 0) return 0;
  std::vector<Seen> parts = scan(std::string_view(text).substr(0, cut));
  const std::vector<Seen> rest = scan(std::string_view(text).substr(cut));
  parts.insert(parts.end(), rest.begin(), rest.end());
  require(parts == whole);
  return 0;
}
