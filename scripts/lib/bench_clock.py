"""Is the clock fair? What is charged beside what engines used by their own stamps, games lost although the engine was in time, and which
setting of the referee is the fairest on a busy host."""
import collections
import shutil
import statistics
import struct

import bench_facts
import bench_measure
from bench_frame import Spinners, print_table, processors, text_of


def used_us(answers):
    """By the engines' own stamps, from reading `go` to writing the answer, in the order of the answers."""
    return [(when - go) / 1e3 for when, _, _, go in sorted(answers)]


def charged_us(name, bench):
    """What the runner charged, in the same order, where one game was played at a time. None if it does not tell."""
    if name == "referee":
        return [ms * 1e3 for game in bench_facts.games_of(bench.journal) for ms in game.used]
    if (bench.folder / "charged").exists():
        return [ns / 1e3 for (ns,) in struct.iter_unpack("<Q", (bench.folder / "charged").read_bytes())]
    pgn = bench.folder / "games.pgn"
    return [ms * 1e3 for _, charged in bench_facts.pgn_games(pgn.read_text(errors="replace")) for ms in charged] if pgn.exists() else None


def errors_us(name, bench):
    """Charged minus used, sorted; None where the two cannot be laid beside each other."""
    charged = charged_us(name, bench)
    used = used_us(bench_measure.read_logs(bench.logs)[1])
    if name.startswith("floor"):
        used = used[:len(charged)]  # it ends in the midst of a game
    if not charged or len(charged) != len(used):
        return None
    return sorted(c - u for c, u in zip(charged, used))


def summary(errors):
    if not errors:
        return ["-"] * 5
    quantile = bench_measure.quantile
    return [text_of(value) for value in (quantile(errors, 0.5), statistics.fmean(errors), quantile(errors, 0.01), quantile(errors, 0.99), errors[-1])]


ERROR_HEAD = ["median us", "mean (bias)", "p1", "p99", "max"]


def clock_section(bench):
    """charged minus used: a game at a time, engines that sleep a known time"""
    for sleep_ms, games in ((0, 40), (1.5, 6), (5.25, 4), (20.75, 2)):
        games = bench.games_each or games
        names = [name for name in bench.runners if name != "floor-dumb"]
        found = collections.defaultdict(list)
        for _ in range(bench.runs):
            for name in names:
                for label, keys in settings_of(name):
                    bench.run(name, bench.job(1, games, sleep_us=int(sleep_ms * 1000), engine_keys=keys))
                    found[label] += errors_us(name, bench) or []
        print_table(f"Clock error with engines that sleep {sleep_ms:g} ms: charged minus used, microseconds", ["runner", "moves", *ERROR_HEAD],
                    [[label, len(errors), *summary(sorted(errors))] for label, errors in found.items()])


def settings_of(name):
    if name != "referee":
        return [(name, "")]
    return [("referee", ""), ("referee, stamped by kernel", ", clock_stamp: kernel")]


def last_words(goes, answers, horizon_s):
    """Answers that led nowhere: no other engine was asked in the position. They ended a game, on the board or on time.
    [(used ms, ms since the opponent's answer or None)]"""
    asked = collections.defaultdict(list)
    for when, key, log in goes:
        asked[key].append((when, log))
    answered = collections.defaultdict(list)
    for when, key, log, _ in answers:
        answered[key].append((when, log))
    key_of_go = {(log, when): key for when, key, log in goes}
    found = []
    for when, key, log, go in answers:
        if any(other != log and 0 <= at - when < horizon_s * 1e9 for at, other in asked[key]):
            continue
        before = [go - at for at, other in answered[key_of_go.get((log, go))] if other != log and 0 <= go - at < horizon_s * 1e9]
        found.append(((when - go) / 1e6, (when - go + min(before)) / 1e6 if before else None))
    return found


def strange_goes(goes, answers, horizon_s):
    """How often an engine was asked in a position that no other engine's answer led to: once a game, at its start, and wherever a runner
    describes a position otherwise than its engines do."""
    answered = collections.defaultdict(list)
    for when, key, log, _ in answers:
        answered[key].append((when, log))
    return sum(1 for when, key, log in goes if not any(other != log and 0 <= when - at < horizon_s * 1e9 for at, other in answered[key]))


def movetime_section(bench):
    """hard 50 ms a move, 64 engines that sleep 20 ms: who lost on time, and whose fault it was"""
    at_once, limit_ms, sleep_ms = (bench.at_once or [64])[0], 50, 20
    games = bench.games_each or 2 * at_once
    rows = []
    for _ in range(bench.runs):
        for name in [n for n in bench.runners if not n.startswith("floor")]:
            row = bench.run(name, bench.job(at_once, games, sleep_us=sleep_ms * 1000, move_seconds=limit_ms / 1e3))
            rows.append((name, row, *blame(name, bench, limit_ms)))
    names = list(dict.fromkeys(row[0] for row in rows))
    lines = []
    for name in names:
        own = [row for row in rows if row[0] == name]
        lines.append([name, sum(row[1].get("games") or 0 for row in own), *[sum(row[i] for row in own) for i in range(2, 6)],
                      text_of(statistics.median(row[1].get("gap_p99_us") or 0 for row in own))])
    print_table(f"Hard limit of {limit_ms} ms a move, {at_once} games at once, engines that sleep {sleep_ms} ms, sum of {bench.runs} runs",
                ["runner", "games", "lost on time", "engine in time by its stamps", "and since the opponent's answer", "annulled", "gap p99 us"], lines)
    print("  Second count: forfeits whose answer was written within the limit of its `go`; third: even within the limit of the opponent's\n"
          "  answer, so that the runner alone can be the cause. The others waited for a core. Annulled: attempts that were played again.")


def blame(name, bench, limit_ms):
    """(lost on time, of these with an engine in time, of these surely the runner's, annulled attempts)"""
    goes, answers = bench_measure.read_logs(bench.logs)
    last = last_words(goes, answers, 2.0)
    annulled = 0
    if name == "referee":
        games = bench_facts.games_of(bench.journal)
        annulled = sum(1 for game in games if game.annulled)
        played, lost = len(games), sum(1 for game in games if game.on_time and not game.annulled)
    else:
        text = (bench.folder / "games.pgn").read_text(errors="replace") if (bench.folder / "games.pgn").exists() else ""
        played, lost = len(bench_facts.pgn_games(text)), bench_facts.losses_on_time(text)
    others = played - lost + max(0, strange_goes(goes, answers, 2.0) - played)  # last answers that were in time, and seeming ones
    in_time = sum(1 for used, _ in last if used <= limit_ms)
    surely = sum(1 for _, total in last if total is not None and total <= limit_ms)
    return lost, *[min(lost, max(0, count - others)) for count in (in_time, surely)], annulled


def fairness_section(bench):
    """the referee's settings on a busy host: kernel stamps, real-time priority, a core kept free"""
    cores = processors()
    games = bench.games_each or 40
    ordinary = [shutil.which("setpriv"), "--bounding-set", "-sys_nice"] if shutil.which("setpriv") else None
    settings = []
    for stamp in ("arrival", "kernel"):
        for priority in ("ordinary", "real-time"):
            for free in ("no", "yes") if len(cores) > 1 else ("no",):
                settings.append((stamp, priority, free))
    found = collections.defaultdict(list)
    lags = collections.defaultdict(list)
    for _ in range(bench.runs):
        for setting in settings:
            stamp, priority, free = setting
            prefix = ordinary if priority == "ordinary" else []
            if prefix is None:
                continue
            keys = f", clock_stamp: {stamp}"
            lines = f"pin: [{', '.join(str(cpu) for cpu in cores[1:])}]\n" if free == "yes" else ""
            hogs = ",".join(str(cpu) for cpu in (cores[1:] if free == "yes" else cores))
            with Spinners(len(cores) - (free == "yes"), hogs):
                bench.run("referee", bench.job(1, games, sleep_us=2000, engine_keys=keys, lines=lines), prefix=prefix, limit_s=1200)
            found[setting] += errors_us("referee", bench) or []
            lags[setting] += [ms * 1e3 for game in bench_facts.games_of(bench.journal) for ms in game.lags]
    rows = []
    for setting, errors in found.items():
        errors.sort()
        lag = sorted(lags[setting])
        rows.append([*setting, len(errors), *summary(errors), text_of(bench_measure.quantile(lag, 0.5)), text_of(bench_measure.quantile(lag, 0.99))])
    print_table(f"Fairness on a host with a busy core for each processor, {games} games each, engines that sleep 2 ms: charged minus used, microseconds",
                ["stamp", "priority", "core kept free", "moves", *ERROR_HEAD, "lag p50 us", "p99"], rows)
    if found:
        fairest = min((setting for setting in found if found[setting]), key=lambda s: statistics.fmean(abs(e) for e in found[s]), default=None)
        if fairest:
            print(f"  fairest by the mean of the absolute error: {fairest[0]} stamps, {fairest[1]} priority, core kept free: {fairest[2]}")
    print("  The error holds what the engine itself waits for a core between `go` and its first stamp: the referee has no part in that.")
