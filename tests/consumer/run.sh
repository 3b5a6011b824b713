#!/usr/bin/env bash
# Installs a build tree into a scratch prefix and uses the library from there as others would: in C
# and C++, shared and static, found by CMake and by pkg-config. All must print the same state. Then
# checks that the shared library exports the functions of the headers and nothing else.
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

# the licence, and the programs of the build tree, which must start where they are installed
check_installed_files() {
  local program
  [[ -n $(find "$prefix/share" -name LICENSE) ]] || fail "no licence was installed"
  for program in bench/weft-bench tools/weft-sim tools/weft-make-mesh; do
    [[ -e $build/$program ]] || continue
    "$prefix/bin/${program#*/}" --help >/dev/null || fail "$program was not installed"
  done
}

configure_by_cmake() {
  cmake -S "$source_folder" -B "$scratch/$1" -DCMAKE_PREFIX_PATH="$prefix" "${@:2}"
}

build_by_cmake() {
  configure_by_cmake cmake >/dev/null
  cmake --build "$scratch/cmake" >/dev/null
  # weft::weft follows the choice of the project that uses it
  configure_by_cmake cmake_off -DBUILD_SHARED_LIBS=OFF |
    grep 'weft::weft is weft::static' >/dev/null ||
    fail "BUILD_SHARED_LIBS=OFF does not make weft::weft the static library"
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
  declared=$(cat "$prefix"/include/weft/*.h | tr '\n' ' ' | grep -oE 'WEFT_(API|RESULT) [^(;#]*\(' |
    grep -oE 'weft_[a-z0-9_]+\($' | tr -d '(' | sort)
  [[ -n $declared ]] || fail "found no declarations in the headers"
  diff <(echo "$declared") <(echo "$shown") ||
    fail "the headers declare the symbols marked <, libweft.so shows those marked >"
}

install_library
check_installed_files
build_by_cmake
build_by_pkg_config
run_consumers
compare_symbols
