#!/usr/bin/env bash
# Static analysis of the engine; any finding fails. Exceptions stand here and in .clang-tidy, with reasons.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/analyze.sh [gcc | cppcheck | clang-tidy | all]

Analyses the files of engine/ with gcc -fanalyzer, cppcheck and clang-tidy, or
one of them; all is the default. Exits with 1 where there is a finding.
END
}

# The kernels of the vector instruction sets are the body of kernels_scalar.c, compiled again.
sources() {
  git ls-files 'engine/*.c' | grep -vE 'kernels_(sse2|avx2|avx512|neon|simd128)\.c$'
}

# Asserts are on: they state what callers guarantee.
flags=(-std=c17 -D_GNU_SOURCE -Iengine -Iengine/include)

# The analyzer cuts off loops over particles and lanes, so that arrays they fill count as
# uninitialised: valgrind and the sanitizers test for that.
run_gcc() {
  sources | xargs -P "$(nproc)" -I{} "${CC:-gcc}" "${flags[@]}" -O1 -c -o /dev/null -Werror \
    -fanalyzer -Wno-analyzer-use-of-uninitialized-value {}
}

# constParameterCallback: signatures of tasks and completion steps are one type
# unreadVariable, variableScope: style, which -Wall and clang-format settle here
run_cppcheck() {
  sources | xargs cppcheck --quiet --std=c11 -j "$(nproc)" --error-exitcode=1 --inline-suppr \
    --enable=warning,performance,portability -D_GNU_SOURCE -DNDEBUG -D__x86_64__ -D__GNUC__=12 \
    -Iengine -Iengine/include --suppress=missingIncludeSystem
}

run_clang_tidy() {
  sources | xargs -P "$(nproc)" -I{} clang-tidy --quiet --warnings-as-errors='*' {} -- "${flags[@]}"
}

main() {
  local wanted=${1:-all} tool
  case $wanted in
    gcc | cppcheck | clang-tidy | all) ;;
    -h | --help) usage && return ;;
    *) echo "analyze.sh: unknown argument '$wanted'" >&2 && usage >&2 && exit 2 ;;
  esac
  ./tools/setup.sh analyze
  for tool in gcc cppcheck clang-tidy; do
    [[ $wanted == all || $wanted == "$tool" ]] || continue
    echo "analyzing with $tool"
    "run_${tool/-/_}"
  done
  echo "no findings"
}

main "$@"
