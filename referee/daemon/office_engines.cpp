// The engines that match files may name, and their compliance reports.
#include <algorithm>

#include "config/engine_entry.hpp"
#include "config/yaml.hpp"
#include "referee/daemon/child_output.hpp"
#include "referee/daemon/office.hpp"
#include "referee/match/fingerprints.hpp"

namespace referee::daemon {

std::vector<EngineRecord> Office::engines() { return registry_.engines(); }

std::map<std::string, std::string> Office::engine_keys() {
  std::map<std::string, std::string> keys;
  for (EngineRecord& engine : registry_.engines()) keys.emplace(std::move(engine.name), std::move(engine.keys));
  return keys;
}

void Office::put_engine(const std::string& name, const std::string& keys, const std::string& who) {
  if (const auto fault = fault_of_name(name)) throw Refusal(400, "an engine: " + *fault);
  config::YamlValue value = config::parse_yaml(keys, "engine " + name);
  if (!value.is_map()) throw Refusal(400, "the engine's keys are no map (expected at least `command`)");
  if (std::ranges::none_of(value.entries, [](const auto& entry) { return entry.key == "command"; }))
    throw Refusal(400, "the engine has no command (expected `command`)");
  std::erase_if(value.entries, [](const auto& entry) { return entry.key == "name"; });
  config::YamlValue::Entry named;
  named.key = "name";
  named.value.kind = config::YamlValue::Kind::scalar;
  named.value.text = name;
  named.value.quoted = true;
  value.entries.push_back(std::move(named));
  const config::EngineEntry read = config::read_engine(value, "engine " + name, settings_.data, {});
  EngineRecord engine;
  engine.name = name;
  engine.keys = keys;
  engine.command = read.command;
  engine.added = wall_now();
  engine.who = who;
  try {
    engine.sha256 = match::sha256_of_file(read.command);
  } catch (const std::runtime_error& error) { throw Refusal(400, error.what()); }
  registry_.at_once([&] {
    registry_.put_engine(engine);
    registry_.audit(who, "engine", name + ": " + read.command + " sha256 " + engine.sha256);
  });
  hooks_.on_news("engines");
}

void Office::remove_engine(const std::string& name, const std::string& who) {
  registry_.at_once([&] {
    if (!registry_.remove_engine(name)) throw Refusal(404, "there is no engine " + name);
    registry_.audit(who, "engine removed", name);
  });
  hooks_.on_news("engines");
}

void Office::probe(const std::string& name, const std::string& who) {
  const auto known = registry_.engines();
  const auto found = std::ranges::find(known, name, &EngineRecord::name);
  if (found == known.end()) throw Refusal(404, "there is no engine " + name);
  if (probes_.contains(name)) throw Refusal(409, name + " is being probed already");
  config::YamlValue value = config::parse_yaml(found->keys, "engine " + name);
  std::erase_if(value.entries, [](const auto& entry) { return entry.key == "name"; });
  value.entries.push_back({"name", {}, {}});
  value.entries.back().value.kind = config::YamlValue::Kind::scalar;
  value.entries.back().value.text = name;
  const config::EngineEntry engine = config::read_engine(value, "engine " + name, settings_.data, {});
  std::vector<std::string> command = {"/proc/self/exe", "probe", "--json"};
  if (engine.protocol) {
    command.emplace_back("--protocol");
    command.emplace_back(*engine.protocol == engine::ProtocolKind::xboard ? "xboard" : "uci");
  }
  command.emplace_back("--");
  command.push_back(engine.command);
  command.insert(command.end(), engine.arguments.begin(), engine.arguments.end());
  registry_.audit(who, "probe", name);
  // In a process of its own: what an odd engine does there hurts no game.
  probes_[name] = std::thread([this, name, command = std::move(command)] {
    const ChildOutput report = run_and_read(command, stopping_);
    post([this, name, report] {
      const auto done = probes_.find(name);
      if (done == probes_.end()) return;  // we are stopping
      done->second.join();
      probes_.erase(done);
      for (EngineRecord& record : registry_.engines()) {
        if (record.name != name || report.output.empty()) continue;
        record.report = report.output;
        registry_.put_engine(record);
      }
      hooks_.on_news("engines");
    });
  });
}

}  // namespace referee::daemon
