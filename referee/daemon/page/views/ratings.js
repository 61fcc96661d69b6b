// The rating list of the matches, and the same as a file to publish.
import {get} from "../api.js";
import {fill, h, refill, table} from "../dom.js";

const number = (value, decimals = 1) => value === null || value === undefined ? "–" : value.toFixed(decimals);

function ratingText(player) {
  if (player.rating !== null) return number(player.rating);
  if (player.limit === undefined || player.limit === null) return "?";
  return (player.bound === "lower" ? ">" : "<") + number(player.limit);
}

export async function ratings(page, main) {
  page.title("Rating list");
  const matches = await get("/matches");
  const choice = h("select", {onchange: () => load()}, h("option", {value: ""}, "all matches"),
    matches.map((match) => h("option", {value: match.id}, `${match.id}. ${match.event}`)));
  const least = h("input", {type: "number", min: 1, value: 1, style: "width:6rem", onchange: () => load()});
  const title = h("input", {value: "Rating list", oninput: () => link()});
  const publish = h("a", {download: "ratings.html"}, "static page");
  const list = h("div"), notes = h("div"), problem = h("p", {class: "bad", role: "status"});
  let due = null;

  const words = () => new URLSearchParams([...(choice.value ? [["match", choice.value]] : []), ["min_games", String(Math.max(1, Number(least.value) || 1))]]);
  function link() {
    const asked = words();
    asked.set("title", title.value || "Rating list");
    publish.href = `/api/v1/ratings.html?${asked}`;
  }

  async function load() {
    link();
    let answer;
    try { answer = await get(`/ratings?${words()}`); } catch (error) { return fill(problem, error.message); }
    fill(problem);
    const grouped = answer.players.some((player) => player.group > 1);
    const heads = [["#", "n"], ["Engine"], ["Rating", "n"], ["±", "n"], ["Points", "n"], ["Games", "n"], ["Score %", "n"], ["Draws %", "n"],
      ["Opponents", "n"], ["Their average", "n"], ["LOS next %", "n"], ...(grouped ? [["Group", "n"]] : [])];
    refill(list, answer.players, () => answer.players.length ? table(heads, answer.players.map((player) => [player.rank, player.player, ratingText(player), number(player.error),
      number(player.points), player.games, number(100 * player.score), number(100 * player.draws / player.games), player.opponents,
      number(player.opponents_average), player.los_next === null ? "–" : number(100 * player.los_next), ...(grouped ? [player.group] : [])]), "Rating list")
      : h("p", {}, "No game that counts has been played."));
    fill(notes, answer.notes.map((note) => h("p", {class: "soft"}, note)));
  }

  await load();
  fill(main, h("h1", {}, "Rating list"), h("div", {class: "form"}, h("label", {}, "Matches", choice), h("label", {}, "Games at least", least)), problem, list, notes,
    h("h2", {}, "Publish"), h("p", {class: "soft"}, "One file without scripts, to be put on any web server."),
    h("div", {class: "form"}, h("label", {}, "Title", title), publish));
  return {
    onNews: (what) => {
      if (what !== "matches" && what !== "all" || due) return;
      due = setTimeout(() => { due = null; load(); }, 1000);
    },
    close: () => clearTimeout(due),
  };
}
