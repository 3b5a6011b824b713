#!/usr/bin/env bash
# Configures and builds one preset into build/PRESET.
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ $# -eq 0 || $1 == -* ]]; then
  echo "usage: tools/build.sh debug|release|asan-ubsan|tsan [CMake options]" >&2
  exit 2
fi
preset=$1
shift

echo "building $preset"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# a build that works has nothing to tell but what it leaves out
if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
  cat "$log" >&2
  echo "building $preset failed" >&2
  exit 1
fi
grep '^weft: ' "$log" || true
