#!/usr/bin/env bash
# Counts the instructions of a few small runs and compares them with bench/counts.csv: unlike times
# they do not depend on other load.
set -euo pipefail
cd "$(dirname "$0")/.."

counts=bench/counts.csv
bench=./build/release/bench/weft-bench
limit=2.5 # percent

usage() {
  cat <<'END'
usage: tools/counts.sh [--renew]

Counts the instructions of weft_world_step() by callgrind, one thread, AVX2, and
exits with 1 if a run takes 2.5 % more of them than bench/counts.csv says.
Counts depend on compiler and C library: where these are others than the file's,
it only says so.
--renew writes the file: commit it with the change that explains it.
END
}

# name | arguments of weft-bench: scenes of contacts touch before they end
runs='
sheet        | hash --size 129 --steps 10
sheet-levels | hash --size 65 --steps 10 --coarse 4 --substeps 2
sheet-lra    | hash --size 129 --steps 10 --attachments 1
mesh         | hash --mesh build/release/meshes/garment.obj --steps 2
drape-sphere | growth --scene drape-sphere --particles 1000 --doublings 0 --warmup 50 --steps 5
drop-folds   | growth --scene drop-folds --particles 289 --doublings 0 --warmup 60 --steps 5
particles    | growth --scene particles --particles 500 --doublings 0 --warmup 25 --steps 5
'

# compiler and C library, whose code is counted too
tools_used() {
  local compiler
  compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' build/release/CMakeCache.txt)
  echo "$("$compiler" --version | head -n 1), glibc $(getconf GNU_LIBC_VERSION | cut -d ' ' -f 2)"
}

count() {
  local words
  read -r -a words <<<"$1"
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=weft_world_step \
    "$bench" "${words[@]}" --threads 1 --isa avx2 2>&1 >/dev/null |
    sed -n 's/.*Collected : //p'
}

# side by side: counts do not depend on load
count_all() {
  local name arguments folder
  folder=$(mktemp -d)
  while IFS='|' read -r name arguments; do
    if [[ -n $name ]]; then count "$arguments" >"$folder/${name// /}" & fi
  done <<<"$runs"
  wait
  while IFS='| ' read -r name arguments; do
    if [[ -n $name ]]; then echo "$name,$(<"$folder/$name")"; fi
  done <<<"$runs"
  rm -r "$folder"
}

# prints a line a run; fails where one takes more
compare() {
  awk -F ',' -v limit="$limit" '
    /^#/ || $1 == "run" { next }
    NR == FNR { before[$1] = $2; next }
    !($1 in before) { printf "%-12s %14d, not in the file\n", $1, $2; ++wrong; next }
    {
      change = 100 * ($2 / before[$1] - 1)
      verdict = change > limit ? "MORE" : change < -limit ? "fewer: worth --renew" : ""
      if (change > limit) ++wrong
      printf "%-12s %14d before %14d now %+7.2f %% %s\n", $1, before[$1], $2, change, verdict
    }
    END { exit wrong > 0 }' "$counts" -
}

main() {
  case ${1:-} in
    '' | --renew) ;;
    -h | --help) usage && return ;;
    *) echo "counts.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
  esac
  if [[ $(uname -m) != x86_64 ]]; then
    echo 'counts: the file is of x86-64' && return
  fi
  ./tools/setup.sh counts
  ./tools/build.sh release
  local now
  now=$(count_all)
  if [[ ${1:-} == --renew ]]; then
    printf '# instructions of weft_world_step(), one thread, AVX2; see tools/counts.sh\n# %s\nrun,instructions\n%s\n' \
      "$(tools_used)" "$now" >"$counts"
  elif [[ $(sed -n '2s/^# //p' "$counts") != "$(tools_used)" ]]; then
    echo "counts: of another compiler or C library than the file's, which has no say then:"
    compare <<<"$now" || true
  else
    compare <<<"$now" || {
      echo "counts: more than $limit % more instructions; if that is worth it: tools/counts.sh --renew" >&2
      exit 1
    }
  fi
}

main "$@"
