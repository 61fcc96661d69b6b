// A board of chessground, with two seats, clocks and the last word on the game. One clockwork ticks all clocks of the page.
import {Chessground} from "./vendor/chessground/chessground.min.js";
import {h, setText} from "./dom.js";
import {clockText, evalText} from "./format.js";

const lowMs = 10000, mostMoving = 12;  // more boards than this change without animation
const tiles = new Set();
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const byElement = new WeakMap();

// Boards out of sight are not drawn until they come into it.
const sight = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    const tile = byElement.get(entry.target);
    if (!tile) continue;
    tile.inSight = entry.isIntersecting;
    if (tile.inSight && tile.stale) tile.draw();
  }
}, {rootMargin: "200px"});

export class Tile {
  constructor(game, href, {coordinates = false} = {}) {
    this.game = game;
    this.coordinates = coordinates;
    this.seats = {};
    this.men = h("div", {"aria-hidden": "true"});  // chessground's own: the box tells the position in words
    const box = h("div", {class: "boardbox", role: "img", "aria-label": "Board"}, this.men);
    this.box = box;
    const seat = (side) => {
      const clock = h("span", {class: "clock", role: "timer", "aria-label": side === "white" ? "White's clock" : "Black's clock"}), value = h("span", {class: "eval"});
      this.seats[side] = {clock, value};
      return h("div", {class: "seat " + side}, h("span", {class: "player", title: game[side]}, game[side]), value, clock);
    };
    this.verdict = h("div", {class: "verdict"});
    const inner = [seat("black"), box, seat("white"), this.verdict];
    const name = `Game ${game.number}: ${game.white} against ${game.black}`;
    this.element = h("article", {class: "tile", "data-game": game.number, "aria-label": name}, href ? h("a", {href, "aria-label": name}, inner) : inner);
    this.drawn = "";
    this.inSight = true;  // until the observer says otherwise
    tiles.add(this);
    byElement.set(this.element, this);
    sight.observe(this.element);
  }

  // Chessground measures its element: it must be in the document first.
  draw() {
    this.stale = !this.inSight && this.ground !== undefined;
    if (this.stale) return;
    const game = this.game;
    const placement = game.position.placement();
    const last = game.lastMove ? [game.lastMove.slice(0, 2), game.lastMove.slice(2, 4)] : undefined;
    const animation = {enabled: tiles.size <= mostMoving && !calm.matches, duration: 150};
    if (!this.ground) {
      this.ground = Chessground(this.men, {fen: placement, lastMove: last, viewOnly: true, coordinates: this.coordinates,
        addDimensionsCssVarsTo: undefined, animation, drawable: {enabled: false}});
    } else if (placement !== this.drawn) this.ground.set({fen: placement, lastMove: last, animation});
    this.drawn = placement;
    this.box.setAttribute("aria-label", `Board after ${game.lastSan || "the opening"}. ${game.position.words()}`);
    for (const side of ["white", "black"]) setText(this.seats[side].value, evalText(game.search[side], side));
    const word = game.result ? `${game.result.result} ${game.result.reason.replaceAll("_", " ")}${game.result.article ? " (" + game.result.article + ")" : ""}`
      : game.phase !== "playing" ? `${game.question || game.phase}${game.article ? " (" + game.article + ")" : ""}` : game.lastSan || game.opening || "";
    setText(this.verdict, word);
    this.element.classList.toggle("halted", game.phase !== "playing" && game.phase !== "over");
    this.tick();
  }

  tick() {
    for (const side of ["white", "black"]) {
      const ms = this.game.shown(side);
      const {clock} = this.seats[side];
      setText(clock, clockText(ms));
      const runs = this.game.running === side;
      if (clock.classList.contains("runs") !== runs) clock.classList.toggle("runs", runs);
      const low = runs && ms !== null && ms < lowMs;
      if (clock.classList.contains("low") !== low) clock.classList.toggle("low", low);
    }
  }

  close() {
    tiles.delete(this);
    sight.unobserve(this.element);
    if (this.ground) this.ground.destroy();
  }
}

export function closeTiles() {
  for (const tile of [...tiles]) tile.close();
}

setInterval(() => {
  if (document.hidden) return;
  for (const tile of tiles) if (tile.inSight && tile.game.running) tile.tick();
}, 100);
