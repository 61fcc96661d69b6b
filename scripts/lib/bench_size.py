"""What grows with the number of games: starting and ending, a thousand games at once; and what the record costs."""
import os
import pathlib
import resource
import shutil
import tempfile

import bench_measure
from bench_frame import median, print_table, text_of

FILES_A_GAME = 12  # of the referee: two engines, five descriptors each and a sixth while one starts
PROCESSES_A_GAME = 6  # an engine with the two that keep its namespace


def ends_section(bench):
    """start-up (to the first `go`) and shut-down (from the last answer to the exit)"""
    for at_once in bench.at_once or [1, 8, 64]:
        games = bench.games_each or at_once
        rows = {name: [] for name in bench.runners if not name.startswith("floor")}
        for _ in range(bench.runs):
            for name, found in rows.items():
                found.append(bench.run(name, bench.job(at_once, games)))
        print_table(f"Start and end of a match of {games} games, {at_once} at once, engines that answer at once, median of {bench.runs}, seconds",
                    ["runner", "to the first go", "of the play", "from the last answer", "start to exit"],
                    [[name, *[text_of(median(found, key), 3) for key in ("before", "span", "after", "wall")]] for name, found in rows.items()])


def fitting(at_once):
    """How many games this host's limits allow, and a word if that is fewer."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    processes = [resource.getrlimit(resource.RLIMIT_NPROC)[1], int(pathlib.Path("/proc/sys/kernel/pid_max").read_text())]
    threads = min(n for n in processes if n != resource.RLIM_INFINITY)
    most = min((hard - 100) // FILES_A_GAME, (threads - 500) // PROCESSES_A_GAME)
    if most < at_once:
        print(f"  the limits of this host ({hard} open files, {threads} processes) allow {most} games at once instead of {at_once}")
    return min(at_once, most)


def many_section(bench):
    """a thousand games at once on one thread"""
    for wanted in bench.at_once or [1000]:
        at_once = fitting(wanted)
        sleep_us = max(20000, at_once * 200)  # so that the cores can follow
        games = bench.games_each or at_once
        rows = {}
        for name in bench.runners:
            if name != "floor-uci":
                rows[name] = bench.run(name, bench.job(at_once, games, sleep_us=sleep_us, seconds=120.0), limit_s=900)
        lines = [[name, text_of(row.get("games"), 0), text_of(row["moves"], 0), text_of(row.get("moves_per_s"), 0), text_of(row.get("cpu_us")),
                  text_of(row.get("gap_p50_us")), text_of(row.get("gap_p99_us")), text_of((row.get("gap_max_us") or 0) / 1e3), row["threads"],
                  row["descriptors"], text_of(row["memory_mb"]), text_of(row.get("before")), text_of(row.get("after"))] for name, row in rows.items()]
        print_table(f"{at_once} games at once, engines that think {sleep_us / 1000:g} ms (at most {at_once * 1e6 / sleep_us:.0f} moves a second)",
                    ["runner", "games", "moves", "moves/s", "CPU us/move", "gap p50 us", "p99 us", "max ms", "threads", "files", "MB", "start s", "end s"],
                    lines)


class ThreadTimes:
    """Processor time of each thread of a process, as last seen: [user + system seconds by name]."""

    def __init__(self):
        self.seconds = {}

    def __call__(self, pid):
        for task in pathlib.Path(f"/proc/{pid}/task").glob("*"):
            try:
                text = (task / "schedstat").read_text()
                self.seconds[int(task.name) - pid] = int(text.split()[0]) / 1e9
            except (OSError, ValueError):
                pass


def record_section(bench):
    """what the record costs: processor time by thread and bytes a move, on a disk and in memory"""
    games = bench.games_each or 300
    own = bench.folder
    places = [("journal and PGN, on this disk", own, "")]
    if os.access("/dev/shm", os.W_OK):
        places.append(("the same, in memory", pathlib.Path(tempfile.mkdtemp(prefix="referee-bench-", dir="/dev/shm")), ""))
    places += [("with every line of both protocols", own, ", protocol_log: true"), ("with events and live games", own, ", events: events.jsonl, live: live.pgn")]
    found = {label: [] for label, _, _ in places}
    try:
        for _ in range(bench.runs):
            for label, folder, output in places:
                found[label].append(record_run(bench, folder, output, games))
    finally:
        for _, folder, _ in places:
            if folder != own:
                shutil.rmtree(folder, ignore_errors=True)
    print_table(f"The cost of the record: {games} games one at a time, engines that answer at once, median of {bench.runs}",
                ["what is written", "CPU us/move", "games' thread", "other threads", "games/s", "journal B/move", "PGN B/move", "all B/move"],
                [[label, *[text_of(median(rows, key)) for key in ("cpu_us", "main_us", "others_us", "games_per_s", "journal", "pgn", "all")]]
                 for label, rows in found.items()])
    print("  The games' thread only hands facts over; the journal is written by others. Threads are looked at every 20 ms: the last moments are missing.")


def record_run(bench, folder, output, games):
    times = ThreadTimes()
    bench.folder, kept = folder / "run", bench.folder
    try:
        row = bench.run("referee", bench.job(1, games, output=output), watch=times)
        written = bench.folder / "results"
        files = {path: path.stat().st_size for path in written.rglob("*") if path.is_file()}
        moves = max(1, row["moves"])
        seconds = [times.seconds.get(0, 0.0), sum(s for thread, s in times.seconds.items() if thread != 0)]
        row.update(main_us=seconds[0] * 1e6 / moves, others_us=seconds[1] * 1e6 / moves, all=sum(files.values()) / moves,
                   journal=sum(size for path, size in files.items() if path.name.startswith("match.sqlite")) / moves,
                   pgn=sum(size for path, size in files.items() if path.name == "games.pgn") / moves)
        return row
    finally:
        bench.folder = kept
