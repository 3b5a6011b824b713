#!/usr/bin/env bash
# Checks, or fixes, the layout of the C sources by .clang-format.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/format.sh [--check | --fix]

--check (the default) names the files that clang-format would change, and fails
if there are any; --fix changes them.
END
}

# tracked files and new ones that git does not ignore, without deleted ones; also in a checkout of
# another user
list_sources() {
  git -c safe.directory="$PWD" ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' '*.inl' '*.cpp' '*.hpp' |
    while IFS= read -r -d '' file; do
      if [[ -f $file ]]; then printf '%s\n' "$file"; fi
    done | sort -u
}

check() {
  local bad=()
  for file in "$@"; do
    clang-format "$file" | cmp -s - "$file" || bad+=("$file")
  done
  [[ ${#bad[@]} -gt 0 ]] || return 0
  {
    echo "format: tools/format.sh --fix would change ${#bad[@]} of $# files:"
    printf '  %s\n' "${bad[@]}"
    echo "format: by $(clang-format --version)"
  } >&2
  return 1
}

main() {
  local job=${1:---check} files
  case $job in
    --check | --fix) ;;
    -h | --help) usage && return ;;
    *) echo "format.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
  esac
  ./tools/setup.sh format
  mapfile -t files < <(list_sources)
  [[ ${#files[@]} -gt 0 ]] || { echo "format: found no sources" >&2 && return 1; }
  if [[ $job == --fix ]]; then
    clang-format -i "${files[@]}"
  else
    check "${files[@]}"
  fi
}

main "$@"
