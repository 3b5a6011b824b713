#!/usr/bin/env bash
# Configures and builds one preset into build/PRESET.
set -euo pipefail
cd "$(dirname "$0")/.."

usage='usage: tools/build.sh debug|release|asan-ubsan|tsan|msan [CMake options]'
case ${1:-} in
  -h | --help) echo "$usage" && exit ;;
  '' | -*) echo "$usage" >&2 && exit 2 ;;
esac
preset=$1
shift

echo "building $preset"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# on a terminal, the steps of ninja that are done: "[12/345]"
show_steps() {
  if [[ ! -t 1 ]]; then exec cat >/dev/null; fi
  sed -un 's/^\(\[[0-9]*\/[0-9]*\]\).*/\1/p' | while read -r steps; do printf '\r\033[K%s' "$steps"; done
  printf '\r\033[K'
}

# a build that works reports only its omissions
if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } 2>&1 | tee "$log" | show_steps; then
  cat "$log" >&2
  echo "building $preset failed" >&2
  exit 1
fi
grep '^weft: ' "$log" || true
