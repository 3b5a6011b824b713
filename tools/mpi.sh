#!/usr/bin/env bash
# Builds the library of many ranks and runs its tests, some of them under mpirun.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: tools/mpi.sh

Builds what needs MPI and METIS, in build/mpi, and runs the tests of many ranks: those in one process, and
those under mpirun, with more ranks than cores. Tests are stopped after ten minutes.
END
}

case ${1:-} in
  '') ;;
  -h | --help) usage && exit ;;
  *) usage >&2 && exit 2 ;;
esac

./tools/setup.sh mpi
cmake --log-level=NOTICE -S . -B build/mpi -G Ninja -DCMAKE_BUILD_TYPE=Release -DWEFT_WERROR=ON \
  -DWEFT_BUILD_MPI=ON
cmake --build build/mpi --target weft_mpi_tests -- --quiet
ctest --test-dir build/mpi --output-on-failure --timeout 600 -L mpi
