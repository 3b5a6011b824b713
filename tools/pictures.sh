#!/usr/bin/env bash
# Draws pictures of scenes by weft-view --render, for the README and the report.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)

usage() {
  cat <<'END'
usage: tools/pictures.sh [FOLDER]
       tools/pictures.sh --report FOLDER

Writes sheets.png, curtain.png and ragdolls.png to FOLDER, docs/images by
default. --report writes drape-sphere.png and drop-folds.png, of the scenes that
tools/bench.sh measures. Takes a minute.
END
}

# draw NAME SCENE ARGUMENT...
draw() {
  local name=$1
  shift
  "$repository/build/release/tools/weft-view" "$@" --size 640x480 --render "$folder/$name.png"
}

draw_readme() {
  draw sheets sheets --seconds 1
  draw curtain curtain --set columns=129 --set rows=97 --set pull=3 --seconds 1.1
  draw ragdolls ragdolls --set flat=false --set count=9 --set drop=1.2 --set seed=6 --seconds 0.8
}

draw_report() {
  draw drape-sphere drape-sphere --set size=129 --seconds 3
  draw drop-folds drop-folds --set size=129 --seconds 3
}

main() {
  local pictures=readme
  case ${1:-} in
    -h | --help) usage && return ;;
    --report) pictures=report && shift ;;
    -*) usage >&2 && exit 2 ;;
  esac
  [[ $# -le 1 ]] || { usage >&2 && exit 2; }
  folder=${1:-$repository/docs/images}
  mkdir -p "$folder"
  "$repository/tools/view.sh" --build
  "draw_$pictures"
}

main "$@"
