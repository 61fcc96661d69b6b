"""What a match left: the moves, lateness and ends of games in a journal, and the times that other runners write into their PGN."""
import collections
import dataclasses
import json
import re
import sqlite3

TAG = re.compile(r'^\[(\w+) "(.*)"\]$', re.M)
GAME = re.compile(r'(?m)(?<!\]\n)^(?=\[\w+ ")')  # a tag with no tag before it
COMMENT = re.compile(r"\{([^{}]*)\}")
CHARGED = re.compile(r"[-+\w.#]+/\d+ (\d+(?:\.\d+)?)(ms|s)\b")
ON_TIME = re.compile(r"time forfeit|(?:loses|loss|forfeits?|lost) on time")


@dataclasses.dataclass
class Game:
    """An attempt at a game. Times in milliseconds."""
    number: int
    white: str
    black: str
    reason: str = None
    annulled: bool = False
    white_score: float = None
    started: str = None            # UTC
    ended: str = None
    used: list = dataclasses.field(default_factory=list)   # of each move that an engine made
    lags: list = dataclasses.field(default_factory=list)   # from each answer to the next `go`
    lags_at: list = dataclasses.field(default_factory=list)  # and when, since the game began
    behind_flag: float = None      # of an answer that came behind its flag: by how much
    warnings: list = dataclasses.field(default_factory=list)

    @property
    def on_time(self):
        return self.reason in ("flag_fall", "flag_fall_unwinnable")


def games_of(journal, first_left_ms=None):
    """All attempts in the order in which they were begun; those that never ended have no reason. `first_left_ms`: on a clock at the start."""
    if not journal.exists():
        return []  # the run failed, which was said
    connection = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
    found, facts = {}, collections.defaultdict(list)
    for row in connection.execute("SELECT id, game, white, black, reason, annulled, white_score, started, ended FROM games ORDER BY id"):
        found[row[0]] = Game(row[1], row[2], row[3], row[4], bool(row[5]), row[6], row[7], row[8])
    for game_id, part in connection.execute("SELECT game_id, facts FROM events ORDER BY game_id, part"):
        facts[game_id] += [whole(fact) for fact in json.loads(part)]
    for game_id, kind in connection.execute("SELECT game_id, kind FROM warnings WHERE game_id IS NOT NULL"):
        found[game_id].warnings.append(kind)
    connection.close()
    for game_id, game in found.items():
        add_facts(game, facts[game_id], first_left_ms)
    return list(found.values())


def whole(fact):
    """A turn as the journal keeps it short (referee/record/turn_text.hpp), in the form of the other events: what is asked of it here."""
    if isinstance(fact, dict):
        return fact
    side = "white" if fact[0].startswith("w") else "black"
    if len(fact) == 2:
        return {"event": "turn_started", "side": side, "at_ms": fact[1] / 1e6}
    in_ms = [None if time is None else time / 1e6 for time in (fact[1], *fact[4:7])]
    return {"event": "move_received", "side": side, "at_ms": in_ms[0], "referee_lag_ms": in_ms[3],
            "rulings": [{"ruling": "move_accepted", "side": side, "used_ms": in_ms[1], "remaining_ms": in_ms[2]}]}


def add_facts(game, facts, first_left_ms=None):
    left, began = {}, 0.0
    for fact in facts:
        if fact.get("event") == "turn_started":
            began = fact["at_ms"]
        if fact.get("event") != "move_received" or fact.get("book"):
            continue
        if fact.get("referee_lag_ms") is not None:
            game.lags.append(fact["referee_lag_ms"])
            game.lags_at.append(fact["at_ms"])
        for ruling in fact.get("rulings", []):
            if ruling["ruling"] == "move_accepted":
                game.used.append(ruling["used_ms"])
                left[ruling["side"]] = ruling["remaining_ms"]
            elif ruling.get("decision") == "flag_fall":
                allowed = left.get(fact["side"], first_left_ms)
                game.behind_flag = None if allowed is None else fact["at_ms"] - began - allowed


def pgn_games(text):
    """[(tags, milliseconds charged for each move)] of a runner that comments moves as `{+0.10/1 0.021s}`."""
    games = []
    for part in GAME.split(text):
        if part.startswith("["):
            body = TAG.sub("", part).replace("\n", " ")
            charged = [CHARGED.search(comment) for comment in COMMENT.findall(body)]
            games.append((dict(TAG.findall(part)), [float(m[1]) * (1 if m[2] == "ms" else 1000) for m in charged if m]))
    return games


def losses_on_time(text):
    """Games of a PGN that ended on time, by tag or by comment."""
    return sum(1 for part in GAME.split(text) if part.startswith("[") and ON_TIME.search(part))
