/* weft-bench-mpi: the network between two ranks, and steps of a cluster. Started by weft-bench
 * under mpirun. */
#include <stdio.h>
#include <string.h>

#include "mpi_bench.h"

static int fail(int rank, const char* reason) {
  if (rank == 0) fprintf(stderr, "weft-bench-mpi: %s\n", reason);
  return 2;
}

static int run_network(int rank, int rank_count) {
  if (rank_count < 2) return fail(rank, "network: needs two ranks: mpirun -n 2");
  const bench_ping_pong result = bench_measure_ping_pong();
  if (rank == 0) {
    printf("{\"latency_ns\": %.1f, \"overhead_ns\": %.1f, \"gap_ns\": %.1f, \"gb_per_s\": %.4f}\n",
           result.latency_ns, result.overhead_ns, result.gap_ns, result.gb_per_s);
  }
  return 0;
}

static int run(int argc, char** argv, int rank, int rank_count) {
  if (argc == 2 && strcmp(argv[1], "network") == 0) return run_network(rank, rank_count);
  if (argc >= 2 && strcmp(argv[1], "steps") == 0) return bench_mpi_steps(argc - 1, argv + 1, rank);
  return fail(rank, "usage: mpirun -n N weft-bench-mpi network | steps [OPTION...]");
}

int main(int argc, char** argv) {
  int provided, rank, rank_count;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  const int status = run(argc, argv, rank, rank_count);
  MPI_Finalize();
  return status;
}
