#!/usr/bin/env bash
# Checks the structure of the engine: docs/architecture.md.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/structure.sh

Checks the files of engine/: each room includes itself and rooms before it, no
files include each other in a circle, no type is defined twice, and memory comes
from base/memory.h alone. No line of C in the repository is longer than 100
columns. Prints what is wrong, and exits with 1.
END
}

# A room may include those before it.
rooms='base tables parallel geometry kernels scene schedule solvers forces collision edit step world modules libraries'

# lines "FILE INCLUDED", both relative to engine/; public headers aside
list_includes() {
  grep -rnoE '^#include "[a-z_/0-9]+\.(h|inl)"' engine --include='*.[ch]' --include='*.inl' |
    sed -E 's|^engine/([^:]+):[0-9]+:#include "(.*)"|\1 \2|' | grep -v ' weft/' | grep -v ' weft_module' |
    grep -v '^include/'
}

find_upward_includes() {
  list_includes | awk -v rooms="$rooms" '
    BEGIN { count = split(rooms, name, " "); for (i = 1; i <= count; ++i) rank[name[i]] = i }
    {
      split($1, from, "/"); split($2, to, "/")
      if (!(from[1] in rank)) print "engine/" $1 ": the room " from[1] " is not in the list"
      else if (!(to[1] in rank) || rank[to[1]] > rank[from[1]])
        print "engine/" $1 ": includes " $2 ", of a room above"
    }'
}

find_circles() { list_includes | tsort 2>&1 >/dev/null | sed 's/^tsort: //'; }

find_types_defined_twice() {
  grep -rhoE '^\} weft__[a-z0-9_]+;' engine --include='*.[ch]' --include='*.inl' | sort | uniq -d |
    sed -E 's/^\} (.*);/type defined twice: \1/'
}

find_long_lines() {
  git ls-files '*.c' '*.h' '*.inl' '*.hpp' | xargs awk 'length > 100 { print FILENAME ":" FNR ": " length " columns" }'
}

# All memory and assertions are the host's where it sets callbacks: base/memory.h, base/host.h.
find_memory_of_the_c_library() {
  git grep -nE '(^|[^A-Za-z0-9_.>])(malloc|calloc|realloc|aligned_alloc|free|assert)\(' -- engine |
    grep -vE '^engine/(base/(memory|host)\.|include/)' | sed 's/$/: not of base\/memory.h or base\/host.h/'
}

case ${1:-} in
  -h | --help) usage && exit ;;
  '') ;;
  *) echo "structure.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
esac

found=$(find_upward_includes; find_circles; find_types_defined_twice; find_long_lines
  find_memory_of_the_c_library || true)
if [[ -n $found ]]; then
  echo "$found" >&2
  exit 1
fi
echo 'structure: includes go one way, types are defined once, lines end at 100 columns'
