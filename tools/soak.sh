#!/usr/bin/env bash
# Runs random programs of API calls for a given time, and checks invariants.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/soak.sh MINUTES [--seed N] [--round N | --rounds N] [--step-times]
                     [--quiet]

Builds tests/fuzz/soak.c in the release build and runs it: rounds of random
scenes, edits, contacts, questions and steps, each with one worker and again
with several and another instruction set. Fails, and says how to repeat the
round, where two runs do not have the same bits, a call that fails changes
anything, sane input does not stay finite, or the memory of the process grows;
with --step-times also where a step takes far longer than the others, for a
quiet machine. --seed chooses the rounds, --round runs a single one, --rounds no
more than N. Ctrl-C ends it with a summary, and 130.
END
}

case ${1:-} in
  -h | --help) usage && exit ;;
  '' | *[!0-9]*) usage >&2 && exit 2 ;;
esac
seconds=$((10#$1 * 60))
shift

./tools/setup.sh test
echo 'building soak'
mkdir -p build/release
if ! { cmake --preset release -DWEFT_BUILD_TESTS=ON &&
  cmake --build --preset release --target weft_soak; } >build/release/soak.log 2>&1; then
  cat build/release/soak.log >&2
  exit 1
fi
exec ./build/release/tests/fuzz/weft_soak "$seconds" "$@"
