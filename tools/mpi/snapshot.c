/* Snapshots of clusters as files, by MPI-IO. */
#include <stdlib.h>
#include <string.h>

#include "transport.h"
#include "weft/mpi.h"

enum { PIECE = 1 << 28 }; /* bytes of a call: MPI's counts are ints */

static weft_result fail(weft_error error, const char* field) {
  return (weft_result){.error = error, .field = field};
}

static bool agree(const mpi_transport* t, bool good) {
  int own = good ? 1 : 0, all = 0;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, t->comm);
  return all != 0;
}

static weft_result check(const weft_transport* transport, const weft_cluster* cluster,
                         const char* path) {
  if (transport == NULL || transport->context == NULL) return fail(WEFT_ERROR_NULL, "transport");
  if (cluster == NULL) return fail(WEFT_ERROR_NULL, "cluster");
  if (path == NULL) return fail(WEFT_ERROR_NULL, "path");
  return fail(WEFT_OK, "");
}

// A rank's part of a snapshot, as it passes by.
typedef struct part_writer {
  MPI_File file;
  size_t begin, end; /* own bytes */
  size_t at;
  unsigned char last[sizeof(uint64_t)]; /* end of all bytes: their checksum */
  bool is_good;
} part_writer;

static void keep_last(part_writer* w, const unsigned char* bytes, size_t size) {
  const size_t room = sizeof(w->last);
  const size_t fresh = size < room ? size : room;
  memmove(w->last, w->last + fresh, room - fresh);
  memcpy(w->last + room - fresh, bytes + size - fresh, fresh);
}

static void write_range(part_writer* w, const unsigned char* bytes, size_t at, size_t size) {
  for (size_t done = 0; done < size && w->is_good;) {
    const size_t piece = size - done < PIECE ? size - done : PIECE;
    w->is_good = MPI_File_write_at(w->file, (MPI_Offset)(at + done), bytes + done, (int)piece,
                                   MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
    done += piece;
  }
}

static bool write_part(void* context, const void* bytes, size_t size) {
  part_writer* w = context;
  const size_t begin = w->at > w->begin ? w->at : w->begin;
  const size_t end = w->at + size < w->end ? w->at + size : w->end;
  if (begin < end)
    write_range(w, (const unsigned char*)bytes + (begin - w->at), begin, end - begin);
  if (size > 0) keep_last(w, bytes, size);
  w->at += size;
  return true;
}

// True if all ranks have written parts of the same bytes.
static bool is_same(const mpi_transport* t, const part_writer* w) {
  uint64_t sum = 0, lower = 0, upper = 0;
  memcpy(&sum, w->last, sizeof(sum));
  MPI_Allreduce(&sum, &lower, 1, MPI_UINT64_T, MPI_MIN, t->comm);
  MPI_Allreduce(&sum, &upper, 1, MPI_UINT64_T, MPI_MAX, t->comm);
  return lower == upper;
}

weft_result weft_mpi_save(const weft_transport* transport, weft_cluster* cluster,
                          const char* path) {
  weft_result result = check(transport, cluster, path);
  if (result.error == WEFT_OK) result = weft_cluster_synchronize(cluster);
  if (result.error != WEFT_OK) return result;
  const mpi_transport* t = transport->context;
  const weft_world* world = weft_cluster_world(cluster);
  size_t size = 0;
  part_writer w = {.is_good = weft_world_get_snapshot_size(world, &size).error == WEFT_OK};
  w.begin = size / transport->rank_count * transport->rank;
  w.end = transport->rank + 1 == transport->rank_count
              ? size
              : size / transport->rank_count * (transport->rank + 1);
  if (MPI_File_open(t->comm, path, MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &w.file) !=
      MPI_SUCCESS) {
    return fail(WEFT_ERROR_STOPPED, "path");
  }
  // truncates a longer file of an earlier save
  w.is_good = MPI_File_set_size(w.file, (MPI_Offset)size) == MPI_SUCCESS && w.is_good;
  w.is_good = weft_world_save_to(world, write_part, &w).error == WEFT_OK && w.is_good;
  w.is_good = MPI_File_close(&w.file) == MPI_SUCCESS && w.is_good;
  const bool good = agree(t, w.is_good);
  const bool same = is_same(t, &w);
  if (good && same) return fail(WEFT_OK, "");
  if (transport->rank == 0) MPI_File_delete(path, MPI_INFO_NULL);
  return good ? fail(WEFT_ERROR_FOREIGN, "weft_cluster_world") : fail(WEFT_ERROR_STOPPED, "path");
}

// Reads a whole file; NULL on failure.
static unsigned char* read_file(const mpi_transport* t, const char* path, size_t* size) {
  MPI_File file;
  MPI_Offset bytes = 0;
  if (MPI_File_open(t->comm, path, MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) {
    return NULL;
  }
  bool is_good = MPI_File_get_size(file, &bytes) == MPI_SUCCESS && bytes > 0;
  unsigned char* memory = is_good ? malloc((size_t)bytes) : NULL;
  for (MPI_Offset at = 0; at < bytes && memory != NULL && is_good; at += PIECE) {
    const int piece = bytes - at < PIECE ? (int)(bytes - at) : PIECE;
    is_good =
        MPI_File_read_at(file, at, memory + at, piece, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  }
  MPI_File_close(&file);
  *size = (size_t)bytes;
  if (is_good) return memory;
  free(memory);
  return NULL;
}

weft_result weft_mpi_restore(const weft_transport* transport, weft_cluster* cluster,
                             const char* path) {
  weft_result result = check(transport, cluster, path);
  if (result.error != WEFT_OK) return result;
  size_t size = 0;
  unsigned char* memory = read_file(transport->context, path, &size);
  if (agree(transport->context, memory != NULL)) {
    result = weft_world_restore(weft_cluster_world(cluster), memory, size);
  } else {
    result = fail(WEFT_ERROR_STOPPED, "path");
  }
  free(memory);
  return result;
}
