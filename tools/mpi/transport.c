/* Messages of a cluster over MPI: one tag of a private communicator. Sends are non-blocking, from a
 * pool of buffers, each reused when its request is complete. Receives take any message of a matched
 * probe. Persistent requests would save the probe but fix the sizes, which vary: a message holds
 * the patches that were ready. */
#include "transport.h"

#include <stdlib.h>
#include <string.h>

#include "weft/mpi.h"

enum { TAG = 1, MIN_BYTES = 4096 };

static _Noreturn void end_without_memory(MPI_Comm comm) {
  MPI_Abort(comm, 1);
  abort();
}

// The oldest buffer, if its message has left.
static mpi_send* find_free_send(mpi_transport* t) {
  if (t->send_count == 0) return NULL;
  mpi_send* oldest = &t->sends[t->next_send];
  int is_done = 1;
  if (oldest->request != MPI_REQUEST_NULL) {
    MPI_Test(&oldest->request, &is_done, MPI_STATUS_IGNORE);
  }
  if (is_done == 0) return NULL;
  t->next_send = (t->next_send + 1) % t->send_count;
  return oldest;
}

static mpi_send* add_send(mpi_transport* t) {
  mpi_send* sends = realloc(t->sends, (t->send_count + 1) * sizeof(*sends));
  if (sends == NULL) end_without_memory(t->comm);
  t->sends = sends;
  // before the oldest
  memmove(sends + t->next_send + 1, sends + t->next_send,
          (t->send_count - t->next_send) * sizeof(*sends));
  ++t->send_count;
  mpi_send* added = &sends[t->next_send];
  *added = (mpi_send){.request = MPI_REQUEST_NULL};
  t->next_send = (t->next_send + 1) % t->send_count;
  return added;
}

static void send_message(void* context, uint32_t to, const void* bytes, size_t size) {
  mpi_transport* t = context;
  mpi_send* sent = find_free_send(t);
  if (sent == NULL) sent = add_send(t);
  if (sent->capacity < size) {
    free(sent->bytes);
    sent->capacity = size < MIN_BYTES ? MIN_BYTES : size;
    sent->bytes = malloc(sent->capacity);
    if (sent->bytes == NULL) end_without_memory(t->comm);
  }
  memcpy(sent->bytes, bytes, size);
  MPI_Isend(sent->bytes, (int)size, MPI_BYTE, (int)to, TAG, t->comm, &sent->request);
}

static size_t receive_message(void* context, void* memory, uint32_t* from) {
  mpi_transport* t = context;
  int is_there = 0, size = 0;
  MPI_Message message;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, TAG, t->comm, &is_there, &message, &status);
  if (is_there == 0) return 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  MPI_Mrecv(memory, size, MPI_BYTE, &message, MPI_STATUS_IGNORE);
  *from = (uint32_t)status.MPI_SOURCE;
  return (size_t)size;
}

static void flush(void* context) {
  mpi_transport* t = context;
  for (size_t k = 0; k < t->send_count; ++k) {
    if (t->sends[k].request != MPI_REQUEST_NULL) MPI_Wait(&t->sends[k].request, MPI_STATUS_IGNORE);
  }
}

static weft_result fail(weft_error error, const char* field) {
  return (weft_result){.error = error, .field = field};
}

weft_result weft_mpi_create(MPI_Comm comm, weft_transport* transport) {
  int rank = 0, rank_count = 0;
  if (transport == NULL) return fail(WEFT_ERROR_NULL, "transport");
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &rank_count);
  if ((uint32_t)rank_count > WEFT_MAX_RANKS) return fail(WEFT_ERROR_TOO_MANY, "comm");
  mpi_transport* t = calloc(1, sizeof(*t));
  int good = t != NULL, all = 0;
  MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, comm);
  if (all == 0) {
    free(t);
    return fail(WEFT_ERROR_OUT_OF_MEMORY, "transport");
  }
  MPI_Comm_dup(comm, &t->comm);
  *transport = (weft_transport){.context = t,
                                .rank = (uint32_t)rank,
                                .rank_count = (uint32_t)rank_count,
                                .send = send_message,
                                .receive = receive_message,
                                .flush = flush};
  return fail(WEFT_OK, "");
}

void weft_mpi_destroy(weft_transport* transport) {
  if (transport == NULL || transport->context == NULL) return;
  mpi_transport* t = transport->context;
  flush(t);
  MPI_Comm_free(&t->comm);
  for (size_t k = 0; k < t->send_count; ++k) free(t->sends[k].bytes);
  free(t->sends);
  free(t);
  *transport = (weft_transport){0};
}
