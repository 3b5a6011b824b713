#!/usr/bin/env bash
# Checks that what docs/sources.md names is there: runs each scene for a moment, finds each test.
# usage: check_sources.sh REPOSITORY BUILD
# In the tables of the page, `scene NAME` is a scene of weft-sim, `file NAME.json` one of
# tools/sim/examples, and `SUITE: TEST` a test.
set -euo pipefail
repository=$(realpath "$1")
build=$(realpath "$2")
page=$repository/docs/sources.md
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
faults=0

fault() {
  echo "docs/sources.md: $*" >&2
  faults=$((faults + 1))
}

# named PATTERN: what stands so in backquotes in the tables, once each
named() {
  grep '^|' "$page" | grep -oE "\`$1\`" | tr -d '`' | sort -u
}

run_scene() {
  "$build/tools/weft-sim" run "$@" --seconds 0.02 --quiet >/dev/null || fault "$* does not run"
}

for scene in $(named 'scene [a-z-]+' | cut -d ' ' -f 2); do run_scene "$scene"; done
for file in $(named 'file [a-z-]+\.json' | cut -d ' ' -f 2); do
  run_scene "$repository/tools/sim/examples/$file"
done

# tests run by themselves: here they have to be there
named '[a-z_]+: [a-z0-9_]+' >tests
while IFS=': ' read -r suite name; do
  grep -qE "^[A-Z_]*TEST\($name[,)]" "$repository"/tests/*/test_"$suite".c ||
    fault "$suite: there is no test $name"
done <tests
echo "docs/sources.md: $(wc -l <tests) tests, $(named '(scene|file) [a-z.-]+' | wc -l) scenes"
exit $((faults > 0))
