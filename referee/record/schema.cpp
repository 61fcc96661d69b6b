#include "referee/record/schema.hpp"

#include <string>

namespace referee::record {

namespace {

constexpr std::string_view version_1 = R"sql(
CREATE TABLE plan (              -- one row: what the match consists of
  id INTEGER PRIMARY KEY CHECK (id = 1),
  match_file TEXT NOT NULL,
  digest TEXT NOT NULL,
  planned_games INTEGER NOT NULL
);
CREATE TABLE fingerprints (      -- what must not change between runs
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE games (             -- one row an attempt; ended is null while it is played
  id INTEGER PRIMARY KEY,
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  round INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  white TEXT NOT NULL,
  black TEXT NOT NULL,
  opening TEXT NOT NULL,
  edition TEXT NOT NULL,
  started TEXT NOT NULL,         -- UTC, ISO 8601
  start TEXT NOT NULL,           -- the fact game_started with the set-up, JSON
  ended TEXT,
  end_order INTEGER,             -- 1, 2, 3 ... in the order in which games ended
  result TEXT,
  white_score REAL,
  black_score REAL,
  reason TEXT,
  article TEXT,
  detail TEXT,
  undecided INTEGER NOT NULL DEFAULT 0,
  annulled INTEGER NOT NULL DEFAULT 0,
  plies INTEGER NOT NULL DEFAULT 0,
  duration_ns INTEGER NOT NULL DEFAULT 0,
  counted INTEGER NOT NULL DEFAULT 1,
  voided INTEGER NOT NULL DEFAULT 0,
  UNIQUE (game, attempt)
);
CREATE TABLE events (            -- what happened and how it was judged, in parts: a JSON array each
  game_id INTEGER NOT NULL REFERENCES games (id),
  part INTEGER NOT NULL,
  count INTEGER NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (game_id, part)
);
CREATE TABLE warnings (
  id INTEGER PRIMARY KEY,
  game_id INTEGER REFERENCES games (id),
  game INTEGER NOT NULL,
  ply INTEGER NOT NULL,
  engine TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  line TEXT NOT NULL
);
CREATE INDEX warnings_by_game ON warnings (game_id);
CREATE TABLE faults (
  id INTEGER PRIMARY KEY,
  game_id INTEGER REFERENCES games (id),
  game INTEGER NOT NULL,
  engine TEXT NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  log TEXT NOT NULL
);
CREATE INDEX faults_by_game ON faults (game_id);
CREATE TABLE matters (           -- facts outside games, JSON, in order
  id INTEGER PRIMARY KEY,
  fact TEXT NOT NULL
);
CREATE VIEW results AS           -- the attempt that stands, of every game that has ended
  SELECT game, round, pair, white, black, result, white_score, black_score, reason, article, detail, plies,
         duration_ns / 1e6 AS duration_ms, opening, started, ended
  FROM games AS g
  WHERE ended IS NOT NULL AND counted AND NOT voided AND attempt = (SELECT max(attempt) FROM games WHERE game = g.game);
CREATE VIEW moves AS             -- one row a move that was played
  SELECT g.game, g.attempt,
         row_number() OVER (PARTITION BY g.id ORDER BY e.part, f.id, r.id) AS ply,
         json_extract(r.value, '$.side') AS side,
         json_extract(r.value, '$.san') AS san,
         json_extract(r.value, '$.uci') AS uci,
         json_extract(r.value, '$.used_ms') AS used_ms,
         json_extract(r.value, '$.remaining_ms') AS remaining_ms,
         json_extract(f.value, '$.search.centipawns') AS centipawns,
         json_extract(f.value, '$.search.mate') AS mate,
         json_extract(f.value, '$.search.depth') AS depth,
         json_extract(f.value, '$.search.nodes') AS nodes
  FROM games AS g JOIN events AS e ON e.game_id = g.id, json_each(e.facts) AS f, json_each(f.value, '$.rulings') AS r
  WHERE json_extract(r.value, '$.ruling') = 'move_accepted';
)sql";

// The edition in full: a replay needs no file of the user's.
constexpr std::string_view version_2 = R"sql(
ALTER TABLE plan ADD COLUMN edition TEXT NOT NULL DEFAULT '';
)sql";

// The fact `points_given`, which readers before do not know.
constexpr std::string_view version_3 = "";

// Turns and plain moves stand in `events.facts` as arrays (turn_text.hpp), other events as objects.
constexpr std::string_view version_4 = R"sql(
DROP VIEW IF EXISTS moves;
CREATE VIEW moves AS             -- one row a move that was played
  WITH played AS (
    SELECT g.game, g.attempt, e.game_id, e.part, f.id AS place, 0 AS nth,
           CASE substr(json_extract(f.value, '$[0]'), 1, 1) WHEN 'w' THEN 'white' ELSE 'black' END AS side,
           json_extract(f.value, '$[3]') AS san,
           substr(json_extract(f.value, '$[2]'), 1, instr(json_extract(f.value, '$[2]') || ' ', ' ') - 1) AS uci,
           json_extract(f.value, '$[4]') / 1e6 AS used_ms,
           json_extract(f.value, '$[5]') / 1e6 AS remaining_ms,
           json_extract(f.value, '$[9]') AS centipawns,
           json_extract(f.value, '$[10]') AS mate,
           json_extract(f.value, '$[7]') AS depth,
           json_extract(f.value, '$[11]') AS nodes
    FROM games AS g JOIN events AS e ON e.game_id = g.id, json_each(e.facts) AS f
    WHERE f.type = 'array' AND json_array_length(f.value) > 2
    UNION ALL
    SELECT g.game, g.attempt, e.game_id, e.part, f.id AS place, r.id AS nth,
           json_extract(r.value, '$.side') AS side,
           json_extract(r.value, '$.san') AS san,
           json_extract(r.value, '$.uci') AS uci,
           json_extract(r.value, '$.used_ms') AS used_ms,
           json_extract(r.value, '$.remaining_ms') AS remaining_ms,
           json_extract(f.value, '$.search.centipawns') AS centipawns,
           json_extract(f.value, '$.search.mate') AS mate,
           json_extract(f.value, '$.search.depth') AS depth,
           json_extract(f.value, '$.search.nodes') AS nodes
    FROM games AS g JOIN events AS e ON e.game_id = g.id, json_each(e.facts) AS f,
         json_each(CASE f.type WHEN 'object' THEN f.value END, '$.rulings') AS r
    WHERE json_extract(r.value, '$.ruling') = 'move_accepted')
  SELECT game, attempt, row_number() OVER (PARTITION BY game_id ORDER BY part, place, nth) AS ply,
         side, san, uci, used_ms, remaining_ms, centipawns, mate, depth, nodes
  FROM played;
)sql";

// The fact `result_changed`, which readers before do not know.
constexpr std::string_view version_5 = "";

}  // namespace

const std::vector<std::string_view>& schema_steps() {
  static const std::vector<std::string_view> steps = {version_1, version_2, version_3, version_4, version_5};
  return steps;
}

int check_schema(sqlite::Connection& connection) {
  const auto application = connection.integer("PRAGMA application_id");
  const auto version = connection.integer("PRAGMA user_version");
  if (application != journal_application_id) throw JournalError(connection.path() + ": an SQLite file of another program, not a journal");
  if (version < 1)
    throw JournalError(connection.path() + ": a damaged journal: it claims to be of schema " + std::to_string(version) +
                       " (expected 1 to " + std::to_string(newest_schema_version()) + ")");
  if (version > newest_schema_version())
    throw JournalError(connection.path() + ": written by a newer version of this program (schema " + std::to_string(version) +
                       ", this one knows up to " + std::to_string(newest_schema_version()) + "); use that version");
  return static_cast<int>(version);
}

bool is_unwritten(const std::string& path) {
  sqlite::Connection connection(path, sqlite::Access::read_only);
  return connection.integer("SELECT count(*) FROM sqlite_master") == 0;
}

bool is_of_older_schema(const std::string& path) {
  sqlite::Connection connection(path, sqlite::Access::read_only);
  if (connection.integer("SELECT count(*) FROM sqlite_master") == 0) return false;  // nothing was written yet
  return check_schema(connection) < newest_schema_version();
}

void migrate(sqlite::Connection& connection, int from_version) {
  const auto& steps = schema_steps();
  if (from_version >= newest_schema_version()) return;
  sqlite::Transaction transaction(connection);
  try {
    for (std::size_t step = static_cast<std::size_t>(from_version); step < steps.size(); ++step)
      connection.execute(std::string(steps[step]));
  } catch (const JournalError& error) {
    const std::string_view text = error.what();
    if (text.find("already exists") == std::string_view::npos && text.find("duplicate column") == std::string_view::npos &&
        text.find("no such table") == std::string_view::npos)
      throw;
    throw JournalError(connection.path() + ": a damaged journal: its tables are not those of schema " + std::to_string(from_version) +
                       ", which it claims to be of");
  }
  connection.execute("PRAGMA user_version = " + std::to_string(newest_schema_version()));
  connection.execute("PRAGMA application_id = " + std::to_string(journal_application_id));
  transaction.commit();
}

}  // namespace referee::record
