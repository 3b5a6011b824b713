#!/usr/bin/env bash
# Builds the tests and runs them: installs what is missing first.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/test.sh [--release | --asan | --tsan | --all]
       tools/test.sh --msan [ROOM...]

Runs every test in the debug build, whose asserts are on, and in the release
build. One that fails does not keep the other from its run; the last line names
all that failed.

  --release  the release build alone
  --asan     the build with the address and undefined-behaviour sanitizers,
             asserts on
  --tsan     the build with the thread sanitizer, asserts on
  --all      all four
  --msan     the build with clang's memory sanitizer, asserts on: of the engine
             and its suites, or of some rooms of tests; programs that need other
             libraries are left out. A report names where the value was made in
             a build with -DCMAKE_C_FLAGS=-fsanitize-memory-track-origins
END
}

# some rooms of tests, by themselves
run_rooms() {
  local rooms=("$@")
  cmake --log-level=NOTICE --preset msan -DWEFT_BUILD_TESTS=ON -DWEFT_REQUIRE_ALL=ON
  cmake --build --preset msan --target "${rooms[@]/#/test_}" -- --quiet
  ctest --preset msan --no-tests=error --label-regex "^($(IFS='|' && echo "${rooms[*]}"))\$" \
    --parallel "$(nproc)"
}

# before version 14, gcc's thread sanitizer starts only with the kernel's scattering of memory off
tsan_wrapper() {
  local probe
  probe=$(mktemp -d)
  echo 'int main(void) { return 0; }' >"$probe/probe.c"
  "${CC:-cc}" -fsanitize=thread "$probe/probe.c" -o "$probe/probe"
  if ! "$probe/probe" >/dev/null 2>&1 && setarch -R "$probe/probe" >/dev/null 2>&1; then
    echo "setarch -R"
  fi
  rm -r "$probe"
}

run_preset() {
  local preset=$1 wrapper=''
  if [[ $preset == tsan ]]; then wrapper=$(tsan_wrapper); fi
  # shellcheck disable=SC2086 # no word at all where there is no wrapper
  $wrapper ./tools/build.sh "$preset" -DWEFT_BUILD_TESTS=ON -DWEFT_REQUIRE_ALL=ON || return
  echo "testing $preset"
  # shellcheck disable=SC2086
  $wrapper ctest --preset "$preset" --no-tests=error --parallel "$(nproc)"
}

main() {
  local presets=(debug release)
  [[ $# -le 1 || $1 == --msan ]] || { echo "test.sh: one argument too many: '$2'" >&2 && exit 2; }
  case ${1:-} in
    '') ;;
    --release) presets=(release) ;;
    --asan) presets=(asan-ubsan) ;;
    --tsan) presets=(tsan) ;;
    --msan) presets=(msan) ;;
    --all) presets=(debug release asan-ubsan tsan) ;;
    -h | --help) usage && return ;;
    *) echo "test.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
  esac

  ./tools/setup.sh test
  if [[ ${presets[0]} == msan ]]; then
    ./tools/setup.sh msan
    if [[ $# -gt 1 ]]; then
      run_rooms "${@:2}"
      return
    fi
  fi
  local preset
  local failed=()
  for preset in "${presets[@]}"; do run_preset "$preset" || failed+=("$preset"); done
  if ((${#failed[@]} > 0)); then
    echo "test.sh: FAILED: ${failed[*]}" >&2
    return 1
  fi
  echo "all tests passed: ${presets[*]}"
}

main "$@"
