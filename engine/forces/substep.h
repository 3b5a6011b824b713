/* Arguments of the integrator stages of a substep. */
#ifndef WEFT_FORCES_SUBSTEP_H
#define WEFT_FORCES_SUBSTEP_H

#include "parallel/worker_pool.h"
#include "tables/particles.h"
#include "tables/schedule.h"

typedef struct weft__substep {
  const weft__particles* particles;
  const weft__schedule* schedule;
  weft__worker_pool* pool;
  float h;            /* seconds */
  float kept;         /* share of the velocity that damping leaves */
  float gravity[3];   /* metres per second squared */
  float max_speed[3]; /* metres per second along each axis */
} weft__substep;

/* Patches [begin, end) of a worker in stages without dependencies between patches. */
static inline weft__range weft__substep_patches(const weft__substep* s, uint32_t worker) {
  return weft__share(s->schedule->patch_count, worker, weft__worker_pool_count(s->pool));
}

/* Particles of these patches. */
static inline weft__range weft__substep_particles(const weft__substep* s, uint32_t worker) {
  const weft__range patches = weft__substep_patches(s, worker);
  const uint32_t* first = s->schedule->patch_first;
  return (weft__range){first[patches.begin], first[patches.end]};
}

#endif
