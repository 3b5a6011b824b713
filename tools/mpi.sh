#!/usr/bin/env bash
# Builds the library of many ranks and runs its tests, some of them under mpirun.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/mpi.sh

Builds what needs MPI and METIS, in build/release, and runs its tests, most of
them under mpirun, with more ranks than cores. Tests are stopped after ten
minutes. Ranks in one process need no MPI: tools/test.sh runs them.
END
}

case ${1:-} in
  '') ;;
  -h | --help) usage && exit ;;
  *) echo "mpi.sh: unknown argument '$1'" >&2 && usage >&2 && exit 2 ;;
esac

./tools/setup.sh mpi
cmake --preset release --log-level=NOTICE -DWEFT_BUILD_TESTS=ON -DWEFT_BUILD_BENCH=ON \
  -DWEFT_BUILD_TOOLS=ON -DWEFT_BUILD_MPI=ON >/dev/null
cmake --build --preset release --target weft_mpi_tests -- --quiet
ctest --preset release --timeout 600 -L mpi
