/* libweft_mpi: weft clusters over MPI. The rank's part of a cluster (weft/cluster.h), with the
 * messages of a communicator.
 *
 *   MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
 *   weft_transport transport;
 *   check(weft_mpi_create(MPI_COMM_WORLD, &transport));
 *   check(weft_cluster_create(&transport, &def, scene, &cluster));
 *   ...
 *   weft_cluster_destroy(&cluster);
 *   weft_mpi_destroy(&transport);
 *   MPI_Finalize();
 *
 * Calls are collective over the communicator, by the thread that initialised MPI. */
#ifndef WEFT_MPI_H
#define WEFT_MPI_H

#include <mpi.h>

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Creates a transport over a duplicate of the communicator. MPI's errors end the process, as usual.
 * Fails with WEFT_ERROR_OUT_OF_MEMORY, and with WEFT_ERROR_TOO_MANY beyond WEFT_MAX_RANKS. */
WEFT_RESULT weft_mpi_create(MPI_Comm comm, weft_transport* transport);

/* Waits for the last messages, frees the duplicate and zeroes the transport. */
WEFT_API void weft_mpi_destroy(weft_transport* transport);

/* Synchronizes the cluster and saves its world to a file like weft_world_save()'s, each rank its
 * part. Fails on all ranks with WEFT_ERROR_STOPPED at "path" if it cannot be written, and with
 * WEFT_ERROR_FOREIGN at "weft_cluster_world" if ranks have made different calls on their worlds;
 * there is no file then. */
WEFT_RESULT weft_mpi_save(const weft_transport* transport, weft_cluster* cluster, const char* path);

/* Restores the world of every rank from a file, of a cluster of any number of ranks or of a single
 * world. Fails with WEFT_ERROR_STOPPED at "path" if it cannot be read, and as
 * weft_world_restore(). */
WEFT_RESULT weft_mpi_restore(const weft_transport* transport, weft_cluster* cluster,
                             const char* path);

#ifdef __cplusplus
}
#endif

#endif
