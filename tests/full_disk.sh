#!/usr/bin/env bash
# Every file that a tool writes, and what it prints, onto a disk that is full: it says so, fails, and leaves no
# file. usage: full_disk.sh WEFT-SIM WEFT-MAKE-MESH [WEFT-BENCH [WEFT-VIEW]]
# shellcheck source=tests/shell.sh
source "$(dirname "$0")/shell.sh"
sim=$(realpath "$1")
make_mesh=$(realpath "$2")
bench=${3:+$(realpath "$3")}
view=${4:+$(realpath "$4")}
cd "$folder" || exit 1

# check STATUS TEXT COMMAND...: how it exited, and what it said
check() {
  local status=$1 said=$2
  shift 2
  [[ $status -ne 0 && $status -lt 126 ]] || fault "$*: exits with $status"
  [[ -n $said && $said != *Success* ]] || fault "$*: says '$said'"
}

# no file can grow, which fails as on a full disk once the signal is ignored
files() {
  local said
  said=$(trap '' XFSZ && ulimit -f 0 && "$@" 2>&1 >/dev/null </dev/null)
  check $? "$said" "$@"
  [[ -z $(find . -type f -size +0) && -z $(compgen -G '*.tmp') ]] || fault "$*: leaves $(ls)"
}

output() {
  local said
  said=$("$@" 2>&1 >/dev/full </dev/null)
  check $? "$said" "$@"
}

run=("$sim" run rope --seconds 0.2 --quiet)
files "${run[@]}" --json a.json
files "${run[@]}" --measures a.csv
files "${run[@]}" --trace a.json
for extension in pc2 gltf glb h5 xdmf obj ply; do
  files "$sim" run sheet --set size=8 --seconds 0.2 --quiet --cache "c.$extension"
  [[ $extension == pc2 ]] || files "${run[@]}" --mesh "m.$extension"
done
files "$sim" run integrators --quiet --set halvings=2 --table t.csv
echo 'a mesh of before' >disc.ply
said=$(trap '' XFSZ && ulimit -f 0 && "$make_mesh" disc --vertices 1000 --out disc.ply 2>&1 </dev/null)
check $? "$said" "$make_mesh" disc onto a file
[[ $(<disc.ply) == 'a mesh of before' ]] || fault 'a mesh that cannot be written destroys the former one'
rm disc.ply
said=$("$make_mesh" disc --vertices 4000000 --out /nowhere/disc.ply 2>&1)
check $? "$said" "$make_mesh" disc into no folder
files "$make_mesh" disc --vertices 1000 --out disc.ply
files "$make_mesh" disc --vertices 1000 --out disc.obj
output "$sim" list
output "$sim" list --json
output "$sim" schema
output "$sim" help
output "$sim" run rope --seconds 0.2
output "${run[@]}" --json -
output "$make_mesh" --help
output "$make_mesh" disc --vertices 1000 --out m.ply --verbose
rm -f m.ply

if [[ -n $bench ]]; then
  small=("$bench" throughput --size 8 --threads 1 --steps 1 --repeats 1 --quiet)
  files "${small[@]}" --json b.json
  files "${small[@]}" --csv b.csv
  files "${small[@]}" --trace t.json
  output "${small[@]}"
  output "$bench" hash --size 8 --threads 1 --steps 1
  output "$bench" --help
fi
if [[ -n $view ]]; then
  output "$view" --help
  output timeout 20 "$view" rope --no-open
fi

[[ $failures -eq 0 ]]
