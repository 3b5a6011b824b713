/* Ghosts: the particles of border patches, sent phase by phase between the ranks of a cluster.
 *
 *     rank 0    . . . P |            P has done phase k: it sends the particles that it touches,
 * and rank 1 G | Q . . . that own patches of rank 1 touch, too, to its ghost G there;
 *                                    Q may do phase k when G has taken them over
 *
 * In phase 0 a patch changes and sends its own particles; in sweeps, all that it touches. Messages
 * of several patches are sent together. A sender is at most three phases ahead of a ghost, as its
 * patch waits for the ghost's neighbours: four slots a ghost hold the phases that have arrived. */
#ifndef WEFT_LIBRARIES_CLUSTER_GHOSTS_H
#define WEFT_LIBRARIES_CLUSTER_GHOSTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/range.h"
#include "libraries/cluster/mailbox.h"
#include "parallel/wavefront.h"
#include "tables/particles.h"

#define WEFT__GHOST_SLOTS 4u

/* Elements [first, first + count) of a list; the patch's own particles come first. */
typedef struct weft__shared {
  uint32_t first, count, own_count;
} weft__shared;

typedef struct weft__ghost {
  uint32_t patch, rank;
  weft__shared shared;                    /* in ghost_particles */
  float* slot;                            /* [WEFT__GHOST_SLOTS x 6 shared.count] */
  atomic_uint arrived[WEFT__GHOST_SLOTS]; /* number of the phase in each slot, + 1; 0: none */
} weft__ghost;

typedef struct weft__target {
  uint32_t outbox, ghost; /* index there */
  weft__shared shared;    /* in sent_particles */
} weft__target;

/* Head of an entry; positions follow, three floats each, in phase 0 then those at the start of the
 * substep. */
typedef struct weft__ghost_entry {
  uint32_t level, ghost, number, count;
} weft__ghost_entry;

struct weft__border;

typedef struct weft__ghost_level {
  weft__ghosts ghosts;
  struct weft__border* border;
  const weft__schedule* schedule;
  weft__particles* particles;
  float* const* start; /* metres at the start of the substep [3] */
  uint32_t number;
  uint32_t quiet_phase; /* no particle moves in it: not sent; or WEFT__NONE */
  uint8_t* role;        /* [patch_count] */
  uint32_t* patches;
  uint32_t* ghost_of; /* or WEFT__NONE [patch_count] */
  weft__ghost* list;
  uint32_t count;
  weft__words ghost_particles;
  uint32_t* first_target; /* [patch_count + 1] */
  weft__target* targets;
  weft__words sent_particles;
  float* slots;
} weft__ghost_level;

typedef struct weft__outbox {
  uint32_t rank;
  pthread_mutex_t mutex; /* guards the members below: workers publish, the caller sends */
  unsigned char* bytes;  /* WEFT__PHASES_HEAD, then entries */
  size_t size, capacity;
  unsigned char* sending; /* the caller's */
} weft__outbox;

typedef struct weft__border {
  weft__mailbox* mailbox;
  weft__ghost_level* levels;
  uint32_t level_count;
  weft__outbox* outboxes; /* ranks with ghosts of own patches, ascending [outbox_count] */
  uint32_t outbox_count;
  atomic_uint waiting;
  int64_t idle_since, stuck_since;
} weft__border;

/* level_capacity: schedules that may be added */
bool weft__border_create(weft__border* border, weft__mailbox* mailbox, uint32_t level_capacity);

/* Schedule of which ranks have patches each. start: positions at the start of the substep [3];
 * rank_first: first patches, and the end. Collective; NULL if out of memory, after all
 * exchanges. */
weft__ghost_level* weft__border_add(weft__border* border, weft__channel* channel,
                                    const weft__schedule* schedule, weft__particles* particles,
                                    float* const start[3], const uint32_t* rank_first,
                                    uint32_t quiet_phase);

bool weft__border_finish(weft__border* border);
void weft__border_destroy(weft__border* border);

#endif
