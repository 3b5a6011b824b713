#!/usr/bin/env bash
# Measures weft against the serial baseline: installs what is missing, builds, runs, writes a report.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/bench.sh [--quick]
       tools/bench.sh --keep NAME

Measures throughput (sheets of 512 x 512 and 1024 x 1024 particles and two
irregular meshes), strain against time, scaling, stages of contacts and the
limits of the machine. Prints tables and leaves build/report/index.html, one
page for any screen, with its JSON, CSV and SVG files.
Takes a quarter of an hour on two idle cores, the build included.
--quick takes smaller scenes and fewer steps, and no pictures: two or three
minutes, for a look, not for a measurement.
--keep writes bench/results/NAME.csv from the last run: its throughput rows
below the machine.
END
}

report=build/report
bench=./build/release/bench/weft-bench
passed=0

# minutes of each part on two cores, for the remaining time
parts='throughput:2 quality:4 scaling:1 scaling-folds:1 drape-sphere:1 drop-folds:1 limits:1'

minutes_left() {
  local part left=0 at=0
  for part in $parts; do
    ((++at > passed)) && left=$((left + ${part#*:}))
  done
  echo "$left"
}

# part NAME ARGUMENT...: runs weft-bench, and leaves NAME.json and NAME.csv
part() {
  local name=$1 left=''
  shift
  # with --quick parts take seconds
  [[ -n $quick ]] || left=" (some $(minutes_left) min left)"
  passed=$((passed + 1))
  echo
  echo "== $passed of 7: $name$left"
  "$bench" "$@" --json "$report/$name.json" --csv "$report/$name.csv"
}

# adds predicted rows of more threads to the files of a part
predict() {
  echo
  python3 tools/predict threads "$report/$1.json" --json "$report/$1.json" --csv "$report/$1.csv"
}

stamp() {
  local commit
  commit=$(git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
  python3 tools/report/report.py "$report" --date "$(date -u +%F)" --commit "$commit" "$@"
}

measure() {
  local effort=(--repeats 10) sizes=512,1024 meshes=build/release/meshes folds=129 steps=200
  local quality=(--size 129 --seconds 2) limits=128,512,1024
  if [[ -n $quick ]]; then
    sizes=256 effort=(--steps 5 --repeats 2) quality=(--size 65 --seconds 0.2) folds=65 steps=50
    limits=64,256
  fi
  part throughput throughput --scene sheet --size "$sizes" --mesh "$meshes/disc.ply" \
    --mesh "$meshes/garment.obj" "${effort[@]}"
  part quality quality "${quality[@]}"
  part scaling scaling --size "${sizes%,*}" --steps "$steps" --record
  predict scaling
  part scaling-folds scaling --scene drop-folds --size "$folds" --steps "$steps" --record
  predict scaling-folds
  part drape-sphere throughput --scene drape-sphere --size "$folds"
  part drop-folds throughput --scene drop-folds --size "$folds"
  part limits limits --size "$limits"
}

main() {
  quick=''
  [[ $# -le 1 || $1 == --keep ]] || { echo "bench.sh: one argument too many: '$2'" >&2 && exit 2; }
  case ${1:-} in
    '') ;;
    --quick) quick=yes ;;
    --keep)
      [[ $# -eq 2 && $2 =~ ^[a-z0-9-]+$ ]] || { usage >&2 && exit 2; }
      mkdir -p bench/results
      stamp --csv "bench/results/$2.csv"
      echo "results: bench/results/$2.csv" && return
      ;;
    -h | --help) usage && return ;;
    *) echo "bench.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
  esac

  ./tools/setup.sh bench
  ./tools/build.sh release -DWEFT_BUILD_TESTS=OFF -DWEFT_REQUIRE_ALL=ON
  mkdir -p "$report"
  measure
  # the page of weft-view needs the npm registry; the measurements do not
  [[ -n $quick ]] || ./tools/pictures.sh --report "$report" ||
    echo 'bench: no pictures of the scenes in the report' >&2
  ./tools/plot.sh throughput "$report/throughput.csv" "$report/throughput.svg"
  stamp
  echo
  echo "report: $report/index.html"
}

main "$@"
