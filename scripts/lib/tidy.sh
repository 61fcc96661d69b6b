# clang-tidy over the C++ files named on standard input, each with its own compile command (build/tidy: nothing is built there).
tidy_commands() {
  cmake --preset release -B build/tidy -DREFEREE_BATCHES=OFF >/dev/null
}
run_tidy() {
  { grep -E '\.cpp$' || true; } | xargs -r -P "$(nproc)" -n 1 clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p build/tidy 2>/dev/null
}
