#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "mpi_bench.h"

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

bench_ping_pong bench_measure_ping_pong(void) {
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
