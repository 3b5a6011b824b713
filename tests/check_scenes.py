#!/usr/bin/env bash
# Compares the scenes that weft-sim lists with the count in the README and the headings of its manual.
# usage: check_scenes.sh WEFT-SIM REPOSITORY
set -euo pipefail
sim=$1
repository=$2

scenes=$("$sim" list | cut -d ' ' -f 1)
count=$(wc -l <<<"$scenes")
grep -q "^weft-sim list .* # $count scenes" "$repository/README.md" || {
  echo "README.md does not say that weft-sim list names $count scenes" >&2
  exit 1
}
for scene in $scenes; do
  grep -qx "### $scene" "$repository/docs/weft-sim.md" || {
    echo "docs/weft-sim.md has no section on the scene $scene" >&2
    exit 1
  }
done
