# clang-tidy over the C++ files named on standard input, with the compile commands of build/release.
run_tidy() {
  { grep -E '\.cpp$' || true; } | xargs -r -P "$(nproc)" -n 1 clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p build/release 2>/dev/null
}
