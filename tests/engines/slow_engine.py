#!/usr/bin/env python3
"""A UCI engine for tests of the daemon: plays one known game, whichever side it has, a move each DELAY milliseconds (option Delay).

Unlike a stub script it answers `stop` at once, goes on from any ply, and reports a score, a depth and a line.
"""
import os
import select
import sys
import time

GAME = (
    "e2e4 c7c5 d2d4 c5d4 g1f3 d7d6 d1d4 b8c6 d4e3 g8f6 b1c3 g7g6 h2h3 c6b4 f3d4 e7e5 f1b5 c8d7 e1g1 e5d4 "
    "b5d7 e8d7 e3e2 d7e8 c3d5 b4d5 e4d5 d8e7 e2d1 f8g7 f1e1 f6e4 f2f3 f7f5 f3e4 f5e4 c2c3 e8f7 e1f1 f7g8 "
    "f1e1 d4c3 d1b3 a8c8 b2c3 h7h5 a1b1 g7c3 e1e2 c3d4 g1h1 h8h7 c1b2 d4b2 b3b2 c8c4 e2c2 c4c2 b2c2 h7f7 "
    "b1e1 f7f4 g2g3 f4f3 e1e4 e7f6 h1g2 f6c3 e4e8 g8f7 c2c3 f3c3 e8b8 c3c7 g2f3 f7f6 f3e4 h5h4 g3h4 c7c4 "
    "e4d3 c4h4 b8b7 h4h3 d3c4 h3a3 b7d7 f6e5 d7e7 e5f5 e7f7 f5e5 f7e7 e5f5 e7f7 f5e4 f7e7 e4f4 e7e6 a3a2 "
    "e6g6 a2a4 c4b5 a4a1 b5c6 f4e5 g6e6 e5d4 c6d6 a7a5 e6h6 d4c4 d6c6 a5a4 h6h4 c4c3 h4a4 a1a4 d5d6 c3d4 "
    "c6b7 d4e4 d6d7 a4d4 b7c8 d4d7 c8d7 e4f4 d7c8 f4g3 c8b7 g3f2 b7b8 f2g2 b8c7 g2h3 c7b6 h3g2 b6a6 g2g3 "
    "a6b7 g3f3 b7c6 f3f2 c6d7 f2f3 d7c6 f3g3 c6c7 g3f3 c7b7 f3g3 b7c7 g3f2 c7d7 f2g2 d7c8 g2f1 c8b7 f1f2 "
).split()


def say(text):
    print(text, flush=True)


def lines():
    """Lines of stdin; None when nothing has come within the limit that was sent in."""
    buffer = b""
    limit = None
    while True:
        if b"\n" in buffer:
            line, buffer = buffer.split(b"\n", 1)
            limit = yield line.decode(errors="replace").strip()
            continue
        if not select.select([0], [], [], limit)[0]:
            limit = yield None
            continue
        read = os.read(0, 65536)
        if not read:
            return
        buffer += read


def main():
    delay = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    played = 0
    source = lines()
    line = next(source)
    due = None
    while True:
        words = (line or "").split()
        if line is None or (words and words[0] == "stop" and due is not None):
            move = GAME[played] if played < len(GAME) else "0000"
            say(f"info depth 9 score cp {20 if played % 2 == 0 else -20} nodes 1234 nps 100000 time {delay} pv {' '.join(GAME[played:played + 4])}")
            say("bestmove " + move)
            due = None
        elif words and words[0] == "uci":
            say("id name Slow")
            say("id author the tests")
            say(f"option name Delay type spin default {delay} min 0 max 600000")
            say("uciok")
        elif words and words[0] == "isready":
            say("readyok")
        elif words[:3] == ["setoption", "name", "Delay"]:
            delay = int(words[-1])
        elif words and words[0] == "position":
            played = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif words and words[0] == "go":
            due = time.monotonic() + delay / 1000
        elif words and words[0] == "quit":
            return
        try:
            line = source.send(None if due is None else max(0.0, due - time.monotonic()))
        except StopIteration:
            return


main()
