/* Ranks of MPI. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/ranks/ranks.h"
#include "weft/mpi.h"

static weft_transport transport;
static int rank, rank_count = 1;
static int spoken = -1; /* standard error of a rank that is silent */

/* Sends a stream to nowhere; returns a copy of it. */
static int silence(int stream) {
  const int copy = dup(stream), nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, stream);
    close(nowhere);
  }
  return copy;
}

void sim_ranks_join(int* argc, char*** argv) {
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &rank_count);
  if (rank_count > 1 && weft_mpi_create(MPI_COMM_WORLD, &transport).error != WEFT_OK) {
    fputs("weft-sim: no memory for ranks\n", stderr);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  if (rank == 0) return;
  close(silence(STDOUT_FILENO));
  spoken = silence(STDERR_FILENO);
}

void sim_ranks_hear(void) {
  if (spoken < 0) return;
  dup2(spoken, STDERR_FILENO);
  close(spoken);
  spoken = -1;
}

void sim_ranks_leave(void) {
  if (rank_count > 1) weft_mpi_destroy(&transport);
  MPI_Finalize();
}

const weft_transport* sim_ranks_transport(void) {
  return rank_count > 1 ? &transport : NULL;
}

bool sim_ranks_is_first(void) {
  return rank == 0;
}

bool sim_ranks_agree(bool ok, tool_message* why) {
  int own = ok ? rank_count : rank, first = own;
  if (rank_count == 1) return ok;
  MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == rank_count || !why) return first == rank_count;
  tool_message said = *why;
  MPI_Bcast(said.text, sizeof said.text, MPI_CHAR, first, MPI_COMM_WORLD);
  if (first == 0) {
    *why = said;
  } else {
    tool_because(why, "rank %d: %.1000s", first, said.text);
  }
  return false;
}
