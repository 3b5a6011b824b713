#!/usr/bin/env bash
# Checks that what docs/sources.md names is there: runs each scene for a moment, and each test.
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
  "$build/tools/weft-sim" run "$@" --seconds 0.1 --quiet >/dev/null || fault "$* does not run"
}

for scene in $(named 'scene [a-z-]+' | cut -d ' ' -f 2); do run_scene "$scene"; done
for file in $(named 'file [a-z-]+\.json' | cut -d ' ' -f 2); do
  run_scene "$repository/tools/sim/examples/$file"
done

# lines "SUITE: TEST" of all tests named
named '[a-z_]+: [a-z0-9_]+' >tests
while read -r suite; do
  program=
  for candidate in "$build"/tests/test_*; do
    [[ -f $candidate && -x $candidate ]] || continue
    if "$candidate" --list 2>/dev/null | grep -qx "$suite"; then program=$candidate && break; fi
  done
  [[ -n $program ]] || { fault "there is no suite $suite" && continue; }
  CK_VERBOSITY=verbose "$program" "$suite" >log 2>&1 </dev/null || true
  while read -r name; do
    grep -q ":P:$suite:$name:" log || fault "$suite: $name is no test that passes"
    if grep -qE ":[FE]:$suite:$name:" log; then fault "$suite: $name fails"; fi
  done < <(grep "^$suite: " tests | cut -d ' ' -f 2)
done < <(cut -d : -f 1 tests | sort -u)
echo "docs/sources.md: $(wc -l <tests) tests, $(named '(scene|file) [a-z.-]+' | wc -l) scenes"
exit $((faults > 0))
