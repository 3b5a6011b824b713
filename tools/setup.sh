#!/usr/bin/env bash
# Installs a job's missing packages by apt, on Debian 12 and Ubuntu 24.04 or newer. Silent and quick
# when nothing is missing, so that every other script can begin with it.
set -euo pipefail

# package | jobs that need it | what for
packages='
gcc             | test bench counts neon windows analyze fuzz view python mpi | compiles the library
libc6-dev       | test bench counts neon windows analyze fuzz view python mpi | C and POSIX thread headers
cmake           | test bench counts neon windows fuzz view web python mpi | configures the build (3.25 or newer)
ninja-build     | test bench counts neon windows fuzz view web python mpi | runs the build
pkg-config      | test bench counts fuzz view mpi | finds the libraries below
libjansson-dev  | test bench counts fuzz view mpi | weft-bench and weft-sim write JSON, weft-sim reads scenes
libassimp-dev   | test bench counts fuzz view mpi | weft-bench and weft-sim read meshes
libhwloc-dev    | test bench counts mpi | weft-bench reads the machine and pins its threads
libhdf5-dev     | test bench counts fuzz mpi | weft-sim writes HDF5
hdf5-tools      | mpi               | compares HDF5 files of one process and of ranks
libqhull-dev    | test bench counts fuzz | weft-make-mesh triangulates its meshes
libwebsockets-dev | test bench view | weft-view serves its page
nodejs          | view web          | bundles the page of weft-view; tests it
npm             | view web          | fetches the packages of the page
check           | test mpi          | runs the unit tests
libtbb-dev      | test              | an example runs the engine on its tasks
g++             | test fuzz bullet  | compiles the C++ program that uses the installed library; libFuzzer is C++
libbullet-dev   | bullet            | an engine that weft is compared with
gnuplot-nox     | bench plot        | draws the charts
clang           | fuzz msan         | compiles the fuzz targets, and for the memory sanitizer
libclang-rt-dev | fuzz msan         | libFuzzer and the runtimes of its sanitizers
git             | format            | lists the source files
clang-format    | format            | checks how the sources are laid out
cppcheck        | analyze           | static analysis
clang-tidy      | analyze           | static analysis
gcovr           | coverage          | tells which branches the tests take
valgrind        | counts            | counts instructions
python3         | mutate bench python | writes the report; makes mutants of the engine
python3-dev     | python            | headers of the interpreter
python3-cffi    | python            | calls the library; makes the binding from its headers
python3-numpy   | python            | arrays
python3-setuptools | python         | builds the package
python3-wheel   | python            | packs it
python3-pip     | python            | installs it
python3-venv    | python            | an environment to test it in
python3-pytest  | python            | runs its tests
mypy            | python            | checks its types
black           | python            | checks its layout
chromium        | report view web   | draws pictures; opens the report and the page of weft-view, to check them
libopenmpi-dev  | mpi               | compiles the library of many ranks
openmpi-bin     | mpi               | runs it
libmetis-dev    | mpi               | partitions meshes among ranks
python3-h5py    | caches            | reads the HDF5 files of weft-sim, to check them
python3-paraview | caches           | reads the XDMF files
paraview        | caches            | runs that
blender         | caches            | opens the PC2 and glTF files
emscripten      | web               | compiles the library and the page of weft-view to WebAssembly
gcc-aarch64-linux-gnu | neon        | compiles the library for 64-bit ARM
libc6-dev-arm64-cross | neon        | C headers and libraries for that
qemu-user-static      | neon        | runs it
gcc-mingw-w64-x86-64-posix | windows | compiles the library for 64-bit Windows
wine            | windows           | runs it
wine64          | windows           | the same, for 64-bit programs
'

usage() {
  cat <<'END'
usage: tools/setup.sh [JOB]

Installs the packages that a job needs: test, bench, counts, report, view, plot,
caches, format, neon, windows, analyze, coverage, mutate, fuzz, msan, web,
python, mpi, bullet, or all, the default.
Set WEFT_SKIP_SETUP=1 to skip it, for example where the packages come from
elsewhere.
END
}

# prints the table's rows, tidied to package|jobs|reason, for one job
rows_for() {
  awk -F ' *[|] *' -v job="$1" '
    NF == 3 && (job == "all" || index(" " $2 " ", " " job " ")) { print $1 "|" $2 "|" $3 }
  ' <<<"$packages"
}

# prints the given rows whose package is not installed
missing_rows() {
  local names installed
  names=$(cut -d '|' -f 1 <<<"$1")
  # fails when a package is unknown, and prints those that it does know all the same
  # shellcheck disable=SC2086 # one word a package
  installed=$(dpkg-query -W -f '${db:Status-Status}|${Package}|\n' $names 2>/dev/null || true)
  while IFS= read -r row; do
    # other packages of Node.js bring its npm along
    if [[ ${row%%|*} == @(nodejs|npm) ]] && hash node npm 2>/dev/null; then continue; fi
    # Ubuntu has Chromium as a snap only
    if [[ ${row%%|*} == chromium ]] && grep -qs '^ID=ubuntu' /etc/os-release; then continue; fi
    grep -qF "|${row%%|*}|" < <(grep '^installed|' <<<"$installed") || echo "$row"
  done <<<"$1"
}

# prints package and reason of each row, in two columns
print_rows() {
  awk -F '|' '
    { name[NR] = $1; reason[NR] = $3; if (length($1) > width) width = length($1) }
    END { for (i = 1; i <= NR; ++i) printf "  %-" width "s  %s\n", name[i], reason[i] }' <<<"$1"
}

# prints the missing packages and gives up: $1 is the reason
refuse() {
  {
    echo "setup: $1. Please install what these Debian packages hold, then set WEFT_SKIP_SETUP=1:"
    print_rows "$2"
  } >&2
  exit 1
}

# becomes root only for apt; never waits for a password
as_root() {
  if [[ $(id -u) -eq 0 ]]; then
    "$@"
  elif [[ -t 0 ]]; then
    sudo "$@"
  else
    sudo -n "$@"
  fi
}

install() {
  local names
  mapfile -t names < <(cut -d '|' -f 1 <<<"$1")
  echo "setup: installing by apt-get, because they are missing:"
  print_rows "$1"
  as_root apt-get update -qq
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq -o Dpkg::Use-Pty=0 --no-install-recommends "${names[@]}" \
    </dev/null >/dev/null
}

main() {
  local job=${1:-all} rows missing
  case $job in
    test | bench | counts | report | view | plot | caches | format | neon | windows | analyze | coverage | mutate | fuzz | msan | web | python | mpi | bullet | all) ;;
    -h | --help) usage && return ;;
    *) echo "setup.sh: unknown argument '$job'" >&2 && usage >&2 && exit 2 ;;
  esac
  [[ -z ${WEFT_SKIP_SETUP:-} ]] || return 0

  rows=$(rows_for "$job")
  if ! hash apt-get dpkg-query 2>/dev/null; then refuse "no apt here" "$rows"; fi
  missing=$(missing_rows "$rows")
  [[ -n $missing ]] || return 0
  if [[ $(id -u) -ne 0 ]] && ! command -v sudo >/dev/null; then
    refuse "neither root nor sudo" "$missing"
  fi
  install "$missing"
}

main "$@"
