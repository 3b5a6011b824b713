/* weft-bench-mpi: the network between two ranks, and steps of a cluster. Started by weft-bench
 * under mpirun. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "mpi_bench.h"

// ---- network ----

typedef struct bench_ping_pong {
  double latency_ns, overhead_ns, gap_ns, gb_per_s; /* LogGP: see docs/scaling.md */
} bench_ping_pong;

/* Times between ranks 0 and 1; others wait at the end. Each is the shortest of some batches, as
 * ranks may share cores with other processes.
 *
 *     small     half of a round trip of 8 bytes: latency + 2 x overhead
 *     overhead  of a call that sends 8 bytes
 *     gap       of messages of 8 bytes, many at once
 *     bytes     slope of half of a round trip from 64 KiB to 1 MiB */
enum { BATCHES = 20, ROUND_TRIPS = 50, WINDOW = 64, SMALL = 8, LARGE = 1 << 16, LARGEST = 1 << 20 };

static unsigned char sent[LARGEST], received[LARGEST];

static void send(int to, int bytes) {
  MPI_Send(sent, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive(int from, int bytes) {
  MPI_Recv(received, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static double half_round_trip_ns(int rank, int bytes) {
  double shortest = (double)INFINITY;
  for (int batch = 0; batch < BATCHES; ++batch) {
    const double start_ns = tool_clock_ns();
    for (int i = 0; i < ROUND_TRIPS; ++i) {
      if (rank == 0) send(1, bytes);
      receive(1 - rank, bytes);
      if (rank == 1) send(0, bytes);
    }
    shortest = fmin(shortest, (tool_clock_ns() - start_ns) / (2.0 * ROUND_TRIPS));
  }
  return shortest;
}

// Sends a window of small messages, and waits for an answer. Returns the time of a call.
static double send_window(double* gap_ns) {
  MPI_Request requests[WINDOW];
  const double start_ns = tool_clock_ns();
  for (int i = 0; i < WINDOW; ++i) {
    MPI_Isend(sent, SMALL, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &requests[i]);
  }
  const double called_ns = tool_clock_ns() - start_ns;
  MPI_Waitall(WINDOW, requests, MPI_STATUSES_IGNORE);
  receive(1, SMALL);
  *gap_ns = (tool_clock_ns() - start_ns) / WINDOW;
  return called_ns / WINDOW;
}

static void measure_windows(int rank, bench_ping_pong* result) {
  for (int batch = 0; batch < BATCHES; ++batch) {
    if (rank == 0) {
      double gap_ns;
      result->overhead_ns = fmin(result->overhead_ns, send_window(&gap_ns));
      result->gap_ns = fmin(result->gap_ns, gap_ns);
    } else {
      for (int i = 0; i < WINDOW; ++i) receive(0, SMALL);
      send(0, SMALL);
    }
  }
}

/* Collective; needs two ranks. The result is rank 0's. */
static bench_ping_pong measure_ping_pong(void) {
  bench_ping_pong result = {.overhead_ns = (double)INFINITY, .gap_ns = (double)INFINITY};
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank < 2) {
    const double small_ns = half_round_trip_ns(rank, SMALL);
    measure_windows(rank, &result);
    const double large_ns = half_round_trip_ns(rank, LARGE);
    const double largest_ns = half_round_trip_ns(rank, LARGEST);
    result.gb_per_s = (LARGEST - LARGE) / fmax(1.0, largest_ns - large_ns);
    result.latency_ns = fmax(0.0, small_ns - 2.0 * result.overhead_ns);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  return result;
}

// ---- the program ----

static int fail(int rank, const char* reason) {
  if (rank == 0) fprintf(stderr, "weft-bench-mpi: %s\n", reason);
  return 2;
}

static int run_network(int rank, int rank_count) {
  if (rank_count < 2) return fail(rank, "network: needs two ranks: mpirun -n 2");
  const bench_ping_pong result = measure_ping_pong();
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
