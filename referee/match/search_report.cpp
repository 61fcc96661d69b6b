#include "referee/match/search_report.hpp"

namespace referee::match {

const engine::SearchInfo* telling(const std::vector<engine::SearchInfo>& infos) {
  const engine::SearchInfo* found = infos.empty() ? nullptr : &infos.back();
  for (auto info = infos.rbegin(); info != infos.rend(); ++info) {
    if (!info->score || info->multipv.value_or(1) != 1) continue;
    if (info->score->bound == engine::Score::Bound::exact) return &*info;
    if (!found->score) found = &*info;
  }
  return found;
}

record::SearchReport report_of(const engine::SearchInfo& info) {
  record::SearchReport report;
  report.depth = info.depth;
  report.selective_depth = info.selective_depth;
  if (info.score) {
    report.centipawns = info.score->centipawns;
    report.mate = info.score->mate;
  }
  report.nodes = info.nodes;
  report.nodes_per_second = info.nodes_per_second;
  report.tablebase_hits = info.tablebase_hits;
  report.time = info.time;
  report.pv = info.pv;
  return report;
}

}  // namespace referee::match
