#!/usr/bin/env bash
# Builds the engine by several compilers and levels of optimisation, runs the same scenes on every
# instruction set with 1 to 16 workers, and writes the hashes into docs/determinism.md.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/determinism.sh [--check] [COMPILER:LEVEL...]

Runs tests/isa_hash.c for gcc and clang at -O1, -O2 and -O3, or for those given
(gcc:-O2), and for 64-bit ARM under qemu, Windows under Wine and WebAssembly by
node where their compilers are installed. Replaces the table in
docs/determinism.md, or with --check leaves it, and fails if there is more than
one hash.
END
}

page=docs/determinism.md
isas=(scalar sse2 avx2 avx512 neon simd128)
table='' # rows of the page
hashes=''
missing=''

# $1 is the title of a build, $2 the folder, $3 the compiler, $4 the level; more arguments go to cmake
build() {
  local title=$1 folder=$2 compiler=$3 level=$4
  shift 4
  echo "determinism: building with $title"
  cmake --log-level=NOTICE -S . -B "$folder" -G Ninja -DCMAKE_C_COMPILER="$compiler" \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="$level -DNDEBUG" -DWEFT_BUILD_BENCH=OFF \
    -DWEFT_BUILD_TOOLS=OFF -DWEFT_BUILD_TESTS=OFF -DWEFT_INSTALL=OFF "$@"
  nice cmake --build "$folder" --target weft_static -- --quiet
  # more workers than CPUs
  "$compiler" -std=c17 "$level" -ffp-contract=off -Iengine/include -Itests tests/isa_hash.c \
    tests/support/cpus.c -Wl,--wrap=weft__available_cpus "$folder/engine/libweft.a" -static -lm -pthread -o "$folder/isa_hash"
}

# adds a row: $1 is its title; the rest is the command that runs isa_hash
add_row() {
  local title=$1 row isa hash status
  shift
  row="| $title |"
  for isa in "${isas[@]}"; do
    status=0
    hash=$(nice "$@" "$isa") || status=$?
    case $status in
      0) hashes+="$hash"$'\n' row+=" \`$hash\` |" ;;
      3) row+=" - |" ;;
      *) echo "determinism: $title, $isa: exits with $status" >&2 && exit 1 ;;
    esac
  done
  echo "$row"
  table+="$row"$'\n'
}

add_compiler() {
  local compiler=$1 level=$2 folder title
  if ! command -v "$compiler" >/dev/null; then
    missing+="- $compiler $level: no $compiler"$'\n'
    return
  fi
  title="$compiler $("$compiler" -dumpfullversion -dumpversion) $level"
  folder=build/determinism/$compiler$level
  build "$title" "$folder" "$compiler" "$level"
  add_row "$title" "$folder/isa_hash"
}

add_arm() {
  local compiler=aarch64-linux-gnu-gcc emulator=qemu-aarch64-static tool title
  for tool in $compiler $emulator; do
    command -v $tool >/dev/null && continue
    missing+="- ARM, NEON: no $tool"$'\n'
    return
  done
  title="$compiler $($compiler -dumpfullversion) -O2, qemu"
  build "$title" build/determinism/arm $compiler -O2 -DCMAKE_SYSTEM_NAME=Linux \
    -DCMAKE_SYSTEM_PROCESSOR=aarch64
  add_row "$title" $emulator build/determinism/arm/isa_hash
}

add_windows() {
  local compiler=x86_64-w64-mingw32-gcc-posix tool title
  for tool in $compiler wine; do
    command -v $tool >/dev/null && continue
    missing+="- Windows: no $tool"$'\n'
    return
  done
  title="$compiler $($compiler -dumpfullversion) -O2, Wine"
  build "$title" build/determinism/windows $compiler -O2 -DCMAKE_SYSTEM_NAME=Windows \
    -DCMAKE_SYSTEM_PROCESSOR=x86_64
  export WINEPREFIX=$PWD/build/determinism/wine WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
  # the instruction set comes last, as $0
  add_row "$title" bash -o pipefail -c 'wine build/determinism/windows/isa_hash.exe "$0" | tr -d "\r"'
}

add_web() {
  local title
  if ! command -v emcc >/dev/null || ! command -v node >/dev/null; then
    missing+="- WebAssembly, SIMD128: no emcc or no node"$'\n'
    return
  fi
  title="emcc $(emcc -dumpversion) -O3, node"
  echo "determinism: building with $title"
  nice ./tools/web.sh --modules
  # Emscripten 3.1 takes a node with fetch() for a browser
  add_row "$title" node --no-experimental-fetch build/web-threads/tools/view/web/isa_hash_simd128.js
}

note_missing_isas() {
  local column=3 isa
  for isa in "${isas[@]}"; do
    if ! cut -d '|' -f $column <<<"$table" | grep -q '`'; then
      missing+="- the column $isa: no CPU or emulator that has it"$'\n'
    fi
    ((++column))
  done
}

write_page() {
  local count=$1
  {
    sed '/<!-- determinism.sh: begin -->/q' $page
    echo
    printf '| build | %s | %s | %s | %s | %s | %s |\n|---|---|---|---|---|---|---|\n' "${isas[@]}"
    echo "$table"
    echo "Different hashes: $((count - 1))."
    if [[ -n $missing ]]; then printf '\nNot available on the machine of the last run:\n\n%s' "$missing"; fi
    echo
    sed -n '/<!-- determinism.sh: end -->/,$p' $page
  } >$page.new
  mv $page.new $page
}

main() {
  local check='' builds=() each count
  for each in "$@"; do
    case $each in
      --check) check=1 ;;
      -h | --help) usage && return ;;
      gcc:-O? | clang:-O?) builds+=("$each") ;;
      *) echo "determinism.sh: unknown argument '$each'" >&2 && usage >&2 && exit 2 ;;
    esac
  done
  if [[ ${#builds[@]} -eq 0 ]]; then
    builds=(gcc:-O1 gcc:-O2 gcc:-O3 clang:-O1 clang:-O2 clang:-O3)
  fi
  for each in "${builds[@]}"; do add_compiler "${each%%:*}" "${each#*:}"; done
  add_arm
  add_windows
  add_web
  note_missing_isas
  count=$(sort -u <<<"$hashes" | grep -c .)
  [[ -n $check ]] || write_page "$count"
  [[ $count -eq 1 ]] || { echo "determinism: $count hashes" >&2 && exit 1; }
  echo "determinism: one hash"
}

main "$@"
