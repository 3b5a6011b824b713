/* Sleep: islands at rest are held, and their work is left out. See weft/sleep.h for the rule.
 *
 * A sleeping particle has inverse mass 0, as a pinned one, and its own is kept in a column: every
 * stage holds it in place to the bit, and leaves a free particle that touches it on its surface.
 * Skipping patches and steps only leaves out work that changes nothing.
 *
 *  component   particles that constraints of the scene connect, never changed: falls asleep, and
 *              wakes, as a whole
 *  chunk       up to WEFT__SLEEP_CHUNK particles of a component, with a box
 *  island      components that touch or that joints connect: not stored, but reached by a flood
 *              from chunk to chunk, through a BVH over those that it may reach
 *
 *    once a step   motion and boxes of chunks awake, on all workers
 *                  seconds at rest, by component
 *                  flood over the sleepers, from all that moves             -> they wake
 *                  every WEFT__SLEEP_INTERVAL steps: flood over components at rest, from
 *                  all else that is awake                                   -> the rest sleeps
 *
 * A step is left out as a whole only when everything has slept for WEFT__SLEEP_SETTLE steps: until
 * then warm starts, budgets and lists of the contact stages come to rest, too.
 *
 * Rest is a matter of places, not of speeds: limbs of a heap tremble for ever at a tenth of a metre
 * per second, within a millimetre. (Rouwe, Jolt Physics: Body.cpp, UpdateSleepStateInternal())
 *
 * Rejected: persistent islands by union-find over contacts (Catto 2023, "Simulation islands", Box2D
 * v3). They need begin and end of each contact, which clusters of cloth and pairs of bodies do not
 * share, and may lose to a limit. A flood over boxes costs a tenth of a broad phase. */
#ifndef WEFT_MODULES_SLEEP_SLEEP_H
#define WEFT_MODULES_SLEEP_SLEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/aabb.h"
#include "base/columns.h"
#include "geometry/bvh.h"
#include "scene/scene.h"
#include "step/attribute.h"
#include "tables/schedule.h"

#define WEFT__SLEEP_CHUNK 64u
#define WEFT__SLEEP_INTERVAL 8u
#define WEFT__SLEEP_SETTLE 32u

struct weft__stepper;

typedef struct weft__sleep {
  struct weft__stepper* stepper; /* the world's */
  float speed;                   /* metres per second; 0 = off, and nothing below is allocated */
  float seconds; /* at rest, within speed * seconds of a place, before it falls asleep */
  bool works;    /* work is never left out: for tests */

  /* derived from the scene */
  uint32_t particle_count, component_count, chunk_count, patch_count;
  uint32_t* component_of;       /* by particle in solver order [particle_count] */
  uint32_t* members;            /* particles by component, ascending [particle_count] */
  uint32_t* chunk_first;        /* prefix offsets into members [chunk_count + 1] */
  uint32_t* component_of_chunk; /* [chunk_count] */
  uint32_t* first_chunk;        /* a component's, and the end [component_count + 1] */
  /* metres from its particles to any point of a face or a link of the chunk [chunk_count] */
  float* reach;
  bool* has_faces; /* [component_count] */

  /* state */
  bool* asleep;    /* [component_count] */
  float* resting;  /* seconds; 0 = moves, below 0 = woken since the last step [component_count] */
  float* inv_mass; /* 1/kilograms, of sleeping particles [particle_count] */
  /* metres: where the time at rest of a particle began [particle_count] */
  WEFT__VECTOR_COLUMNS(start);
  uint32_t step;    /* modulo WEFT__SLEEP_INTERVAL */
  uint32_t settled; /* steps since the last one woke or fell asleep, up to WEFT__SLEEP_SETTLE */
  bool has_changed; /* since the tables below were updated */
  uint32_t sleeping_components;
  uint64_t fell_asleep, woke_up, skipped_steps;

  /* derived from the state */
  weft__aabb* boxes;           /* the chunks' in the next step, a margin included [chunk_count] */
  bool* patch_sleeps;          /* all its particles are asleep [patch_count] */
  bool* holds;                 /* particles that are asleep [particle_count] */
  uint32_t sleeping_particles; /* removed ones left out */
  bool has_tree;               /* the tree holds the chunks of sleepers */

  /* scratch */
  bool* rests;       /* all its particles have stayed in place [chunk_count] */
  bool* is_slow;     /* all its particles are slower than `speed` [chunk_count] */
  bool* is_fast;     /* some particle is not [component_count] */
  uint8_t* mark;     /* [component_count] */
  uint32_t* queue;   /* [component_count] */
  weft__aabb* items; /* boxes in the tree [chunk_count] */
  uint32_t* chunk_of_item;
  weft__bvh tree;
  void* block; /* the one allocation of all columns */
  size_t bytes;
} weft__sleep;

extern const weft__table weft__sleep_table;
extern const weft__attribute weft__sleep_attributes[];

/* Creates the tables of a scene with a sleep speed; its schedule and faces exist. False if out of
 * memory; the caller destroys them either way. */
bool weft__sleep_create(weft__sleep* s, const weft_scene* scene);
void weft__sleep_destroy(weft__sleep* sleep);

static inline bool weft__sleep_is_on(const weft__sleep* sleep) {
  return sleep->speed > 0.0f;
}

/* True if asleep; solver order. */
static inline bool weft__sleep_holds(const weft__sleep* sleep, uint32_t particle) {
  return sleep->speed > 0.0f && sleep->asleep[sleep->component_of[particle]];
}

static inline bool weft__sleep_skips_step(const weft__sleep* sleep) {
  return sleep->speed > 0.0f && !sleep->works && sleep->settled == WEFT__SLEEP_SETTLE &&
         sleep->sleeping_components == sleep->component_count;
}

/* Puts the component of a particle to sleep. */
void weft__sleep_put(weft__sleep* sleep, uint32_t particle);

#endif
