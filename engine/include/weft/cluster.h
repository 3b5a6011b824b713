/* weft, chapter 18: clusters, one world computed by several processes. Include <weft/weft.h>, which
 * includes this.
 *
 * Every process, a rank, creates the same cluster from the same def and scene. Each rank computes
 * its own patches of the cloth, and exchanges the particles at the borders with its neighbours.
 * Bits do not depend on the number of ranks, workers and instruction sets: they are those that one
 * process has.
 *
 *   weft_transport transport;                    // weft_mpi_create() of weft/mpi.h, or the host's
 *   weft_cluster_create(&transport, &def, scene, &cluster);
 *   weft_world_set_wind(weft_cluster_world(cluster), &wind);  // the same calls on all ranks
 *   weft_cluster_step(cluster, 60);
 *   weft_cluster_synchronize(cluster);           // all ranks have the state of all particles
 *   weft_world_hash(weft_cluster_world(cluster));
 *
 * Calls are collective unless they say otherwise: all ranks make them in the same order, from one
 * thread each. Settings, colliders and bounds are set on the rank's world by the same calls on all
 * ranks. After a step a world has the state of only its own particles: reading positions,
 * velocities, measures, events and the hash, saving, and changing the state of particles need
 * weft_cluster_synchronize() first. Its snapshot then restores in any world, and in a cluster of
 * any number of ranks, which all restore it.
 *
 * With a scene every rank has all tables: the work is divided, not the memory. With
 * weft_cluster_create_sheet() each rank has only its rows, with weft_cluster_create_bodies() only
 * its bodies.
 *
 * Supported are links, trees of the direct solver, bend and membrane elements, joints, substeps,
 * levels, tolerances, attachments, gravity, wind, pressure, bounds, contacts of all kinds with
 * their events, tearing, moved pins and paused environments. A joint with a closing time needs
 * weft_cluster_synchronize() first. A step with anything else fails with WEFT_ERROR_UNSUPPORTED and
 * names it: weft_cluster_step(). */
#ifndef WEFT_CLUSTER_H
#define WEFT_CLUSTER_H

#include "weft/weft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 18 Clusters ----------------------------------------------------------------------------- */

#define WEFT_MAX_RANKS 65536u

/* Largest message of a transport, in bytes. */
#define WEFT_MAX_MESSAGE (1u << 20)

/* Messages between ranks, by the host, in the thread that calls the cluster. Callbacks do not fail:
 * a transport that has lost a rank ends the process, as MPI does. */
typedef struct weft_transport {
  void* context;
  uint32_t rank;       /* own rank, below rank_count */
  uint32_t rank_count; /* 1 to WEFT_MAX_RANKS */
  /* Sends `size` bytes, 1 to WEFT_MAX_MESSAGE, to another rank, without waiting for it: the bytes
   * are copied, or gone. Messages arrive once, complete, in any order */
  void (*send)(void* context, uint32_t to, const void* bytes, size_t size);
  /* Takes a message that has arrived into memory for WEFT_MAX_MESSAGE bytes. Returns its size, 0
   * if there is none */
  size_t (*receive)(void* context, void* memory, uint32_t* from);
  /* Waits until all messages sent have left, at the end of a call of the cluster. May be NULL */
  void (*flush)(void* context);
} weft_transport;

typedef struct weft_cluster weft_cluster;

/* Creates this rank's part. Fails on all ranks if it fails on one; with WEFT_ERROR_FOREIGN where
 * ranks differ in "weft_version", a field of weft_world_def or "scene", with WEFT_ERROR_UNSUPPORTED
 * at parts of def or scene that clusters lack. Workers, their CPUs and the instruction set may
 * differ. The transport's context must outlive the cluster. */
WEFT_RESULT weft_cluster_create(const weft_transport* transport, const weft_world_def* def,
                                const weft_scene* scene, weft_cluster** cluster);

/* Particles [first, first + count) of a sheet, row by row. */
typedef struct weft_cluster_range {
  uint64_t first, count;
} weft_cluster_range;

/* Creates this rank's part of a sheet, of which no rank has all: each builds the rows of its own
 * patches and some beside them, the world of weft_cluster_world(). Its particle i is particle
 * weft_cluster_stats.world_first + i of the sheet, row by row. Calls with particles are made by the
 * ranks that have them, with the same values.
 *
 * `pins`: pinned particles [pin_count], as by weft_scene_pin(); NULL without any.
 *
 * Supported are gravity, damping, substeps, wind, bounds, colliders, materials, tear ratios,
 * attachments, moved pins, and inverse masses. Else fails with WEFT_ERROR_UNSUPPORTED at its name,
 * here or before a step, on all ranks: at sheets with more rows than columns or no structural
 * links, levels, WEFT_AUTO, self-collision, joints, links that the host tears where there are
 * attachments or a bend stiffness, and pins that leave particles without a cycle of links.
 * weft_cluster_synchronize() is refused, too: read the rows of each rank, or weft_cluster_gather(),
 * and hash with weft_cluster_hash(). Other errors are as of weft_cluster_create() and
 * weft_scene_add_sheet(). */
WEFT_RESULT weft_cluster_create_sheet(const weft_transport* transport, const weft_world_def* def,
                                      const weft_sheet_def* sheet, const weft_cluster_range* pins,
                                      uint32_t pin_count, weft_cluster** cluster);

/* Adds body `body` to a scene that has other bodies, with its pins and masses. Called more than
 * once for a body, with the same result each time. An error ends the creation. */
typedef weft_result weft_body_builder(weft_scene* scene, uint32_t body, void* context);

/* Creates this rank's part of a scene of bodies that no links join, in the order of their numbers
 * from 0 to body_count - 1. Each rank has consecutive bodies, of about equal cost, and builds each
 * twice. Its world has bodies [first_body, first_body + body_count) of weft_cluster_stats, and its
 * particle i is particle world_first + i of all. Steps need no messages but one that tells errors.
 *
 * Fails with WEFT_ERROR_UNSUPPORTED, here or before a step, at levels, tolerances, WEFT_AUTO,
 * environments, joints, contacts other than with bounds and colliders, spheres, capsules and boxes
 * with shapes of particles that are thin or move, and at "build" where sheets and other bodies are
 * mixed; with WEFT_ERROR_EMPTY at "build" for a body without particles, and for a rank without
 * bodies. weft_cluster_synchronize() is refused. */
WEFT_RESULT weft_cluster_create_bodies(const weft_transport* transport, const weft_world_def* def,
                                       uint32_t body_count, weft_body_builder* build, void* context,
                                       weft_cluster** cluster);

/* Destroys this rank's part, and its world; not collective. Sets the pointer to NULL. */
WEFT_API void weft_cluster_destroy(weft_cluster** cluster);

/* World of this rank: the cluster's, which steps it. Not collective. NULL for NULL. */
WEFT_API weft_world* weft_cluster_world(weft_cluster* cluster);

/* Takes `count` steps of weft_world_def.step_ns. Fails before the first with WEFT_ERROR_UNSUPPORTED
 * at features that clusters lack, with WEFT_ERROR_STALE if the first shapes of particles were set
 * after steps without weft_cluster_synchronize(), and with WEFT_ERROR_OUT_OF_MEMORY, on all ranks,
 * after a change of joints. */
WEFT_RESULT weft_cluster_step(weft_cluster* cluster, uint32_t count);

/* Completes the state of the world on every rank. */
WEFT_RESULT weft_cluster_synchronize(weft_cluster* cluster);

/* Moves patches between ranks, as the costs of their sweeps, trees and contacts of cloth have
 * shifted: each rank gets consecutive ones, such that the largest cost of a rank, by its share, is
 * least. `share`: > 0, relative to the other ranks' shares. Costs are counted, not measured.
 * Nothing moves for less than 2 %. Bits do not depend on it. Fails on all ranks if on one: with
 * WEFT_ERROR_RANGE at "share", or WEFT_ERROR_OUT_OF_MEMORY, and nothing has changed. Refused with
 * WEFT_ERROR_UNSUPPORTED for sheets by their rows. */
WEFT_RESULT weft_cluster_redistribute(weft_cluster* cluster, float share);

/* State hash of the world of all ranks, equal to one process's weft_world_hash(), on every rank.
 * Synchronizes a cluster of a scene. */
WEFT_RESULT weft_cluster_hash(weft_cluster* cluster, uint64_t* hash);

/* Gives rank 0 the positions of particles [first, first + count), in the caller's order of all
 * ranks, after the last step: three floats each, in metres. `positions` may be NULL on other ranks.
 * Fails with WEFT_ERROR_INDEX at "range" beyond the last particle. */
WEFT_RESULT weft_cluster_gather(weft_cluster* cluster, weft_cluster_range range, float* positions);

/* Part of a rank, and its messages since the cluster was created, without those for creation,
 * redistribution and weft_cluster_synchronize(). */
typedef struct weft_cluster_stats {
  uint32_t rank, rank_count;
  uint32_t first_patch, patch_count;       /* own patches */
  uint32_t first_particle, particle_count; /* own particles, in the order of weft_view */
  uint64_t world_first; /* first particle of the rank's world in the caller's order of all ranks */
  uint32_t first_body, body_count; /* own bodies, of weft_cluster_create_bodies() */
  uint32_t ghost_patch_count;      /* patches of other ranks that share particles with own ones */
  uint32_t neighbor_count;         /* ranks that have them */
  uint64_t steps;
  uint64_t messages_sent, bytes_sent;
  double waited; /* seconds that the calling thread had nothing to do but wait for messages */
  uint32_t redistributions; /* that have moved patches */
  /* largest cost of a rank by its share over the mean, >= 1, at the last redistribution: before and
   * after; 0 = none yet */
  double imbalance_before, imbalance_after;
} weft_cluster_stats;

/* Reads the statistics of this rank; not collective. */
WEFT_RESULT weft_cluster_get_stats(const weft_cluster* cluster, weft_cluster_stats* stats);

#ifdef __cplusplus
}
#endif

#endif
