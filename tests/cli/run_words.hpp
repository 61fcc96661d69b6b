// Runs the command line in this process and keeps what it says.
#pragma once

#include <boost/json.hpp>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "referee/cli/command.hpp"

namespace referee::test {

struct Ran {
  int code = 0;
  std::string out, errors;
  [[nodiscard]] boost::json::value value() const { return boost::json::parse(out); }
};

inline Ran run(const std::vector<std::string>& words) {
  std::ostringstream out;
  std::ostringstream errors;
  std::streambuf* const old_out = std::cout.rdbuf(out.rdbuf());
  std::streambuf* const old_errors = std::cerr.rdbuf(errors.rdbuf());
  Ran ran;
  ran.code = cli::run_command_line(words);
  std::cout.rdbuf(old_out);
  std::cerr.rdbuf(old_errors);
  ran.out = out.str();
  ran.errors = errors.str();
  return ran;
}

}  // namespace referee::test
