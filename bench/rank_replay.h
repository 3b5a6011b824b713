/* Replay of one step on ranks that exchange messages: a discrete-event simulation of all patches of
 * all ranks, without their particles.
 *
 *     phases       as in engine/parallel/wavefront.h: a patch needs its neighbours, of which those
 *                  of other ranks have the phases that have arrived
 *     workers      take ready patches, always, by the order below; of each patch one phase at a
 *                  time
 *     messages     a border patch sends the particles that it shares after each phase; the first
 *                  worker of a rank alone sends and receives, between two phases of its own, and
 *                  sends those to one neighbour that are ready by then as one
 *     network      LogGP: see networks.h
 *     step         ends when all ranks are done; then the rest of a step, shared by the workers of
 *                  a rank, serial parts, and one reduction over all ranks
 *
 * All work takes as long on one rank as on another. Not modelled: links of the network that several
 * ranks share, noise of the operating system, searching for patches. */
#ifndef BENCH_RANK_REPLAY_H
#define BENCH_RANK_REPLAY_H

#include "networks.h"
#include "rank_graph.h"

/* Order in which ready patches are taken. */
typedef enum bench_rank_order {
  BENCH_ORDER_SHARES,  /* the engine's: each worker has a share, upwards and downwards by turns */
  BENCH_ORDER_BORDERS, /* those nearest to a border of the rank first */
  BENCH_ORDERS,
} bench_rank_order;

/* "shares", "borders" */
extern const char* const bench_rank_order_names[BENCH_ORDERS];

/* Times in nanoseconds. */
typedef struct bench_rank_costs {
  double integration;     /* a particle, phase 0 */
  double sweep;           /* a particle, each other phase */
  double rest;            /* a particle, loops outside the phases */
  double serial;          /* a step, the calling thread alone */
  double memory_gb_per_s; /* of a rank; bounds integration, which reads and writes all particles */
} bench_rank_costs;

typedef struct bench_rank_request {
  const bench_rank_graph* graph;
  uint32_t phase_count; /* sweeps + 1 */
  uint32_t workers;     /* of each rank */
  bench_rank_order order;
  bool is_coarse; /* sweeps of a coarse level: without the rest of a step */
  bench_rank_costs costs;
  bench_network network;
} bench_rank_request;

typedef struct bench_rank_replay {
  double ns;                /* of the step */
  double work_ns;           /* of one worker */
  uint64_t messages, bytes; /* of a step, all ranks; aggregated messages are one */
  uint64_t patch_messages;  /* before they are aggregated */
  double message_ns;        /* CPU time of messages, all ranks */
} bench_rank_replay;

/* Bytes in front of a message, and in front of the particles of each patch in it; bytes of a
 * particle; the largest message: see engine/cluster/ghosts.c. */
#define BENCH_MESSAGE_HEADER 8u
#define BENCH_PATCH_HEADER 16u
#define BENCH_PARTICLE_BYTES 12u
#define BENCH_LARGEST_MESSAGE (1u << 20)

/* False if memory cannot be had. */
bool bench_rank_replay_run(const bench_rank_request* request, bench_rank_replay* replay);

#endif
