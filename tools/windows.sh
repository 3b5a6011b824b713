#!/usr/bin/env bash
# Builds the engine for 64-bit Windows, runs it under Wine, and checks that it gives the same bits there
# as here.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/windows.sh

Cross-compiles the engine, tests/isa_hash.c and the README's example for 64-bit
Windows with MinGW-w64, runs them under Wine, runs the first on this machine,
too, and fails unless both print the same hashes.
END
}

case ${1:-} in
  '') ;;
  -h | --help) usage && exit ;;
  *) echo "windows.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
esac

./tools/setup.sh windows

# setup may have been skipped
compiler=x86_64-w64-mingw32-gcc-posix
need() {
  command -v "$1" >/dev/null || { echo "windows: no $1 here: install $2" >&2 && exit 1; }
}
need "$compiler" gcc-mingw-w64-x86-64-posix
need wine 'wine and wine64'

folder=build/windows
cmake --log-level=NOTICE -S . -B "$folder" -G Ninja -DCMAKE_SYSTEM_NAME=Windows \
  -DCMAKE_SYSTEM_PROCESSOR=x86_64 -DCMAKE_C_COMPILER="$compiler" -DWEFT_WERROR=ON -DWEFT_BUILD_BENCH=OFF \
  -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_TESTS=OFF -DWEFT_INSTALL=OFF
cmake --build "$folder" -- --quiet
cmake --preset release --log-level=NOTICE >/dev/null
cmake --build --preset release --target weft_static -- --quiet

# $1 is the compiler, $2 the folder of the library, $3 the program
link_hashes() {
  # more workers than CPUs
  "$1" -std=c17 -O1 -ffp-contract=off -Wall -Werror -D__USE_MINGW_ANSI_STDIO=1 -Iengine/include -Itests \
    tests/isa_hash.c tests/support/cpus.c -Wl,--wrap=weft__available_cpus "$2/engine/libweft.a" -static -lm -pthread \
    -o "$3"
}
link_hashes "$compiler" "$folder" "$folder/isa_hash.exe"
link_hashes "${CC:-cc}" build/release "$folder/isa_hash_here"
"$compiler" -std=c17 -O1 -Wall -Werror -D__USE_MINGW_ANSI_STDIO=1 -Iengine/include tests/example.c \
  "$folder/engine/libweft.a" -static -lm -pthread -o "$folder/example.exe"

# Wine keeps its files in the build folder and needs no screen
export WINEPREFIX=$PWD/$folder/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
run() {
  wine "$@" | tr -d '\r'
}
there=$(run "$folder/isa_hash.exe" 2>"$folder/isas") || {
  echo 'windows: failed under Wine:' >&2
  cat "$folder/isas" >&2
  exit 1
}
here=$("$folder/isa_hash_here" 2>/dev/null)
if [[ $there != "$here" ]]; then
  printf 'windows: not the same bits\non Windows:\n%s\nhere:\n%s\n' "$there" "$here" >&2
  exit 1
fi
run "$folder/example.exe" | grep -q 'm below the pins' || { echo 'windows: the example fails' >&2 && exit 1; }
echo "windows: the same bits under Wine as here, $(tr -d '\r' <"$folder/isas" | cut -d ' ' -f 2- | tail -1)"
