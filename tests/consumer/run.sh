#!/usr/bin/env bash
# Installs a build tree into a scratch prefix and uses the library from there as others would: in C
# and C++, shared and static, found by CMake and by pkg-config. All must print the same state. Then
# checks that the shared library shows what the header declares and nothing else.
set -euo pipefail

build=$(cd "${1:?usage: run.sh BUILD-TREE}" && pwd)
source_folder=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
prefix=$scratch/prefix

fail() {
  echo "installed library: $1" >&2
  exit 1
}

install_library() {
  cmake --install "$build" --prefix "$scratch/first" >/dev/null
  # nothing installed may remember where it was installed to
  mv "$scratch/first" "$prefix"
  local found
  found=$(find "$prefix" -name weft.pc)
  [[ -n $found ]] || fail "weft.pc was not installed"
  PKG_CONFIG_PATH=$(dirname "$found")
  export PKG_CONFIG_PATH
  library_folder=$(dirname "$PKG_CONFIG_PATH")
}

build_by_cmake() {
  cmake -S "$source_folder" -B "$scratch/cmake" -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  cmake --build "$scratch/cmake" >/dev/null
}

build_by_pkg_config() {
  local cflags libs static_libs out=$scratch/pkg-config
  mkdir "$out"
  read -ra cflags < <(pkg-config --cflags weft)
  read -ra libs < <(pkg-config --libs weft)
  read -ra static_libs < <(pkg-config --static --libs weft)
  libs+=("-Wl,-rpath,$library_folder")
  # with both libraries in one folder the linker takes the shared one unless told the file
  static_libs=("${static_libs[@]/#-lweft/-l:libweft.a}")
  "${CC:-cc}" "${cflags[@]}" "$source_folder/consumer.c" "${libs[@]}" -o "$out/shared_c"
  "${CC:-cc}" "${cflags[@]}" "$source_folder/consumer.c" "${static_libs[@]}" -o "$out/static_c"
  "${CXX:-c++}" "${cflags[@]}" "$source_folder/consumer.cpp" "${libs[@]}" -o "$out/shared_cpp"
  "${CXX:-c++}" "${cflags[@]}" "$source_folder/consumer.cpp" "${static_libs[@]}" \
    -o "$out/static_cpp"
}

needs_shared_library() {
  readelf -d "$1" | grep -q 'NEEDED.*libweft\.so'
}

run_consumers() {
  local expected='' program printed
  for program in "$scratch"/cmake/consumer_* "$scratch"/pkg-config/*; do
    printed=$("$program") || fail "$program failed"
    [[ $printed == "${expected:=$printed}" ]] || fail "$program printed $printed, not $expected"
    case $program in
      *static*) ! needs_shared_library "$program" || fail "$program is not static" ;;
      *) needs_shared_library "$program" || fail "$program is not shared" ;;
    esac
  done
  echo "$expected"
}

compare_symbols() {
  local shown declared
  shown=$(nm -D --defined-only "$library_folder/libweft.so" | awk '{ print $NF }' | sort)
  # a function's name is the first word before an opening bracket in its declaration
  declared=$(cat "$prefix"/include/weft/*.h | tr '\n' ' ' | grep -oE 'WEFT_API [^(;#]*\(' |
    grep -oE 'weft_[a-z0-9_]+\($' | tr -d '(' | sort)
  [[ -n $declared ]] || fail "found no declarations in the headers"
  diff <(echo "$declared") <(echo "$shown") ||
    fail "the headers declare the symbols marked <, libweft.so shows those marked >"
}

install_library
build_by_cmake
build_by_pkg_config
run_consumers
compare_symbols
