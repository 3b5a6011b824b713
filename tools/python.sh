#!/usr/bin/env bash
# Builds the Python package, installs it into an environment of its own, and tests it.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/python.sh [--speed | --build]

Builds the wheel (tools/python/build.sh), installs it into build/python/venv, checks its types with
mypy, and runs tests/python, which compares state hashes with those of a C program.

  --build   leaves out the checks
  --speed   compares times with those of a C program instead: for a quiet machine
END
}

case ${1:-} in
  '' | --build | --speed) ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

export PYTHONDONTWRITEBYTECODE=1
./tools/python/build.sh
python=${PYTHON:-/usr/bin/python3}
venv=$PWD/build/python/venv
[[ -x $venv/bin/python ]] || "$python" -m venv --system-site-packages "$venv"
install() { "$venv/bin/python" -m pip install --quiet --no-index --no-deps --force-reinstall "$@"; }
install build/python/dist/*.whl
[[ ${1:-} != --build ]] || exit 0

export WEFT_PYTHON_REFERENCE=$PWD/build/python/reference
"${CC:-cc}" -std=c17 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -Iengine/include \
  tests/python/reference.c build/release/engine/libweft.a -lm -pthread -o "$WEFT_PYTHON_REFERENCE"
if [[ ${1:-} == --speed ]]; then
  exec "$venv/bin/python" tests/python/speed.py
fi

black --quiet --check --line-length 100 tools/python tests/python ||
  { echo 'python: black --line-length 100 would change tools/python or tests/python' >&2 && exit 1; }
mypy --strict --python-executable "$venv/bin/python" --cache-dir build/python/mypy \
  tests/python
(cd "$venv"/lib/python3*/site-packages && mypy --strict --cache-dir /dev/null -p weft)
"$venv/bin/python" -m pytest -q -p no:cacheprovider tests/python
# the other way of the manual
(cd tools/python && install --no-build-isolation .)
"$venv/bin/python" -c 'import weft; weft.Scene()'
echo 'python: the wheel and pip install work, with the hashes of C'
