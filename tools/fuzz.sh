#!/usr/bin/env bash
# Builds the fuzz targets with clang and runs them.
set -euo pipefail
cd "$(dirname "$0")/.."

targets='mesh scene program'
# executions of --check: a quarter of a minute each; more reach hardly any new edge
declare -A executions=([mesh]=20000 [scene]=30000 [program]=16000) process=()

usage() {
  cat <<END
usage: tools/fuzz.sh MINUTES [NAME]
       tools/fuzz.sh --check
       tools/fuzz.sh --replay NAME FILE

Runs a fuzz target, or each of them, one a core, for MINUTES:
${targets// /, }.
Each starts from tests/fuzz/seeds and from what earlier runs have found, in
build/fuzz/corpus. Prints executions, executions a second and coverage; an input
that a target does not survive is kept in build/fuzz/crashes, and the exit
status is 1.
--check runs each for a number of executions, of one seed and from
tests/fuzz/seeds alone: the same inputs on every machine, in half a minute.
--replay runs one target on one file, or on seeds as text: NAME.hex. Ctrl-C ends
a run, and 130 is the status.
END
}

misuse() {
  echo "fuzz: $1" >&2
  usage >&2
  exit 2
}

is_target() { [[ " $targets " == *" $1 "* ]]; }

build() {
  ./tools/setup.sh fuzz
  local wanted
  mapfile -t wanted < <(printf 'fuzz_%s\n' "$@")
  echo "building ${wanted[*]}"
  mkdir -p build/fuzz
  if ! { cmake --preset fuzz && cmake --build --preset fuzz --target "${wanted[@]}"; } \
    >build/fuzz/build.log 2>&1; then
    cat build/fuzz/build.log >&2
    exit 1
  fi
}

# seeds as libFuzzer reads them: those that are bytes are kept as text
unpack_seeds() {
  local name=$1 folder=build/fuzz/seeds/$1 seed
  rm -rf "$folder"
  mkdir -p "$folder"
  for seed in tests/fuzz/seeds/"$name"/*; do
    [[ -f $seed ]] || continue
    if [[ $seed == *.hex ]]; then
      unpack "$seed" >"$folder/$(basename "$seed" .hex)"
    else
      cp "$seed" "$folder"
    fi
  done
  if [[ $name == program ]]; then random_seeds "$folder"; fi
}

# comments begin with #
unpack() { sed 's/#.*//' "$1" | tr -d ' \n' | tr a-f A-F | basenc --base16 -d; }

# a few inputs of random bytes, always the same, for targets that take any
random_seeds() {
  local i
  for i in {1..24}; do
    awk -v seed="$i" 'BEGIN {
      srand(seed)
      for (count = 20 * seed; count > 0; --count) printf "%02X", int(256 * rand())
    }' | basenc --base16 -d >"$1/random-$i"
  done
}

# starts a target: $2 are seconds, or --check
start_target() {
  local name=$1 length=4096 corpus=corpus/$1 limits
  limits=(-max_total_time="$2" -seed=0)
  if [[ $2 == --check ]]; then
    corpus=checked/$1
    rm -rf "build/fuzz/$corpus"
    limits=(-runs="${executions[$1]}" -seed=1)
  fi
  mkdir -p "build/fuzz/$corpus" build/fuzz/crashes
  unpack_seeds "$name"
  # old calls matter little to the next one
  if [[ $name == program ]]; then length=384; fi
  echo "fuzzing $name"
  # an allocation beyond the limit fails, as when memory is short
  (cd build/fuzz && exec ./tests/fuzz/fuzz_"$name" "$corpus" "seeds/$name" \
    "${limits[@]}" -artifact_prefix="crashes/$name-" -max_len="$length" -timeout=120 \
    -rss_limit_mb=4096 -entropic=0 -print_final_stats=1 >"$name.log" 2>&1) &
  process[$name]=$!
}

# waits for a target and reports it
finish_target() {
  local name=$1 log=build/fuzz/$1.log
  if ! wait "${process[$name]}"; then
    grep -E 'fuzz:|ERROR|SUMMARY|runtime error|Test unit written|#[0-9] ' "$log" | head -30 >&2 || true
    echo "fuzz: $name: a finding, in build/fuzz/crashes; all that was said is in $log" >&2
    return 1
  fi
  awk -v name="$name" '
    / cov: / { for (i = 1; i < NF; ++i) if ($i == "cov:") coverage = $(i + 1) }
    /stat::number_of_executed_units/ { runs = $2 }
    /stat::average_exec_per_sec/ { rate = $2 }
    END { printf "fuzz: %s: %d executions, %d a second, coverage %d edges\n", name, runs, rate, coverage }
  ' "$log"
}

# runs targets, one a core; $1 are seconds, or --check
run_targets() {
  local limit=$1 cores failed=0 i
  cores=$(nproc)
  shift
  local -a names=("$@")
  for ((i = 0; i < $# + cores; ++i)); do
    if ((i >= cores && i - cores < $#)); then finish_target "${names[i - cores]}" || failed=1; fi
    if ((i < $#)); then start_target "${names[i]}" "$limit"; fi
  done
  return $failed
}

replay() {
  local name=$1 file=$2 input
  is_target "$name" || misuse "there is no target '$name'"
  [[ -r $file ]] || misuse "cannot read '$file'"
  build "$name"
  input=$PWD/build/fuzz/replayed
  if [[ $file == *.hex ]]; then unpack "$file" >"$input"; else cp "$file" "$input"; fi
  cd build/fuzz
  exec ./tests/fuzz/fuzz_"$name" -timeout=60 "$input"
}

main() {
  case ${1:-} in
    -h | --help) usage && return ;;
    --check) [[ $# -eq 1 ]] || misuse '--check takes no more' ;;
    --replay) [[ $# -eq 3 ]] || misuse '--replay takes a name and a file'; replay "$2" "$3" ;;
    '' | *[!0-9]* | 0) misuse 'for how many minutes?' ;;
  esac
  [[ $# -le 2 ]] || misuse "'$3'?"
  local limit=--check names=$targets
  if [[ $1 != --check ]]; then limit=$((10#$1 * 60)); fi
  if [[ $# -gt 1 ]]; then
    is_target "$2" || misuse "there is no target '$2'"
    names=$2
  fi
  # stacks of allocations, a third of the time, are kept only by --replay
  export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=256:malloc_context_size=0:quarantine_size_mb=16
  trap 'kill $(jobs -p) 2>/dev/null || true; echo "fuzz: interrupted" >&2; exit 130' INT TERM
  # shellcheck disable=SC2086 # one word a target
  build $names
  # shellcheck disable=SC2086
  run_targets "$limit" $names
}

main "$@"
