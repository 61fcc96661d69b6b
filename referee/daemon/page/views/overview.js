// All matches.
import {get, ask} from "../api.js";
import {fill, h, refill, setText} from "../dom.js";
import {gamesText} from "../format.js";

function card(page, match) {
  const done = match.finished + match.voided;
  return h("article", {class: "card"},
    h("h2", {}, h("a", {href: `#/match/${match.id}`}, `${match.id}. ${match.event}`), " ", h("span", {class: "state " + match.state}, match.state)),
    match.planned > 0 ? h("progress", {max: match.planned, value: done, "aria-label": gamesText(done, match.planned)}) : null,
    h("p", {class: "soft"}, gamesText(match.finished, match.planned), match.voided ? `, ${match.voided} void` : "",
      match.running ? `, ${match.running} running` : "", match.adjourned ? `, ${match.adjourned} adjourned` : "",
      match.faults ? h("span", {class: "warn"}, `, ${match.faults} faults`) : "", `, priority ${match.priority}`),
    match.problem ? h("p", {class: "bad"}, match.problem) : null);
}

export async function overview(page, main) {
  page.title("");
  const list = h("div", {class: "cards"});
  const summary = h("p", {class: "soft"});
  async function load() {
    const [matches, info] = await Promise.all([get("/matches"), get("")]);
    const order = {active: 0, paused: 1, failed: 2, stopped: 3, finished: 4};
    matches.sort((a, b) => order[a.state] - order[b.state] || b.priority - a.priority || b.id - a.id);
    setText(summary, `${info.cores_busy} of ${info.cores} cores busy, ${info.viewers} watching`);
    refill(list, matches.map(({next_event, games_at_once, ...shown}) => shown), () => matches.length ? matches.map((match) => card(page, match)) : h("p", {}, "No match yet: ", h("code", {}, "referee submit MATCH.yaml")));
  }
  await load();
  const text = h("textarea", {rows: 8, cols: 60, spellcheck: "false", "aria-label": "Match file"});
  const problem = h("p", {class: "bad", role: "status"});
  const form = page.may("operate") ? h("details", {}, h("summary", {}, "Submit a match"),
    h("form", {class: "form", onsubmit: async (event) => {
      event.preventDefault();
      try {
        const match = await ask("POST", "/matches", {match: text.value});
        location.hash = `#/match/${match.id}`;
      } catch (error) { fill(problem, error.message); }
    }}, text, h("button", {class: "primary"}, "Submit")), problem) : null;
  fill(main, h("h1", {}, "Matches"), summary, list, form);
  let due = null;
  return {
    onNews: (what) => {
      if (what !== "matches" && what !== "all" || due) return;
      due = setTimeout(() => { due = null; load().catch(() => {}); }, 300);
    },
    close: () => clearTimeout(due),
  };
}
