"""Runs one match runner once and measures it from outside: its own processor time, memory and threads from /proc, and the gaps between one
engine's answer and the other's `go` from the engines' logs."""
import atexit
import bisect
import collections
import os
import pathlib
import re
import shutil
import signal
import struct
import subprocess
import time

TICK = os.sysconf("SC_CLK_TCK")
GO_READ, ANSWER_WRITTEN = 1, 2
RECORD = struct.Struct("<QQIIQ")


def _own_seconds(pid):
    """User and system time of an ended process that was not waited for yet; its children are not in it."""
    text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    fields = text[text.rindex(")") + 2:].split()
    return int(fields[11]) / TICK, int(fields[12]) / TICK


def _start(command, environment, folder):
    pid = os.fork()
    if pid:
        return pid
    try:
        out = os.open(folder / "stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        nothing = os.open("/dev/null", os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        os.setpgid(0, 0)
        os.chdir(folder)
        os.execve(command[0], command, environment)
    finally:
        os._exit(127)


def log_folder(job):
    """In memory where there is some: an engine that waits for a disk to note its times would spoil them."""
    return pathlib.Path(f"/dev/shm/referee-bench-{os.getpid()}") if os.access("/dev/shm", os.W_OK) else job.folder


def read_logs(folder):
    """(goes, answers) of the engines' logs in it."""
    goes, answers = [], []
    for path in folder.glob("log.*"):
        for when, key, kind, log, extra in _records(path):
            if kind == GO_READ:
                goes.append((when, key, log))
            elif kind == ANSWER_WRITTEN:
                answers.append((when, key, log, extra))
    return goes, answers


def _empty(job):
    for folder in {job.folder, log_folder(job)}:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)


def _records(path):
    """Up to the first empty one: the file is large and nearly all of it a hole."""
    with path.open("rb") as file:
        while block := file.read(RECORD.size << 11):
            for record in RECORD.iter_unpack(block):
                if record[2] == 0:
                    return
                yield record


@atexit.register
def _forget_logs():
    shutil.rmtree(f"/dev/shm/referee-bench-{os.getpid()}", ignore_errors=True)


def gaps_us(goes, answers):
    """From each answer to the first `go` after it, in the position it leads to, that another engine read."""
    by_key = collections.defaultdict(list)
    for when, key, log in goes:
        by_key[key].append((when, log))
    for entries in by_key.values():
        entries.sort()
    gaps = []
    for when, key, log, _ in answers:
        entries = by_key.get(key, [])
        i = bisect.bisect_left(entries, (when, 0))
        while i < len(entries) and entries[i][1] == log:
            i += 1
        if i < len(entries) and entries[i][0] - when < 20e9:
            gaps.append((entries[i][0] - when) / 1e3)
    gaps.sort()
    return gaps


def quantile(values, share):
    return values[min(len(values) - 1, int(share * len(values)))] if values else None


def run(command, job, limit_s=180, prefix=(), watch=None):
    """One run; a dict of what was measured, times in seconds unless the name says otherwise. `prefix`: words before the command (taskset ...),
    which must end in its own process; `watch(pid)` is called every 20 ms."""
    _empty(job)
    command = [str(word) for word in [*prefix, *command(job)]]
    environment = dict(os.environ, INSTANT_SLEEP_US=str(job.sleep_us), INSTANT_LOG=str(log_folder(job) / "log"))
    start = time.monotonic()
    pid = _start(command, environment, job.folder)
    memory_kb = threads = descriptors = 0
    timed_out = False
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        try:
            for line in open(f"/proc/{pid}/status"):
                if line.startswith("VmHWM"):
                    memory_kb = int(line.split()[1])  # the last one: before exec it is our own
                elif line.startswith("Threads"):
                    threads = max(threads, int(line.split()[1]))
            descriptors = max(descriptors, len(os.listdir(f"/proc/{pid}/fd")))
        except OSError:
            pass
        if watch:
            watch(pid)
        if time.monotonic() - start > limit_s:
            timed_out = True
            os.killpg(pid, signal.SIGKILL)
        time.sleep(0.02)
    wall = time.monotonic() - start
    user, system = _own_seconds(pid)
    _, status, _ = os.wait4(pid, 0)
    try:
        os.killpg(pid, signal.SIGKILL)  # engines it left behind
    except OSError:
        pass
    goes, answers = read_logs(log_folder(job))
    result = dict(start=start, wall=wall, status=status, timed_out=timed_out, user=user, system=system, memory_mb=memory_kb / 1024, threads=threads,
                  descriptors=descriptors, moves=len(answers), load=os.getloadavg()[0], output=(job.folder / "stdout").read_text(errors="replace"))
    if answers:
        first, last = min(go[0] for go in goes) / 1e9, max(answer[0] for answer in answers) / 1e9
        span = max(last - first, 1e-9)
        gaps = gaps_us(goes, answers)
        result.update(span=span, before=first - start, after=start + wall - last, moves_per_s=len(answers) / span,
                      cpu_us=(user + system) * 1e6 / len(answers), user_us=user * 1e6 / len(answers),
                      gap_p50_us=quantile(gaps, 0.5), gap_p99_us=quantile(gaps, 0.99), gap_max_us=gaps[-1] if gaps else None)
    pgn = next((p for p in (job.folder / "results/games.pgn", job.folder / "games.pgn") if p.exists()), None)
    if pgn:
        result["games"] = len(re.findall(r"^\[Result ", pgn.read_text(errors="replace"), re.M))
        result["games_per_s"] = result["games"] / result["span"] if answers else None
    return result


def system_calls(command, job):
    """(system calls a move of the runner's own processes, what they are). None without strace. The engines' are told apart by their execve."""
    if not shutil.which("strace"):
        return None
    shutil.rmtree(job.folder, ignore_errors=True)
    job.folder.mkdir(parents=True)
    trace = job.folder / "trace"
    subprocess.run(["strace", "-f", "-qq", "-s", "256", "-o", trace] + [str(word) for word in command(job)], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, cwd=job.folder, timeout=600, check=False)
    engine = job.engine.name
    engines, calls, moves = set(), collections.defaultdict(collections.Counter), 0
    for line in open(trace, errors="replace"):
        match = re.match(r"(\d+)\s+(\w+)\(", line)
        if not match:
            continue
        pid, call = match.groups()
        executed = re.search(r'execve\("([^"]*)"', line)
        if executed and os.path.basename(executed.group(1)) == engine:
            engines.add(pid)
            calls.pop(pid, None)
        if pid in engines:
            moves += call == "write" and "bestmove" in line
        else:
            calls[pid][call] += 1
    total = sum(calls.values(), collections.Counter())
    return sum(total.values()) / max(moves, 1), {name: count / max(moves, 1) for name, count in total.most_common(5)}
