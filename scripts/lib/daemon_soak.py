#!/usr/bin/env python3
"""A daemon under load: many short games, WebSocket viewers that come and go, and kill -9 of the daemon at random instants.

usage: daemon_soak.py PROGRAM FOLDER [--seconds N] [--games-at-once N] [--viewers N]   the soak
       daemon_soak.py PROGRAM FOLDER --idle N                                          what N idle viewers cost running games

The soak fails if a viewer misses an event or gets one twice, if a game is lost or told twice, or if memory grows by more than what is kept
of the games. Idle viewers may cost 5 % of a core, and move the gap p99 of running games by 10 %.
"""
import argparse
import base64
import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bench_measure  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ENGINE = SOURCE / "tests/engines/slow_engine.py"


KIB_A_GAME = 0.15


class Closed(Exception):
    pass


class Viewer:
    """A WebSocket over the daemon's Unix socket."""

    def __init__(self, path, target):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        try:
            self.socket.connect(str(path))
            key = base64.b64encode(os.urandom(16)).decode()
            self.socket.sendall((f"GET {target} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                 f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
            self.buffer = b""
            while b"\r\n\r\n" not in self.buffer:
                self.more()
        except OSError as error:
            raise Closed from error
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Closed(head)

    def more(self):
        try:
            read = self.socket.recv(1 << 16)
        except OSError as error:
            raise Closed from error
        if not read:
            raise Closed
        self.buffer += read

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def message(self):
        whole = b""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", self.take(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", self.take(8))[0]
            payload = self.take(size)
            kind = first & 15
            if kind in (0, 1):  # text, or more of it
                whole += payload
                if first & 0x80:
                    return json.loads(whole)
            if kind == 8:
                raise Closed
            if kind == 9:  # ping: answer, masked with zeros
                self.socket.sendall(bytes([0x8A, 0x80 | len(payload), 0, 0, 0, 0]) + payload)

    def close(self):
        self.socket.close()


def ask(path, method, target, body=None):
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(30)
    client.connect(str(path))
    payload = json.dumps(body).encode() if body is not None else b""
    client.sendall(f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                   f"Content-Length: {len(payload)}\r\n\r\n".encode() + payload)
    answer = b""
    while part := client.recv(1 << 16):
        answer += part
    client.close()
    head, text = answer.split(b"\r\n\r\n", 1)
    if head.split()[1][:1] != b"2":
        raise RuntimeError(text.decode())
    return json.loads(text)


class Daemon:
    def __init__(self, program, folder, cores):
        self.command = [str(program), "serve", "--data", str(folder), "--cores", str(cores)]
        self.socket = folder / "socket"
        self.log = open(folder / "soak.log", "ab")
        self.start()

    def start(self):
        self.process = subprocess.Popen(self.command, stderr=self.log)
        for _ in range(600):
            try:
                ask(self.socket, "GET", "/api/v1")
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("the daemon does not answer")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def memory_kib(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmRSS:"):
                return int(line.split()[1])

    def cpu_seconds(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def match_file(games, at_once, delay):
    return (f"event: Soak\ntime_control: 60+1\nschedule: {{kind: match, games: {games}}}\nadjudication: {{max_moves: 20}}\n"
            f"on_interrupt: continue\nconcurrency: {at_once}\nengines:\n"
            f"  - {{name: A, command: {ENGINE}, arguments: ['{delay}']}}\n  - {{name: B, command: {ENGINE}, arguments: ['{delay}']}}\n")


class Watching(threading.Thread):
    """One viewer that comes, goes and comes back, and checks that it is told every event once."""

    def __init__(self, path, over):
        super().__init__(daemon=True)
        self.path, self.over, self.next, self.problem, self.joined, self.ended = path, over, 1, None, 0, 0

    def run(self):
        chance = random.Random(id(self))
        while not self.over.is_set():
            try:
                viewer = Viewer(self.path, f"/api/v1/live?match=1&from={self.next}")
            except Closed:
                time.sleep(0.2)
                continue
            self.joined += 1
            leaves = time.monotonic() + chance.uniform(1, 20)
            try:
                while time.monotonic() < leaves and not self.over.is_set():
                    message = viewer.message()
                    if "events" not in message:
                        continue
                    if message["first"] != self.next:
                        self.problem = f"expected event {self.next}, got {message['first']}"
                        return
                    self.next += len(message["events"])
                    self.ended += sum(1 for event in message["events"] if event["fact"] == "game_ended")
            except Closed:
                pass
            viewer.close()


def soak(options):
    folder = pathlib.Path(options.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    daemon = Daemon(options.program, folder, options.games_at_once)
    ask(daemon.socket, "POST", "/api/v1/matches", {"match": match_file(options.games, options.games_at_once, 25)})
    over = threading.Event()
    viewers = [Watching(daemon.socket, over) for _ in range(options.viewers)]
    for viewer in viewers:
        viewer.start()
    begun, kills, memory = time.monotonic(), 0, []
    chance = random.Random(1)
    while time.monotonic() - begun < options.seconds:
        time.sleep(chance.uniform(0.3, 1) * min(40, options.seconds / 4))
        memory.append(daemon.memory_kib())
        daemon.kill()
        kills += 1
        daemon.start()
        if broken := [v.problem for v in viewers if v.problem]:
            break
    ask(daemon.socket, "POST", "/api/v1/matches/1/stop", {})
    while ask(daemon.socket, "GET", "/api/v1/matches/1")["playing"]:
        time.sleep(0.5)
    match = ask(daemon.socket, "GET", "/api/v1/matches/1")
    for _ in range(600):
        if all(v.next == match["next_event"] or v.problem for v in viewers):
            break
        time.sleep(0.1)
    over.set()
    problems = [v.problem or f"stands at event {v.next} of {match['next_event']}" for v in viewers if v.problem or v.next != match["next_event"]]
    games = []
    while page := ask(daemon.socket, "GET", f"/api/v1/matches/1/games?limit=10000&from={games[-1]['number'] + 1 if games else 1}"):
        games += page
    numbers = [g["number"] for g in games if g["counted"]]
    # A game that waited to be continued when the match was stopped has no outcome yet: it is there, to be resumed.
    waiting = {g["number"] for g in ask(daemon.socket, "GET", "/api/v1/matches/1")["games"]}
    if sorted([*numbers, *waiting]) != list(range(1, len(numbers) + len(waiting) + 1)):
        problems.append("a game counts twice, or is missing among those that came later")
    told = {v.ended for v in viewers if not v.problem and v.next == match["next_event"]}
    if told - {len(numbers)}:
        problems.append(f"viewers were told of {sorted(told)} ends of games, there were {len(numbers)}")
    journal = folder / "matches/1/match.sqlite"
    if subprocess.run([options.program, "replay", str(journal)], stdout=subprocess.DEVNULL).returncode != 0:
        problems.append("the replay of the journal differs")
    half = len(memory) // 2
    # What is kept of every game that was played grows with their number.
    if half >= 3 and max(memory[half:]) - KIB_A_GAME * len(numbers) > 1.1 * max(memory[:half]):
        problems.append(f"memory grows: {memory}")
    daemon.process.send_signal(signal.SIGTERM)
    if daemon.process.wait() != 0:
        problems.append("the daemon did not stop in order")
    print(f"{len(numbers)} games, {match['next_event'] - 1} events, {kills} kills, {sum(v.joined for v in viewers)} visits of {len(viewers)} viewers, "
          f"memory {min(memory) // 1024} to {max(memory) // 1024} MiB; {len(problems)} problems")
    for problem in problems[:10]:
        print("  " + problem)
    return 1 if problems else 0


def instant_engine():
    binary, source = SOURCE / "build/bench/instant_engine", SOURCE / "tests/engines/instant_engine.cpp"
    if not binary.exists() or any(p.stat().st_mtime > binary.stat().st_mtime for p in [source, *source.parent.glob("*.hpp")]):
        binary.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["c++", "-O2", "-std=c++20", "-o", binary, source], check=True)
    return binary


IDLE_GAMES, IDLE_SLICES, SLICE_SECONDS = 4, 8, 5.0


def idle(options):
    """Slices of time with and without the viewers in turn: what the neighbours of this machine do falls on both alike."""
    folder = pathlib.Path(options.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.update(INSTANT_SLEEP_US="20000", INSTANT_LOG=str(folder / "log"))
    daemon = Daemon(options.program, folder, IDLE_GAMES)
    engine = instant_engine()
    ask(daemon.socket, "POST", "/api/v1/matches", {"match": (
        f"event: Idle\ntime_control: 600+1\nschedule: {{kind: match, games: 100000}}\nadjudication: {{max_moves: 60}}\nconcurrency: {IDLE_GAMES}\n"
        f"engines:\n  - {{name: A, command: {engine}}}\n  - {{name: B, command: {engine}}}\n")})
    time.sleep(5)
    windows, shares = {0: [], options.idle: []}, {0: [], options.idle: []}
    memory = 0
    for part in range(2 * IDLE_SLICES):
        count = options.idle if part % 2 else 0
        viewers = [Viewer(daemon.socket, "/api/v1/live") for _ in range(count)]
        time.sleep(1)
        cpu, begun = daemon.cpu_seconds(), time.monotonic_ns()
        time.sleep(SLICE_SECONDS)
        ended = time.monotonic_ns()
        shares[count].append((daemon.cpu_seconds() - cpu) / (ended - begun) * 1e9)
        windows[count].append((begun, ended))
        memory = max(memory, daemon.memory_kib())
        for viewer in viewers:
            viewer.close()
        time.sleep(0.5)
    goes, answers = bench_measure.read_logs(folder)
    p99, number = {}, {}
    for count, parts in windows.items():
        inside = [a for a in answers if any(begun <= a[0] <= ended for begun, ended in parts)]
        gaps = bench_measure.gaps_us(goes, inside)
        p99[count], number[count] = bench_measure.quantile(gaps, 0.99), len(gaps)
    share = {count: sum(values) / len(values) for count, values in shares.items()}
    cost, moved = share[options.idle] - share[0], p99[options.idle] / p99[0] - 1
    print(f"{IDLE_GAMES} games at 20 ms a move; without viewers: {100 * share[0]:.1f} % of a core, gap p99 {p99[0]:.0f} us of {number[0]}; "
          f"with {options.idle} idle ones: {100 * share[options.idle]:.1f} %, {p99[options.idle]:.0f} us of {number[options.idle]}; "
          f"they cost {100 * cost:.2f} % of a core and move the p99 by {100 * moved:+.1f} %; {memory // 1024} MiB")
    ask(daemon.socket, "POST", "/api/v1/matches/1/stop", {"at_once": True})
    daemon.process.send_signal(signal.SIGTERM)
    daemon.process.wait()
    for log in folder.glob("log.*"):
        log.unlink()
    return 0 if cost < 0.05 and moved < 0.10 else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--games-at-once", type=int, default=32)
    parser.add_argument("--viewers", type=int, default=50)
    parser.add_argument("--games", type=int, default=100000)
    parser.add_argument("--idle", type=int)
    options = parser.parse_args()
    sys.exit(idle(options) if options.idle else soak(options))


main()
