#include "engine_iface/info_keeper.hpp"

#include <utility>

namespace referee::engine {

void InfoKeeper::begin_search() noexcept {
  kept_.clear();
  depth_.reset();
  told_ = 0;
}

void InfoKeeper::take(std::string_view line, std::optional<int> depth, InfoInterest interest, Effects& out) {
  if (line.size() > longest_line) {
    line = line.substr(0, longest_line);
    line = line.substr(0, line.find_last_of(" \t"));
  }
  const bool others_wanted = interest != InfoInterest::last && told_ < most_told;
  if (others_wanted && interest == InfoInterest::each_depth && depth_ != depth) tell(out);
  kept_ = line;
  depth_ = depth;
  if (others_wanted && interest == InfoInterest::every_line) tell(out);
}

void InfoKeeper::extend(std::string_view more) {
  if (kept_.empty() || kept_.size() + more.size() > longest_line) return;
  kept_ += ' ';
  kept_ += more;
}

void InfoKeeper::tell(Effects& out) {
  if (kept_.empty()) return;
  ++told_;
  SearchInfo info = parser_(kept_);
  kept_.clear();
  if (info.multipv.value_or(1) <= 1) out.messages.emplace_back(Info{std::move(info)});
}

}  // namespace referee::engine
