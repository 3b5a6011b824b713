/* weft-bench-mpi: what weft-bench starts under mpirun, for it alone links no MPI. Rank 0 prints one
 * line of JSON. */
#ifndef BENCH_MPI_BENCH_H
#define BENCH_MPI_BENCH_H

#include <mpi.h>

typedef struct bench_ping_pong {
  double latency_ns, overhead_ns, gap_ns, gb_per_s; /* LogGP: see docs/scaling.md */
} bench_ping_pong;

/* Collective; needs two ranks. The result is that of rank 0. */
bench_ping_pong bench_measure_ping_pong(void);

/* Command `steps`, argv[0] being its name: steps a scene on all ranks. Returns the exit status. */
int bench_mpi_steps(int argc, char** argv, int rank);

#endif
