#!/usr/bin/env bash
# Builds weft-bench-bullet and runs it: the same cloth in weft and in Bullet.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/bullet.sh [OPTION...]

Builds what compares weft with the soft bodies of Bullet, as Debian packages it,
in build/release, and runs it with these options: tools/bullet.sh -- --help
lists them.
END
}

case ${1:-} in
  -h | --help) usage && exit ;;
  --) shift ;;
esac

./tools/setup.sh bench
./tools/setup.sh bullet
cmake --preset release --log-level=NOTICE -DWEFT_BUILD_BENCH=ON -DWEFT_BUILD_TOOLS=ON -DWEFT_BUILD_BULLET=ON >/dev/null
cmake --build --preset release --target weft-bench-bullet -- --quiet
exec ./build/release/bench/bullet/weft-bench-bullet "$@"
