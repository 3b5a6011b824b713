#!/usr/bin/env bash
# Runs weft-sim as a person would: what it prints, what it exits with, which files it leaves.
# usage: sim_cli.sh WEFT-SIM EXAMPLES-FOLDER [sanitized]
# shellcheck source=tests/shell.sh
source "$(dirname "$0")/shell.sh"
sim=$(realpath "$1")
examples=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
cd "$folder" || exit 1

# expect STATUS TEXT ARGUMENT...: the command exits so and prints a line that has the text in it
expect() {
  local status=$1 text=$2 out
  shift 2
  out=$("$sim" "$@" 2>&1 </dev/null)
  local got=$?
  [[ $got -eq $status ]] || fault "weft-sim $*: exits with $got, not $status: $out"
  [[ $out == *"$text"* ]] || fault "weft-sim $*: says '$out', and not '$text'"
}

expect 2 'Usage: weft-sim COMMAND'
expect 0 'Usage: weft-sim COMMAND' --help
expect 0 'Usage: weft-sim COMMAND' help
expect 0 'Usage: weft-sim run' help run
expect 0 'Usage: weft-sim list' list --help
expect 0 'weft-sim 0.' --version
expect 0 'weft-sim 0.' run --version
expect 2 "'rum' is not a command (did you mean run?)" rum
expect 0 'a sheet that hangs' list
expect 0 '--set hold=edge' list sheet
expect 0 '"scenes": [' list --json
expect 2 "'shet' is not a scene (did you mean sheet?)" list shet
expect 2 "unexpected argument 'rope'" list sheet rope
expect 0 '### bodies: sheet' schema
expect 0 'Usage: weft-sim check' check --help
expect 0 'borders     1, of 180 edges' check curtain
expect 0 'thickness   27.5 mm' check curtain
expect 0 'soft, 16 substeps: the substeps that cloth takes' check curtain
expect 0 'exact, 32 substeps: continuous collision detection' check sheet --set size=200 --speed 20
expect 0 '1000 bodies from particle 0, each: 900 particles' check towels
expect 0 '"unlinked_particles": 0' check towels --json
expect 0 'body at particle 0: 101 particles, 100 links, 0 faces' check rope
expect 2 'no scene' check
expect 2 "'shet' is not a scene (did you mean sheet?)" check shet
expect 2 "unexpected argument 'rope'" check sheet rope
expect 2 "--speed: '-1' is not a number from 0 to 1e+06" check sheet --speed -1
expect 2 "--radius: '0' is not a number from 1e-06 to 1e+06" check sheet --radius 0
expect 2 "'a' is not a parameter" check sheet --set a=1
expect 1 'nothing.obj' check nothing.obj
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 3\nf 1 2 5\nf 1 2 4\n' >fan.obj
expect 0 'fault       1 edge of three faces or more' check fan.obj
expect 0 'fault       1 edge whose two faces wind opposite ways' check fan.obj
expect 0 'mm of a face into a radius of 0.5 m' check fan.obj --radius 0.5

# in real time a run takes as long as the scene, and ends in the same state
began=$(date +%s%N)
slow=$("$sim" run rope --seconds 0.2 --time-scale 0.5 --real-time | grep hash)
took=$((($(date +%s%N) - began) / 1000000))
[[ $took -ge 400 ]] || fault "a run of 0.2 s at half the pace takes $took ms in real time"
[[ $slow == "$("$sim" run rope --seconds 0.2 | grep hash)" ]] || fault "real time changes the result"

# a run goes on from a snapshot in another process, with other threads and another instruction set
for scene in rope-elastic curtain player "$examples/mobile.json"; do
  whole=$("$sim" run "$scene" --seconds 0.4 --threads 1 --save a.snapshot --save-at 0.2 | grep hash)
  rest=$("$sim" run "$scene" --seconds 0.4 --threads 3 --isa scalar --restore a.snapshot | grep hash)
  [[ $rest == "$whole" ]] || fault "$scene: '$rest' from a snapshot, and not '$whole'"
done
# it takes the parameters and settings of the run that was saved; others are applied or refused by name
"$sim" run curtain --set columns=31 --set pull=0.3 --iterations 3 --seconds 0.2 --quiet --save c.snapshot || fault 'save'
whole=$("$sim" run curtain --set columns=31 --set pull=0.3 --iterations 3 --seconds 0.4 | grep hash)
goes_on() { "$sim" run curtain --seconds 0.4 --restore c.snapshot "$@"; }
[[ $(goes_on | grep hash) == "$whole" ]] || fault 'a snapshot without the options it was saved with'
[[ $(goes_on --set pull=0.3 --iterations 3 --rate 60 --mesh s.obj | grep hash) == "$whole" ]] ||
  fault 'a snapshot with the options it was saved with'
goes_on --substeps 20 --json s.json --save d.snapshot --quiet || fault 'substeps after a snapshot'
grep -q '"substeps": 20' s.json || fault 'substeps after a snapshot are not applied'
grep -q '"restored_steps": 12' s.json || fault 'steps of a snapshot are not counted apart'
grep -q "${whole##* }" s.json && fault 'substeps after a snapshot change nothing'
expect 0 'steps          24 of 16.6667 ms: 0.4 s; 24 of a snapshot; 0 ms a step' \
  run curtain --seconds 0.4 --restore d.snapshot
expect 0 'the run ends at 0.2 seconds, where the snapshot is' run curtain --seconds 0.2 --restore c.snapshot
expect 2 'the run ends at 0.1 seconds, the snapshot is of 0.2' run curtain --seconds 0.1 --restore c.snapshot
for refused in '--iterations=4 3' '--rate=50 60' '--sleep=1 0'; do
  expect 2 "${refused%%=*}: the snapshot has ${refused#* }, which stays as it is" \
    run curtain --restore c.snapshot "${refused% *}"
done
expect 2 '--set pull: the snapshot has pull=0.3' run curtain --restore c.snapshot --set pull=1
expect 1 'a.snapshot: of the scene ' run rope --seconds 0.4 --restore a.snapshot
expect 1 'b.snapshot: No such file' run rope --restore b.snapshot
expect 1 "cannot write 'no/where'" run rope --save no/where
expect 2 '--save-at: no --save FILE' run rope --save-at 1
expect 2 '--measures-every: no --measures FILE' run rope --measures-every 2
expect 2 '--trace-steps: no --trace FILE' run rope --trace-steps 2
expect 2 '--trace-from: no --trace FILE' run rope --trace-from 2
expect 2 '--fps: no --cache FILE' run rope --fps 60
expect 2 '--save-at: the run ends before 2 seconds' run rope --seconds 1 --save-at 2 --save a.snapshot

expect 2 'no scene' run
expect 0 '"collider_contacts": ' run slope --set size=5 --seconds 0.1 --json -
expect 2 "'ropes' is not a scene (did you mean rope?)" run ropes
expect 2 "unexpected argument 'sheet'" run rope sheet
expect 2 "unknown option '--wrong'" run rope --wrong
expect 2 "unknown option '--threat' (did you mean --threads?)" run rope --threat=2
expect 2 "ambiguous option '--s'" run rope --s 3
expect 2 "--size: a parameter of a scene is set by --set size=VALUE" run sheet --size 10
expect 2 "unexpected argument 'size=10' (did you mean --set size=10?)" run sheet size=10
expect 1 '--set integrator: implicit_euler has no forces between particles' run argon --set integrator=implicit_euler
expect 2 "option '--seconds' needs a value" run rope --seconds
expect 2 "--seconds: '0' is not a number from 1e-06 to 1e+06" run rope --seconds 0
expect 2 "--rate: 'x' is not a number from 1 to 1e+06" run rope --rate x
expect 2 "--threads: '0' is not a whole number from 1 to 256" run rope --threads 0
expect 2 "--isa: 'mmx' is not one of auto" run rope --isa mmx
expect 2 "--fabric: 'velvet' is not a fabric: blanket, denim" run flag --fabric velvet
expect 2 "--fabric: the scene has no parameter 'fabric'" run rope --fabric denim
expect 0 'lift' run flag --fabric denim --seconds 0.1
expect 2 "--iterations: '-1' is not a whole number from 0 to 10000" run rope --iterations=-1
expect 2 "--substeps: '0' is not a whole number from 1 to 1000" run rope --substeps 0
expect 2 "--time-scale: '0' is not a number from 0.001 to 1000" run rope --time-scale 0
expect 2 "--measures-every: '0' is not a whole number" run rope --measures-every 0
expect 2 "--trace-steps: '0' is not a whole number" run rope --trace-steps 0
expect 2 '--table: rope makes no table' run rope --table a.csv
expect 1 "cannot write 'no/where.csv'" run integrators --table no/where.csv
expect 0 'system,integrator,step,error,energy_error' list integrators
expect 2 "--set: 'link' is not a parameter (did you mean links?)" run rope --set link=3
expect 2 "--set links: '0' is not a whole number from 1 to 10000" run rope --set links=0
expect 1 "--set script: 'jmp' is not a key (did you mean jump?)" run player --set script='jmp 1'
expect 2 "there are no parameters to set" run "$examples/sewn.json" --set a=1
expect 1 'nothing.json: No such file or directory' run nothing.json
echo '{"bodies": [' >bad.json
expect 1 'bad.json:' run bad.json
printf '{"bodies": \033[31m}' >escape.json
expect 1 "escape.json:1: a value expected near '?[31m}'" run escape.json
expect 1 "cannot write 'no/where.json'" run rope --json no/where.json
expect 1 "cannot write 'no/where.csv'" run rope --measures no/where.csv
expect 1 "cannot write 'no/trace.json'" run rope --trace no/trace.json
for extension in pc2 gltf glb h5 xdmf obj ply; do
  expect 1 "cannot write 'no/where" run rope --cache no/where.$extension
done
expect 1 "cannot write 'no/where.obj'" run rope --mesh no/where.obj
expect 2 "--cache: 'c.abc' is not a file of .pc2, .obj, .ply, .gltf" run rope --cache c.abc
expect 2 "--cache: '-' is not a file of" run rope --cache -
expect 2 "--cache: 'a.b/c' is not a file of" run rope --cache a.b/c
expect 2 "--mesh: 'm.pc2' is not a file of .obj" run rope --mesh m.pc2
expect 2 '--cache is given twice' run rope --cache c.pc2 --seconds 0.1 --cach d.pc2
expect 2 '--set load is given twice' run rope --set load=1 --set length=2 --set load=2
expect 2 '--set fabric is given twice' run flag --fabric denim --set fabric=ponte
expect 0 'state hash' run rope --set load=1 --set length=2 --seconds 0.1
expect 2 "--mesh: 'c.obj' is the --cache file too" run rope --cache c.obj --mesh c.obj
expect 2 "--fps: '0' is not a number from 0.001 to 1e+06" run rope --cache c.pc2 --fps 0
expect 1 "'c.glb' would have 10001 frames, and 2000 are the most: give a lower --fps" \
  run rope --seconds 1 --cache c.glb --fps 10000
mkdir folder.pc2 && expect 1 "cannot write 'folder.pc2': it is not a regular file" run rope --cache folder.pc2
mkdir taken.bin && expect 1 "cannot write 'taken.bin': it is not a regular file" run rope --cache taken.gltf
expect 1 "cannot write '/dev/null': it is not a regular file" run rope --json /dev/null
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 1 1e-6\nv 0 0 0\nv 9 9 9\nf 1 2 3\nf 5 4 6\n' >near.obj
expect 0 'near.obj: 1 vertex is nearly where another one is, and not joined with it' run near.obj --seconds 0.1 --quiet
expect 0 'near.obj: dropped 1 vertex of no face' run near.obj --seconds 0.1 --quiet
mkfifo p.snapshot && expect 1 'p.snapshot: is not a regular file' run rope --restore p.snapshot

expect 0 'state hash' run rope --seconds 0.2
expect 0 'broken' run "$examples/sewn.json" --seconds 0.2 --threads 2 --isa scalar
expect 0 'by the time scale' run rope --seconds 0.2 --time-scale 0.25
expect 0 "text" list rope
expect 0 '"schema": 1' run rope --seconds 0.2 --json -
expect 0 '1 particle, 0 links, 0 broken' run player --seconds 0.1
expect 0 'contacts       1 particle at the bounds' run player --seconds 0.1
expect 0 'time_on_floor  0.1' run player --seconds 0.1
expect 2 "--trace: '-' is the --json file too" run rope --json - --trace -
json=$("$sim" run player --seconds 0.1 --json -)
for line in '"seconds": 0.1,' '"rate": 60.0,' '"air_control": 0.1,' '-9.81,' '0.9,'; do
  [[ $json == *"$line"* ]] || fault "the report has no $line"
done
[[ $("$sim" run rope --seconds 0.1 --measures - | cut -d , -f 1-2 | xargs) == \
  'step,time 0,0 1,0.01666667 2,0.03333333 3,0.05 4,0.06666667 5,0.08333333 6,0.1' ]] ||
  fault 'the measures on standard output'
[[ $("$sim" run integrators --set halvings=1 --table - | head -n 1) == system,* ]] ||
  fault 'the table on standard output'
[[ -z $("$sim" run rope --seconds 0.2 --quiet) ]] || fault '--quiet prints something'
"$sim" run rope --seconds 0.2 --quiet --json a.json --measures a.csv --measures-every 5 || fault 'run'
[[ $(wc -l <a.csv) -eq 5 ]] || fault "a.csv has $(wc -l <a.csv) lines"
[[ $(tail -n 1 a.csv) == *"$(sed -n 's/.*"state_hash": "\(.*\)".*/\1/p' a.json)" ]] || fault 'two hashes'

"$sim" run integrators --quiet --table t.csv --set halvings=2 || fault 'run integrators'
[[ $(wc -l <t.csv) -eq 37 ]] || fault "t.csv has $(wc -l <t.csv) lines"

# a trace follows its format, covers the steps, and changes no bit
check_trace() {
  command -v python3 >/dev/null || return 0
  python3 "$here/check_trace.py" "$@" >/dev/null || fault "check_trace.py $*"
}
for threads in 1 2; do
  "$sim" run drape-sphere --set size=33 --seconds 0.5 --threads "$threads" --trace t.json --trace-from 20 \
    --trace-steps 5 --quiet --json c.json || fault 'a trace'
  check_trace t.json 5
  "$sim" run drape-sphere --set size=33 --seconds 0.5 --quiet --json d.json || fault 'no trace'
  diff <(grep hash c.json) <(grep hash d.json) >/dev/null || fault 'a trace changes the hash'
  rm -f d.json
done

# a curtain tears: the mesh has a vertex a particle and the faces that the report counts
"$sim" run curtain --seconds 1 --quiet --json c.json --mesh c.obj --cache f.obj --fps 20 || fault 'run curtain'
vertices=$(sed -n 's/.*"particles": \([0-9]*\),/\1/p' c.json)
faces=$(sed -n 's/.*"faces": \([0-9]*\)\.0.*/\1/p' c.json)
[[ $(grep -c '^v ' c.obj) -eq $vertices ]] || fault 'the vertices of the mesh'
[[ $(grep -c '^f ' c.obj) -eq $faces && $faces -lt 3600 ]] || fault 'the faces of the mesh'
[[ $(compgen -G 'f_*.obj' | wc -l) -eq 21 ]] || fault "frames: $(compgen -G 'f_*.obj')"
cmp -s f_0020.obj c.obj || fault 'the last frame is the mesh'
"$sim" run rope --seconds 0.1 --quiet --mesh r.obj || fault 'a rope as a mesh'
[[ $(grep -c '^l ' r.obj) -eq 100 ]] || fault 'a rope has lines'
rm -f [cfr]*.obj

# all CPUs are used, unless a file says otherwise
wide=$("$sim" run sheet --set size=150 --seconds 0.01 --json - | sed -n 's/.*"workers": \([0-9]*\),/\1/p')
[[ $(nproc) -eq 1 || $wide -gt 1 ]] || fault "of $(nproc) CPUs a sheet uses $wide"
[[ -z $(command -v taskset) ]] || [[ $(taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" \
  "$sim" run sheet --set size=150 --seconds 0.01 --json -) == *'"workers": 1,'* ]] || fault 'more workers than CPUs'
cat >one.json <<'END'
{"world": {"worker_count": 1}, "bodies": [{"type": "sheet", "name": "s", "columns": 150, "rows": 150, "pin": "top"}]}
END
[[ $("$sim" run one.json --seconds 0.01 --json -) == *'"workers": 1,'* ]] || fault 'the workers of a file'

# whatever goes wrong while it runs, no file but a trace is there afterwards, and one that was there stays
echo 'old' >b.json
cat >late.json <<'END'
{"seconds": 1e6, "bodies": [{"type": "sheet", "name": "s", "columns": 100, "rows": 100, "pin": "top"}]}
END
set -m # so that the command below does not ignore Ctrl-C, as one in the background does
"$sim" run late.json --json b.json --measures b.csv --trace d.json --trace-steps 20 \
  --cache late.pc2 2>err &
child=$!
# until the cache has a frame, whatever else the machine does
for _ in $(seq 6000); do
  [[ $(cat late.pc2* 2>/dev/null | wc -c) -gt 240000 ]] && break
  kill -0 "$child" 2>/dev/null || break
  sleep 0.05
done
# twice, as `timeout` does
kill -INT "$child"
sleep 0.02
kill -INT "$child" 2>/dev/null
wait "$child"
status=$?
[[ $status -eq 130 ]] || fault "interrupted, it exits with $status"
grep -q 'interrupted, no file was written but the trace and the cache' err || fault "interrupted, it says $(cat err)"
[[ $(cat b.json) == old && ! -e b.csv ]] || fault 'a file of an interrupted run'
check_trace d.json
# 32 bytes, and 12 for each particle in each of the frames that the last four of them count
frames=$(od -An -tu4 -j28 -N4 late.pc2 | tr -d ' ')
[[ $frames -ge 1 && $(stat -c %s late.pc2) -eq $((32 + frames * 120000)) && -s late.obj ]] ||
  fault "an interrupted cache has $frames frames"
[[ -z $(compgen -G '*.tmp') ]] || fault "left behind: $(compgen -G '*.tmp')"

# a world that takes ten seconds to build, and more, is left at once; a sanitizer holds signals back
if [[ ${3:-} != sanitized ]]; then
  "$sim" run sheet --set size=4096 --json b.json 2>err &
  child=$!
  sleep 0.5
  began=$SECONDS
  kill -INT "$child"
  wait "$child"
  [[ $? -eq 130 && $((SECONDS - began)) -lt 8 ]] || fault "interrupted while it builds: $((SECONDS - began)) s"
  grep -q '^weft-sim: interrupted, no file was written$' err || fault "interrupted while it builds, it says $(cat err)"
fi

"$sim" list >/dev/full 2>err
[[ $? -eq 1 ]] || fault 'a full disk is not noticed'

[[ $failures -eq 0 ]]
