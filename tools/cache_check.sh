#!/usr/bin/env bash
# Opens the files of `weft-sim run --cache` in other programs.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/cache_check.sh

Writes a curtain that tears, ragdolls, a web and soft bodies in every format,
and compares what h5py, ParaView, Blender and a short reader of PC2 find in each
frame with the OBJ sequence: the same bits, or in glTF, which holds
displacements, a few millionths of a millimetre. The validator of Khronos reads
the glTF files where there is npm. Installs h5py, ParaView and Blender: more
than a gigabyte.
END
}

fps=24

# write NAME RUN...: all formats of a run, as NAME.pc2 and so on
write() {
  local name=$1 extension
  shift
  for extension in pc2 gltf glb h5 obj; do
    "$sim" run "$@" --fps "$fps" --quiet --cache "$name.$extension"
  done
}

# compare NAME: with all programs
compare() {
  echo "$1:"
  /usr/bin/python3 "$readers/files.py" "$1" "$fps"
  QT_QPA_PLATFORM=offscreen pvpython "$readers/paraview_reader.py" "$1" "$fps"
}

# Khronos' validator has no remarks; it is an npm package
validate() {
  if ! command -v npm >/dev/null; then
    echo 'no npm here: glTF files are not validated'
    return
  fi
  npm install --silent --no-save --prefix validator gltf-validator@2.0.0-dev.3.10 >/dev/null
  NODE_PATH=validator/node_modules node "$readers/validate.js" "$@"
}

# Blender shows meshes: PC2 moves OBJ's, glTF has faces
compare_mesh() {
  compare "$1"
  blender --background --python-exit-code 1 --python "$readers/blender_reader.py" -- "$1" "$fps" |
    grep 'Blender shows'
}

main() {
  case ${1:-} in
    -h | --help) usage && return ;;
    '') ;;
    *) echo "cache_check.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
  esac
  ./tools/setup.sh caches
  ./tools/build.sh release
  sim=$PWD/build/release/tools/weft-sim
  readers=$PWD/tools/cache_check
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cd "$folder"
  write curtain curtain --seconds 1
  write ragdolls ragdolls --seconds 0.5
  write web web --seconds 3 --set tear=0.1 --set speed=20 --set fly=200
  write shapes shapes --seconds 0.5
  compare_mesh curtain
  compare ragdolls
  compare web
  compare shapes
  "$sim" run curtain --seconds 1 --quiet --mesh torn.glb
  validate ./*.gltf ./*.glb
}

main "$@"
