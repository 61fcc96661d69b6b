// Line charts as SVG: a line, a band around it, levels to compare it with. One file, no script, no font but the reader's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "referee/stats/progress.hpp"

namespace referee::stats {

struct ChartPoint {
  double x = 0;
  std::optional<double> y, low, high;  // gaps where nullopt
};
struct ChartLevel {
  double y = 0;
  std::string label;
};
struct Chart {
  std::string title, x_label, y_label;
  std::vector<ChartPoint> points;  // by x
  std::vector<ChartLevel> levels;
};

/// An <svg> element of 720 x 320 units for each chart, one below the other. Never fails: without points it shows empty axes.
[[nodiscard]] std::string to_svg(const std::vector<Chart>& charts);

/// Elo with its error band by game, and for an SPRT the log likelihood ratio between its bounds.
[[nodiscard]] std::vector<Chart> match_charts(const std::vector<ProgressPoint>& points, const std::string& title,
                                              const std::optional<SprtParameters>& sprt);

}  // namespace referee::stats
