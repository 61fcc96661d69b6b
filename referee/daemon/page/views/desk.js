// The arbiter's desk: games that wait for a decision.
import {get} from "../api.js";
import {countDesk} from "../app.js";
import {Tile, closeTiles} from "../board.js";
import {fill, h} from "../dom.js";
import {GameModel} from "../game_model.js";
import {orderForm} from "./orders.js";

const usual = {awaiting_arbiter: "accept", paused: "resume", adjourned: "open_envelope"};

export async function desk(page, main) {
  page.title("Arbiter's desk");
  const list = h("div", {class: "cards"});
  let shown = "";
  async function load() {
    const waiting = await get("/desk");
    const key = JSON.stringify(waiting.map((g) => [g.match, g.number, g.attempt, g.phase, g.plies]));
    if (key === shown) return;  // a form that is being filled in stays
    shown = key;
    closeTiles();
    const entries = await Promise.all(waiting.map(async (board) => {
      const tile = new Tile(GameModel.fromBoard(board), `#/match/${board.match}/game/${board.number}`);
      return {tile, element: h("article", {class: "card"},
        h("h2", {}, `${board.event}, game ${board.number}`, " ", h("span", {class: "state paused"}, board.phase.replaceAll("_", " "))),
        h("p", {}, board.claimant ? `${board.claimant}: ` : "", board.question || "", board.article ? ` (article ${board.article}, ${board.edition})` : ""),
        tile.element, page.may("rule") ? await orderForm(page, board.match, board.number, usual[board.phase]) : null)};
    }));
    fill(list, entries.length ? entries.map((entry) => entry.element) : h("p", {}, "Nothing waits for an arbiter."));
    for (const entry of entries) entry.tile.draw();
  }
  fill(main, h("h1", {}, "Arbiter's desk"), list);
  await load();
  countDesk();
  return {onNews: (what) => { if (what === "desk" || what === "all" || what === "matches") load().catch(() => {}); }};
}
