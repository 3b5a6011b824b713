#!/usr/bin/env bash
# Measures which branches of the engine the tests take.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/coverage.sh [--least PERCENT] [--no-run]

Builds the tests with counters, runs them, prints lines and branches of each
file of engine/ and leaves build/coverage/report.html. Exits with 1 where fewer
than PERCENT of the branches are taken, 90 by default. --no-run reports what
earlier runs have counted.
The kernels of vector instruction sets are one body, which counts once.
END
}

least=90
run=true
while [[ $# -gt 0 ]]; do
  case $1 in
    --least) [[ ${2:-} =~ ^[0-9]+$ ]] || { usage >&2 && exit 2; } && least=$2 && shift ;;
    --no-run) run=false ;;
    -h | --help) usage && exit ;;
    *) echo "coverage.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
  esac
  shift
done

./tools/setup.sh test
./tools/setup.sh coverage
if $run; then
  ./tools/build.sh coverage -DWEFT_BUILD_TESTS=ON
  find build/coverage -name '*.gcda' -delete
  # tests of the installed library link it to programs without counters
  ctest --preset coverage --no-tests=error --parallel "$(nproc)" --exclude-regex installed_library
fi
gcovr --root . --filter 'engine/' --object-directory build/coverage --branches \
  --exclude-unreachable-branches --exclude-throw-branches -j "$(nproc)" \
  --html-details build/coverage/report.html --txt build/coverage/report.txt \
  --fail-under-branch "$least" build/coverage && status=0 || status=$?
cat build/coverage/report.txt
exit "$status"
