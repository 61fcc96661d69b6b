#!/usr/bin/env python3
"""A tournament of ten real engines of both protocols that is killed a hundred times, loses engines and runs out of disk in between.

usage: kill_tournament.py PROGRAM FOLDER [--kills N] [--games-per-pairing N] [--seed N]

At the end every planned game stands in the journal and in the PGN exactly once, with the players, colours and opening that `schedule` had
told before the first start; the journal replays and the PGN is read by pgn-extract. The full disk needs root (a small file system of its
own); without it that part is left out, and said so. Fails with the first thing that is not so.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MATCH = """event: Killed and continued
time_control: 0.3+0.005
schedule: {{kind: round-robin, games_per_pairing: {games}}}
openings: {{file: {openings}, order: random, seed: 11}}
concurrency: 2
adjudication:
  draw:   {{move_number: 20, move_count: 4, score: 30}}
  resign: {{move_count: 2, score: 500}}
  max_moves: 60
faults: {{withdraw_after: 100000}}
defaults: {{time_margin: 300ms}}
engines:
  - {{name: Stockfish, command: stockfish, options: {{Hash: 16}}}}
  - {{name: Ethereal,  command: ethereal-chess, options: {{Hash: 16}}}}
  - {{name: Toga,      command: toga2}}
  - {{name: Glaurung,  command: glaurung}}
  - {{name: GNU Chess, command: gnuchess, arguments: [--xboard], protocol: xboard}}
  - {{name: Fairy-Max, command: fairymax, protocol: xboard}}
  - {{name: Sjeng,     command: sjeng, protocol: xboard}}
  - {{name: Phalanx,   command: phalanx, protocol: xboard}}
  - {{name: HoiChess,  command: hoichess, arguments: [-x], protocol: xboard}}
  - {{name: Sjaak II,  command: sjaakii, arguments: [-xboard], protocol: xboard}}
output: {{folder: {results}}}
"""
LONGEST_S = 1800


def children_of(pid):
    try:
        return [int(text) for text in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def descendants_of(pid):
    found = []
    for child in children_of(pid):
        found += [child, *descendants_of(child)]
    return found


class SmallDisk:
    """A file system of its own in memory that can be filled and emptied. Without root: the folder itself, never full."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True)
        self.mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=96m", "referee-small-disk", folder], stderr=subprocess.DEVNULL).returncode == 0

    def fill(self):
        if not self.mounted:
            return False
        free = os.statvfs(self.folder)
        with (self.folder / "filler").open("wb") as file:
            try:
                os.posix_fallocate(file.fileno(), 0, max(free.f_bavail * free.f_bsize, 1))
            except OSError:
                pass
        return True

    def empty(self):
        (self.folder / "filler").unlink(missing_ok=True)

    def close(self):
        if self.mounted:
            subprocess.run(["umount", "-l", self.folder], check=False)


def planned_games(program, match):
    games = json.loads(subprocess.run([program, "schedule", match, "--json"], capture_output=True, text=True, check=True).stdout)
    return {game["number"]: (game["white"], game["black"], game["fen"], tuple(game["moves"])) for game in games}


def recorded_games(journal):
    """Number -> (white, black, start, opening moves) of each counted game; fails if a game has ended twice."""
    database = sqlite3.connect(f"file:{journal}?mode=ro", uri=True)
    found = {}
    for number, white, black, start in database.execute(
            "SELECT game, white, black, start FROM games WHERE ended IS NOT NULL AND counted = 1 AND voided = 0"):
        assert number not in found, f"game {number} counts twice"
        setup = json.loads(start)
        setup = setup.get("setup", setup)
        found[number] = (white, black, setup.get("start") or setup.get("fen"), tuple(setup.get("opening_moves", [])))
    return found


def run(options, disk):
    random.seed(options.seed)
    print(f"seed {options.seed}; " + ("the disk is filled in between" if disk.mounted else "not root: the disk is never full"))
    match = options.folder / "match.yaml"
    match.write_text(MATCH.format(games=options.games_per_pairing, openings=SOURCE / "matches/openings/theory.pgn", results=options.folder / "results"))
    plan = planned_games(options.program, match)
    counts = collections.Counter()
    start = time.monotonic()
    complete = False
    with (options.folder.parent / (options.folder.name + ".log")).open("wb") as log:
        while not complete:
            assert time.monotonic() - start < LONGEST_S, "the tournament does not come to its end"
            referee = subprocess.Popen([options.program, "run", match], stdout=log, stderr=log, stdin=subprocess.DEVNULL)
            if counts["kills"] >= options.kills:
                try:
                    assert referee.wait(LONGEST_S) == 0, f"the last run ended with {referee.returncode}; see {log.name}"
                finally:
                    referee.kill()
                break
            until = time.monotonic() + random.uniform(0.4, 3.0)
            was_full = False
            while time.monotonic() < until and referee.poll() is None:
                time.sleep(random.uniform(0.05, 0.6))
                deed = random.random()
                if deed < 0.15 and (engines := [pid for pid in descendants_of(referee.pid) if not children_of(pid)]):
                    try:
                        os.kill(random.choice(engines), signal.SIGKILL)
                        counts["engines"] += 1
                    except ProcessLookupError:
                        pass
                elif deed < 0.25 and disk.fill():
                    time.sleep(random.uniform(0.1, 1.0))
                    counts["full disks"] += 1
                    was_full = True
                    if random.random() < 0.5:
                        disk.empty()  # else the referee is killed while it waits for room
            if referee.poll() is None:
                referee.kill()
                counts["kills"] += 1
            elif referee.returncode == 2 and was_full:
                counts["refused starts"] += 1  # there was no room to set the match up
            else:
                assert referee.returncode == 0, f"a run ended with {referee.returncode}; see {log.name}"
                complete = True
            referee.wait()
            disk.empty()
    print(f"{counts['kills']} kills of the referee, {counts['engines']} of engines, {counts['full disks']} full disks, {counts['refused starts']} starts without room, "
          f"{time.monotonic() - start:.0f} s")
    assert counts["kills"] >= options.kills, "the tournament was over before it had been killed as often as was asked: more games are needed"

    journal = options.folder / "results/match.sqlite"
    recorded = recorded_games(journal)
    assert recorded.keys() == plan.keys(), f"not played: {sorted(plan.keys() - recorded.keys())}, not planned: {sorted(recorded.keys() - plan.keys())}"
    for number, game in plan.items():
        assert recorded[number] == game, f"game {number} is {recorded[number]}, planned was {game}"
    assert planned_games(options.program, match) == plan, "the plan is another one than before"

    pgn = (options.folder / "results/games.pgn").read_text()
    tags = collections.Counter(re.findall(r'\[White "(.*)"\]\n\[Black "(.*)"\]', pgn))
    assert tags == collections.Counter(game[:2] for game in plan.values()), "the PGN does not hold each game once"
    subprocess.run([options.program, "replay", journal], check=True, stdout=subprocess.DEVNULL)
    extract = subprocess.run(["pgn-extract", "-r", options.folder / "results/games.pgn"], capture_output=True, text=True,
                             env={**os.environ, "PATH": os.environ["PATH"] + ":/usr/games"})
    assert re.search(rf"\b{len(plan)} games? matched out of {len(plan)}\b", extract.stderr), extract.stderr[-500:]
    print(f"{len(plan)} games, each once, as planned; the journal replays, pgn-extract reads all")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("program", type=pathlib.Path)
parser.add_argument("folder", type=pathlib.Path)
parser.add_argument("--kills", type=int, default=100)
parser.add_argument("--games-per-pairing", type=int, default=8)
parser.add_argument("--seed", type=int, default=int(time.time()))
arguments = parser.parse_args()
arguments.program = arguments.program.resolve()
arguments.folder = arguments.folder.resolve()
disk = SmallDisk(arguments.folder)
try:
    run(arguments, disk)
except (AssertionError, subprocess.SubprocessError) as error:
    sys.exit(f"kill_tournament: {error}")
finally:
    disk.close()
