// XboardProtocol and the readers of its text: any lines in any order of orders; one answer at most for each search, nothing after the end.
#include "engine_iface/xboard_feature.hpp"
#include "engine_iface/xboard_speech.hpp"
#include "protocol_play.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace referee;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  engine::ProtocolSettings settings;
  settings.options = {{"Hash", "16"}, {"Threads", "2"}, {"Style", "Risky"}};
  fuzz::ProtocolPlay(engine::make_xboard_protocol(std::move(settings))).play(text);

  const auto info = engine::speech::parse_thinking(text);
  if (info.time) fuzz::require(*info.time >= engine::Duration::zero());
  for (const auto& setting : engine::parse_features(text)) {
    fuzz::require(!setting.name.empty());
    engine::XboardFeatures features;
    (void)features.set(setting);
    (void)features.plays("fischerandom");
  }
  if (const auto option = engine::parse_xboard_option(text)) fuzz::require(!option->name.empty());
  return 0;
}
