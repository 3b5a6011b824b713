#ifndef WEFT_MPI_TRANSPORT_H
#define WEFT_MPI_TRANSPORT_H

#include <mpi.h>
#include <stddef.h>

typedef struct mpi_send {
  MPI_Request request; /* MPI_REQUEST_NULL = free */
  unsigned char* bytes;
  size_t capacity;
} mpi_send;

typedef struct mpi_transport {
  MPI_Comm comm;
  mpi_send* sends;  /* a ring [send_count] */
  size_t next_send; /* the oldest */
  size_t send_count;
} mpi_transport;

#endif
