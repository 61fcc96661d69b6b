// One game: board, moves to step through, graphs, engine lines, rulings, and the orders of an arbiter.
import {get} from "../api.js";
import {Tile} from "../board.js";
import {chart} from "../charts.js";
import {fill, h, refill, setText} from "../dom.js";
import {clockText, countText, evalText} from "../format.js";
import {GameModel} from "../game_model.js";
import {Position} from "../position.js";
import {orderForm} from "./orders.js";

export async function game(page, main, id, number) {
  const summary = await get(`/matches/${id}`);
  const answer = await get(`/matches/${id}/games/${number}`);
  page.title(`${answer.white} – ${answer.black}`);
  const model = new GameModel(number).start(answer.started);
  const known = [];  // the last events as text: what the snapshot holds is not applied again
  for (const fact of answer.events) {
    model.event(fact);
    known.push(JSON.stringify(fact));
  }
  const applied = new Set(known.slice(-200));
  if (answer.result !== "*") model.ended({outcome: {result: answer.result, reason: answer.reason, article: answer.article, detail: answer.detail}});
  if (answer.live) {
    model.running = answer.live.clocks.running;
    model.since = performance.now() - answer.live.clocks.running_for_ms;
  }

  let ply = null;  // null: the latest
  const tile = new Tile(model, null, {coordinates: true});
  const past = new GameModel(number);
  const moves = h("div", {class: "moves", role: "group", "aria-label": "Moves"}), graphs = h("div"), lines = h("div"), rulings = h("ul", {class: "rulings"}), head = h("div");
  const desk = h("div");

  // Moves are added one by one: the button that has the focus keeps it.
  const list = h("ol"), buttonOf = [];
  moves.append(list);
  const first = new Position(model.startFen).white ? 0 : 1;
  const startNumber = Number(model.startFen.split(" ")[5]) || 1;
  let marked = null;
  function drawMoves() {
    for (let i = buttonOf.length; i < model.moves.length; i++) {
      const move = model.moves[i];
      if (i === 0 && first === 1) list.append(h("li", {class: "no"}, `${startNumber}.`), h("li", {}, "…"));
      if ((i + first) % 2 === 0) list.append(h("li", {class: "no"}, `${startNumber + (i + first) / 2}.`));
      buttonOf[i] = h("button", {onclick: () => go(i + 1),
        title: move.remaining_ms === undefined ? "opening" : `used ${clockText(move.used_ms)}, left ${clockText(move.remaining_ms)}`}, move.san);
      list.append(h("li", {}, buttonOf[i]));
    }
    const current = buttonOf[(ply === null ? model.moves.length : ply) - 1] || null;
    if (current === marked) return;
    if (marked) marked.removeAttribute("aria-current");
    if (current) {
      current.setAttribute("aria-current", "true");
      moves.scrollTop = current.offsetTop - moves.clientHeight / 2;
    }
    marked = current;
  }

  function drawGraphs() {
    const points = {white: [], black: []}, times = {white: [], black: []};
    model.moves.forEach((move, i) => {
      const sign = move.side === "black" ? -1 : 1;
      if (move.search && (move.search.centipawns !== undefined || move.search.mate !== undefined)) {
        const value = move.search.mate !== undefined ? Math.sign(move.search.mate || 1) * 10 : move.search.centipawns / 100;
        points[move.side].push([i + 1, Math.max(-10, Math.min(10, value * sign))]);
      }
      if (move.used_ms !== undefined) times[move.side].push([i + 1, move.used_ms / 1000]);
    });
    const at = ply === null ? null : ply;
    const both = (s) => [{kind: "white", name: "White", points: s.white}, {kind: "black", name: "Black", points: s.black}];
    fill(graphs, points.white.length + points.black.length ? chart({label: "Evaluation for White, in pawns", series: both(points), at}) : null,
      times.white.length ? chart({label: "Seconds used", series: both(times), at, unit: " s"}) : null);
  }

  function drawLines() {
    const line = (side) => {
      const search = model.search[side];
      if (!search) return null;
      return h("p", {class: "pv"}, h("strong", {}, `${model[side]}: ${evalText(search, side)}`), search.depth ? ` depth ${search.depth}` : "",
        search.nodes ? `, ${countText(search.nodes)} nodes` : "", search.nodes_per_second ? `, ${countText(search.nodes_per_second)}/s` : "", search.pv ? `: ${search.pv}` : "");
    };
    fill(lines, line("white"), line("black"));
    refill(rulings, model.rulings, () => model.rulings.map((r) => h("li", {}, `ply ${r.ply}: ${r.text}`, r.article ? h("span", {class: "soft"}, ` (article ${r.article})`) : "")));
  }

  function drawBoard() {
    if (ply === null) {
      tile.game = model;
    } else {
      Object.assign(past, {white: model.white, black: model.black, phase: "playing", result: null, running: null});
      past.position = new Position(model.startFen);
      past.search = {white: null, black: null};
      past.clocks = {white: null, black: null};
      for (const move of model.moves.slice(0, ply)) {
        past.position.play(move.uci);
        past.lastMove = move.uci;
        past.lastSan = move.san;
        past.clocks[move.side] = move.remaining_ms ?? null;
        if (move.search) past.search[move.side] = move.search;
      }
      if (ply === 0) past.lastMove = past.lastSan = undefined;
      tile.game = past;
    }
    tile.draw();
  }

  function draw() {
    drawBoard(); drawMoves(); drawGraphs(); drawLines();
    setText(result, model.result ? model.result.result : "*");
  }

  function go(to) {
    ply = to >= model.moves.length ? null : Math.max(0, to);
    draw();
  }

  const step = (by) => go((ply === null ? model.moves.length : ply) + by);
  function onKey(event) {
    if (event.target.closest("input, textarea, select")) return;
    const moves = {ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0), End: () => go(Infinity)};
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  }
  addEventListener("keydown", onKey);

  const buttons = h("div", {class: "row", role: "group", "aria-label": "Step through the game"},
    h("button", {onclick: () => go(0), "aria-label": "to the start"}, "«"), h("button", {onclick: () => step(-1), "aria-label": "one move back"}, "‹"),
    h("button", {onclick: () => step(1), "aria-label": "one move on"}, "›"), h("button", {onclick: () => go(Infinity), "aria-label": "to the latest"}, "»"));
  const result = h("span", {class: "soft"});
  fill(head, h("h1", {}, `${answer.white} – ${answer.black} `, result),
    h("p", {class: "soft"}, h("a", {href: `#/match/${id}`}, summary.event), `, game ${number}, round ${answer.round}`, answer.opening ? `, ${answer.opening}` : "",
      `, edition ${model.edition}`),
    h("div", {class: "row"}, h("a", {href: `/api/v1/matches/${id}/games/${number}/pgn`}, "PGN"),
      h("a", {href: `/api/v1/matches/${id}/games/${number}/scoresheet`}, "scoresheet")));
  if (page.may("rule")) fill(desk, await orderForm(page, id, number));
  fill(main, head, h("div", {class: "viewer"}, h("div", {}, tile.element, buttons, lines), h("div", {}, moves, graphs, h("h2", {}, "Rulings"), rulings, desk)));
  draw();

  let due = false;
  page.live.follow(id, summary.next_event, (events) => {
    let changed = false;
    for (const fact of events) {
      if (fact.game !== number) continue;
      if (fact.fact === "game_started" && fact.attempt > (model.attempt || 1)) return dispatchEvent(new Event("hashchange"));
      if (fact.fact === "event") {
        const text = JSON.stringify(fact);
        if (applied.delete(text)) continue;
        const before = model.plies;
        model.event(fact);
        if (model.plies > before) page.say(`${model.lastSan}`);
        changed = true;
      } else if (fact.fact === "game_ended") {
        model.ended(fact);
        page.say(`The game ended: ${fact.outcome.result}`);
        changed = true;
      }
    }
    if (!changed || due) return;
    due = true;
    requestAnimationFrame(() => { due = false; draw(); });
  }, () => dispatchEvent(new Event("hashchange")));
  return {
    close: () => { removeEventListener("keydown", onKey); page.live.leave(id); },
  };
}
