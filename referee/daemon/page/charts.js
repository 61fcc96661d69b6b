// Small charts as SVG: lines over numbers, scaled to their box.
import {h, svg} from "./dom.js";

const width = 600, height = 180, edge = 26;

export function chart({series, bounds = [], zero = true, label, unit = "", from = 0, at = null}) {
  const all = series.flatMap((line) => line.points.map((p) => p[1])).concat(bounds.map((b) => b.value)).filter((v) => Number.isFinite(v));
  const last = Math.max(1, ...series.flatMap((line) => line.points.map((p) => p[0])));
  let low = Math.min(...all, zero ? 0 : Infinity), high = Math.max(...all, zero ? 0 : -Infinity);
  if (!Number.isFinite(low)) { low = 0; high = 1; }
  if (high - low < 1e-9) { high += 0.5; low -= 0.5; }
  const x = (value) => edge + (value - from) / Math.max(1, last - from) * (width - edge - 6);
  const y = (value) => 6 + (high - value) / (high - low) * (height - 22);
  const parts = [svg("title", {}, label)];
  if (zero) parts.push(svg("line", {class: "axis", x1: edge, x2: width - 6, y1: y(0), y2: y(0)}));
  for (const bound of bounds) parts.push(svg("line", {class: "bound", x1: edge, x2: width - 6, y1: y(bound.value), y2: y(bound.value)}));
  for (const line of series) {
    const d = line.points.filter((p) => Number.isFinite(p[1])).map((p, i) => `${i ? "L" : "M"}${x(p[0]).toFixed(1)} ${y(p[1]).toFixed(1)}`).join("");
    parts.push(svg("path", {class: line.kind, d}));
  }
  if (at !== null) parts.push(svg("line", {class: "now", x1: x(at), x2: x(at), y1: 4, y2: height - 16}));
  const text = (value, place) => svg("text", {x: 2, y: place, "font-size": 10, fill: "currentColor"}, value);
  const short = (v) => Math.abs(v) >= 100 ? v.toFixed(0) : v.toFixed(1);
  parts.push(text(short(high) + unit, 14), text(short(low) + unit, height - 18));
  parts.push(svg("text", {x: width - 6, y: height - 3, "font-size": 10, "text-anchor": "end", fill: "currentColor"}, String(last)));
  return h("figure", {style: "margin:0"}, svg("svg", {class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label}, ...parts),
    h("figcaption", {class: "legend"}, label, series.filter((line) => line.name).map((line) => h("span", {class: "key " + line.kind}, line.name)),
      bounds.filter((bound) => bound.name).map((bound) => h("span", {class: "key bound"}, bound.name))));
}
