/* weft-bench-mpi: weft-bench, which links no MPI itself, starts it under mpirun. Rank 0 prints one
 * line of JSON. */
#ifndef BENCH_MPI_BENCH_H
#define BENCH_MPI_BENCH_H

#include <mpi.h>

/* Command `steps`, argv[0] being its name: steps a scene on all ranks. Returns the exit status. */
int bench_mpi_steps(int argc, char** argv, int rank);

#endif
