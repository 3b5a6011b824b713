#!/usr/bin/env bash
# Runs weft-bench with results on standard output, where the tables must not be.
# usage: bench_cli.sh WEFT-BENCH
# shellcheck source=tests/shell.sh
source "$(dirname "$0")/shell.sh"
bench=$1

# expect FIRST-LINE LAST-LINE ARGUMENT...: standard output begins and ends so, in regular
# expressions, and the table goes to standard error
expect() {
  local first=$1 last=$2
  shift 2
  "$bench" "$@" --quiet >"$folder/out" 2>"$folder/err" || fault "weft-bench $*: exits with $?"
  head -n 1 "$folder/out" | grep -qE "$first" || fault "weft-bench $*: begins $(head -n 1 "$folder/out")"
  tail -n 1 "$folder/out" | grep -qE "$last" || fault "weft-bench $*: ends $(tail -n 1 "$folder/out")"
  grep -q 'state hash' "$folder/err" || fault "weft-bench $*: no table on standard error"
}

if [[ $("$bench" throughput --size 8 --json - 2>&1) != *'debug build'* ]]; then
  hash='[0-9a-f]{16}'
  small=(--size 8 --threads 1,9 --steps 1 --repeats 1)
  expect '^\{$' '^\}$' throughput "${small[@]}" --json -
  # 64 particles keep one thread at work, whatever is asked for
  [[ $(grep -c '"threads": 1,' "$folder/out") -eq 4 ]] || fault 'threads that are not at work'
  expect '^scene,' "^sheet,.*$hash,1\$" throughput "${small[@]}" --csv -
  expect '^scene,' "^drape-sphere,.*$hash\$" throughput --scene drape-sphere --size 9 --threads 1 \
    --warmup 0 --steps 1 --repeats 1 --csv -
  expect '^scene,' "^particles,.*$hash\$" growth --scene particles --particles 100 --doublings 0 \
    --warmup 0 --steps 1 --csv -
  expect '^\{$' '^\}$' quality --size 5 --methods lra --seconds 0.05 --json -
  expect '^scene,' "^sheet,.*$hash\$" quality --size 5 --methods lra --seconds 0.05 --csv -
fi

# traces are written by any build, of each world
for command in throughput scaling 'throughput --scene drop-folds --warmup 1 --repeats 1'; do
  # shellcheck disable=SC2086
  "$bench" $command --size 33 --threads 1,2 --steps 1 --quiet --trace "$folder/t.json" --trace-steps 3 \
    >"$folder/out" 2>&1 || fault "weft-bench $command --trace: $(tail -n 1 "$folder/out")"
  command -v python3 >/dev/null || continue
  out=$(python3 "$(dirname "$0")/check_trace.py" "$folder/t.json" 3 2>&1)
  [[ $out == '2 worlds, 6 steps, '* ]] || fault "check_trace.py says $out"
done

out=$("$bench" throughput --trace /nowhere/t.json 2>&1)
[[ $? -eq 2 && $out == *"cannot write '/nowhere/t.json'"* ]] || fault "says $out"
out=$("$bench" throughput --csv - --json - 2>&1)
[[ $out == *"--csv: '-' is the --json file too"* || $out == *'debug build'* ]] || fault "says $out"
out=$("$bench" hash --size 8 --threads 1,9 --isa scalar --steps 1 | cut -c 1-11 | sort | uniq -c | xargs)
[[ $out == '2 scalar 1' ]] || fault "hash prints $out"

[[ $failures -eq 0 ]]
