#!/usr/bin/env bash
# Configures a project that has weft as a subproject, by the build types and kinds of library, and
# checks which files its build would make. With --build it also builds and runs one of each kind.
# usage: subproject.sh [--build]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
must_build=${1:-}

fail() {
  echo "subproject: $1" >&2
  exit 1
}

# $1 is the folder, $2 the type of library that weft::weft must be; further arguments go to cmake
configure() {
  local folder=$scratch/$1 type=$2
  shift 2
  cmake -S "$here/subproject" -B "$folder" -G Ninja -DWEFT_SOURCE="$here/../.." \
    -DEXPECTED_TYPE="$type" "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && return 1; }
}

# $1 is the folder; prints the programs and libraries that a build of everything would make
linked_files() {
  ninja -C "$scratch/$1" -t commands all | grep -oE -- '-o [^ ]+|qc [^ ]+' | cut -d ' ' -f 2 |
    sed -E '/\.o$/d; s|.*/||; s/(\.so).*/\1/' | sort -u
}

# $1 is the folder, $2 the library that is built and $3 the one that is not
expect_one_library() {
  local files
  files=$(linked_files "$1")
  grep -qx "$2" <<<"$files" || fail "$1: no $2 is built, but: $files"
  if grep -qE "^($3|weft-.*|test_.*)\$" <<<"$files"; then fail "$1: built too much: $files"; fi
}

build_and_run() {
  cmake --build "$scratch/$1" >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && return 1; }
  "$scratch/$1/parent"
}

configure plain STATIC_LIBRARY
configure static STATIC_LIBRARY -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_UNITY_BUILD=ON
configure shared SHARED_LIBRARY -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug
expect_one_library plain libweft.a 'libweft\.so'
expect_one_library static libweft.a 'libweft\.so'
expect_one_library shared libweft.so 'libweft\.a'
if ninja -C "$scratch/static" -t commands all | grep -q 'weft_objects.dir/Unity/'; then
  fail "a unity build of the parent: several files of weft would be compiled as one"
fi
if [[ $must_build == --build ]]; then
  build_and_run static
  build_and_run shared
fi
