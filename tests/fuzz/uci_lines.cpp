// UciProtocol and the readers of its text: any lines in any order of orders; one answer at most for each search, nothing after the end.
#include "engine_iface/uci_info.hpp"
#include "engine_iface/uci_option.hpp"
#include "protocol_play.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace referee;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  engine::ProtocolSettings settings;
  settings.options = {{"Hash", "16"}, {"Style", "Risky"}, {"Book", ""}};
  fuzz::ProtocolPlay(engine::make_uci_protocol(std::move(settings))).play(text);

  const auto glance = engine::glance_at_uci_info(text);
  const auto info = engine::parse_uci_info(text);
  if (info.time) fuzz::require(*info.time >= engine::Duration::zero());
  if (info.score && info.multipv.value_or(1) <= 1 && text.find("string") == std::string_view::npos &&
      text.find("multipv") == std::string_view::npos)
    fuzz::require(glance.wanted);
  if (const auto option = engine::parse_uci_option(text)) {
    fuzz::require(!option->option.name.empty() && !option->option.type.empty());
    (void)engine::checked_option_value(option->option, text);
  }
  return 0;
}
