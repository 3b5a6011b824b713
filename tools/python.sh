#!/usr/bin/env bash
# Builds the Python package, installs it into an environment of its own, and tests it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/python.sh [--build | --speed | --asan | --tsan]

Builds the wheel (tools/python/build.sh), installs it into build/python/venv,
checks its layout and types with black and mypy, and runs tests/python, which
compares state hashes with a C program.

  --build         leaves out the checks
  --speed         compares times with those of a C program instead: for a quiet
                  machine
  --asan, --tsan  runs the tests with a sanitizer in the engine
END
}

preset=release
case ${1:-} in
  '' | --build | --speed) ;;
  --asan) preset=asan-ubsan ;;
  --tsan) preset=tsan ;;
  -h | --help) usage && exit ;;
  *) echo "python.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
esac

export PYTHONDONTWRITEBYTECODE=1
WEFT_PRESET=$preset ./tools/python/build.sh
venv=$PWD/build/python/venv
[[ -x $venv/bin/python ]] || "${PYTHON:-/usr/bin/python3}" -m venv --system-site-packages "$venv"
install() { "$venv/bin/python" -m pip install --quiet --no-index --no-deps --force-reinstall "$@"; }
install build/python/dist/*.whl
[[ ${1:-} != --build ]] || exit 0

export WEFT_PYTHON_REFERENCE=$PWD/build/python/reference
sanitize=() runtime=''
case $preset in
  asan-ubsan) sanitize=(-fsanitize=address,undefined) runtime='asan ubsan' ;;
  tsan) sanitize=(-fsanitize=thread) runtime=tsan ;;
esac
"${CC:-cc}" -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iengine/include "${sanitize[@]}" \
  tests/python/reference.c "build/$preset/engine/libweft.a" -lm -pthread -o "$WEFT_PYTHON_REFERENCE"
# for the example that has the bits of scene files
sim=build/$preset/tools/weft-sim
if [[ -x $sim ]]; then
  cmake --build "build/$preset" --target weft-sim >/dev/null
  export WEFT_PYTHON_SIM=$PWD/$sim
fi
run_tests() { "$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python; }

if [[ ${1:-} == --speed ]]; then
  exec "$venv/bin/python" tests/python/speed.py
fi
if [[ -n $runtime ]]; then
  # the interpreter has no sanitizer, and leaks at its end
  libraries=$(for name in $runtime; do "${CC:-cc}" -print-file-name="lib$name.so"; done | xargs)
  export ASAN_OPTIONS=detect_leaks=0
  LD_PRELOAD=$libraries run_tests
  exit
fi

black --quiet --check --line-length 100 tools/python tests/python || {
  echo 'python: black --line-length 100 would change tools/python or tests/python' >&2
  exit 1
}
mypy --strict --python-executable "$venv/bin/python" --cache-dir build/python/mypy \
  tools/python/examples tests/python
(cd "$venv"/lib/python3*/site-packages && mypy --strict --cache-dir /dev/null -p weft)
run_tests
# the manual's other way, with a module from outside, which the build keeps until told otherwise
root=$PWD
(
  magnet=$root/tools/examples/module/magnet
  trap 'cd "$root" && cmake --preset "$preset" --log-level=NOTICE -DWEFT_EXTRA_MODULES= >/dev/null' EXIT
  cd tools/python
  WEFT_EXTRA_MODULES=$magnet install --no-build-isolation .
  "$venv/bin/python" "$magnet/test_magnet.py"
)
echo 'python: the wheel, pip install and a module from outside work, with the hashes of C'
