// A game as its facts tell it: position, clocks, phase, moves, rulings. Fed by the snapshot of the service and then by live events.
import {Position} from "./position.js";

// Rulings that a list of rulings tells: not every move.
export const telling = new Set(["move_rejected", "claim_upheld", "claim_rejected", "claim_inadmissible", "warned", "awaiting_arbiter", "adjourned",
  "resumed", "paused", "order_refused", "game_over", "offer_pending", "offer_refused"]);

export class GameModel {
  constructor(number) {
    this.number = number;
    this.moves = [];      // {uci, san, side, used_ms, remaining_ms, search}
    this.rulings = [];    // {ply, text, article, kind}
    this.clocks = {white: null, black: null};
    this.running = null;
    this.since = 0;
    this.search = {white: null, black: null};
    this.phase = "playing";
    this.result = null;
  }

  // A running game as the match's answer shows it.
  static fromBoard(board) {
    const game = new GameModel(board.number);
    Object.assign(game, {white: board.white, black: board.black, opening: board.opening, edition: board.edition, round: board.round});
    game.position = new Position(board.fen);
    game.lastMove = board.last_move;
    game.lastSan = board.last_san;
    game.plies = board.plies;
    game.clocks = {white: board.clocks.white_ms, black: board.clocks.black_ms};
    game.running = board.clocks.running;
    game.since = performance.now() - board.clocks.running_for_ms;
    game.search = board.search;
    game.phase = board.phase;
    game.question = board.question;
    game.article = board.article;
    return game;
  }

  start(fact) {
    const setup = fact.setup;
    Object.assign(this, {white: fact.white, black: fact.black, opening: fact.opening, edition: fact.edition, round: fact.round,
      attempt: fact.attempt, startFen: setup.fen});
    this.position = new Position(setup.fen);
    this.plies = 0;
    this.moves = [];
    this.rulings = [];
    this.result = null;
    this.phase = "playing";
    this.running = null;
    this.openingPlies = (setup.opening_moves || []).length;
    for (const uci of setup.opening_moves || []) {
      this.moves.push({uci, san: uci, side: this.position.white ? "white" : "black"});
      this.position.play(uci);
      this.lastMove = uci;
      this.plies++;
    }
    const clockOf = (control, initial) => initial !== undefined ? initial : control.mode === "infinite" || !control.periods.length ? null : control.periods[0].base_ms;
    this.clocks = {
      white: clockOf(setup.time_control, setup.white_initial_clock_ms),
      black: clockOf(setup.black_time_control || setup.time_control, setup.black_initial_clock_ms),
    };
    return this;
  }

  event(fact) {
    if (fact.event === "turn_started") {
      this.running = fact.side;
      this.since = performance.now();
    }
    for (const ruling of fact.rulings || []) this.rule(ruling, fact);
  }

  rule(ruling, fact) {
    if (ruling.ruling === "move_accepted") {
      this.position.play(ruling.uci);
      this.lastMove = ruling.uci;
      this.lastSan = ruling.san;
      this.plies++;
      this.clocks[ruling.side] = ruling.remaining_ms;
      this.running = null;
      if (fact.search) this.search[ruling.side] = fact.search;
      this.moves.push({...ruling, search: fact.search});
    } else if (ruling.ruling === "clocks_changed") {
      this.clocks = {white: ruling.white_ms, black: ruling.black_ms};
      this.running = ruling.running || null;
      this.since = performance.now();
      if (this.phase === "awaiting_arbiter" && fact.event === "arbiter_order") this.phase = "playing";
    } else if (ruling.ruling === "awaiting_arbiter") this.stopped("awaiting_arbiter", ruling.question, ruling);
    else if (ruling.ruling === "paused") this.stopped("paused", "play is interrupted", ruling);
    else if (ruling.ruling === "adjourned") this.stopped("adjourned", "adjourned, a move is sealed", ruling);
    else if (ruling.ruling === "resumed") this.phase = "playing";
    else if (ruling.ruling === "game_over") {
      this.result = ruling.outcome;
      this.phase = "over";
      this.running = null;
    }
    if (telling.has(ruling.ruling)) this.rulings.push({ply: this.plies, text: rulingText(ruling, fact), article: ruling.article || "", kind: ruling.ruling});
  }

  stopped(phase, question, ruling) {
    this.phase = phase;
    this.question = question;
    this.article = ruling.article;
    this.running = null;
  }

  ended(fact) {
    this.result = fact.outcome;
    this.phase = "over";
    this.running = null;
  }

  // What a display shows now, between events too.
  shown(side) {
    const left = this.clocks[side];
    if (left === null || left === undefined || this.running !== side) return left;
    return left - (performance.now() - this.since);
  }
}

export function rulingText(ruling, fact) {
  const by = fact.who ? `, ordered by ${fact.who}` : "";
  const why = fact.why ? `: ${fact.why}` : "";
  switch (ruling.ruling) {
    case "move_rejected": return `illegal move ${ruling.text} of ${ruling.side} (number ${ruling.count})`;
    case "claim_upheld": return `the claim of ${ruling.side} is right`;
    case "claim_rejected": return `the claim of ${ruling.side} is wrong`;
    case "claim_inadmissible": return `the claim of ${ruling.side} cannot be made`;
    case "warned": return `warning to ${ruling.side || "both"}: ${ruling.text}${by}`;
    case "awaiting_arbiter": return `${ruling.claimant} asks the arbiter: ${ruling.question}`;
    case "adjourned": return `adjourned, ${ruling.sealer} sealed a move${by}`;
    case "resumed": return `play goes on${by}${why}`;
    case "paused": return `play is interrupted${by}${why}`;
    case "order_refused": return `order refused: ${ruling.why}${by}`;
    case "offer_pending": return `${ruling.side} offers a draw`;
    case "offer_refused": return `the offer of ${ruling.side} does not stand`;
    case "game_over": return `${ruling.outcome.result} ${ruling.outcome.reason.replaceAll("_", " ")}${ruling.outcome.detail ? ": " + ruling.outcome.detail : ""}${by}`;
    default: return ruling.ruling;
  }
}
