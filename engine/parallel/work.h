/* Budget of a step's work, over all stages: no state takes long, however many pairs are near.
 *
 * Stages count work that grows with the number of near pairs, in units of some ten nanoseconds:
 *
 *     1 or less   pair of bodies in a sweep, pair of boxes or distances
 *     4           pair of spheres in a substep; of boxes 16, of ellipsoids 64
 *     16          test of CCD, contact of strands in a sweep
 *
 * Half of the budget may be spent at any time, the rest evenly over the substeps: pairs left out
 * have their turn later. Beyond it a stage does only indispensable work, and counts the rest. Work
 * is counted, not timed, and the caller decides between loops: the bits do not depend on the
 * workers. Worlds of several environments have no budget, only the limits of single particles:
 * environments must not depend on each other. The budget is several times the work of any scene
 * whose contacts can be solved: docs/contacts.md. */
#ifndef WEFT_PARALLEL_WORK_H
#define WEFT_PARALLEL_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* Units per particle; particles added to every count, as in small worlds all may be in contact. */
#define WEFT__WORK_A_PARTICLE 8192u
#define WEFT__WORK_PARTICLES 768u

typedef struct weft__work {
  uint64_t budget; /* units of a step */
  uint64_t spent;
  uint64_t cuts; /* times that a stage has left out work */
} weft__work;

static inline void weft__work_begin(weft__work* work, uint32_t particles, bool is_bounded) {
  const uint64_t budget = WEFT__WORK_A_PARTICLE * ((uint64_t)particles + WEFT__WORK_PARTICLES);
  *work = (weft__work){.budget = is_bounded ? budget : UINT64_MAX / 4};
}

/* Divisor of the budget for the stages up to this one. */
typedef enum weft__work_share {
  WEFT__WORK_ALL = 1,
  WEFT__WORK_HALF = 2, /* for stages before CCD, which holds the pairs they leave out */
} weft__work_share;

static inline bool weft__work_is_spent(const weft__work* work, weft__work_share share,
                                       uint32_t substep, uint32_t substeps) {
  const uint64_t half = work->budget / (2 * (uint64_t)share);
  return work->spent > half + half / substeps * (substep + 1);
}

#endif
