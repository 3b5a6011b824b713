# shellcheck shell=bash
# Sourced by the tests that are shell scripts: a folder of their own, and faults, which are counted.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fault() {
  echo "not so: $*" >&2
  failures=$((failures + 1))
}
