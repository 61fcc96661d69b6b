#include "referee/match/fingerprints.hpp"

#include <openssl/evp.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "config/editions.hpp"
#include "referee/clock/time_control.hpp"
#include "referee/clock/time_text.hpp"

namespace referee::match {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view stages_key = "schedule: stages";

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    if (!context_ || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("SHA-256 is not available in libcrypto");
  }
  void add(const void* bytes, std::size_t count) { EVP_DigestUpdate(context_.get(), bytes, count); }
  [[nodiscard]] std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    EVP_DigestFinal_ex(context_.get(), digest.data(), &size);
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
      text += digits[digest[i] >> 4U];
      text += digits[digest[i] & 15U];
    }
    return text;
  }

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const noexcept { EVP_MD_CTX_free(context); }
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Hashes each file once, however many engines share it.
class FileHashes {
 public:
  const std::string& of(const std::string& path) {
    const auto [entry, added] = known_.try_emplace(path);
    if (added) entry->second = sha256_of_file(path);
    return entry->second;
  }

 private:
  std::map<std::string, std::string> known_;
};

std::string milliseconds(game::Duration duration) {
  std::array<char, 40> text{};
  (void)std::snprintf(text.data(), text.size(), "%.6gms", static_cast<double>(duration.count()) / 1e6);
  return text.data();
}

std::string limits_text(const engine::SearchLimits& limits) {
  std::string text;
  const auto add = [&text](std::string_view name, const std::string& value) {
    text.append(text.empty() ? "" : " ").append(name).append(" ").append(value);
  };
  if (limits.depth) add("depth", std::to_string(*limits.depth));
  if (limits.nodes) add("nodes", std::to_string(*limits.nodes));
  if (limits.move_time) add("movetime", milliseconds(*limits.move_time));
  if (limits.mate) add("mate", std::to_string(*limits.mate));
  return text;
}

/// The file that an argument or option value names for the engine, which looks relative ones up in its working folder; empty if none.
fs::path named_file(const config::EngineEntry& engine, const std::string& text) {
  if (text.empty() || (engine.folder.empty() && text.front() != '/')) return {};
  fs::path path = fs::path(engine.folder) / text;
  return is_file(path) ? path : fs::path();
}

void add_engine(std::map<std::string, std::string>& items, FileHashes& hashes, const config::EngineEntry& engine,
                const clock::TimeControl& control) {
  const std::string prefix = "engine " + engine.name + ": ";
  items[prefix + "binary"] = "sha256 " + hashes.of(engine.command);
  items[prefix + "protocol"] = std::string(engine::name(engine.protocol.value_or(engine::ProtocolKind::uci)));
  items[prefix + "time control"] = clock::to_text(control);
  if (const std::string limits = limits_text(engine.limits); !limits.empty()) items[prefix + "limits"] = limits;
  if (engine.time_margin.count() != 0) items[prefix + "time margin"] = milliseconds(engine.time_margin);
  if (engine.ponder) items[prefix + "ponder"] = "on";
  if (engine.book) items[prefix + "book"] = std::to_string(engine.book->plies) + " plies, sha256 " + hashes.of(engine.book->file);
  const auto note_file = [&](const std::string& named) {
    if (const fs::path path = named_file(engine, named); !path.empty())
      items[prefix + "file " + named] = "sha256 " + hashes.of(path.string());
  };
  std::string& arguments = items[prefix + "arguments"];
  for (const std::string& argument : engine.arguments) {
    arguments.append(arguments.empty() ? "" : " ").append(argument);
    note_file(argument);
  }
  if (arguments.empty()) items.erase(prefix + "arguments");
  for (const engine::EngineOption& option : engine.options) {
    items[std::string(prefix).append("option ").append(option.name)] = option.value;
    note_file(option.value);
  }
  for (const auto& [name, value] : engine.environment) items[std::string(prefix).append("environment ").append(name)] = value;
}

std::string schedule_text(const config::Schedule& schedule, bool endless) {
  constexpr std::array<std::string_view, 6> names{"match", "round-robin", "gauntlet", "swiss", "knockout", "pyramid"};
  // Between two engines a match is a round robin; its number of games may grow.
  std::string text(schedule.games || endless ? "match" : names[static_cast<std::size_t>(schedule.kind)]);
  text += ", " + std::to_string(schedule.games_per_pairing) + " games a pairing";
  for (const std::string& seed : schedule.seeds) text += ", seed " + seed;
  if (schedule.nearest) text += ", the nearest " + std::to_string(*schedule.nearest);
  if (schedule.kind == config::ScheduleKind::swiss || schedule.kind == config::ScheduleKind::knockout)
    text += ", lots from " + std::to_string(schedule.seed);
  if (schedule.kind == config::ScheduleKind::knockout) {
    text += schedule.draw == config::KnockoutDraw::drawn ? ", drawn, " : ", seeded, ";
    text += std::to_string(schedule.extra_pairs) + " extra pairs, then ";
    text += schedule.last_resort == config::LastResort::armageddon ? "armageddon"
            : schedule.last_resort == config::LastResort::lot      ? "the lot"
                                                                   : "the better seed";
    if (const auto& times = schedule.deciding_time)
      text += " with " + clock::to_text((*times)[0]) + " against " + clock::to_text((*times)[1]);
  }
  return text;
}

std::string sprt_text(const config::Sprt& sprt) {
  std::array<char, 160> text{};
  (void)std::snprintf(text.data(), text.size(), "%s Elo %g against %g, alpha %g, beta %g", sprt.model.c_str(), sprt.elo0, sprt.elo1,
                      sprt.alpha, sprt.beta);
  return text.data();
}

std::string adjudication_text(const game::Adjudication& rules, const std::optional<config::Syzygy>& syzygy) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (rules.draw) {
    add("draw from move " + std::to_string(rules.draw->move_number) + ", " + std::to_string(rules.draw->move_count) + " moves within " +
        std::to_string(rules.draw->score) + (rules.draw->reset_on_zeroing ? ", reset by pawn moves and captures" : ""));
  }
  if (rules.resign) {
    add("resign after " + std::to_string(rules.resign->move_count) + " moves at " + std::to_string(rules.resign->score) +
        (rules.resign->two_sided ? ", both sides" : ""));
  }
  if (rules.max_moves) add("at most " + std::to_string(*rules.max_moves) + " moves");
  if (rules.trusted_mates) add("announced mates are trusted");
  if (syzygy) {
    add("Syzygy tables up to " + std::to_string(syzygy->pieces) + " men" + (syzygy->ignore_50 ? ", fifty-move rule ignored" : ""));
  }
  return text.empty() ? "none" : text;
}

std::string openings_text(const config::Openings& openings) {
  if (openings.file.empty()) return openings.order == config::OpeningOrder::random ? "none, seed " + std::to_string(openings.seed) : "none";
  std::string text = openings.order == config::OpeningOrder::random ? "random, seed " + std::to_string(openings.seed) : "sequential";
  text += ", from " + std::to_string(openings.start);
  if (openings.plies) text += ", " + std::to_string(*openings.plies) + " plies";
  if (openings.policy == config::OpeningPolicy::encounter) text += ", one an encounter";
  if (openings.policy == config::OpeningPolicy::round) text += ", one a round";
  return text + (openings.repeat ? ", each twice" : ", each once");
}

/// "engine X: " of a key, or "" when it is no engine's.
std::string_view engine_prefix(std::string_view key) {
  if (!key.starts_with("engine ")) return {};
  const auto end = key.find(": ");
  return end == std::string_view::npos ? std::string_view{} : key.substr(0, end + 2);
}

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes.data(), bytes.size());
  return digest.hex();
}

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || !is_file(path))
    throw std::runtime_error(path + ": cannot be read, so its SHA-256 cannot be recorded (expected a readable file)");
  Sha256 digest;
  std::vector<char> block(std::size_t{1} << 18U);
  while (file) {
    file.read(block.data(), static_cast<std::streamsize>(block.size()));
    digest.add(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) throw std::runtime_error(path + ": reading failed half-way");
  return digest.hex();
}

std::string rules_text(const config::EventRules& rules) {
  std::string text;
  if (rules.default_time) text += " default_time " + clock::duration_text(*rules.default_time);
  if (rules.guidelines_iii) text += " guidelines_iii";
  if (rules.agreement_forbidden) text += " agreement forbidden";
  if (rules.agreement_min_moves != 0) text += " agreement_min_moves " + std::to_string(rules.agreement_min_moves);
  return text.empty() ? text : text.substr(1);
}

record::PlanRecord fingerprint(const MatchPlan& plan, std::string match_file_text) {
  const config::MatchFile& file = plan.file();
  record::PlanRecord record;
  record.match_file_text = std::move(match_file_text);
  record.planned_games = static_cast<int>(plan.games().size());
  auto& items = record.fingerprints;
  FileHashes hashes;
  for (std::size_t index = 0; index < file.engines.size(); ++index)
    add_engine(items, hashes, file.engines[index], plan.time_control(index));
  items["edition"] = plan.edition().id;
  const fs::path edition_file = fs::path(file.path).parent_path() / file.edition;
  if (is_file(edition_file)) items["edition: file"] = "sha256 " + hashes.of(edition_file.string());
  if (file.scale) {
    items["time scale"] = "reference " + std::to_string(file.scale->reference_nps) + " nodes a second, measured with " + file.scale->bench;
  }
  record.edition_text = config::to_yaml(plan.edition());
  if (const std::string rules = rules_text(file.rules); !rules.empty()) items["rules"] = rules;
  items["variant"] = file.chess960 ? "chess960" : "standard";
  items["schedule"] = schedule_text(file.schedule, file.sprt.has_value());
  if (!file.schedule.ratings.empty()) items["schedule: ratings"] = "sha256 " + hashes.of(file.schedule.ratings);
  if (file.sprt) items["sequential test"] = sprt_text(*file.sprt);
  items[std::string(stages_key)] = to_text(plan.stages());
  items["openings"] = openings_text(file.openings);
  if (!file.openings.file.empty()) items["openings: file"] = "sha256 " + hashes.of(file.openings.file);
  items["adjudication"] = adjudication_text(file.adjudication, file.syzygy);

  Sha256 digest;
  for (const auto& [name, value] : items) {
    digest.add(name.data(), name.size() + 1);
    digest.add(value.data(), value.size() + 1);
  }
  record.digest = digest.hex();
  return record;
}

std::vector<std::string> changes(const record::PlanRecord& recorded, const record::PlanRecord& now) {
  std::vector<std::string> found;
  for (const auto& [name, before] : recorded.fingerprints) {
    if (name == stages_key) continue;
    const auto after = now.fingerprints.find(name);
    if (after == now.fingerprints.end())
      found.emplace_back(name).append(" is gone (was ").append(before).append(")");
    else if (after->second != before)
      found.emplace_back(name).append(" changed (was ").append(before).append(", is ").append(after->second).append(")");
  }
  for (const auto& [name, after] : now.fingerprints) {
    if (recorded.fingerprints.contains(name)) continue;
    const std::string_view engine = engine_prefix(name);
    if (!engine.empty() && !recorded.fingerprints.contains(std::string(engine) + "binary")) continue;  // a new engine extends the plan
    found.emplace_back(name).append(" is new (").append(after).append(")");
  }
  return found;
}

std::vector<Stage> recorded_stages(const record::PlanRecord& recorded) {
  const auto found = recorded.fingerprints.find(std::string(stages_key));
  return found == recorded.fingerprints.end() ? std::vector<Stage>{} : parse_stages(found->second);
}

}  // namespace referee::match
