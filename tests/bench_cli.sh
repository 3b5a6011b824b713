#!/usr/bin/env bash
# Runs weft-bench with results on standard output, where the tables must not be.
# usage: bench_cli.sh WEFT-BENCH [sanitized]
# shellcheck source=tests/shell.sh
source "$(dirname "$0")/shell.sh"
bench=$1

# small caches: what memory bears is measured with arrays of four times the last one, up to 1.5 GB
export HWLOC_SYNTHETIC='pack:1 l3:1(size=4194304) l2:2(size=1048576) l1d:1(size=32768) core:1 pu:1'

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

# Lines longer than 100 columns. A measured number counts as three characters and a gap as one: how long they are
# depends on what else the machine does.
long_lines() {
  sed -E 's/[0-9]+\.[0-9]+/0.0/g; s/ +/ /g' | awk 'length > 100'
}

if [[ $("$bench" throughput --size 8 --json - 2>&1) != *'debug build'* ]]; then
  hash='[0-9a-f]{16}'
  number='[0-9.e+-]+'
  small=(--size 8 --threads 1,9 --steps 1 --repeats 1)
  expect '^\{$' '^\}$' throughput "${small[@]}" --json -
  # 64 particles keep one thread at work, whatever is asked for
  [[ $(grep -c '"threads": 1,' "$folder/out") -eq 4 ]] || fault 'threads that are not at work'
  expect '^scene,' "^sheet,.*$hash,1,$number,9,$number,$number\$" throughput "${small[@]}" --csv -
  expect '^scene,' "^drape-sphere,.*$hash,$number,1(,$number){5}\$" throughput --scene drape-sphere --size 9 --threads 1 \
    --warmup 0 --steps 1 --repeats 1 --csv -
  expect '^scene,' "^particles,.*$hash,$number,1(,$number){5}\$" growth --scene particles --particles 100 --doublings 1 --skip 1 \
    --warmup 0 --steps 1 --csv -
  expect '^scene,' '^sheet runge_kutta_4,' throughput "${small[@]}" --integrator runge_kutta_4 --csv -
  expect '^\{$' '^\}$' quality --size 5 --methods lra --seconds 0.05 --json -
  expect '^scene,' "^sheet,.*$hash(,$number){4}\$" quality --size 5 --methods lra --seconds 0.05 --csv -

  "$bench" throughput "${small[@]}" --quiet --json "$folder/new.json" >/dev/null
  sed 's/"step_ms_median": .*,/"step_ms_median": 1e-9,/' "$folder/new.json" >"$folder/old.json"
  statuses=''
  command -v python3 >/dev/null || statuses=012
  for pair in 'new new' 'old new' 'new none'; do
    read -r old new <<<"$pair"
    [[ $statuses != 012 ]] || break
    python3 "$(dirname "$0")/../tools/compare.py" "$folder/$old.json" "$folder/$new.json" --threshold 1 >"$folder/out" 2>&1
    statuses+=$?
    [[ -z $(long_lines <"$folder/out") || $new == none ]] || fault 'compare: more than 100 columns'
  done
  [[ $statuses == 012 ]] || fault "compare exits with $statuses"

  # steps of one thread, for several: what memory bears is measured too, which takes a second
  steps=$folder/steps.json
  "$bench" scaling --size 65 --steps 10 --threads 1 --record --quiet --json "$steps" >"$folder/out" 2>&1 ||
    fault "scaling --record: $(tail -n 1 "$folder/out")"
  predict() { python3 "$(dirname "$0")/../tools/predict" "$@" 2>&1; }
  if command -v python3 >/dev/null; then
    # patches of a sheet by formula, for ranks, are those of the engine
    PYTHONPATH=$(dirname "$0")/../tools/predict PYTHONDONTWRITEBYTECODE=1 python3 -c '
import files, graphs, sheet, sys
level = files.read(sys.argv[1])["recording"]["levels"].items()[0]
made, by_formula = graphs.Patches(level), sheet.graph_of_sheet(65, 65)
assert made.count > 4 and made.colors == by_formula.colors
assert made.neighbors == by_formula.neighbors' "$steps" ||
      fault 'predict: a sheet has other patches by formula'
    predict threads "$steps" --threads 2,16 --bandwidth 100 --json "$steps" --csv "$folder/rows.csv" >"$folder/out" ||
      fault "predict: $(tail -n 1 "$folder/out")"
    for line in 'prediction from 20 ' '^ +2 ' '^ +16 ' '--bandwidth' 'largest losses'; do
      grep -qE -e "$line" "$folder/out" || fault "predict: no line of '$line'"
    done
    [[ -z $(long_lines <"$folder/out") ]] || fault 'predict: more than 100 columns'
    [[ $(cut -d , -f 6,19 "$folder/rows.csv" | xargs) == 'workers,predicted 1,false 2,true 16,true' ]] ||
      fault "predict: rows of $(cut -d , -f 6,19 "$folder/rows.csv" | xargs)"
    out=$(predict threads "$steps")
    [[ $? -eq 2 && $out == "predict: $steps: there is no recording: "* ]] || fault "predict says $out"
  fi
fi

# Ctrl-C ends the building of a world that takes long; a sanitizer holds signals back
if [[ ${2:-} != sanitized ]]; then
  set -m # so that the command below does not ignore Ctrl-C, as one in the background does
  "$bench" hash --size 4000 >"$folder/out" 2>&1 &
  child=$!
  sleep 0.5
  began=$SECONDS
  kill -INT "$child"
  wait "$child"
  [[ $? -eq 130 && $((SECONDS - began)) -lt 8 ]] || fault "interrupted while it builds: $((SECONDS - began)) s"
  grep -q 'weft-bench: interrupted' "$folder/out" || fault "interrupted while it builds: $(cat "$folder/out")"
fi

# traces are written by any build, of each world
for command in 'throughput --repeats 1' scaling 'throughput --scene drop-folds --warmup 1 --repeats 1'; do
  # shellcheck disable=SC2086
  "$bench" $command --size 17 --threads 1,2 --steps 1 --quiet --trace "$folder/t.json" --trace-steps 3 \
    >"$folder/out" 2>&1 || fault "weft-bench $command --trace: $(tail -n 1 "$folder/out")"
  command -v python3 >/dev/null || continue
  out=$(python3 "$(dirname "$0")/check_trace.py" "$folder/t.json" 3 2>&1)
  [[ $out == '2 worlds, 6 steps, '* ]] || fault "check_trace.py says $out"
done

# a machine that tells nothing of its processors
mkdir "$folder/nothing"
out=$(env -u HWLOC_SYNTHETIC HWLOC_FSROOT="$folder/nothing" HWLOC_THISSYSTEM=1 "$bench" hash --size 8 --threads 1 --steps 1 2>&1)
[[ $? -eq 0 && $out != *hwloc* ]] || fault "without a topology: says $out"

out=$("$bench" throughput --trace /nowhere/t.json 2>&1)
[[ $? -eq 2 && $out == *"cannot write '/nowhere/t.json'"* ]] || fault "says $out"
out=$("$bench" throughputs 2>&1)
[[ $? -eq 2 && $out == *"'throughputs' is not a command (did you mean throughput?)"* ]] || fault "says $out"
# an error comes before the machine and the tables
for wrong in 'no-such' 'no-such.json' 'sheet --set a=1'; do
  # shellcheck disable=SC2086
  out=$("$bench" contacts --scene $wrong 2>&1)
  [[ $? -eq 2 && $(wc -l <<<"$out") -eq 1 && $out == 'weft-bench: '* ]] || fault "contacts says $out"
done
out=$("$bench" help hash 2>&1)
[[ $? -eq 0 && $out == 'Usage: weft-bench hash'* ]] || fault "help hash says $out"
out=$("$bench" throughput --csv - --json - 2>&1)
[[ $out == *"--csv: '-' is the --json file too"* || $out == *'debug build'* ]] || fault "says $out"
out=$("$bench" hash --size 8 --threads 1,9 --isa scalar --steps 1 | cut -c 1-11 | sort | uniq -c | xargs)
[[ $out == '2 scalar 1' ]] || fault "hash prints $out"

# No line of a table is longer than 100 columns. Runs begin with a fifth of a
# second in which they watch the machine: all but the last share it.
runs=()
start() {
  runs+=("$*")
  "$bench" "$@" >"$folder/table${#runs[@]}" 2>&1 &
}
out=$("$bench" snapshot --size 20 --thick --range 9 --repeats 1)
[[ $out == *'bytes: memcpy '*'range of 9 particles: save '* ]] || fault "snapshot prints $out"
tiny=(--threads 1,2 --steps 10 --quiet)
start throughput --size 40,9 --threads 1,200 --steps 1 --repeats 1 --quiet
start throughput --scene drop-folds --size 17 --warmup 1 "${tiny[@]}" --repeats 1
start scaling --size 9 "${tiny[@]}"
start quality --size 9 --seconds 0.05 --quiet
start contacts --scene drop-folds --set size=9 --seconds 0.1 --quiet
for keep in spacing extent courant; do
  start growth --scene particles --particles 100 --doublings 1 --keep "$keep" --steps 1 \
    --warmup 1 --quiet
done
wait
# loops that measure the machine take minutes with a sanitizer
if [[ ${2:-} != sanitized ]]; then
  start limits --size 9 --threads 1,2 --iterations 1 --quiet
  wait
  for line in 'speed: (steady|flips) .*probes' 'other processes used'; do
    grep -qE "$line" "$folder/table${#runs[@]}" || fault "limits: no line of '$line'"
  done
fi
for i in "${!runs[@]}"; do
  long=$(long_lines <"$folder/table$((i + 1))")
  [[ -z $long ]] || fault "weft-bench ${runs[i]}: more than 100 columns: $long"
done

[[ $failures -eq 0 ]]
