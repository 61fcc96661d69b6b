#include "referee/record/sqlite.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "referee/record/json.hpp"

namespace referee::record::sqlite {

namespace {

// An URI, so that `immutable` can be said; what has a meaning there is escaped.
std::string uri(const std::string& path, std::string_view parameters) {
  std::string text = "file:";
  for (const char c : path) {
    if (c == '%' || c == '?' || c == '#') {
      text += c == '%' ? "%25" : c == '?' ? "%3f" : "%23";
    } else {
      text += c;
    }
  }
  text += parameters;
  return text;
}

// A journal on a medium that cannot be written has no -wal left to respect: then nothing changes under the reader.
bool sealed(const std::string& path) {
  std::error_code error;
  const auto folder = std::filesystem::absolute(path, error).parent_path();
  return ::access(folder.c_str(), W_OK) != 0 && !std::filesystem::exists(path + "-wal", error);
}

}  // namespace

Connection::Connection(std::string path, Access access) : path_(std::move(path)) {
  int flags = SQLITE_OPEN_URI;
  switch (access) {
    case Access::read_only:
      flags |= SQLITE_OPEN_READONLY;
      break;
    case Access::read_write:
      flags |= SQLITE_OPEN_READWRITE;
      break;
    case Access::create:
      flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
      break;
  }
  const bool immutable = access == Access::read_only && sealed(path_);
  const int code = sqlite3_open_v2(uri(path_, immutable ? "?immutable=1" : "").c_str(), &handle_, flags, nullptr);
  if (code != SQLITE_OK) {
    const std::string why = handle_ == nullptr ? "out of memory" : std::strerror(sqlite3_system_errno(handle_));
    sqlite3_close_v2(handle_);
    throw JournalError(path_ + ": cannot be opened: " + why);
  }
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, 10'000);
}

Connection::~Connection() { sqlite3_close_v2(handle_); }

void Connection::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Connection::integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Connection::last_row_id() const noexcept { return sqlite3_last_insert_rowid(handle_); }

void Connection::fail(int code) const {
  const std::string said = sqlite3_errmsg(handle_);
  switch (code & 0xFF) {
    case SQLITE_NOTADB:
      throw JournalError(path_ + ": not a journal (no SQLite file)");
    case SQLITE_CORRUPT:
      throw JournalError(path_ + ": damaged (" + said + "); restore it from a copy, or start anew with another output folder or --fresh");
    case SQLITE_FULL:
      throw JournalError(path_ + ": the disk is full", JournalError::Cause::no_room);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw JournalError(path_ + ": locked by another program for more than 10 s");
    case SQLITE_READONLY:
      throw JournalError(path_ + ": may not be written (" + said + ")");
    case SQLITE_CANTOPEN:
      // The number SQLite keeps is that of its last attempt, often not of the one that matters.
      throw JournalError(path_ +
                         ": it, or its -wal, -shm or -journal beside it, cannot be opened or made; may the folder be written, and is "
                         "there room on the disk and in its table of files?");
    case SQLITE_IOERR: {
      const int number = sqlite3_system_errno(handle_);
      throw JournalError(path_ + ": " + said + (number == 0 ? "" : std::string(" (") + std::strerror(number) + ")"),
                         JournalError::cause_of(number));
    }
    default:
      throw JournalError(path_ + ": " + said);
  }
}

Statement::Statement(Connection& connection, std::string_view sql) : connection_(connection) {
  const int code =
      sqlite3_prepare_v3(connection.handle(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT, &handle_, nullptr);
  if (code != SQLITE_OK) connection.fail(code);
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement& Statement::bind(int position, std::string_view text) {
  const int code =
      sqlite3_bind_text64(handle_, position, text.data() == nullptr ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

Statement& Statement::bind_bytes(int position, std::string_view text) {
  const std::string valid = valid_utf8(text);
  const int code = sqlite3_bind_text64(handle_, position, valid.data(), valid.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

Statement& Statement::bind(int position, std::nullopt_t) {
  const int code = sqlite3_bind_null(handle_, position);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

Statement& Statement::bind_integer(int position, std::int64_t value) {
  const int code = sqlite3_bind_int64(handle_, position, value);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

Statement& Statement::bind_real(int position, double value) {
  const int code = sqlite3_bind_double(handle_, position, value);
  if (code != SQLITE_OK) connection_.fail(code);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) {
    reset();
    connection_.fail(code);
  }
  return false;
}

void Statement::run() {
  while (step()) {}
  reset();
}

void Statement::reset() noexcept {
  sqlite3_reset(handle_);
  sqlite3_clear_bindings(handle_);
}

std::int64_t Statement::integer(int column) const noexcept { return sqlite3_column_int64(handle_, column); }
double Statement::real(int column) const noexcept { return sqlite3_column_double(handle_, column); }
std::string_view Statement::text(int column) const noexcept {
  const unsigned char* text = sqlite3_column_text(handle_, column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}
std::string Statement::bytes(int column) const { return restore_bytes(text(column)); }
bool Statement::is_null(int column) const noexcept { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }

Transaction::Transaction(Connection& connection) : connection_(connection) { connection_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  connection_.execute("COMMIT");
  open_ = false;
}

}  // namespace referee::record::sqlite
