"""The match runners that scripts/bench can start: ours, the floor, and peers by their command lines."""
import dataclasses
import pathlib
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLIES_A_GAME = 122         # mean of the book
BOOK = ROOT / "tests/engines/short_games.epd"


@dataclasses.dataclass
class Job:
    """One run: so many games at once, so many in all, engines that sleep so long before they answer."""
    engine: pathlib.Path
    floor: pathlib.Path
    folder: pathlib.Path
    concurrency: int
    games: int
    moves: int
    sleep_us: int = 0
    seconds: float = 60.0      # time control: seconds + a hundredth of it a move
    move_seconds: float = None  # instead of it: a hard limit for every move
    lines: str = ""            # more of the referee's match file
    engine_keys: str = ""      # more of both engines' entries in it: ", key: value"
    output: str = ""           # more of its output, likewise

    @property
    def time_control(self):
        return f"{self.seconds:g}+{self.seconds / 100:g}"


MATCH_FILE = """\
event: Benchmark
time_control: {tc}
{lines}schedule: {{kind: match, games: {games}}}
openings: {{file: {book}, order: sequential, repeat: true}}
concurrency: {concurrency}
engines:
  - {{name: A, command: {engine}, options: {{Seed: 1}}{keys}}}
  - {{name: B, command: {engine}, options: {{Seed: 2}}{keys}}}
output: {{folder: {folder}/results, pgn: games.pgn{output}}}
"""


def referee(binary, job):
    path = job.folder / "match.yaml"
    control = f"move {job.move_seconds:g}" if job.move_seconds else job.time_control
    path.write_text(MATCH_FILE.format(tc=control, lines=job.lines, keys=job.engine_keys, output=job.output, games=job.games, book=BOOK,
                                      concurrency=job.concurrency, engine=job.engine, folder=job.folder))
    return [binary, "run", str(path)]


def floor_uci(_binary, job):
    return [job.floor, "--mode", "uci", "--engine", job.engine, "--book", BOOK, "--moves", job.moves, "--pairs", job.concurrency,
            "--charged", job.folder / "charged"]


def floor_dumb(_binary, job):
    return [job.floor, "--mode", "dumb", "--moves", job.moves, "--pairs", job.concurrency, "--sleep-us", job.sleep_us]


# Of peers: what their own documentation calls the same match.
PEERS = {
    "fastchess": "{binary} -engine cmd={engine} name=A option.Seed=1 -engine cmd={engine} name=B option.Seed=2 -each proto=uci {limit} "
                 "-openings file={book} format=epd order=sequential -rounds {pairs} -games 2 -repeat -concurrency {concurrency} "
                 "-force-concurrency -ratinginterval 0 -autosaveinterval 0 -config outname={folder}/config.json "
                 "-pgnout file={folder}/games.pgn append=false",
    "cutechess": "{binary} -engine cmd={engine} name=A option.Seed=1 -engine cmd={engine} name=B option.Seed=2 -each proto=uci {limit} "
                 "-openings file={book} format=epd order=sequential -rounds {pairs} -games 2 -repeat -concurrency {concurrency} "
                 "-ratinginterval 0 -pgnout {folder}/games.pgn",
    "c-chess-cli": "{binary} -each {limit} -engine cmd={engine} name=A option.Seed=1 -engine cmd={engine} name=B option.Seed=2 "
                   "-openings file={book} order=sequential -repeat -games {games} -concurrency {concurrency} -pgn {folder}/games.pgn 3",
}

# A hard limit for every move, where the others have {limit}.
HARD_LIMITS = {"c-chess-cli": "movetime={move}"}


def peer(template, hard_limit="st={move}"):
    def command(binary, job):
        limit = hard_limit.format(move=f"{job.move_seconds:g}") if job.move_seconds else f"tc={job.time_control}"
        return shlex.split(template.format(binary=binary, engine=job.engine, tc=job.time_control, limit=limit, book=BOOK,
                                           pairs=(job.games + 1) // 2, games=job.games, concurrency=job.concurrency, folder=job.folder))
    return command


def runners(binary, peers, templates):
    """name -> (binary, command of a job). `peers` are NAME=PATH, `templates` NAME=COMMAND with the fields of PEERS."""
    known = dict(PEERS)
    for text in templates:
        name, _, template = text.partition("=")
        known[name] = template
    found = {"referee": (str(binary), referee)}
    for text in peers:
        name, _, path = text.partition("=")
        if name not in known or not path:
            raise SystemExit(f"scripts/bench: --peer {text}: expected NAME=PATH with a NAME of {', '.join(known)}, or a --template for it")
        found[name] = (str(pathlib.Path(path).resolve()), peer(known[name], HARD_LIMITS.get(name, "st={move}")))
    return found
