/* Ranks of MPI. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sim/ranks/ranks.h"
#include "weft/mpi.h"

static weft_transport transport;
static int rank, rank_count = 1;
static int spoken = -1; /* standard error of a silent rank */

/* Redirects a stream to /dev/null; returns a copy of it. */
static int silence(int stream) {
  const int copy = dup(stream), nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, stream);
    close(nowhere);
  }
  return copy;
}

/* Variables of the launchers: OpenMPI, PMI (MPICH, Intel, Cray), PMIx, Slurm. */
static bool has_launcher(void) {
  return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK") ||
         getenv("SLURM_PROCID");
}

void sim_ranks_join(int* argc, char*** argv) {
  int provided = 0;
  /* starting MPI takes half a second */
  if (!has_launcher()) return;
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
  int initialized = 0;
  MPI_Initialized(&initialized);
  if (initialized) MPI_Finalize();
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

enum { TRIPLE = 3 * sizeof(float) };

struct sim_ranks_file {
  MPI_File file;
  MPI_Datatype places; /* own triples, counted from the first of all */
  int count;
};

/* Runs of consecutive numbers, in bytes, in place of the ones before. */
static bool make_places(sim_ranks_file* file, const uint32_t* numbers, uint32_t count) {
  int* lengths = malloc(((size_t)count + 1) * sizeof *lengths);
  MPI_Aint* begins = malloc(((size_t)count + 1) * sizeof *begins);
  int runs = 0;
  bool ok = lengths && begins;
  for (uint32_t i = 0; ok && i < count; ++i) {
    const bool goes_on = i > 0 && numbers[i] == numbers[i - 1] + 1 && lengths[runs - 1] < INT_MAX;
    if (!goes_on) {
      begins[runs] = (MPI_Aint)numbers[i] * TRIPLE;
      lengths[runs++] = 0;
    }
    lengths[runs - 1] += 1;
  }
  MPI_Datatype triple = MPI_DATATYPE_NULL;
  if (file->places != MPI_DATATYPE_NULL) MPI_Type_free(&file->places);
  file->count = (int)count;
  ok = ok && count <= INT_MAX / 3 && MPI_Type_contiguous(3, MPI_FLOAT, &triple) == MPI_SUCCESS &&
       MPI_Type_create_hindexed(runs, lengths, begins, triple, &file->places) == MPI_SUCCESS &&
       MPI_Type_commit(&file->places) == MPI_SUCCESS;
  if (triple != MPI_DATATYPE_NULL) MPI_Type_free(&triple);
  free(lengths);
  free(begins);
  return ok;
}

bool sim_ranks_open_file(const char* path, const uint32_t* numbers, uint32_t count,
                         sim_ranks_file** file, tool_message* why) {
  char shared[4096];
  sim_ranks_file* made = calloc(1, sizeof *made);
  *file = NULL;
  if (rank == 0) snprintf(shared, sizeof shared, "%s", path);
  MPI_Bcast(shared, sizeof shared, MPI_CHAR, 0, MPI_COMM_WORLD);
  if (made) *made = (sim_ranks_file){MPI_FILE_NULL, MPI_DATATYPE_NULL, 0};
  const bool ready = made && make_places(made, numbers, count);
  if (!sim_ranks_agree(ready || tool_because(why, "no memory for '%s'", shared), why)) {
    sim_ranks_close_file(&made);
    return false;
  }
  const bool ok = MPI_File_open(MPI_COMM_WORLD, shared, MPI_MODE_WRONLY, MPI_INFO_NULL,
                                &made->file) == MPI_SUCCESS;
  if (!sim_ranks_agree(ok || tool_because(why, "cannot open '%s' on all ranks", shared), why)) {
    sim_ranks_close_file(&made);
    return false;
  }
  *file = made;
  return true;
}

bool sim_ranks_share_file(sim_ranks_file* file, const uint32_t* numbers, uint32_t count,
                          tool_message* why) {
  const bool ok = make_places(file, numbers, count);
  return sim_ranks_agree(ok || tool_because(why, "no memory for a file of all ranks"), why);
}

bool sim_ranks_write(sim_ranks_file* file, uint64_t offset, const float* triples,
                     tool_message* why) {
  MPI_Bcast(&offset, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  MPI_Status status;
  int written = 0;
  const bool ok = MPI_File_set_view(file->file, (MPI_Offset)offset, MPI_FLOAT, file->places,
                                    "native", MPI_INFO_NULL) == MPI_SUCCESS &&
                  MPI_File_write_at_all(file->file, 0, triples, 3 * file->count, MPI_FLOAT,
                                        &status) == MPI_SUCCESS &&
                  MPI_Get_count(&status, MPI_FLOAT, &written) == MPI_SUCCESS &&
                  written == 3 * file->count;
  return sim_ranks_agree(
      ok || tool_because(why, "cannot write positions of %d particles", file->count), why);
}

void sim_ranks_close_file(sim_ranks_file** file) {
  if (!*file) return;
  if ((*file)->places != MPI_DATATYPE_NULL) MPI_Type_free(&(*file)->places);
  if ((*file)->file != MPI_FILE_NULL) MPI_File_close(&(*file)->file);
  free(*file);
  *file = NULL;
}
