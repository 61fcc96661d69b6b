#include "referee/stats/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "referee/stats/table.hpp"

namespace referee::stats {

namespace {

constexpr double width = 720, height = 320;
constexpr double left = 64, right = 16, top = 36, bottom = 44;
constexpr int marks = 6;  // on an axis, about

struct Range {
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  void include(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] double span() const { return high - low; }
  /// Never empty, with a little room.
  void widen() {
    if (low > high) low = 0, high = 1;
    const double room = span() > 0 ? span() * 0.05 : std::max(std::abs(high) * 0.1, 0.5);
    low -= room;
    high += room;
  }
};

/// 1, 2 or 5 times a power of ten, so that about `marks` fit.
[[nodiscard]] double step_of(double span) {
  const double raw = span / marks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (raw <= factor * power) return factor * power;
  return 10 * power;
}

/// The multiples of `step` from `low` to `high`.
[[nodiscard]] std::vector<double> ticks(double low, double high, double step) {
  std::vector<double> found;
  for (std::int64_t multiple = std::llround(std::ceil(low / step)); static_cast<double>(multiple) * step <= high; ++multiple)
    found.push_back(static_cast<double>(multiple) * step);
  return found;
}

[[nodiscard]] std::string number(double value, double step) {
  const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
  return fixed(value, std::clamp(decimals, 0, 8));
}

class Drawing {
 public:
  Drawing(const Chart& chart, double down, std::size_t number) : chart_(chart), down_(down), clip_("plot" + std::to_string(number)) {
    for (const ChartPoint& point : chart.points) x_.include(point.x);
    if (x_.low > x_.high) x_ = {0, 1};
    if (x_.span() <= 0) x_.high = x_.low + 1;
    // The first tenth swings so widely that it would press the rest flat: it may leave the picture.
    const auto include_from = [&](double x) {
      for (const ChartPoint& point : chart.points) {
        if (point.x < x) continue;
        for (const auto& value : {point.y, point.low, point.high})
          if (value) y_.include(*value);
      }
    };
    include_from(x_.low + x_.span() / 10);
    if (y_.low > y_.high) include_from(x_.low);
    for (const ChartLevel& level : chart.levels) y_.include(level.y);
    y_.widen();
  }

  [[nodiscard]] std::string text() {
    axes();
    out_ += "<clipPath id=\"" + clip_ + "\"><rect x=\"" + fixed(left, 1) + "\" y=\"" + fixed(down_ + top, 1) + "\" width=\"" +
            fixed(width - left - right, 1) + "\" height=\"" + fixed(height - top - bottom, 1) + "\"/></clipPath>\n";
    band();
    for (const ChartLevel& level : chart_.levels) {
      out_ += "<line class=\"level\" x1=\"" + fixed(left, 1) + "\" x2=\"" + fixed(width - right, 1) + "\" y1=\"" + at_y(level.y) +
              "\" y2=\"" + at_y(level.y) + "\"/>\n";
      out_ += "<text x=\"" + fixed(width - right - 4, 1) + "\" y=\"" + fixed(place_y(level.y) - 4, 1) + "\" text-anchor=\"end\">" +
              html_escaped(level.label) + "</text>\n";
    }
    line();
    return out_;
  }

 private:
  [[nodiscard]] double place_x(double x) const { return left + (x - x_.low) / x_.span() * (width - left - right); }
  [[nodiscard]] double place_y(double y) const {
    const double inside = std::clamp((y - y_.low) / y_.span(), -1.0, 2.0);  // what is outside is clipped
    return down_ + height - bottom - inside * (height - top - bottom);
  }
  [[nodiscard]] std::string at_x(double x) const { return fixed(place_x(x), 1); }
  [[nodiscard]] std::string at_y(double y) const { return fixed(place_y(y), 1); }

  void label(double x, double y, const char* anchor, const std::string& text) {
    out_ += "<text x=\"" + fixed(x, 1) + "\" y=\"" + fixed(down_ + y, 1) + "\" text-anchor=\"" + anchor + "\">" + html_escaped(text) +
            "</text>\n";
  }

  void axes() {
    label(width / 2, 20, "middle", chart_.title);
    label(width / 2, height - 8, "middle", chart_.x_label);
    label(left, top - 8, "end", chart_.y_label);
    const double step_y = step_of(y_.span());
    for (const double y : ticks(y_.low, y_.high, step_y)) {
      out_ += "<line class=\"grid\" x1=\"" + fixed(left, 1) + "\" x2=\"" + fixed(width - right, 1) + "\" y1=\"" + at_y(y) + "\" y2=\"" +
              at_y(y) + "\"/>\n";
      label(left - 6, place_y(y) - down_ + 4, "end", number(y, step_y));
    }
    const double step_x = std::max(step_of(x_.span()), 1.0);
    for (const double x : ticks(x_.low, x_.high, step_x)) label(place_x(x), height - bottom + 18, "middle", number(x, step_x));
  }

  /// Unbroken stretches of the points for which `has` holds.
  template <class Has, class Draw>
  void stretches(Has has, Draw draw) const {
    auto from = chart_.points.begin();
    while (from != chart_.points.end()) {
      from = std::find_if(from, chart_.points.end(), has);
      const auto to = std::find_if_not(from, chart_.points.end(), has);
      if (from != to) draw(from, to);
      from = to;
    }
  }

  void band() {
    stretches([](const ChartPoint& p) { return p.low && p.high; },
              [&](auto from, auto to) {
                out_ += "<polygon class=\"band\" clip-path=\"url(#" + clip_ + ")\" points=\"";
                for (auto p = from; p != to; ++p) out_ += at_x(p->x) + "," + at_y(*p->high) + " ";
                for (auto p = to; p != from;) {
                  --p;
                  out_ += at_x(p->x) + "," + at_y(*p->low) + " ";
                }
                out_ += "\"/>\n";
              });
  }

  void line() {
    stretches([](const ChartPoint& p) { return p.y.has_value(); },
              [&](auto from, auto to) {
                out_ += "<polyline class=\"line\" clip-path=\"url(#" + clip_ + ")\" points=\"";
                for (auto p = from; p != to; ++p) out_ += at_x(p->x) + "," + at_y(*p->y) + " ";
                out_ += "\"/>\n";
              });
  }

  const Chart& chart_;
  double down_;
  std::string clip_;
  Range x_, y_;
  std::string out_;
};

}  // namespace

std::string to_svg(const std::vector<Chart>& charts) {
  const double tall = height * static_cast<double>(std::max<std::size_t>(charts.size(), 1));
  std::string out =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + fixed(width, 0) + " " + fixed(tall, 0) + "\" width=\"" +
      fixed(width, 0) + "\" height=\"" + fixed(tall, 0) +
      "\">\n<style>text { font: 12px system-ui, sans-serif; fill: #444; } .grid { stroke: #ddd; } .level { stroke: #b33; stroke-dasharray: "
      "5 4; }"
      " .band { fill: #48c; fill-opacity: 0.18; } .line { fill: none; stroke: #26a; stroke-width: 1.6; stroke-linejoin: round; }</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n";
  for (std::size_t i = 0; i < charts.size(); ++i) out += Drawing(charts[i], height * static_cast<double>(i), i).text();
  return out + "</svg>\n";
}

std::vector<Chart> match_charts(const std::vector<ProgressPoint>& points, const std::string& title,
                                const std::optional<SprtParameters>& sprt_parameters) {
  Chart elo{title, "games", "Elo", {}, {{0, ""}}};
  for (const ProgressPoint& point : points) elo.points.push_back({static_cast<double>(point.games), point.elo, point.low, point.high});
  std::vector<Chart> out{std::move(elo)};
  if (sprt_parameters) {
    const SprtReport bounds = sprt(GameCounts{}, *sprt_parameters);
    Chart llr{"SPRT", "games", "LLR", {}, {{bounds.lower, "H0"}, {bounds.upper, "H1"}}};
    for (const ProgressPoint& point : points)
      llr.points.push_back({static_cast<double>(point.games), point.llr, std::nullopt, std::nullopt});
    out.push_back(std::move(llr));
  }
  return out;
}

}  // namespace referee::stats
