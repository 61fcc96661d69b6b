"""What the Laws cost while a game is played: who can still mate (proof both ways, as at a fallen flag) and the dead-position test after every
half-move of real games, in processor time of one thread. tests/tools/laws_speed.cpp does the measuring."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
POSITIONS = ["generated.txt", "reasoned.txt", "small-material.txt"]


def build_tool(build):
    subprocess.run(["cmake", "--build", build, "--target", "laws_speed"], check=True, stdout=subprocess.DEVNULL)
    return build / "laws_speed"


def real_games(binary, folder):
    """60 games of an engine against itself, to their natural ends; None without the engine."""
    if not pathlib.Path("/usr/games/stockfish").exists():
        return None
    subprocess.run([binary, "match", "/usr/games/stockfish,name=A", "/usr/games/stockfish,name=B,depth=5", "--depth", "6", "--tc", "inf", "--games",
                    "60", "--edition", "fide-2023", "--concurrency", "1", "--book", ROOT / "matches/openings/theory.pgn", "--plies", "8",
                    "--folder", folder], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    return folder / "games.pgn"


def rows(tool, what, files):
    done = subprocess.run([tool, what, *files], check=True, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def measure(binary, build, scratch, games, positions):
    """[(what, row)] for the table: `games` a PGN file or None (they are played), `positions` lists of FENs (default: our own)."""
    tool = build_tool(build)
    found = []
    for path in positions or [ROOT / "tests/data/winnability" / name for name in POSITIONS]:
        found += [(f"{row['what']}, {path.name}", row) for row in rows(tool, "verdicts", [path])]
    games = games or real_games(binary, scratch / "games")
    if games:
        found += [(f"{row['what']}, {games.name}", row) for row in rows(tool, "plies", [games])]
    return found
