#!/usr/bin/env bash
# Measures weft against the serial baseline: installs what is missing, builds, runs, draws.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/bench.sh [--quick]

Runs sheets of 512 x 512 and 1024 x 1024 particles and two irregular meshes, on one thread and on
all. Prints a table and leaves throughput.json, .csv and .svg in build/report.
--quick takes one smaller sheet and fewer steps: a look, not a measurement.
END
}

main() {
  local sizes=512,1024 effort=(--repeats 10)
  case ${1:-} in
    '') ;;
    --quick) sizes=256 effort=(--steps 5 --repeats 2) ;;
    -h | --help) usage && return ;;
    *) usage >&2 && exit 2 ;;
  esac

  ./tools/setup.sh bench
  ./tools/build.sh release -DWEFT_BUILD_TESTS=OFF -DWEFT_REQUIRE_ALL=ON
  mkdir -p build/report
  ./build/release/bench/weft-bench throughput \
    --scene sheet --size "$sizes" \
    --mesh build/release/meshes/disc.ply --mesh build/release/meshes/garment.obj \
    "${effort[@]}" \
    --json build/report/throughput.json --csv build/report/throughput.csv
  ./tools/plot.sh throughput build/report/throughput.csv build/report/throughput.svg
  echo "report: build/report/throughput.json, throughput.csv, throughput.svg"
}

main "$@"
