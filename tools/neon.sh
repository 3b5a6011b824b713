#!/usr/bin/env bash
# Builds the engine for 64-bit ARM, runs it under qemu, and checks that it gives the same bits there as
# here, NEON included.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/neon.sh

Cross-compiles the engine and tests/isa_hash.c for 64-bit ARM, runs that under
qemu and on this machine, and fails unless both print the same hashes.
END
}

case ${1:-} in
  '') ;;
  -h | --help) usage && exit ;;
  *) echo "neon.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
esac

./tools/setup.sh neon

# setup may have been skipped
need() {
  command -v "$1" >/dev/null || { echo "neon: no $1 here: install $2" >&2 && exit 1; }
}
need aarch64-linux-gnu-gcc 'gcc-aarch64-linux-gnu and libc6-dev-arm64-cross'
need qemu-aarch64-static qemu-user-static

folder=build/neon
cmake --log-level=NOTICE -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
  -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DWEFT_WERROR=ON -DWEFT_BUILD_BENCH=OFF \
  -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_TESTS=OFF -DWEFT_INSTALL=OFF
cmake --build "$folder" --target weft_static -- --quiet
cmake --preset release --log-level=NOTICE >/dev/null
cmake --build --preset release --target weft_static -- --quiet

# $1 is the compiler, $2 the folder of the library, $3 the program
link_hashes() {
  # more workers than CPUs
  "$1" -std=c17 -O1 -ffp-contract=off -Wall -Werror -Iengine/include -Itests tests/isa_hash.c tests/support/cpus.c \
    -Wl,--wrap=weft__available_cpus "$2/engine/libweft.a" -static -lm -pthread -o "$3"
}
link_hashes aarch64-linux-gnu-gcc "$folder" "$folder/isa_hash"
link_hashes "${CC:-cc}" build/release "$folder/isa_hash_here"

# the instruction sets, or the fault, come on stderr
there=$(qemu-aarch64-static "$folder/isa_hash" 2>"$folder/isas") || {
  echo 'neon: failed on ARM:' >&2
  cat "$folder/isas" >&2
  exit 1
}
here=$("$folder/isa_hash_here")
grep -qw 'neon' "$folder/isas" || {
  echo 'neon: the build for ARM has no NEON:' >&2
  cat "$folder/isas" >&2
  exit 1
}
if [[ $there != "$here" ]]; then
  printf 'neon: not the same bits\non ARM:\n%s\nhere:\n%s\n' "$there" "$here" >&2
  exit 1
fi
echo "neon: the same bits on ARM as here, $(cut -d ' ' -f 2- "$folder/isas")"
