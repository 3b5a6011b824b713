/* Parts of the collider stage: solve.c. */
#ifndef WEFT_COLLISION_COLLIDERS_SOLVE_H
#define WEFT_COLLISION_COLLIDERS_SOLVE_H

#include "collision/colliders/colliders.h"
#include "geometry/triangle_batch.h"

typedef struct weft__collider_task {
  const weft__colliders* colliders;
  weft__step_context* step;
  uint32_t worker;
  weft__vec3 gravity;                   /* metres a substep */
  float rate;                           /* 1/seconds */
  weft__near_collider* chunk_colliders; /* from the broad phase, ascending [capacity] */
  weft__near_collider* block_colliders;
  weft__collider_batch* encounter; /* current block's */
  /* materials of `encounter`; WEFT__NONE: various */
  uint32_t coefficient_row[WEFT__BATCH_COLLIDERS];
  uint32_t radius_row;
  float cloth_share;
  const uint8_t* only;             /* particles with 1, NULL: all */
  uint32_t contact_count;          /* particles so far */
  uint32_t met_number;             /* collider whose points move; WEFT__NONE: none near the block */
  weft__triangle_batch* triangles; /* undefined until has_batch */
  bool has_batch;
  weft__met_triangles* met; /* of its candidates, by lane [WEFT__BATCH_PARTICLES] */
} weft__collider_task;

/* Share of its support at which a particle collides. */
static inline float weft__collider_support_share(const weft__collider_task* task,
                                                 const weft__material* material) {
  return material->shape == WEFT_PARTICLE_SHAPE_CLOTH ? task->cloth_share : 1.0f;
}

/* Consecutive particles, with the AABB of their motion, shapes included. */
typedef struct weft__collider_block {
  uint32_t begin, end;
  weft__range environments; /* particles' */
  weft__vec3 lower, upper;
  double reach;  /* metres: largest extent, box corners included */
  bool is_empty; /* no particle has a material */
  bool is_uniform;
} weft__collider_block;

typedef struct weft__collider_candidates {
  uint64_t lanes;          /* candidates of any collider */
  uint32_t collider_count; /* with candidates */
} weft__collider_candidates;

/* ---- broad phase: candidates.c ---- */

/* Particles [begin, end), at most WEFT__BATCH_PARTICLES. */
weft__collider_block weft__collider_block_of(const weft__step_context* step, uint32_t begin,
                                             uint32_t end);

/* Extends the AABB of a chunk by a block; it is_empty at first. */
void weft__collider_grow_block(weft__collider_block* all, const weft__collider_block* b);

/* Colliders near a chunk, in chunk_colliders, and of these near a block, in block_colliders; return
 * the number. */
uint32_t weft__collider_cull_chunk(const weft__collider_task* task,
                                   const weft__collider_block* all);
uint32_t weft__collider_cull_block(const weft__collider_task* task, const weft__collider_block* b,
                                   uint32_t chunk_count);

weft__collider_candidates weft__collider_find_candidates(const weft__collider_task* task,
                                                         const weft__collider_block* b,
                                                         uint32_t near_count);

/* ---- one particle: particle_solve.c ---- */

/* Resolves the contacts of a particle with the near colliders, in double precision; true if there
 * are any. `lane`: the particle's in its block. */
bool weft__collider_solve_particle(const weft__collider_task* task, uint32_t i, uint32_t lane,
                                   uint32_t near_count);

/* Triangles of a collider whose points move, near particles of a block that begins at `begin`: of
 * `lanes` up to the one returned, where the batch is full. */
uint32_t weft__collider_meet_triangles(weft__collider_task* task, uint32_t begin, uint64_t lanes,
                                       uint32_t near_count);

static inline bool weft__is_box(const weft__material* material) {
  return material->shape == WEFT_PARTICLE_SHAPE_BOX;
}

/* False for spheres that turn, which kernels do not. */
static inline bool weft__is_sphere(const weft__material* material) {
  return !weft__is_box(material) && material->shape != WEFT_PARTICLE_SHAPE_ELLIPSOID &&
         !material->turns;
}

/* Lanes [begin, end) of a block of at most 64. */
static inline uint64_t weft__lane_mask(uint32_t begin, uint32_t end) {
  const uint64_t below_end = end < 64 ? (1ull << end) - 1 : UINT64_MAX;
  return below_end & (UINT64_MAX << begin);
}

#endif
