#include <string>
#include <vector>

#include "referee/cli/command.hpp"

int main(int argc, char** argv) { return referee::cli::run_command_line(std::vector<std::string>(argv + 1, argv + argc)); }
