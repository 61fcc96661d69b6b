// Times, evaluations and results as people read them.
export function clockText(ms) {
  if (ms === null || ms === undefined) return "–";
  const sign = ms < 0 ? "-" : "";
  const tenths = Math.floor(Math.abs(ms) / 100);
  const seconds = Math.floor(tenths / 10), minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
  const two = (n) => String(n).padStart(2, "0");
  if (hours > 0) return `${sign}${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  if (minutes > 0) return `${sign}${minutes}:${two(seconds % 60)}`;
  return `${sign}0:${two(seconds)}.${tenths % 10}`;
}

// From White's point of view.
export function evalText(search, side) {
  if (!search) return "";
  const sign = side === "black" ? -1 : 1;
  if (search.mate !== undefined) return (search.mate * sign < 0 ? "-M" : "+M") + Math.abs(search.mate);
  if (search.centipawns === undefined) return "";
  const value = search.centipawns * sign / 100;
  return (value > 0 ? "+" : "") + value.toFixed(2);
}

export function countText(n) {
  if (n === undefined || n === null) return "";
  if (n >= 1e9) return (n / 1e9).toFixed(1) + " G";
  if (n >= 1e6) return (n / 1e6).toFixed(1) + " M";
  if (n >= 1e3) return (n / 1e3).toFixed(1) + " k";
  return String(n);
}

export function estimateText(value, error, bound) {
  if (value === null || value === undefined) return bound === "lower" ? "only won" : bound === "upper" ? "only lost" : "–";
  return (value >= 0 ? "+" : "") + value.toFixed(1) + (error === null || error === undefined ? "" : " ± " + error.toFixed(1));
}

export const sideName = (side) => side === "white" ? "White" : side === "black" ? "Black" : "both";

// "3 of 20 games"; a test that ends when it is decided has no number of games.
export const gamesText = (done, planned) => planned > 0 ? `${done} of ${planned} games` : `${done} games, until it is decided`;
