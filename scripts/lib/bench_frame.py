"""What the sections of scripts/bench share: the runners, one run of a runner, and tables."""
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys

import bench_measure
import bench_runners

ROOT = bench_runners.ROOT


def compile_engines(folder, names):
    """Paths of tests/engines/NAME.cpp as programs, made anew where a source has changed."""
    folder.mkdir(parents=True, exist_ok=True)
    headers = list((ROOT / "tests/engines").glob("*.hpp"))
    for name in names:
        source, binary = ROOT / f"tests/engines/{name}.cpp", folder / name
        if not binary.exists() or any(p.stat().st_mtime > binary.stat().st_mtime for p in [source, *headers]):
            subprocess.run(["c++", "-O2", "-std=c++20", "-o", binary, source], check=True)
    return [folder / name for name in names]


def median(rows, key):
    values = [row[key] for row in rows if row.get(key) is not None]
    return statistics.median(values) if values else None


def text_of(value, digits=None):
    if value is None:
        return "-"
    if digits is not None:
        return f"{value:.{digits}f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def ratio(own, other):
    return f"{own / other:.2f}x" if own is not None and other else "-"


def print_table(title, head, lines):
    print(f"\n{title}\n")
    widths = [max(len(str(line[i])) for line in [head, *lines]) for i in range(len(head))]
    for line in [head, *lines]:
        print("  ".join(str(cell).ljust(width) if i == 0 else str(cell).rjust(width) for i, (cell, width) in enumerate(zip(line, widths))))
    sys.stdout.flush()


@dataclasses.dataclass
class Bench:
    """The programs of one call of scripts/bench, and how much it is to do."""
    binary: pathlib.Path           # the referee
    build: pathlib.Path
    engine: pathlib.Path           # answers at once
    floor: pathlib.Path
    hostile: pathlib.Path
    folder: pathlib.Path           # of a run; emptied before each
    runners: dict                  # name -> (path, command of a job)
    runs: int = 3
    out: pathlib.Path = None
    games_each: int = None         # None: what the section takes
    at_once: list = None           # likewise

    def job(self, at_once, games, **more):
        return bench_runners.Job(self.engine, self.floor, self.folder, at_once, games, games * bench_runners.PLIES_A_GAME, **more)

    def run(self, name, job, **more):
        """One run of a runner (bench_measure.run); what went wrong is said, and the numbers are there all the same."""
        path, command = self.runners[name]
        row = bench_measure.run(lambda j: command(path, j), job, **more)
        if row["timed_out"] or row["moves"] == 0 or row["status"] not in (0, 256):  # 1: an engine could not be started, or was withdrawn
            print(f"{name}, {job.concurrency} at once: {'timed out' if row['timed_out'] else 'ended with ' + str(row['status'])}\n"
                  f"{row['output'][-600:]}", file=sys.stderr)
        if self.out:
            with self.out.open("a") as file:
                file.write(json.dumps({**{k: v for k, v in row.items() if k != "output"}, "runner": name, "concurrency": job.concurrency}) + "\n")
        return row

    @property
    def logs(self):
        return bench_measure.log_folder(self)

    @property
    def journal(self):
        return self.folder / "results/match.sqlite"


class Spinners:
    """Processes that do nothing but compute, of ordinary priority. With `with`."""

    def __init__(self, count, cpus=None):
        self.count, self.cpus, self.processes = count, cpus, []

    def start(self):
        if not self.processes:
            words = ["taskset", "-c", self.cpus] if self.cpus else []
            self.processes = [subprocess.Popen([*words, sys.executable, "-c", "while True: pass"]) for _ in range(self.count)]

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
        self.processes = []

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()


def processors():
    return sorted(os.sched_getaffinity(0))
