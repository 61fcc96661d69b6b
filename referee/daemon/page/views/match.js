// One match: its boards, standings, crosstable, statistics, rulings and faults.
import {get, post, ask} from "../api.js";
import {Tile} from "../board.js";
import {chart} from "../charts.js";
import {fill, h, refill, setText, table} from "../dom.js";
import {estimateText, gamesText} from "../format.js";
import {GameModel, rulingText, telling} from "../game_model.js";

const keptOver = 4, keptRulings = 60, manyBoards = 9, eventsLookedBack = 1000;
const howWon = {draw_for_black: " (a draw in the deciding game counts for Black)", lot: " by lot", seed: " as the better seed", withdrawal: ": the other was withdrawn"};

export async function match(page, main, id) {
  let summary = await get(`/matches/${id}`);
  page.title(summary.event);
  const tiles = new Map();  // game -> Tile
  const boards = h("div", {class: "boards"});
  const head = h("div"), standings = h("div"), bracket = h("div"), byes = h("div"), cross = h("div"), numbers = h("div"), finished = h("div"), faults = h("div");
  const rulings = h("ul", {class: "rulings", "aria-label": "Rulings"});
  const dirty = new Set();
  const running = h("span");
  let drawing = false, loading = null, closed = false;

  function drawHead() {
    const done = summary.finished + summary.voided;
    const button = (text, path, body) => h("button", {onclick: async () => {
      try { await post(`/matches/${id}/${path}`, body || {}); } catch (error) { alert(error.message); }
      loadSoon();
    }}, text);
    const orders = [];
    if (page.may("operate")) {
      if (summary.state === "active") orders.push(button("Pause", "pause"), button("Stop", "stop"));
      else if (summary.state !== "finished") orders.push(button("Go on", "resume"));
      const priority = h("input", {type: "number", min: -100, max: 100, value: summary.priority, style: "width:5rem", "aria-label": "Priority",
        onchange: async () => {
          try { await ask("PATCH", `/matches/${id}`, {priority: Number(priority.value)}); } catch (error) { alert(error.message); }
          loadSoon();
        }});
      orders.push(h("label", {}, "Priority", priority));
    }
    refill(head, [summary.event, summary.state, done, summary.finished, summary.planned, summary.edition, summary.problem, summary.priority],
      () => [h("h1", {}, summary.event, " ", h("span", {class: "state " + summary.state}, summary.state)),
      summary.planned > 0 ? h("progress", {max: summary.planned, value: done, "aria-label": gamesText(done, summary.planned)}) : null,
      h("p", {class: "soft"}, `${gamesText(summary.finished, summary.planned)}, `, running, ` running, edition ${summary.edition || ""}`),
      summary.problem ? h("p", {class: "notice bad"}, summary.problem) : null,
      h("div", {class: "row"}, orders, h("a", {href: `/api/v1/matches/${id}/pgn`}, "PGN"), h("a", {href: `/api/v1/matches/${id}/live.pgn`}, "live PGN"),
        h("a", {href: `/api/v1/matches/${id}/events`}, "events"), h("a", {href: `/api/v1/matches/${id}/file`}, "match file"))]);
  }

  function countRunning() {
    setText(running, String([...tiles.values()].filter((tile) => tile.game.phase !== "over").length));
  }

  function drawTables() {
    const unplayed = summary.standings.some((row) => row.unplayed > 0);
    refill(standings, summary.standings, () => table([["#", "n"], ["Engine"], ["Games", "n"], ["+", "n"], ["=", "n"], ["−", "n"],
      ...(unplayed ? [["Unplayed", "n"]] : []), ["Points", "n"], ["Score", "n"]],
      summary.standings.map((row) => [row.rank, row.engine, row.games, row.wins, row.draws, row.losses, ...(unplayed ? [row.unplayed] : []),
        row.points, row.games + row.unplayed ? (100 * row.score).toFixed(1) + " %" : "–"]), "Standings"));
    drawBracket();
    refill(byes, summary.byes || [], () => summary.byes ? h("p", {class: "soft"}, "Points without play: ",
      summary.byes.map((bye) => `round ${bye.round} ${bye.engine} ${bye.points} (${bye.why})`).join(", ")) : []);
  }

  // A knockout: round by round, as `referee run` prints it.
  function drawBracket() {
    const duels = summary.bracket || [];
    const last = Math.ceil(Math.log2(Math.max(2, (summary.engines || []).length)));
    const roundName = (round) => round === last ? "Final" : round === last - 1 ? "Semifinals" : `Round ${round}`;
    refill(bracket, [duels, summary.winner], () => duels.length ? [h("h2", {}, "Rounds"),
      summary.winner ? h("p", {}, "Winner: ", h("strong", {}, summary.winner)) : null,
      table([["Round"], ["Engine"], ["Opponent"], ["Points", "n"], ["Goes on"]], duels.map((duel) => [roundName(duel.round), duel.first, duel.second,
        `${duel.first_points} – ${duel.second_points}`, duel.winner === null ? "" : duel.winner + (howWon[duel.by] || "")]), "Rounds")] : []);
  }

  function drawCross(cells) {
    const names = summary.standings.map((row) => row.engine);
    if (names.length < 3) return fill(cross);
    const cell = new Map(cells.map((c) => [c.engine + "\n" + c.opponent, c]));
    refill(cross, [names, cells], () => [h("h2", {}, "Crosstable"), table([["Engine"], ...names.map((name, i) => [String(i + 1), "n"])],
      names.map((name, i) => [`${i + 1}. ${name}`, ...names.map((other) => {
        const c = cell.get(name + "\n" + other);
        return name === other ? "·" : c ? `${c.points}/${c.games}` : "";
      })]), "Crosstable")]);
  }

  function drawNumbers(s) {
    refill(numbers, s, () => numbersOf(s));
  }
  function numbersOf(s) {
    const parts = [h("h2", {}, "Statistics"), h("p", {}, `${s.games} games counted`, s.draw_ratio === null ? "" : `, ${(100 * s.draw_ratio).toFixed(1)} % drawn`,
      s.white_score === null ? "" : `, White scored ${(100 * s.white_score).toFixed(1)} %`, s.mean_plies === null ? "" : `, ${s.mean_plies.toFixed(0)} plies on average`)];
    const ends = Object.entries(s.reasons).sort((a, b) => b[1] - a[1]);
    if (ends.length) parts.push(h("p", {class: "soft"}, ends.map(([reason, count]) => `${reason.replaceAll("_", " ")} ${count}`).join(", ")));
    if (s.elo && s.elo.pairs) parts.push(h("p", {}, h("strong", {}, `Elo ${estimateText(s.elo.elo, s.elo.elo_error, s.elo.bound)}`),
      `, normalised ${estimateText(s.elo.nelo, s.elo.nelo_error, s.elo.bound)}`, s.elo.los === null ? "" : `, LOS ${(100 * s.elo.los).toFixed(1)} %`,
      ` of ${s.elo.engine} over ${s.elo.opponent}; pairs ${s.elo.ptnml.join(" ")}`));
    if (s.sprt) parts.push(h("p", {}, `SPRT [${s.sprt.elo0}, ${s.sprt.elo1}]: LLR ${s.sprt.llr.toFixed(2)} in (${s.sprt.lower.toFixed(2)}, ${s.sprt.upper.toFixed(2)}), ${s.sprt.state.replaceAll("_", " ")}`),
      chart({label: "Log-likelihood ratio by pairs, with its bounds", series: [{kind: "white", name: "LLR", points: s.sprt.history}],
        bounds: [{value: s.sprt.lower, name: `bounds: ${s.sprt.lower.toFixed(2)} (H0) and ${s.sprt.upper.toFixed(2)} (H1)`}, {value: s.sprt.upper}]}));
    return parts;
  }

  function drawFinished(games) {
    const last = games.slice().reverse();
    refill(finished, last, () => [h("h2", {}, "Finished games"), last.length ? table([["Game", "n"], ["White"], ["Black"], ["Result"], ["Reason"], ["Plies", "n"]],
      last.map((g) => [h("a", {href: `#/match/${id}/game/${g.number}`}, g.number), g.white, g.black, g.void ? "void" : g.result,
        g.reason.replaceAll("_", " ") + (g.article ? ` (${g.article})` : ""), g.plies]), "Finished games") : h("p", {class: "soft"}, "none yet")]);
  }

  function drawFaults(list) {
    refill(faults, list, () => list.length ? [h("h2", {}, "Faults"), list.slice().reverse().map((f) => h("details", {class: "notice"},
      h("summary", {}, h("span", {class: "bad"}, f.engine), ` ${f.reason.replaceAll("_", " ")}`, f.game ? [" in game ", h("a", {href: `#/match/${id}/game/${f.game}`}, f.game)] : "", f.detail ? `: ${f.detail}` : ""),
      h("pre", {tabindex: 0, role: "region", "aria-label": "what both sides said last"}, f.log)))] : []);
  }

  function put(game) {
    const over = [...tiles.values()].filter((tile) => tile.game.phase === "over");
    for (const tile of over.slice(0, Math.max(0, over.length - keptOver))) drop(tile.game.number);
    const old = tiles.get(game.number);
    if (old) { old.element.remove(); old.close(); }
    const tile = new Tile(game, `#/match/${id}/game/${game.number}`);
    tiles.set(game.number, tile);
    const next = [...tiles.keys()].sort((a, b) => a - b).find((n) => n > game.number);
    boards.insertBefore(tile.element, next === undefined ? null : tiles.get(next).element);
    boards.classList.toggle("many", tiles.size > manyBoards);
    countRunning();
    mark(game.number);
  }

  function drop(number) {
    const tile = tiles.get(number);
    if (!tile) return;
    tile.element.remove();
    tile.close();
    tiles.delete(number);
    boards.classList.toggle("many", tiles.size > manyBoards);
  }

  // All that changed within a frame is drawn once.
  function mark(number) {
    dirty.add(number);
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => {
      drawing = false;
      for (const n of dirty) {
        const tile = tiles.get(n);
        if (tile) tile.draw();
      }
      dirty.clear();
    });
  }

  function hear(events) {
    for (const fact of events) {
      if (fact.fact === "game_started") put(new GameModel(fact.game).start(fact));
      else if (fact.fact === "event") {
        const tile = tiles.get(fact.game);
        if (!tile) continue;
        const before = tile.game.rulings.length;
        tile.game.event(fact);
        for (const ruling of tile.game.rulings.slice(before)) tell(fact.game, ruling);
        mark(fact.game);
      } else if (fact.fact === "game_ended") {
        const tile = tiles.get(fact.game);
        if (tile) {
          tile.game.ended(fact);
          countRunning();
          mark(fact.game);
          page.say(`Game ${fact.game} ended: ${fact.outcome.result}, ${fact.outcome.reason}`);
          setTimeout(() => { if (tiles.get(fact.game) === tile) drop(fact.game); }, 5000);
        }
        loadSoon();
      } else if (fact.fact !== "warning") loadSoon();
    }
  }

  function rulingItem(number, ruling) {
    return h("li", {}, h("a", {href: `#/match/${id}/game/${number}`}, `game ${number}`), ruling.ply === undefined ? "" : ` ply ${ruling.ply}`, `: ${ruling.text}`,
      ruling.article ? h("span", {class: "soft"}, ` (article ${ruling.article})`) : "");
  }

  function tell(number, ruling) {
    rulings.prepend(rulingItem(number, ruling));
    while (rulings.childElementCount > keptRulings) rulings.lastChild.remove();
  }

  // Rulings from before the page was opened.
  async function lookBack(next) {
    const from = Math.max(1, next - eventsLookedBack);
    if (from >= next) return;
    const lines = (await get(`/matches/${id}/events?from=${from}&limit=${next - from}`)).split("\n").filter((line) => line);
    const before = rulings.childElementCount;
    const told = [];
    for (const line of lines) {
      const fact = JSON.parse(line);
      for (const ruling of fact.rulings || []) {
        if (telling.has(ruling.ruling)) told.unshift(rulingItem(fact.game, {text: rulingText(ruling, fact), article: ruling.article}));
      }
    }
    rulings.append(...told.slice(0, Math.max(0, keptRulings - before)));
  }

  async function load() {
    const [s, cells, stats, games, faultList] = await Promise.all([get(`/matches/${id}`), get(`/matches/${id}/crosstable`),
      get(`/matches/${id}/statistics`), get(`/matches/${id}/games?last=50`), get(`/matches/${id}/faults?last=20`)]);
    if (closed) return;
    summary = s;
    drawHead(); drawTables(); drawCross(cells); drawNumbers(stats); drawFinished(games); drawFaults(faultList);
  }

  function loadSoon() {
    if (loading || closed) return;
    loading = setTimeout(() => { loading = null; load().catch(() => {}); }, 700);
  }

  function seatAll() {
    for (const number of [...tiles.keys()]) drop(number);
    for (const board of summary.games) put(GameModel.fromBoard(board));
  }

  fill(main, head, boards, h("h2", {}, "Standings"), standings, byes, bracket, cross, numbers, h("h2", {}, "Rulings"), rulings, finished, faults);
  drawHead();
  drawTables();
  seatAll();
  page.live.follow(id, summary.next_event, hear, async () => { await load(); seatAll(); });
  load().catch((error) => setText(faults, error.message));
  lookBack(summary.next_event).catch(() => {});
  return {
    onNews: (what) => { if (what === "matches" || what === "all") loadSoon(); },
    close: () => { closed = true; clearTimeout(loading); page.live.leave(id); },
  };
}
