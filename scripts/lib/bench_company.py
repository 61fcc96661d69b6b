"""What bad company does to games: an engine that misbehaves in another game, and a processor hog on part of a match."""
import datetime
import json
import math
import os
import shutil
import statistics
import time

import bench_facts
import bench_measure
import bench_runners
from bench_frame import Spinners, print_table, processors, ratio, text_of

OFFENDERS = ("endless_flood", "stderr_flood", "line_of_100_mb", "info_flood", "spin")
GOAL = 1.5


def taskset(cpu):
    return [shutil.which("taskset"), "-c", str(cpu)] if shutil.which("taskset") and len(processors()) > 1 else []


def neighbour_section(bench):
    """lateness in other games beside an engine that misbehaves, and without it; goal 1.5x"""
    cores = processors()
    games = bench.games_each or 8
    if not taskset(cores[-1]):
        print("\n  one core, or no taskset: the offender has no core of its own, which is what the goal asks for")
    found = {}
    for _ in range(bench.runs):
        for offender in (None, *OFFENDERS):
            found.setdefault(offender, []).extend(neighbour_run(bench, offender, games, cores))
    lines = []
    for offender, lags in found.items():
        cells = [offender or "none (an ordinary third engine)", len(lags)]
        for share in (0.5, 0.9, 0.99):
            own, quiet = (bench_measure.quantile(sorted(values), share) for values in (lags, found[None]))
            cells += [text_of(own), ratio(own, quiet)]
        lines.append([*cells, text_of(max(lags, default=None))])
    print_table(f"The hostile neighbour: lateness in the games of two other engines, microseconds, sum of {bench.runs} runs (goal: within {GOAL}x)",
                ["offender", "moves beside it", "p50", "of none", "p90", "of none", "p99", "of none", "max"], lines)
    print("  From the kernel's stamp of an answer to the next `go`, by the journal, of moves that fell while the third engine played.\n"
          "  The third engine is held to the last core, all else to the others.")


def neighbour_run(bench, offender, games, cores):
    """Lateness in microseconds in games of the other two, while the third engine played."""
    third = [str(bench.engine)] if offender is None else [str(bench.hostile), "--only", offender, "--rate", "100"]
    third = [*taskset(cores[-1]), *third]
    observed = {"command": str(bench.engine), "clock_stamp": "kernel"}
    plan = {"time_control": "30+0.3", "schedule": {"kind": "round-robin", "games_per_pairing": games},
            "openings": {"file": str(bench_runners.BOOK), "order": "sequential"}, "concurrency": 4,
            "faults": {"withdraw_after": None},
            "engines": [{"name": "A", **observed, "options": {"Seed": 1}}, {"name": "B", **observed, "options": {"Seed": 2}},
                        {"name": "Third", "command": third[0], "arguments": third[1:], "protocol": "uci", "time_control": "3+0.01", "memory": "512MB",
                         "timeouts": {"stop": "300ms", "quit": "300ms"}}],
            "output": {"folder": str(bench.folder / "results")}}

    def command(job):
        (job.folder / "match.yaml").write_text(json.dumps(plan))  # JSON is YAML
        return [bench.binary, "run", job.folder / "match.yaml"]

    rest = ",".join(str(cpu) for cpu in cores[:-1])
    row = bench_measure.run(command, bench.job(4, games, sleep_us=20000), limit_s=600, prefix=taskset(rest) if rest else [])
    if row["timed_out"]:
        raise SystemExit(f"scripts/bench: the match beside {offender} did not end: {row['output'][-500:]}")
    attempts = [game for game in bench_facts.games_of(bench.journal) if game.ended]
    own = [game for game in attempts if "Third" not in (game.white, game.black)]
    others = [(seconds_of(game.started), seconds_of(game.ended)) for game in attempts if game not in own]
    return lags_beside(own, others)


def lags_beside(games, spans):
    """Microseconds, of the moves that fell into one of the spans."""
    return [lag * 1e3 for game in games for lag, at in zip(game.lags, game.lags_at)
            if any(begin <= seconds_of(game.started) + at / 1e3 <= end for begin, end in spans)]


def seconds_of(instant):
    return datetime.datetime.fromisoformat(instant.replace("Z", "+00:00")).timestamp()


def overlap(span, others):
    """Seconds of `span` that at least one of `others` covers."""
    covered, at = 0.0, span[0]
    for begin, end in sorted(others):
        begin, end = max(begin, at), min(end, span[1])
        if end > begin:
            covered += end - begin
            at = end
    return covered


class HogBySpells:
    """Hogs that come and go; `spells` are their wall-clock times."""

    def __init__(self, spinners, seconds):
        self.spinners, self.seconds, self.spells, self.began = spinners, seconds, [], time.monotonic()

    def __call__(self, _pid):
        wanted = int((time.monotonic() - self.began) / self.seconds) % 2 == 1
        if wanted and not self.spinners.processes:
            self.spinners.start()
            self.spells.append([time.time(), None])
        elif not wanted:
            self.end()

    def end(self):
        if self.spinners.processes:
            self.spinners.stop()
            self.spells[-1][1] = time.time()


def hog_section(bench):
    """an engine against itself, with a processor hog on part of the games"""
    cores = processors()
    games = bench.games_each or 40
    stockfish = shutil.which("stockfish", path=os.environ.get("PATH", "") + ":/usr/games")
    engine = {"command": stockfish or str(bench.engine), "options": {"Hash": 16}}
    plan = {"time_control": "1+0.02", "schedule": {"kind": "match", "games": games},
            "openings": {"file": str(bench_runners.BOOK), "order": "sequential", "repeat": True}, "concurrency": max(1, len(cores) - 1),
            "faults": {"withdraw_after": None},
            "engines": [{"name": "A", **engine}, {"name": "B", **engine}], "output": {"folder": str(bench.folder / "results")}}

    def command(job):
        (job.folder / "match.yaml").write_text(json.dumps(plan))
        return [bench.binary, "run", job.folder / "match.yaml"]

    with Spinners(2 * len(cores)) as spinners:
        spinners.stop()
        hog = HogBySpells(spinners, 10.0)
        row = bench_measure.run(command, bench.job(1, games, sleep_us=5000), limit_s=60 + games * 30, watch=hog)
        hog.end()
    if row["timed_out"]:
        raise SystemExit(f"scripts/bench: the match did not end: {row['output'][-500:]}")
    attempts = [game for game in bench_facts.games_of(bench.journal, 1020.0) if game.ended]
    print_table(f"{'Stockfish' if stockfish else 'The instant engine'} against itself, {games} games at {plan['time_control']}, "
                f"{2 * len(cores)} hogs on {len(cores)} cores for 10 of every 20 seconds",
                ["games", "count", "flagged host_busy", "flag falls", "inside the lateness", "annulled", "score of A", "sigmas"],
                [hog_line(label, [g for g in attempts if chosen(hit_share(g, hog.spells))])
                 for label, chosen in (("all", lambda share: True), ("more than a third under the hog", lambda share: share > 1 / 3),
                                       ("some of it", lambda share: 0 < share <= 1 / 3), ("none of it", lambda share: share == 0))])
    print("  Inside the lateness: lost by an answer that came behind the flag by less than the referee's own lateness in that game (goal: 0).")


def hit_share(game, spells):
    span = (seconds_of(game.started), seconds_of(game.ended))
    return overlap(span, spells) / max(span[1] - span[0], 1e-9)


def hog_line(label, games):
    counted = [game for game in games if not game.annulled and game.white_score is not None]
    points = [game.white_score if game.white == "A" else 1 - game.white_score for game in counted]
    return [label, len(games), sum("host_busy" in game.warnings for game in games), sum(game.on_time for game in counted),
            sum(inside_lateness(game) for game in counted), sum(game.annulled for game in games),
            f"{sum(points):g} of {len(points)}", sigmas(points)]


def inside_lateness(game):
    return game.on_time and game.behind_flag is not None and game.behind_flag <= max(game.lags, default=0.0)


def sigmas(points):
    """How far the sum is from one half a game, in standard deviations of the sample."""
    if len(points) < 2 or (deviation := statistics.stdev(points)) == 0:
        return "-"
    return f"{(statistics.fmean(points) - 0.5) / (deviation / math.sqrt(len(points))):+.2f}"
