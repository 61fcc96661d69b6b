// The live display on a pseudo-terminal, as a terminal would show it: a small emulator of one reads what comes out of the other end.
#include "referee/match/console.hpp"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cwchar>
#include <string>
#include <vector>

#include "referee/chess/fen.hpp"
#include "referee/match/progress_view.hpp"
#include "referee/match/text_width.hpp"

using namespace referee;
using match::Console;

namespace {

/// glibc's knowledge of widths, in a UTF-8 locale of this thread's own.
class GlibcWidths {
 public:
  GlibcWidths() : utf8_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    REQUIRE(utf8_ != nullptr);
    before_ = uselocale(utf8_);
  }
  ~GlibcWidths() {
    uselocale(before_);
    freelocale(utf8_);
  }
  GlibcWidths(const GlibcWidths&) = delete;
  GlibcWidths& operator=(const GlibcWidths&) = delete;
  [[nodiscard]] int of(char32_t character) const { return wcwidth(static_cast<wchar_t>(character)); }

 private:
  locale_t utf8_, before_ = nullptr;
};

/// ECMA-48 as far as a program may rely on it: lines that wrap, CR, LF, CSI n F (previous line), CSI J (erase to the end).
class Screen {
 public:
  Screen(std::size_t rows, std::size_t columns) : rows_(rows), columns_(columns), lines_(1) {}

  void take(const std::string& bytes) {
    for (std::size_t i = 0; i < bytes.size();) {
      const char c = bytes[i];
      if (c == '\x1b') {
        i = escape(bytes, i);
      } else if (c == '\r') {
        column_ = 0;
        ++i;
      } else if (c == '\n') {
        down();
        ++i;
      } else {
        REQUIRE(static_cast<unsigned char>(c) >= 0x20);
        std::size_t size = 1;
        while (i + size < bytes.size() && (static_cast<unsigned char>(bytes[i + size]) & 0xC0U) == 0x80U) ++size;
        print(bytes.substr(i, size));
        i += size;
      }
    }
  }
  /// Every line that was ever shown, the last ones as they stand now; without blanks at the ends and empty lines at the end.
  [[nodiscard]] std::vector<std::string> lines() const {
    std::vector<std::string> out;
    for (const auto& line : lines_) {
      std::string text;
      for (const std::string& cell : line) text += cell;
      text.erase(text.find_last_not_of(' ') + 1);
      out.push_back(text);
    }
    while (!out.empty() && out.back().empty()) out.pop_back();
    return out;
  }
  [[nodiscard]] bool wrapped() const noexcept { return wrapped_; }

 private:
  void print(const std::string& character) {
    mbstate_t state{};
    wchar_t wide = 0;
    REQUIRE(mbrtowc(&wide, character.data(), character.size(), &state) == character.size());  // whole UTF-8 characters only
    const auto width = static_cast<std::size_t>(widths_.of(static_cast<char32_t>(wide)));
    auto& line = lines_[row_];
    if (width == 0) {
      if (column_ > 0) line[column_ - 1] += character;
      return;
    }
    if (column_ + width > columns_) {
      wrapped_ = true;
      down();
      column_ = 0;
      return print(character);
    }
    if (line.size() < column_ + width) line.resize(column_ + width);
    line[column_] = character;
    for (std::size_t i = 1; i < width; ++i) line[column_ + i].clear();
    column_ += width;
  }
  void down() {
    if (++row_ == lines_.size()) lines_.emplace_back();
  }
  std::size_t escape(const std::string& bytes, std::size_t at) {
    REQUIRE(at + 2 < bytes.size());
    REQUIRE(bytes[at + 1] == '[');
    std::size_t end = at + 2;
    while (end < bytes.size() && bytes[end] >= '0' && bytes[end] <= '9') ++end;
    REQUIRE(end < bytes.size());
    const std::string number = bytes.substr(at + 2, end - at - 2);
    const std::size_t count = number.empty() ? 1 : std::stoul(number);
    if (bytes[end] == 'F') {
      const std::size_t top = lines_.size() > rows_ ? lines_.size() - rows_ : 0;  // what has left the screen is out of reach
      REQUIRE(row_ - top >= count);
      row_ -= count;
      column_ = 0;
    } else {
      REQUIRE(bytes[end] == 'J');
      REQUIRE(number.empty());
      lines_[row_].resize(std::min(lines_[row_].size(), column_));
      lines_.resize(row_ + 1);
    }
    return end + 1;
  }

  GlibcWidths widths_;
  std::size_t rows_, columns_, row_ = 0, column_ = 0;
  std::vector<std::vector<std::string>> lines_;
  bool wrapped_ = false;
};

/// A pseudo-terminal of a given size, its program's end as a FILE.
class Terminal {
 public:
  Terminal(unsigned short rows, unsigned short columns) : screen_(rows, columns) {
    winsize size{};
    size.ws_row = rows;
    size.ws_col = columns;
    int slave = -1;
    REQUIRE(openpty(&master_, &slave, nullptr, nullptr, &size) == 0);
    REQUIRE(fcntl(master_, F_SETFL, O_NONBLOCK) == 0);
    out_ = fdopen(slave, "w");
    REQUIRE(out_ != nullptr);
  }
  ~Terminal() {
    std::fclose(out_);
    ::close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  [[nodiscard]] std::FILE* out() const noexcept { return out_; }
  /// What a person sees now. The console flushes: all it wrote is there to be read.
  const Screen& shown() {
    std::string bytes(65536, '\0');
    for (;;) {
      const ssize_t got = ::read(master_, bytes.data(), bytes.size());
      if (got <= 0) return screen_;
      screen_.take(bytes.substr(0, static_cast<std::size_t>(got)));
    }
  }
  std::vector<std::string> lines() { return shown().lines(); }

 private:
  int master_ = -1;
  std::FILE* out_ = nullptr;
  Screen screen_;
};

record::GameStarted started(int number, const std::string& white, const std::string& black) {
  record::GameStarted fact;
  fact.game = number;
  fact.white = white;
  fact.black = black;
  return fact;
}

record::EventJudged moved(int number, chess::Color side, const std::string& san, std::chrono::seconds left) {
  record::EventJudged fact;
  fact.game = number;
  game::MoveAccepted accepted;
  accepted.side = side;
  accepted.san = san;
  accepted.remaining = left;
  fact.rulings.push_back({.body = accepted, .article = {}, .decision = {}});
  record::SearchReport search;
  search.centipawns = 35;
  search.depth = 12;
  fact.search = search;
  return fact;
}

record::GameEnded ended(int number, game::Score score) {
  record::GameEnded fact;
  fact.game = number;
  fact.outcome.score = score;
  fact.outcome.reason = game::Reason::checkmate;
  fact.plies = 40;
  return fact;
}

bool has(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("the block is drawn again in its place, lines stand above it, and nothing is left of it", "[console]") {
  for (const unsigned short columns : std::initializer_list<unsigned short>{20, 40, 100}) {
    INFO(columns << " columns");
    Terminal terminal(10, columns);
    {
      Console console(terminal.out(), Console::Kind::terminal);
      CHECK(console.size().columns == columns);
      console.block({"one", "two", "three"});
      CHECK(terminal.lines() == std::vector<std::string>{"one", "two", "three"});
      console.line("news");
      CHECK(terminal.lines() == std::vector<std::string>{"news", "one", "two", "three"});
      console.block({"four"});
      CHECK(terminal.lines() == std::vector<std::string>{"news", "four"});
      // Longer than any of the three: cut in the block, whole above it.
      const std::string longest(150, 'x');
      console.block({longest, "below"});
      CHECK(terminal.lines() == std::vector<std::string>{"news", std::string(static_cast<std::size_t>(columns) - 1, 'x'), "below"});
      CHECK_FALSE(terminal.shown().wrapped());
      console.block({});
      for (int i = 0; i < 30; ++i) {  // past the foot of the screen
        console.line("line " + std::to_string(i));
        console.block({"a", "b " + std::to_string(i)});
      }
      const auto lines = terminal.lines();
      REQUIRE(lines.size() == 1 + 30 + 2);
      CHECK(lines[30] == "line 29");
      CHECK(lines[32] == "b 29");
      // More than the screen holds.
      console.block(std::vector<std::string>(50, "many"));
      CHECK(terminal.lines().size() == 1 + 30 + 8);
      console.line("the end");
    }
    CHECK(terminal.lines().back() == "the end");
  }
}

TEST_CASE("a plain console writes lines alone", "[console]") {
  Terminal terminal(10, 40);
  {
    Console console(terminal.out(), Console::Kind::plain);
    console.block({"never seen"});
    console.line("one");
    console.line("two\nthree");
  }
  CHECK(terminal.lines() == std::vector<std::string>{"one", "two", "three"});
}

TEST_CASE("what engines write cannot steer the terminal, and wide names do not break its lines", "[console]") {
  Terminal terminal(10, 20);
  Console console(terminal.out(), Console::Kind::terminal);
  console.block({"kept"});
  console.line("bad \x1b[2J\x1b]0;title\x07 \xc2\x9b[2J engine\r");
  CHECK(terminal.lines() == std::vector<std::string>{"bad ?[2J?]0;title? ?", "[2J engine?", "kept"});
  // Ten ideographs are twenty columns; nine and a blank column fit.
  const std::string ideograph = "\xe6\xa3\x8b";
  std::string ten;
  std::string nine;
  for (int i = 0; i < 10; ++i) ten += ideograph;
  for (int i = 0; i < 9; ++i) nine += ideograph;
  console.block({ten, "e\xcc\x81t\xc3\xa9 " + ten, "tab\there"});
  const auto lines = terminal.lines();
  REQUIRE(lines.size() == 5);
  CHECK(lines[2] == nine);
  CHECK(lines[3].substr(0, 8) == "e\xcc\x81t\xc3\xa9 \xe6");
  CHECK(lines[4] == "tab here");
  console.block({"short"});
  CHECK(terminal.lines().size() == 3);
  CHECK(terminal.lines().back() == "short");
}

TEST_CASE("widths are those of glibc, script by script", "[console]") {
  const GlibcWidths glibc;
  const std::vector<std::pair<char32_t, char32_t>> scripts = {
      {0x20, 0x7E},     {0xA1, 0xAC},     {0xAE, 0x2FF},      {0x300, 0x36F},    {0x391, 0x3A1},   {0x400, 0x52F},
      {0x5D0, 0x5EA},   {0x621, 0x64A},   {0xE01, 0xE3A},     {0x1E00, 0x1EFF},  {0x2010, 0x2027}, {0x2190, 0x21FF},
      {0x2654, 0x265F}, {0x3041, 0x3096}, {0x30A0, 0x30FF},   {0x3131, 0x318E},  {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3},
      {0xF900, 0xFA6D}, {0xFF01, 0xFF60}, {0x1F600, 0x1F64F}, {0x20000, 0x2A6DF}};
  for (const auto& [from, to] : scripts) {
    for (char32_t c = from; c <= to; ++c) {
      if (glibc.of(c) < 0) continue;  // not assigned
      INFO("U+" << std::hex << static_cast<std::uint32_t>(c));
      if (match::columns_of(c) != glibc.of(c)) CHECK(match::columns_of(c) == glibc.of(c));
    }
  }
  CHECK(match::columns_of(std::string_view("Stockfish")) == 9);
  CHECK(match::fitted("\xe6\xa3\x8b", 4, match::Side::right) == "  \xe6\xa3\x8b");
  CHECK(match::fitted("\xe6\xa3\x8b\xe6\xa3\x8b", 3, match::Side::left) == "\xe6\xa3\x8b ");  // never half a character
  CHECK(match::columns_of(std::string_view("\xff\xe6\xa3")) == 3);                            // no UTF-8: a column a byte
}

TEST_CASE("running games, progress and standings fit the width they are given", "[console]") {
  struct Expected {
    unsigned short columns;
    std::string game, progress;
  };
  // By hand: number in 6, names as long as there is room for, last move in 14, clock in 9 and evaluation in 10 of each side, cut before the
  // last column. The bar takes a third of the line, a quarter of it is done, and gives way to the words.
  const std::vector<Expected> widths = {{20, "     1  Stoc - Toga", "1 of 4 games, 30 s"},
                                        {40, "     1  Stockf - Toga    12... Nf6", "[###..........] 1 of 4 games, 30 s left"},
                                        {100, "     1  Stockfish - Toga       12... Nf6          1:02.0 +0.35/12       0:59.0 +0.35/12",
                                         "[########.........................] 1 of 4 games, 30 s left"}};
  for (const Expected& expected : widths) {
    INFO(expected.columns << " columns");
    Terminal terminal(24, expected.columns);
    Console console(terminal.out(), Console::Kind::terminal);
    std::chrono::steady_clock::time_point now{};
    match::ProgressStart start;
    start.planned = 4;
    start.engines = {"Stockfish", "Toga", "Glaurung"};
    start.now = [&now] { return now; };
    match::ProgressView view(console, std::move(start));
    view.see(started(2, "Toga", "Glaurung"));
    now += std::chrono::seconds(10);  // a game took ten seconds: the three that are left take thirty
    view.see(ended(2, game::white_wins));
    record::GameStarted first = started(1, "Stockfish", "Toga");
    first.setup.start = chess::parse_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12").position();
    view.see(first);
    view.see(moved(1, chess::Color::white, "e4", std::chrono::seconds(62)));
    view.see(moved(1, chess::Color::black, "Nf6", std::chrono::seconds(59)));
    view.batch_done();
    const auto lines = terminal.lines();
    REQUIRE(lines.size() >= 6);
    const bool narrow = expected.columns < 60;
    std::size_t at = 0;  // behind the line that tells of game 2, which wraps where it is narrow
    while (at < lines.size() && lines[at].find("     1  ") != 0) ++at;
    REQUIRE(at < lines.size());
    CHECK(lines[at] == expected.game);
    CHECK(lines[at + 1] == expected.progress);
    CHECK(lines[at + 2].find("rank") == 0);
    CHECK(lines[at + 3].find("   1  Toga") == 0);
    CHECK(lines.size() == at + 6);  // the game, the progress, the table of three
    CHECK((narrow || has(lines, "game 2 of 4 ended: Toga - Glaurung 1-0 (checkmate, 40 plies)")));
    // Drawn again too soon it is not, and later in the same place.
    view.see(moved(1, chess::Color::white, "Bb5", std::chrono::seconds(61)));
    now += std::chrono::milliseconds(100);
    view.batch_done();
    CHECK(terminal.lines() == lines);
    now += std::chrono::milliseconds(150);
    view.see(moved(1, chess::Color::black, "a6", std::chrono::seconds(58)));
    view.batch_done();
    const auto later = terminal.lines();
    CHECK(later.size() == lines.size());
    if (expected.columns > 20) CHECK(has(later, "13... a6"));
    CHECK_FALSE(has(later, "Nf6"));
  }
}

TEST_CASE("more games than the screen holds are counted, names of any script stand in columns", "[console]") {
  Terminal terminal(24, 100);
  Console console(terminal.out(), Console::Kind::terminal);
  match::ProgressStart start;
  start.planned = 60;
  start.engines = {"\xe6\xa3\x8b\xe6\xa3\x8b", "Caf\xc3\xa9", "A name that is longer than the room for it"};
  start.now = [] { return std::chrono::steady_clock::time_point{}; };
  const auto names = start.engines;
  match::ProgressView view(console, std::move(start));
  for (int game = 1; game <= 30; ++game)
    view.see(started(game, names[static_cast<std::size_t>(game) % 3], names[static_cast<std::size_t>(game + 1) % 3]));
  view.batch_done();
  const auto lines = terminal.lines();
  CHECK_FALSE(terminal.shown().wrapped());
  CHECK(lines.size() <= 22);
  CHECK(has(lines, "and 24 more games"));
  const GlibcWidths glibc;
  std::vector<std::size_t> dashes;
  for (const std::string& line : lines) {
    const std::size_t dash = line.find(" - ");
    if (dash != std::string::npos && line[5] != ' ') dashes.push_back(match::columns_of(std::string_view(line).substr(0, dash)));
  }
  REQUIRE(dashes.size() == 6);
  for (const std::size_t dash : dashes) CHECK(dash == dashes.front());
}

TEST_CASE("a game that had ended before somebody began to watch, and is told to have ended after it, counts once", "[console]") {
  std::FILE* file = std::tmpfile();
  REQUIRE(file != nullptr);
  Console console(file, Console::Kind::plain);
  match::ProgressStart start;
  start.planned = 20;
  start.engines = {"A", "B"};
  record::GameRow known;
  known.game = 1;
  known.white = "A";
  known.black = "B";
  known.outcome.emplace().score = game::white_wins;
  start.played.push_back(known);
  match::ProgressView view(console, std::move(start));
  for (const int game : {1, 2, 3}) {
    view.see(started(game, game % 2 == 1 ? "A" : "B", game % 2 == 1 ? "B" : "A"));
    record::GameEnded ended;
    ended.game = game;
    ended.outcome.score = game::white_wins;
    view.see(ended);
  }
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  (void)std::fclose(file);
  INFO(text);
  // After two games that were not known: three of twenty, one pair (1-0 and 0-1: a point of two).
  CHECK(text.find("3 of 20 games") != std::string::npos);
  CHECK(text.find("1 pair") != std::string::npos);
  CHECK(text.find("2 pairs") == std::string::npos);
}
