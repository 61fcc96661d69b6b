// The names beside a journal that belong to it.
#pragma once

#include <array>
#include <string_view>

namespace referee::record {

inline constexpr std::string_view owner_lock_part = ".lock";
/// What SQLite and the lock of its owner keep there: appended to the journal's path.
inline constexpr std::array<std::string_view, 4> parts_of_journal{"-wal", "-shm", "-journal", owner_lock_part};

}  // namespace referee::record
