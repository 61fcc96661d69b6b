#!/usr/bin/env python3
"""What the sections of scripts/bench conclude from logs, journals and PGN that are written here by hand."""
import json
import pathlib
import sqlite3
import struct
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib"))
import bench_clock  # noqa: E402
import bench_company  # noqa: E402
import bench_facts  # noqa: E402
import bench_frame  # noqa: E402
import bench_measure  # noqa: E402
import bench_runners  # noqa: E402

MS = 1_000_000
A, B = 1, 2  # engines' logs


class Pgn(unittest.TestCase):
    FASTCHESS = ('[Event "x"]\n[White "A"]\n[Result "1-0"]\n\n1. e4 {+0.10/1 0.021s} e5 {-0.10/1 1.500s,\nBlack loses on time} 1-0\n\n'
                 '[Event "x"]\n[White "B"]\n[Result "0-1"]\n\n1. d4 {book} d5 {+M3/2 0.000s, Black mates} 0-1\n')
    OTHER = ('[Round "1.1"]\n[White "A"]\n[Termination "checkmate"]\n\n1. g4 {-34/1 1ms} Nc6 {-36/1 2ms} 0-1\n\n'
             '[Round "1.2"]\n[White "B"]\n[Termination "time forfeit"]\n\n1. g4 {-34/1 51ms} 0-1\n')

    def test_charged_times_of_each_game(self):
        games = bench_facts.pgn_games(self.FASTCHESS)
        self.assertEqual([tags["White"] for tags, _ in games], ["A", "B"])
        self.assertEqual([charged for _, charged in games], [[21.0, 1500.0], [0.0]])
        self.assertEqual([charged for _, charged in bench_facts.pgn_games(self.OTHER)], [[1.0, 2.0], [51.0]])

    def test_losses_on_time(self):
        self.assertEqual(bench_facts.losses_on_time(self.FASTCHESS), 1)
        self.assertEqual(bench_facts.losses_on_time(self.OTHER), 1)


class Blame(unittest.TestCase):
    def test_who_was_late(self):
        # Position 1 -> A answers (2) -> B is asked, answers in 20 ms (3), and nobody is asked after that: lost though in time.
        goes = [(0, 1, A), (21 * MS, 2, B)]
        answers = [(20 * MS, 2, A, 0), (41 * MS, 3, B, 21 * MS)]
        self.assertEqual(bench_clock.last_words(goes, answers, 2.0), [(20.0, 21.0)])

    def test_an_engine_that_waited_for_a_core_before_it_saw_go(self):
        goes = [(0, 1, A), (60 * MS, 2, B)]
        answers = [(20 * MS, 2, A, 0), (80 * MS, 3, B, 60 * MS)]
        self.assertEqual(bench_clock.last_words(goes, answers, 2.0), [(20.0, 60.0)])

    def test_an_answer_that_was_handed_on_is_nobodys_last(self):
        goes = [(0, 1, A), (21 * MS, 2, B), (30 * MS, 3, A)]
        answers = [(20 * MS, 2, A, 0), (29 * MS, 3, B, 21 * MS)]
        self.assertEqual(bench_clock.last_words(goes, answers, 2.0), [])

    def test_a_position_that_no_answer_led_to(self):
        goes = [(0, 1, A), (21 * MS, 2, B), (41 * MS, 99, A)]
        answers = [(20 * MS, 2, A, 0), (40 * MS, 3, B, 21 * MS)]
        self.assertEqual(bench_clock.strange_goes(goes, answers, 2.0), 2)

    def test_used_time_is_in_the_order_of_the_answers(self):
        self.assertEqual(bench_clock.used_us([(50 * MS, 3, B, 41 * MS), (20 * MS, 2, A, 0)]), [20000.0, 9000.0])


class Company(unittest.TestCase):
    def test_overlap_counts_a_moment_once(self):
        self.assertEqual(bench_company.overlap((10, 20), [(0, 12), (11, 13), (18, 30)]), 5)
        self.assertEqual(bench_company.overlap((10, 20), [(0, 10), (20, 30)]), 0)

    def test_only_moves_beside_the_other_game_count(self):
        game = bench_facts.Game(1, "A", "B", started="1970-01-01T00:00:10.000Z", lags=[0.01, 0.02, 0.03], lags_at=[0, 1500, 4000])
        self.assertEqual(bench_company.lags_beside([game], [(11, 12), (13.9, 20)]), [20.0, 30.0])
        self.assertEqual(bench_company.lags_beside([game], []), [])

    def test_sigmas(self):
        self.assertEqual(bench_company.sigmas([0.5, 0.5]), "-")
        # Mean 0.6; deviation of 1 1 1 0 0: sqrt(0.3); 0.1 / sqrt(0.3 / 5) = 0.408.
        self.assertEqual(bench_company.sigmas([1, 1, 1, 0, 0]), "+0.41")

    def test_inside_the_lateness(self):
        game = bench_facts.Game(1, "A", "B", "flag_fall", lags=[0.01, 0.2])
        for behind, inside in ((None, False), (0.1, True), (0.3, False)):
            game.behind_flag = behind
            self.assertEqual(bench_company.inside_lateness(game), inside)


class Records(unittest.TestCase):
    def setUp(self):
        self.holder = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.holder.name)

    def tearDown(self):
        self.holder.cleanup()

    def test_a_journal(self):
        path = self.folder / "match.sqlite"
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE games (id, game, white, black, reason, annulled, white_score, started, ended)")
        connection.execute("CREATE TABLE events (game_id, part, facts)")
        connection.execute("CREATE TABLE warnings (game_id, kind)")
        connection.execute("INSERT INTO games VALUES (1, 7, 'A', 'B', 'flag_fall', 0, 0.0, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:02.500Z')")
        accepted = {"ruling": "move_accepted", "side": "white", "used_ms": 20.5, "remaining_ms": 80.0}
        first = [{"event": "turn_started", "side": "white", "at_ms": 0.0},
                 {"event": "move_received", "side": "white", "at_ms": 20.5, "rulings": [accepted], "referee_lag_ms": 0.04},
                 {"event": "move_received", "side": "black", "at_ms": 21.0, "rulings": [{**accepted, "side": "black"}], "book": True}]
        second = [{"event": "turn_started", "side": "white", "at_ms": 100.0},
                  {"event": "move_received", "side": "white", "at_ms": 180.25, "rulings": [{"ruling": "game_over", "decision": "flag_fall"}]}]
        for part, facts in ((1, second), (0, first)):
            connection.execute("INSERT INTO events VALUES (1, ?, ?)", (part, json.dumps(facts)))
        connection.execute("INSERT INTO warnings VALUES (1, 'host_busy')")
        connection.commit()
        connection.close()
        (game,) = bench_facts.games_of(path)
        self.assertEqual((game.number, game.used, game.lags, game.warnings), (7, [20.5], [0.04], ["host_busy"]))
        self.assertAlmostEqual(game.behind_flag, 0.25)  # 80.25 ms used of 80
        # Half of its 2.5 seconds under a hog.
        began = bench_company.seconds_of(game.started)
        self.assertAlmostEqual(bench_company.hit_share(game, [(began - 5, began + 1.25)]), 0.5, places=6)

    def test_no_journal_has_no_games(self):
        self.assertEqual(bench_facts.games_of(self.folder / "match.sqlite"), [])

    def test_a_log_ends_at_its_first_empty_record(self):
        record = struct.Struct("<QQIIQ")
        (self.folder / "log.1").write_bytes(record.pack(5, 11, 1, A, 0) + record.pack(9, 12, 2, A, 5) + bytes(1 << 20) + record.pack(1, 1, 1, 1, 1))
        self.assertEqual(bench_measure.read_logs(self.folder), ([(5, 11, A)], [(9, 12, A, 5)]))


class Commands(unittest.TestCase):
    def test_a_hard_limit_in_each_runners_words(self):
        folder = pathlib.Path("/f")
        job = bench_runners.Job(pathlib.Path("/e"), pathlib.Path("/floor"), folder, 64, 128, 0, move_seconds=0.05)
        runners = bench_runners.runners("/r", ["fastchess=/p", "c-chess-cli=/p"], [])
        self.assertIn("st=0.05", runners["fastchess"][1]("/p", job))
        self.assertIn("movetime=0.05", runners["c-chess-cli"][1]("/p", job))
        job.move_seconds = None
        self.assertIn("tc=60+0.6", runners["fastchess"][1]("/p", job))

    def test_a_ratio_without_a_floor(self):
        self.assertEqual((bench_frame.ratio(3, 2), bench_frame.ratio(3, 0), bench_frame.ratio(None, 2)), ("1.50x", "-", "-"))


if __name__ == "__main__":
    unittest.main()
