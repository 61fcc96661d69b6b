// The words of the match file for its closed sets; the first name of a value is the one that is written.
#pragma once

#include <array>

#include "config/match_file.hpp"
#include "config/yaml.hpp"

namespace referee::config {

inline constexpr std::array<Named<ScheduleKind>, 6> schedule_kinds{{{"round-robin", ScheduleKind::round_robin},
                                                                    {"match", ScheduleKind::match},
                                                                    {"gauntlet", ScheduleKind::gauntlet},
                                                                    {"swiss", ScheduleKind::swiss},
                                                                    {"knockout", ScheduleKind::knockout},
                                                                    {"pyramid", ScheduleKind::pyramid}}};
inline constexpr std::array<Named<OpeningOrder>, 2> opening_orders{
    {{"sequential", OpeningOrder::sequential}, {"random", OpeningOrder::random}}};
inline constexpr std::array<Named<KnockoutDraw>, 2> knockout_draws{{{"seeded", KnockoutDraw::seeded}, {"drawn", KnockoutDraw::drawn}}};
inline constexpr std::array<Named<LastResort>, 3> last_resorts{
    {{"armageddon", LastResort::armageddon}, {"lot", LastResort::lot}, {"higher_seed", LastResort::higher_seed}}};
inline constexpr std::array<Named<OpeningPolicy>, 3> opening_policies{
    {{"pairing", OpeningPolicy::pairing}, {"encounter", OpeningPolicy::encounter}, {"round", OpeningPolicy::round}}};
inline constexpr std::array<Named<OpeningFormat>, 4> opening_formats{
    {{"epd", OpeningFormat::epd}, {"pgn", OpeningFormat::pgn}, {"polyglot", OpeningFormat::polyglot}, {"fen", OpeningFormat::epd}}};
inline constexpr std::array<Named<OnFault>, 2> fault_answers{{{"lose", OnFault::lose}, {"replay_once", OnFault::replay_once}}};
inline constexpr std::array<Named<VoidScope>, 2> void_scopes{{{"remaining", VoidScope::remaining}, {"all", VoidScope::all}}};
inline constexpr std::array<Named<OnInterrupt>, 2> interrupt_answers{{{"replay", OnInterrupt::replay}, {"continue", OnInterrupt::resume}}};
inline constexpr std::array<Named<Restart>, 3> restarts{{{"auto", Restart::automatic}, {"on", Restart::on}, {"off", Restart::off}}};
inline constexpr std::array<Named<PgnComments>, 3> comment_kinds{
    {{"tags", PgnComments::tags}, {"engine", PgnComments::engine}, {"none", PgnComments::none}}};
inline constexpr std::array<Named<laws::Supervision>, 2> supervisions{
    {{"adequate", laws::Supervision::adequate}, {"inadequate", laws::Supervision::inadequate}}};
inline constexpr std::array<Named<engine::ProtocolKind>, 2> protocols{
    {{"uci", engine::ProtocolKind::uci}, {"xboard", engine::ProtocolKind::xboard}}};
inline constexpr std::array<Named<engine::ClockStamp>, 2> clock_stamps{
    {{"arrival", engine::ClockStamp::arrival}, {"kernel", engine::ClockStamp::kernel}}};
inline constexpr std::array<Named<engine::Isolation>, 3> isolations{
    {{"basic", engine::Isolation::basic}, {"none", engine::Isolation::none}, {"strict", engine::Isolation::strict}}};

template <class Enum, std::size_t count>
[[nodiscard]] std::string_view name_of(Enum value, const std::array<Named<Enum>, count>& names) noexcept {
  for (const auto& named : names) {
    if (named.value == value) return named.name;
  }
  return "";
}

}  // namespace referee::config
