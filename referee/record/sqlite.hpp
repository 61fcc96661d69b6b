// SQLite, thinly: a connection and a prepared statement that close themselves and turn error codes into JournalError.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "referee/record/journal.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace referee::record::sqlite {

enum class Access { read_only, read_write, create };

class Connection {
 public:
  /// Throws JournalError. `shown_path` is what messages name.
  Connection(std::string path, Access access);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Any number of statements without parameters or results.
  void execute(const std::string& sql);
  [[nodiscard]] std::int64_t integer(const std::string& sql);
  [[nodiscard]] std::int64_t last_row_id() const noexcept;
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] sqlite3* handle() const noexcept { return handle_; }
  /// Says in words what the last call complained of.
  [[noreturn]] void fail(int code) const;

 private:
  std::string path_;
  sqlite3* handle_ = nullptr;
};

/// Bind by position from 1; text must outlive step().
class Statement {
 public:
  Statement(Connection& connection, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(int position, std::string_view text);
  /// Text from outside, which may be no UTF-8: bytes() gives back exactly what went in (json.hpp says how).
  Statement& bind_bytes(int position, std::string_view text);
  Statement& bind(int position, std::nullopt_t);
  template <std::integral Integer>
  Statement& bind(int position, Integer value) {
    return bind_integer(position, static_cast<std::int64_t>(value));
  }
  /// One integer, or null.
  template <std::integral Integer>
  Statement& bind(int position, std::optional<Integer> value) {
    return value ? bind(position, *value) : bind(position, std::nullopt);
  }
  Statement& bind_real(int position, double value);

  /// True while there is a row.
  bool step();
  /// Runs to the end and makes it ready for the next bindings.
  void run();
  void reset() noexcept;

  [[nodiscard]] std::int64_t integer(int column) const noexcept;
  [[nodiscard]] double real(int column) const noexcept;
  [[nodiscard]] std::string_view text(int column) const noexcept;  // valid until the next step() or reset()
  [[nodiscard]] std::string bytes(int column) const;
  [[nodiscard]] bool is_null(int column) const noexcept;

 private:
  Statement& bind_integer(int position, std::int64_t value);
  Connection& connection_;
  sqlite3_stmt* handle_ = nullptr;
};

/// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Connection& connection);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Connection& connection_;
  bool open_ = true;
};

}  // namespace referee::record::sqlite
