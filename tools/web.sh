#!/usr/bin/env bash
# Builds the viewer for a web server, and checks that WebAssembly gives the same bits as this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/web.sh [--check [--page] | --modules]

Compiles the engine and the viewer's session to WebAssembly, bundles the page,
and writes both to build/web: static files for any web server. The page takes
threads where it is cross-origin isolated, that is if the server sends with
every file

  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Embedder-Policy: require-corp

and one thread else. `node tools/view/web/serve.mjs build/web` serves it so, for
a look.

  --check         runs tests/isa_hash.c by node as well, with and without
                  threads and SIMD, and fails unless the hash is that of
                  docs/determinism.md
  --check --page  the same, and tests/view/web.mjs in headless Chromium, which
                  compares scenes, recordings and their hashes with native
                  weft-sim and weft-view
  --modules       the WebAssembly modules and hash programs alone
END
}

check='' page=1
case $* in
  '') ;;
  --check) check=hashes ;;
  '--check --page') check=page ;;
  --modules) page='' ;;
  -h | --help) usage && exit ;;
  *) echo "web.sh: unknown argument '$*'" >&2 && usage >&2 && exit 2 ;;
esac

./tools/setup.sh web

# setup may have been skipped
need() {
  command -v "$1" >/dev/null || { echo "web: no $1 here: install $2" >&2 && exit 1; }
}
need emcc emscripten
need node nodejs
# Emscripten's optimiser is a program for Debian's node; another node looks elsewhere for its modules
export NODE_PATH=${NODE_PATH:+$NODE_PATH:}/usr/share/nodejs
export EMCC_SKIP_SANITY_CHECK=1
# the interpreter itself: a shim in its place takes a second for each file
EMSDK_PYTHON=$(python3 -c 'import sys; print(sys.executable)')
export EMSDK_PYTHON

# $1 is the folder; further arguments go to cmake
build() {
  local folder=$1
  shift
  [[ -f $folder/build.ninja ]] ||
    emcmake cmake --log-level=NOTICE -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
      -DWEFT_WERROR=ON -DWEFT_BUILD_WEB=ON -DWEFT_BUILD_BENCH=OFF -DWEFT_BUILD_TOOLS=OFF \
      -DWEFT_BUILD_TESTS=OFF -DWEFT_INSTALL=OFF "$@" >/dev/null
  cmake --build "$folder" -- --quiet
}

# compares the hash of an ISA with that of all other builds
run_hash() {
  local build=$1 program=$2 isa=$3 expected hash
  expected=$(grep -oE '[0-9a-f]{16}' docs/determinism.md | sort -u)
  # Emscripten 3.1 takes a node with fetch() for a browser
  hash=$(node --no-experimental-fetch "build/web-$build/tools/view/web/$program.js" "$isa")
  if [[ $hash != "$expected" ]]; then
    echo "web: $isa, $build: $hash, not $expected as in docs/determinism.md" >&2
    exit 1
  fi
  echo "web: $isa, $build: $hash"
}

build build/web-single
build build/web-threads -DWEFT_WEB_THREADS=ON -DCMAKE_C_FLAGS=-pthread
[[ -n $page ]] || exit 0

rm -rf build/web
mkdir -p build/web
for module in single/tools/view/web/weft-{scalar,simd128} threads/tools/view/web/weft-threads; do
  cp "build/web-$module".{js,wasm} build/web/
done
cp build/web-threads/tools/view/web/weft-threads.worker.js build/web/
cp tools/view/page/engine_worker.js build/web/
./tools/view/bundle.sh main_wasm.js build/web
echo "web: build/web, $(du -sh build/web | cut -f 1)"

[[ -n $check ]] || exit 0
run_hash single isa_hash_scalar scalar
run_hash single isa_hash_simd128 simd128
run_hash threads isa_hash_simd128 simd128
[[ $check == page ]] || exit 0
./tools/setup.sh view
cmake --preset release >/dev/null
cmake --build --preset release --target weft-sim weft-view -- --quiet
node tests/view/web.mjs build/web build/release/tools build/npm/node_modules
