#!/usr/bin/env bash
# Measures laws between the parts of weft, for each body, contact path and setting.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/laws.sh [--full] [--law P] [--body P] [--path P] [--setting P]
                     [--all] [--list] [--renew] [--known FILE] [--json FILE]
                     [--jobs N] [--quiet]

Builds tests/laws/program.c in the release build and runs it: a cover of all
pairs of laws and rows, as the test suites have it, with --full all cases.
Prints the cases that fall short, with figure and bound, and exits with 1 where
one is broken, or worse or better than tests/laws/known.txt says. P are patterns
of the shell, such as 'cone-*', that choose among all cases; --all prints cases
that hold, too; --list prints laws and rows. --renew measures the cover, or what
patterns choose of it, and rewrites the lines of these cases in
tests/laws/known.txt. --json writes all figures. --jobs is the number of
processes, by default that of the CPUs. Ctrl-C prints what has been measured,
and exits with 130.
END
}

jobs=(--jobs "$(nproc)")
for word in "$@"; do
  case $word in
    -h | --help) usage && exit ;;
    --jobs*) jobs=() ;;
  esac
done

./tools/setup.sh test
echo 'building weft-laws' >&2
mkdir -p build/release
if ! { cmake --preset release -DWEFT_BUILD_TESTS=ON &&
  cmake --build --preset release --target weft-laws; } >build/release/laws.log 2>&1; then
  cat build/release/laws.log >&2
  exit 1
fi
exec ./build/release/tests/weft-laws "${jobs[@]}" "$@"
