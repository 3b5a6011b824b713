#!/usr/bin/env bash
# Draws the pictures of the README: runs scenes by weft-sim, and POV-Ray renders their final states.
# A picture is a scene of POV-Ray, tools/pictures/NAME.pov, whose first line is the weft-sim run.
set -euo pipefail
repository=$(cd "$(dirname "$0")/.." && pwd)

usage() {
  echo "usage: tools/pictures.sh [FOLDER]"
  echo
  echo "Writes drape.png, curtain.png and ragdolls.png to FOLDER, docs/images by default. Takes a few minutes."
}

# draw NAME FOLDER
draw() {
  local scene=$repository/tools/pictures/$1.pov command
  read -r -a command < <(sed -n '1s/^\/\/ weft-sim //p' "$scene")
  "$repository/build/release/tools/weft-sim" "${command[@]}" --quiet --mesh "$work/scene.obj"
  awk -f "$repository/tools/pictures/mesh.awk" "$work/scene.obj" >"$work/scene.inc"
  # one thread gives the same pixels again: indirect light is sampled in the order of the pixels
  povray +I"$scene" +L"$work" +L"$repository/tools/pictures" +O"$work/$1.png" \
    +W640 +H480 +FN8 +A0.1 +WT1 -D 2>"$work/log" || { cat "$work/log" >&2 && return 1; }
  mv "$work/$1.png" "$2"
}

main() {
  case ${1:-} in -h | --help) usage && return ;; esac
  [[ $# -le 1 ]] || { usage >&2 && exit 2; }
  local folder=${1:-$repository/docs/images}
  mkdir -p "$folder"
  "$repository/tools/setup.sh" pictures
  "$repository/tools/build.sh" release
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  for picture in drape curtain ragdolls; do draw "$picture" "$folder"; done
}

main "$@"
