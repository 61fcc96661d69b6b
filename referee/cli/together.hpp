// Options that only mean something together: given alone they are refused, never ignored.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "referee/cli/command.hpp"

namespace referee::cli {

/// Throws UsageError if one of `options` is given and none of `needed` is: "option --seed says nothing alone (expected --order random with
/// it)". `needed`: names without dashes; "order=random" asks for that value.
void belongs_to(const Arguments& arguments, std::initializer_list<std::string_view> options,
                std::initializer_list<std::string_view> needed);
/// Throws UsageError if both are given.
void exclude(const Arguments& arguments, std::string_view one, std::string_view other);

/// What a command puts into a file: a match file may take the place of one, and games that of games, nothing else may.
enum class Written { match_file, games, other };

/// A file to write, before the work: throws UsageError if its folder is not there, or if it is one of those that are read. "-" and "" are
/// always right.
void check_output(std::string_view option, const std::string& path, const std::vector<std::string>& inputs,
                  Written written = Written::other);
/// The same for the files that these options name, and no two may be one. What is read: the operands and what the options `read` name.
void check_outputs(const Arguments& arguments, std::initializer_list<std::string_view> options,
                   std::initializer_list<std::string_view> read = {});

}  // namespace referee::cli
