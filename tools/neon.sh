#!/usr/bin/env bash
# Builds the engine for 64-bit ARM, runs it under qemu, and checks that it gives the same bits there as
# here, NEON included.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/neon.sh

Cross-compiles the engine and tests/isa_hash.c for 64-bit ARM, runs that under qemu and on this machine,
and fails unless both print the same hashes.
END
}

case ${1:-} in
  '') ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

./tools/setup.sh neon

# setup may have been skipped
need() {
  command -v "$1" >/dev/null || { echo "neon: no $1 here: install $2" >&2 && exit 1; }
}
need aarch64-linux-gnu-gcc 'gcc-aarch64-linux-gnu and libc6-dev-arm64-cross'
need qemu-aarch64-static qemu-user-static

# $1 is the folder, $2 the compiler; further arguments go to cmake. The program lands in the folder.
build() {
  local folder=$1 compiler=$2
  shift 2
  cmake --log-level=NOTICE -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" \
    -DWEFT_WERROR=ON -DWEFT_BUILD_BENCH=OFF -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_TESTS=OFF \
    -DWEFT_INSTALL=OFF "$@"
  cmake --build "$folder" -- --quiet
  # more workers than CPUs
  "$compiler" -std=c17 -O1 -ffp-contract=off -Wall -Werror -Iengine/include -Itests tests/isa_hash.c \
    tests/support/cpus.c -Wl,--wrap=weft__available_cpus "$folder/engine/libweft.a" -static -lm -pthread -o "$folder/isa_hash"
}

build build/neon aarch64-linux-gnu-gcc -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64
build build/here "${CC:-cc}"

# the instruction sets, or what went wrong, come on stderr
there=$(qemu-aarch64-static build/neon/isa_hash 2>build/neon/isas) || {
  echo 'neon: failed on ARM:' >&2
  cat build/neon/isas >&2
  exit 1
}
here=$(build/here/isa_hash)
grep -qw 'neon' build/neon/isas || {
  echo 'neon: the build for ARM has no NEON:' >&2
  cat build/neon/isas >&2
  exit 1
}
if [[ $there != "$here" ]]; then
  printf 'neon: not the same bits\non ARM:\n%s\nhere:\n%s\n' "$there" "$here" >&2
  exit 1
fi
echo "neon: the same bits on ARM as here, $(cut -d ' ' -f 2- build/neon/isas)"
