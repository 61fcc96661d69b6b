# clang-tidy over the C++ files named on standard input, each with its own compile command (build/tidy: nothing is built there).
# The checks cert-dcl37-c and cert-dcl51-cpp are other names of bugprone-reserved-identifier and only cost its time again.
tidy_commands() {
  cmake --preset release -B build/tidy -DREFEREE_BATCHES=OFF >/dev/null
}
run_tidy() {
  { grep -E '\.cpp$' || true; } | xargs -r -P "$(nproc)" -n 1 clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p build/tidy 2>/dev/null
}
# Over everything, in the batches in which build/release compiles the upper floors: what they include is read once a batch, not once a file.
tidy_everything() {
  python3 -c 'import json; print(*sorted({c["file"] for c in json.load(open("build/release/compile_commands.json")) if "/tests/" not in c["file"] and "/CMakeFiles/test_" not in c["file"] and "precompiled_header" not in c["file"] and "cmake_pch" not in c["file"]}), sep="\n")' |
    xargs -r -P "${TIDY_JOBS:-$(nproc)}" -n 1 clang-tidy -quiet -extra-arg=-Wno-unknown-warning-option -p build/release \
      -checks=-bugprone-suspicious-include -header-filter='(referee|engine_iface|config)/.*\.(hpp|cpp)$' 2>/dev/null
}
