#!/usr/bin/env bash
# Builds the engine with some of its modules, and runs the tests of the rooms that need no more.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/modules.sh [SEED]

Builds the core alone with the example of a module, tools/examples/module, then
the core with three subsets of the modules, which SEED, a whole number, draws (1
by default), and runs
the tests of each build: of the core alone all, of a subset the rooms that call
a module of it.
END
}

case ${1:-} in
  -h | --help) usage && exit ;;
  '') seed=1 ;;
  *[!0-9]*) usage >&2 && exit 2 ;;
  *) seed=$1 ;;
esac

mapfile -t modules < <(sed -n 's/^weft_module(\([a-z_]*\) .*/\1/p' engine/modules/modules.cmake)

# about half of the modules; not in a subshell, which would draw the same again
draw() {
  local name
  subset=
  for name in "${modules[@]}"; do
    if ((RANDOM % 2 == 0)); then subset+="${subset:+;}$name"; fi
  done
}

# $1 and $2: modules; $3: optimisation, little where only a few short suites run
configure() {
  cmake --log-level=NOTICE -S . -B "build/modules$3" -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_MODULES="$1" \
    -DCMAKE_C_FLAGS_RELEASE="$3 -DNDEBUG" -DWEFT_EXTRA_MODULES="$2" -DWEFT_BUILD_TESTS=ON \
    -DWEFT_BUILD_BENCH=OFF -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_MPI=OFF
}

run_suites() { ctest --test-dir "build/modules$1" --output-on-failure --parallel "$(nproc)" "${@:2}"; }

./tools/setup.sh test
RANDOM=$((seed % 32768))
echo "modules: seed $seed"

echo 'modules: the core alone'
configure '' tools/examples/module/magnet -O1
cmake --build build/modules-O1 -- --quiet
run_suites -O1 --no-tests=error

for _ in 1 2 3; do
  draw
  echo "modules: $subset"
  configure "$subset" '' -O0
  cmake --build build/modules-O0 --target weft_module_tests -- --quiet
  run_suites -O0 --label-exclude '^(attachments|geometry|joints)$'
done
