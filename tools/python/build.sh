#!/usr/bin/env bash
# Builds the wheel of the Python package.
set -euo pipefail
cd "$(dirname "$0")/../.."

usage() {
  cat <<'END'
usage: tools/python/build.sh

Builds the engine and the Python package weft with the system's packages, without network, and
leaves build/python/dist/weft-VERSION-cp311-abi3-PLATFORM.whl: for Python 3.11 and newer. PYTHON
names another interpreter than /usr/bin/python3; it needs pip, setuptools, wheel and cffi.
END
}

case ${1:-} in
  '') ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

./tools/setup.sh python
# pyenv and the like put another python3 in front, without the packages
python=${PYTHON:-/usr/bin/python3}
mkdir -p build/python/dist
rm -f build/python/dist/*.whl
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$python" -m pip wheel --quiet --no-build-isolation --no-index --no-deps \
  --wheel-dir build/python/dist ./tools/python >"$log" 2>&1; then
  cat "$log" >&2
  echo 'python: building the wheel failed' >&2
  exit 1
fi
ls build/python/dist/*.whl
