#!/usr/bin/env bash
# Runs weft-sim under mpirun: one report, the state of a run alone, one message of an error, no rank that is left.
# usage: sim_ranks.sh WEFT-SIM EXAMPLES-FOLDER MPIRUN HAS-HDF5
# shellcheck source=tests/shell.sh
source "$(dirname "$0")/../../shell.sh"
sim=$(realpath "$1")
examples=$(realpath "$2")
mpirun=$3
has_hdf5=$4
cd "$folder" || exit 1

# on_ranks N ARGUMENT...: more ranks than cores, and as root: in tests only; mpirun would take the table of a loop
on_ranks() {
  local ranks=$1
  shift
  "$mpirun" --oversubscribe --allow-run-as-root -n "$ranks" "$sim" run "$@" --threads 1 </dev/null
}

# numbers of ranks; scenes without and with something that happens before a step, with contacts, joints, and out of a file
while read -r numbers scene seconds sets; do
  # shellcheck disable=SC2086 # one word an argument
  alone=$("$sim" run "$scene" --seconds "$seconds" $sets --threads 2 --measures alone.csv --mesh alone.obj)
  for ranks in ${numbers//,/ }; do
    # shellcheck disable=SC2086
    told=$(on_ranks $ranks "$scene" --seconds "$seconds" $sets --measures ranks.csv --mesh ranks.obj)
    [[ $(grep hash <<<"$told") == "$(grep hash <<<"$alone")" ]] || fault "$scene of $ranks ranks says '$told', and alone '$alone'"
    [[ $(grep -c . <<<"$told") -eq $(grep -c . <<<"$alone") ]] || fault "$scene of $ranks ranks has another report: '$told'"
    { cmp -s alone.csv ranks.csv && cmp -s alone.obj ranks.obj; } || fault "$scene of $ranks ranks writes other files"
  done
done <<END
1,2,3 sheet 0.1 --set size=100
2 flag 0.1 --set columns=90 --set rows=60
3 drape-sphere 0.1 --set size=60
3 $examples/curtain-ragdolls.json 0.1
END
# ranks whose shares change
alone=$("$sim" run drape-sphere --seconds 0.1 --set size=60 | grep hash)
told=$(on_ranks 3 drape-sphere --seconds 0.1 --set size=60 --redistribute 4)
[[ $(grep hash <<<"$told") == "$alone" && $told == *redistributed* ]] || fault "redistributed, ranks say '$told'"
[[ $(on_ranks 3 sheet --seconds 0.1 --json -) == *'"ranks": 3'* ]] || fault 'no ranks in the report'

# a snapshot of three ranks goes on alone and with two, and caches are the same
on_ranks 3 curtain --seconds 0.1 --save a.snapshot --save-at 0.05 --cache ranks.pc2 --quiet
alone=$("$sim" run curtain --seconds 0.1 --cache alone.pc2 | grep hash)
cmp -s alone.pc2 ranks.pc2 || fault 'the cache of three ranks differs'
[[ $("$sim" run curtain --seconds 0.1 --restore a.snapshot | grep hash) == "$alone" ]] || fault 'a snapshot of ranks, alone'
[[ $(on_ranks 2 curtain --seconds 0.1 --restore a.snapshot | grep hash) == "$alone" ]] || fault 'a snapshot of ranks, with two'

# HDF5 files, to which each rank writes its own particles: a cloth with frames between steps, one that tears, and a
# mesh, whose particles are scattered, and a cloth that changes its ranks between frames that lie between steps
"$sim" run drape-sphere --seconds 0.1 --set size=60 --mesh cloth.obj --quiet >/dev/null
while ((has_hdf5)) && read -ra scene; do
  on_ranks 3 "${scene[@]}" --cache shared.h5 --quiet >/dev/null || fault "ranks write no .h5 of ${scene[*]}"
  "$sim" run "${scene[@]}" --cache single.h5 --quiet >/dev/null
  h5diff single.h5 shared.h5 || fault "ranks write another .h5 of ${scene[*]}"
  [[ $(sed 's/single/shared/' single.xdmf) == "$(<shared.xdmf)" ]] || fault "ranks write another .xdmf of ${scene[*]}"
done <<END
sheet --set size=100 --seconds 0.2 --fps 100
curtain --seconds 0.2 --fps 24
./cloth.obj --seconds 0.1
drape-sphere --set size=60 --seconds 0.2 --redistribute 4 --fps 45
END

# an error is one message, and the exit status is that of a run alone
refuse() {
  local status=$1 text=$2 out
  shift 2
  out=$(on_ranks 3 "$@" 2>&1 </dev/null)
  local got=$?
  [[ $got -eq $status ]] || fault "three ranks with $*: exit with $got, not $status: $out"
  [[ $(grep -c '^weft-sim: ' <<<"$out") -eq 1 && $out == *"$text"* ]] || fault "three ranks with $*: say '$out'"
}
echo '{"bodies": [' >bad.json
refuse 1 'bad.json:' ./bad.json
refuse 2 "'ropes' is not a scene" ropes
refuse 2 "unknown option '--wrong'" rope --wrong
refuse 1 '--time-scale: not with several ranks' sheet --time-scale 0.5
refuse 1 'world.sleep_speed' sheet --sleep 0.1
refuse 1 "cannot write 'no/where'" sheet --seconds 0.1 --json no/where
((has_hdf5)) && refuse 1 "cannot write 'no/where.h5'" sheet --seconds 0.1 --cache no/where.h5

# start_ranks ARGUMENT...: three ranks at work, until they are stopped
start_ranks() {
  "$mpirun" --oversubscribe --allow-run-as-root -n 3 "$sim" run sheet --seconds 100000 --threads 1 --quiet \
    --measures "$1.csv" --cache "$1.pc2" 2>"$1.err" &
  job=$!
  for _ in {1..600}; do
    [[ -n $(compgen -G "$1.pc2*") ]] && break
    sleep 0.1
  done
  mapfile -t ranks < <(pgrep -P "$job" -f weft-sim)
}

# Ctrl-C of one rank stops all of them after the same step, with the frames so far
start_ranks late
kill -INT "${ranks[1]}"
wait "$job" && fault 'ranks are interrupted, and mpirun says all is well'
grep -q 'interrupted, no file was written but the cache' late.err || fault "interrupted, ranks say $(cat late.err)"
[[ -s late.pc2 && ! -e late.csv && -z $(compgen -G '*.tmp') ]] || fault "interrupted, ranks leave $(ls)"

# a rank that dies ends the others
start_ranks dead
kill -KILL "${ranks[1]}"
wait "$job" && fault 'a rank has died, and mpirun says all is well'
for rank in "${ranks[@]}"; do
  for _ in {1..600}; do
    kill -0 "$rank" 2>/dev/null || continue 2
    sleep 0.1
  done
  fault "rank $rank is left"
done

[[ $failures -eq 0 ]]
