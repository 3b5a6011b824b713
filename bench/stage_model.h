/* Least traffic and arithmetic of a stage in a step, counted from the loops of the engine.
 *
 *   links   (engine/kernels/integrate.inl, solve.inl)
 *           integration, a particle and substep: 52 bytes (x y z, the same before and inverse mass
 *           read; both positions written), 18 operations; a sweep: 28 bytes a particle (x y z and
 *           inverse mass read, x y z written) and, for links whose ends are not consecutive in
 *           memory, 12 bytes a link (two indices, one length); 23 operations a rigid link, root
 *           and quotient being one each
 *   self_collision   (self_solve.inl)   a pair, substep and end: a record of 16 bytes, 11
 * operations particle_contacts  (particle_contacts.inl)   a pair and substep: 40 bytes, 11
 * operations colliders  (collider_batch.inl)   a particle and substep: 16 bytes, and 9 operations a
 * collider
 *
 * Contacts count as tests alone: pairs that touch take more, which the counts do not tell.
 * Stages that walk trees or sort have no model. */
#ifndef BENCH_STAGE_MODEL_H
#define BENCH_STAGE_MODEL_H

#include "weft/weft.h"

typedef struct bench_stage_cost {
  double bytes, operations; /* of a step; NaN = no model */
} bench_stage_cost;

bench_stage_cost bench_stage_cost_of(weft_stage stage, const weft_world_stats* world,
                                     const weft_contact_stats* contacts);

#endif
