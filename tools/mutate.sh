#!/usr/bin/env bash
# Measures how many deliberate faults of a room the tests find.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/mutate.sh ROOM [--count N] [--seed S] [--list]
       tools/mutate.sh --check

Makes N mutants (25 by default) of engine/ROOM, one after another, in a copy of
the working tree in build/mutate, and runs the room's suites on each, the
fastest first, until one fails. A mutant is a line with another operator or
constant, or a negated condition, or without a statement; lines are drawn evenly
over the room by a generator with seed S (1 by default). A suite that takes more
than ten times as long as without a mutant counts as failed. Mutants that do not
compile, or compile to the same code, do not count. Prints the share that was
killed, and the survivors.
--list prints the mutants alone. --check makes none: it checks that each folder
of engine/ has a row in tools/mutate.py, which names its suites.
tests/mutants_equivalent.txt lists mutants that change nothing.
END
}

case ${1:-} in
  -h | --help) usage && exit ;;
  --check)
    ./tools/setup.sh mutate
    exec python3 tools/mutate.py --check
    ;;
  '' | -*) usage >&2 && exit 2 ;;
esac
./tools/setup.sh test
./tools/setup.sh mutate
exec python3 tools/mutate.py "$@"
