#include "referee/match/engine_log.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "config/used_files.hpp"
#include "referee/record/append_file.hpp"
#include "referee/record/journal.hpp"

namespace referee::match {

namespace {

constexpr std::size_t longest_line = 4096;
constexpr std::size_t most_unwritten_bytes = std::size_t{64} << 20U;

char mark(engine::LoggedLine::Way way) {
  switch (way) {
    case engine::LoggedLine::Way::to_engine:
      return '>';
    case engine::LoggedLine::Way::from_engine:
      return '<';
    case engine::LoggedLine::Way::from_stderr:
      return '!';
    case engine::LoggedLine::Way::note:
      break;
  }
  return '-';
}

}  // namespace

void append_line(std::string& out, std::string_view name, const engine::LoggedLine& line) {
  const auto at = line.at.time_since_epoch().count();
  std::array<char, 40> stamp{};
  (void)std::snprintf(stamp.data(), stamp.size(), "%lld.%06lld ", static_cast<long long>(at / 1'000'000'000),
                      static_cast<long long>(at / 1000 % 1'000'000));
  out.append(stamp.data()).append(name).append(1, ' ').append(1, mark(line.way)).append(1, ' ');
  out.append(line.text, 0, longest_line);
  if (line.text.size() > longest_line) out.append(" ... (").append(std::to_string(line.text.size())).append(" bytes)");
  out += '\n';
}

std::string merged_lines(std::array<const engine::Engine*, 2> engines) {
  struct Said {
    const std::string* name;
    engine::LoggedLine line;
  };
  std::vector<Said> all;
  for (const engine::Engine* engine : engines) {
    for (engine::LoggedLine& line : engine->recent_lines()) all.push_back({&engine->spec().name, std::move(line)});
  }
  std::ranges::stable_sort(all, {}, [](const Said& said) { return said.line.at; });
  std::string text;
  for (const Said& said : all) append_line(text, *said.name, said.line);
  return text;
}

/// Shared by the engine's callback and the jobs it posts.
class ProtocolLog::File : public std::enable_shared_from_this<File> {
 public:
  File(std::string path, std::string name, Worker& worker, Tell tell)
      : path_(std::move(path)), name_(std::move(name)), worker_(worker), tell_(std::move(tell)) {}

  void add(const engine::LoggedLine& line) {
    if (unwritten_.load(std::memory_order_relaxed) > most_unwritten_bytes) {
      ++left_out_;
      return;
    }
    std::string text;
    if (left_out_ > 0) text = "(" + std::to_string(std::exchange(left_out_, 0)) + " lines left out: the disk did not follow)\n";
    append_line(text, name_, line);
    unwritten_.fetch_add(text.size(), std::memory_order_relaxed);
    worker_.post([self = shared_from_this(), bytes = std::move(text)] { self->write(bytes); });
  }

 private:
  void write(const std::string& bytes) {
    unwritten_.fetch_sub(bytes.size(), std::memory_order_relaxed);
    try {
      if (!file_) file_ = std::make_unique<record::AppendFile>(path_);
      if (lost_ > 0) {
        file_->append("(" + std::to_string(lost_) + " pieces left out: they could not be written)\n");
        if (!std::exchange(told_of_room_, true)) tell_(path_ + ": the protocol log goes on");
        lost_ = 0;
      }
      file_->append(bytes);
    } catch (const record::JournalError& error) {
      ++lost_;
      if (!std::exchange(told_of_loss_, true)) tell_(std::string(error.what()) + "; the protocol log goes on when it can");
    }
  }

  std::string path_;
  std::string name_;
  Worker& worker_;
  Tell tell_;
  std::unique_ptr<record::AppendFile> file_;
  std::atomic<std::size_t> unwritten_{0};
  std::size_t left_out_ = 0;
  std::size_t lost_ = 0;  // pieces; of the worker's thread, as what follows
  bool told_of_loss_ = false, told_of_room_ = false;
};

ProtocolLog::ProtocolLog(std::string folder, Worker& worker, Tell tell)
    : folder_(std::move(folder)), worker_(worker), tell_(std::move(tell)) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw std::runtime_error(folder_ + ": the folder of the protocol log cannot be made: " + error.message());
}

ProtocolLog::~ProtocolLog() = default;

void ProtocolLog::attach(engine::Engine& engine, int serial) {
  const std::string& name = engine.spec().name;
  const std::string path = folder_ + "/" + config::file_name_of(name) + "-" + std::to_string(serial) + ".log";
  auto file = std::make_shared<File>(path, name, worker_, tell_);
  engine.set_line_log([file](const engine::LoggedLine& line) { file->add(line); });
}

}  // namespace referee::match
