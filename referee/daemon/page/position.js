// A board that plays moves in UCI text, enough to follow a game that the referee has judged: it never has to know what is legal.
const files = "abcdefgh";

export function squareIndex(name) {
  return (name.charCodeAt(1) - 49) * 8 + name.charCodeAt(0) - 97;
}

export class Position {
  constructor(fen) {
    const [placement, side] = fen.split(" ");
    this.squares = new Array(64).fill(null);
    this.white = side !== "b";
    let rank = 7, file = 0;
    for (const c of placement) {
      if (c === "/") { rank--; file = 0; }
      else if (c >= "1" && c <= "8") file += Number(c);
      else if (c !== "~") this.squares[rank * 8 + file++] = c;
    }
  }

  play(uci) {
    const from = squareIndex(uci), to = squareIndex(uci.slice(2));
    const man = this.squares[from];
    this.white = !this.white;
    if (man === null) return;
    const kind = man.toLowerCase(), target = this.squares[to];
    const castles = kind === "k" && (Math.abs(to - from) === 2 && (from & 7) === 4 ||
      target !== null && target.toLowerCase() === "r" && (target === "R") === (man === "K"));
    if (castles) return this.castle(from, to, target, man);
    if (kind === "p" && (from & 7) !== (to & 7) && target === null) this.squares[to + (man === "P" ? -8 : 8)] = null;
    this.squares[from] = null;
    const promoted = uci[4];
    this.squares[to] = promoted ? (man === "P" ? promoted.toUpperCase() : promoted) : man;
  }

  castle(from, to, target, king) {
    const right = to > from, home = from & 56;
    const rook = king === "K" ? "R" : "r";
    let rookFrom = to;
    if (target === null) {  // the king's own move was written: its rook is the outermost one of that side
      rookFrom = right ? home + 7 : home;
      while (this.squares[rookFrom] !== rook && rookFrom !== from) rookFrom += right ? -1 : 1;
    }
    this.squares[from] = null;
    this.squares[rookFrom] = null;
    this.squares[home + (right ? 6 : 2)] = king;
    this.squares[home + (right ? 5 : 3)] = rook;
  }

  placement() {
    const ranks = [];
    for (let rank = 7; rank >= 0; rank--) {
      let text = "", empty = 0;
      for (let file = 0; file < 8; file++) {
        const man = this.squares[rank * 8 + file];
        if (man === null) { empty++; continue; }
        if (empty) text += empty;
        empty = 0;
        text += man;
      }
      ranks.push(text + (empty || ""));
    }
    return ranks.join("/");
  }

  // For a screen reader: "white Ke1 Qd1 pawns a2 b2, black ..."
  words() {
    const sides = {white: [], black: []};
    this.squares.forEach((man, i) => {
      if (man === null) return;
      const name = files[i & 7] + ((i >> 3) + 1);
      const upper = man.toUpperCase();
      sides[man === upper ? "white" : "black"].push((upper === "P" ? "" : upper) + name);
    });
    return `White: ${sides.white.join(" ")}. Black: ${sides.black.join(" ")}. ${this.white ? "White" : "Black"} to move.`;
  }
}
