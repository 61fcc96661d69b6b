"""What records cost: games a second of `export` from a journal, and `check` of an archive beside pgn-extract, whose `-r` reads and plays every
game and writes nothing. tests/tools/make_records.cpp makes the games; the runs alternate and the quickest of each counts, in wall time and in
processor time."""
import os
import pathlib
import shutil
import subprocess
import time


def build_tool(build):
    subprocess.run(["cmake", "--build", build, "--target", "make_records"], check=True, stdout=subprocess.DEVNULL)
    return build / "make_records"


def timed(command):
    """(wall seconds, processor seconds of the child)"""
    before = os.times()
    start = time.monotonic()
    subprocess.run([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = os.times()
    return (time.monotonic() - start, after.children_user + after.children_system - before.children_user - before.children_system)


def quickest(runs, commands):
    """{name: (wall, processor)}, the runs interleaved."""
    found = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(timed(command))
    return {name: (min(wall for wall, _ in times), min(cpu for _, cpu in times)) for name, times in found.items()}


def pgn_extract():
    return shutil.which("pgn-extract") or (pathlib.Path("/usr/games/pgn-extract") if pathlib.Path("/usr/games/pgn-extract").exists() else None)


def measure(binary, build, scratch, games, runs):
    """[(what, games, wall, processor, games/s, MB/s or None)]"""
    tool = build_tool(build)
    rows = []
    for plies in (20, 80):
        journal = scratch / f"journal-{plies}.sqlite"
        subprocess.run([tool, "journal", journal, str(games), str(plies)], check=True)
        for form in ("pgn", "epd", "csv"):
            wall, cpu = quickest(runs, {"export": [binary, "export", journal, f"--{form}", scratch / f"out.{form}"]})["export"]
            rows.append((f"export --{form}, games of {plies} half-moves", games, wall, cpu, games / wall, None))
        journal.unlink()
    archive = scratch / "archive.pgn"
    count = games * 2 // 5
    subprocess.run([tool, "pgn", archive, str(count), "120"], check=True)
    size = archive.stat().st_size / 1e6
    commands = {"check": [binary, "check", archive], "check --threads 1": [binary, "check", "--threads", "1", archive]}
    if pgn_extract():
        commands["pgn-extract -r"] = [pgn_extract(), "-r", "--quiet", archive]
    for name, (wall, cpu) in quickest(runs, commands).items():
        rows.append((f"{name}, archive of {size:.0f} MB", count, wall, cpu, count / wall, size / wall))
    return rows
