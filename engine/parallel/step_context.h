/* Context of stages, which the caller runs in turn, sharing out their loops: weft__step_for(). */
#ifndef WEFT_PARALLEL_STEP_CONTEXT_H
#define WEFT_PARALLEL_STEP_CONTEXT_H

#include "parallel/domain.h"
#include "parallel/work.h"
#include "parallel/worker_pool.h"
#include "tables/bounds.h"
#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"

struct weft__colliders;
struct weft__joints;
struct weft__profile;
struct weft__settings;
struct weft__stage_states;
struct weft__contact_log;
struct weft__contacts;
struct weft__kernels;
struct weft__materials;

typedef struct weft__step_context {
  weft__worker_pool* pool;
  weft__work* work; /* counted by the caller, outside of loops */
  const struct weft__settings* settings;
  struct weft__profile* profile;
  struct weft__joints* joints;
  const weft__domain* domain; /* NULL: this process computes all */
  uint32_t substep;
  uint32_t substeps;
  /* By component, patches that share particles; NULL: all act, with all sweeps */
  const uint32_t* strides;       /* substeps of the step in one of the component's */
  const uint32_t* level_strides; /* in one of its coarse levels'; 0: these do not act */
  const uint32_t* sweeps;        /* of its substeps */
  uint32_t stride;               /* of the components that act now */
  bool is_idle;                  /* none acts */
  bool is_still;                 /* nor has any moved in this substep */
  bool skips_levels;             /* none acts on coarse levels */
  weft__range patches;           /* this process's */
  weft__range own;               /* their particles */
  float h;                       /* seconds of a substep */
  float solved_h; /* seconds, >= h, that constraints are solved for: see step_size.h */
  weft__particles* particles;
  const weft__schedule* schedule;
  const weft__bounds* bounds;
  const weft__physics* physics;
  const weft__motion* motion;
  const weft__environment* environments; /* [environment_count]; NULL: as `physics` says */
  const bool* idle_patches;              /* patches asleep [patch_count]; NULL: none */
  const struct weft__stage_states* stages;
  uint32_t mover; /* the stage that integrates: weft__stages_mover() */
  const struct weft__kernels* kernels;
  const struct weft__materials* materials;
  const struct weft__colliders* colliders;
  struct weft__contact_log* log;
  struct weft__contacts* contacts; /* for weft__contacts_push_out() */
} weft__step_context;

static inline void weft__step_spend(const weft__step_context* step, uint64_t units) {
  step->work->spent += units;
}

/* True, and counted, if the budget's share so far is spent: the stage leaves out optional work. */
static inline bool weft__step_cuts(const weft__step_context* step, weft__work_share share) {
  if (!weft__work_is_spent(step->work, share, step->substep, step->substeps)) return false;
  ++step->work->cuts;
  return true;
}

/* task(context, items, worker) over [0, count): see weft__worker_pool_for(). */
#define weft__step_for(step, count, grain, task, context) \
  weft__worker_pool_run_loop((step)->pool, count, grain, task, #task, context)

#define weft__step_for_range(step, items, grain, task, context) \
  weft__worker_pool_run_range((step)->pool, items, grain, task, #task, context)

/* For stages that solve all particles, also other processes'. */
static inline weft__step_context weft__step_of_all(const weft__step_context* step) {
  weft__step_context all = *step;
  all.patches = (weft__range){0, step->schedule->patch_count};
  all.own = (weft__range){0, step->particles->count};
  all.domain = NULL;
  return all;
}

/* Over this process's patches, for stages without dependencies between them. */
#define weft__step_for_patches(step, task, context) \
  weft__step_for_range(step, (step)->patches, 1, task, context)

/* Blocks of `size` particles with this process's particles. */
static inline weft__range weft__step_blocks(const weft__step_context* step, uint32_t size) {
  return (weft__range){step->own.begin / size, step->own.end / size + (step->own.end % size != 0)};
}

static inline weft__range weft__step_particles(const weft__step_context* step,
                                               weft__range patches) {
  const uint32_t* first = step->schedule->patch_first;
  return (weft__range){first[patches.begin], first[patches.end]};
}

static inline const weft__motion* weft__step_motion(const weft__step_context* step,
                                                    uint32_t particle) {
  if (step->environments == NULL) return step->motion;
  return &step->environments[weft__environment_of(step->schedule, particle)].motion;
}

static inline const float* weft__step_gravity(const weft__step_context* step, uint32_t particle) {
  if (step->environments == NULL) return step->physics->gravity;
  return step->environments[weft__environment_of(step->schedule, particle)].gravity;
}

static inline bool weft__step_is_paused(const weft__step_context* step, uint32_t particle) {
  return step->environments != NULL &&
         step->environments[weft__environment_of(step->schedule, particle)].is_paused;
}

/* True for a patch whose component does not act. */
static inline bool weft__step_has_other_stride(const weft__step_context* step, uint32_t patch) {
  return step->strides != NULL && step->strides[step->schedule->component[patch]] != step->stride;
}

/* The same for a patch of a coarse level. */
static inline bool weft__step_skips_level(const weft__step_context* step,
                                          const weft__schedule* level, uint32_t patch) {
  return step->strides != NULL && step->level_strides[level->component[patch]] != step->stride;
}

/* True for a patch whose particles are all asleep or in a paused environment, or whose component
 * does not act. */
static inline bool weft__step_leaves_out(const weft__step_context* step, uint32_t patch) {
  return (step->idle_patches != NULL && step->idle_patches[patch]) ||
         weft__step_has_other_stride(step, patch) ||
         weft__step_is_paused(step, step->schedule->patch_first[patch]);
}

/* The same for a particle, but for sleep. */
static inline bool weft__step_skips(const weft__step_context* step, uint32_t particle) {
  if (step->strides != NULL &&
      weft__step_has_other_stride(step, weft__patch_of_particle(step->schedule, particle)))
    return true;
  return weft__step_is_paused(step, particle);
}

#endif
