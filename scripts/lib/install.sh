# Sourced by quickstart and test: installs what is missing, as root or through sudo. Nothing is upgraded.
# usage: install_missing PACKAGE...

build_packages=(ca-certificates git g++ cmake ninja-build ccache pkg-config libboost1.81-all-dev libboost-json1.81-dev libyaml-cpp-dev
  libsqlite3-dev zlib1g-dev libssl-dev libeigen3-dev libfathom-dev catch2)
demo_packages=(stockfish toga2 glaurung ethereal-chess gnuchess fairymax sjeng phalanx hoichess)
test_packages=(python3 python3-yaml sqlite3 pgn-extract polyglot sjaakii procps)
check_packages=(clang clang-tidy clang-format libclang-rt-14-dev valgrind strace)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else
    echo "these packages are missing, and neither root nor sudo is at hand: $missing_packages" >&2
    echo "install them (apt-get install $missing_packages) and run this again" >&2
    return 1
  fi
}

install_missing() {
  local package missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  missing_packages="${missing[*]}"
  echo "installing: $missing_packages"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || true
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure_and_build PRESET [TARGET...]
configure_and_build() {
  local preset=$1
  shift
  cmake --preset "$preset" "${cmake_options[@]}" >/dev/null
  cmake --build --preset "$preset" ${1:+--target "$@"}
}
cmake_options=()
