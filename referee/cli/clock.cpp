// `clock`: what a time control means.
#include <algorithm>
#include <boost/json.hpp>
#include <iostream>

#include "config/editions.hpp"
#include "referee/cli/json_text.hpp"
#include "referee/cli/registry.hpp"
#include "referee/clock/clock.hpp"
#include "referee/laws/edition.hpp"

namespace referee::cli {

namespace {

namespace json = boost::json;
using clock::Duration;
using clock::Mode;
using clock::TimeControl;

constexpr int counted_moves = 60;  // a game, for categories and for the example

json::value milliseconds(Duration time) {
  constexpr Duration millisecond = std::chrono::milliseconds(1);
  if (time % millisecond == Duration::zero()) return static_cast<std::int64_t>(time / millisecond);
  return std::chrono::duration<double, std::milli>(time).count();
}

/// "1:30:00", "0:05", "0:00.5": hours only where there are some.
std::string display(Duration time) {
  std::string text = time < Duration::zero() ? "-" : "";
  time = time < Duration::zero() ? -time : time;
  const auto hours = std::chrono::duration_cast<std::chrono::hours>(time);
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(time - hours);
  const Duration seconds = time - hours - minutes;
  const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  if (hours.count() > 0) text += std::to_string(hours.count()) + ":" + two(minutes.count());
  if (hours.count() == 0) text += std::to_string(minutes.count());
  const std::string rest = clock::seconds_text(seconds);
  return text + ":" + (seconds < std::chrono::seconds(10) ? "0" : "") + rest;
}

std::string plain(Duration time) {
  if (time < std::chrono::minutes(1)) return clock::seconds_text(time) + " s";
  return display(time);
}

struct CategoryIn {
  std::string edition;
  std::optional<clock::Category> category;  // nullopt: the edition knows one kind of game only
};

std::vector<CategoryIn> categories(const TimeControl& control) {
  std::vector<CategoryIn> all;
  for (const auto& id : config::edition_ids()) {
    const auto edition = config::load_edition(id);
    const bool knows = edition->rapid || edition->blitz;
    all.push_back({id, knows ? std::optional(laws::categorize(*edition, control)) : std::nullopt});
  }
  return all;
}

void print_json(const TimeControl& control, const laws::Edition& edition) {
  json::object out;
  out["mode"] = json::string(clock::name(control.mode).data(), clock::name(control.mode).size());
  json::array periods;
  for (const auto& period : control.periods) {
    periods.push_back(json::object{{"moves", period.moves},
                                   {"base_ms", milliseconds(period.base)},
                                   {"increment_ms", milliseconds(period.increment)},
                                   {"delay_ms", milliseconds(period.delay)}});
  }
  out["periods"] = std::move(periods);
  out["initial_increment"] = edition.clock.initial_increment;
  out["pgn_tag"] = clock::to_pgn_tag(control);
  json::object category;
  for (const auto& in : categories(control)) {
    category[in.edition] = in.category ? json::value(std::string(clock::name(*in.category))) : json::value(nullptr);
  }
  out["category"] = std::move(category);
  out["text"] = clock::to_text(control);
  std::cout << json_text(out) << '\n';
}

std::string period_text(const TimeControl& control, const clock::Period& period, std::string_view all_moves) {
  std::string text = period.moves > 0 ? std::to_string(period.moves) + (period.moves == 1 ? " move" : " moves") : std::string(all_moves);
  text += " in " + display(period.base);
  if (period.increment > Duration::zero()) text += ", and " + plain(period.increment) + " more with each move";
  if (control.mode == Mode::delay) text += "; each move has " + plain(period.delay) + " before the clock runs";
  if (control.mode == Mode::bronstein) text += "; after each move what it used is given back, up to " + plain(period.delay);
  return text;
}

void print_meaning(const TimeControl& control, const laws::Edition& edition) {
  switch (control.mode) {
    case Mode::infinite:
      std::cout << "  no clock\n";
      break;
    case Mode::move_time:
      std::cout << "  " << plain(control.periods.front().base) << " for each move, fresh every time\n";
      break;
    case Mode::hourglass:
      std::cout << "  " << display(control.periods.front().base) << " each; what one side uses the other gains\n";
      break;
    default:
      for (std::size_t i = 0; i < control.periods.size(); ++i) {
        std::cout << (i == 0 ? "  " : "  then ")
                  << period_text(control, control.periods[i], control.periods.size() == 1 ? "the whole game" : "all remaining moves");
        if (i + 1 == control.periods.size() && control.periods[i].moves > 0) std::cout << ", again and again";
        std::cout << '\n';
      }
  }
  const bool has_increment = std::ranges::any_of(control.periods, [](const auto& period) { return period.increment > Duration::zero(); });
  if (has_increment) {
    std::cout << "  the first increment is " << (edition.clock.initial_increment ? "" : "not ") << "on the clock before the first move ("
              << edition.id << ")\n";
  }
}

/// A steady pace that uses nine tenths of what the control gives for a game, in round numbers.
Duration steady_pace(const TimeControl& control, const clock::ClockRules& rules) {
  clock::PlayerClock given(control, rules);
  Duration pace = given.remaining();
  for (int move = 1; move <= counted_moves; ++move) {
    pace = std::min(pace, given.remaining() / move / 10 * 9);
    given.complete_move(Duration::zero());
  }
  if (control.mode == Mode::delay || control.mode == Mode::bronstein) pace += given.delay();
  if (control.mode == Mode::hourglass) pace = control.periods.front().base / 10;
  Duration unit(1);
  while (unit * 100 <= pace) unit *= 10;
  return std::max(pace / unit * unit, Duration(1));
}

void print_example(const TimeControl& control, const laws::Edition& edition) {
  if (control.mode == Mode::infinite || control.mode == Mode::move_time) return;
  const Duration pace = steady_pace(control, edition.clock);
  clock::Clocks clocks{{clock::PlayerClock(control, edition.clock), clock::PlayerClock(control, edition.clock)}};
  clock::PlayerClock& white = clocks[chess::Color::white];
  clock::PlayerClock& black = clocks[chess::Color::black];
  std::cout << "\nif every move takes " << plain(pace) << " (White's clock)\n  start     " << display(white.remaining()) << '\n';
  for (int move = 1; move <= counted_moves; ++move) {
    if (white.flag_falls(pace)) {
      std::cout << "  move " << move << ": the flag falls\n";
      return;
    }
    const bool ends_period = white.moves_to_go() == 1;
    white.complete_move(pace);
    if (control.mode == Mode::hourglass) black.gain(pace);
    const bool shown = move <= 2 || move == counted_moves || (ends_period && white.control().periods.front().moves > 1) ||
                       (white.moves_to_go() == 1 && white.control().periods.front().moves > 2);
    if (shown) {
      std::string label = "  move " + std::to_string(move);
      label.resize(12, ' ');
      std::cout << label << display(white.remaining()) << (ends_period ? "   the next period is added" : "") << '\n';
    }
    if (control.mode == Mode::hourglass) {
      if (black.flag_falls(pace)) return;
      black.complete_move(pace);
      white.gain(pace);
    }
  }
}

void print_text(const TimeControl& control, const laws::Edition& edition) {
  std::cout << clock::to_text(control) << '\n';
  print_meaning(control, edition);
  std::cout << "\nPGN tag     " << clock::to_pgn_tag(control) << '\n';
  std::cout << "category   ";
  std::string previous;
  for (const auto& in : categories(control)) {
    if (!in.category) continue;
    const std::string name(clock::name(*in.category));
    if (name != previous) std::cout << (previous.empty() ? " " : "; ") << name << " in";
    previous = name;
    std::cout << ' ' << in.edition;
  }
  std::cout << '\n';
  print_example(control, edition);
}

int run_clock(const Arguments& arguments) {
  std::string text;
  for (const auto& word : arguments.operands()) text += (text.empty() ? "" : " ") + word;
  if (arguments.operands().empty()) throw UsageError("no time control given (expected one as in 40/5400+30:1800+30)");
  const auto read = clock::parse_time_control(text);
  if (const auto* error = std::get_if<clock::TimeControlError>(&read)) {
    throw UsageError("time control '" + text + "': " + clock::describe(*error));
  }
  const auto edition = config::load_edition(arguments.value("edition").value_or("engine-practice"));
  const auto& control = std::get<TimeControl>(read);
  arguments.has("json") ? print_json(control, *edition) : print_text(control, *edition);
  return exit_done;
}

}  // namespace

CommandDefinition clock_command() {
  CommandDefinition command;
  command.name = "clock";
  command.summary = "explain a time control and its FIDE category";
  command.positional = "TIME_CONTROL";
  command.description =
      "A time control is [MOVES/]TIME[+INC], periods separated by colons. TIME is seconds with decimals (300, 0.5), minutes:seconds (5:00, "
      "once in the text) or units (1h30m, 90s). Also: 'TIME delay D', 'TIME bronstein D', 'hourglass TIME', 'move TIME', 'inf'. What could "
      "be "
      "read two ways is refused, with both spellings.";
  command.options = {{"edition", "ID", "edition whose clock rules the example follows (default engine-practice)", false, {}},
                     {"json", "", "print JSON", false, {}}};
  command.examples = {"referee clock 40/5400+30:1800+30", "referee clock '300 delay 5'", "referee clock --json 3m+2s"};
  command.run = run_clock;
  return command;
}

}  // namespace referee::cli
